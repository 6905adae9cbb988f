"""Channels to a server, and what is known of the one behind them."""

import logging
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
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


def served_at(client: Any, host: str | None, options: Options = ()) -> Any:
    """The client class ``client`` for a server at ``host``, or for the service, whatever the environment says.

    The client looks for an emulator in the environment alone. That is the whole
    process's: to change it while one client is made would mislead another, made by
    another thread. So the attribute that holds what was found is fixed instead.

    Its channels, those that it exchanges old ones for among them, get ``options``, too.
    """
    if host is not None:
        warnings.filterwarnings("ignore", message="Connecting to Bigtable emulator")
        # The client measures nothing on an emulator, and logs that it cannot.
        logging.getLogger("google.cloud.bigtable.data._metrics.data_model").setLevel(logging.ERROR)

    kind: Any

    def channel(self: Any, *args: Any, **settings: Any) -> Any:
        settings["options"] = [*settings.get("options", ()), *options]
        made = super(kind, self)._build_grpc_channel(*args, **settings)
        # To a server on this machine the client makes a channel without any options.
        return made if host is None else _plain_channel(made, host, options)

    found = property(lambda self: host, lambda self, value: None)
    kind = type(client.__name__, (client,), {"_emulator_host": found, "_build_grpc_channel": channel})
    return kind


def _plain_channel(made: Any, host: str, options: Options) -> Any:
    """A channel of the kind of ``made``, which is exchanged in the same way, with options."""
    if not hasattr(made, "swap_channel"):
        return made  # an older client's
    wrapped: Any = type(made)
    if isinstance(made, grpc.aio.Channel):
        return wrapped(partial(grpc.aio.insecure_channel, host, [*UNLIMITED, *options]))
    made.close()
    return wrapped(partial(grpc.insecure_channel, host, [*UNLIMITED, *options]))
