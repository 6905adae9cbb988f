"""Whole numbers in digits: padded, written backwards, or neither."""

from collections.abc import Sequence

from btmodel.codecs.key import Int, PaddedInt, ReversedDigits
from btmodel.guess.fields.base import MANY, FieldGuess, fits, one_length, span

_DIGITS = 10
_MOST_DIGITS = 100
# Digits of a 64-bit number: a counter may well grow to as many.
_ROOM = 19
# Times that each of the ten digits comes on average, from which on there is no other number to come.
_EACH = 5


def reversed_digits(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of one length of which all end with zeros, and some, but few, begin with one: padded, then turned round.

    Round numbers end with zeros, too. They begin with one where they are padded alone, and with several then.
    """
    width = one_length(values)
    if width is None or not 4 <= width <= _MOST_DIGITS or len(set(values)) < MANY:
        return None
    leading = sum(value.startswith(b"0") for value in values)
    if not all(value.endswith(b"00") for value in values) or not 0 < 4 * leading <= len(values):
        return None
    codec = ReversedDigits(width)
    said = f"{width} digits, zeros on the right: a number backwards"
    return FieldGuess(codec, said, "number", sure=True) if fits(codec, values) else None


def padded(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of one length, of which some begin with zero; or a single one, where all ten of them come often."""
    width = one_length(values)
    if width is None or not 1 <= width <= _MOST_DIGITS or not all(value.isdigit() for value in values):
        return None
    zeros = sum(value.startswith(b"0") for value in values)
    all_ten = len(set(values)) == _DIGITS and len(values) >= _EACH * _DIGITS
    if not (zeros if width > 1 else all_ten):
        return None
    said = (
        f"{width} digits, {zeros:,} of them with zeros on the left"
        if width > 1
        else "1 digit, any of the ten"
    )
    return FieldGuess(PaddedInt(width), said, "number", sure=True)


def unpadded(values: Sequence[bytes]) -> FieldGuess | None:
    """Digits of which none begins with zero: numbers that were not padded, as far as can be told."""
    longest = max(map(len, values))
    codec = Int(max(_ROOM, longest))
    if not 0 < longest <= _MOST_DIGITS or not fits(codec, values):
        return None
    least, most = (limit(map(int, values)) for limit in (min, max))
    return FieldGuess(codec, f"a number without zeros on the left, {span(least, most)}", "number", sure=True)
