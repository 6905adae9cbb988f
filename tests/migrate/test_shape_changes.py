"""A column that is declared in another shape, and rows that hold another span of time: what the plan says, and the way that it names, followed."""

import struct

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel.recorded.layouts import OtherSpan, other_span
from btmodel.rows import Cell
from btmodel.schema import CellLayout, KeyPart, Layout

STUB = '    raise NotImplementedError("fill in rewrite_reading")'
TIME = 1_577_923_200_000_000  # 2020-01-02
MODEL = """
from datetime import date, datetime
class Reading(bt.Model, table="READ"):
    "Readings of a station."
    station: str = bt.key(bt.Text(width=3), cardinality=3)
    w = bt.family("w", gc=bt.max_versions(100))
"""
HISTORY = '    heat: bt.History[float] = bt.history("heat", w)\n'
VALUE = '    heat: float | None = bt.column("heat", w, default=None)\n'


def heat(value: float, time: int, qualifier: bytes = b"heat") -> Cell:
    return Cell("w", qualifier, time, struct.pack(">d", value))


def start(project: Project, there: Site, column: str) -> None:
    project.declare(MODEL + column)
    project.done("new", "readings")
    project.done("apply", "--yes")
    there.write("READ", {b"JFK": [heat(1, TIME), heat(2, TIME + 1_000_000)]})


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_the_newest_event_becomes_a_value(project: Project, there: Site) -> None:
    """A plain column beside the history, which a rewritten row gets."""
    start(project, there, HISTORY)
    project.declare(MODEL + VALUE)
    assert "`btmodel migrate new MESSAGE --rewrite Reading` fills in" in project.done("new", "newest")
    refused = project.run("apply", "--yes").output
    assert "recorded with bt.history(), declared with bt.column()" in refused
    assert "only the newest event of each row would be read" in refused
    assert "`btmodel migrate new MESSAGE --rewrite Reading` fills in" in refused
    (project.migrations / "0002_newest.toml").unlink()

    project.declare(MODEL + HISTORY + VALUE.replace("heat", "last"))
    project.done("new", "newest", "--rewrite", "Reading")
    file = project.migrations / "0002_newest.py"
    file.write_text(file.read_text().replace(STUB, "    row.last = row.heat[max(row.heat)]\n    return row"))
    project.done("apply", "--yes", "--allow", "deployed:0002_newest")
    assert heat(2, TIME + 999_000, b"last") in there.cells("READ")[b"JFK"]
    project.declare(MODEL + VALUE.replace("heat", "last"))
    project.done("new", "newest alone")
    project.done("apply", "--yes", "--allow", "forget:READ/Reading.w:heat")
    assert project.run("verify").exit_code == 0


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_a_value_becomes_an_event(project: Project, there: Site) -> None:
    """A history beside the column, which a data step fills."""
    start(project, there, VALUE)
    project.declare(MODEL + HISTORY)
    project.done("new", "events")
    refused = project.run("apply", "--yes").output
    assert "recorded with bt.column(), declared with bt.history()" in refused
    assert "each value would be read as an event at the timestamp of its cell" in refused
    assert "`btmodel migrate new MESSAGE --data Reading` fills in" in refused
    (project.migrations / "0002_events.toml").unlink()

    both = MODEL + VALUE + HISTORY.replace("heat", "past")
    project.declare(both)
    project.done("new", "events", "--data", "Reading")
    file = project.migrations / "0002_events.py"
    step = """    from datetime import UTC, datetime
    return Reading(station=row.station, past=bt.History({datetime(2020, 1, 1, tzinfo=UTC): row.heat}))
"""
    code = file.read_text().replace('    raise NotImplementedError("fill in change_reading")\n', step)
    code = code.replace("-> OldReading | None", "-> Reading")
    file.write_text(code.replace("@data_step(", both + "\n\n@data_step("))
    project.done("apply", "--yes")
    assert heat(2, TIME - 24 * 3_600_000_000, b"past") in there.cells("READ")[b"JFK"]


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_a_value_that_is_required_is_filled_in_first(project: Project, there: Site) -> None:
    """An optional column, which a rewritten row gets, is required by the next revision."""
    start(project, there, VALUE)
    mean = '    mean: float{} = bt.column("mean", w{})\n'
    project.declare(MODEL + VALUE + mean.format("", ""))
    project.done("new", "mean")
    assert "`btmodel migrate new MESSAGE --rewrite Reading`" in project.run("plan").output
    (project.migrations / "0002_mean.toml").unlink()

    project.declare(MODEL + VALUE + mean.format(" | None", ", default=None"))
    project.done("new", "mean", "--rewrite", "Reading")
    file = project.migrations / "0002_mean.py"
    file.write_text(file.read_text().replace(STUB, "    row.mean = row.mean or 1.5\n    return row"))
    project.done("apply", "--yes", "--allow", "deployed:0002_mean")
    project.declare(MODEL + VALUE + mean.format("", ""))
    project.done("new", "mean always")
    project.done("apply", "--yes", "--allow", "require-column:READ.w:mean")
    assert heat(1.5, TIME + 999_000, b"mean") in there.cells("READ")[b"JFK"]


def layout(column: str, *times: tuple[str, str]) -> Layout:
    parts = (KeyPart("Text(width=3)", "#", "station"), *(KeyPart(codec, "#", name) for name, codec in times))
    return Layout("Reading", parts, (CellLayout("w:heat", f"{column} Float64()"),))


DAY, WEEK = ("at", "DateText()"), ("at", "IsoWeek()")
HOUR = ("at", "TimeText(format=CalendarFormat(text='%Y%m%d%H'))")
SPAN = ("at", "EpochBucket(codec=EpochSeconds(), every=datetime.timedelta(days=28))")
MILLI = ("time", "EpochMillis()")
TO_DAY = "the row of the day with {} added to those that are there"


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (layout("history", DAY), layout("history", HOUR), ("the events of a day", "the events of an hour", "a row for each hour")),
        (layout("history", HOUR), layout("history", DAY), ("the events of an hour", "the events of a day", TO_DAY.format("its events, which are"))),
        (layout("history", SPAN), layout("history", WEEK), ("the events of 28 days", "the events of a week", "a row for each week")),
        (layout("history", DAY), layout("value", MILLI), ("the events of a day", "one event", "a row for each event")),
        (layout("value", MILLI), layout("history", DAY), ("one event", "the events of a day", TO_DAY.format("its event, which is"))),
        (layout("history"), layout("value", MILLI), ("all events", "one event", "a row for each event")),
        # Rows that correspond one to one: the same span, no events, a field that stays, and one of a time that nobody knows.
        (layout("history", DAY), layout("history", DAY, ("n", "PaddedInt(digits=4)")), None),
        (layout("history", DAY), layout("value", DAY), None),
        (layout("value", MILLI), layout("value", DAY), None),
        (layout("history", DAY), layout("history", DAY, MILLI), None),
        (layout("history", DAY), layout("history", ("at", "own.Code()")), None),
        (layout("history", ("at", "EpochSeconds()")), layout("history", MILLI), None),
    ],
)  # fmt: skip
def test_rows_of_another_span(old: Layout, new: Layout, wanted: tuple[str, str, str] | None) -> None:
    """One row becomes several, or several become one, by the finest time in the key."""
    assert other_span(old, new) == (None if wanted is None else OtherSpan(*wanted))


def test_a_time_that_a_column_keeps_tells_rows_apart() -> None:
    """So they correspond one to one, whatever the new key holds."""
    assert other_span(layout("history", DAY), layout("history"), kept=["at"]) is None
    assert other_span(layout("history", DAY), layout("history")) is not None
