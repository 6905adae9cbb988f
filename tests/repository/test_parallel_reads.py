"""Reads in parallel give the same rows, and leave nothing behind."""

import asyncio
import threading
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from notes import Note, Spread, generated
from parted_tables import create

import btmodel as bt
from btmodel.errors import MissingTable, QueryRefused, UndecodableKey
from btmodel.rows import Cell, Mutation

NOTES, SPREAD = generated(Note), generated(Spread)
SPLITS = [b"t%d#" % number for number in range(1, 9)] + [b"t3#n05"]
ROWS = [
    Note(tenant=f"t{tenant}", name=f"n{name:02}", title="x", tags=set(), scores={})
    for tenant in range(9)
    for name in range(60)
]


@pytest.fixture
def address(server: Any, served: str) -> str:
    """A table of notes in ten parts."""
    create(server.host, served, Note, SPLITS)
    with bt.connect(served) as db:
        assert NOTES.NoteRepository(db).put_many(ROWS) == len(ROWS)
    return served


@pytest.fixture
def notes(address: str) -> Any:
    """Their repository."""
    with bt.connect(address) as db:
        yield NOTES.NoteRepository(db)


def readers() -> list[threading.Thread]:
    """The threads that read."""
    return [thread for thread in threading.enumerate() if thread.name == "btmodel-task"]


@pytest.mark.parametrize("workers", [1, 3, 8, 64])
def test_all_rows_come_in_order(notes: Any, workers: int) -> None:
    """In order, whatever the direction and the limit; the same read again gives the same."""
    read = notes.all_notes().parallel(workers)
    assert list(read) == list(read) == ROWS
    assert list(read.backwards()) == ROWS[::-1]
    for limit in (1, 60, 61, 539, 540, 541):
        assert list(read.limit(limit)) == ROWS[:limit]
        assert list(notes.all_notes().backwards().limit(limit).parallel(workers)) == ROWS[::-1][:limit]
        assert read.limit(limit).count() == min(limit, len(ROWS))
    assert [key.name for key in notes.of_tenant("t3").parallel(workers).keys()] == [
        row.name for row in ROWS if row.tenant == "t3"
    ]
    assert readers() == []


@pytest.mark.parametrize("workers", [1, 3, 64])
def test_all_rows_come_once_in_any_order(notes: Any, workers: int) -> None:
    """As they arrive: every row once, filters and ranges held."""
    read = notes.all_notes().parallel(workers, ordered=False)
    assert sorted(read, key=lambda row: (row.tenant, row.name)) == ROWS
    assert read.count() == len(ROWS)
    assert {key.tenant for key in read.matching("t[12]#.*").keys()} == {"t1", "t2"}
    assert sum(1 for _ in notes.named("t4", "n10", "n30").parallel(workers, ordered=False)) == 20
    assert sum(1 for _ in read.where(title="y")) == 0
    assert readers() == []


def test_a_loop_that_is_left_leaves_nothing(notes: Any) -> None:
    """Closed, raised out of or forgotten: no thread is left, and the connection is good for more."""
    for ordered in (True, False):
        read = notes.all_notes().parallel(8, ordered=ordered)
        rows = iter(read)
        next(rows)
        rows.close()
        assert readers() == []
        assert len(list(islice(read, 3))) == 3  # the iterator is forgotten
        assert readers() == []
        with pytest.raises(RuntimeError):
            _raise_at(read, 100)
        assert readers() == []
    assert notes.all_notes().count() == len(ROWS)


def _raise_at(read: Any, count: int) -> None:
    for at, _ in enumerate(read):
        if at == count:
            raise RuntimeError("enough")


def test_rows_that_cannot_be_decoded_are_told(notes: Any) -> None:
    """Raised behind the rows in front of it, in order; or given to the handler, and passed over."""
    notes._db.write(Mutation("notes", b"t5\xff", [Cell("d", b"t", 1000, b"x")]))
    notes._db.write(Mutation("notes", b"t7\xff", [Cell("d", b"t", 1000, b"x")]))
    read = notes.all_notes().parallel(4)
    came: list[Any] = []
    with pytest.raises(UndecodableKey):
        came.extend(read)
    for row in read.on_error(lambda error: None):
        came.append(row)
    assert came[-len(ROWS) :] == ROWS
    errors: list[Any] = []
    told = read.on_error(errors.append)
    assert told.count() == len(ROWS)
    assert sorted(error.key for error in errors) == [b"t5\xff", b"t7\xff"]
    with pytest.raises(UndecodableKey):
        list(notes.all_notes().parallel(4, ordered=False))
    assert readers() == []


