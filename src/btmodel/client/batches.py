"""Batches of a bulk write: bounded in rows, mutations and bytes, so that memory stays flat."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import Factory, define

from btmodel.client.changes import refuse_unsendable, sendable_entry
from btmodel.errors import BtmodelError, FailedRow, ValueRefused
from btmodel.rows import Entry, Mutation
from btmodel.schema.figures import MUTATIONS_A_REQUEST

ROWS = 1_000
BYTES = 4 * 1024 * 1024
_FRAME = 6  # the most bytes that a request takes for the tag and the length of an entry

Encoded = Mutation | Entry | BtmodelError


@define(eq=False)
class Batch:
    """What one request writes: rows that were given one after the other, from number ``start`` on.

    ``keys`` and ``raws`` are those of the rows to send, in their order, and ``once`` the
    positions among them of what must not be sent again; ``refused`` are those that no request
    could hold. ``size`` is in bytes. Behind the ``last`` batch no other comes.
    """

    start: int
    keys: list[bytes] = Factory(list)
    raws: list[bytes] = Factory(list)
    once: set[int] = Factory(set)
    refused: list[FailedRow] = Factory(list)
    size: int = 0
    last: bool = False
    _mutations: int = 0
    # The first mutation of each row, None for an entry; and of rows that come again, all cells:
    # most batches have none.
    _held: dict[bytes, Mutation | None] = Factory(dict)
    _cells: dict[bytes, set[tuple[str, bytes, int]]] = Factory(dict)

    def __len__(self) -> int:
        return len(self.keys) + len(self.refused)

    @property
    def indices(self) -> Sequence[int]:
        """The numbers of the rows to send, among all that were given."""
        given = range(self.start, self.start + len(self))
        if not self.refused:
            return given
        refused = {row.index for row in self.refused}
        return [index for index in given if index not in refused]

    def take(self, index: int, one: Entry, mutation: Mutation | None) -> bool:
        """Take in row number ``index``, made of ``mutation`` if of any; False where it must go in another batch."""
        key, raw, count = one
        size, count = self.size + len(raw) + _FRAME, self._mutations + count
        full = size > BYTES or count > MUTATIONS_A_REQUEST
        if (full and self.keys) or index - self.start >= ROWS:
            return False
        if key in self._held:
            if self._clashes(key, mutation):
                return False
        else:
            self._held[key] = mutation
        if mutation is not None and mutation.adds:
            self.once.add(len(self.raws))
        self.keys.append(key)
        self.raws.append(raw)
        self.size, self._mutations = size, count
        return True

    def overlaps(self, other: "Batch") -> bool:
        """Whether both write to one row, so that one must be done before the other is sent."""
        return not self._held.keys().isdisjoint(other._held)

    def sealed(self, *, last: bool = False) -> "Batch":
        """This batch, complete: only the bytes of its mutations are kept on."""
        self._held, self._cells, self.last = dict.fromkeys(self._held), {}, last
        return self

    def _clashes(self, key: bytes, mutation: Mutation | None) -> bool:
        """Whether it matters that ``mutation`` comes after the others, which the service may do in any order."""
        first = self._held[key]
        if first is None or mutation is None or first.deletes or mutation.deletes:
            return True
        held, cells = self._cells.setdefault(key, _cells(first)), _cells(mutation)
        if not held.isdisjoint(cells):
            return True
        held |= cells
        return False


def batches(table: str, given: Iterable[Encoded]) -> Iterator[Batch]:
    """The rows in batches; among them what could not be encoded comes as its error.

    A batch ends before a mutation that changes what another of it does to the same row, so
    that of two the later one counts; before an entry, where its row comes again at all.
    """
    batch = Batch(0)
    for index, item in enumerate(given):
        if type(item) is Entry and item[2] <= MUTATIONS_A_REQUEST and batch.take(index, item, None):
            continue
        mutation = item if isinstance(item, Mutation) else None
        one = item if isinstance(item, Entry) and item.count <= MUTATIONS_A_REQUEST else _encoded(table, item)
        if isinstance(one, Entry):
            if batch.take(index, one, mutation):
                continue
        elif index - batch.start < ROWS:
            batch.refused.append(FailedRow(index, None, one))
            continue
        yield batch.sealed()
        batch = Batch(index)
        if isinstance(one, Entry):
            batch.take(index, one, mutation)
        else:
            batch.refused.append(FailedRow(index, None, one))
    if len(batch):
        yield batch.sealed(last=True)


def _cells(mutation: Mutation) -> set[tuple[str, bytes, int]]:
    """The cells that a mutation sets. What is added to others comes to the same in any order."""
    return {(cell.family, cell.qualifier, cell.timestamp) for cell in mutation.cells}


def _encoded(table: str, item: Encoded) -> Entry | BtmodelError:
    """``item`` as it is sent, or the error where no request could hold it."""
    if isinstance(item, BtmodelError):
        return item
    try:
        if isinstance(item, Mutation):
            return sendable_entry(item)
        refuse_unsendable(table, item.key, item.count)
        return item
    except ValueRefused as error:
        return error
