"""Writes as serialized requests, of one row or in batches, and what the server acknowledged of a batch."""

from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Sequence,
)
from enum import Enum
from typing import Any, TypeVar

from attrs import Factory, define, field
from google.api_core import exceptions
from google.cloud.bigtable_v2.types import (
    CheckAndMutateRowResponse,
    MutateRowsRequest,
    MutateRowsResponse,
    ReadModifyWriteRowResponse,
)
from google.protobuf.message import DecodeError

from btmodel.client.call import Calls
from btmodel.client.failures import InvalidAnswer, answer_lost, repeatable, retry_after, said, translate
from btmodel.client.filter_messages import filter_bytes
from btmodel.client.options import BATCH_BYTES
from btmodel.client.target import Target
from btmodel.errors import BtmodelError, FailedRow, Unanswered, ValueRefused, shown
from btmodel.rows import Append, Cell, Conditional, Entry, Mutation, ReadModifyWrite
from btmodel.rows.serialized import entry, message, mutations, refuse_text, rules, text, varint
from btmodel.schema.limits import CELL_BYTES, MUTATIONS_A_REQUEST
from btmodel.words import as_text, counted

# Tags of the fields of each request in google/bigtable/v2/bigtable.proto. Field 1 is the table in each of them; the number of the authorized view differs.
_TABLE = b"\x0a"
_VIEW_OF_ROW, _VIEW_OF_ROWS, _VIEW_OF_CHECKED = b"\x32", b"\x2a", b"\x4a"
_ENTRY, _ENTRIES_PROFILE = b"\x12", b"\x1a"
_KEY, _MUTATION, _PROFILE = b"\x12", b"\x1a", b"\x22"
_IF_FOUND, _IF_NOT, _CONDITION, _CHECKED_PROFILE = b"\x22", b"\x2a", b"\x32", b"\x3a"
# Entries of less than 2 KB, as most are, begin with one of these.
_HEADS = tuple(_ENTRY + varint(size) for size in range(2048))


T = TypeVar("T", bytes, Entry)


def sendable(mutation: Mutation, tag: bytes) -> bytes:
    """What ``mutation`` does as fields of ``tag``; raises :class:`ValueRefused`, which names the row."""
    return _serialized(mutation, lambda: mutations(mutation, tag))


def sendable_entry(mutation: Mutation) -> Entry:
    """``mutation`` as one of a bulk write; raises :class:`ValueRefused`, which names the row."""
    return _serialized(mutation, lambda: entry(mutation))


def _serialized(mutation: Mutation, made: Callable[[], T]) -> T:
    refuse_unsendable(mutation.table, mutation.key, mutation.count)
    try:
        try:
            sent = made()
        except TypeError:  # which is not looked for in each value
            refuse_text(change for change in mutation.changes if isinstance(change, Cell))
            raise
        if len(sent.raw if isinstance(sent, Entry) else sent) > CELL_BYTES:
            for change in mutation.changes:
                if isinstance(change, Cell):
                    _refuse_large(change.family, change.qualifier, change.value)
    except ValueRefused as error:
        raise error.at(_row(mutation.table, mutation.key)) from None
    return sent


def refuse_large_entry(table: str, sent: Entry) -> None:
    """Raise :class:`ValueRefused` for a serialized row with a value that no cell holds."""
    if len(sent.raw) <= CELL_BYTES:
        return
    try:
        for mutation in MutateRowsRequest.Entry.pb().FromString(sent.raw).mutations:
            cell = mutation.set_cell
            _refuse_large(cell.family_name, cell.column_qualifier, cell.value)
    except ValueRefused as error:
        raise error.at(_row(table, sent.key)) from None


def _refuse_large(family: str, qualifier: bytes, value: bytes) -> None:
    if len(value) > CELL_BYTES:
        raise ValueRefused(
            f"at most {CELL_BYTES:,} bytes in the cell {family}:{as_text(qualifier)}, which is the limit of the service",
            len(value),
        )


def refuse_unsendable(table: str, key: bytes, count: int) -> None:
    """Raise :class:`ValueRefused` for a write of a row that does nothing, or more than one request holds."""
    if not 1 <= count <= MUTATIONS_A_REQUEST:
        raise ValueRefused(f"1 to {MUTATIONS_A_REQUEST:,} changes of a row", count, where=_row(table, key))


def _row(table: str, key: bytes) -> str:
    return f"table {table!r}, row {shown(key)}"


def _where(calls: Calls, view: bytes) -> bytes:
    """The field that says what is written to: the table, or, in the field of the tag ``view``, its authorized view."""
    return text(view if calls.authorized else _TABLE, calls.name)