def test_rows_are_deleted_in_parallel(notes: Any) -> None:
    """Those that are meant, and no others; progress counts all of them."""
    told: list[int] = []
    chosen = notes.all_notes().matching("t[0-7]#.*").parallel(4)
    assert chosen.limit(7).delete() == 7
    assert chosen.delete(told.append) == 480 - 7
    assert told == sorted(told)
    assert told[-1] == 480 - 7
    assert list(notes.all_notes()) == ROWS[480:]
    assert readers() == []


def test_what_makes_no_sense_is_refused(notes: Any) -> None:
    """A limit of rows that come in no order, merged rows in order, and numbers that are none."""
    read = notes.all_notes()
    for wrong in (0, 65, True, "8"):
        with pytest.raises(QueryRefused, match="from 1 to 64 workers"):
            read.parallel(wrong)
    for refused in (
        lambda: read.limit(3).parallel(ordered=False),
        lambda: read.parallel(ordered=False).limit(3),
    ):
        with pytest.raises(QueryRefused, match="without a limit"):
            refused()


def test_a_salted_table_is_read_as_rows_arrive(database: Callable[..., bt.Database]) -> None:
    """In the order of its fields it is merged, at once as it is; in no order it is read in parallel."""
    spread = SPREAD.SpreadRepository(database(Spread))
    rows = [Spread(number=number, user=f"u{number % 7}", value=number) for number in range(50)]
    spread.put_many(rows)
    numbered = spread.numbered(10, 40)
    with pytest.raises(QueryRefused, match="salted"):
        numbered.parallel()
    assert sorted(row.number for row in numbered.parallel(2, ordered=False)) == list(range(10, 40))
    assert numbered.parallel(ordered=False).delete() == 30
    assert spread.numbered(None, None).count() == 20


def test_googles_merger_reads_in_parallel_too(address: str) -> None:
    """The same rows with the other data plane, and no thread of a loop that is left."""
    with bt.connect(address, data_plane="client") as db:
        read = NOTES.NoteRepository(db).all_notes().parallel(4)
        assert list(read) == ROWS
        assert next(iter(read)) == ROWS[0]
        assert readers() == []


def test_a_missing_table_is_told(served: str) -> None:
    """As by any other read."""
    with bt.connect(served) as db, pytest.raises(MissingTable):
        list(NOTES.NoteRepository(db).all_notes().parallel())


def test_asynchronous_reads_do_the_same(address: str) -> None:
    """Rows in order and as they arrive; no task is left of a loop that was left or cancelled."""

    async def main() -> None:
        async with bt.connect_async(address) as db:
            read = NOTES.AsyncNoteRepository(db).all_notes()
            assert [row async for row in read.parallel(5)] == ROWS
            assert [row async for row in read.backwards().parallel(3).limit(70)] == ROWS[::-1][:70]
            found = [row async for row in read.parallel(5, ordered=False)]
            assert sorted(found, key=lambda row: (row.tenant, row.name)) == ROWS
            assert await read.parallel().count() == len(ROWS)
            before = asyncio.all_tasks()
            for ordered in (True, False):
                rows = aiter(read.parallel(8, ordered=ordered))
                await anext(rows)
                await rows.aclose()  # type: ignore[attr-defined]
                await _all_gone(before)
                counting = asyncio.ensure_future(_forever(read.parallel(8, ordered=ordered)))
                await asyncio.sleep(0.05)
                counting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await counting
                await _all_gone(before)
            assert await read.parallel(ordered=False).delete() == len(ROWS)

    asyncio.run(main())


async def _all_gone(before: set[Any]) -> None:
    """Wait for what the event loop closes by itself: an iterator that is forgotten in a loop's middle."""
    for _ in range(1_000):
        if asyncio.all_tasks() <= before:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(asyncio.all_tasks() - before)


async def _forever(read: Any) -> None:
    while True:
        async for _ in read:
            await asyncio.sleep(0)
