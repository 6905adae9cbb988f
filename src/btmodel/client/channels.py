"""Channels: how gRPC is told to carry messages."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import grpc
from grpc.aio import EOF

Options = tuple[tuple[str, int], ...]

# A row may be larger than the 4 MiB that gRPC takes at once; the data client lifts that for the service alone.
UNLIMITED: Options = (("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1))
# Streams are read by the thread that wants their messages, and not by one of gRPC's for each call, which hands
# every message over. An experiment of gRPC's for Python, of 2019, so it is tried before it is used.
SINGLE_THREADED: Options = (("SingleThreadedUnaryStream", 1),)

_PATIENCE = 5.0  # seconds, on this machine
_MESSAGES = [b"one", b"two", b"three"]


@cache
def fast_streams() -> Options:
    """The options of a blocking channel whose streams are fast; none where they do not work here.

    Tried once in a process, against a server in it: messages come in order, the end and its reason
    behind them, and a stream can be left early, with nothing of it kept.
    """
    return SINGLE_THREADED if _works(SINGLE_THREADED) else ()


def fast_streams_async() -> Options:
    """The same for an asynchronous channel, whose streams know no such option: one thread reads them all."""
    return ()


def next_message(call: Any) -> bytes | None:
    """The next message of a stream of a blocking channel; None at its end."""
    return next(call, None)


async def next_message_async(call: Any) -> bytes | None:
    """The same for a stream that is awaited."""
    # To iterate over the call would be a generator more, and the event loop a task to close it where it is left.
    message = await call.read()
    return None if message is EOF else message


def leave(call: Any) -> None:
    """End the request of a stream of a blocking channel, if it has not ended."""
    call.cancel()
    # What belongs to a call is kept until its last events were taken. Of a plain channel a thread does that; here
    # nobody would, and each stream that was left early cost 20 KB for as long as the process lives.
    take = getattr(call, "_consume_next_event", None)
    if take is not None:
        while call._state.due:
            take()


def leave_async(call: Any) -> None:
    """The same for a stream that is awaited."""
    call.cancel()


def _works(options: Options) -> bool:
    with ThreadPoolExecutor(1) as threads:
        server = grpc.server(threads, handlers=[_Trial()])
        try:
            port = server.add_insecure_port("127.0.0.1:0")
            server.start()
            with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
                return _read_to_the_end(channel) and _left_early(channel)
        except Exception:
            return False  # whatever it is: without these options all is well
        finally:
            server.stop(_PATIENCE).wait()  # at once, gRPC would tell the world of the call that was left


def _read_to_the_end(channel: Any) -> bool:
    came: list[bytes] = []
    try:
        for message in channel.unary_stream("/trial/end")(b"", timeout=_PATIENCE):
            came.append(message)
    except grpc.RpcError as error:
        call: Any = error
        return came == _MESSAGES and call.code() is grpc.StatusCode.ABORTED and call.details() == "as tried"
    return False


def _left_early(channel: Any) -> bool:
    call = channel.unary_stream("/trial/wait")(b"", timeout=_PATIENCE)
    first = next(call)
    leave(call)
    if call._state.due:  # without this name it would not be known that nothing stays
        return False
    try:
        next(call)
    except grpc.RpcError:
        return bool(first == _MESSAGES[0] and call.code() is grpc.StatusCode.CANCELLED)
    return False


class _Trial(grpc.GenericRpcHandler):
    """A service that sends three messages, and then an error, or nothing until it is left."""

    def service(self, handler_call_details: Any) -> Any:
        waits = handler_call_details.method.endswith("wait")
        return grpc.unary_stream_rpc_method_handler(self._wait if waits else self._end)

    def _end(self, request: bytes, call: Any) -> Iterator[bytes]:
        yield from _MESSAGES
        call.abort(grpc.StatusCode.ABORTED, "as tried")

    def _wait(self, request: bytes, call: Any) -> Iterator[bytes]:
        left = threading.Event()
        call.add_callback(left.set)
        yield _MESSAGES[0]
        left.wait(_PATIENCE)