def write_request(calls: Calls, mutation: Mutation) -> bytes:
    """A ``MutateRowRequest``; raises :class:`ValueRefused` for a mutation that cannot be sent."""
    changes = sendable(mutation, _MUTATION)
    return b"".join(
        (_where(calls, _VIEW_OF_ROW), text(_KEY, mutation.key), changes, text(_PROFILE, calls.app_profile))
    )


def bulk_request(calls: Calls, raws: Sequence[bytes]) -> bytes:
    """A ``MutateRowsRequest`` of serialized entries."""
    parts = [_where(calls, _VIEW_OF_ROWS), text(_ENTRIES_PROFILE, calls.app_profile)]
    for raw in raws:
        size = len(raw)
        parts += (_HEADS[size] if size < 2048 else _ENTRY + varint(size), raw)
    return b"".join(parts)


def conditional_request(calls: Calls, conditional: Conditional) -> bytes:
    """A ``CheckAndMutateRowRequest``.

    Raises :class:`ValueRefused` for a mutation that cannot be sent, and :class:`QueryRefused` for a
    condition too large.
    """
    mutation = conditional.mutation
    there, other = (_IF_FOUND, _IF_NOT) if conditional.present else (_IF_NOT, _IF_FOUND)
    changes = sendable(mutation, there)
    if conditional.otherwise is not None:
        try:
            changes += sendable(conditional.otherwise, other)
        except ValueRefused as error:
            raise error.at(f"otherwise=: {error.where}") from None
    return b"".join(
        (
            _where(calls, _VIEW_OF_CHECKED),
            text(_KEY, mutation.key),
            changes,
            message(_CONDITION, filter_bytes(conditional.found, mutation.table)),
            text(_CHECKED_PROFILE, calls.app_profile),
        )
    )


def modify_request(calls: Calls, change: ReadModifyWrite) -> bytes:
    """A ``ReadModifyWriteRowRequest``; raises :class:`ValueRefused` for an amount that no cell holds."""
    try:
        changes = rules(change)
        if len(changes) > CELL_BYTES:
            for one in change.changes:
                if isinstance(one, Append):
                    _refuse_large(one.family, one.qualifier, one.value)
    except ValueRefused as error:
        raise error.at(_row(change.table, change.key)) from None
    return b"".join(
        (_where(calls, _VIEW_OF_ROW), text(_KEY, change.key), changes, text(_PROFILE, calls.app_profile))
    )


def found(answer: bytes) -> bool:
    """Whether the condition of a conditional write found a cell; raises :class:`InvalidAnswer`."""
    return bool(_parsed(CheckAndMutateRowResponse, answer).predicate_matched)


def changed(answer: bytes) -> list[Cell]:
    """The cells that a read-modify-write left; raises :class:`InvalidAnswer`."""
    return [
        Cell(family.name, column.qualifier, cell.timestamp_micros, cell.value)
        for family in _parsed(ReadModifyWriteRowResponse, answer).row.families
        for column in family.columns
        for cell in column.cells
    ]


def _parsed(kind: Any, answer: bytes) -> Any:
    """The message, without the wrapping of Google's client."""
    try:
        return kind.pb().FromString(answer)
    except DecodeError:
        raise InvalidAnswer("a message that does not parse") from None


ROWS = 1_000
BATCH_MUTATIONS = MUTATIONS_A_REQUEST  # of all rows of a batch
_FRAME = 6  # the most bytes that a request takes for the tag and the length of an entry

Encoded = Mutation | Entry | BtmodelError


class Signal(Enum):
    """What stands between the rows of a source that is filled bit by bit: it is empty for now, or its rows are to be sent."""

    EMPTY = "empty"
    FLUSH = "flush"


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
        full = size > BATCH_BYTES or count > BATCH_MUTATIONS
        if (full and self.keys) or index - self.start >= ROWS:
            return False
        if key in self._held:
            if self._clashes(key, mutation):
                return False
        else:
            self._held[key] = mutation
        if mutation is not None and mutation.adding:
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
        if (
            first is None
            or mutation is None
            or first.deletes
            or mutation.deletes
            or first.then
            or mutation.then
        ):
            return True
        held, cells = self._cells.setdefault(key, _cells(first)), _cells(mutation)
        if not held.isdisjoint(cells):
            return True
        held |= cells
        return False


