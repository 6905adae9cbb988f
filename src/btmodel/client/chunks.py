"""Rows assembled from the chunks of ``ReadRows``, the checks of an answer, and the progress of one read over all its requests."""

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, Generic, TypeVar

from attrs import Factory, define, evolve
from google.api_core.exceptions import ServiceUnavailable
from google.cloud.bigtable_v2.types import ReadRowsRequest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.wrappers_pb2 import BytesValue

from btmodel.client.call import READ_ROWS, ActiveCall, Calls, InstanceAccess
from btmodel.client.failures import InvalidAnswer
from btmodel.client.filter_messages import filter_bytes
from btmodel.client.row_streams import RowBatch
from btmodel.errors import shown
from btmodel.rows import Cell, ReadPlan, RowDecoder, RowRange
from btmodel.rows.ranges import overlap
from btmodel.rows.serialized import text
from btmodel.words import counted

# A chunk wraps its names into messages of their own, to distinguish an empty one from a missing one. The class
# here reads the same bytes, and leaves a wrapped name as the bytes of its message: the same few,
# again and again, which are looked up, and not parsed.

# A name that a chunk leaves out; no message of one begins so. To ask for it takes half as long as HasField.
ABSENT = b"\0"

_BYTES = FieldDescriptorProto.TYPE_BYTES
_CHUNK = {
    "row_key": (1, _BYTES),
    "family_name": (2, _BYTES),
    "qualifier": (3, _BYTES),
    "timestamp_micros": (4, FieldDescriptorProto.TYPE_INT64),
    "value": (6, _BYTES),
    "value_size": (7, FieldDescriptorProto.TYPE_INT32),
    "reset_row": (8, FieldDescriptorProto.TYPE_BOOL),
    "commit_row": (9, FieldDescriptorProto.TYPE_BOOL),
}


def _answer_class() -> Any:
    """``ReadRowsResponse`` as it is declared here, in a pool of its own: no other sees it."""
    file = FileDescriptorProto(name="btmodel/answers.proto", package="btmodel", syntax="proto2")
    chunk = file.message_type.add(name="Chunk")
    chunk.oneof_decl.add(name="row_status")
    for name, (number, kind) in _CHUNK.items():
        field = chunk.field.add(
            name=name, number=number, type=kind, label=FieldDescriptorProto.LABEL_OPTIONAL
        )
        if name in ("reset_row", "commit_row"):
            field.oneof_index = 0
        if name in ("family_name", "qualifier"):
            field.default_value = "\\000"  # as the language of the service's interface writes ABSENT
    repeated = FieldDescriptorProto.LABEL_REPEATED
    chunk.field.add(name="labels", number=5, type=_BYTES, label=repeated)
    answer = file.message_type.add(name="Answer")
    message = FieldDescriptorProto.TYPE_MESSAGE
    answer.field.add(name="chunks", number=1, type=message, type_name=".btmodel.Chunk", label=repeated)
    optional = FieldDescriptorProto.LABEL_OPTIONAL
    answer.field.add(name="last_scanned_row_key", number=2, type=_BYTES, label=optional)
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("btmodel.Answer"))


# A message: its ``chunks``, and ``last_scanned_row_key``; ``parsed`` raises :class:`DecodeError`.
parsed = _answer_class().FromString


def unwrapped(name: bytes) -> bytes:
    """What a name's message holds; raises :class:`DecodeError`."""
    if len(name) > 2 and name[0] == 10 and name[1] == len(name) - 2 and name[1] < 128:
        return name[2:]
    held: bytes = BytesValue.FromString(name).value
    return held


T = TypeVar("T")
Make = Callable[[bytes, list[Cell]], T]

_NAMES = 1_000  # that are kept as they were read, lest open columns fill the memory
_cell = tuple.__new__  # half the time of calling a named tuple


