"""Edits of parts of rows never begin a row that lacks what its model requires, against a real server."""

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime
from multiprocessing.context import ForkServerContext
from typing import Any

import pytest
from notes import Note, Seen, Visited, generated

import btmodel as bt
from btmodel import emulator
from btmodel.rows import Cell, Delete, Mutation

Open = Callable[..., bt.Database]
NOTES, SEEN, VISITED = generated(Note), generated(Seen), generated(Visited)
KEY = NOTES.NoteKey("acme", "a")
AHEAD = datetime(2096, 1, 1, tzinfo=UTC)
LATER = 4_000_000_000_000_000  # microseconds, in the year 2096


class Tally(bt.Model, table="tally"):
    """Numbers, one of which every row has, and text that rows may lack."""

    name: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(2))
    seen: int = bt.column("s", d)
    told: int | None = bt.column("t", d, default=None)
    log: str | None = bt.column("l", d, default=None)

    every = bt.query(scan="the tests")


class Loose(bt.Model, table="loose"):
    """Nothing here is required."""

    name: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    seen: int | None = bt.column("s", d, default=None)
    log: bytes | None = bt.column("l", d, default=None)
    likes: int | None = bt.counter("n", c)


TALLIES, LOOSE = generated(Tally), generated(Loose)


@pytest.fixture
def notes(database: Open) -> Any:
    """An empty table of notes."""
    return NOTES.NoteRepository(database(Note))


@pytest.fixture
def tallies(database: Open) -> Any:
    """An empty table of tallies."""
    return TALLIES.TallyRepository(database(Tally))


def note(**more: Any) -> Note:
    """The note of the key."""
    return Note(tenant="acme", name="a", **{"title": "a", "tags": set(), "scores": {}, **more})


def found(row: Any) -> tuple[int, str, int]:
    """What the edits of a row made of it."""
    return row.visits, row.text, row.likes


def edits(notes: Any) -> list[Callable[[], object]]:
    """An edit of each kind that would begin a note without its title."""
    return [
        lambda: notes.increment(KEY, "visits"),
        lambda: notes.extend(KEY, "text", "more"),
        lambda: notes.add(KEY, likes=1),
    ]


def test_an_edit_of_a_row_that_is_not_there_is_refused(notes: Any) -> None:
    """The error names table, key and what is required; nothing is written, and the row can then be put."""
    for edit in edits(notes):
        with pytest.raises(
            bt.MissingRow, match=r"table notes: expected a row b'acme#a' with title, as every Note"
        ) as caught:
            edit()
        assert caught.value.key == b"acme#a"
    assert list(notes._db.cells("notes")) == []
    assert list(notes.all_notes()) == []
    notes.put(note())
    for edit in edits(notes):
        edit()
    assert found(notes.get(*KEY)) == (1, "more", 1)


class Message(bt.Model, table="messages"):
    """A message, whose body is required, and extended."""

    number: int = bt.key(bt.PaddedInt(4))
    d = bt.family("d", gc=bt.max_versions(1))
    author: str = bt.column("a", d)
    kind: str = bt.column("k", d)
    body: str = bt.column("b", d)


MESSAGES = generated(Message)


def test_the_error_names_what_the_docstring_names(database: Open) -> None:
    """What every row has is the same in both, the column to be changed among them."""
    messages = MESSAGES.MessageRepository(database(Message))
    with pytest.raises(bt.MissingRow, match="with author, kind, body, as every Message has"):
        messages.extend(MESSAGES.MessageKey(1), "body", "more")
    told = " ".join(messages.extend.__doc__.split())
    assert "Every Message has ``author``, ``kind``, ``body``, so the row must be there" in told


def test_a_row_without_what_is_required_is_as_good_as_none(notes: Any) -> None:
    """Cells of other columns do not make a row of the model."""
    notes._db.write(Mutation("notes", b"acme#a", [Cell("d", b"x", 5_000, b"text")]))
    for edit in edits(notes):
        with pytest.raises(bt.MissingRow):
            edit()
    assert [key for key, _ in notes._db.cells("notes")] == [b"acme#a"]


def test_what_alone_is_required_may_begin_a_row(tallies: Any) -> None:
    """Adding to the one required column makes a whole row; adding to another one needs the row."""
    assert tallies.increment(TALLIES.TallyKey("a"), "seen", 5) == 5
    with pytest.raises(bt.MissingRow, match="with seen, as every Tally has"):
        tallies.increment(TALLIES.TallyKey("b"), "told")
    assert tallies.increment(TALLIES.TallyKey("a"), "told", -2) == -2
    assert list(tallies.every()) == [Tally(name="a", seen=5, told=-2)]


def test_where_nothing_is_required_edits_begin_rows(database: Open) -> None:
    """A model that says that rows may lack everything has edits of a single request, as ever."""
    loose = LOOSE.LooseRepository(database(Loose))
    keys = [LOOSE.LooseKey(name) for name in "abc"]
    assert loose.increment(keys[0], "seen") == 1
    assert loose.extend(keys[1], "log", b"x") == b"x"
    loose.add(keys[2], likes=3)
    assert loose.get_many(keys) == [
        Loose(name="a", seen=1),
        Loose(name="b", log=b"x"),
        loose._codec.make({"name": "c", "seen": None, "log": None, "likes": 3}, ()),
    ]


