"""Rows of a bucket that becomes another one: both tables get the events, and a data step fills in the rest.

No key move does that, as one row becomes several or several become one. This is the way that `btmodel migrate new` names instead,
followed while the application appends, by a run that is killed on its way.
"""

import os
import re
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

import btmodel as bt
from btmodel import emulator
from btmodel import server as local_server
from btmodel.client.target import Target
from tests.forked_commands import Commands
from tests.written_repositories import generated

MODEL = """
class {name}(bt.Model, table="{table}"{bucket}):
    "Readings of a station."
    station: str = bt.key(bt.Text(width=5))
    at: {type} = bt.key({codec})
    w = bt.family("w", gc=bt.keep_all())
    heat: {heat}
    of_all = bt.query(scan="a test")
"""
# The type and the codec of the time in the key; of what is no bucket, a row holds one event.
BUCKETS = {
    "event": ("datetime", 'bt.TimeText("%Y%m%d%H%M")'),
    "hour": ("datetime", 'bt.TimeText("%Y%m%d%H")'),
    "day": ("date", "bt.DateText()"),
    "week": ("date", "bt.IsoWeek()"),
    "28 days": ("datetime", "bt.EpochBucket(bt.EpochSeconds(), timedelta(days=28))"),
}
COLUMNS = {
    "value": 'float = bt.column("heat", w)',
    "history": 'bt.History[float] = bt.history("heat", w)',
    "marks": "bt.History[int] = bt.marks(w, bt.Int(6))",
    "slots": 'bt.Slots[float] = bt.slots(w, every="15min", qualifier="{minutes}")',
}
# Where the step of the revision kills its process, once.
KILLED = """
    import os, pathlib, signal
    if row.station == "S0550" and not pathlib.Path("killed").exists():
        pathlib.Path("killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""
STEP = """
    events = {events}
    spans: dict[datetime, dict[datetime, float]] = {{}}
    for time, heat in events.items():
        spans.setdefault({start}, {{}})[time] = heat
    return [New(station=row.station, at={at}, heat={heat}) for at, events in spans.items()]
"""
# The start of the span of a time, and the value of the key.
CUTS = {
    "event": ("time", "at"),
    "hour": ("time.replace(minute=0)", "at"),
    "day": ("time.replace(hour=0, minute=0)", "at.date()"),
    "week": ("time.replace(hour=0, minute=0) - timedelta(days=time.weekday())", "at.date()"),
    "28 days": ("time - (time - datetime.fromtimestamp(0, time.tzinfo)) % timedelta(days=28)", "at"),
}
STATIONS = 600
BEGIN = datetime(2020, 1, 2, 22, tzinfo=UTC)
QUARTER = timedelta(minutes=15)
DATES = "from datetime import date, datetime, timedelta\n"


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: nothing here depends on the server."""
    with local_server.start() as running:
        yield running


def model(name: str, table: str, span: str, column: str) -> str:
    kind, codec = BUCKETS[span]
    heat = COLUMNS[column if span != "event" else "value"].format(minutes="%M" if span == "hour" else "%H%M")
    length = "timedelta(days=28)" if span == "28 days" else repr(span)
    bucket = "" if span == "event" else f', bucket={length}, events="96/day"'
    return MODEL.format(name=name, table=table, heat=heat, type=kind, codec=codec, bucket=bucket)


def step(before: str, after: str, column: str) -> str:
    start, at = CUTS[after]
    events = "{row.at: row.heat}" if before == "event" else "row.heat"
    heat = (
        "events[at]"
        if after == "event"
        else "bt.Slots(events)"
        if column == "slots"
        else "bt.History(events)"
    )
    return STEP.format(events=events, start=start, at=at, heat=heat)


def events_of(rows: Any) -> dict[tuple[str, datetime], float]:
    return {
        (row.station, time): heat
        for row in rows
        for time, heat in (row.heat if isinstance(row.heat, Mapping) else {row.at: row.heat}).items()
    }


def module_of(code: str) -> Any:
    """A module of these models, as an application imports it."""
    made = ModuleType("bucket_models")
    sys.modules[made.__name__] = made
    made.code = code  # type: ignore[attr-defined]
    exec("import btmodel as bt\n" + DATES + code, vars(made))
    return made


def writer_of(module: Any, name: str, span: str, db: bt.Database) -> Callable[[str, datetime, float], Any]:
    """What writes an event to the table of the model called ``name``."""
    made, marks = generated(getattr(module, name)), "bt.marks(" in module.code
    repository = getattr(made, f"{name}Repository")(db)
    if span == "event":
        row = getattr(module, name)
        return lambda station, at, heat: repository.put(row(station=station, at=at, heat=heat))
    # Of marks, one time has one value.
    return lambda station, at, heat: repository.append(
        station=station, at=at, heat=at.minute if marks else heat
    )