@define
class Chunks:
    """The rows of one read: how far it has come, and what is known of the row that is on its way.

    A chunk says of its row, family and qualifier only what is not the same as in the
    chunk before, and a large value comes in several. A row may go on in the next message. ``rows`` counts the
    rows that came; ``furthest`` is the key of the last of them, or one behind it up to which the server has
    looked. All methods raise :class:`InvalidAnswer` for what no server may send.
    """

    _plan: ReadPlan
    furthest: bytes | None = None
    rows: int = 0
    _key: bytes | None = None
    _family: str = ""
    _qualifier: bytes = b""
    _timestamp: int = 0
    _pieces: list[bytes] = Factory(list)
    _cells: list[Cell] = Factory(list)
    _families: dict[bytes, str] = Factory(dict)
    _qualifiers: dict[bytes, bytes] = Factory(dict)

    @property
    def forward(self) -> bool:
        """Whether no row is on its way, and the read goes from the first row to the last."""
        return self._key is None and not self._plan.backwards

    def take(self, message: bytes, make: Make[T], batch: RowBatch[T]) -> None:
        """Take in a serialized answer, and append to ``batch`` what ``make`` makes of the rows that it ends.

        Where this raises, or ``make`` does, the rows in front of that were appended.
        """
        try:
            answer = parsed(message)
        except DecodeError as error:
            raise _unreadable(error) from error
        self._take_all(answer.chunks, make, batch)
        if answer.last_scanned_row_key:
            self.scanned(answer.last_scanned_row_key)

    def _take_all(self, chunks: Iterable[Any], make: Make[T], batch: RowBatch[T]) -> None:
        # Most of the time of a read goes by here. So what a chunk holds is asked for once, the row on its way is
        # kept in variables beside the attributes, and all that is rare lies elsewhere.
        key, family, qualifier, cells = self._key, self._family, self._qualifier, self._cells
        families, qualifiers, pieces = self._families, self._qualifiers, self._pieces
        keys, rows = batch
        for chunk in chunks:
            if chunk.value_size > 0 or pieces or chunk.reset_row:
                self._take_rare(chunk, make, batch)
                key, family, qualifier, cells = self._key, self._family, self._qualifier, self._cells
                continue
            row_key = chunk.row_key
            if key is None:
                self._begin(row_key, chunk)
                key, cells = row_key, self._cells
            elif row_key and row_key != key:
                raise self._torn(row_key)
            name, named = chunk.qualifier, chunk.family_name
            if name != ABSENT:
                known = qualifiers.get(name)
                qualifier = self._qualifier = self._qualifier_of(name) if known is None else known
                if named != ABSENT:
                    id = families.get(named)
                    family = self._family = self._family_of(named) if id is None else id
            elif named != ABSENT:
                raise self._unnamed()
            cells.append(_cell(Cell, (family, qualifier, chunk.timestamp_micros, chunk.value)))
            if chunk.commit_row:
                # At once, so that the cells of a whole message never lie about: to look through them takes longer.
                rows.append(make(key, cells))
                keys.append(key)
                self.furthest, self._key, key = key, None, None
                self.rows += 1

    def _take_rare(self, chunk: Any, make: Make[T], batch: RowBatch[T]) -> None:
        """Take in a chunk that takes a row back, or holds a part of a value."""
        if chunk.reset_row:
            self._reset(chunk)
            return
        if self._key is None:
            self._begin(chunk.row_key, chunk)
        elif chunk.row_key and chunk.row_key != self._key:
            raise self._torn(chunk.row_key)
        if self._pieces:
            self._check_same_cell(chunk)
        else:
            self._timestamp = chunk.timestamp_micros
            if chunk.qualifier != ABSENT:
                self._qualifier = self._qualifier_of(chunk.qualifier)
                if chunk.family_name != ABSENT:
                    self._family = self._family_of(chunk.family_name)
            elif chunk.family_name != ABSENT:
                raise self._unnamed()
        if chunk.value_size > 0 and chunk.commit_row:
            raise InvalidAnswer(f"row {shown(self._key)} ends inside a value")
        self._pieces.append(chunk.value)
        if chunk.value_size > 0:
            return  # the rest of the value follows
        value = b"".join(self._pieces)
        self._pieces.clear()
        self._cells.append(Cell(self._family, self._qualifier, self._timestamp, value))
        if chunk.commit_row:
            assert self._key is not None
            batch.rows.append(make(self._key, self._cells))
            batch.keys.append(self._key)
            self.furthest, self._key = self._key, None
            self.rows += 1

    def passed(self, keys: Sequence[bytes]) -> int:
        """Rows of these keys came by another way, in order and behind ``furthest``; how many of them the limit takes."""
        taken = len(keys) if self._plan.limit is None else min(len(keys), self._plan.limit - self.rows)
        if taken:
            self.furthest = keys[taken - 1]
            self.rows += taken
        return taken

    def scanned(self, key: bytes) -> None:
        """The server has looked at all rows up to ``key``, and passed over those that it did not send."""
        if self._key is not None:
            raise InvalidAnswer(f"the server has looked on to {shown(key)} inside row {shown(self._key)}")
        if self._is_new(key):
            self.furthest = key

    def end(self) -> None:
        """The answer ended; raises :class:`ServiceUnavailable` where that broke it off inside a row."""
        if self._key is not None:
            why = f"the answer ended inside row {shown(self._key)}"
            raise ServiceUnavailable(why)  # type: ignore[no-untyped-call]

    def drop(self) -> None:
        """Forget the row that is on its way: it will be sent again from its beginning."""
        self._key = None
        self._pieces.clear()

    def too_many(self, key: bytes) -> InvalidAnswer:
        """What is wrong with row ``key``, which came behind all that were asked for."""
        return InvalidAnswer(f"expected {counted(self.rows, 'row')}, got row {shown(key)} behind them")

    def _begin(self, key: bytes, chunk: Any) -> None:
        if not key:
            raise InvalidAnswer("a row without a key")
        if not self._is_new(key):
            side = "before" if self._plan.backwards else "after"
            raise InvalidAnswer(f"expected a row {side} {shown(self.furthest)}, got row {shown(key)}")
        if ABSENT in (chunk.family_name, chunk.qualifier):
            raise InvalidAnswer(f"row {shown(key)} begins without a family or a qualifier")
        if self.rows == self._plan.limit:
            raise self.too_many(key)
        self._key, self._cells = key, []

    def _qualifier_of(self, name: bytes) -> bytes:
        """What the message ``name`` says, which is kept."""
        try:
            found = unwrapped(name)
        except DecodeError as error:
            raise _unreadable(error) from error
        if len(self._qualifiers) < _NAMES:
            self._qualifiers[name] = found
        return found

    def _family_of(self, name: bytes) -> str:
        try:
            found = self._families[name] = unwrapped(name).decode()
        except (DecodeError, UnicodeDecodeError) as error:
            raise _unreadable(error) from error
        return found

    def _torn(self, key: bytes) -> InvalidAnswer:
        return InvalidAnswer(f"row {shown(key)} begins inside row {shown(self._key)}")

    def _unnamed(self) -> InvalidAnswer:
        return InvalidAnswer(f"a family without a qualifier in row {shown(self._key)}")

    def _reset(self, chunk: Any) -> None:
        if self._key is None:
            raise InvalidAnswer("a row is taken back where none has begun")
        named = chunk.row_key or chunk.family_name != ABSENT or chunk.qualifier != ABSENT
        if named or chunk.timestamp_micros or chunk.labels or chunk.value:
            raise InvalidAnswer(f"row {shown(self._key)} is taken back by a chunk that holds a cell")
        self.drop()

    def _check_same_cell(self, chunk: Any) -> None:
        if (
            (chunk.family_name != ABSENT and self._family_of(chunk.family_name) != self._family)
            or (chunk.qualifier != ABSENT and self._qualifier_of(chunk.qualifier) != self._qualifier)
            or (chunk.timestamp_micros and chunk.timestamp_micros != self._timestamp)
        ):
            raise InvalidAnswer(f"another cell begins inside a value of row {shown(self._key)}")

    def _is_new(self, key: bytes) -> bool:
        """Whether ``key`` lies behind what has come, in the direction of the read."""
        if self.furthest is None:
            return True
        return key < self.furthest if self._plan.backwards else key > self.furthest