def test_a_time_in_the_timestamps_is_required_too(database: Open) -> None:
    """A counter alone would make a row without its time."""
    seen = SEEN.SeenRepository(database(Seen))
    with pytest.raises(bt.MissingRow, match="with at, as every Seen has"):
        seen.add(SEEN.SeenKey("home"), times=2)
    row = Seen(page="home", at=datetime(2020, 1, 1, tzinfo=UTC))
    seen.put(row)
    seen.add(SEEN.SeenKey("home"), times=2)
    assert (seen.get("home").times, seen.get("home").at) == (2, row.at)


def test_what_the_key_is_made_from_is_not_extended(database: Open) -> None:
    """A row whose column no longer fits its key could not be read."""
    visited = VISITED.VisitedRepository(database(Visited))
    visited.put(Visited(url="a"))
    assert not hasattr(visited, "extend")
    with pytest.raises(bt.QueryRefused, match=r"Visited.url: the row key is made from it"):
        visited._extend(VISITED.VisitedKey(None, "a"), "url", "b")


def test_the_newest_value_is_changed_by_a_clock_that_is_behind(notes: Any) -> None:
    """The new cell is never hidden behind the one that was read, which has a later timestamp."""
    notes.put(note())
    raw = (41).to_bytes(8)
    notes._db.write(Mutation("notes", b"acme#a", [Cell("d", b"v", LATER, raw)]))
    assert notes.increment(KEY, "visits") == 42
    assert notes.get(*KEY).visits == 42
    [*_, newest] = [cell for _, cells in notes._db.cells("notes") for cell in cells if cell.qualifier == b"v"]
    assert newest.timestamp == LATER


def test_a_sum_that_no_cell_can_hold_is_refused(notes: Any) -> None:
    """Nothing is written, where the service would begin again at the other end."""
    notes.put(note(visits=2**63 - 1))
    with pytest.raises(bt.ValueRefused, match=r"Note.visits: expected .*, got 9223372036854775808"):
        notes.increment(KEY, "visits")
    assert notes.get(*KEY).visits == 2**63 - 1


def test_no_change_is_lost_among_writers(notes: Any) -> None:
    """Every one of many increments and extensions counts, each once."""
    notes.put(note())

    def work(_: int) -> list[int]:
        notes.extend(KEY, "text", "x")
        return [notes.increment(KEY, "visits") for _ in range(5)]

    with ThreadPoolExecutor(4) as pool:
        counted = sorted(value for values in pool.map(work, range(8)) for value in values)
    assert counted == list(range(1, 41))
    assert notes.get(*KEY).text == "x" * 8


@pytest.mark.parametrize("size", [2_000, 2_001, 11_000, 300_000])
def test_long_text_is_extended(notes: Any, size: int) -> None:
    """However long it is, it grows, though a condition holds no more than 20,480 bytes."""
    notes.put(note(text="y" * size))
    assert notes.extend(KEY, "text", "é\n") == "y" * size + "é\n"
    assert notes.extend(KEY, "text", "\0.*") == "y" * size + "é\n\0.*"
    assert notes.get(*KEY).text == "y" * size + "é\n\0.*"


LETTERS = 15  # of each process


@pytest.fixture(scope="module")
def processes(preloaded: ForkServerContext) -> Iterator[ProcessPoolExecutor]:
    """Four processes, for all texts: to start them takes longer than what they do."""
    with ProcessPoolExecutor(4, mp_context=preloaded) as pool:
        yield pool


def extend_often(host: str, instance: str, letter: str) -> None:
    """What one process of several does to the text of the note."""
    os.environ[emulator.VARIABLE] = host
    with bt.connect(instance) as db:
        for _ in range(LETTERS):
            NOTES.NoteRepository(db).extend(KEY, "text", letter)


@pytest.mark.parametrize("begins", ["", "x" * 30_000])
def test_no_extension_is_lost_among_processes(
    notes: Any, server: Any, instance: str, begins: str, processes: ProcessPoolExecutor
) -> None:
    """Four processes put some letters each behind a text, short or long, and all of them are there."""
    notes.put(note(text=begins))
    for one in [processes.submit(extend_often, server.host, instance, "x") for _ in range(4)]:
        one.result()
    assert notes.get(*KEY).text == begins + "x" * 4 * LETTERS


@pytest.mark.parametrize("other", ["y" * 11_000 + "!", "!" + "y" * 11_000])
def test_another_long_text_of_the_same_millisecond_is_seen(notes: Any, other: str) -> None:
    """Where the timestamp is the same, the ends of the text tell that somebody wrote another one."""
    row = note(text="y" * 11_000)
    notes._db.write(bt.mutation_of(row, now=AHEAD))
    write_if = notes._db.write_if

    def overtaken(conditional: Any) -> bool:
        notes._db.write_if = write_if
        notes._db.write(bt.mutation_of(note(text=other), now=AHEAD))
        return bool(write_if(conditional))

    notes._db.write_if = overtaken
    assert notes.extend(KEY, "text", "x") == other + "x"
    assert notes.get(*KEY).text == other + "x"


