"""Streams that are cut, wherever that is: no row is lost or comes twice, and no more are asked for than are expected."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import grpc
import pytest
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from random_streams import asked, chunks_of, framed, random_rows
from scripted import fail, message, scripted
from simple_fast import fast

from btmodel import AsyncDatabase, Database
from btmodel.client.row_streams import Row
from btmodel.client.target import Target
from btmodel.rows import RAW, Cell, ReadPlan, RowDecoder, RowRange

ROWS = random_rows(Random(7), 6)
CHUNKS = list(chunks_of(ROWS, Random(7)))
EVERY = [chunk for chunks in CHUNKS for chunk in chunks]
FAST: RowDecoder[list[Cell]] = RowDecoder(RAW.strict, fast)
SPANS = (RowRange(b"", ROWS[2][0] + b"\0"), RowRange.of_key(ROWS[3][0]), RowRange(ROWS[3][0] + b"\0", b""))


class Cutting:
    """A service that breaks off its first answer behind ``cut`` chunks, and sends what is asked for then."""

    def __init__(self) -> None:
        self.cut = 0
        self.alone = False  # whether each chunk is a message
        self.requests: list[ReadRowsRequest] = []

    def __call__(self, request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        """One answer."""
        self.requests.append(request)
        if len(self.requests) > 1:
            rows = asked(ROWS, request)
            yield from framed(list(chunks_of(rows, Random(self.cut))), Random(self.cut), within=True)
            return
        sent = EVERY[: self.cut]
        yield from [message(one) for one in sent] if self.alone else [message(*sent)]
        fail(call, (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED)[self.cut % 2])


def cuts(service: Cutting) -> Iterator[None]:
    """The service with each cut, in both framings."""
    for service.alone in (True, False):
        for service.cut in range(len(EVERY) + 1):
            service.requests = []
            yield


def check(service: Cutting, plan: ReadPlan, found: list[Row]) -> None:
    """What must hold of each read."""
    assert found == ROWS[: plan.limit], (service.cut, service.alone)
    whole = sum(chunk.get("commit_row", False) for chunk in EVERY[: service.cut])
    if len(service.requests) == 1:
        assert plan.limit == whole
        return
    _, second = service.requests
    assert second.rows_limit == (plan.limit - whole if plan.limit else 0)
    if whole:
        assert asked(ROWS, second) == ROWS[whole : plan.limit]


PLANS = [
    ReadPlan("T", (RowRange(b"", b""),), None),
    ReadPlan("T", SPANS, None),
    ReadPlan("T", (RowRange(b"", b""),), None, limit=len(ROWS)),
]


@pytest.mark.parametrize("plan", PLANS, ids=["all", "ranges", "limited"])
@pytest.mark.parametrize("decoder", [RAW, FAST], ids=["strict", "fast"])
def test_a_stream_cut_at_any_chunk(plan: ReadPlan, decoder: RowDecoder[list[Cell]]) -> None:
    """The rest is asked for behind the last row that was whole, and all rows come once."""
    service = Cutting()
    with scripted(service) as (target, _), Database(target) as db:
        for _ in cuts(service):
            batches = db.read_batches(plan, decoder)
            check(service, plan, [row for one in batches for row in zip(one.keys, one.rows, strict=True)])


@pytest.mark.parametrize("plan", PLANS, ids=["all", "ranges", "limited"])
def test_the_same_with_await(plan: ReadPlan) -> None:
    """A read that is awaited goes on in the same way."""
    service = Cutting()

    async def main(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            for _ in cuts(service):
                check(service, plan, [row async for row in db.read(plan)])

    with scripted(service) as (target, _):
        asyncio.run(main(target))


@pytest.mark.parametrize("limit", [None, 1, 2, len(ROWS)])
def test_a_stream_that_is_cut_again_and_again(limit: int | None) -> None:
    """However few rows each answer brings, the read ends with all of them."""
    plan = ReadPlan("T", (RowRange(b"", b""),), None, limit=limit)

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        rows = asked(ROWS, request)
        chunks = list(chunks_of(rows[:2], Random(3)))
        yield message(*(chunk for one in chunks[:1] for chunk in one))
        yield message(*(chunk for one in chunks[1:] for chunk in one[:-1]))
        if len(rows) > 1:
            fail(call)

    with scripted(answer) as (target, requests), Database(target) as db:
        if limit is None or limit > 1:
            assert list(db.read(plan)) == ROWS[:limit]
            assert len(requests) >= len(ROWS[:limit])
        else:
            assert list(db.read(plan)) == ROWS[:1]
