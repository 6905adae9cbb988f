"""Whole numbers in digits: padded, written backwards, or neither."""

from collections.abc import Sequence

from btmodel.codecs.key import Int, PaddedInt, ReversedDigits
from btmodel.guess.fields.base import FieldGuess, fits, one_length, span

_MANY = 20
_MOST_DIGITS = 100
# Digits of a 64-bit number: a counter may well grow to as many.
_ROOM = 19


def reversed_digits(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of one length of which all end with zeros, and few begin with one: padded, then turned round."""
    width = one_length(values)
    if width is None or not 4 <= width <= _MOST_DIGITS or len(set(values)) < _MANY:
        return None
    leading = sum(value.startswith(b"0") for value in values)
    if not all(value.endswith(b"00") for value in values) or 4 * leading > len(values):
        return None
    codec = ReversedDigits(width)
    said = f"{width} digits, zeros on the right: a number backwards"
    return FieldGuess(codec, said, "number", sure=True) if fits(codec, values) else None


def padded(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of one length, of which some begin with zero; or a single digit."""
    width = one_length(values)
    if width is None or not 1 <= width <= _MOST_DIGITS or not all(value.isdigit() for value in values):
        return None
    zeros = sum(value.startswith(b"0") for value in values)
    if width > 1 and not zeros:
        return None
    said = f"{width} digits, {zeros:,} of them with zeros on the left" if width > 1 else "1 digit"
    return FieldGuess(PaddedInt(width), said, "number", sure=True)


def unpadded(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of which none begins with zero: numbers that were not padded, as far as can be told."""
    longest = max(map(len, values))
    codec = Int(max(_ROOM, longest))
    if not 0 < longest <= _MOST_DIGITS or not fits(codec, values):
        return None
    least, most = (limit(map(int, values)) for limit in (min, max))
    return FieldGuess(codec, f"a number without zeros on the left, {span(least, most)}", "number", sure=True)
