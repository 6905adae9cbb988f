"""Reads of several ranges and backwards: the right rows in the right order, and streams that end."""

import asyncio
import random
import time
from itertools import islice
from pathlib import Path

import pytest
from attrs import evolve
from bare import Bare, made
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from btmodel import AsyncDatabase, Database, server
from btmodel.client.chunks import rest
from btmodel.client.target import Target
from btmodel.errors import MissingTable
from btmodel.rows import Cell, Mutation, RangeOrder, ReadPlan, RowRange
from btmodel.schema import Family, KeepAll
from btmodel.server import RunningServer

pytestmark = pytest.mark.both_servers

F = Family("f", KeepAll())
SALTS = (b"0", b"1#", b"2##", b"7")
LEADS = tuple(map(len, SALTS))
LOCAL = pytest.mark.parametrize("server", ["local"], indirect=True)


def salted(seed: int, count: int) -> list[bytes]:
    """Keys behind random salts, some of which differ in nothing but the salt."""
    chance = random.Random(seed)
    return [chance.choice(SALTS) + bytes(chance.choices(b"ab\0\xff", k=3)) for _ in range(count)]


KEYS = set(salted(3, 120))


@pytest.fixture
def filled(bare: Bare) -> Database:
    """A table with a small row for each of those keys."""
    db = bare(F)
    db.write_many("T", (Mutation("T", key, [Cell("f", b"q", 1000, key)]) for key in KEYS))
    return db


def plan_of(joined: RangeOrder, bounds: list[tuple[bytes, bytes]], limit: int | None, back: bool) -> ReadPlan:
    """The read of a range behind each salt."""
    pairs = zip(SALTS, bounds, strict=False)
    ranges = tuple(RowRange(salt + start, salt + end) for salt, (start, end) in pairs)
    leads = LEADS[: len(ranges)] if joined is RangeOrder.MERGED else ()
    return ReadPlan("T", ranges, None, limit, joined, leads, back)


def by_brute_force(plan: ReadPlan) -> list[bytes]:
    """The keys that ``plan`` reads, in order."""
    found = [(at, key) for at, span in enumerate(plan.ranges) for key in KEYS if span.holds(key)]
    match plan.joined:
        case RangeOrder.KEY_ORDER:
            found.sort(key=lambda pair: pair[1])
        case RangeOrder.IN_TURN:
            found.sort()
        case RangeOrder.MERGED:
            found.sort(key=lambda pair: (pair[1][LEADS[pair[0]] :], pair[0]))
    return [key for _, key in (found[::-1] if plan.backwards else found)][: plan.limit]


async def read_async(target: Target, plan: ReadPlan) -> list[bytes]:
    """The keys that an asynchronous connection reads."""
    async with AsyncDatabase(target) as db:
        return [key async for key, _ in db.read(plan)]


edges = st.binary(max_size=2).map(lambda raw: bytes(b"ab\0\xff"[byte % 4] for byte in raw))
bounds = st.lists(st.tuples(edges, edges | st.just(b"\xff\xff\xff\xff")), min_size=1, max_size=4)
limits = st.none() | st.integers(1, 130)
WHOLE = [(b"", b"\xff\xff\xff\xff")] * 4
several = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@several
@given(joined=st.sampled_from(RangeOrder), bounds=bounds, limit=limits)
@example(joined=RangeOrder.MERGED, bounds=WHOLE, limit=None)
@example(joined=RangeOrder.MERGED, bounds=WHOLE, limit=50)
@example(joined=RangeOrder.IN_TURN, bounds=WHOLE[::-1], limit=50)
def test_ranges_are_joined_as_they_say(
    filled: Database, joined: RangeOrder, bounds: list[tuple[bytes, bytes]], limit: int | None
) -> None:
    """Ranges, of which some are empty, give the rows that brute force gives, in its order, up to the limit."""
    plan = plan_of(joined, bounds, limit, back=False)
    found = list(filled.read(plan))
    assert [key for key, _ in found] == by_brute_force(plan)
    assert all(cells == [Cell("f", b"q", 1000, key)] for key, cells in found)


