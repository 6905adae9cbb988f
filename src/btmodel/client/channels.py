"""Channels to a server, and Google's clients on them."""

import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from typing import Any, Self

import google.auth
import grpc
from google.api_core.client_options import from_dict
from google.auth import impersonated_credentials
from google.auth.exceptions import GoogleAuthError
from grpc.aio import EOF

from btmodel.client.options import Options
from btmodel.client.target import Target
from btmodel.errors import SettingsError

Setup = tuple[tuple[str, int | str], ...]  # settings of gRPC by their names

# A row may be larger than the 4 MiB that gRPC takes at once; the data client lifts that for the service alone.
UNLIMITED: Setup = (("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1))
# Streams are read by the thread that wants their messages, and not by one of gRPC's for each call, which hands
# every message over. An experiment of gRPC's for Python, of 2019, so it is tried before it is used.
SINGLE_THREADED: Setup = (("SingleThreadedUnaryStream", 1),)

# By itself gRPC looks for a server that has gone away every two minutes in the end, which would make an outage longer.
_AGAIN: Setup = (("grpc.max_reconnect_backoff_ms", 5_000),)
# One on this machine that was killed is back in less than the second after which gRPC would look first.
_SOON: Setup = (("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 1_000))

_PATIENCE = 5.0  # seconds, on this machine
_MESSAGES = [b"one", b"two", b"three"]
_TAKES = "_consume_next_event"  # of a call whose stream is read by the thread that wants its messages
_BROKEN = "_broken_by_a_signal"  # set on such a call


@cache
def fast_streams() -> Setup:
    """The options of a blocking channel whose streams are fast; none where they do not work here.

    Tried once in a process, against a server in it: messages come in order, the end and its reason
    behind them, and a stream can be left early, with nothing of it kept.
    """
    return SINGLE_THREADED if _works(SINGLE_THREADED) else ()


def fast_streams_async() -> Setup:
    """The same for an asynchronous channel, whose streams know no such option: one thread reads them all."""
    return ()


def next_message(call: Any) -> bytes | None:
    """The next message of a stream of a blocking channel; None at its end."""
    try:
        return next(call, None)
    except grpc.RpcError:
        raise
    except BaseException:
        # The handler of a signal raised it, such as that of Ctrl-C: gRPC may have lost an event of the call, or not begun an operation.
        if hasattr(call, _TAKES):
            setattr(call, _BROKEN, True)
        raise


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
    # A call that a signal broke is not worth the wait for an event that may never come.
    take = getattr(call, _TAKES, None)
    if take is not None and not getattr(call, _BROKEN, False):
        while call._state.due:
            take()


def leave_async(call: Any) -> None:
    """The same for a stream that is awaited."""
    call.cancel()


def _works(options: Setup) -> bool:
    with ThreadPoolExecutor(1) as threads:
        server = grpc.server(threads, handlers=[_TrialService()])
        try:
            port = server.add_insecure_port("127.0.0.1:0")
            server.start()
            with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
                return _read_to_the_end(channel) and _left_early(channel)
        except Exception:
            return False  # whatever it is: without these options all is well
        finally:
            server.stop(_PATIENCE).wait()  # at once, gRPC would log the call that was left


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


class _TrialService(grpc.GenericRpcHandler):
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


def data_client(kind: Any, target: Target, options: Options, fast: Callable[[], Setup]) -> Any:
    """A data client of the class ``kind`` for ``target``.

    ``fast`` gives the settings of channels that btmodel's own reads are fast with. Raises :class:`SettingsError`, and
    an error of google.auth where there are no credentials.
    """
    setup = (*channel_setup(options), *(fast() if options.data_plane == "btmodel" else ()))
    served = served_at(kind, target, setup, options.pool_size)
    if target.host is not None:
        return served(project=target.project)
    settings = google_settings(options, options.endpoint)
    try:
        return served(project=target.project, **settings)
    except ValueError as error:  # credentials of another universe domain, say
        raise SettingsError(f"cannot connect to {target}: {error}") from error


def channel_setup(options: Options) -> Setup:
    """The settings of gRPC for channels with these options."""
    setup: list[tuple[str, int | str]] = []
    if options.user_agent is not None:
        setup.append(("grpc.primary_user_agent", options.user_agent))
    if options.keepalive is not None:
        setup += [
            ("grpc.keepalive_time_ms", int(options.keepalive * 1000)),
            ("grpc.keepalive_timeout_ms", 10_000),
        ]
    if options.pool_size > 1:
        # By default, channels to one server share a single connection.
        setup.append(("grpc.use_local_subchannel_pool", 1))
    return tuple(setup)


_SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]
_IMPERSONATED = 3600  # seconds for which a token is asked


def google_settings(options: Options, endpoint: str | None) -> dict[str, Any]:
    """What Google's clients of the service are made with. Raises :class:`SettingsError` for credentials that cannot be read."""
    given = {
        "api_endpoint": endpoint,
        "universe_domain": options.universe_domain,
        "quota_project_id": options.quota_project,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return {"credentials": credentials_of(options), "client_options": from_dict(chosen)}


def credentials_of(options: Options) -> Any:
    """The credentials that ``options`` name, or None for the Application Default Credentials."""
    given: Any = options.credentials
    named = given is None or isinstance(given, str | Path)
    if options.quota_project and not named and not hasattr(given, "with_quota_project"):
        raise SettingsError(
            f"quota_project: these credentials take none ({type(given).__name__} has no with_quota_project): "
            "leave it out, or make the credentials with it"
        )
    if isinstance(given, str | Path):
        try:
            with warnings.catch_warnings():
                # Of files that come from others: this one is named by the user.
                warnings.simplefilter("ignore", DeprecationWarning)
                given, _ = google.auth.load_credentials_from_file(str(given), scopes=_SCOPES)  # type: ignore[no-untyped-call]
        except (GoogleAuthError, OSError, ValueError) as error:
            raise SettingsError(f"credentials: cannot read {str(options.credentials)!r}: {error}") from error
    if options.impersonate is None:
        return given
    if given is None:
        try:
            given, _ = google.auth.default(scopes=_SCOPES)
        except GoogleAuthError as error:
            raise SettingsError(f"impersonate: no credentials to do it with: {error}") from error
    return impersonated_credentials.Credentials(  # type: ignore[no-untyped-call]
        given, options.impersonate, _SCOPES, lifetime=_IMPERSONATED
    )


def served_at(client: Any, target: Target, setup: Setup = (), size: int = 1) -> Any:
    """The client class ``client`` for the server of ``target``, or for the service, whatever the environment says.

    The client looks for an emulator in the environment alone. That is the whole
    process's: to change it while one client is made would mislead another, made by
    another thread. So the attribute that holds what was found is fixed instead.

    Its channels, and those that it exchanges old ones for, are set up with ``setup``; calls take turns on ``size``
    of them.
    """
    host = target.host
    if host is not None:
        warnings.filterwarnings("ignore", message="Connecting to Bigtable emulator")
        # The client measures nothing on an emulator, and logs that it cannot.
        logging.getLogger("google.cloud.bigtable.data._metrics.data_model").setLevel(logging.ERROR)

    kind: Any

    def channel(self: Any, *args: Any, **settings: Any) -> Any:
        settings["options"] = [*settings.get("options", ()), *_AGAIN, *setup]
        made = super(kind, self)._build_grpc_channel(*args, **settings)
        if host is None and size == 1:
            return made
        awaited = isinstance(made, grpc.aio.Channel)
        if not awaited:
            made.close()
        wrapped: Any = type(made)
        if host is None:
            create = made.create_channel
            return wrapped(lambda: _chosen(lambda: None, lambda _: create(), size, awaited=awaited))
        # To a server on this machine the client makes a channel without any settings.
        return wrapped(partial(channel_to, target, setup, size, awaited=awaited))

    found = property(lambda self: host, lambda self, value: None)
    kind = type(client.__name__, (client,), {"_emulator_host": found, "_build_grpc_channel": channel})
    return kind


def channel_to(target: Target, setup: Setup, size: int = 1, *, awaited: bool = False) -> Any:
    """A channel to the server of ``target`` on this machine; calls take turns on ``size``.

    Where another server may take its place, each call goes to the one that serves ``target`` then.
    """
    plain: Any = grpc.aio.insecure_channel if awaited else grpc.insecure_channel
    settings = [*UNLIMITED, *_SOON, *setup]
    if size == 1 and target.use is None:
        return plain(target.host, settings)
    return _chosen(lambda: target.address, lambda address: plain(address, settings), size, awaited=awaited)


def _chosen(address: Callable[[], Any], create: Callable[[Any], Any], size: int, *, awaited: bool) -> Any:
    return (_AsyncChosen if awaited else _InTurn)(_Turns(address, create, size))


class _Turns:
    """The channels to an address, ``size`` of them, of which each call gets the next.

    Where the address is another one by now, others are made; the old ones stay open for calls that are under way.
    """

    def __init__(self, address: Callable[[], Any], create: Callable[[Any], Any], size: int) -> None:
        self._address, self._create, self._size = address, create, size
        self._turns: dict[Any, Iterator[Any]] = {}
        self._lock = threading.Lock()
        self.opened: list[Any] = []
        self.next()

    def next(self) -> Any:
        """The channel for one call."""
        address = self._address()
        turns = self._turns.get(address)
        return next(self._open(address) if turns is None else turns)

    def _open(self, address: Any) -> Iterator[Any]:
        with self._lock:
            if address not in self._turns:
                channels = [self._create(address) for _ in range(self._size)]
                self.opened += channels
                self._turns[address] = cycle(channels)
            return self._turns[address]


class _Late:
    """A method of a channel that is chosen when it is called: ``find`` gives the method of that channel."""

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find

    def __call__(self, *request: Any, **settings: Any) -> Any:
        return self._find()(*request, **settings)

    def with_call(self, *request: Any, **settings: Any) -> Any:
        return self._find().with_call(*request, **settings)

    def future(self, *request: Any, **settings: Any) -> Any:
        return self._find().future(*request, **settings)


# Google's clients decide by these classes what a method returns.
class _LateUnary(_Late, grpc.UnaryUnaryMultiCallable):  # type: ignore[type-arg]
    pass


class _LateStream(_Late, grpc.UnaryStreamMultiCallable):  # type: ignore[type-arg]
    pass


class _AsyncLateUnary(_Late, grpc.aio.UnaryUnaryMultiCallable):  # type: ignore[type-arg]
    pass


class _AsyncLateStream(_Late, grpc.aio.UnaryStreamMultiCallable):  # type: ignore[type-arg]
    pass


class _InTurn(grpc.Channel):
    """A channel of which each call goes over the one that has its turn."""

    def __init__(self, turns: _Turns) -> None:
        self._turns = turns

    def unary_unary(self, *args: Any, **settings: Any) -> Any:
        return _LateUnary(lambda: self._turns.next().unary_unary(*args, **settings))

    def unary_stream(self, *args: Any, **settings: Any) -> Any:
        return _LateStream(lambda: self._turns.next().unary_stream(*args, **settings))

    def stream_unary(self, *args: Any, **settings: Any) -> Any:
        return self._turns.next().stream_unary(*args, **settings)

    def stream_stream(self, *args: Any, **settings: Any) -> Any:
        return self._turns.next().stream_stream(*args, **settings)

    def subscribe(self, callback: Any, try_to_connect: bool | None = False) -> None:
        self._turns.opened[0].subscribe(callback, try_to_connect)

    def unsubscribe(self, callback: Any) -> None:
        self._turns.opened[0].unsubscribe(callback)

    def close(self) -> None:
        for channel in self._turns.opened:
            channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _AsyncChosen(grpc.aio.Channel):
    """The same for asyncio."""

    def __init__(self, turns: _Turns) -> None:
        self._turns = turns
        # Google's transport adds to these lists of its channel, or puts others in their place.
        self._unary_unary_interceptors: list[Any] = []
        self._unary_stream_interceptors: list[Any] = []
        self._stream_unary_interceptors: list[Any] = []
        self._stream_stream_interceptors: list[Any] = []

    def unary_unary(self, *args: Any, **settings: Any) -> Any:
        return _AsyncLateUnary(lambda: self._next().unary_unary(*args, **settings))

    def unary_stream(self, *args: Any, **settings: Any) -> Any:
        return _AsyncLateStream(lambda: self._next().unary_stream(*args, **settings))

    def stream_unary(self, *args: Any, **settings: Any) -> Any:
        return self._next().stream_unary(*args, **settings)

    def stream_stream(self, *args: Any, **settings: Any) -> Any:
        return self._next().stream_stream(*args, **settings)

    def _next(self) -> Any:
        channel = self._turns.next()
        channel._unary_unary_interceptors = self._unary_unary_interceptors
        channel._unary_stream_interceptors = self._unary_stream_interceptors
        return channel

    async def close(self, grace: float | None = None) -> None:
        for channel in self._turns.opened:
            await channel.close(grace)

    def get_state(self, try_to_connect: bool = False) -> Any:
        return self._turns.opened[0].get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: Any) -> None:
        await self._turns.opened[0].wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        for channel in self._turns.opened:
            await channel.channel_ready()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
