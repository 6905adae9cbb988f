"""Data that migrates: rows are copied, compared and rewritten, and a run that is killed is gone on with."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import DeclarationError, MigrationError, ServerError
from btmodel.migrate.data import Copy, DataStep, StoredRow, compare, copy, data_step, run_step
from btmodel.migrate.data.copies import ExampleCells
from btmodel.migrate.data.walks import Row
from btmodel.migrate.history import Reached
from btmodel.rows import Add, Cell, Delete, Mutation, ReadPlan
from btmodel.schema import Aggregate, Family, KeepAll, MaxAge, MaxVersions, Table
from btmodel.schema.limits import HISTORY_TABLE

KEEP = KeepAll()
TABLES = (
    Table("T", (Family("new", KEEP), Family("old", KEEP), Family("other", KEEP))),
    Table("U", (Family("a", KEEP), Family("b", KEEP))),
    Table("V", (Family("a", KEEP), Family("b", KEEP))),
    Table("S", (Family("s", KEEP, aggregate=Aggregate.SUM),)),
)
RENAMED = Copy("T", "T", {"old": "new"}, {"new": KEEP})
MOVED = Copy("U", "V", {"a": "a", "b": "b"}, {"a": KEEP, "b": KEEP})


class Remembered:
    """The progress of steps, in memory."""

    def __init__(self) -> None:
        self.reached: dict[str, Reached] = {}

    def progress(self, step: str) -> Reached | None:
        return self.reached.get(step)

    def record_progress(self, step: str, reached: Reached) -> None:
        self.reached[step] = reached


class Killed(Exception):
    """The end of a process, as far as this one can see it."""


class Dying:
    """A connection that ends at the ``at``-th call of ``write_many``, before or after it was done."""

    def __init__(self, db: bt.Database, at: int, *, done: bool) -> None:
        self._db, self._left, self._done = db, at, done

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        return self._db.read(plan)

    def write_many(self, table: str, mutations: Iterable[Mutation], permit: Any = None) -> int:
        self._left -= 1
        if self._left < 0 and not self._done:
            raise Killed
        written = self._db.write_many(table, mutations, permit=permit)
        if self._left < 0:
            raise Killed
        return written


@pytest.fixture
def db(server: Any, served: str) -> Iterator[bt.Database]:
    with Admin(Target(served, server.host)) as admin:
        for table in TABLES:
            admin.create_table(table)
    with bt.connect(served) as db:
        yield db


def rows_of(db: bt.Database, table: str) -> dict[bytes, set[Cell]]:
    return {key: set(cells) for key, cells in db.cells(table)}


def write(db: bt.Database, table: str, rows: dict[bytes, Iterable[Cell]]) -> None:
    db.write_many(table, [Mutation(table, key, tuple(cells)) for key, cells in rows.items()])


def some_rows(count: int, family: str) -> dict[bytes, Iterable[Cell]]:
    return {
        b"%05d" % row: [Cell(family, b"q", 1_000 * n, b"%d.%d" % (row, n)) for n in (1, 2)]
        for row in range(count)
    }


def in_family(cells: Iterable[Cell], old: str, new: str) -> set[Cell]:
    return {cell._replace(family=new) for cell in cells if cell.family == old}


def test_a_copy_has_every_version_of_every_cell(db: bt.Database) -> None:
    """Cells keep their qualifiers, times and values; other families are not touched."""
    write(db, "T", some_rows(3, "old") | {b"x": [Cell("other", b"q", 0, b"stays")]})
    assert compare(db, RENAMED).missing.cells == 6
    assert copy(db, Remembered(), RENAMED) == 3  # type: ignore[arg-type]
    assert not compare(db, RENAMED)
    for key, cells in rows_of(db, "T").items():
        assert in_family(cells, "old", "new") == {cell for cell in cells if cell.family == "new"}, key
    assert rows_of(db, "T")[b"x"] == {Cell("other", b"q", 0, b"stays")}


def test_a_table_is_copied_to_another(db: bt.Database) -> None:
    """All families of a table come over, row by row."""
    write(db, "U", some_rows(3, "a"))
    write(db, "U", some_rows(5, "b"))
    copy(db, Remembered(), MOVED)  # type: ignore[arg-type]
    assert rows_of(db, "V") == rows_of(db, "U")
    assert not compare(db, MOVED)


@pytest.mark.parametrize("done", [False, True])
def test_a_copy_that_is_killed_is_gone_on_with(
    db: bt.Database, done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it dies, the next run goes on after the last batch that was recorded, and it ends right."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 10)
    write(db, "U", some_rows(45, "a"))
    history: Any = Remembered()
    for run in range(4):
        with pytest.raises(Killed):
            copy(Dying(db, 1, done=done), history, MOVED)
        assert history.reached == {
            "copy U to V": Reached(b"%05d" % (10 * run + 9), 10 * run + 10, written=10 * run + 10)
        }
    assert copy(db, history, MOVED) == 45
    assert rows_of(db, "V") == rows_of(db, "U")


@pytest.mark.parametrize("done", [False, True])
def test_a_copy_counts_the_rows_of_which_it_copied_cells(
    db: bt.Database, done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row whose cells the new rule deletes is read and not copied; those that a killed run copied count, each once."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 10)
    write(db, "T", {b"%05d" % n: [Cell("old", b"q", 1_000 if n % 3 else 9_000, b"")] for n in range(30)})
    what = Copy("T", "T", {"old": "new"}, {"new": MaxAge(timedelta(microseconds=5_000))})
    history: Any = Remembered()
    with pytest.raises(Killed):
        copy(Dying(db, 1, done=done), history, what, clock=lambda: 10_000)
    assert history.reached[what.step].rows == 10
    assert copy(db, history, what, clock=lambda: 10_000) == 10
    assert history.reached[what.step].rows == 30


class Filled(bt.Model, table="T"):
    """A row that a step gives what it lacks."""

    number: int = bt.key(bt.PaddedInt(5))
    new = bt.family("new", gc=bt.keep_all())
    asked: str = bt.column("asked", new)
    side: str | None = bt.column("side", new, default=None)
    answer: str | None = bt.column("answer", new, default=None)


@data_step(Filled)
def filled(row: Filled) -> Filled:
    row.answer, row.side = row.asked.upper(), "c"
    return row


@pytest.mark.parametrize("done", [False, True])
def test_a_step_that_is_killed_leaves_the_cells_of_one_that_was_not(db: bt.Database, done: bool) -> None:
    """A repeated batch reads what it wrote before, and adds no second version of it, nor of what it replaces or leaves."""
    write(
        db,
        "T",
        {
            b"%05d" % n: [Cell("new", b"asked", 5_000, b"a"), Cell("new", b"side", 2_000, b"b")]
            for n in range(3)
        },
    )
    history: Any = Remembered()
    with pytest.raises(Killed):
        run_step(Dying(db, 0, done=done), history, filled, "filled")
    assert run_step(db, history, filled, "filled") == 3
    assert rows_of(db, "T") == {
        b"%05d" % n: {
            Cell("new", b"asked", 5_000, b"a"),
            Cell("new", b"side", 2_000, b"c"),
            Cell("new", b"answer", 4_000, b"A"),
        }
        for n in range(3)
    }


def test_what_is_missing_is_shown_where_it_is(db: bt.Database) -> None:
    """Cells that the new place lacks, or that its rule deletes, are named by the family in which they are, where they can be looked at."""
    write(db, "T", {b"00001": [Cell("old", b"q", time, b"") for time in (1_000, 2_000)]})
    found = compare(db, Copy("T", "T", {"old": "new"}, {"new": MaxVersions(1)}))
    assert str(found.missing) == "1 cell in 1 row, such as 00001 old:q of 1970-01-01T00:00:00.002000Z"
    assert str(found.left_out) == "1 cell in 1 row, such as 00001 old:q of 1970-01-01T00:00:00.001000Z"


def test_what_is_written_during_the_copy_is_found_and_mended(db: bt.Database) -> None:
    """A row that changed behind the copy differs, is shown, and is copied where that is asked for."""
    write(db, "U", some_rows(5, "a"))
    copy(db, Remembered(), MOVED)  # type: ignore[arg-type]
    write(db, "U", {b"00001": [Cell("a", b"q", 1_000, b"changed"), Cell("a", b"q", 9_000, b"new")]})
    found = compare(db, MOVED)
    assert (found.missing.rows, found.missing.cells) == (1, 2)
    assert str(found) == "2 cells in 1 row, such as 00001 a:q of 1970-01-01T00:00:00.009000Z"
    assert compare(db, MOVED, fix=True) == found
    assert not compare(db, MOVED)
    assert rows_of(db, "V") == rows_of(db, "U")


@given(
    st.lists(st.tuples(st.integers(1, 5), st.sampled_from([b"x", b"y"])), unique_by=lambda cell: cell[0]),
    st.lists(st.tuples(st.integers(1, 5), st.sampled_from([b"x", b"y"])), unique_by=lambda cell: cell[0]),
    st.integers(1, 4),
)
def test_what_the_new_rule_deletes_is_not_missed(
    old: list[tuple[int, bytes]], new: list[tuple[int, bytes]], versions: int
) -> None:
    """Of all cells of both places, those that are missed are the ones that the rule keeps and the new place lacks."""
    what = Copy("T", "T", {"old": "new"}, {"new": MaxVersions(versions)})
    times = sorted({time for time, _ in (*old, *new)}, reverse=True)[:versions]
    missing, left_out = what.lacking(
        [Cell("old", b"q", time, value) for time, value in old],
        [Cell("new", b"q", time, value) for time, value in new],
        None,
    )
    expected = {pair for pair in old if pair not in new and pair[0] in times}
    assert {(cell.timestamp, cell.value) for cell in missing} == expected
    assert {(cell.timestamp, cell.value) for cell in left_out} == {*old} - {*new} - expected


def test_what_the_new_rule_deletes_is_not_copied(db: bt.Database) -> None:
    """Of each column of each row only the versions are copied that the rule keeps."""
    write(db, "T", some_rows(3, "old"))
    what = Copy("T", "T", {"old": "new"}, {"new": MaxVersions(1)})
    copy(db, Remembered(), what)  # type: ignore[arg-type]
    for cells in rows_of(db, "T").values():
        assert {cell.timestamp for cell in cells if cell.family == "new"} == {2_000}
    assert not compare(db, what)


def test_what_is_too_old_for_the_new_rule_is_not_missed() -> None:
    """A cell that the new family would collect by its age needs no copy; where nobody knows the time, it is copied."""
    what = Copy("T", "T", {"old": "new"}, {"new": MaxAge(timedelta(microseconds=5_000))})
    old = [Cell("old", b"q", 1_000, b"")]
    assert what.lacking(old, [], 6_000) == what.lacking(old, [], None) == (old, [])
    assert what.lacking(old, [], 7_000) == ([], old)


class Old(bt.Model, table="T"):
    """A row as it was."""

    name: str = bt.key(bt.Text(max_length=9), cardinality=100)

    old = bt.family("old", gc=bt.keep_all())
    count: int = bt.column("n", old, codec=bt.DecimalText())


class New(bt.Model, table="T"):
    """A row as it is to be."""

    name: str = bt.key(bt.Text(max_length=9), cardinality=100)

    new = bt.family("new", gc=bt.keep_all())
    count: int = bt.column("n", new)


class Other(bt.Model, table="U"):
    """A row of another table."""

    name: str = bt.key(bt.Text(max_length=9), cardinality=100)

    a = bt.family("a", gc=bt.keep_all())
    count: int = bt.column("n", a)


@data_step(Old)
def recode(row: Old) -> New:
    return New(name=row.name, count=row.count)


def test_a_step_rewrites_rows_by_its_models(db: bt.Database) -> None:
    """Each row is decoded by the old model, and what the function gives is put."""
    rows = [Old(name=f"n{n}", count=n) for n in range(7)]
    db.write_many("T", [bt.mutation_of(row) for row in rows])
    history: Any = Remembered()
    assert run_step(db, history, recode, "r1/recode") == 7
    written = {key: {cell.value for cell in cells if cell.family == "new"} for key, cells in db.cells("T")}
    assert written == {b"n%d" % n: {n.to_bytes(8, "big")} for n in range(7)}
    assert run_step(db, history, recode, "r1/recode") == 7


class Pair(bt.Model, table="T"):
    """A row of two columns, of which one moves."""

    name: str = bt.key(bt.Text(max_length=9), cardinality=100)

    old = bt.family("old", gc=bt.keep_all())
    count: int = bt.column("n", old)
    beside: bytes | None = bt.column("x", old, default=None)


@data_step(Pair)
def to_new(row: Pair) -> New:
    return New(name=row.name, count=row.count)


@data_step(Pair)
def to_other(row: Pair) -> Other:
    return Other(name=row.name, count=row.count)


@data_step(Pair)
def in_place(row: Pair) -> Pair:
    return Pair(name=row.name, count=row.count + 1)


NUMBER = b"n"
ONE, TWO = (1).to_bytes(8, "big"), (2).to_bytes(8, "big")


@pytest.mark.parametrize("step", [to_new, to_other])
@pytest.mark.parametrize("beside", [5_000, 9_000])
def test_what_the_application_wrote_stays_on_top(db: bt.Database, step: DataStep, beside: int) -> None:
    """New columns and rows that were written before a step came to them, with others of the row or alone, are newer than its."""
    table, family = ("T", "new") if step is to_new else ("U", "a")
    old = [Cell("old", NUMBER, 5_000, ONE), Cell("old", b"x", beside, b"")]
    write(db, "T", {b"n": old})
    write(db, table, {b"n": [Cell(family, NUMBER, 9_000, TWO)]})
    for _ in range(2):  # the second time as after a run that was killed before it recorded the first
        run_step(db, Remembered(), step, "step")  # type: ignore[arg-type]
        found = [cell for cell in dict(db.cells(table))[b"n"] if cell.family == family]
        assert found[0] == Cell(family, NUMBER, 9_000, TWO)
        assert len(found) == 2


def test_what_the_application_writes_behind_a_step_stays_on_top(db: bt.Database) -> None:
    """What a step writes is as old as the row that it was given, however late it comes; a repeated batch changes nothing."""
    write(db, "T", {b"n": [Cell("old", NUMBER, 5_000, ONE)]})
    for _ in range(2):
        run_step(db, Remembered(), to_other, "step")  # type: ignore[arg-type]
    assert dict(db.cells("U")) == {b"n": [Cell("a", NUMBER, 4_000, ONE)]}


def test_both_are_written_while_a_step_runs(db: bt.Database) -> None:
    """An application that writes old and new columns at once finds its own values, whichever comes first."""
    write(db, "T", {b"n": [Cell("old", NUMBER, 9_000, TWO), Cell("new", NUMBER, 9_000, TWO)]})
    run_step(db, Remembered(), to_new, "step")  # type: ignore[arg-type]
    assert {cell.value for cell in dict(db.cells("T"))[b"n"]} == {TWO}


def test_a_column_that_was_given_is_rewritten(db: bt.Database) -> None:
    """A step that puts the very column that it read, puts it in the place of what it read."""
    write(db, "T", {b"n": [Cell("old", NUMBER, 5_000, ONE)]})
    run_step(db, Remembered(), in_place, "step")  # type: ignore[arg-type]
    assert dict(db.cells("T")) == {b"n": [Cell("old", NUMBER, 5_000, TWO)]}


class Meddled:
    """Rows to which the application writes between a read of the step and its write: the table that is read first, and then the other one."""

    def __init__(self, db: bt.Database, *rounds: int) -> None:
        self._db, self.left = db, list(rounds)

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        return self._db.read(plan)

    def write_many(self, table: str, mutations: Iterable[Mutation], *, permit: Any = None) -> int:
        if self.left:
            value = self.left.pop(0).to_bytes(8)
            for own, family in (("T", "old"), ("U", "a")):
                self._db.write_many(own, [Mutation(own, b"n", (Cell(family, NUMBER, 5_000, value),))])
        return self._db.write_many(table, mutations, permit=permit)


@data_step("T")
def as_it_is(row: StoredRow) -> Mutation:
    return Mutation("U", row.key, [cell._replace(family="a") for cell in row.cells])


@data_step("T")
def adding(row: StoredRow) -> Mutation:
    return Mutation("S", row.key, adds=(Add("s", NUMBER, 0, 1),))


def test_a_cell_that_the_application_replaces_meanwhile_is_its_own(db: bt.Database) -> None:
    """A cell keeps its time, so what the step read before is not newer or older than what replaces it; its row is read once more."""
    write(db, "T", {b"n": [Cell("old", NUMBER, 5_000, ONE)]})
    run_step(Meddled(db, 2, 3), Remembered(), as_it_is, "step")  # type: ignore[arg-type]
    assert dict(db.cells("U")) == {b"n": [Cell("a", NUMBER, 5_000, (3).to_bytes(8))]}
    with pytest.raises(MigrationError, match="row b'n' of 'T' has changed in each of 50 reads: find out"):
        run_step(Meddled(db, *range(200)), Remembered(), as_it_is, "again")  # type: ignore[arg-type]


def test_what_a_step_adds_is_added_once(db: bt.Database) -> None:
    """An addition cannot be repeated, so a row that changes meanwhile is not given again."""
    write(db, "T", {b"n": [Cell("old", NUMBER, 5_000, ONE)]})
    run_step(Meddled(db, 2), Remembered(), adding, "step")  # type: ignore[arg-type]
    [cell] = dict(db.cells("S"))[b"n"]
    assert int.from_bytes(cell.value) == 1


def test_a_step_may_work_on_rows_as_they_are_stored(db: bt.Database) -> None:
    """A function of a table gets keys and cells, and may give several mutations, or nothing."""

    @data_step("U")
    def move(row: StoredRow) -> Iterator[Mutation]:
        if row.key.endswith(b"1"):
            yield Mutation("V", row.key, [cell._replace(family="b") for cell in row.cells])
            yield Mutation("U", row.key, deletes=(Delete(),))

    write(db, "U", some_rows(12, "a"))
    run_step(db, Remembered(), move, "move")  # type: ignore[arg-type]
    assert sorted(rows_of(db, "V")) == [b"00001", b"00011"]
    assert len(rows_of(db, "U")) == 10


WANTED = r"expected a row of a model, a mutation, several of these, or None for row b'00000' of 'U', got"


def raises(row: StoredRow) -> None:
    raise ZeroDivisionError("by zero")


def gives_text(row: StoredRow) -> Any:
    return ["text"]


def leaves(row: StoredRow) -> None:
    sys.exit(0)


def closes(row: StoredRow) -> None:
    raise GeneratorExit("closed")


def yields_a_number(row: StoredRow) -> Any:
    yield Mutation("U", row.key, [Cell("a", b"q", 1_000, b"")])
    yield 5


async def in_a_loop(row: StoredRow) -> Any:
    """A step is no coroutine."""


async def yields_in_a_loop(row: StoredRow) -> Any:
    yield None


def forges(row: StoredRow) -> Mutation:
    return Mutation(HISTORY_TABLE, b"lease", deletes=(Delete(),))


def writes_text(row: StoredRow) -> Any:
    return Mutation("U", row.key, [Cell("a", b"q", 1_000, "text")])  # type: ignore[arg-type]


def in_a_thousand_centuries(row: StoredRow) -> Any:
    return Mutation("U", row.key, [Cell("a", b"q", 2**70, b"")])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (leaves, r"leaves: raised SystemExit at row b'00000' of 'U': 0"),
        (closes, r"closes: raised GeneratorExit at row b'00000' of 'U': closed"),
        (forges, r"forges: row b'00000' of 'U' writes to btmodel_migrations, which is btmodel's own record"),
        (
            writes_text,
            r"writes_text: row b'00000' of 'U' could not be written: .*expected the value of cell a:b'q' as bytes, got 'text'",
        ),
        (
            in_a_thousand_centuries,
            r"of 'U' could not be written: .*expected a timestamp from 0 to 2\*\*63 - 1",
        ),
        (raises, r"raises: raised ZeroDivisionError at row b'00000' of 'U': by zero"),
        (gives_text, f"gives_text: {WANTED} a list with the str 'text'$"),
        (yields_a_number, f"yields_a_number: {WANTED} a generator with the int 5$"),
        (lambda row: "text", f"{WANTED} the str 'text'$"),
        (lambda row: b"text", f"{WANTED} the bytes b'text'$"),
        (lambda row: {"text": 1}, rf"{WANTED} the dict \{{'text': 1\}}$"),
        (lambda row: 5, f"{WANTED} the int 5$"),
        (lambda row: Mutation, f"{WANTED} the class Mutation$"),
        (lambda row: row, rf"{WANTED} the StoredRow StoredRow\(key=b'00000'"),
        (lambda row: row.cells[0], rf"{WANTED} the Cell Cell\("),
        (lambda row: row.cells, rf"{WANTED} a list with the Cell Cell\("),
        (in_a_loop, f"{WANTED} a coroutine: write `def` in place of `async def`$"),
        (yields_in_a_loop, f"{WANTED} an async generator: write `def` in place of `async def`$"),
    ],
)
def test_a_step_that_fails_names_its_row(
    db: bt.Database, function: Callable[[StoredRow], Any], message: str
) -> None:
    """One sentence says which function, which row and what."""
    write(db, "U", some_rows(2, "a"))
    with pytest.raises(MigrationError, match=message):
        run_step(db, Remembered(), data_step("U")(function), "step")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        Mutation("U", b"00006", [Cell("b", b"q", "text", b"")]),  # type: ignore[arg-type]
        Mutation("U", b"00006", [Cell("b", b"q", 2**70, b"")]),
        Mutation("U", b"00006"),
        Mutation("U", b"00006", [Cell("b", b"q", 1_000, None)]),  # type: ignore[arg-type]
        Mutation(7, b"00006", [Cell("b", b"q", 1_000, b"")]),  # type: ignore[arg-type]
    ],
    ids=["text", "large", "empty", "none", "table"],
)
def test_a_malformed_mutation_stops_its_whole_batch(
    db: bt.Database, monkeypatch: pytest.MonkeyPatch, wrong: Any
) -> None:
    """Nothing of its batch is written, also not what stands in front of it; batches before it are, and the next run goes on after them."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 4)
    write(db, "U", some_rows(8, "a"))
    other = Mutation("T", b"other", [Cell("old", b"q", 1_000, b"")])

    def gives(row: StoredRow) -> Any:
        return [
            other,
            wrong if row.key == b"00006" else Mutation("U", row.key, [Cell("b", b"q", 1_000, b"")]),
        ]

    history: Any = Remembered()
    with pytest.raises(
        MigrationError,
        match=r"gives: .*row b?'00006' of ('U'|7).*(got Mut|got None|2\*\*63|1 to 100,000 changes).*; nothing of its "
        r"batch was written, which are the rows from b'00004' to b'00007'$",
    ):
        run_step(db, history, data_step("U")(gives), "step")
    assert history.progress("step").rows == 4
    written = [key for key, cells in db.cells("U") if any(cell.family == "b" for cell in cells)]
    assert written == [b"00000", b"00001", b"00002", b"00003"]


