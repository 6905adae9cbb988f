"""Paths: several names with slashes between them, in some values more than in others."""

from collections.abc import Sequence

from btmodel.codecs.key import Repeated, Text
from btmodel.guess.fields.base import FieldGuess, fits, roomy

_SLASH = b"/"
_MOST = 8


def path(values: Sequence[bytes]) -> FieldGuess | None:
    """Names with slashes between them, whose number differs."""
    parts = [value.split(_SLASH) for value in values]
    least, most = (limit(map(len, parts)) for limit in (min, max))
    if most < 2 or least == most or not all(all(one) for one in parts):
        return None
    names = [name for one in parts for name in one]
    codec = Repeated(Text(max_length=roomy(names)), _SLASH, most=max(_MOST, 2 * most))
    said = f"{least} to {most} names with slashes between them"
    return FieldGuess(codec, said, "path") if fits(codec, values) else None
