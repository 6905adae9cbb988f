"""The sampled rows that a guess is made from."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from attrs import frozen

from btmodel.rows import Cell
from btmodel.schema import Layout, Table


@frozen(slots=False)
class SampledRow:
    """A row, its key and its cells as they were read: of each column the newest cell first."""

    key: bytes
    cells: tuple[Cell, ...]

    @cached_property
    def places(self) -> frozenset[tuple[str, bytes]]:
        """Family and qualifier of each of its columns."""
        return frozenset(cell[:2] for cell in self.cells)


@frozen
class TableSample:
    """A live table, and rows of it.

    ``whole`` is true where these are all its rows; ``said`` tells in words what was read. ``layouts`` are
    what was recorded when btmodel migrated the table: how its keys and cells were declared then.
    """

    table: Table
    rows: tuple[SampledRow, ...]
    whole: bool
    said: str
    layouts: tuple[Layout, ...] = ()


def sampled(rows: Iterable[tuple[bytes, Sequence[Cell]]]) -> tuple[SampledRow, ...]:
    """Rows as a read gives them."""
    return tuple(SampledRow(key, tuple(cells)) for key, cells in rows)
