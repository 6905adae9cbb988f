"""Bytes of which nothing can be told: what is always right."""

from collections.abc import Sequence

from btmodel.codecs.key import Bytes
from btmodel.guess.fields.base import FieldGuess, one_length, roomy, sizes

_MANY = 20


def binary(values: Sequence[bytes]) -> FieldGuess:
    """Any bytes; of one width where many values have it."""
    width = one_length(values)
    if width and len(set(values)) >= _MANY:
        return FieldGuess(Bytes(width=width), f"{sizes(values)}, no text", "id")
    longest = max(map(len, values))
    codec = Bytes(max_length=roomy(longest), min_length=min(1, *map(len, values), 1))
    return FieldGuess(codec, f"bytes, {sizes(values)}, no text", "id")
