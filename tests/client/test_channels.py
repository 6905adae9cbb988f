"""Channels: fast streams are tried before they are used, and nothing depends on them."""

import asyncio
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from bare import Bare
from google.auth.credentials import AnonymousCredentials
from google.cloud.bigtable.data import BigtableDataClient
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from scripted import READ_ROWS, fail, message, row, scripted

from btmodel import AsyncDatabase, Database
from btmodel.client import channels
from btmodel.client.channels import served_at
from btmodel.client.target import Target
from btmodel.rows import Cell, Mutation, ReadPlan, RowRange
from btmodel.schema import Family, KeepAll

ALL = ReadPlan("T", (RowRange(b"", b""),), None)


def says_two(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
    """An answer of two rows."""
    yield message(row(b"a"))
    yield message(row(b"b"))


@pytest.fixture
def tried_anew() -> Iterator[None]:
    """The trial as in a new process."""
    channels.fast_streams.cache_clear()
    yield
    channels.fast_streams.cache_clear()


def test_the_trial_is_passed_here() -> None:
    """With this gRPC, streams on the thread that reads them work."""
    assert channels.fast_streams() == channels.SINGLE_THREADED


class Broken(grpc.Channel):
    """A channel on which streams lose their last message, as an experiment might."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._channel, name)

    def __enter__(self) -> "Broken":
        return self

    def __exit__(self, *raised: object) -> None:
        self._channel.close()

    def unary_stream(self, method: str, *args: Any, **settings: Any) -> Any:
        """A method whose second message is lost."""
        call = self._channel.unary_stream(method)

        def answer(request: bytes, timeout: float) -> Iterator[bytes]:
            for index, one in enumerate(call(request, timeout=timeout)):
                if index != 1:
                    yield one

        return answer


Broken.__abstractmethods__ = frozenset()  # the other methods are the channel's own


@pytest.mark.parametrize("fails", ["a message is lost", "no channel at all"])
def test_a_trial_that_fails(tried_anew: None, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """Then plain channels are used, and rows come all the same."""
    plain = grpc.insecure_channel

    def broken(target: str, options: Any = None) -> Any:
        if fails == "no channel at all":
            raise RuntimeError(fails)
        return Broken(plain(target, options))

    with monkeypatch.context() as patched:
        patched.setattr("btmodel.client.channels.grpc.insecure_channel", broken)
        assert channels.fast_streams() == ()
    with scripted(says_two) as (target, _), Database(target) as db:
        assert [key for key, _ in db.read(ALL)] == [b"a", b"b"]


def test_reads_start_no_threads() -> None:
    """Each stream of gRPC's plain channels starts a thread; none of ours does."""
    with scripted(says_two) as (target, _), Database(target) as db:
        started: list[str] = []
        begin = threading.Thread.start
        list(db.read(ALL))

        def counted(thread: threading.Thread) -> None:
            if "channel_spin" in repr(thread):
                started.append(thread.name)
            begin(thread)

        threading.Thread.start = counted  # type: ignore[method-assign]
        try:
            for _ in range(5):
                list(db.read(ALL))
        finally:
            threading.Thread.start = begin  # type: ignore[method-assign]
        assert not started


def test_the_service_gets_the_option_too() -> None:
    """Channels to the service have it, and so have those that the client exchanges them for."""
    seen: list[Any] = []
    made = grpc.secure_channel

    def noted(target: str, credentials: Any, options: Any = None, **settings: Any) -> Any:
        seen.append(options)
        return made(target, credentials, options, **settings)

    grpc.secure_channel = noted
    try:
        kind = served_at(BigtableDataClient, Target("projects/p/instances/i"), channels.SINGLE_THREADED)
        with kind(
            project="p", credentials=AnonymousCredentials(), _disable_background_refresh=True
        ) as client:
            client.transport.grpc_channel.create_channel().close()
    finally:
        grpc.secure_channel = made
    with_it = [options for options in seen if options and channels.SINGLE_THREADED[0] in options]
    assert len(with_it) == 2
    assert all(channels.UNLIMITED[1] in options for options in with_it)
    # And after an outage they look for the service soon, not within two minutes.
    assert all(("grpc.max_reconnect_backoff_ms", 5_000) in options for options in with_it)


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_rows_larger_than_a_message_of_grpc(bare: Bare) -> None:
    """Values beyond the 4 MiB that gRPC takes at once are read on both planes."""
    db = bare(Family("f", KeepAll()))
    db.write(Mutation("T", b"large", [Cell("f", b"q", 1000, b"v" * 9_000_000)]))
    for plane in ("btmodel", "client"):
        other = Database(db.target, data_plane=plane)  # type: ignore[arg-type]
        [(_, [cell])] = other.read(ALL)
        assert len(cell.value) == 9_000_000


WAITS = """
import signal
import sys
from btmodel import Database
from btmodel.client.target import Target
from btmodel.rows import ReadPlan, RowRange

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
db = Database(Target("projects/p/instances/i", sys.argv[1], lambda: None))
for _ in db.read(ReadPlan("T", (RowRange(b"", b""),), None)):
    print("a row", flush=True)
"""


def test_a_read_ends_at_an_interrupt() -> None:
    """Ctrl-C ends a read that waits for the server, at once and with its request."""
    left = threading.Event()

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        call.add_callback(left.set)
        yield message(row(b"a"))
        left.wait(20)

    with scripted(answer) as (target, _):
        command = [sys.executable, "-c", WAITS, str(target.host)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "a row\n"
            time.sleep(0.3)
            os.kill(reader.pid, signal.SIGINT)
            _, errors = reader.communicate(timeout=10)
        assert "KeyboardInterrupt" in errors
        assert left.wait(5)


class Stopped(Exception):
    """What the handler of a signal may raise."""


@pytest.mark.parametrize("where", ["an event was taken", "an operation is begun"])
@pytest.mark.parametrize("raised", [KeyboardInterrupt, Stopped])
def test_a_signal_within_grpc_ends_the_read(
    monkeypatch: pytest.MonkeyPatch, where: str, raised: type[BaseException]
) -> None:
    """What its handler raises comes out of the read, wherever gRPC was: what it waits for may never come, and is not waited for."""
    internals: Any = importlib.import_module("grpc._channel")
    handle, signalled = internals._handle_event, []

    def interrupted(*given: Any) -> Any:
        if not signalled:
            signalled.append(1)
            raise raised
        return handle(*given)

    def never_begun(call: Any) -> Any:
        call._state.due.add("receive_message")
        raise raised

    def read(db: Database) -> None:
        try:
            list(db.read(ALL))
        except BaseException as error:
            errors.append(error)
        ended.set()

    ended, errors = threading.Event(), list[BaseException]()
    with scripted(*[says_two] * 2) as (target, _), Database(target) as db:
        assert len(list(db.read(ALL))) == 2
        with monkeypatch.context() as patched:
            if where == "an event was taken":
                patched.setattr(internals, "_handle_event", interrupted)
            else:
                patched.setattr(internals._SingleThreadedRendezvous, "_next", never_begun)
            threading.Thread(target=read, args=[db], daemon=True).start()
            assert ended.wait(10)
    [error] = errors
    assert isinstance(error, raised)


def test_an_asynchronous_channel_needs_no_trial(tried_anew: None) -> None:
    """Its streams are all read by one thread as they are."""

    async def main(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            assert [key async for key, _ in db.read(ALL)] == [b"a", b"b"]

    with scripted(says_two) as (target, _):
        asyncio.run(main(target))
    assert channels.fast_streams.cache_info().currsize == 0


class Passing(grpc.aio.UnaryStreamClientInterceptor):
    """As Google's client has one on the channels to the service."""

    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        """The call as it is."""
        return await continuation(client_call_details, request)


@pytest.mark.parametrize("interceptors", [[], [Passing()]], ids=["plain", "intercepted"])
def test_messages_are_awaited_one_by_one(interceptors: list[Passing]) -> None:
    """To the end, or up to where the stream is left, or breaks off."""

    def breaks(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield message(row(b"a"))
        fail(call)

    async def main(host: str) -> None:
        async with grpc.aio.insecure_channel(host, interceptors=interceptors) as channel:
            method: Any = channel.unary_stream(READ_ROWS)
            call = method(b"", timeout=5)
            found = [await channels.next_message_async(call) for _ in range(4)]
            assert [one is None for one in found] == [False, False, True, True]
            call = method(b"", timeout=5)
            assert await channels.next_message_async(call) is not None
            channels.leave_async(call)
            assert await call.code() is grpc.StatusCode.CANCELLED
            call = method(b"", timeout=5)
            assert await channels.next_message_async(call) is not None
            with pytest.raises(grpc.RpcError, match="as scripted"):
                await channels.next_message_async(call)

    with scripted(says_two, says_two, breaks) as (target, _):
        asyncio.run(main(str(target.host)))
