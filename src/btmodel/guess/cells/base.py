"""What a guess at the values of a column is, and when a codec fits."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from btmodel.codecs.cell import CellCodec

# Cells from which on it counts that all of them are of one of two kinds.
MANY = 10


@frozen
class CellGuess:
    """What the values of cells seem to be: the codec that fits them all, and why it was chosen.

    ``said`` is the evidence in words, without the number of values.
    """

    codec: CellCodec[Any]
    said: str


CellGuesser = Callable[[Sequence[bytes]], CellGuess | None]


def fits(codec: CellCodec[Any], values: Sequence[bytes]) -> bool:
    """Whether every one of ``values`` decodes, and encodes to the same bytes again."""
    try:
        return all(codec.encode(codec.decode(value)) == value for value in values)
    except (ValueError, OverflowError):
        return False
