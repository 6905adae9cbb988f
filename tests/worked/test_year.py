"""The year of flights that moves to another key, as ``make year`` runs it, with every 84th flight."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from btmodel import emulator
from examples.year import __main__ as year
from tests.forked_commands import Commands

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "src" / "btmodel" / "__main__.py"
MONTHS = [f"2013-{month:02}" for month in range(1, 13)]


@pytest.mark.slow
def test_a_year_of_flights_moves_to_another_key(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run is killed in the middle, the next one goes on there, and each flight has the same bytes under its new key.

    Its commands are forks of a process that has loaded them, but for the one that is killed.
    """

    def btmodel(*arguments: str, codes: tuple[int, ...] = (0,)) -> None:
        done = commands.program(PROGRAM, arguments, Path.cwd(), year.environment())
        print(done.stdout)
        assert done.returncode in codes, done.stderr

    monkeypatch.delenv(emulator.VARIABLE, raising=False)
    monkeypatch.setattr(sys, "argv", ["year", "--every", "84"])
    monkeypatch.setattr(year, "btmodel", btmodel)
    year.main()
    told = capsys.readouterr().out
    assert "4,010 rows written" in told
    [killed] = re.findall(r"killed \(kill -9\) after ([\d,]+) of 4,010 rows", told)
    assert "0003_by_flight_backfill/move_flight_departure goes on after row" in told
    assert f"after {killed} rows\n" in told
    assert told.count("compared airport_departure with flight_departure: 4,010 rows equal\n") == 2
    hashes = re.findall(r": 4,010 rows, ([0-9a-f]{64})$", told, re.MULTILINE)
    assert len(hashes) == 2
    assert hashes[0] == hashes[1]
    months = re.findall(r"^month=(\S+): +([\d,]+) rows, the same in both$", told, re.MULTILINE)
    assert [month for month, _ in months] == MONTHS
    assert sum(int(rows.replace(",", "")) for _, rows in months) == 4_010


def test_a_file_that_is_not_there_is_named() -> None:
    """One sentence, before anything is started."""
    environment = {name: value for name, value in os.environ.items() if name != emulator.VARIABLE}
    command = [sys.executable, "-m", "examples.year", "--data", "none.csv.gz"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 2
    assert run.stderr.endswith("error: --data: none.csv.gz is not there\n")
