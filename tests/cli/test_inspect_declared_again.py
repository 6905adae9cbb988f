"""What a migration records of every shape, function and bucket is declared again by ``btmodel inspect``, as a module that imports."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

import btmodel as bt
from btmodel.cli.inspect import inspect as command
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import apply, read_plan
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.history.run_record import RunRecord
from btmodel.rows import Add, Mutation
from btmodel.schema import layout_of, tables
from tests.conftest import Server
from tests.guess.live_tables import written

HOUR = datetime(2024, 5, 6, 7, tzinfo=UTC)
ALLOWED = {"ROW003": "a test", "KEY001": "a test", "KEY002": "a test"}


class Counted(bt.Model, table="counted"):
    """Counters: of all time, of spans and of entries."""

    id: str = bt.key(bt.Text(max_length=20))
    c = bt.family("c", gc=bt.max_age(days=90), aggregate="sum")
    hours: bt.History[int] = bt.counter("h", c, every="1h")
    days: bt.History[int] = bt.counter("d", c, every="1day")
    t = bt.family("t", gc=bt.max_versions(1), aggregate="max")
    most: int | None = bt.counter("n", t)
    e = bt.family("e", gc=bt.max_versions(1), aggregate="sum")
    entries: dict[str, int] = bt.counters(e, bt.Text(max_length=5))


class Entered(bt.Model, table="entered"):
    """Entries and members."""

    id: str = bt.key(bt.Text(max_length=20))
    v = bt.family("v", gc=bt.max_versions(1))
    value: str | None = bt.column("v", v, default=None)
    m = bt.family("m", gc=bt.max_versions(1))
    mapping: dict[str, int] = bt.mapping(m, bt.Text(max_length=5))
    h = bt.family("h", gc=bt.max_age(days=3))
    histories: dict[str, bt.History[int]] = bt.histories(h, bt.Text(max_length=5))
    t = bt.family("t", gc=bt.max_versions(1))
    timed: dict[str, bt.Timed[int]] = bt.timed(t, bt.Text(max_length=5))
    s = bt.family("s", gc=bt.max_versions(1))
    members: set[str] = bt.members(s, bt.Text(max_length=5))


class Marked(bt.Model, table="marked", bucket="hour", events="1/min", allow=ALLOWED):
    """Marks and a history in an hour."""

    id: str = bt.key(bt.Text(max_length=20))
    hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))
    p = bt.family("p", gc=bt.keep_all())
    positions: bt.History[str] = bt.history("p", p)
    m = bt.family("m", gc=bt.keep_all())
    marks: bt.History[int] = bt.marks(m, bt.Int(7))


class Slotted(bt.Model, table="slotted", bucket="day", events="72/day", allow=ALLOWED):
    """Slots of a day."""

    id: str = bt.key(bt.Text(max_length=20))
    day: date = bt.key(bt.DateText("%Y%m%d"))
    s = bt.family("s", gc=bt.max_versions(1))
    slots: bt.Slots[int] = bt.slots(s, every="20min", qualifier="%H%M")


class Weekly(bt.Model, table="weekly", bucket="week", events="72/day", allow=ALLOWED):
    """A history of a week."""

    id: str = bt.key(bt.Text(max_length=20))
    week: date = bt.key(bt.IsoWeek())
    p = bt.family("p", gc=bt.keep_all())
    events: bt.History[int] = bt.history("p", p)


class Drift(bt.Model, table="drift", bucket=timedelta(days=28), events="1/min", allow=ALLOWED):
    """A history of a length of time."""

    id: str = bt.key(bt.Text(max_length=20))
    start: datetime = bt.key(bt.EpochBucket(bt.EpochSeconds(), timedelta(days=28)))
    p = bt.family("p", gc=bt.keep_all())
    events: bt.History[int] = bt.history("p", p)


class Told(bt.Model, table="told", delimiter="|"):
    """A history beside the time of its row, which is no bucket: events lie outside."""

    id: str = bt.key(bt.Text(max_length=20))
    day: date = bt.key(bt.DateText("%Y%m%d"))
    p = bt.family("p", gc=bt.max_age(days=3))
    events: bt.History[int] = bt.history("p", p)


def rows() -> list[tuple[type[bt.Model], Mutation]]:
    """One row of each model."""
    events = bt.History({HOUR: 1})
    start = datetime(2024, 4, 11, tzinfo=UTC)
    start -= (start - datetime(1970, 1, 1, tzinfo=UTC)) % timedelta(days=28)
    made: list[bt.Model] = [
        Entered(
            id="a",
            value="v",
            mapping={"a": 1},
            histories={"b": events},
            timed={"c": bt.Timed(1, HOUR)},
            members={"d"},
        ),
        Marked(id="a", hour=HOUR, positions=bt.History({HOUR: "x"}), marks=events),
        Slotted(id="a", day=HOUR.date(), slots=bt.Slots({HOUR: 1})),
        Weekly(id="a", week=HOUR.date(), events=events),
        Drift(id="a", start=start, events=bt.History({start: 1})),
        Told(id="a", day=HOUR.date(), events=bt.History({HOUR + timedelta(days=2): 1})),
    ]
    micros = int(HOUR.timestamp()) * 10**6
    adds = [Add("c", b"h", micros, 1), Add("c", b"d", micros - micros % 86_400_000_000, 1)]
    adds += [Add("t", b"n", 0, 5), Add("e", b"x", 0, 2)]
    found: list[tuple[type[bt.Model], Mutation]] = [(type(row), bt.mutation_of(row)) for row in made]
    return [(Counted, Mutation("counted", b"a", [], adds=adds)), *found]


@pytest.mark.parametrize("filled", [True, False])
@pytest.mark.parametrize("at", range(7))
def test_it_is_declared_again(at: int, filled: bool, tmp_path: Path, server: Server, served: str) -> None:
    """Key, cells and bucket are the original's, with a row and without."""
    model, row = rows()[at]
    with Admin(Target(served, server.host)) as admin, bt.connect(served) as db:
        history = MigrationHistory(admin, db)
        plan = read_plan(admin, tables([bt.schema_of(model)]), history=history)
        apply(plan, admin, run_record=RunRecord(history, "me"))
        if filled:
            db.write(row)
    done = CliRunner().invoke(command, [served])
    assert done.exit_code == 0, done.exception
    [again] = written(tmp_path, f"again_{at}_{filled}", done.stdout)
    assert "recorded when the table was migrated" in done.stdout
    schema, original = bt.schema_of(again), bt.schema_of(model)
    assert layout_of(schema) == layout_of(original)
    if filled or original.bucket:
        assert schema.bucket == original.bucket
