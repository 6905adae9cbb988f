"""The nightly job of the meters, killed on its way, with its server."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from raw_cells import stamped

import btmodel as bt
from btmodel import emulator
from btmodel.server import RunningServer, start
from examples.generated.sensor_repository import SensorRepository
from examples.meters import Sensor, readings
from examples.meters_job import ROWS, copy_day

ROOT = Path(__file__).parents[2]
INSTANCE = "projects/night/instances/night"
DAY = date(2017, 7, 26)
METERS = 8 * ROWS


@contextmanager
def serving(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RunningServer, bt.Database]]:
    """The local server with this file, and a connection to it."""
    with start(file) as running:
        monkeypatch.setenv(emulator.VARIABLE, running.host)
        with bt.connect(INSTANCE) as db:
            yield running, db


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two days of many meters, two readings each."""
    file = tmp_path_factory.mktemp("meters") / "meters.db"
    with pytest.MonkeyPatch.context() as patch, serving(file, patch) as (_, db):
        bt.create_tables(db, Sensor)
        SensorRepository(db).put_many(
            Sensor(meter=meter, day=day, used=bt.Slots(list(readings(day))[:2]))
            for day in (DAY - timedelta(days=1), DAY)
            for meter in range(METERS)
        )
    return file


@pytest.fixture(scope="module")
def undisturbed(written: Path, tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The cells that a run leaves which nobody disturbs."""
    file = shutil.copy(written, tmp_path_factory.mktemp("undisturbed") / "meters.db")
    with pytest.MonkeyPatch.context() as patch, serving(file, patch) as (_, db):
        assert copy_day(db, DAY) == METERS
        return stamped(db, "SENSOR_20170726")


@pytest.fixture
def meters(written: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test."""
    return shutil.copy(written, tmp_path / "meters.db")


@pytest.mark.parametrize("killed", ["the job", "the server"])
def test_a_job_that_is_killed_is_run_again(
    killed: str, meters: Path, undisturbed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed half-way and run again, the job leaves the cells that an undisturbed run leaves, byte for byte."""
    assert len(undisturbed) == 3 * METERS

    with serving(meters, monkeypatch) as (running, _):
        command = [sys.executable, "-m", "examples.meters_job", INSTANCE, "20170726"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as job:
            assert job.stdout is not None
            assert job.stdout.readline() == f"{ROWS}\n"
            os.kill(job.pid if killed == "the job" else running.pid, signal.SIGKILL)
            job.kill()

    with serving(meters, monkeypatch) as (_, db):
        half = {key for key, _ in db.cells("SENSOR_20170726")}
        assert ROWS <= len(half) < METERS
        assert copy_day(db, DAY) == METERS
        assert stamped(db, "SENSOR_20170726") == undisturbed
