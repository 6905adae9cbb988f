"""The ways that the benchmark compares read and write the same rows: what differs is the time alone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from google.cloud.bigtable_v2.types import ReadRowsResponse

import btmodel as bt
from tests.bench.speed.floor import Floor, FloorAsync, asked
from tests.bench.speed.legacy import Legacy
from tests.bench.speed.ours import Ours, OursAsync
from tests.bench.speed.reached import Place
from tests.bench.speed.replay import instance, start
from tests.bench.speed.stock import SingleThreaded, Stock
from tests.bench.speed.stock_async import StockAsync
from tests.bench.speed.workload import WORKLOADS, Workload

ROWS = 250
WRITTEN = 120


@pytest.fixture(scope="module")
def replay() -> Iterator[Callable[[int], Place]]:
    """The replay server, with so many rows in a message."""
    with start() as running:
        yield lambda rows: Place(f"replay {rows}", running.host, instance(rows))


@pytest.fixture(params=WORKLOADS.values(), ids=list(WORKLOADS))
def work(request: pytest.FixtureRequest) -> Workload:
    """Each table."""
    found: Workload = request.param
    return found


def same(work: Workload, one: Any, other: Any) -> bool:
    """Whether records, or instances of the model, have the same values."""
    return list(map(work.fields, one)) == list(map(work.fields, other))


def check_reads(work: Workload, place: Place, records: list[Any]) -> None:
    """All ways to read give ``records``."""
    stock, single = Stock.of(work, place), Stock.of(work, place, SingleThreaded)
    legacy, ours = Legacy.of(work, place), Ours.of(work, place)
    ways = (stock.stream, stock.listed, stock.idiom, single.stream, legacy.scan, ours.scan)
    for way in ways:
        assert same(work, way(len(records)), records), way
    few = records[5:105]
    assert same(work, stock.multiget(few), few)
    assert same(work, ours.multiget([work.key(one) for one in few]), few)
    assert same(work, [stock.point_get(few[0]), ours.point_get(work.key(few[0]))], [few[0]] * 2)
    for client in (stock, single, legacy, ours):
        client.close()


async def check_async_reads(work: Workload, place: Place, records: list[Any]) -> None:
    """All ways to read with asyncio give ``records``."""
    stock, ours = await StockAsync.of(work, place), await OursAsync.of(work, place)
    assert same(work, await stock.stream(len(records)), records)
    assert same(work, await ours.scan(len(records)), records)
    got = [await stock.point_get(records[7]), await ours.point_get(work.key(records[7]))]
    assert same(work, got, [records[7]] * 2)
    await stock.close()
    await ours.close()


@pytest.mark.parametrize("rows", [1, 20, 200])
def test_all_ways_read_the_replayed_rows(replay: Callable[[int], Place], work: Workload, rows: int) -> None:
    """Whatever share of the rows a message has."""
    place, records = replay(rows), list(work.records(ROWS))
    check_reads(work, place, records)
    asyncio.run(check_async_reads(work, place, records))


def test_the_floor_reads_as_many_rows(replay: Callable[[int], Place], work: Workload) -> None:
    """What is drained is parsed into the rows that were asked for, so many in a message."""
    floor = Floor.of(work, replay(20))
    messages = list(floor.parsed(ROWS))
    floor.close()
    keys = [chunk.row_key for message in messages for chunk in message.chunks if chunk.row_key]
    assert keys == [work.hand.key(one) for one in work.records(ROWS)]
    assert len(messages) == -(-ROWS // 20)


def test_the_floor_reads_the_rows_of_keys(replay: Callable[[int], Place], work: Workload) -> None:
    """Those of a multi-get, and the only one of a point read."""
    place, records = replay(20), list(work.records(ROWS))[5:105]
    keys = [work.hand.key(one) for one in records]

    def keys_of(messages: list[bytes]) -> list[bytes]:
        answers = map(ReadRowsResponse.deserialize, messages)
        return [chunk.row_key for answer in answers for chunk in answer.chunks if chunk.row_key]

    async def first() -> bytes:
        floor = await FloorAsync.of(place)
        message = await floor.first(asked(work, place, 1, records[:1]))
        await floor.close()
        return message

    floor = Floor.of(work, place)
    assert keys_of(list(floor.answer(asked(work, place, 0, records)))) == keys
    floor.close()
    assert keys_of([asyncio.run(first())]) == keys[:1]


def written(work: Workload, place: Place, write: Callable[[], object]) -> list[Any]:
    """What is read after ``write``, and nothing else: the table is emptied first."""
    ours = Ours.of(work, place)
    ours.rows.delete_many([work.key(one) for one in work.records(WRITTEN)])
    assert list(ours.scan(WRITTEN)) == []
    write()
    found = list(ours.scan(WRITTEN))
    ours.close()
    return found


def test_all_ways_write_the_same_rows(server: Any, instance: str, work: Workload) -> None:
    """On real servers, and as fewer rows than a request and one."""
    place, records = Place("served", server.host, instance), list(work.records(WRITTEN))
    with place.named():
        bt.create_tables(instance, work.model_class)
    stock, legacy, ours, floor = (of(work, place) for of in (Stock.of, Legacy.of, Ours.of, Floor.of))
    models = list(work.models(records))
    writes: list[Callable[[], object]] = [
        lambda: ours.bulk(models),
        lambda: [ours.point_put(one) for one in models],
        lambda: stock.bulk(records),
        lambda: stock.batcher(records),
        lambda: [stock.point_put(one) for one in records],
        lambda: legacy.bulk(records),
        lambda: floor.send(floor.ready(records)),
    ]
    for write in writes:
        assert same(work, written(work, place, write), records)
    check_reads(work, place, records)
    for client in (stock, legacy, ours, floor):
        client.close()


def test_all_ways_write_the_same_rows_with_asyncio(server: Any, instance: str, work: Workload) -> None:
    """The asynchronous twins do, too."""
    place, records = Place("served", server.host, instance), list(work.records(WRITTEN))
    with place.named():
        bt.create_tables(instance, work.model_class)
    models = list(work.models(records))

    def run(write: Callable[[Any], Awaitable[object]], of: Any) -> None:
        async def whole() -> None:
            client = await of(work, place)
            await write(client)
            await client.close()

        asyncio.run(whole())

    async def each(put: Callable[[Any], Awaitable[object]], things: list[Any]) -> None:
        await asyncio.gather(*map(put, things))

    writes: list[Callable[[], object]] = [
        lambda: run(lambda ours: ours.bulk(models), OursAsync.of),
        lambda: run(lambda ours: each(ours.point_put, models), OursAsync.of),
        lambda: run(lambda stock: stock.bulk(records), StockAsync.of),
        lambda: run(lambda stock: each(stock.point_put, records), StockAsync.of),
    ]
    for write in writes:
        assert same(work, written(work, place, write), records)
    asyncio.run(check_async_reads(work, place, records))