def batches(table: str, given: Iterable[Encoded | Signal]) -> Generator[Batch, None, None]:
    """The rows in batches; among them what could not be encoded comes as its error. A batch of no rows is given for each signal.

    A batch ends before a mutation that changes what another of it does to the same row, so
    that of two the later one counts; before an entry, where its row comes again at all.
    """
    batch, index = Batch(0), -1
    for item in given:
        index += 1
        if type(item) is Entry and _surely_fits(item) and batch.take(index, item, None):
            continue
        if isinstance(item, Signal):
            if item is Signal.FLUSH and len(batch):
                yield batch.sealed(last=True)
                batch = Batch(index)
            index -= 1
            yield Batch(index)
            continue
        mutation = item if isinstance(item, Mutation) else None
        encoded = item if isinstance(item, Entry) and _surely_fits(item) else _encoded(table, item)
        if isinstance(encoded, Entry):
            if batch.take(index, encoded, mutation):
                continue
        elif index - batch.start < ROWS:
            batch.refused.append(FailedRow(index, None, encoded))
            continue
        yield batch.sealed()
        batch = Batch(index)
        if isinstance(encoded, Entry):
            batch.take(index, encoded, mutation)
        else:
            batch.refused.append(FailedRow(index, None, encoded))
    if len(batch):
        yield batch.sealed(last=True)


TAKEN = 100  # rows of a source that is filled bit by bit which wait to be put into a batch


@define(eq=False)
class BatchSource:
    """The batches of rows that are given one after the other."""

    table: str
    waiting: deque[Encoded | Signal] = field(init=False, factory=deque)
    _batches: Iterator[Batch] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._batches = batches(self.table, self._given())

    def _given(self) -> Iterator[Encoded | Signal]:
        while True:
            yield self.waiting.popleft() if self.waiting else Signal.EMPTY

    def full(self) -> Iterator[Batch]:
        """The batches that are full by now; after ``Signal.FLUSH``, also the one that is not."""
        while True:
            batch = next(self._batches)
            if len(batch):
                yield batch
            elif not self.waiting:
                return


async def batches_async(
    table: str, given: Iterable[Encoded] | AsyncIterable[Encoded]
) -> AsyncGenerator[Batch, None]:
    """The same, also of rows that ``async for`` gives."""
    if not isinstance(given, AsyncIterable):
        for batch in batches(table, given):
            yield batch
        return
    source = BatchSource(table)
    async for item in given:
        source.waiting.append(item)
        if len(source.waiting) >= TAKEN:
            for batch in source.full():
                yield batch
    source.waiting.append(Signal.FLUSH)
    for batch in source.full():
        yield batch


def _cells(mutation: Mutation) -> set[tuple[str, bytes, int]]:
    """The cells that a mutation sets. What is added to others comes to the same in any order."""
    return {(cell.family, cell.qualifier, cell.timestamp) for cell in mutation.cells}


def _surely_fits(item: Entry) -> bool:
    """Whether a request holds it, which of others takes a closer look."""
    return item[2] <= MUTATIONS_A_REQUEST and len(item[1]) <= CELL_BYTES


def _encoded(table: str, item: Encoded) -> Entry | BtmodelError:
    """``item`` as it is sent, or the error where no request could hold it."""
    if isinstance(item, BtmodelError):
        return item
    try:
        if isinstance(item, Mutation):
            return sendable_entry(item)
        refuse_unsendable(table, item.key, item.count)
        refuse_large_entry(table, item)
        return item
    except ValueRefused as error:
        return error


_ANSWERS = MutateRowsResponse.pb()
_UNANSWERED = "the answer ended before that for this row"


def _all_written(rows: int) -> tuple[bytes, list[int]]:
    """The answer that acknowledges so many rows in one message, and where in it each of them ends."""
    answer, ends = bytearray(), [0]
    for index in range(rows):
        numbered = b"\x08" + varint(index) if index else b""
        answer += message(b"\x0a", numbered + message(b"\x12", b""))
        ends.append(len(answer))
    return bytes(answer), ends


_WRITTEN, _ENDS = _all_written(ROWS)


