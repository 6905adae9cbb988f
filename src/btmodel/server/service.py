"""The gRPC service: method table, lanes, long-running operations.

Writes run in one lane, many in one transaction when many wait, and each is answered once that is committed.
Streams run in another, one message at a time: between two messages they hold no thread. What changes tables has a
lane of its own, so that nothing else waits for it.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from attrs import define, frozen
from grpc import StatusCode

from btmodel.errors import raised
from btmodel.server import protos, request_errors
from btmodel.server.calls import STOPPING, ServerCall
from btmodel.server.protos import Message, Method
from btmodel.server.request_errors import RequestError, not_found
from btmodel.server.running import COLLECT_GARBAGE, COUNT_SCANS, PARTITION_STREAM
from btmodel.server.store import Store, outcome_of
from btmodel.server.stored_rows import LARGEST_MESSAGE, cut

_Operation = protos.message("google.longrunning.Operation")
_REMEMBERED = 1_000


class Operations:
    """The last operations, for clients that ask again for one."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._known: OrderedDict[str, Message] = OrderedDict()

    def done(self, resource: str, response: Message, metadata: Message) -> Message:
        """An operation on a resource that is over and has a response."""
        now = time.time_ns() // 1000
        for name in ("start_time", "end_time", "request_time", "finish_time"):
            if name in metadata.DESCRIPTOR.fields_by_name:
                getattr(metadata, name).FromMicroseconds(now)
        operation = _Operation(name=f"operations/{resource}/operations/{next(self._numbers)}", done=True)
        operation.response.Pack(response, deterministic=True)
        operation.metadata.Pack(metadata)
        self._known[operation.name] = operation
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return operation

    def get_operation(self, request: Message) -> Message:
        """Answer an operation again."""
        operation = self._known.get(request.name)
        if operation is None:
            raise not_found(f"Operation not found: {request.name}")
        return operation

    wait_operation = get_operation


_log = logging.getLogger(__name__)
_Item = TypeVar("_Item")
_REST_AFTER = 1.0  # seconds


class Lane(Generic[_Item]):
    """Threads that take what is put in: all that waits at a time, up to *most* of it.

    A thread that has had nothing to do for a second calls *rest*, once, before it waits for more.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Sequence[_Item]], None],
        rest: Callable[[], None],
        *,
        threads: int = 1,
        most: int = 1,
    ) -> None:
        self._work, self._rest, self._most = work, rest, most
        self._waiting: SimpleQueue[_Item | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]

    def put(self, item: _Item) -> None:
        """Have something done."""
        self._waiting.put(item)

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Do what waits, and end."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        going = True
        while going:
            items = [self._first()]
            while items[-1] is not None and len(items) < self._most and not self._waiting.empty():
                items.append(self._waiting.get())
            going = items[-1] is not None
            try:
                self._work([item for item in items if item is not None])
            except Exception:
                _log.exception("the work of a lane failed")
            del items  # what it was done for may be large

    def _first(self) -> _Item | None:
        try:
            return self._waiting.get(timeout=_REST_AFTER)
        except Empty:
            self._rest()
        return self._waiting.get()


class Pause(NamedTuple):
    """What a stream gives where it has nothing to send before a moment of the monotonic clock, or before it is woken.

    ``idle`` is whether that is so still: there may be something between a look and the pause that follows it.
    """

    until: float
    idle: Callable[[], bool]


class Waiting:
    """Streams with nothing to send: none of them holds a thread. All are looked at again when they are woken."""

    def __init__(self) -> None:
        self._streams: list[tuple[float, _Answers]] = []
        self._changed = threading.Condition()
        self._woken = self._stopped = False
        self._thread = threading.Thread(target=self._run, name="waiting", daemon=True)

    def put(self, stream: _Answers, pause: Pause) -> None:
        """Let a stream wait."""
        with self._changed:
            stopped, idle = self._stopped, pause.idle()
            if idle and not stopped:
                self._streams.append((pause.until, stream))
                self._changed.notify()
                return
        if stopped:
            stream.end(_STOPPING)
        else:
            stream.go_on()

    def wake(self) -> None:
        """There may be something to send."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End the streams that wait, and those that would."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._thread.join()
        for _, stream in self._streams:
            stream.end(_STOPPING)

    def _run(self) -> None:
        while not self._stopped:
            with self._changed:
                due = min((until for until, _ in self._streams), default=None)
                if not self._woken and not self._stopped:
                    self._changed.wait(None if due is None else max(0.0, due - time.monotonic()))
                now, woken = time.monotonic(), self._woken
                ready = [stream for until, stream in self._streams if woken or until <= now]
                self._streams = [] if woken else [stream for stream in self._streams if stream[0] > now]
                self._woken = False
            for stream in ready:
                stream.go_on()
            if woken:
                time.sleep(_WOKEN_AGAIN)  # a stream of small writes must not wake all readers for each


