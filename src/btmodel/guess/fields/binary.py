"""Bytes of which nothing can be told: what is always right."""

from collections.abc import Sequence

from btmodel.codecs.key import Bytes
from btmodel.guess.fields.base import MANY, FieldGuess, one_length, roomy, sizes


def binary(values: Sequence[bytes]) -> FieldGuess:
    """Any bytes; of one width where many values have it."""
    width = one_length(values)
    if width and len(set(values)) >= MANY:
        return FieldGuess(Bytes(width=width), f"{sizes(values)}, no text", "id")
    codec = Bytes(max_length=roomy(values), min_length=min(1, *map(len, values), 1))
    return FieldGuess(codec, f"bytes, {sizes(values)}, no text", "id")
