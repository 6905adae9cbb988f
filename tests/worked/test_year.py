"""The year of flights that moves to another key, as ``make year`` runs it, with every 84th flight."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from btmodel import emulator

ROOT = Path(__file__).parents[2]
MONTHS = [f"2013-{month:02}" for month in range(1, 13)]


def year(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != emulator.VARIABLE}
    return subprocess.run(
        [sys.executable, "-m", "examples.year", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
def test_a_year_of_flights_moves_to_another_key() -> None:
    """The run is killed in the middle, the next one goes on there, and each flight has the same bytes under its new key."""
    run = year("--every", "84")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "4,010 rows written" in run.stdout
    [killed] = re.findall(r"killed \(kill -9\) after ([\d,]+) of 4,010 rows", run.stdout)
    assert "0003_by_flight_backfill/move_flight_departure goes on after row" in run.stdout
    assert f"after {killed} rows\n" in run.stdout
    assert run.stdout.count("compared airport_departure with flight_departure: 4,010 rows equal\n") == 2
    hashes = re.findall(r": 4,010 rows, ([0-9a-f]{64})$", run.stdout, re.MULTILINE)
    assert len(hashes) == 2
    assert hashes[0] == hashes[1]
    months = re.findall(r"^month=(\S+): +([\d,]+) rows, the same in both$", run.stdout, re.MULTILINE)
    assert [month for month, _ in months] == MONTHS
    assert sum(int(rows.replace(",", "")) for _, rows in months) == 4_010


def test_a_file_that_is_not_there_is_named() -> None:
    """One sentence, before anything is started."""
    run = year("--data", "none.csv.gz")
    assert run.returncode == 2
    assert run.stderr.endswith("error: --data: none.csv.gz is not there\n")
