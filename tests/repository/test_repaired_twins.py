"""Twins that a writer left behind when it died, repaired from the change stream of the source."""

import asyncio
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import btmodel as bt
from btmodel.pytest_plugin import Instances
from btmodel.repository import (
    AsyncRepository,
    AsyncRows,
    AsyncTwinRepository,
    Repository,
    Rows,
    TwinRepository,
)
from btmodel.rows import Cell, Mutation


class Person(bt.Model, table=bt.table("person", change_stream="1d"), events="1/s"):
    """A person, by number."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)
    d = bt.family("d", gc=bt.max_versions(1))
    name: str = bt.column("name", d)
    town: str | None = bt.column("town", d, default=None)


class ByName(bt.Model, table="by_name", events="1/s"):
    """People by name."""

    name: str = bt.key(bt.Text(max_length=10), cardinality=1_000_000)
    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)
    d = bt.family("d", gc=bt.max_versions(1))
    town: str | None = bt.column("town", d, default=None)


PEOPLE = bt.twins(Person, ByName)


class PersonKey(NamedTuple):
    number: int


class PersonRepository(Repository[Person, PersonKey, Rows[Person, PersonKey, str]]):
    model = Person
    key = PersonKey


class AsyncPersonRepository(AsyncRepository[Person, PersonKey, AsyncRows[Person, PersonKey, str]]):
    model = Person
    key = PersonKey


def rows(db: bt.Database, table: str) -> dict[bytes, list[Cell]]:
    return dict(db.cells(table))


def repaired(db: bt.Database, since: datetime) -> list[Any]:
    changes = PersonRepository(db).changes(since=since, until=datetime.now(UTC), heartbeat=0.05)
    return list(TwinRepository(db, PEOPLE).repair(changes))


WRITER = """
import sys, time
from pathlib import Path
from test_repaired_twins import PEOPLE, Person
import btmodel as bt
from btmodel.repository import TwinRepository

class Twins(TwinRepository):
    def _send(self, encoded, tally):
        send = self._db.write_many
        def stop(table, mutations):
            if table == "by_name":
                print("between", flush=True)
                time.sleep(60)
            return send(table, mutations)
        self._db.write_many = stop
        super()._send(encoded, tally)

with bt.connect(sys.argv[1]) as db:
    Twins(db, PEOPLE).put(Person(number=7, name="Jo", town="Oslo"))
"""


def test_a_writer_that_is_killed_between_its_writes_is_repaired(bigtable: Instances) -> None:
    """After kill -9 between the row and its twin, the twin is written with the bytes and times that the writer would have written."""
    db, since = bigtable(Person, ByName), datetime.now(UTC)
    TwinRepository(db, PEOPLE).put(Person(number=1, name="Ann", town="Rome"))
    command = [sys.executable, "-c", WRITER, db.target.instance]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "between\n"
        writer.send_signal(signal.SIGKILL)
    assert list(rows(db, "by_name")) == [b"Ann#000001"]

    [repair] = repaired(db, since)

    assert repair == (b"000007", "by_name", b"Jo#000007", None)
    [cell] = rows(db, "by_name")[b"Jo#000007"]
    [_, town] = rows(db, "person")[b"000007"]
    assert cell == town
    assert repaired(db, since) == []


def test_only_what_is_missing_or_older_is_written(bigtable: Instances) -> None:
    """A twin with another value of before is written again, one of a later writer is kept, and rows that are gone or broken write nothing."""
    db, since = bigtable(Person, ByName), datetime.now(UTC)
    twins = TwinRepository(db, PEOPLE)
    for number in range(1, 6):
        twins.put(Person(number=number, name="Jo", town="Oslo"))
    at = rows(db, "person")[b"000001"][0].timestamp
    db.write(Mutation("by_name", b"Jo#000001", [Cell("d", b"town", at, b"old")]))
    db.write(Mutation("by_name", b"Jo#000002", [Cell("d", b"town", at + 60_000_000, b"later")]))
    PersonRepository(db).delete_many([PersonKey(3)])
    db.write(Mutation("person", b"000004", [Cell("d", b"name", at + 60_000_000, b"longer than ten bytes")]))
    db.write(Mutation("person", b"000005", [Cell("d", b"name", at + 60_000_000, b"\xff")]))

    found = repaired(db, since)

    assert [one.key for one in found if one.error is None] == [b"Jo#000001"]
    assert {one.source: type(one.error) for one in found if one.error is not None} == {
        b"000004": bt.ValueRefused,
        b"000005": bt.UndecodableCell,
    }
    values = {key: cells[0].value for key, cells in rows(db, "by_name").items()}
    assert values[b"Jo#000001"] == b"Oslo"
    assert values[b"Jo#000002"] == b"later"


def test_other_changes_are_refused(bigtable: Instances) -> None:
    """Twins that write their source last, and changes of another table, are refused with the reason."""
    db = bigtable(Person, ByName)
    changes = PersonRepository(db).changes()
    last = bt.twins(Person, ByName, source_last=True)
    with pytest.raises(bt.QueryRefused, match="written before Person"):
        next(TwinRepository(db, last).repair(changes))
    other = bt.twins(ByName, (Person, lambda row: Person(number=row.number, name=row.name)))
    with pytest.raises(bt.QueryRefused, match="expected the changes of ByName"):
        next(TwinRepository(db, other).repair(changes))


def test_the_asynchronous_twin_repairs(bigtable: Instances) -> None:
    """The same with ``async for``."""
    db, since = bigtable(Person, ByName), datetime.now(UTC)
    PersonRepository(db).put(Person(number=7, name="Jo", town="Oslo"))

    async def repair() -> list[bytes]:
        async with bt.connect_async(db.target.instance) as other:
            changes = AsyncPersonRepository(other).changes(
                since=since, until=datetime.now(UTC), heartbeat=0.05
            )
            return [one.key async for one in AsyncTwinRepository(other, PEOPLE).repair(changes)]

    assert asyncio.run(repair()) == [b"Jo#000007"]
    assert list(rows(db, "by_name")) == [b"Jo#000007"]
