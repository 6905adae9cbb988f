"""What a read makes of its rows."""

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from btmodel.rows.cells import Cell

T = TypeVar("T")

# Takes whole rows from the front of a serialized ``ReadRowsResponse``, as long as it knows each for certain, and
# stops without an error at the border of a field where it does not. Given the message, where to begin in it, and the
# key behind which the first row must lie (b"" is in front of all); gives where it stopped, the keys and the rows.
Fast = Callable[[bytes, int, bytes], tuple[int, list[bytes], list[T]]]


@frozen
class RowDecoder(Generic[T]):
    """Makes something of each row that is read.

    ``strict`` takes the key and the cells of a row, and may raise what tells that they cannot be decoded.
    ``fast``, where there is one, gives the same, from the message that rows come in.
    """

    strict: Callable[[bytes, list[Cell]], T]
    fast: Fast[T] | None = None


def _cells(key: bytes, cells: list[Cell]) -> list[Cell]:
    return cells


RAW = RowDecoder(_cells)
