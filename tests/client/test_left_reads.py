"""Reads that are left early or cancelled: nothing of them stays, here or at the server."""

import asyncio
import gc
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from left_tasks import none_but
from scripted import fail, message, row, scripted

from btmodel import AsyncDatabase, Database
from btmodel.client.target import Target
from btmodel.rows import RangeOrder, ReadPlan, RowRange

ALL = ReadPlan("T", (RowRange(b"", b""),), None)
PARTS = tuple(RowRange(bytes([lead]), bytes([lead + 1])) for lead in b"abc")
PLANS = [
    ALL,
    ReadPlan("T", PARTS, None, joined=RangeOrder.IN_TURN),
    ReadPlan("T", PARTS, None, None, RangeOrder.MERGED, (1,) * 3),
]
in_every_order = pytest.mark.parametrize("plan", PLANS, ids=["one", "in turn", "merged"])


class Waiting:
    """A service that sends one row for each request, and then nothing; it counts the requests that are open."""

    def __init__(self) -> None:
        self.asked = self.open = 0
        self._lock = threading.Lock()

    def __call__(self, request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        """One answer."""
        with self._lock:
            self.asked += 1
            self.open += 1
        ended = threading.Event()

        def end() -> None:
            with self._lock:
                self.open -= 1
            ended.set()

        if not call.add_callback(end):
            end()
        ranges = request.rows.row_ranges
        yield message(row((ranges[0].start_key_closed if ranges else b"") + b"1"))
        ended.wait(20)

    def left(self) -> bool:
        """Whether every request has ended, within a second."""
        until = time.monotonic() + 1
        while self.open and time.monotonic() < until:
            time.sleep(0.01)
        return not self.open


@in_every_order
def test_a_stream_closed_early(plan: ReadPlan) -> None:
    """Closing a stream ends its requests at the server, and so does letting go of it."""
    service = Waiting()
    with scripted(service) as (target, _), Database(target) as db:
        rows = db.read(plan)
        next(rows)
        assert service.open
        rows.close()
        assert service.left()
        rows = db.read(plan)
        next(rows)
        del rows
        gc.collect()
        assert service.left()
        assert service.asked >= 2


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells it there")
def test_streams_closed_early_keep_no_memory() -> None:
    """gRPC keeps what belongs to a call until its last event was taken, so they must be taken."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield message(row(b"a"))
        yield message(row(b"b"))

    with scripted(answer) as (target, requests), Database(target) as db:
        for turn in range(1_100):
            rows = db.read(ALL)
            next(rows)
            rows.close()
            requests.clear()
            if turn == 100:
                before = resident()
        # 20 MB, where they are kept.
        assert resident() - before < 8_000_000


@in_every_order
@pytest.mark.parametrize("way", ["closed", "cancelled"])
def test_a_stream_that_is_awaited(plan: ReadPlan, way: str) -> None:
    """The same of one that is awaited, and of a task that is cancelled: no task and no request stays."""
    service = Waiting()

    async def reader(db: AsyncDatabase, came: asyncio.Event) -> None:
        async for _ in db.read(plan):
            came.set()

    async def main(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            before = asyncio.all_tasks()
            if way == "closed":
                rows = db.read(plan)
                await anext(rows)
                await rows.aclose()
            else:
                came = asyncio.Event()
                task = asyncio.create_task(reader(db, came))
                await came.wait()
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                assert task.cancelled()
            await none_but(before)
            assert await asyncio.to_thread(service.left)

    with scripted(service) as (target, _):
        asyncio.run(main(target))


def test_a_task_cancelled_while_it_waits_to_ask_again() -> None:
    """A read that pauses before it asks again ends at once, too."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        fail(call)
        yield message()

    async def main(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            task = asyncio.create_task(anext(db.read(ALL)))
            async with asyncio.timeout(10):
                while len(requests) < 2:
                    await asyncio.sleep(0.01)
            before = asyncio.all_tasks() - {task}
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await none_but(before)

    with scripted(answer) as (target, requests):
        asyncio.run(main(target))
