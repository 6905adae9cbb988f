"""Hexadecimal digests and ids."""

from collections.abc import Sequence

from btmodel.codecs.key import HexDigest
from btmodel.guess.fields.base import FieldGuess, fits, one_length

_SHORTEST = 8


def hexadecimal(values: Sequence[bytes]) -> FieldGuess | None:
    """Lower-case hexadecimal digits of one length, 8 or more, letters and decimal digits among them."""
    width = one_length(values)
    if width is None or width < _SHORTEST or not fits(HexDigest(width), values):
        return None
    letters = b"".join(values)
    if letters.isdigit() or letters.isalpha():
        return None
    return FieldGuess(HexDigest(width), f"{width} hexadecimal digits", "digest", sure=True)
