"""Plain reads take the next messages while the rows of the last one are used, though not all of them."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from scripted import message, row, scripted

from btmodel import AsyncDatabase, Database
from btmodel.rows import ReadPlan, RowRange

ALL = ReadPlan("T", (RowRange(b"", b""),), None)
MESSAGES = 200


class Counting:
    """A service that sends messages of a row each, as fast as they are taken, and counts them."""

    def __init__(self, size: int) -> None:
        self.size, self.sent = size, 0

    def __call__(self, request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        """One answer."""
        for number in range(MESSAGES):
            yield message(row(b"%03d" % number, b"v" * self.size))
            self.sent = number + 1

    def wait(self) -> int:
        """How many were sent, once they are so many or no more come."""
        until = time.monotonic() + 3
        while self.sent < MESSAGES and time.monotonic() < until:
            time.sleep(0.05)
        return self.sent


# Small messages come ahead; of large ones no more than the connection's window holds.
every_size = pytest.mark.parametrize(("size", "least", "most"), [(100, 20, MESSAGES), (1_000_000, 1, 20)])


@every_size
def test_messages_come_while_rows_are_used(size: int, least: int, most: int) -> None:
    """Whoever works on a row for a while finds the next ones there, and memory does not grow with the table."""
    service = Counting(size)
    with scripted(service) as (target, _), Database(target) as db:
        rows = iter(db.read(ALL))
        next(rows)
        assert least < service.wait() <= most
        assert sum(1 for _ in rows) == MESSAGES - 1


@every_size
def test_messages_come_while_rows_are_awaited(size: int, least: int, most: int) -> None:
    """The same of asynchronous reads."""
    service = Counting(size)

    async def main(target: Any) -> tuple[int, int]:
        async with AsyncDatabase(target) as db:
            rows = db.read(ALL)
            await anext(rows)
            sent = await asyncio.to_thread(service.wait)
            return sent, len([one async for one in rows])

    with scripted(service) as (target, _):
        sent, left = asyncio.run(main(target))
    assert least < sent <= most
    assert left == MESSAGES - 1
