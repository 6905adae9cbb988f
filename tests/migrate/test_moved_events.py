"""Rows of a bucket that move below another salt: each event, mark, entry and member is there, and none that was deleted meanwhile."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from adversary import Killed, Memory
from hypothesis import given
from hypothesis import strategies as st
from memory_history import MemoryHistory

import btmodel as bt
from btmodel.declare import Fields, codec_of
from btmodel.errors import MigrationError
from btmodel.migrate import MoveStep, move
from btmodel.migrate.data.comparison import compare_move
from btmodel.migrate.data.moves import backfill
from btmodel.rows import Cell, Delete, Mutation
from btmodel.rows.cells import MILLISECOND
from tests.examples_tried import examples

STEP = "0002_salted/moved"
DAY = datetime(2026, 1, 2, tzinfo=UTC)


class Day(bt.Model, table="QUOTE", bucket="day", events="9/day"):
    """What a device has done on a day, below one of four salts."""

    salt = bt.salt("device", buckets=4)
    device: str = bt.key(bt.Text(max_length=5))
    day: date = bt.key(bt.DateText())
    e = bt.family("e", gc=bt.keep_all())
    heat: bt.History[float] = bt.history("heat", e)
    alarms: bt.History[int] = bt.marks(e, bt.Int(3), prefix="a:")
    levels: dict[str, bt.History[int]] = bt.histories(e, bt.Text(max_length=3), prefix="l:")
    seen: dict[str, bt.Timed[int]] = bt.timed(e, bt.Text(max_length=3), prefix="s:")
    notes: dict[str, str] = bt.mapping(e, bt.Text(max_length=3), prefix="n:")
    tags: set[str] = bt.members(e, bt.Text(max_length=3), prefix="t:")


class Salted(bt.Model, table="LISTED", bucket="day", events="9/day"):
    """The same below one of seven, by day, with other prefixes and another codec of an entry."""

    salt = bt.salt("device", "day", buckets=7)
    day: date = bt.key(bt.DateText())
    device: str = bt.key(bt.Text(max_length=5))
    e = bt.family("e", gc=bt.keep_all())
    heat: bt.History[float] = bt.history("HEAT", e)
    alarms: bt.History[int] = bt.marks(e, bt.PaddedInt(3), prefix="A:")
    levels: dict[str, bt.History[int]] = bt.histories(
        e, bt.Text(max_length=3), prefix="l:", codec=bt.DecimalText()
    )
    seen: dict[str, bt.Timed[int]] = bt.timed(e, bt.Text(max_length=3), prefix="S:")
    notes: dict[str, str] = bt.mapping(e, bt.Text(max_length=3), prefix="n:")
    tags: set[str] = bt.members(e, bt.Text(max_length=3), prefix="t:")


@move(Day, Salted)
def salted(row: Day) -> Salted:
    return Salted(**{name: getattr(row, name) for name in ("day", "device", *COLUMNS)})


COLUMNS = ("heat", "alarms", "levels", "seen", "notes", "tags")
DEVICES, MINUTES, VALUES, NAMES = ["a", "b"], [1, 2, 3], [1, 2], ["x", "y"]


class Events:
    """The application: it adds one event or entry to both tables, or deletes one, the old table first, and each device has one writer at a time."""

    def __init__(self, memory: Memory, draw: Callable[[Any], Any]) -> None:
        self.memory, self.draw = memory, draw
        self.pending: dict[str, Mutation] = {}

    def step(self) -> None:
        """The next half of a write for some device."""
        device = self.draw(st.sampled_from(DEVICES))
        if device in self.pending:
            self.memory.apply(self.pending.pop(device))
            return
        old, new = self.written(device)
        self.memory.apply(old)
        self.pending[device] = new

    def written(self, device: str) -> tuple[Mutation, Mutation]:
        row = Day(device=device, day=DAY.date(), **self.some())
        stamp = self.draw(st.sampled_from(MINUTES)) * 1_000_000
        both = [codec_of(type(one)).encode(Fields(one), stamp) for one in (row, salted.function(row))]
        if not self.draw(st.booleans()):
            return both[0], both[1]
        if self.draw(st.integers(0, 5)) == 0:  # the whole row
            old, new = (Mutation(one.table, one.key, [], [Delete()]) for one in both)
        else:  # the same cells
            old, new = (Mutation(one.table, one.key, [], list(gone(one.cells))) for one in both)
        return old, new

    def some(self) -> dict[str, Any]:
        """A value of one column."""
        name = self.draw(st.sampled_from(COLUMNS))
        at, value = (
            DAY + timedelta(minutes=self.draw(st.sampled_from(MINUTES))),
            self.draw(st.sampled_from(VALUES)),
        )
        entry = self.draw(st.sampled_from(NAMES))
        values = {
            "heat": {at: float(value)},
            "alarms": {at: at.minute},  # two marks of one time are none
            "levels": {entry: {at: value}},
            "seen": {entry: bt.Timed(value, at)},
            "notes": {entry: str(value)},
            "tags": {entry},
        }
        return {name: values[name]}

    def finish(self) -> None:
        """The second halves of all writes that have begun."""
        for mutation in self.pending.values():
            self.memory.apply(mutation)
        self.pending.clear()


def gone(cells: Any) -> Iterator[Delete]:
    for cell in cells:
        yield Delete(cell.family, cell.qualifier, start=cell.timestamp, end=cell.timestamp + MILLISECOND)


def rows(memory: Memory, table: str) -> dict[bytes, list[Cell]]:
    return {key: sorted(memory.cells(stored)) for key, stored in memory.tables[table].items()}


def wanted(memory: Memory, step: MoveStep) -> dict[bytes, list[Cell]]:
    moved = step.moved((key, memory.cells(stored)) for key, stored in memory.tables["QUOTE"].items())
    found: dict[bytes, list[Cell]] = {}
    for cells in moved.values():
        for at, value in cells.items():
            found.setdefault(at[0], []).append(Cell(*at[1:], value))
    return {key: sorted(cells) for key, cells in found.items()}


@examples(150, deadline=None)
@given(data=st.data())
def test_events_that_are_added_and_deleted_while_their_rows_move(data: st.DataObject) -> None:
    """Between any two calls of a run that is killed anywhere: both tables have the same events in the end."""
    memory, history = Memory(), MemoryHistory()
    writers, kills = Events(memory, data.draw), data.draw(st.integers(0, 2))
    for _ in range(data.draw(st.integers(0, 6))):
        memory.apply(writers.written(data.draw(st.sampled_from(DEVICES)))[0])

    def before() -> None:
        nonlocal kills
        for _ in range(data.draw(st.integers(0, 2))):
            writers.step()
        if kills and data.draw(st.booleans()):
            kills -= 1
            raise Killed

    done = False
    while not done:
        memory.before = before
        try:
            backfill(memory, history, salted, STEP)
            done = True
        except Killed:
            memory.before = lambda: None
    memory.before = lambda: None
    writers.finish()
    assert rows(memory, "LISTED") == wanted(memory, salted)
    assert compare_move(memory, salted, wait=lambda seconds: None).copied == 0


class Second(bt.Model, table="QUOTE"):
    """An event of a second."""

    device: str = bt.key(bt.Text(max_length=5))
    at: datetime = bt.key(bt.EpochSeconds())
    e = bt.family("e", gc=bt.max_versions(1))
    heat: float = bt.column("heat", e)


class Hour(bt.Model, table="LISTED"):
    """The event of an hour, whose key takes any time in it."""

    device: str = bt.key(bt.Text(max_length=5))
    at: datetime = bt.key(bt.TimeText("%Y%m%d%H", round=True))
    e = bt.family("e", gc=bt.max_versions(1))
    heat: float = bt.column("heat", e)


@move(Second, Hour)
def by_hour(row: Second) -> Hour:
    return Hour(device=row.device, at=row.at, heat=row.heat)


@pytest.mark.parametrize("minutes", [(0, 5), (5,)], ids=["two of an hour", "one of it"])
def test_a_key_that_rounds_the_time_of_the_old_one_is_refused(minutes: tuple[int, ...]) -> None:
    """As two rows would become one, and no row would say any more which one it comes from; a time that stays as it is moves."""
    memory = Memory()
    for minute in minutes:
        row = Second(device="a", at=DAY + timedelta(minutes=minute), heat=1.0)
        memory.apply(codec_of(Second).encode(Fields(row), 1_000))
    with pytest.raises(
        MigrationError, match=r"has at=datetime.* 0, 5, .*, and its new row at=datetime.* 0, 0, "
    ):
        backfill(memory, MemoryHistory(), by_hour, STEP)
    assert memory.tables["LISTED"] == {}
    del memory.tables["QUOTE"][codec_of(Second).keys.of_row(row)]
    assert backfill(memory, MemoryHistory(), by_hour, STEP).rows == len(minutes) - 1
