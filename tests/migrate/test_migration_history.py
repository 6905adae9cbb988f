"""The migration history: what an instance remembers of its migrations, and where."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from some_tables import table

from btmodel import Database, emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.declare import schema_of
from btmodel.errors import MigrationError, MissingTable, ServerError
from btmodel.lint import review_all
from btmodel.migrate import make_plan
from btmodel.migrate.history import AppliedRevision, Lock, MigrationHistory, Reached, Step
from btmodel.migrate.history.records import UnreadableRecord
from btmodel.migrate.history.table import ROWS, LockRow
from btmodel.rows import Cell, Conditional, Mutation
from btmodel.schema import CellLayout, KeyPart, Layout
from btmodel.schema.limits import HISTORY_TABLE

AT = datetime(2026, 2, 3, 4, 5, 6, 789_012, tzinfo=UTC)
LAYOUT = Layout(
    "Quote",
    (KeyPart("Text(width=6)", "#", "exchange"), KeyPart("Text()", "", "symbol")),
    (CellLayout("MD:BID", "value Int64()"),),
)
OTHER = Layout("Trade", (KeyPart("Uuid()", "", "id"),), ())
MINE = Lock("a1", "ann@here:1", AT, AT + timedelta(minutes=1))
YOURS = Lock("b2", "bob@there:2", AT, AT + timedelta(minutes=1))


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


@pytest.fixture
def db(server: emulator.Emulator, instance: str) -> Iterator[Database]:
    with Database(Target(instance, server.host, lambda: None)) as connected:
        yield connected


@pytest.fixture(params=["table", "memory"])
def history(request: pytest.FixtureRequest, admin: Admin, db: Database) -> MigrationHistory:
    """A migration history in an instance, and one in memory, which must not differ."""
    return MemoryHistory() if request.param == "memory" else MigrationHistory(admin, db)


def test_reading_makes_nothing(admin: Admin, db: Database) -> None:
    """An instance that was never migrated has an empty history, and no table after it was read."""
    history = MigrationHistory(admin, db)
    assert (
        history.layouts(),
        history.revisions(),
        history.progress("s"),
        history.steps(),
        history.lock(),
    ) == (
        {},
        (),
        None,
        {},
        None,
    )
    history.record_layouts("QUOTE", ())
    history.remove_revision("0001")
    history.end_progress("s")
    assert not history.swap_lock(MINE, None)
    assert admin.table(HISTORY_TABLE) is None


# The columns that the first version of each record wrote, by its kind.
FIRST_COLUMNS = {
    "layout": {"models"},
    "revision": {"number", "checksum", "at", "by"},
    "progress": {"done"},
    "copy": {"by", "begun"},
    "step": {"changes", "by", "begun"},
    "lease": {"id", "owner", "since", "expires"},
}


def test_a_column_that_a_record_gained_is_optional() -> None:
    """Records of the first version can be read: no record requires a column that it did not write then."""
    assert {
        str(schema.key.fields[0].constant): {column.name for column in schema.columns if column.required}
        for schema in map(schema_of, ROWS)
    } == FIRST_COLUMNS


def test_layouts(history: MigrationHistory) -> None:
    """Layouts come back as they were recorded, with the names of their models and fields; none end the record."""
    history.record_layouts("QUOTE", (LAYOUT, OTHER))
    history.record_layouts("TRADE", (OTHER,))
    history.record_layouts("QUOTE", (LAYOUT,))
    (found,) = history.layouts()["QUOTE"]
    assert (found, found.model, found.key_text) == (LAYOUT, LAYOUT.model, LAYOUT.key_text)
    history.record_layouts("QUOTE", ())
    assert history.layouts() == {"TRADE": (OTHER,)}


def test_revisions(history: MigrationHistory) -> None:
    """Revisions come in the order of their applying, whatever their names and whatever the clocks said."""
    third, first = AppliedRevision("3", "sum", AT, "ann"), AppliedRevision("1", "mus", AT, "bob")
    second = AppliedRevision("2", "", AT - timedelta(days=1), "")
    for one in (third, first, second):
        history.add_revision(one)
    assert history.revisions() == (third, first, second)
    history.remove_revision("1")
    assert history.revisions() == (third, second)
    again = evolve(third, checksum="new")
    history.add_revision(again)
    assert history.revisions() == (second, again)


@pytest.mark.parametrize("key", [b"", b"a#\x00\xff"])
def test_progress(history: MigrationHistory, key: bytes) -> None:
    """The progress of a step is what was recorded last, with a key of any bytes, until it ends."""
    history.record_progress("0002: copy#1", Reached(b"first", 500))
    reached = Reached(key, 1_000, "9bb3", written=700)
    history.record_progress("0002: copy#1", reached)
    assert (history.progress("0002: copy#1"), history.progress("0002: copy")) == (reached, None)
    history.end_progress("0002: copy#1")
    assert history.progress("0002: copy#1") is None


def test_steps(history: MigrationHistory) -> None:
    """Of each table the last step is there, and one without an end has none."""
    begun = Step("QUOTE", ("add-family:QUOTE.MD", "é"), "ann", AT)
    history.record_step(evolve(begun, ended=AT, changes=("old",)))
    history.record_step(begun)
    history.record_step(evolve(begun, table="T", ended=AT))
    assert history.steps() == {"QUOTE": begun, "T": evolve(begun, table="T", ended=AT)}


def test_a_lock_is_swapped_for_the_one_that_is_there(history: MigrationHistory) -> None:
    """A lock is taken where none is, renewed, taken over and given back by who knows the one that is there."""
    assert not history.swap_lock(MINE, YOURS)
    assert history.swap_lock(None, MINE)
    assert not history.swap_lock(None, YOURS)
    later = evolve(MINE, expires=MINE.expires + timedelta(minutes=1))
    assert history.swap_lock(MINE, later)
    assert history.lock() == later
    assert not history.swap_lock(YOURS, None)
    assert history.swap_lock(MINE, YOURS)
    assert history.lock() == YOURS
    assert history.swap_lock(YOURS, None)
    assert history.lock() is None


def test_of_many_one_takes_the_lock(admin: Admin, db: Database) -> None:
    """Of many that find no table and take the lock at once, one has it."""
    locks = [evolve(MINE, id=str(number)) for number in range(20)]
    with ThreadPoolExecutor(20) as threads:
        taken = list(threads.map(lambda lock: MigrationHistory(admin, db).swap_lock(None, lock), locks))
    assert taken.count(True) == 1
    assert MigrationHistory(admin, db).lock() == locks[taken.index(True)]


def test_a_lost_answer_is_read_back(admin: Admin, db: Database) -> None:
    """A lock that was taken, and given back, without an answer is known to be so; an untaken one is an error."""

    class Lossy:
        read, write = db.read, db.write

        def write_if(self, conditional: Conditional) -> bool:
            db.write_if(conditional)
            raise ServerError("no answer")

    class Silent(Lossy):
        def write_if(self, conditional: Conditional) -> bool:
            raise ServerError("no answer")

    MigrationHistory(admin, db).swap_lock(None, YOURS)
    assert MigrationHistory(admin, Lossy()).swap_lock(YOURS, MINE)
    with pytest.raises(ServerError, match="no answer"):
        MigrationHistory(admin, Silent()).swap_lock(MINE, YOURS)
    assert MigrationHistory(admin, Lossy()).swap_lock(MINE, None)
    assert MigrationHistory(admin, db).lock() is None


def test_clocks_that_go_back(admin: Admin, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded last holds, though the clock of who recorded it is behind."""
    history = MigrationHistory(admin, db)
    history.record_progress("s", Reached(b"1", 1))
    monkeypatch.setattr("btmodel.migrate.history.table.now_micros", lambda: 1_000)
    history.record_progress("s", Reached(b"2", 1))
    assert history.progress("s") == Reached(b"2", 1)


