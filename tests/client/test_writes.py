"""Writes of every kind: what they leave in the row, what races give, and what is said when they fail."""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from bare import NASTY, Bare, made

from btmodel import AsyncDatabase, Database, server
from btmodel.client.options import KINDS
from btmodel.client.target import Target
from btmodel.errors import MissingFamily, MissingTable, ServerError, ValueRefused, WriteFailed
from btmodel.rows import (
    Add,
    Append,
    Cell,
    Conditional,
    Delete,
    ExactValue,
    Families,
    Filter,
    Increment,
    Mutation,
    Qualifiers,
    ReadModifyWrite,
    ReadPlan,
    RowRange,
    Versions,
)
from btmodel.rows.filters import Chain
from btmodel.schema import Aggregate, Family, KeepAll

pytestmark = pytest.mark.both_servers

F, G = Family("f", KeepAll()), Family("g", KeepAll())
SUMS, LEAST, MOST = (
    Family(id, KeepAll(), aggregate)
    for id, aggregate in (("sums", Aggregate.SUM), ("least", Aggregate.MIN), ("most", Aggregate.MAX))
)
THREADS = 8
KEY = b"row"


def number(value: int) -> bytes:
    return value.to_bytes(8, "big", signed=True)


def cell(qualifier: bytes, time: int = 1000, value: bytes = b"v", family: str = "f") -> Cell:
    return Cell(family, qualifier, time, value)


def row(db: Database, key: bytes = KEY) -> list[Cell]:
    """The cells of a row, sorted; none where there is no row."""
    found = list(db.read(ReadPlan("T", (RowRange.of_key(key),), None)))
    return sorted(found[0][1]) if found else []


def write(db: Database, mutation: Mutation) -> None:
    db.write(mutation)


def write_in_bulk(db: Database, mutation: Mutation) -> None:
    db.write_many(mutation.table, [mutation])


def write_async(db: Database, mutation: Mutation) -> None:
    async def main() -> None:
        async with AsyncDatabase(db.target) as other:
            await other.write(mutation)

    asyncio.run(main())


def write_on_condition(db: Database, mutation: Mutation) -> None:
    assert db.write_if(Conditional(mutation, ExactValue(b"nowhere"), False))


Write = Callable[[Database, Mutation], None]
WAYS = [write, write_in_bulk, write_async, write_on_condition]
in_every_way = pytest.mark.parametrize("way", WAYS)


@in_every_way
def test_deletes_come_before_sets(bare: Bare, way: Write) -> None:
    """A mutation that deletes the row and sets cells replaces it; one of a family leaves the others."""
    db = bare(F, G)
    way(db, Mutation("T", KEY, [cell(b"old"), cell(b"both"), cell(b"g", family="g")]))
    way(db, Mutation("T", KEY, [cell(b"both", value=b"new")], [Delete("f")]))
    assert row(db) == [cell(b"both", value=b"new"), cell(b"g", family="g")]
    way(db, Mutation("T", KEY, [cell(b"last")], [Delete()]))
    assert row(db) == [cell(b"last")]
    way(db, Mutation("T", KEY, deletes=[Delete()]))
    assert row(db) == []


@in_every_way
def test_a_column_is_deleted_between_two_times(bare: Bare, way: Write) -> None:
    """The start of the range goes, its end stays; an end of 0 is open; no range is the whole column."""
    db = bare(F)
    times = [1000, 2000, 3000, 4000]
    way(db, Mutation("T", KEY, [cell(name, time) for name in (b"a", b"b") for time in times]))
    way(db, Mutation("T", KEY, deletes=[Delete("f", b"a", 2000, 4000)]))
    assert row(db) == [cell(b"a", 1000), cell(b"a", 4000), *(cell(b"b", time) for time in times)]
    way(db, Mutation("T", KEY, deletes=[Delete("f", b"a", 4000), Delete("f", b"b", 0, 2000)]))
    assert row(db) == [cell(b"a", 1000), *(cell(b"b", time) for time in times[1:])]
    way(db, Mutation("T", KEY, deletes=[Delete("f", b"b")]))
    assert row(db) == [cell(b"a", 1000)]


@in_every_way
@pytest.mark.parametrize(
    "server", ["local"], indirect=True
)  # the emulator keeps the last of least and greatest
def test_adds_aggregate(bare: Bare, way: Write) -> None:
    """What is added to a cell is its sum, its least or its greatest, and other times are other cells."""
    db = bare(SUMS, LEAST, MOST)
    for amount in (5, -7, 4):
        ids = ("sums", "least", "most")
        way(db, Mutation("T", KEY, adds=[Add(id, b"n", 1000, amount) for id in ids]))
    way(db, Mutation("T", KEY, adds=[Add("sums", b"n", 2000, 2**63 - 1)]))
    assert {(c.family, c.timestamp): c.value for c in row(db)} == {
        ("sums", 1000): number(2),
        ("least", 1000): number(-7),
        ("most", 1000): number(5),
        ("sums", 2000): number(2**63 - 1),
    }