@several
@given(joined=st.sampled_from(RangeOrder), bounds=bounds, limit=limits)
@example(joined=RangeOrder.MERGED, bounds=WHOLE, limit=50)
@example(joined=RangeOrder.IN_TURN, bounds=WHOLE, limit=50)
def test_backwards_is_the_other_way_round(
    filled: Database, joined: RangeOrder, bounds: list[tuple[bytes, bytes]], limit: int | None
) -> None:
    """A read backwards gives from the last row on what one forwards gives up to it."""
    plan = plan_of(joined, bounds, limit, back=True)
    found = list(filled.read(plan))
    assert [key for key, _ in found] == by_brute_force(plan)
    assert all(cells == [Cell("f", b"q", 1000, key)] for key, cells in found)


@pytest.mark.parametrize("joined", RangeOrder)
def test_async_reads_the_same(filled: Database, joined: RangeOrder) -> None:
    """With await, the rows and their order are those of the other kind of connection."""
    for limit in (None, 1, 50):
        plan = plan_of(joined, WHOLE, limit, back=False)
        assert asyncio.run(read_async(filled.target, plan)) == by_brute_force(plan)


@pytest.mark.parametrize("joined", RangeOrder)
def test_async_reads_the_same_backwards(filled: Database, joined: RangeOrder) -> None:
    """Likewise from the last row to the first."""
    for limit in (None, 1, 50):
        plan = plan_of(joined, WHOLE, limit, back=True)
        assert asyncio.run(read_async(filled.target, plan)) == by_brute_force(plan)


def test_single_keys_among_ranges(filled: Database) -> None:
    """Keys that are asked for one by one come with the ranges, each row once, in the order of the keys."""
    some = sorted(KEYS)[::3]
    ranges = (*map(RowRange.of_key, some), RowRange.of_prefix(SALTS[0]), RowRange.of_key(b"none"))
    found = [key for key, _ in filled.read(ReadPlan("T", ranges, None))]
    assert found == sorted({*some, *(key for key in KEYS if key.startswith(SALTS[0]))})


def test_ranges_that_hold_nothing_are_not_asked_for(bare: Bare) -> None:
    """Where every range is upside down, or there is none, the read is empty, not of the whole table."""
    db = bare(F)
    for ranges in ((), (RowRange(b"b", b"a"), RowRange(b"a", b"a"))):
        for joined in RangeOrder:
            leads = (0,) * len(ranges)
            assert list(db.read(ReadPlan("MISSING", ranges, None, 5, joined, leads))) == []


@pytest.mark.parametrize("joined", RangeOrder)
def test_a_table_that_is_missing(bare: Bare, joined: RangeOrder) -> None:
    """Whatever the read, a table that is not there is named, also where many streams are opened at once."""
    db = bare(F)
    plan = evolve(plan_of(joined, WHOLE, None, back=False), table="MISSING")
    with pytest.raises(MissingTable):
        list(db.read(plan))
    with pytest.raises(MissingTable):
        asyncio.run(read_async(db.target, plan))


@LOCAL  # the emulator sends a row in one message, and is refused from 4 MB on
@pytest.mark.parametrize("backwards", [False, True])
def test_large_values_are_read_whole(bare: Bare, backwards: bool) -> None:
    """Values that come in several pieces, and rows of several families and columns, are put together again."""
    db = bare(Family("a", KeepAll()), F)
    chance = random.Random(1)
    rows = {
        b"%03d" % n: [
            Cell(family, qualifier, time, chance.randbytes(size))
            for family in ("a", "f")
            for qualifier, size in ((b"", 0), (b"big", 3_000_000 if n == 5 else 10), (b"z", 9))
            for time in (2000, 1000)
        ]
        for n in range(12)
    }
    db.write_many("T", (Mutation("T", key, cells) for key, cells in rows.items()))
    found = [
        (key, sorted(cells))
        for key, cells in db.read(ReadPlan("T", (RowRange(b"", b""),), None, backwards=backwards))
    ]
    wanted = [(key, sorted(cells)) for key, cells in rows.items()]
    assert found == (wanted[::-1] if backwards else wanted)


PARTS = 3