def test_what_is_said_of_a_record_that_cannot_be_read_is_safe(admin: Admin, db: Database) -> None:
    """Whoever ends an unreadable lock, as the error says, loses no layout: another codec is refused as before."""
    history = MigrationHistory(admin, db)
    history.record_layouts("QUOTE", (LAYOUT,))
    assert history.swap_lock(None, MINE)
    key = LockRow.row_key()
    db.write(Mutation(HISTORY_TABLE, key, [Cell(LockRow.data.id, b"expires", 4_000_000_000_000_000, b"x")]))
    with pytest.raises(UnreadableRecord, match="end the lock with `btmodel migrate unlock`") as caught:
        history.lock()
    assert "drop" not in str(caught.value)
    history.drop_lock()
    assert history.lock() is None
    live = evolve(table("QUOTE"), layouts=history.layouts()["QUOTE"])
    text = evolve(LAYOUT, cells=(CellLayout("MD:BID", "value Utf8()"),))
    changes = make_plan("i", (evolve(live, layouts=(text,)),), (live,)).refused
    assert [one.name for one in changes] == ["change-codec:QUOTE.MD:BID"]


def test_a_table_that_was_changed_by_hand(admin: Admin, db: Database) -> None:
    """A lost family is made again; a record of another kind of bytes is told, not guessed at."""
    history = MigrationHistory(admin, db)
    history.record_progress("s", Reached(b"1", 1))
    admin.modify_families(HISTORY_TABLE, drop=["data"])
    assert history.progress("s") is None
    history.record_progress("s", Reached(b"2", 1))
    assert history.progress("s") == Reached(b"2", 1)
    db.write(Mutation(HISTORY_TABLE, b"layout#QUOTE", [Cell("data", b"models", 1000, b"{")]))
    with pytest.raises(MigrationError, match=r"cannot read.*layout#QUOTE.*data:models"):
        history.layouts()
    db.write(Mutation(HISTORY_TABLE, b"layout#QUOTE", [Cell("data", b"models", 2000, b'{"Q": 1}')]))
    with pytest.raises(MigrationError, match=r"cannot read.*'QUOTE'.*model 'Q'"):
        history.layouts()


