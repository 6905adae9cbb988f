"""The demo, as ``make demo`` runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from btmodel import emulator

ROOT = Path(__file__).parents[2]


def test_the_demo_answers_its_questions() -> None:
    """A class is refused, its hotspot is drawn, every flight is loaded, and each question has its answer."""
    environment = {name: value for name, value in os.environ.items() if name != emulator.VARIABLE}
    run = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        cwd=ROOT,
        env={**environment, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    for line in (
        "error KEY001 timestamp-first  Quote.quote_time (first_try.py:8)",
        "1 model reviewed: 1 error, 0 warnings",
        "Quote: every write goes to one node",
        "10 of 10 nodes busy",
        "proposed key: QUOTE  rows written in ranges of keys",
        "    def of_aircraft(",
        "nothing to do",
        "155 of 27,004 flights were cancelled",
        "N730MQ#201301031530#MQ#4471#LGA",
        "LGA#20130101#201301011029#UA#1714",
        "SFO#201301011100#JFK#20130101#UA#0303",
        "The stream: 3,570 changes of 1,785 flights",
        "Where to go next",
    ):
        assert line in run.stdout, line
    assert re.search(r"27004/27004", run.stdout)
    assert re.search(r"53,853 rows written in .* rows/s", run.stdout)
    rows, times = zip(
        *re.findall(r"│ (?:btmodel|by hand) +│ ([\d,]+) │.*│ ([\d.]+) times +│", run.stdout), strict=True
    )
    assert rows == ("27,004", "27,004")
    assert times[0] == "1.0"
    assert all(line.startswith("server: ") for line in run.stderr.splitlines())


@pytest.mark.parametrize("name", ["flights-2013-01.csv.gz", "flights-2013.csv.xz", "weather-2013-01.csv.gz"])
def test_the_data_is_described(name: str) -> None:
    """Every data file has a line in the folder's README with its licence."""
    [line] = [line for line in (ROOT / "examples/data/README.md").read_text().splitlines() if name in line]
    assert "CC0" in line
