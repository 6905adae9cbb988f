"""Rows of which a read has left out entries, versions or times: a write that leaves nothing else in the stored row would delete what was not read.

The tuple of the cells that such a row does not know says so: it stays with copies of the row, also in other processes.
"""

from collections.abc import Callable
from typing import TypeVar

from btmodel.declare import Model
from btmodel.declare.metaclass import UNKNOWN
from btmodel.declare.model import key_of, unknown_cells
from btmodel.errors import QueryRefused, shown
from btmodel.rows import Cell, RowDecoder, Selection

T = TypeVar("T")


class _InPart(tuple[Cell, ...]):
    """The cells that a row does not know, of a row that was read in part."""

    __slots__ = ()


def marked(decoder: RowDecoder[T], selection: Selection, row_of: Callable[[T], Model]) -> RowDecoder[T]:
    """A decoder that marks the row of what it makes as read in part, if it is by ``selection``."""
    if not selection.in_part:
        return decoder
    strict, fast = decoder.strict, decoder.fast

    def note(made: T) -> T:
        row = row_of(made)
        object.__setattr__(row, UNKNOWN, _InPart(unknown_cells(row)))
        return made

    def noted(message: bytes, start: int, last: bytes) -> tuple[int, list[bytes], list[T]]:
        assert fast is not None
        end, keys, found = fast(message, start, last)
        return end, keys, list(map(note, found))

    return RowDecoder(lambda key, cells: note(strict(key, cells)), noted if fast else None)


def refuse_in_part(row: Model, method: str) -> None:
    """Raise :class:`QueryRefused` for a row that was read in part, which ``method`` would write or delete as a whole."""
    if isinstance(unknown_cells(row), _InPart):
        name = type(row).__name__
        raise QueryRefused(
            f"{name}: {method}: expected a whole row, and {shown(key_of(row))} was read with some of its entries, versions or times alone: the others would be lost. "
            f"Read it whole, change it by update or an edit, or make a new {name}(...)"
        )
