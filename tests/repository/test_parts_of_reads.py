"""Parts of a read are values that travel, and hold each row once."""

import asyncio
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from notes import Measured, Note, Spread, generated
from parted_tables import create

import btmodel as bt
from btmodel.errors import QueryRefused
from tests.forked_commands import Commands

NOTES, SPREAD = generated(Note), generated(Spread)
SPLITS = [b"t%d#" % number for number in range(1, 9)] + [b"t3#n05"]
ROWS = [
    Note(tenant=f"t{tenant}", name=f"n{name:02}", title="x", tags=set(), scores={})
    for tenant in range(9)
    for name in range(60)
]


@pytest.fixture
def notes(server: Any, served: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The repository of a table of notes in ten parts, whose module others can import."""
    monkeypatch.setitem(sys.modules, "Note", NOTES)
    create(server.host, served, Note, SPLITS)
    with bt.connect(served) as db:
        NOTES.NoteRepository(db).put_many(ROWS)
        yield NOTES.NoteRepository(db)


def read(parts: list[Any], db: bt.Database) -> list[Any]:
    """The rows of parts, each of which has travelled."""
    found = [pickle.loads(pickle.dumps(part)) for part in parts]
    assert found == parts
    return [row for part in found for row in part.read(db)]


def test_parts_hold_all_rows_in_order(notes: Any) -> None:
    """Of a read of a range, of several values, and of narrowed ones; where the table divides, or of a given size."""
    reads = [
        notes.all_notes(),
        notes.of_tenant("t3"),
        notes.of_tenant(["t1", "t7"]),
        notes.named("t4", "n10", "n30"),
        notes.all_notes().where(title="x"),
        notes.all_notes().where(title="y"),
        notes.all_notes().only("title"),
        notes.all_notes().matching("t[12]#.*"),
        notes.all_notes().times(None, None),
    ]
    for one in reads:
        rows = list(one)
        for size in (None, 500, 5_000, 10**9):
            parts = one.parts(size)
            assert read(parts, notes._db) == rows, one
            if size == 10**9:
                assert len(parts) == 1
    assert len(notes.all_notes().parts()) > 1
    whole = sum(part.size for part in notes.all_notes().parts())
    assert len(notes.all_notes().parts(whole // 40)) > 20
    assert 0 < sum(part.size for part in notes.of_tenant("t3").parts()) <= whole


def test_any_split_holds_each_row_once(notes: Any) -> None:
    """At whatever share, again and again; and the shares come close where rows lie evenly."""
    random = Random(7)
    [part] = notes.all_notes().parts(10**9)
    parts = [part]
    for _ in range(60):
        at = random.randrange(len(parts))
        both = parts[at].split(random.choice([0.01, 0.3, 0.5, 0.99]))
        if both is not None:
            assert sum(one.size for one in both) == parts[at].size
            parts[at : at + 1] = both
    assert len(parts) > 20
    assert read(parts, notes._db) == ROWS
    first, _ = part.split(1 / 3)
    assert sum(1 for _ in first.read(notes._db)) == pytest.approx(180, abs=40)
    assert part.cut(b"") is None
    first, last = part.cut(b"t4#n30")
    assert [sum(1 for _ in one.read(notes._db)) for one in (first, last)] == [270, 270]
    assert part.share_below(b"t4#n30") == pytest.approx(0.5, abs=0.1)
    assert (part.share_below(b""), part.share_below(b"u")) == (0, 1)


def test_a_part_of_one_row_has_none(notes: Any) -> None:
    """Neither has one of a range in which no row was seen."""
    [one] = notes.named("t4", "n10", "n11").parts()
    assert one.split() is None or read(list(one.split()), notes._db) == list(one.read(notes._db))
    [none] = notes.of_tenant("nobody").parts()
    assert none.split() is None or read(list(none.split()), notes._db) == []
    assert list(none.read(notes._db)) == []


def test_rows_that_come_later_are_read(notes: Any) -> None:
    """The ends of a part are those of the read, and not the rows that there were."""
    parts = notes.all_notes().parts(2_000)
    more = [bt.replace(ROWS[0], tenant=tenant) for tenant in ("a", "z")]
    notes.put_many(more)
    assert read(parts, notes._db) == [more[0], *ROWS, more[1]]


def test_reads_without_parts_are_refused(notes: Any) -> None:
    """With what to write instead."""
    with pytest.raises(QueryRefused, match="expected a read without a limit"):
        notes.all_notes().limit(3).parts()
    with pytest.raises(QueryRefused, match="in the order of its keys"):
        notes.all_notes().backwards().parts()
    for size in (0, -1, 1.5, True):
        with pytest.raises(QueryRefused, match="a number of bytes from 1 on"):
            notes.all_notes().parts(size)
    [part] = notes.all_notes().parts(10**9)
    for share in (0, 1, True, "x"):
        with pytest.raises(QueryRefused, match="between 0 and 1"):
            part.split(share)
    with pytest.raises(TypeError, match=r"expected a connection of connect\(\.\.\.\)"):
        part.read(bt.connect_async(notes._db.target.instance))
    assert repr(part).startswith("<part of NoteRows: table notes, rows [")


def test_the_parts_of_a_salted_table_hold_all_rows(
    database: Callable[..., bt.Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of their keys, salts in front; and of a range, those in it."""
    monkeypatch.setitem(sys.modules, "Spread", SPREAD)
    db = database(Spread)
    rows = SPREAD.SpreadRepository(db)
    written = [Spread(number=at, user=f"u{at % 7}", value=at) for at in range(90)]
    rows.put_many(written)
    found = read(rows.numbered().parts(300), db)
    assert found == sorted(written, key=bt.key_of)
    assert len({row.number for row in read(rows.numbered(10, 20).parts(300), db)}) == 10


def test_the_parts_of_a_table_named_at_run_time_know_its_names(
    bigtable: Callable[..., bt.Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep the parameters of their repository."""
    measured = generated(Measured)
    monkeypatch.setitem(sys.modules, "Measured", measured)
    db = bigtable(Measured, year="2026", site="home")
    meters = measured.MeasuredRepository(db, year="2026", site="home")
    meters.put_many(Measured(meter=at, value=at) for at in range(20))
    assert read(meters.all_meters().parts(100), db) == list(meters.all_meters())


def test_parts_of_async_reads(notes: Any) -> None:
    """Read with an asynchronous connection."""

    async def reading() -> list[Any]:
        async with bt.connect_async(notes._db.target.instance) as db:
            parts = await NOTES.AsyncNoteRepository(db).all_notes().parts(2_000)
            return [row for part in parts async for row in pickle.loads(pickle.dumps(part)).read(db)]

    assert asyncio.run(reading()) == ROWS


LOCAL = (
    """
import subprocess, sys
from typing import Any, NamedTuple
import cloudpickle
import btmodel as bt
from btmodel.repository import Repository

READER = """
    + repr(
        dedent(
            """
        import pickle, sys
        import btmodel as bt
        part = pickle.loads(sys.stdin.buffer.read())
        with bt.connect(sys.argv[1]) as db:
            print([row.name for row in part.read(db)])
        """
        )
    )
    + dedent(
        """

    class LocalKey(NamedTuple):
        name: str

    def declared():
        class Local(bt.Model, table="local"):
            name: str = bt.key(bt.Text(max_length=9))
            f = bt.family("f", gc=bt.max_versions(1))
            size: int = bt.column("s", f)
            every = bt.query(scan="the tests")
        return Local

    Local = declared()

    class LocalRepository(Repository):
        model = Local
        key = LocalKey

    with bt.connect(sys.argv[1]) as db:
        bt.create_tables(sys.argv[1], Local)
        locals = LocalRepository(db)
        locals.put_many([Local(name=name, size=1) for name in "abc"])
        [part] = locals._query(Local.__schema__.queries[0], {}).parts()
    command = [sys.executable, "-c", READER, sys.argv[1]]
    subprocess.run(command, input=cloudpickle.dumps(part), check=True)
    """
    )
)


def test_a_model_of_a_script_travels_with_cloudpickle(
    served: str, tmp_path: Path, commands: Commands
) -> None:
    """As such models themselves do: to a process that knows nothing of them."""
    (tmp_path / "script.py").write_text(LOCAL)
    done = commands.program(tmp_path / "script.py", [served], tmp_path, os.environ)
    assert (done.stdout.strip(), done.returncode) == ("['a', 'b', 'c']", 0), done.stderr
