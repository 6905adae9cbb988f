"""``btmodel inspect`` of an instance that btmodel migrated: what was recorded is declared again."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

import btmodel as bt
from btmodel import emulator
from btmodel import server as local_server
from btmodel.cli.inspect import inspect as command
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import Effect, Plan, apply, read_plan
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.history.run_record import RunRecord
from btmodel.rows import Cell, Mutation
from btmodel.schema import Layout, layout_of, tables
from examples.worked import EXAMPLES
from tests.guess.live_tables import written

# The examples that need code which is in no record, with the fields and cells that need it.
NEED_CODE = {
    "battery": ["change-key:BATTERY_SALTED/SaltedBattery"],
    "balloons": [
        "change-codec:balloon_events.measurements_blob:event",
        "change-codec:balloon_minutes.measurements_blob:event",
    ],
    "devices": [
        "change-key:machines/MachineLoad",
        "change-codec:machines.load:running",
        "change-key:processes/Process",
    ],
    "activity": ["change-codec:activity.activity:action"],
    "sessions": ["change-key:sessions/Session"],
    "catalogue": ["change-codec:articles.data:size"] * 2,
}


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """A server of our own."""
    running = local_server.start()
    yield running.host
    running.stop()


class Migrated:
    """An instance that was migrated for some models."""

    def __init__(self, instance: str, host: str, *models: type[bt.Model]) -> None:
        self.instance, self.host = instance, host
        with Admin(Target(instance, host)) as admin, bt.connect(instance) as db:
            history = MigrationHistory(admin, db)
            plan = read_plan(admin, tables(map(bt.schema_of, models)), history=history)
            apply(plan, admin, run_record=RunRecord(history, "me"))

    def inspected(self, *options: str) -> str:
        """What the command prints."""
        done = CliRunner().invoke(command, [self.instance, *options])
        assert done.exit_code == 0, done.exception
        return done.stdout

    def planned(self, models: list[type[bt.Model]]) -> Plan:
        """What a migration to ``models`` would do."""
        with Admin(Target(self.instance, self.host)) as admin, bt.connect(self.instance) as db:
            return read_plan(admin, tables(map(bt.schema_of, models)), history=MigrationHistory(admin, db))

    def layouts(self, table: str, *layouts: Layout) -> None:
        """Record other layouts of a table."""
        with Admin(Target(self.instance, self.host)) as admin, bt.connect(self.instance) as db:
            MigrationHistory(admin, db).record_layouts(table, layouts)


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples(name: str, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is inspected, a plan has nothing to do, but where code is needed; that is said, with the way."""
    monkeypatch.setenv(emulator.VARIABLE, host)
    example = EXAMPLES[name]
    live = Migrated(f"projects/t/instances/r-{name.replace('_', '-')}", host, *example.models)
    with bt.connect(live.instance) as db:
        example.write(db)
    text = live.inspected()
    models = written(tmp_path, f"recorded_{name}", text)
    migrated = {model.__name__ for model in example.models if not bt.schema_of(model).parameters}
    assert migrated <= {model.__name__ for model in models}
    plan = live.planned(models)
    assert [change.name for change in plan.pending] == NEED_CODE.get(name, [])
    assert plan.drift == ()
    for change in plan.pending:
        assert change.effect is Effect.BLOCKED
        assert any("of yours, which `btmodel inspect` cannot write" in line for line in change.details)
    assert ("`btmodel migrate plan` takes" in " ".join(text.replace("#", "").split())) is (name in NEED_CODE)


class Trade(bt.Model, table="TRADES", delimiter="|", allow={"KEY007": "a test", "ROW003": "a test"}):
    """A model that no guess would come to."""

    exchange: str = bt.key(bt.Text(max_length=33), mirror="MD:EX")
    week: int = bt.key(bt.Descending(bt.BigEndian(2)))
    number: int | None = bt.key(bt.Int(9), default=None)
    md = bt.family("MD", gc=bt.max_versions(1))
    price: int = bt.column("PRICE", md, codec=bt.Either(bt.Int64(), bt.DecimalText()))
    note: str = bt.column("\\x41", md, codec=bt.Compressed(bt.Utf8(), "bz2"))
    ticks = bt.family("T", gc=bt.max_versions(1))
    tick: bt.History[int] = bt.marks(ticks, bt.Int(7), prefix="t:")


