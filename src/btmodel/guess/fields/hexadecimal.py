"""Hexadecimal digests and ids."""

from collections.abc import Sequence

from btmodel.codecs.key import HexDigest
from btmodel.guess.fields.base import MANY, SEVERAL, FieldGuess, fits, one_length

_SHORTEST = 8
# As many digits as ids of MongoDB, MD5, SHA-1 and the SHA-2 family have: one alone is enough.
_USUAL = frozenset({24, 32, 40, 56, 64, 96, 128})


def hexadecimal(values: Sequence[bytes]) -> FieldGuess | None:
    """Lower-case hexadecimal digits of one length, 8 or more, letters and decimal digits among them.

    Of a length that no usual digest has, there have to be many, or several and zeros on the left: few may be
    words, or numbers that grow longer.
    """
    width = one_length(values)
    if width is None or width < _SHORTEST or not fits(HexDigest(width), values):
        return None
    fewest = SEVERAL if any(value.startswith(b"0") for value in values) else MANY
    if width not in _USUAL and len(set(values)) < fewest:
        return None
    letters = b"".join(values)
    if letters.isdigit() or letters.isalpha():
        return None
    return FieldGuess(HexDigest(width), f"{width} hexadecimal digits", "digest", sure=True)