def test_adds_come_last(bare: Bare) -> None:
    """A mutation that deletes and adds leaves just what it added."""
    db = bare(F, SUMS)
    db.write(Mutation("T", KEY, adds=[Add("sums", b"n", 1000, 5)]))
    db.write(Mutation("T", KEY, [cell(b"a")], [Delete()], [Add("sums", b"n", 1000, 1)]))
    assert row(db) == [cell(b"a"), cell(b"n", value=number(1), family="sums")]


@pytest.mark.parametrize("name", NASTY)
def test_names_of_any_bytes(bare: Bare, name: bytes) -> None:
    """A column of any name is set, looked for, changed and deleted."""
    db = bare(F)
    db.write(Mutation("T", KEY, [cell(name)]))
    assert db.write_if(Conditional(Mutation("T", KEY, [cell(b"other")]), Qualifiers("f", (name,)), True))
    db.modify(ReadModifyWrite("T", KEY, [Append("f", name, b"w")]))
    assert {c.value for c in row(db) if c.qualifier == name} == {b"v", b"vw"}
    db.write(Mutation("T", KEY, deletes=[Delete("f", name)]))
    assert {c.qualifier for c in row(db)} == {b"other"}


def test_writing_if_a_cell_is_there_or_not(bare: Bare) -> None:
    """A mutation is applied if the condition holds, says whether it was, and changes nothing if not."""
    db = bare(F)

    def put_if(value: bytes, found: Filter, *, present: bool) -> bool:
        mutation = Mutation("T", KEY, [cell(b"a", value=value)])
        return db.write_if(Conditional(mutation, found, present))

    anything = Families(("f",))
    assert not put_if(b"0", anything, present=True)
    assert row(db) == []
    assert put_if(b"1", anything, present=False)
    assert not put_if(b"2", anything, present=False)
    was = Chain((Qualifiers("f", (b"a",)), Versions(1), ExactValue(b"1")))
    assert put_if(b"3", was, present=True)
    assert not put_if(b"4", was, present=True)
    assert row(db) == [cell(b"a", value=b"3")]


def race(action: Callable[[int], object]) -> list[object]:
    """What threads get that act at the same time."""
    start = Barrier(THREADS)

    def act(number: int) -> object:
        start.wait()
        return action(number)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(act, range(THREADS)))


def test_one_of_many_creates_a_row(bare: Bare) -> None:
    """Of threads that write a row if it is not there, one does, and the row is its."""
    db = bare(F)
    for key in (b"a", b"b", b"c"):

        def create(number: int, key: bytes = key) -> bool:
            mutation = Mutation("T", key, [cell(b"by", value=b"%d" % number)])
            return db.write_if(Conditional(mutation, Families(("f",)), False))

        won = race(create)
        assert sorted(won, key=bool) == [False] * (THREADS - 1) + [True]
        assert row(db, key) == [cell(b"by", value=b"%d" % won.index(True))]


def test_one_of_many_changes_what_all_have_read(bare: Bare) -> None:
    """Of threads that write if a cell still has the value that all of them read, one does."""
    db = bare(F)
    db.write(Mutation("T", KEY, [cell(b"version", value=b"1")]))
    same = Chain((Qualifiers("f", (b"version",)), Versions(1), ExactValue(b"1")))

    def advance(number: int) -> bool:
        return db.write_if(Conditional(Mutation("T", KEY, [cell(b"version", value=b"2")]), same, True))

    assert sum(map(bool, race(advance))) == 1


def test_increments_and_adds_of_many_sum_up(bare: Bare) -> None:
    """None of the increments, appends and adds of several threads is lost."""
    db = bare(F, SUMS)
    times = 10

    def count(number: int) -> None:
        for _ in range(times):
            db.modify(ReadModifyWrite("T", KEY, [Increment("f", b"n", number), Append("f", b"s", b"x")]))
            db.write(Mutation("T", KEY, adds=[Add("sums", b"n", 1000, number)]))
        db.write_many("T", [Mutation("T", KEY, adds=[Add("sums", b"n", 1000, number)])] * times)

    race(count)
    total = times * sum(range(THREADS))
    newest = {(c.family, c.qualifier): c.value for c in sorted(row(db), key=lambda c: c.timestamp)}
    assert newest == {
        ("f", b"n"): number(total),
        ("f", b"s"): b"x" * times * THREADS,
        ("sums", b"n"): number(2 * total),
    }