@pytest.fixture
def trades(host: str, monkeypatch: pytest.MonkeyPatch, instance: str) -> Migrated:
    """An instance with such a table, without rows."""
    monkeypatch.setenv(emulator.VARIABLE, host)
    return Migrated(instance, host, Trade)


def write(live: Migrated, key: bytes, *cells: Cell) -> None:
    """Write a row as others would."""
    with bt.connect(live.instance) as db:
        db.write(Mutation("TRADES", key, list(cells)))


def test_what_no_guess_comes_to(trades: Migrated, tmp_path: Path) -> None:
    """Names, delimiters, marks, optional fields and codecs of codecs are as they were, with rows and without."""
    for rows in range(3):
        text = trades.inspected()
        [model] = written(tmp_path, f"trades_{rows}", text)
        assert "# recorded when the table was migrated; " in text
        assert bt.schema_of(model).key.shape == bt.schema_of(Trade).key.shape
        assert trades.planned([model]).changes == ()
        assert [column.name for column in bt.schema_of(model).columns] == ["price", "note", "tick"]
        ticks = bt.History({datetime(2024, 1, 1, tzinfo=UTC): rows})
        trade = Trade(exchange=f"N{rows}", week=rows, number=rows or None, price=5, note="x", tick=ticks)
        with bt.connect(trades.instance) as db:
            db.write(bt.mutation_of(trade))


def test_columns_beside_the_record(trades: Migrated, tmp_path: Path) -> None:
    """Cells that were written by others are guessed beside the columns that are recorded."""
    write(trades, b"N|\0\1|1", Cell("MD", b"OTHER", 0, b"12"), Cell("MD", b"PRICE", 0, b"12"))
    [model] = written(tmp_path, "beside", trades.inspected())
    assert {"other", "price"} <= {column.name for column in bt.schema_of(model).columns}
    assert trades.planned([model]).pending == ()


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        (b"no such key", b"12", "the keys of some rows are other ones"),
        (b"N|\0\1|1", b"not a price", "the model Trade would not read all of its rows"),
    ],
)
def test_rows_that_do_not_agree(trades: Migrated, tmp_path: Path, key: bytes, value: bytes, why: str) -> None:
    """Where one row is not as it was recorded, that is said, and all is guessed."""
    write(trades, b"N|\0\2|1", Cell("MD", b"PRICE", 0, b"12"))
    write(trades, key, Cell("MD", b"PRICE", 0, value))
    text = trades.inspected()
    wanted = f"Table TRADES: what was recorded when it was migrated does not fit all rows, so it is guessed: {why}."
    assert wanted in " ".join(text.replace("#", "").split())
    assert len(written(tmp_path, "guessed", text)) == 1
    assert json.loads(trades.inspected("--json"))["tables"][0]["notes"] == [
        wanted.removeprefix("Table TRADES: ")[:-1]
    ]


def test_a_record_that_says_nothing(trades: Migrated, tmp_path: Path) -> None:
    """Texts that nobody can read are guessed at, and end no command."""
    layout = layout_of(bt.schema_of(Trade))
    write(trades, b"N|\0\2|1", Cell("MD", b"PRICE", 0, b"12"))
    for text in (
        "",
        "value",
        "(" * 400,
        "value (",
        "counter Int64()",
        "slots Utf8() Utf8()",
        "value Utf8() 'x' x",
    ):
        odd = evolve(
            layout,
            key=tuple(evolve(part, codec=text) for part in layout.key),
            cells=tuple(evolve(cell, codec=text) for cell in layout.cells),
        )
        trades.layouts("TRADES", odd)
        assert written(tmp_path, "odd", trades.inspected())