@pytest.mark.parametrize(
    ("before", "after", "column"),
    [
        ("day", "hour", "history"),
        ("hour", "day", "slots"),
        ("day", "hour", "marks"),
        ("hour", "week", "marks"),
        ("day", "event", "history"),
        ("event", "day", "history"),
        ("hour", "week", "history"),
        ("28 days", "week", "history"),
    ],
)
def test_another_bucket_is_filled_by_a_data_step(
    project: Project,
    there: Site,
    server: local_server.RunningServer,
    commands: Commands,
    before: str,
    after: str,
    column: str,
) -> None:
    """Both tables hold the same events in the end, those of before the step and those that were appended meanwhile."""
    old, new = model("Reading", "OLD", before, column), model("New", "NEW", after, column)
    project.declare(DATES + old)
    project.done("new", "old")
    project.done("apply", "--yes")
    moved = new.replace("class New", "class Reading").replace('"NEW"', 'bt.table("NEW", moved_from="OLD")')
    project.declare(DATES + moved)
    assert "`btmodel migrate new MESSAGE --data Reading`, by a function that returns" in project.refused(
        "new", "new"
    )
    project.declare(DATES + old + new)
    project.done("new", "new")
    project.done("apply", "--yes")

    models = module_of(old + new)
    stop, appended = threading.Event(), threading.Event()
    with bt.Database(Target(project.instance, server.host, lambda: None)) as db:
        with ThreadPoolExecutor(16) as pool:
            write = writer_of(models, "Reading", before, db)
            for station in range(STATIONS):
                # Each tenth one has all three, the others one of them: a call for each event takes most of the time.
                for quarter in (0, 5, 10) if station % 10 == 0 else (station % 3 * 5,):
                    pool.submit(write, f"S{station:04}", BEGIN + quarter * QUARTER, quarter / 2)

        def append() -> None:
            with bt.Database(Target(project.instance, server.host, lambda: None)) as own:
                both = [writer_of(models, "Reading", before, own), writer_of(models, "New", after, own)]
                number = 0
                while not stop.wait(0.002):  # the commands get the processor
                    at = BEGIN + (number % 12) * QUARTER  # some of them replace earlier readings
                    for write in both:
                        write(f"S{number * 7 % STATIONS:04}", at, float(number))
                    number += 1
                    appended.set()

        project.done("new", "fill", "--data", "Reading")
        file = project.migrations / "0003_fill.py"
        code = file.read_text().replace(
            '    raise NotImplementedError("fill in change_reading")\n', KILLED + step(before, after, column)
        )
        code = code.replace("-> OldReading | None", "-> list[New]")
        code = code.replace("@data_step(", new + "\n\n@data_step(")
        file.write_text(re.sub("^from datetime import .*\n", DATES, code, flags=re.MULTILINE))

        writer = threading.Thread(target=append)
        writer.start()
        try:
            assert appended.wait(30)
            environment = {**os.environ, emulator.VARIABLE: server.host}
            killed = commands.run(["migrate", "apply", "--yes"], project.folder, environment)
            assert killed.returncode == -signal.SIGKILL, killed.stderr
            assert "run `btmodel migrate` to continue it" in project.run("status").output
            project.done("apply", "--yes", "--force-unlock")
        finally:
            stop.set()
            writer.join()
        rows = [
            getattr(generated(getattr(models, name)), f"{name}Repository")(db).of_all()
            for name in ("Reading", "New")
        ]
        assert events_of(rows[0]) == events_of(rows[1]) != {}


def test_the_step_of_the_page_makes_the_rows_of_each_hour() -> None:
    """Its code is run on a day with readings in two hours."""
    page = (Path(__file__).parents[2] / "docs/migrations.md").read_text()
    section = page.partition("\n### Another bucket\n")[2].partition("\n## ")[0]
    models, step = (
        textwrap.dedent(block) for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    )
    module = module_of(models + "\nfrom btmodel.migrate import data_step\nOldReadings = Readings\n" + step)
    times = [datetime(2020, 1, 2, hour, minute, tzinfo=UTC) for hour, minute in ((3, 5), (3, 55), (4, 0))]
    day = module.Readings(station="JFK", at=times[0].date(), heat=bt.History(dict.fromkeys(times, 1.5)))
    rows = module.change_readings.function(day)
    assert [(row.at.hour, list(row.heat)) for row in rows] == [(3, times[:2]), (4, times[2:])]