def test_an_extension_by_the_same_letter_is_seen(notes: Any) -> None:
    """Two extensions of a long text that end alike, by clocks that stand still behind its time, both count."""
    notes._db.write(bt.mutation_of(note(text="y" * 11_000), now=AHEAD))
    write_if = notes._db.write_if

    def overtaken(conditional: Any) -> bool:
        notes._db.write_if = write_if
        assert notes.extend(KEY, "text", "y") == "y" * 11_001
        return bool(write_if(conditional))

    notes._db.write_if = overtaken
    assert notes.extend(KEY, "text", "y") == "y" * 11_002


def test_what_no_condition_holds_is_refused(notes: Any) -> None:
    """A value, or several together, that are too large for a filter are refused with the limit, before anything is sent."""
    notes.put(note())
    for compare in (
        lambda: notes.put_if(note(), text="y" * 30_000),
        lambda: notes.all_notes().where(title="t" * 11_000),
    ):
        with pytest.raises(
            bt.ValueRefused, match=r"Note\.t\w+: expected a value of at most 10,240 bytes .* 20,480"
        ):
            compare()
    several = {"title": "t" * 6_000, "text": "t" * 6_000}
    for send in (
        lambda: notes.put_if(note(), **several),
        lambda: list(notes.all_notes().where(**several)),
        lambda: notes.all_notes().where(title="t" * 10_240).count(),
    ):
        with pytest.raises(
            bt.QueryRefused, match=r"'notes': expected a filter of at most 20,480 bytes, .* got 2\d,"
        ):
            send()
    assert list(notes.all_notes().where(title="t" * 10_000)) == []


def test_a_number_begins_again_at_the_other_end_where_the_server_adds(database: Open) -> None:
    """ReadModifyWrite knows no overflow: what no 64 bits hold is wrapped."""
    loose = LOOSE.LooseRepository(database(Loose))
    loose.put(Loose(name="a", seen=2**63 - 1))
    assert loose.increment(LOOSE.LooseKey("a"), "seen") == -(2**63)


def test_a_row_that_goes_away_meanwhile_is_not_begun_again(notes: Any) -> None:
    """Whatever deletes and edits come between one another, no read ever meets a row without its title."""

    def delete_and_put(_: int) -> None:
        notes.delete(*KEY)
        list(notes.all_notes())
        notes.put(note())

    def edit(at: int) -> int:
        try:
            edits(notes)[at % 3]()
        except bt.MissingRow:
            return 1
        return 0

    notes.put(note())
    with ThreadPoolExecutor(4) as pool:
        swept = [pool.submit(delete_and_put, n) for n in range(60)]
        edited = [pool.submit(edit, n) for n in range(150)]
        for one in swept:
            one.result()
        assert 0 <= sum(one.result() for one in edited) <= 150
    notes.delete(*KEY)
    assert list(notes._db.cells("notes")) == []


@pytest.mark.parametrize("gone", [Delete(), Delete("d", b"t")])
@pytest.mark.parametrize("visits", [None, 1])
def test_what_goes_away_before_the_write_is_seen(notes: Any, gone: Delete, visits: int | None) -> None:
    """Between the look and the write the row goes, or its title alone: nothing is written, whatever was there."""
    write_if = notes._db.write_if

    def overtaken(conditional: Any) -> bool:
        notes._db.write(Mutation("notes", b"acme#a", deletes=[gone]))
        before = list(notes._db.cells("notes"))
        written = write_if(conditional)
        assert list(notes._db.cells("notes")) == before
        return bool(written)

    notes._db.write_if = overtaken
    for edit in edits(notes)[:2]:
        notes.put(note(visits=visits))
        with pytest.raises(bt.MissingRow):
            edit()


def test_one_that_never_wins_gives_up(notes: Any) -> None:
    """Where another writer comes first each time, the error says so, and that a counter is the better choice."""
    notes.put(note(visits=1))
    ticks = iter(range(1, 1_000))
    write_if = notes._db.write_if

    def overtaken(conditional: Any) -> bool:
        moved = LATER + next(ticks) * 1_000
        notes._db.write(Mutation("notes", b"acme#a", [Cell("d", b"v", moved, (1).to_bytes(8))]))
        return bool(write_if(conditional))

    notes._db.write_if = overtaken
    with pytest.raises(bt.ServerError, match=r"other writers came first 100 times .*use a counter"):
        notes.increment(KEY, "visits")
    assert notes.get(*KEY).visits == 1


def test_the_same_with_await(migrated: Callable[..., str]) -> None:
    """The asynchronous repository refuses and changes the same."""

    async def main() -> None:
        async with bt.connect_async(migrated(Note)) as db:
            notes = NOTES.AsyncNoteRepository(db)
            for edit in edits(notes):
                with pytest.raises(bt.MissingRow):
                    await edit()  # type: ignore[misc]
            await notes.put(note())
            for edit in edits(notes):
                await edit()  # type: ignore[misc]
            assert found(await notes.get(*KEY)) == (1, "more", 1)

    asyncio.run(main())