def _unreadable(error: Exception) -> InvalidAnswer:
    return InvalidAnswer(f"a message that cannot be parsed: {error}")


_Request: Any = ReadRowsRequest.pb()
_FILTER = b"\x1a"  # the tag of its filter, which is kept serialized


def read_request(plan: ReadPlan, calls: Calls) -> bytes | None:
    """The request for the rows of ``plan``; None where nothing can match."""
    keys: list[bytes] = []
    spans: list[RowRange] = []
    for span in plan.ranges:
        # A multi-get has a thousand of these: what a range says of itself is asked for once.
        start, end = span.start, span.end
        if start and end == start + b"\0":
            keys.append(start)
        elif not end or start < end:
            spans.append(span)
    if not keys and not spans:
        return None  # a request without rows would be for the whole table
    request = _Request(
        **calls.address,
        app_profile_id=calls.app_profile,
        rows_limit=plan.limit or 0,
        reversed=plan.backwards,
    )
    request.rows.row_keys.extend(keys)
    for span in spans:
        asked = request.rows.row_ranges.add()
        if span.start:
            asked.start_key_closed = span.start
        if span.end:
            asked.end_key_open = span.end
    serialized: bytes = request.SerializeToString()
    return serialized + text(_FILTER, filter_bytes(plan.sent, plan.table)) if plan.sent else serialized