def test_a_table_that_takes_no_rows_is_told(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the table is made and never found, the error names it."""
    monkeypatch.setattr("btmodel.migrate.history.table._NEW", 0.1)
    with pytest.raises(MissingTable, match=HISTORY_TABLE):
        MigrationHistory(MemoryInstance(), db).record_progress("s", Reached(b"", 1))


def test_its_models_have_no_findings() -> None:
    """What btmodel says of others' models holds for its own."""
    assert review_all([schema_of(model) for model in ROWS]) == ()


def test_its_table_is_nobodys_to_declare() -> None:
    """A model in the table of the migration history is refused before anything is done."""
    with pytest.raises(MigrationError, match="'btmodel_migrations' is btmodel's own"):
        make_plan(MemoryInstance.instance, (table(HISTORY_TABLE),), ())


def test_no_review_of_others_gathers_its_models() -> None:
    """Its models, imported in the midst of a review, are not among those that are gathered."""
    program = (
        "from btmodel.declare import collecting\n"
        "with collecting() as declared:\n"
        "    from btmodel.migrate.history.table import ROWS\n"
        "assert ROWS and declared.schemas == [], declared.schemas"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_a_snapshot_answers_from_one_read(history: MigrationHistory) -> None:
    """What is recorded later is not in it, and in the history it is."""
    history.record_layouts("QUOTE", (LAYOUT,))
    history.record_progress("a", Reached(b"k", 3, starts=(b"", b"m")))
    history.record_progress("a/1", Reached(b"k", 3))
    history.record_progress("ab", Reached(b"z", 1))
    history.record_step(Step("QUOTE", ("make-table:QUOTE",), "ann", AT))
    history.add_revision(AppliedRevision("0001_a", "c", AT, "ann"))
    assert history.swap_lock(None, MINE)
    seen = history.snapshot()
    for changed in (
        lambda: history.record_layouts("QUOTE", (OTHER,)),
        lambda: history.end_progress("a"),
        lambda: history.remove_revision("0001_a"),
    ):
        changed()
    assert seen.layouts() == {"QUOTE": (LAYOUT,)}
    assert seen.sections("a") == {"a/1": Reached(b"k", 3)}
    assert {*seen.all_progress()} == {"a", "a/1", "ab"}
    assert seen.lock() == MINE
    assert [one.id for one in seen.revisions()] == ["0001_a"]
    assert seen.steps() == history.steps()
    assert seen.copies() == ()
    assert history.revisions() == ()
    assert history.layouts() == {"QUOTE": (OTHER,)}


def test_a_snapshot_is_not_written(admin: Admin, db: Database) -> None:
    """A run that was given one by mistake would record nothing, which must not pass in silence."""
    history = MigrationHistory(admin, db)
    assert history.snapshot().revisions() == ()
    history.record_layouts("QUOTE", (LAYOUT,))
    seen = history.snapshot()
    for write in (
        lambda: seen.record_layouts("QUOTE", ()),
        lambda: seen.swap_lock(None, MINE),
        seen.service_time,
    ):
        with pytest.raises(TypeError, match="snapshot"):
            write()
    assert history.layouts() == {"QUOTE": (LAYOUT,)}
