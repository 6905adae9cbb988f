"""Writes by clocks that differ: what is answered with True is there, against a real server."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from notes import Note, Seen, generated

import btmodel as bt
from btmodel.rows import Cell, Mutation

Open = Callable[..., bt.Database]
NOTES, SEEN = generated(Note), generated(Seen)
AHEAD, BEHIND = datetime(2096, 1, 1, tzinfo=UTC), datetime(2001, 1, 1, tzinfo=UTC)
AT = datetime(2020, 1, 1, tzinfo=UTC)


class Kept(bt.Model, table="kept"):
    """A row of a value, events and entries, of which several versions are kept."""

    name: str = bt.key(bt.Text(max_length=5), mirror="d:name")

    d = bt.family("d", gc=bt.max_versions(9))
    m = bt.family("m", gc=bt.max_versions(9))
    title: str = bt.column("t", d)
    prices: bt.History[int] = bt.history("p", d)
    scores: dict[str, int] = bt.mapping(m, bt.Text(max_length=5), prefix="s:")

    every = bt.query(scan="the tests")


class Unmoved(bt.Model, table="unmoved", timestamp=0):
    """A row whose cells all have the timestamp 0."""

    name: str = bt.key(bt.Text(max_length=5))

    d = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("t", d)
    version: int = bt.column("v", d)


KEPT, UNMOVED = generated(Kept), generated(Unmoved)


def note(title: str, version: int, **more: Any) -> Note:
    """A note of one key."""
    return Note(
        tenant="acme", name="a", title=title, version=version, **{"tags": set(), "scores": {}, **more}
    )


@pytest.fixture
def notes(database: Open) -> Any:
    """An empty table of notes."""
    return NOTES.NoteRepository(database(Note))


def put_at(repository: Any, row: Any, now: datetime) -> None:
    """Put a row by a clock that shows ``now``."""
    repository._db.write(bt.mutation_of(row, now=now))


@pytest.mark.parametrize("clock", [AHEAD, BEHIND])
def test_of_those_who_put_if_one_wins_and_is_read(notes: Any, clock: datetime) -> None:
    """Whatever clock wrote the row, one of three is answered True, and all of its cells are there."""
    put_at(notes, note("A", 1, text="A", scores={"x": 1, "y": 1}), clock)
    answers = [notes.put_if(note(title, 2, text=title, scores={"x": 2}), version=1) for title in "BCD"]
    assert answers == [True, False, False]
    assert notes.get("acme", "a") == note("B", 2, text="B", scores={"x": 2, "y": 1})


@pytest.mark.parametrize("clock", [AHEAD, BEHIND])
def test_a_row_is_replaced_whatever_clock_wrote_it(notes: Any, clock: datetime) -> None:
    """What replace deletes covers nothing, and so it is where a row was deleted before."""
    put_at(notes, note("A", 1), clock)
    notes.replace(note("B", 2))
    assert notes.get("acme", "a") == note("B", 2)
    put_at(notes, note("A", 1), clock)
    assert notes.put_if_absent(note("C", 3)) is False
    notes.delete("acme", "a")
    assert notes.put_if_absent(note("C", 3)) is True
    assert notes.get("acme", "a") == note("C", 3)


def test_a_put_by_a_clock_that_is_behind_is_covered(notes: Any) -> None:
    """put is a write without a look: of two the one with the later time is read, as it is Bigtable's own meaning."""
    put_at(notes, note("A", 1, text="A"), AHEAD)
    notes.put(note("B", 2))
    assert notes.get("acme", "a") == note("A", 1, text="A")


@pytest.mark.parametrize("clock", [AHEAD, BEHIND])
def test_no_version_is_lost_among_clocks(notes: Any, clock: datetime) -> None:
    """Each version is written once, and seen by whoever writes the next one."""
    put_at(notes, note("A", 0), clock)

    def count(_: int) -> int:
        won = 0
        while won < 5:
            seen = notes.get("acme", "a")
            won += notes.put_if(note("x", seen.version + 1), version=seen.version)
        return won

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(count, range(4))) == 20
    assert notes.get("acme", "a").version == 20


def test_older_versions_and_those_of_a_history_stay(database: Open) -> None:
    """put_if deletes what would cover its plain cells: neither what is older, nor events, nor other entries."""
    kept = KEPT.KeptRepository(database(Kept))
    later = bt.History({AHEAD: 3})
    put_at(kept, Kept(name="a", title="first", prices=bt.History(), scores={}), BEHIND)
    put_at(kept, Kept(name="a", title="A", prices=later, scores={"x": 1, "y": 1}), AHEAD)
    row = Kept(name="a", title="B", prices=bt.History({AT: 2}), scores={"x": 2})
    assert kept.put_if(row, title="A") is True
    assert kept.get("a") == Kept(
        name="a", title="B", prices=bt.History({AHEAD: 3, AT: 2}), scores={"x": 2, "y": 1}
    )
    [(_, cells)] = kept._db.cells("kept")
    assert [cell.value for cell in cells if cell.qualifier == b"t"] == [b"B", b"first"]


def test_a_fixed_timestamp_is_uncovered_too(database: Open) -> None:
    """A cell that another program wrote with a time of its own does not hide the row that is put."""
    unmoved = UNMOVED.UnmovedRepository(database(Unmoved))
    unmoved.put(Unmoved(name="a", title="A", version=1))
    unmoved._db.write(Mutation("unmoved", b"a", [Cell("d", b"t", 5_000, b"other")]))
    assert unmoved.put_if(Unmoved(name="a", title="B", version=2), version=1) is True
    assert unmoved.get("a") == Unmoved(name="a", title="B", version=2)


def test_a_row_with_a_time_of_its_own_is_not_put_over_a_later_one(database: Open) -> None:
    """What is written late never replaces what is newer: put_if says so, and False only where the condition does not hold."""
    seen = SEEN.SeenRepository(database(Seen))
    rows = {at: Seen(page="home", at=at, title=f"of {at.year}") for at in (BEHIND, AT, AHEAD)}
    seen.put(rows[AT])
    with pytest.raises(
        bt.LaterRow, match=r"row b'home' of no later time .*; the condition holds, and nothing was"
    ):
        seen.put_if(rows[BEHIND], title="of 2020")
    assert seen.put_if(rows[BEHIND], title="of 2001") is False
    assert seen.get("home") == rows[AT]
    assert seen.put_if(rows[AHEAD], title="of 2020") is True
    assert seen.get("home") == rows[AHEAD]
    assert seen.put_if(Seen(page="home", at=AT, title="x"), title=None) is False
    assert seen.put_if(Seen(page="new", at=AT, title="x"), title=None) is True