_WOKEN_AGAIN = 0.002  # seconds
_LONGEST_TEXT = 600  # characters; a status is sent in a header, and clients refuse headers over 8 KiB
_READERS = 4  # threads, each with a connection to the file while it reads; in memory they would take turns
_WRITES_AT_ONCE = 200  # in one transaction: more would only make the first of them wait
_BYTES_AT_ONCE = 1 << 18  # of their requests
_SMALL = 1 << 14  # bytes; a message of a stream up to this size waits to see if it is the last one

_Empty = protos.message("google.protobuf.Empty")

Implementations = dict[str, object]
_WRITES = {"MutateRow", "MutateRows", "CheckAndMutateRow", "ReadModifyWriteRow"}


class _Status(NamedTuple):
    """How a call ends."""

    code: StatusCode
    text: str = ""


_OK = _Status(StatusCode.OK)
_STOPPING = _Status(*STOPPING)


class Service:
    """Answers calls by *implementations*, objects by the full names of their services."""

    def __init__(
        self,
        implementations: Implementations,
        collect_garbage: Callable[[], None],
        store: Store,
        partition: Callable[[str, Sequence[bytes]], None] = lambda table, splits: None,
    ) -> None:
        self._store = store
        self._methods = {method.path: _method(method, implementations) for method in protos.methods()}
        self._methods[COLLECT_GARBAGE] = _local_method(COLLECT_GARBAGE, collect_garbage)
        self._methods[PARTITION_STREAM] = _partition_method(partition)
        self._methods[COUNT_SCANS] = _local_method(COUNT_SCANS, lambda: b"%d" % store.scans)
        self._writing: Lane[_ServedCall] = Lane("writer", self._write, store.rest, most=_WRITES_AT_ONCE)
        self._reading: Lane[_Answers] = Lane(
            "reader", _step, store.rest, threads=1 if store.in_memory else _READERS
        )
        self._managing: Lane[_ServedCall] = Lane("manager", self._manage, store.rest)
        self._lanes = (self._writing, self._reading, self._managing)
        self.waiting = Waiting()  #: streams that wait for changes

    def start(self) -> None:
        """Begin."""
        self.waiting.start()
        for lane in self._lanes:
            lane.start()

    def stop(self) -> None:
        """Finish what was accepted, and end."""
        for lane in self._lanes:
            lane.stop()

    def accept(self, call: ServerCall) -> None:
        """Have a call answered."""
        method = self._methods.get(call.path)
        if method is None:
            call.finish(StatusCode.UNIMPLEMENTED, _cut(f"The Bigtable API has no method {call.path}"))
            return
        work = _ServedCall(method, call)
        if method.writes:
            self._writing.put(work)
        elif method.reads:
            self._stream(call, work.answers())
        else:
            self._managing.put(work)

    def _stream(self, call: ServerCall, answers: Iterator[bytes | Pause]) -> None:
        self._reading.put(_Answers(call, answers, self._reading, self.waiting))

    def _write(self, waiting: Sequence[_ServedCall]) -> None:
        """Do what writes in few transactions, and answer each work when its transaction is committed."""
        for works in _together(waiting):
            for work, outcome in zip(works, self._store.group([work.run for work in works]), strict=True):
                self._answer(work.call, outcome)

    def _manage(self, works: Sequence[_ServedCall]) -> None:
        for work in works:
            self._answer(work.call, outcome_of(work.run))

    def _answer(self, call: ServerCall, outcome: list[bytes] | Exception) -> None:
        if isinstance(outcome, Exception):
            call.finish(*_failure(outcome, call.path))
        elif len(outcome) == 1:
            call.finish(*_OK, message=outcome[0])
        else:
            self._stream(call, iter(outcome))


def _together(works: Iterable[_ServedCall]) -> Iterator[list[_ServedCall]]:
    """The works in their order, as many in one list as have few bytes."""
    together: list[_ServedCall] = []
    size = 0
    for work in works:
        if together and size + len(work.call.request) > _BYTES_AT_ONCE:
            yield together
            together, size = [], 0
        together.append(work)
        size += len(work.call.request)
    yield together


@frozen
class _ServedMethod:
    """One method: its function takes a request and answers a message, or yields several."""

    declared: Method
    function: Callable[[Message], Any]
    writes: bool
    reads: bool

    @property
    def rows(self) -> bool:
        """Whether its answers hold rows in chunks, which can be cut anywhere."""
        return self.declared.name == "ReadRows"


def _method(declared: Method, implementations: Implementations) -> _ServedMethod:
    service = declared.path.split("/")[1]
    function = getattr(implementations.get(service), _snake(declared.name), None)
    writes = declared.name in _WRITES
    reads = declared.path.startswith(f"/{protos.DATA}.") and not writes
    return _ServedMethod(declared, function or _missing(declared), writes, reads)


