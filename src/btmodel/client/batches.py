"""Batches of a bulk write: bounded in rows, cells and bytes, so that memory stays flat."""

from collections.abc import Iterable, Iterator

from btmodel.client.changes import refuse_unsendable
from btmodel.errors import BtmodelError, ValueRefused
from btmodel.rows import Mutation
from btmodel.schema.figures import MUTATIONS_A_REQUEST

ROWS = 1_000
BYTES = 4 * 1024 * 1024

Encoded = Mutation | BtmodelError
Batch = list[tuple[int, Encoded]]


def batches(mutations: Iterable[Encoded]) -> Iterator[Batch]:
    """The mutations in batches, each with its index; what could not be encoded comes as its error.

    A batch ends before a mutation that changes what another of it does to the same row, so
    that of two the later one counts.
    """
    batch: Batch = []
    held = _Held()
    cells = size = 0
    for index, mutation in enumerate(map(_checked, mutations)):
        more_cells, more_bytes, again = (0, 0, False)
        if isinstance(mutation, Mutation):
            more_cells, more_bytes, again = mutation.count, mutation.size, held.clashes(mutation)
        full = len(batch) == ROWS or cells + more_cells > MUTATIONS_A_REQUEST or size + more_bytes > BYTES
        if batch and (full or again):
            yield batch
            batch, held, cells, size = [], _Held(), 0, 0
        if isinstance(mutation, Mutation):
            held.add(mutation)
        batch.append((index, mutation))
        cells += more_cells
        size += more_bytes
    if batch:
        yield batch


class _Held:
    """What a batch does to its rows; the service may do it in any order."""

    def __init__(self) -> None:
        self._first: dict[bytes, Mutation] = {}
        # Of rows that come again, all cells; most batches have none.
        self._cells: dict[bytes, set[tuple[str, bytes, int]]] = {}

    def clashes(self, mutation: Mutation) -> bool:
        """Whether it matters that ``mutation`` comes after the others: they change the same cells."""
        first = self._first.get(mutation.key)
        if first is None:
            return False
        if first.deletes or mutation.deletes:
            return True
        cells = self._cells.setdefault(mutation.key, _cells(first))
        return not cells.isdisjoint(_cells(mutation))

    def add(self, mutation: Mutation) -> None:
        """Take in one that does not clash."""
        if self._first.setdefault(mutation.key, mutation) is not mutation:
            self._cells[mutation.key] |= _cells(mutation)


def _cells(mutation: Mutation) -> set[tuple[str, bytes, int]]:
    """The cells that a mutation sets. What is added to others comes to the same in any order."""
    return {(cell.family, cell.qualifier, cell.timestamp) for cell in mutation.cells}


def _checked(mutation: Encoded) -> Encoded:
    """``mutation``, or the error where no request could hold it."""
    try:
        if isinstance(mutation, Mutation):
            refuse_unsendable(mutation)
    except ValueRefused as error:
        return error
    return mutation
