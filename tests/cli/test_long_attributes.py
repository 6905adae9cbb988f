"""Rows with long histories on the terminal: people see the first entries, programs all of them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

import btmodel as bt
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from examples.generated.weather_day_repository import WeatherDayEvent, WeatherDayRepository
from examples.weather import WeatherDay

DAY = datetime(2013, 1, 6, tzinfo=UTC)
KEY = ("station=JFK", "day=2013-01-06")


def test_people_see_the_first_entries(
    migrated: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With --all, as JSON, as CSV and in files there are all."""
    instance = migrated(WeatherDay)
    with bt.connect(instance) as db:
        WeatherDayRepository(db).append_many(
            WeatherDayEvent(station="JFK", at=DAY + timedelta(minutes=number), temperature=float(number))
            for number in range(24)
        )
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BTMODEL_INSTANCE", instance)

    def run(command: str, *arguments: str) -> str:
        options = (command, "-m", "examples.weather", "WeatherDay", *KEY, *arguments)
        done = CliRunner().invoke(group, options)
        assert done.exit_code == 0, done.output
        return done.stdout

    for command in ("get", "rows"):
        cut = run(command)
        assert cut.count("T0") == 20
        assert "… 4 more" in " ".join(cut.split())
        assert run(command, "--all").count("T0") == 24
        assert len(json.loads(run(command, "--json"))["temperature"]) == 24
    assert run("rows", "--csv").count("T0") == 24
    file = tmp_path / "days.csv"
    run("rows", "--out", str(file))
    assert file.read_text().count("T0") == 24
