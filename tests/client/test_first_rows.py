"""Reads of the first row alone: as of a stream that is left behind it, whatever comes in between."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from left_tasks import none_but
from scripted import Answer, chunk, fail, message, row, scripted
from simple_fast import fast

from btmodel import AsyncDatabase, Database
from btmodel.client.options import DataPlane
from btmodel.client.target import Target
from btmodel.errors import MissingTable, ServerError
from btmodel.rows import RAW, Cell, RangeOrder, ReadPlan, RowDecoder, RowRange

ALL = ReadPlan("T", (RowRange(b"", b""),), None)
PARTS = tuple(RowRange(lead, lead + b"\xff") for lead in (b"a", b"b"))
KEYS: RowDecoder[bytes] = RowDecoder(lambda key, _: key)


def first(target: Target, plan: ReadPlan = ALL, decoder: RowDecoder[Any] = KEYS) -> Any:
    """The first row, of a connection that blocks."""
    with Database(target) as db:
        return db.read_first(plan, decoder)


def first_async(target: Target, plan: ReadPlan = ALL, decoder: RowDecoder[Any] = KEYS) -> Any:
    """The same of one that is awaited; no task stays."""

    async def main() -> Any:
        async with AsyncDatabase(target) as db:
            before = asyncio.all_tasks()
            try:
                return await db.read_first(plan, decoder)
            finally:
                await none_but(before)

    return asyncio.run(main())


First = Callable[..., Any]
both_ways = pytest.mark.parametrize("way", [first, first_async])


def says(*messages: ReadRowsResponse, breaks: bool = False) -> Answer:
    """An answer of these messages, which then ``breaks`` off."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield from messages
        if breaks:
            fail(call)

    return answer


@both_ways
def test_the_first_row(way: First) -> None:
    """One row is asked for; of a message with more, which none may be, the first is given."""
    with scripted(says(message(row(b"a"), row(b"b")))) as (target, requests):
        assert way(target) == b"a"
        assert way(target, decoder=RowDecoder(RAW.strict, fast)) == [Cell("f", b"q", 1000, b"v")]
        assert [one.rows_limit for one in requests] == [1, 1]


@both_ways
@pytest.mark.parametrize("messages", [(), (message(scanned=b"x"),)], ids=["nothing", "scanned"])
def test_no_row(way: First, messages: tuple[ReadRowsResponse, ...]) -> None:
    """None is what there is, also where nothing can match, and nothing is asked."""
    with scripted(says(*messages)) as (target, requests):
        assert way(target) is None
        assert way(target, ReadPlan("T", (), None)) is None
        assert way(target, ReadPlan("T", (RowRange(b"b", b"a"),), None)) is None
        assert len(requests) == 1


@both_ways
def test_a_row_in_several_messages(way: First) -> None:
    """It is whole when its last chunk has come."""
    parts = message(chunk(b"a", "f:q", b"1", timestamp_micros=1)), message(chunk(value=b"2", commit_row=True))
    with scripted(says(*parts)) as (target, _):
        assert [cell.value for cell in way(target, decoder=RAW)] == [b"1", b"2"]


@both_ways
def test_an_answer_that_breaks_off_is_asked_for_again(way: First) -> None:
    """In front of the row or inside of it, and behind the key up to which the server has looked."""
    answers = (
        says(breaks=True),
        says(message(scanned=b"k"), breaks=True),
        says(message(chunk(b"x", "f:q", b"1"))),
        says(message(row(b"x")), breaks=True),
    )
    with scripted(*answers) as (target, requests):
        assert way(target) == b"x"
        starts = [one.rows.row_ranges[0].start_key_closed for one in requests]
        assert starts == [b"", b"", b"k\0", b"k\0"]


@both_ways
def test_what_ends_it(way: First) -> None:
    """An answer that is not valid, one that refuses, and a row that cannot be decoded."""

    def missing(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        fail(call, grpc.StatusCode.NOT_FOUND)
        yield message()

    def refusing(key: bytes, cells: list[Cell]) -> bytes:
        raise LookupError(key)

    torn = says(message(chunk(b"a", "f:q", b"1")), message(row(b"b")))
    with scripted(torn) as (target, _), pytest.raises(ServerError, match="is not valid"):
        way(target)
    with scripted(missing) as (target, _), pytest.raises(MissingTable):
        way(target)
    with scripted(says(message(row(b"a")))) as (target, requests):
        with pytest.raises(LookupError):
            way(target, decoder=RowDecoder(refusing))
        assert len(requests) == 1


@pytest.mark.parametrize("plane", ["btmodel", "client"])
@pytest.mark.parametrize("joined", [RangeOrder.IN_TURN, RangeOrder.MERGED])
def test_of_several_reads(plane: DataPlane, joined: RangeOrder) -> None:
    """Parts that are joined give the first row of all, on either way to read."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        lead = request.rows.row_ranges[0].start_key_closed
        yield message(row(lead + (b"2" if lead == b"a" else b"1")))

    plan = ReadPlan("T", PARTS, None, joined=joined, leads=(1, 1) if joined is RangeOrder.MERGED else ())
    with scripted(answer) as (target, _), Database(target, data_plane=plane) as db:
        assert db.read_first(plan, KEYS) == (b"a2" if joined is RangeOrder.IN_TURN else b"b1")
        assert db.read_first(ReadPlan("T", PARTS[:1], None), KEYS) == b"a2"


@pytest.mark.parametrize("speaks", [False, True], ids=["silent", "one row"])
def test_the_request_ends_with_it(speaks: bool) -> None:
    """Once the row is there, or the task that waits for it is cancelled, the server need not go on."""
    begun, ended = threading.Event(), threading.Event()

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        call.add_callback(ended.set)
        begun.set()
        if speaks:
            yield message(row(b"a"))
        ended.wait(20)

    async def main(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            before = asyncio.all_tasks()
            task = asyncio.create_task(db.read_first(ALL, KEYS))
            if speaks:
                assert await task == b"a"
            else:
                assert await asyncio.to_thread(begun.wait, 5)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            await none_but(before)
            assert await asyncio.to_thread(ended.wait, 5)

    with scripted(answer) as (target, _):
        asyncio.run(main(target))
        if speaks:
            ended.clear()
            assert first(target) == b"a"
            assert ended.wait(5)
