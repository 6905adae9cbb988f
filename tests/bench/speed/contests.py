"""What is measured side by side: scans, bulk writes, and reads and writes of single rows."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from typing import Any

from tests.bench.speed.contest import OURS, Outcome, Way, compete, exhaust
from tests.bench.speed.floor import Floor, FloorAsync, asked
from tests.bench.speed.legacy import Legacy
from tests.bench.speed.ours import Ours, OursAsync
from tests.bench.speed.reached import Place
from tests.bench.speed.stock import SingleThreaded, Stock
from tests.bench.speed.stock_async import StockAsync
from tests.bench.speed.workload import Workload

COLUMNS = "btmodel, as columns of Arrow"
STREAM = "data client, read_rows_stream, careful"
LISTED = "data client, read_rows, careful"
IDIOM = "data client, read_rows, row[f, q][0].value"
SINGLE = "data client, channel option, careful"
LEGACY = "legacy client"
PARSED = "floor: parsed by protobuf, nothing made"
DRAINED = "floor: bytes taken, nothing done"
BULK = "data client, bulk_mutate_rows"
BATCHER = "data client, mutations_batcher"
READY = "floor: ready bytes sent"
UNCHECKED = "bytes made by hand, nothing checked"
POINT = "data client, careful"
AT_ONCE = 50
KEYS = 100
SPREAD = 500  # rows


def scans(work: Workload, place: Place, rows: int, rounds: int) -> Outcome:
    """Read the same rows in every way."""
    with clients(work, place) as (ours, stock, single, legacy, floor):
        ways: dict[str, Way] = {
            OURS: lambda: exhaust(ours.scan(rows)),
            COLUMNS: lambda: ours.columns(rows),
            STREAM: lambda: exhaust(stock.stream(rows)),
            LISTED: lambda: exhaust(stock.listed(rows)),
            IDIOM: lambda: exhaust(stock.idiom(rows)),
            SINGLE: lambda: exhaust(single.stream(rows)),
            LEGACY: lambda: exhaust(legacy.scan(rows)),
            PARSED: lambda: exhaust(floor.parsed(rows)),
            DRAINED: lambda: exhaust(floor.drained(rows)),
        }
        return compete(f"scan of {work.name}, {place.server}", rows, rounds, ways)


def bulk_writes(work: Workload, place: Place, rows: int, rounds: int) -> Outcome:
    """Write the same rows in every way."""
    records = list(work.records(rows))
    models = list(work.models(records))
    with clients(work, place) as (ours, stock, _, legacy, floor):
        requests = floor.ready(records)
        ways: dict[str, Way] = {
            OURS: lambda: ours.bulk(models),
            BULK: lambda: stock.bulk(records),
            BATCHER: lambda: stock.batcher(records),
            LEGACY: lambda: legacy.bulk(records),
            UNCHECKED: lambda: floor.send(floor.ready(records)),
            READY: lambda: floor.send(requests),
        }
        return compete(f"bulk write of {work.name}, {place.server}", rows, rounds, ways)


def point_reads(work: Workload, place: Place, calls: int, rounds: int) -> Outcome:
    """Read single rows, one after the other."""
    records = taken(work, calls)
    keys = [work.key(one) for one in records]
    with clients(work, place) as (ours, stock, single, _, _):
        ways: dict[str, Way] = {
            OURS: lambda: exhaust(map(ours.point_get, keys)),
            POINT: lambda: exhaust(map(stock.point_get, records)),
            SINGLE: lambda: exhaust(map(single.point_get, records)),
        }
        return compete(f"point reads, {place.server}", calls, rounds, ways)


def point_writes(work: Workload, place: Place, calls: int, rounds: int) -> Outcome:
    """Write single rows, one after the other."""
    records = taken(work, calls)
    models = list(work.models(records))
    with clients(work, place) as (ours, stock, _, _, _):
        ways: dict[str, Way] = {
            OURS: lambda: exhaust(map(ours.point_put, models)),
            POINT: lambda: exhaust(map(stock.point_put, records)),
        }
        return compete(f"point writes, {place.server}", calls, rounds, ways)


def multigets(work: Workload, place: Place, calls: int, rounds: int) -> Outcome:
    """Read the rows of a hundred keys in one request."""
    records = taken(work, KEYS)
    keys = [work.key(one) for one in records]
    request = asked(work, place, 0, records)
    with clients(work, place) as (ours, stock, single, _, floor):
        ways: dict[str, Way] = {
            OURS: lambda: [ours.multiget(keys) for _ in range(calls)],
            LISTED: lambda: [stock.multiget(records) for _ in range(calls)],
            SINGLE: lambda: [single.multiget(records) for _ in range(calls)],
            DRAINED: lambda: [exhaust(floor.answer(request)) for _ in range(calls)],
        }
        return compete(f"multi-get of {KEYS} keys, {place.server}", calls * KEYS, rounds, ways)


def async_points(work: Workload, place: Place, calls: int, rounds: int) -> Outcome:
    """Read single rows with asyncio, fifty at once."""
    records = taken(work, calls)
    keys = [work.key(one) for one in records]
    requests = [asked(work, place, 1, [one]) for one in records]
    with asyncio.Runner() as runner:
        ours = runner.run(OursAsync.of(work, place))
        stock = runner.run(StockAsync.of(work, place))
        floor = runner.run(FloorAsync.of(place))
        ways: dict[str, Way] = {
            OURS: lambda: runner.run(at_once(ours.point_get, keys)),
            POINT: lambda: runner.run(at_once(stock.point_get, records)),
            DRAINED: lambda: runner.run(at_once(floor.first, requests)),
        }
        outcome = compete(f"point reads, asyncio, {AT_ONCE} at once, {place.server}", calls, rounds, ways)
        for client in (ours, stock, floor):
            runner.run(client.close())
    return outcome


def async_scans(work: Workload, place: Place, rows: int, rounds: int) -> Outcome:
    """Read the same rows with asyncio."""
    with asyncio.Runner() as runner:
        ours = runner.run(OursAsync.of(work, place))
        stock = runner.run(StockAsync.of(work, place))
        ways: dict[str, Way] = {
            OURS: lambda: runner.run(ours.scan(rows)),
            STREAM: lambda: runner.run(stock.stream(rows)),
        }
        outcome = compete(f"scan of {work.name}, asyncio, {place.server}", rows, rounds, ways)
        runner.run(ours.close())
        runner.run(stock.close())
    return outcome


async def at_once(call: Callable[[Any], Awaitable[Any]], things: Sequence[Any]) -> None:
    """Call for each of some things, fifty at a time."""
    left = iter(things)

    async def work() -> None:
        for one in left:
            await call(one)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def taken(work: Workload, count: int) -> list[Any]:
    """A hundred records of the first rows, which every server has; again from the first where more are expected."""
    return list(islice(cycle(list(work.records(SPREAD))[:: SPREAD // KEYS]), count))


@contextmanager
def clients(work: Workload, place: Place) -> Iterator[tuple[Ours, Stock, Stock, Legacy, Floor]]:
    """All that speak to a place."""
    made = (
        Ours.of(work, place),
        Stock.of(work, place),
        Stock.of(work, place, SingleThreaded),
        Legacy.of(work, place),
        Floor.of(work, place),
    )
    try:
        yield made
    finally:
        for client in made:
            client.close()
