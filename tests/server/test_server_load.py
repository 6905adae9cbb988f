"""Many calls at once: bursts, calls that never send their request, open streams, and what they cost."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from server_api import METHODS, SUM, Api, set_cell

from btmodel.server import RunningServer, start

BURST = 4_000
STREAMS = 300


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, str]]:
    """A server of a file with a table of 20 MB, which no connection takes in before somebody reads it."""
    with start(tmp_path_factory.mktemp("large") / "dev.db") as running:
        api = Api(running.host)
        table = api.table()
        for first in range(0, 2_000, 200):
            entries = [
                {"row_key": b"r%06d" % number, "mutations": [set_cell("cf:q", b"x" * 10_000)]}
                for number in range(first, first + 200)
            ]
            api("MutateRows", table_name=table, entries=entries)
        api.close()
        yield running, table


def request(method: str, **fields: Any) -> bytes:
    """A serialized request."""
    serialized: bytes = METHODS[method].request(**fields).SerializeToString()
    return serialized


def with_channel(address: str, work: Callable[[grpc.aio.Channel], Awaitable[None]]) -> None:
    """Run something with one asynchronous channel."""

    async def main() -> None:
        options = [("grpc.max_receive_message_length", -1)]
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            await work(channel)

    asyncio.run(main())


def test_a_burst_is_answered(api: Api) -> None:
    """Thousands of calls that one channel sends without waiting for any must all be answered."""
    table = api.table(families={"cf": {}, **SUM})
    add = {
        "family_name": "s",
        "column_qualifier": {"raw_value": b"n"},
        "timestamp": {"raw_timestamp_micros": 1000},
        "input": {"int_value": 1},
    }
    write = request("MutateRow", table_name=table, row_key=b"k", mutations=[{"add_to_cell": add}])
    read = request("ReadRows", table_name=table)

    async def work(channel: grpc.aio.Channel) -> None:
        adds = channel.unary_unary(METHODS["MutateRow"].path)
        reads = channel.unary_stream(METHODS["ReadRows"].path)
        await asyncio.gather(
            *(adds(write) for _ in range(BURST)), *(reads(read).read() for _ in range(BURST // 4))
        )

    with_channel(api.address, work)
    ((_, ((_, _, total),)),) = api.rows(table)
    assert int.from_bytes(total) == BURST


@pytest.mark.parametrize("method", ["MutateRow", "ReadRows", "CreateTable"])
def test_calls_without_a_request_are_in_nobodys_way(api: Api, method: str) -> None:
    """Calls that were opened and whose request never comes must not keep another from being answered."""
    table = api.table()

    async def work(channel: grpc.aio.Channel) -> None:
        path = METHODS[method].path
        opened = [channel.stream_stream(path)() for _ in range(STREAMS)]
        tasks = [asyncio.ensure_future(call.read()) for call in opened]
        await asyncio.sleep(0)
        write = request("MutateRow", table_name=table, row_key=b"k", mutations=[set_cell("cf:q")])
        await channel.unary_unary(METHODS["MutateRow"].path)(write, timeout=20)
        assert not any(task.done() for task in tasks)
        for call in opened:
            call.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    with_channel(api.address, work)
    assert api.keys(table) == [b"k"]


def test_a_call_that_ends_without_a_request_is_refused(api: Api) -> None:
    """A call that is closed before its request came must be answered in a sentence."""

    async def work(channel: grpc.aio.Channel) -> None:
        call = channel.stream_unary(METHODS["MutateRow"].path)()
        await call.done_writing()
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.value.details() == "The call ended before its request came"

    with_channel(api.address, work)


def test_open_streams_hold_no_threads_and_little_memory(large: tuple[RunningServer, str]) -> None:
    """Hundreds of scans that nobody goes on to read must take neither a thread nor a descriptor each, little
    memory, and give that back when they end, while others are answered.
    """
    running, table = large
    before = _resident(running.pid)
    threads, files = _count(running.pid, "task"), _count(running.pid, "fd")

    async def work(channel: grpc.aio.Channel) -> None:
        scan = channel.unary_stream(METHODS["ReadRows"].path)
        calls = [scan(request("ReadRows", table_name=table)) for _ in range(STREAMS)]
        assert all(await asyncio.gather(*(call.read() for call in calls)))
        assert _count(running.pid, "task") < threads + 10
        assert _count(running.pid, "fd") < files + 20
        assert _resident(running.pid) - before < 600_000 * STREAMS
        one = request("ReadRows", table_name=table, rows_limit=1)
        assert await scan(one).read()
        for call in calls:
            call.cancel()

    with_channel(running.host, work)
    _await(lambda: _resident(running.pid) - before < 30_000_000)


def test_parallel_scans_take_little_memory(large: tuple[RunningServer, str]) -> None:
    """Fifty scans at once must be read whole, with bounded memory that is given back."""
    running, table = large
    before = _resident(running.pid)
    most = 0

    async def work(channel: grpc.aio.Channel) -> None:
        async def read() -> int:
            nonlocal most
            size = 0
            async for message in channel.unary_stream(METHODS["ReadRows"].path)(wanted):
                size += len(message)
                most = max(most, _resident(running.pid))
            return size

        wanted = request("ReadRows", table_name=table)
        sizes = await asyncio.gather(*(read() for _ in range(50)))
        assert len(set(sizes)) == 1 and sizes[0] > 20_000_000

    with_channel(running.host, work)
    assert most - before < 100_000_000
    _await(lambda: _resident(running.pid) - before < 30_000_000)


def test_a_refused_write_does_not_touch_the_others(api: Api) -> None:
    """Of many writes that are under way at once, each must be kept or refused for itself."""
    table = api.table()

    async def work(channel: grpc.aio.Channel) -> None:
        call = channel.unary_unary(METHODS["MutateRow"].path)
        families = itertools.cycle(["cf", "cf", "unknown"])
        writes = [
            call(
                request(
                    "MutateRow",
                    table_name=table,
                    row_key=b"%03d" % n,
                    mutations=[set_cell(f"{next(families)}:q")],
                )
            )
            for n in range(300)
        ]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        refused = [number for number, outcome in enumerate(outcomes) if isinstance(outcome, Exception)]
        assert refused == list(range(2, 300, 3))

    with_channel(api.address, work)
    assert api.keys(table) == [b"%03d" % n for n in range(300) if n % 3 != 2]


def _await(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 15
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert true()


def _resident(pid: int) -> int:
    """The memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096


def _count(pid: int, what: str) -> int:
    """How many threads (task) or open files (fd) a process has."""
    with contextlib.suppress(FileNotFoundError):
        return len(list(Path(f"/proc/{pid}/{what}").iterdir()))
    raise AssertionError(f"process {pid} has ended")