def heavy(db: Database) -> ReadPlan:
    """A merged read of parts that are too large to be sent before they are asked for."""
    value = b"x" * 200_000
    for part in range(PARTS):
        cells = [Cell("f", b"q", 1000, value)]
        db.write_many("T", (Mutation("T", b"%d%03d" % (part, n), cells) for n in range(100)))
    ranges = tuple(RowRange.of_prefix(b"%d" % part) for part in range(PARTS))
    return ReadPlan("T", ranges, None, None, RangeOrder.MERGED, (1,) * PARTS)


@LOCAL
@pytest.mark.parametrize("backwards", [False, True])
def test_a_read_that_is_left_early_ends_its_streams(
    bare: Bare, server: RunningServer, backwards: bool
) -> None:
    """Left early, again and again, no scan stays open on the server."""
    db = bare(F)
    plan = evolve(heavy(db), backwards=backwards)
    under_way = 0
    for _ in range(5):
        rows = db.read(plan)
        assert len(list(islice(rows, 3))) == 3
        under_way += server.count_scans()
        rows.close()
    assert under_way > 0  # later, gRPC may hold a whole part ahead of a client that is slow to ask
    await_no_scans(server)


def await_no_scans(server: RunningServer) -> None:
    """Wait until the server has heard of the end of all scans."""
    deadline = time.monotonic() + 30
    while server.count_scans() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.count_scans() == 0


@LOCAL
@pytest.mark.parametrize("backwards", [False, True])
def test_an_async_read_that_is_left_early_ends_its_streams(
    bare: Bare, server: RunningServer, backwards: bool
) -> None:
    """The same with await."""
    opened = bare(F)
    plan = evolve(heavy(opened), backwards=backwards)

    async def main() -> None:
        async with AsyncDatabase(opened.target) as db:
            for _ in range(5):
                rows = db.read(plan)
                assert await anext(rows)
                assert await anext(rows)
                await rows.aclose()
            await asyncio.to_thread(await_no_scans, server)

    asyncio.run(main())


@pytest.mark.parametrize("backwards", [False, True])
def test_an_answer_that_breaks_off_goes_on_behind_its_last_row(backwards: bool) -> None:
    """What is left of a read is the rows that have not come, whatever its ranges and its limit."""
    chance = random.Random(7)
    keys = sorted(KEYS)
    for _ in range(500):
        some = [RowRange(*sorted(chance.sample(keys, 2))) for _ in range(2)]
        ranges = (*some, RowRange.of_key(chance.choice(keys)), RowRange(chance.choice(keys), b""))
        plan = ReadPlan("T", ranges, None, chance.choice([None, 1, 5, 30]), backwards=backwards)
        whole = by_brute_force_of_ranges(plan)
        given = chance.randrange(len(whole) + 1)
        left = rest(plan, whole[given - 1] if given else None, given)
        assert by_brute_force_of_ranges(left) == whole[given:]


def by_brute_force_of_ranges(plan: ReadPlan) -> list[bytes]:
    """The keys of ranges that may overlap, each once."""
    found = sorted(key for key in KEYS if any(span.holds(key) for span in plan.ranges))
    return (found[::-1] if plan.backwards else found)[: plan.limit]


def test_a_read_outlives_its_server(tmp_path: Path, instance: str) -> None:
    """A server that ends in the middle of a read and comes back is asked for the rest, in either direction."""
    for backwards in (False, True):
        file = tmp_path / f"{backwards}.db"
        with server.start(file) as first:
            target = made(Target(instance, first.host, lambda: None), F)
            port = int(first.host.rpartition(":")[2])
            with Database(target) as db:
                value = b"x" * 200_000
                keys = [b"%03d" % n for n in range(150)]
                db.write_many("T", (Mutation("T", key, [Cell("f", b"q", 1000, value)]) for key in keys))
                rows = db.read(ReadPlan("T", (RowRange(b"", b""),), None, 140, backwards=backwards))
                found = [next(rows)[0]]
                first.kill()
                with server.start(file, port=port):
                    found += [key for key, _ in rows]
        assert found == (keys[::-1] if backwards else keys)[:140]
