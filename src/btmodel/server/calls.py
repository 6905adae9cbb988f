"""Calls from clients: one thread receives all events; a waiting call holds no thread.

`grpc.server` holds a thread for every open call, also for one whose request has not come and for a stream that
never read, and hands each call between threads four times; `grpc.aio.server` holds none and takes as long.
This is the layer beneath both of them, by the five operations that they use of it themselves.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import grpc
from grpc._cython import cygrpc as _untyped  # type: ignore[attr-defined]

cygrpc: Any = _untyped
_log = logging.getLogger(__name__)

#: The status of calls that a server that is stopped does not finish, and its text.
STOPPING = (grpc.StatusCode.UNAVAILABLE, "The server is stopping")

_SHUTDOWN = object()
_BREAKING_OFF = 1.0  # seconds
_QUIET, _BUSY = 0.05, 0.3  # seconds without a call
_NO_FLAGS = 0
_LONGEST_REQUEST = 300 << 20  # bytes: the largest cell is 100 MiB, and a row may have 256 MiB
_MOST_PENDING = (1 << 31) - 1
_OPTIONS: list[tuple[str, int]] = [
    ("grpc.max_receive_message_length", _LONGEST_REQUEST),
    ("grpc.max_send_message_length", -1),
    # Calls that have come and were not looked at yet: from 1,000 on gRPC cancels some, from 3,000 on all of them.
    ("grpc.server.max_pending_requests", _MOST_PENDING),
    ("grpc.server.max_pending_requests_hard_limit", _MOST_PENDING),
    # Clients ping idle connections every half a minute, which gRPC takes for an attack unless an option allows it.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_ping_strikes", 0),
    ("grpc.so_reuseport", 0),  # a port in use is an error, not a second server behind the same address
]

_Event = Any  # what the core reports: an operation that has ended, or a new call
_Then = Callable[[_Event], None]


class ServerCall:
    """A call with its whole request: it is answered with messages, and with a status at the end."""

    __slots__ = ("_begun", "_core", "_ended", "_events", "cancelled", "metadata", "path", "request")

    def __init__(self, event: _Event, events: _Events, ended: Callable[[ServerCall], None]) -> None:
        self.path: str = event.call_details.method.decode("ascii", "backslashreplace")
        self.metadata: Sequence[tuple[str, str | bytes]] = event.invocation_metadata
        self.request = b""
        self.cancelled = (
            False  #: whether the client has gone, or its deadline has passed, in the middle of a stream
        )
        self._core, self._events, self._begun, self._ended = event.call, events, False, ended

    def read(self, ready: Callable[[ServerCall], None]) -> None:
        """Wait for the request; *ready* is called with the call once it is there."""

        def come(event: _Event) -> None:
            request = event.batch_operations[0].message()
            if request is not None:
                self.request = request
                ready(self)
            else:
                self.finish(grpc.StatusCode.INVALID_ARGUMENT, "The call ended before its request came")

        self._start([cygrpc.ReceiveMessageOperation(_NO_FLAGS)], come)

    def send(self, message: bytes, then: Callable[[], None]) -> None:
        """Send a message of a stream; *then* is called when the client has room for the next one, or has gone."""

        def sent(event: _Event) -> None:
            self.cancelled = not event.success
            then()

        self._start(self._opening(message), sent)

    def finish(self, code: grpc.StatusCode, text: str = "", message: bytes | None = None) -> None:
        """Send the last message, if there is one, and the status."""
        number, details = code.value[0], text.encode()
        status = cygrpc.SendStatusFromServerOperation(None, number, details, _NO_FLAGS)
        # In a step of its own, the end of the client's side would be one more event for each call.
        end = cygrpc.ReceiveCloseOnServerOperation(_NO_FLAGS)
        self._start([*self._opening(message), status, end], self._done)

    def break_off(self, code: grpc.StatusCode, text: str) -> None:
        """End the call with a status at once, also while a message waits until the client has room for it."""
        self.cancelled = True
        self._core.cancel(code.value[0], text)

    def _done(self, event: _Event) -> None:
        self._ended(self)

    def _opening(self, message: bytes | None) -> list[Any]:
        """The operations that send a message, the first time after what stands before all messages."""
        operations = [] if self._begun else [cygrpc.SendInitialMetadataOperation(None, _NO_FLAGS)]
        self._begun = True
        if message is not None:
            operations.append(cygrpc.SendMessageOperation(message, _NO_FLAGS))
        return operations

    def _start(self, operations: list[Any], then: _Then) -> None:
        self._events.expect()
        self._core.start_server_batch(operations, then)


class _Events:
    """The queue of what has happened, and how much is still to happen."""

    def __init__(self) -> None:
        self.queue = cygrpc.CompletionQueue()
        self._lock = threading.Lock()
        self._due = 0

    def expect(self, more: int = 1) -> int:
        """Count what will come, or with -1 what has come; answers how much is to come."""
        with self._lock:
            self._due += more
            return self._due


class Listener:
    """A port, and the thread that takes the calls of all clients."""

    def __init__(self, accept: Callable[[ServerCall], None]) -> None:
        self._accept = accept
        self._events = _Events()
        self._core = cygrpc.Server(_OPTIONS, False)
        self._core.register_completion_queue(self._events.queue)
        self._open: dict[ServerCall, None] = {}
        self._stopping, self._finished = threading.Event(), threading.Event()
        self._closing, self._closed = threading.Lock(), False
        self._last_came = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="calls", daemon=True)

    def bind(self, address: str) -> int:
        """Take a port; answers its number, or 0 when it cannot be had."""
        try:
            return int(self._core.add_http2_port(address.encode()))
        except RuntimeError:
            return 0

    def start(self) -> None:
        """Begin to take calls."""
        self._core.start()
        self._await_call()
        self._thread.start()

    def stop(self, grace: float) -> None:
        """Refuse further calls, and end those that are still open after so many seconds: all by a status after which clients repeat them."""
        began = time.monotonic()
        self._stopping.set()
        if not self._open:
            self._finished.set()
        if not self._finished.wait(grace):
            for call in list(self._open):
                call.break_off(*STOPPING)
            self._finished.wait(_BREAKING_OFF)
        # A shutdown ends calls that come at that moment with CANCELLED: clients that call all the time are refused before it, and wait.
        latest = time.monotonic() + _BREAKING_OFF
        while (now := time.monotonic()) < (until := min(self._quiet_at(began), latest)):
            time.sleep(until - now)
        with self._closing:
            self._closed = True
            self._events.expect()
            self._core.shutdown(self._events.queue, _SHUTDOWN)
        self._thread.join(_BREAKING_OFF)
        self._core.cancel_all_calls()
        self._thread.join()
        # Here, and not where the thread ends: that may be before the core has come back from its shutdown above.
        self._core.destroy()

    def _quiet_at(self, began: float) -> float:
        """When no call has come for so long that none will: where some came after ``began``, others may be late on a busy machine."""
        last = self._last_came
        if last > began:
            return last + _BUSY
        return began + _QUIET if last + _BREAKING_OFF > began else began

    def _await_call(self) -> None:
        with self._closing:
            if not self._closed:
                self._events.expect()
                self._core.request_call(self._events.queue, self._events.queue, self._came)

    def _came(self, event: _Event) -> None:
        if not event.success:
            return  # no call: the server is being stopped
        self._await_call()
        call = ServerCall(event, self._events, self._ended)
        self._last_came = time.monotonic()
        if self._stopping.is_set():
            call.finish(*STOPPING)
        else:
            self._open[call] = None
            call.read(self._accept)

    def _ended(self, call: ServerCall) -> None:
        self._open.pop(call, None)
        if self._stopping.is_set() and not self._open:
            self._finished.set()

    def _run(self) -> None:
        left, shut = 1, False
        while left or not shut:
            event = self._events.queue.poll()
            if event.tag is _SHUTDOWN:
                shut = True
            else:
                try:
                    event.tag(event)
                except Exception:
                    _log.exception("a call failed")
            left = self._events.expect(-1)
            del event  # it may hold the last reference to its call, which the next poll would wait for