@define
class Acknowledged:
    """The rows of one batch, request after request.

    ``open`` holds the positions of those to ask for with the next request: all of them at first, then
    those that failed and may be sent again.
    """

    batch: Batch
    # The factor by which the service asks to change the load, and the seconds to keep it then; None where it does not ask.
    asked: tuple[float, float] | None = field(init=False, default=None)
    open: list[int] = field(init=False)
    # Of the rows of this request, by their places in it: None for written.
    _said: dict[int, Exception | None] = field(init=False, factory=dict)
    _wrong: Exception | None = field(init=False, default=None)
    # Rows that a request may have written without saying so.
    _lost: set[int] = field(init=False, factory=set)
    # Of open rows, why they were not written by the request before; of others, why they are not at all.
    _pending: dict[int, Exception] = field(init=False, factory=dict)
    _failures: dict[int, Exception] = field(init=False, factory=dict)
    # Rows of whose last request none was answered: what failed is the request.
    _unheard: set[int] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        self.open = list(range(len(self.batch.raws)))

    @property
    def raws(self) -> list[bytes]:
        """The entries of the next request."""
        raws = self.batch.raws
        return raws if len(self.open) == len(raws) else [raws[position] for position in self.open]

    @property
    def written(self) -> int:
        """How many rows are known to be written, also while a request is under way."""
        return len(self.batch.raws) - len(self._failures) - self.unknown

    @property
    def unknown(self) -> int:
        """How many open rows are not acknowledged, but may be written by what was sent."""
        return len(self.open) - sum(failure is None for failure in self._said.values())

    def take(self, answer: bytes) -> None:
        """Take in one message of the answer to a request."""
        rows = len(self.open)
        # Most answers are one message which says that all is well.
        well = _ENDS[rows]
        if not self._said and answer[:well] == _WRITTEN[:well]:
            self._said = dict.fromkeys(range(rows))
            if len(answer) == well:
                return
            answer = answer[well:]  # at the border of a field, so the rest is a message as well
        try:
            parsed = _ANSWERS.FromString(answer)
        except DecodeError:
            self._wrong = InvalidAnswer("a message that does not parse")
            return
        entries = parsed.entries
        if parsed.HasField("rate_limit_info"):
            limit = parsed.rate_limit_info
            self.asked = limit.factor, limit.period.ToMilliseconds() / 1000
        for row in entries:
            index, status = row.index, row.status
            failure = _failure(status) if status.code else None
            if not 0 <= index < rows:
                self._wrong = InvalidAnswer(f"of {counted(rows, 'row')} sent, number {index} is answered")
            elif type(self._said.setdefault(index, failure)) is not type(failure):
                self._said[index] = InvalidAnswer("a row is answered twice, and not alike")

    def end(self, error: Exception | None, codes: Collection[str]) -> Exception | None:
        """The answer ended, with ``error`` if it broke off: leaves open what may be sent again.

        A row without an answer may be written or not: it is sent again, or has failed. Returns why rows are left open,
        or None where none are: of several reasons, that of the row that asks for the longest wait. ``codes`` as for
        :func:`repeatable`.
        """
        missing = self._wrong or error or exceptions.DeadlineExceeded(_UNANSWERED)  # type: ignore[no-untyped-call]
        unanswered = bool(self._said) or answer_lost(missing, said(missing))
        self._pending = {}
        refused = error is not None and not self._said
        self._unheard = self._unheard.union(self.open) if refused else self._unheard.difference(self.open)
        for index, position in enumerate(self.open):
            failure = self._said.get(index, missing)
            if failure is None:
                continue
            if (unanswered and failure is missing) or isinstance(failure, InvalidAnswer):
                self._lost.add(position)
            again = repeatable(failure, codes, once=position in self.batch.once)
            (self._pending if again else self._failures)[position] = failure
        self.open, self._said, self._wrong = list(self._pending), {}, None
        return max(self._pending.values(), key=lambda why: retry_after(why) or 0.0, default=None)

    @property
    def failure(self) -> Exception | None:
        """Why the first of the rows that failed did so."""
        return next(iter((self._failures | self._pending).values()), None)

    def give_up(self) -> None:
        """No other request will be made: the rows that are open have failed."""
        self._failures |= self._pending
        self.open, self._pending = [], {}

    def failed(self, table: str, target: Target) -> Iterator[FailedRow]:
        """The rows that have failed, with the reasons; those that no request could hold, too."""
        yield from self.batch.refused
        indices = self.batch.indices if self._failures else ()
        for position, failure in self._failures.items():
            cause = translate(failure, table, target, "MutateRows", once=position in self.batch.once)
            if position in self._lost and not isinstance(cause, Unanswered):
                cause = Unanswered(f"{cause}; a request that was not answered well may have written the row")
            unheard = position in self._unheard
            yield FailedRow(indices[position], self.batch.keys[position], cause, of_request=unheard)


def _failure(status: Any) -> Exception:
    failure: Exception = exceptions.from_grpc_status(  # type: ignore[no-untyped-call]
        status.code, status.message, errors=[status]
    )
    return failure