def _local_method(path: str, function: Callable[[], bytes | None]) -> _ServedMethod:
    """A method that only this server has, for tests: its request is empty."""

    def answer(request: Message) -> bytes:
        return function() or b""

    return _ServedMethod(Method(path, _Empty, _Empty, streams=False), answer, writes=False, reads=False)


def _partition_method(partition: Callable[[str, Sequence[bytes]], None]) -> _ServedMethod:
    """Likewise: its request has the full name of a table as its parent, and splits."""

    def answer(request: Message) -> bytes:
        partition(request.parent, [split.key for split in request.initial_splits])
        return b""

    declared = Method(PARTITION_STREAM, protos.admin("CreateTableRequest"), _Empty, streams=False)
    return _ServedMethod(declared, answer, writes=False, reads=False)


def _snake(name: str) -> str:
    """ReadRows -> read_rows."""
    return "".join("_" + char.lower() if char.isupper() else char for char in name).lstrip("_")


def _missing(method: Method) -> Callable[[Message], Any]:
    text = f"The local server does not support {method.name} ({method.path})"

    def refuse(request: Message) -> NoReturn:
        raise RequestError(StatusCode.UNIMPLEMENTED, text)

    return refuse


def _serialized(answer: Message | bytes) -> bytes:
    """Some answers are bytes already, because they are sent as they are stored."""
    if isinstance(answer, bytes):
        return answer
    serialized: bytes = answer.SerializeToString(deterministic=True)  # maps by key, in every process
    return serialized


@frozen
class _ServedCall:
    """A call and the method that it asks for."""

    method: _ServedMethod
    call: ServerCall

    def run(self) -> list[bytes]:
        """All the answers at once."""
        return [answer for answer in self.answers() if isinstance(answer, bytes)]

    def answers(self) -> Iterator[bytes | Pause]:
        """The serialized answers, one after the other."""
        found = self.method.function(self._parsed())
        # One that gives a single message, too, may have to wait for it.
        waits = self.method.declared.streams or isinstance(found, Iterator)
        answers: Iterable[Message | bytes | Pause] = found if waits else [found]
        for one in answers:
            if isinstance(one, Pause):
                yield one
                continue
            answer = _serialized(one)
            if len(answer) > LARGEST_MESSAGE and self.method.rows and _takes_little(self.call):
                yield from cut(answer)
            else:
                yield answer

    def _parsed(self) -> Message:
        request = self.method.declared.request
        try:
            return request.FromString(self.call.request)
        except Exception:
            name = request.DESCRIPTOR.full_name
            text = (
                f"Cannot read the request as a {name}: its bytes are not one, or it is nested over 100 deep"
            )
            raise RequestError(StatusCode.INVALID_ARGUMENT, text) from None


@define
class _Answers:
    """A stream of answers, of which each is made when the client has room for it."""

    call: ServerCall
    answers: Iterator[bytes | Pause]
    lane: Lane[_Answers]
    waiting: Waiting
    next: bytes | _Status | Pause | None = None  #: where it is known already

    def step(self) -> None:
        """Send one message, with the end of the stream if that is known to follow."""
        message = self._pull() if self.next is None else self.next
        if isinstance(message, _Status):
            self.call.finish(*message)
            return
        if isinstance(message, Pause):
            self.next = None
            self.waiting.put(self, message)
            return
        self.next = self._pull() if len(message) <= _SMALL else None
        if isinstance(self.next, _Status):
            self.call.finish(*self.next, message=message)
        else:
            self.call.send(message, self.go_on)

    def go_on(self) -> None:
        """Send what there is now."""
        self.lane.put(self)

    def end(self, status: _Status) -> None:
        """End the stream with a status."""
        self.answers = iter(())
        self.call.finish(*status)

    def _pull(self) -> bytes | _Status | Pause:
        """The next message, or how the stream ends; when the client has gone it ends here."""
        if self.call.cancelled:
            self.answers = iter(())  # which closes what it was
        try:
            return next(self.answers, _OK)
        except Exception as error:
            return _failure(error, self.call.path)


def _step(streams: Sequence[_Answers]) -> None:
    for stream in streams:
        stream.step()


def _failure(error: Exception, path: str) -> _Status:
    if isinstance(error, RequestError):
        return _Status(error.code, _cut(error.text))
    if code := request_errors.status(error):
        return _Status(code, _cut(request_errors.explanation(error)))
    _log.error("%s failed", path, exc_info=error)
    return _Status(StatusCode.INTERNAL, _cut(f"{raised(error)}"))


def _takes_little(call: ServerCall) -> bool:
    """Whether a client is likely to refuse a message over 4 MiB.

    The service sends a row in one message however large it is, and Go's client refuses a row in two. Python's
    reads such a row, and when it talks to an emulator it leaves gRPC's limit as it is.
    """
    return any(key == "user-agent" and "grpc-python" in str(value) for key, value in call.metadata)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."
