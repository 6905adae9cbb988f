"""Rows of a bucket that becomes another one: both tables get the events, and a data step fills in the rest.

No key move does that, as one row becomes several or several become one. This is the way that `btmodel migrate new` names instead,
followed while the application appends, by a run that is killed on its way.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
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
from tests.written_repositories import generated

MODEL = """
class {name}(bt.Model, table="{table}", bucket="{bucket}", events="96/day"):
    "Readings of a station."
    station: str = bt.key(bt.Text(width=5))
    at: {type} = bt.key({codec})
    w = bt.family("w", gc=bt.keep_all())
    heat: {heat}
    of_all = bt.query(scan="a test")
"""
BUCKETS = {
    "day": {"bucket": "day", "type": "date", "codec": "bt.DateText()"},
    "hour": {"bucket": "hour", "type": "datetime", "codec": 'bt.TimeText("%Y%m%d%H")'},
}
COLUMNS = {
    "history": 'bt.History[float] = bt.history("heat", w)',
    "slots": 'bt.Slots[float] = bt.slots(w, every="15min", qualifier="{minutes}")',
}
# Where the step of the revision kills its process, once.
KILLED = """
    import os, pathlib, signal
    if row.station == "S0700" and not pathlib.Path("killed").exists():
        pathlib.Path("killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""
STEP = """
    spans: dict[datetime, dict[datetime, float]] = {{}}
    for time, heat in row.heat.items():
        spans.setdefault(time.replace({cut}), {{}})[time] = heat
    return [New(station=row.station, at={at}, heat=bt.{kind}(events)) for at, events in spans.items()]
"""
CUTS = {
    "hour": ("minute=0, second=0, microsecond=0", "at"),
    "day": ("hour=0, minute=0, second=0", "at.date()"),
}
STATIONS = 1_200
BEGIN = datetime(2020, 1, 2, 22, tzinfo=UTC)


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: nothing here depends on the server."""
    with local_server.start() as running:
        yield running


def model(name: str, table: str, bucket: str, column: str) -> str:
    minutes = "%M" if bucket == "hour" else "%H%M"
    heat = COLUMNS[column].format(minutes=minutes)
    return MODEL.format(name=name, table=table, heat=heat, **BUCKETS[bucket])


def events_of(rows: Any) -> dict[tuple[str, datetime], float]:
    return {(row.station, time): heat for row in rows for time, heat in row.heat.items()}


def module_of(code: str) -> Any:
    """A module of these models, as an application imports it."""
    made = ModuleType("bucket_models")
    sys.modules[made.__name__] = made
    exec("import btmodel as bt\nfrom datetime import date, datetime\n" + code, vars(made))
    return made


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(("before", "after"), [("day", "hour"), ("hour", "day")])
def test_another_bucket_is_filled_by_a_data_step(
    project: Project, there: Site, server: local_server.RunningServer, before: str, after: str, column: str
) -> None:
    """Both tables hold the same events in the end, those of before the step and those that were appended meanwhile."""
    dates = "from datetime import date, datetime\n"
    old, new = model("Reading", "OLD", before, column), model("New", "NEW", after, column)
    project.declare(dates + old)
    project.done("new", "old")
    project.done("apply", "--yes")
    project.declare(dates + old + new)
    project.done("new", "new")
    project.done("apply", "--yes")

    models = module_of(old + new)
    scan = vars(models)
    stop, appended = threading.Event(), threading.Event()
    with bt.Database(Target(project.instance, server.host, lambda: None)) as db:
        module = generated(scan["Reading"])
        olds = module.ReadingRepository(db)
        news = generated(scan["New"]).NewRepository(db)
        olds.append_many(
            module.ReadingEvent(
                station=f"S{station:04}", at=BEGIN + quarter * timedelta(minutes=15), heat=quarter / 2
            )
            for station in range(STATIONS)
            for quarter in range(0, 12, 5)
        )

        def append() -> None:
            with bt.Database(Target(project.instance, server.host, lambda: None)) as own:
                both = [
                    generated(scan["Reading"]).ReadingRepository(own),
                    generated(scan["New"]).NewRepository(own),
                ]
                number = 0
                while not stop.is_set():
                    station = f"S{number * 7 % STATIONS:04}"
                    at = BEGIN + (number % 12) * timedelta(
                        minutes=15
                    )  # some of them replace earlier readings
                    for repository in both:
                        repository.append(station=station, at=at, heat=float(number))
                    number += 1
                    appended.set()

        project.done("new", "fill", "--data", "Reading")
        file = project.migrations / "0003_fill.py"
        cut, at = CUTS[after]
        step = STEP.format(cut=cut, at=at, kind="History" if column == "history" else "Slots")
        code = file.read_text().replace(
            '    raise NotImplementedError("fill in change_reading")\n', KILLED + step
        )
        code = code.replace("-> OldReading | None", "-> list[New]")
        code = code.replace("@data_step(", new + "\n\n@data_step(")
        file.write_text(
            code.replace("from datetime import date\n", dates).replace(
                "from datetime import datetime\n", dates
            )
        )

        writer = threading.Thread(target=append)
        writer.start()
        try:
            assert appended.wait(30)
            command = [sys.executable, "-m", "btmodel", "migrate", "apply", "--yes"]
            environment = {**os.environ, emulator.VARIABLE: server.host}
            killed = subprocess.run(
                command, cwd=project.folder, env=environment, capture_output=True, text=True
            )
            assert killed.returncode == -signal.SIGKILL, killed.stderr
            assert "run `btmodel migrate` to continue it" in project.run("status").output
            project.done("apply", "--yes", "--force-unlock")
        finally:
            stop.set()
            writer.join()
        assert events_of(olds.of_all()) == events_of(news.of_all())