def test_a_change_gives_the_cells_as_they_are_now(bare: Bare) -> None:
    """Increments and appends to what is not there begin at 0 and at nothing, and are given back, also async."""
    db = bare(F)
    change = ReadModifyWrite("T", KEY, [Increment("f", b"n", -3), Append("f", b"s", b"ab")])

    async def again() -> list[Cell]:
        async with AsyncDatabase(db.target) as other:
            return await other.modify(change)

    assert [(c.qualifier, c.value) for c in db.modify(change)] == [(b"n", number(-3)), (b"s", b"ab")]
    found = asyncio.run(again())
    assert [(c.qualifier, c.value) for c in found] == [(b"n", number(-6)), (b"s", b"abab")]
    assert set(found) <= set(row(db))


def test_async_writes_on_a_condition(bare: Bare) -> None:
    """Of many coroutines that create a row, one does."""
    db = bare(F)

    async def main() -> list[bool]:
        async with AsyncDatabase(db.target) as other:
            create = Conditional(Mutation("T", KEY, [cell(b"a")]), Families(("f",)), False)
            return await asyncio.gather(*(other.write_if(create) for _ in range(20)))

    assert sum(asyncio.run(main())) == 1


def unknown_family(db: Database, table: str = "T") -> list[Callable[[], object]]:
    """Every write, to a family that is not there."""
    change = Mutation(table, KEY, [cell(b"a", family="zz")])
    return [
        lambda: db.write(change),
        lambda: db.write(Mutation(table, KEY, deletes=[Delete("zz", b"a")])),
        lambda: db.write(Mutation(table, KEY, adds=[Add("zz", b"a", 1000, 1)])),
        lambda: db.write_if(Conditional(change, Versions(1), False)),
        lambda: db.modify(ReadModifyWrite(table, KEY, [Increment("zz", b"a", 1)])),
    ]


@pytest.mark.parametrize("which", range(5))
def test_an_unknown_family(bare: Bare, which: int) -> None:
    """Every kind of write says that the family is missing."""
    with pytest.raises(MissingFamily, match="lacks a column family"):
        unknown_family(bare(F))[which]()


def test_rows_that_lack_one_family_have_one_cause(bare: Bare) -> None:
    """Which is named once, whatever row the server names in it."""
    rows = [Mutation("T", b"%d" % row, [cell(b"a", family="zz")]) for row in range(3)]
    with pytest.raises(WriteFailed, match=r"3 failed: 3 x table 'T' .* lacks a column family .*first: row 0"):
        bare(F).write_many("T", rows)


@pytest.mark.parametrize("which", range(5))
def test_a_missing_table(bare: Bare, which: int) -> None:
    """Every kind of write says that the table is missing."""
    with pytest.raises(MissingTable, match="'MISSING'"):
        unknown_family(bare(F), "MISSING")[which]()


def test_what_a_cell_cannot_take(bare: Bare) -> None:
    """An increment of other than 8 bytes, and an add to plain cells, are refused, and change nothing."""
    db = bare(F)
    db.write(Mutation("T", KEY, [cell(b"a")]))
    for refused in (
        lambda: db.modify(ReadModifyWrite("T", KEY, [Increment("f", b"a", 1)])),
        lambda: db.write(Mutation("T", KEY, adds=[Add("f", b"a", 1000, 1)])),
    ):
        with pytest.raises(ServerError, match="refused by") as error:
            refused()
        assert "may have been applied" not in str(error.value)
    assert row(db) == [cell(b"a")]


def test_text_in_the_place_of_bytes(bare: Bare) -> None:
    """A row key, a qualifier and a value are bytes: text is refused with its place, and never written in a guessed encoding."""
    db = bare(F)
    text: Any = "a"
    for made_of in (Mutation, ReadModifyWrite):
        with pytest.raises(
            ValueRefused, match=rf"{made_of.__name__}\.key: expected a row key as bytes.*, got 'a'"
        ):
            made_of("T", text, [])
    for wrong, said in (
        (Mutation("T", KEY, [Cell("f", text, 0, b"")]), "expected a qualifier as bytes in family f, got 'a'"),
        (
            Mutation("T", KEY, [Cell("f", b"q", 0, text)]),
            "expected the value of cell f:b'q' as bytes, got 'a'",
        ),
        (
            Mutation("T", KEY, deletes=[Delete("f", text)]),
            "expected a qualifier as bytes in family f, got 'a'",
        ),
    ):
        with pytest.raises(ValueRefused, match=f"table 'T', row .*: {said}"):
            db.write(wrong)
        with pytest.raises(WriteFailed) as failed:
            db.write_many("T", [wrong, Mutation("T", b"other", [cell(b"a")])])
        assert [(failure.index, said in str(failure.cause)) for failure in failed.value.failures] == [
            (0, True)
        ]
    with pytest.raises(ValueRefused, match=r"expected a qualifier as bytes in family f, got 'a'"):
        db.modify(ReadModifyWrite("T", KEY, [Increment("f", text, 1)]))
    assert [key for key, _ in db.cells("T")] == [b"other"]


