"""The row that a data step is given, and the times of what it makes of it."""

from collections.abc import Sequence
from typing import NamedTuple

from attrs import evolve, frozen

from btmodel.declare import Fields, Model, codec_of, unknown_cells
from btmodel.rows import Cell, Mutation
from btmodel.rows.cells import MILLISECOND


class StoredRow(NamedTuple):
    """A row as it is stored: its key, and every cell, the newest of a column first."""

    key: bytes
    cells: Sequence[Cell]


@frozen
class Source:
    """What a function was given of a row: the columns, and the ``newest`` time of their cells, in microseconds.

    What it makes of that is as old as that: what the application has written since stays on top, and the
    same row, given again, comes to the same cells.
    """

    table: str
    key: bytes
    columns: frozenset[tuple[str, bytes]]
    newest: int

    @classmethod
    def of(cls, table: str, row: tuple[bytes, Sequence[Cell]], given: StoredRow | Model) -> "Source":
        """That of a ``row`` of ``table``, of which a model, where it is ``given`` as one, may leave out cells."""
        key, cells = row
        unknown = set(unknown_cells(given)) if isinstance(given, Model) else set[Cell]()
        read = [cell for cell in cells if cell not in unknown]
        newest = max((cell.timestamp for cell in read or cells), default=0)
        return cls(table, key, frozenset(cell[:2] for cell in read), newest)

    def written(self, row: Model) -> Mutation:
        """What puts ``row`` at the time of the source; raises :class:`btmodel.errors.ValueRefused`.

        A cell of just that time may be the application's, which wrote something else that was read in the same put: so what
        is written is a millisecond older. A column that was read is rewritten.
        """
        codec, values = codec_of(type(row)), Fields(row)
        made = codec.encode(values, max(self.newest - MILLISECOND, 0))
        if (made.table, made.key) != (self.table, self.key):
            return made
        again = codec.encode(values, self.newest)
        cells = [
            at if at[:2] in self.columns else older for at, older in zip(again.cells, made.cells, strict=True)
        ]
        return evolve(made, cells=cells)