def test_a_batch_that_is_half_written_is_told(db: bt.Database) -> None:
    """Where the server refuses a part of a batch, the error says how much of it is in, and where the next run begins."""
    write(db, "U", some_rows(2, "a"))

    def gives(row: StoredRow) -> Any:
        other = Mutation("T", row.key, [Cell("old", b"q", 1_000, b"")])
        return [other, Mutation("U", row.key, [Cell("nope", b"q", 1_000, b"")])]

    with pytest.raises(
        MigrationError,
        match=r"lacks some of the families that were written: nope; of its batch, 2 rows written: the next run begins at row "
        r"b'00000', and writes that again, which changes nothing$",
    ):
        run_step(db, Remembered(), data_step("U")(gives), "step")  # type: ignore[arg-type]


def test_a_row_of_another_model_is_told(db: bt.Database) -> None:
    """A row that the model of a step cannot read stops it, with the key and the cell."""
    write(db, "T", {b"bad": [Cell("old", b"n", 0, b"no number")]})
    with pytest.raises(MigrationError, match=r"recode: row b'bad' of 'T' is no Old: .*no number"):
        run_step(db, Remembered(), recode, "recode")  # type: ignore[arg-type]


def test_a_step_of_nothing_is_refused() -> None:
    """What a step is about is a model or a table."""
    with pytest.raises(DeclarationError, match="data_step: expected a model or the id of a table, got 3"):
        data_step(3)  # type: ignore[call-overload]
    with pytest.raises(
        DeclarationError, match="expected one of your tables, and 'btmodel_migrations' is btmodel's"
    ):
        data_step(HISTORY_TABLE)
    assert isinstance(recode, DataStep)


def test_a_missing_table_is_told(db: bt.Database) -> None:
    """A copy to a table that is not there is a server's error, and nothing is recorded."""
    write(db, "U", some_rows(1, "a"))
    history: Any = Remembered()
    with pytest.raises(ServerError):
        copy(db, history, Copy("U", "nowhere", {"a": "a"}))
    assert history.reached == {}


def test_a_long_row_key_of_an_example_is_cut() -> None:
    """Of examples of differing cells, a key or a qualifier of kilobytes is a few characters."""
    cell = Cell("MD", b"Q" * 4_000, 5_000, b"")
    long = str(ExampleCells().with_row(b"\x1b" * 4_000, [cell]))
    assert long.startswith(r"1 cell in 1 row, such as b'\x1b\x1b")
    assert len(long) < 300
    assert "such as KEY MD:BID of" in str(ExampleCells().with_row(b"KEY", [cell._replace(qualifier=b"BID")]))