def test_a_mutation_that_no_request_holds(bare: Bare) -> None:
    """One that does nothing, or more than a request takes, is refused; in bulk the others are written."""
    db = bare(F)
    nothing = Mutation("T", b"nothing")
    large = Mutation("T", b"large", [cell(b"a")] * 100_001)
    for wrong in (nothing, large):
        with pytest.raises(ValueRefused, match="1 to 100,000 changes of a row, got"):
            db.write(wrong)
        with pytest.raises(ValueRefused, match="1 to 100,000 changes of a row, got"):
            db.write_if(Conditional(wrong, Versions(1), False))
    with pytest.raises(WriteFailed) as failed:
        db.write_many("T", [nothing, Mutation("T", KEY, [cell(b"a")]), large])
    assert [failure.index for failure in failed.value.failures] == [0, 2]
    assert row(db) == [cell(b"a")]


def test_a_bulk_write_stays_within_the_limit_of_mutations(bare: Bare) -> None:
    """Deletes and adds count as cells do: rows that together pass the limit of one request go in several."""
    db = bare(F, SUMS)
    adds = [Add("sums", b"n", 1000, 1)] * 50_001
    deletes = [Delete("f", b"a")] * 49_998
    mutations = [Mutation("T", KEY, [cell(b"a")], deletes, adds) for _ in range(2)]
    assert db.write_many("T", mutations) == 2
    assert row(db) == [cell(b"a"), cell(b"n", value=number(100_002), family="sums")]


@pytest.mark.usefixtures("own_servers")
def test_a_lost_answer(monkeypatch: pytest.MonkeyPatch, instance: str) -> None:
    """Where a server stops answering, what must not be done twice says that it may be done, and is done once at most."""
    monkeypatch.setattr("btmodel.client.options._LOCAL_DEADLINES", dict.fromkeys(KINDS, 3.0))
    with server.start() as local:
        target = made(Target(instance, local.host, lambda: None), F, SUMS)
        with Database(target) as db:
            once: list[Callable[[], object]] = [
                lambda: db.write(Mutation("T", KEY, adds=[Add("sums", b"n", 1000, 1)])),
                lambda: db.write_many("T", [Mutation("T", KEY, adds=[Add("sums", b"m", 1000, 1)])]),
                lambda: db.write_if(Conditional(Mutation("T", KEY, [cell(b"a")]), Versions(1), False)),
                lambda: db.modify(ReadModifyWrite("T", KEY, [Increment("f", b"n", 1)])),
            ]
            db.write(Mutation("T", b"warm", [cell(b"a")]))
            os.kill(local.pid, signal.SIGSTOP)
            # The signal is sent when this returns, and the server stops a moment later.
            os.waitid(os.P_PID, local.pid, os.WSTOPPED | os.WNOWAIT)
            try:
                with ThreadPoolExecutor(len(once) + 1) as pool:  # all wait for their deadlines at once
                    given_up = [pool.submit(write) for write in once]
                    again = pool.submit(db.write, Mutation("T", KEY, [cell(b"b")]))
                for write in given_up:
                    with pytest.raises(ServerError, match="may have been applied, so it was not sent again"):
                        write.result()
                with pytest.raises(ServerError, match="no answer") as error:
                    again.result()
                assert "may have been" not in str(error.value)
            finally:
                os.kill(local.pid, signal.SIGCONT)
            db.write(Mutation("T", b"warm", [cell(b"b")]))
            counted = [c.value for c in row(db) if c.qualifier in (b"n", b"m")]
            assert set(counted) <= {number(1)}


def test_a_server_that_is_gone(monkeypatch: pytest.MonkeyPatch, instance: str) -> None:
    """Of a bulk write of adds and sets to a server that is gone, adds alone may be in, and only if they were sent."""
    monkeypatch.setattr("btmodel.client.options._LOCAL_DEADLINES", dict.fromkeys(KINDS, 1.0))
    with server.start() as local:
        target = made(Target(instance, local.host, lambda: None), F, SUMS)
        with Database(target) as db:
            db.write(Mutation("T", b"warm", [cell(b"a")]))
            local.kill()
            adds = Mutation("T", KEY, adds=[Add("sums", b"n", 1000, 1)])
            with pytest.raises(WriteFailed) as failed:
                db.write_many("T", [adds, Mutation("T", KEY, [cell(b"a")])])
    told = {failure.index: "may have been applied" in str(failure.cause) for failure in failed.value.failures}
    sent = "failed to connect" not in str(failed.value.failures[0].cause)
    assert told == {0: sent, 1: False}
    assert "onnect" in str(failed.value)  # what happened, not the client's limit of time
    assert "timeout" not in str(failed.value)
