"""Sampling of tables: rows of all of it, in few requests, within bounds."""

from bisect import bisect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import btmodel as bt
from btmodel.client.row_streams import Row
from btmodel.client.sampling import Bounds, sample
from btmodel.rows import Cell, Mutation, ReadPlan

pytestmark = pytest.mark.both_servers


class Reading(bt.Model, table="READING"):
    """Rows whose keys lie anywhere."""

    id: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(5))
    wide = bt.family("wide", gc=bt.max_versions(1))
    value: bytes | None = bt.column("v", f, default=None)


def filled(db: bt.Database, keys: list[bytes], size: int = 10) -> bt.Database:
    """The database with a row for each key."""
    db.write_many("READING", [Mutation("READING", key, (Cell("f", b"v", 0, bytes(size)),)) for key in keys])
    return db


class Counted:
    """A database, and the reads that were asked of it."""

    def __init__(self, db: bt.Database) -> None:
        self.db = db
        self.plans: list[ReadPlan] = []
        self.rows = 0
        self.splits_given: list[bytes] = []

    def read(self, plan: ReadPlan) -> Iterator[Row]:
        self.plans.append(plan)
        for row in self.db.read(plan):
            self.rows += 1
            yield row

    def splits(self, table: str) -> list[bytes]:
        self.splits_given = self.db.splits(table)
        return self.splits_given


FAMILIES = ("f", "wide")


def test_a_small_table_is_read_with_one_request(database: Callable[..., bt.Database]) -> None:
    """Fewer rows than are read at one place are all there is, and no more is asked."""
    db: Any = Counted(filled(database(Reading), [b"a%03d" % n for n in range(100)]))
    found = sample(db, "READING", FAMILIES, Bounds())
    assert (len(found.rows), found.whole, len(db.plans)) == (100, True, 1)


def test_an_empty_table(database: Callable[..., bt.Database]) -> None:
    """There is nothing, and that is all of it."""
    found = sample(database(Reading), "READING", FAMILIES, Bounds())
    assert (found.rows, found.whole) == ((), True)


@pytest.mark.parametrize(("form", "fifths"), [(b"%05d", 5), (b"prefix#%05d#x", 5), (b"%x", 3)])
def test_a_large_table_is_read_at_several_places(
    database: Callable[..., bt.Database], form: bytes, fifths: int
) -> None:
    """The first and the last row are there, and each fifth of even keys has some; no row is read twice.

    The emulator splits a table at random keys, so there it is each fifth of those.
    """
    keys = sorted(form % n for n in range(8_000))
    db: Any = Counted(filled(database(Reading), keys))
    found = sample(db, "READING", FAMILIES, Bounds(rows=400, seconds=600))
    got = [key for key, _ in found.rows]
    assert got == sorted(set(got))
    assert not found.whole
    assert (got[0], got[-1]) == (keys[0], keys[-1])
    assert len(got) == db.rows == 400
    assert len(db.plans) < 40
    marks = sorted(db.splits_given) if len(db.splits_given) > 10 else keys
    assert len({bisect(marks, key) * 5 // (len(marks) + 1) for key in got}) >= fifths


def test_a_table_of_as_many_rows_is_read_as_a_whole(database: Callable[..., bt.Database]) -> None:
    """Where the rows are no more than may be read, all of them are, however they lie."""
    keys = [b"a%04d" % n for n in range(500)] + [b"z%04d" % n for n in range(100)]
    found = sample(filled(database(Reading), keys), "READING", FAMILIES, Bounds(rows=700))
    assert ([key for key, _ in found.rows], found.whole) == (keys, True)


def test_bytes_are_bounded(database: Callable[..., bt.Database]) -> None:
    """Reading ends with the row that goes over the bound, and what ended it is said."""
    db: Any = Counted(filled(database(Reading), [b"%03d" % n for n in range(300)], size=100_000))
    found = sample(db, "READING", FAMILIES, Bounds(size=1_000_000))
    assert len(found.rows) == 10
    assert (found.whole, found.stopped) == (False, "1 MB were read")


def test_time_is_bounded(database: Callable[..., bt.Database]) -> None:
    """Without any time, one row is read."""
    db = filled(database(Reading), [b"a", b"b"])
    found = sample(db, "READING", FAMILIES, Bounds(seconds=0))
    assert (len(found.rows), found.whole, found.stopped) == (1, False, "0 s were over")


def test_a_wide_family_hides_no_other(database: Callable[..., bt.Database]) -> None:
    """Of each family the first columns are read, and of each column the newest versions."""
    db = database(Reading)
    cells = [Cell("wide", b"%04d" % n, 0, b"x") for n in range(1_000)]
    cells += [Cell("f", b"v", 1_000 * n, b"%d" % n) for n in range(5)]
    db.write(Mutation("READING", b"row", tuple(cells)))
    [(_, got)] = sample(db, "READING", ("f", "wide"), Bounds()).rows
    assert [cell.value for cell in got if cell.family == "f"] == [b"4", b"3", b"2"]
    assert sum(cell.family == "wide" for cell in got) == 300