def read_call(access: InstanceAccess, plan: ReadPlan) -> ActiveCall:
    """The call that reads the rows of ``plan``: rows by their keys are waited for less long than those of a range."""
    single = plan.limit == 1 or all(span.key for span in plan.ranges)
    return ActiveCall(
        access,
        "read" if single else "scan",
        READ_ROWS,
        plan.table,
        filter=plan.sent,
        ranges=len(plan.ranges),
    )


def rest(plan: ReadPlan, last: bytes | None, given: int) -> ReadPlan:
    """What is left of ``plan`` once it was read up to the key ``last``, and ``given`` rows have come."""
    if last is None:
        return plan
    if given == plan.limit:
        return evolve(plan, ranges=())
    # What is not read yet: below the last key, or from the one after it on.
    left = RowRange(b"", last) if plan.backwards else RowRange(last + b"\0", b"")
    ranges = tuple(overlap(span, left) for span in plan.ranges)
    return evolve(plan, ranges=ranges, limit=plan.limit and plan.limit - given)


def decoded(message: bytes, chunks: Chunks, decoder: RowDecoder[T]) -> tuple[RowBatch[T], Exception | None]:
    """What is made of the rows that ``message`` ends, and what went wrong behind them, if anything."""
    if decoder.fast is None or not chunks.forward:
        batch: RowBatch[T] = RowBatch([], [])
    else:
        at, keys, rows = decoder.fast(message, 0, chunks.furthest or b"")
        taken = chunks.passed(keys)
        if taken < len(keys):
            return RowBatch(keys[:taken], rows[:taken]), chunks.too_many(keys[taken])
        batch = RowBatch(keys, rows)
        if at == len(message):
            return batch, None
        message = message[at:]
    try:
        chunks.take(message, decoder.strict, batch)
    except Exception as error:
        return batch, error
    return batch, None


def decoded_plainly(message: bytes, decoder: RowDecoder[T]) -> list[T]:
    """What is made of the rows of a message that holds whole ones, in order, without the fast way."""
    batch: RowBatch[T] = RowBatch([], [])
    Chunks(ReadPlan("", (), None)).take(message, decoder.strict, batch)
    return batch.rows


class ReadProgress(Generic[T]):
    """A read of ``plan``: what it asks for next, and what it makes of the answers.

    What the answers hold is counted in ``call``. Where one breaks off, the rest is asked for from the row after the last
    one on, or from the key up to which the server says that it has looked.
    """

    def __init__(self, plan: ReadPlan, calls: Calls, decoder: RowDecoder[T], call: ActiveCall) -> None:
        self._plan = plan
        self._calls = calls
        self._decoder = decoder
        self._chunks = Chunks(plan)
        self._call = call
        self._failed: Exception | None = None

    def request(self) -> bytes | None:
        """The request for what has not come yet; None where nothing can follow."""
        return read_request(rest(self._plan, self._chunks.furthest, self._chunks.rows), self._calls)

    def take(self, message: bytes) -> RowBatch[T]:
        """The rows that a message ends."""
        call, began = self._call, perf_counter()
        batch, self._failed = decoded(message, self._chunks, self._decoder)
        call.decode_seconds += perf_counter() - began
        call.rows += len(batch.keys)
        call.bytes += len(message)
        return batch

    def taken(self) -> None:
        """Those rows were given; raises what is wrong after them, and waits from now on for the next ones."""
        if self._failed is not None:
            raise self._failed
        self._call.clock.reached(self._chunks.furthest)

    def end(self) -> None:
        """The answer ended; raises where that broke it off inside a row."""
        self._chunks.end()

    def pause_after(self, error: Exception) -> float:
        """The seconds to wait before the rest is asked for, as ``error`` broke off the answer; raises what ends the read."""
        wait = self._call.clock.read_again(error)
        self._chunks.drop()
        return wait
