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
    """It loads every flight, prints the raw keys and the answers, and finds nothing left to migrate."""
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
        "NASDAQ#ZXZZT#1426535612156",
        "models reviewed: 0 errors, 1 warning",  # the first try of the games, whose players collide
        "SaltedBattery: the writes go to 3 growing ends, and so to 3 of 10 nodes at most",
        "UserBattery: the writes are spread",
        "155 of 27,004 flights were cancelled",
        "MQ 4518",
        "N24211",
        "600.55",
        "nothing to do",
    ):
        assert line in run.stdout
    assert re.search(r"27004/27004", run.stdout)
    assert re.search(r"[\d,]+ writes in .* rows/s", run.stdout)
    assert all(line.startswith("server: ") for line in run.stderr.splitlines())


@pytest.mark.parametrize("name", ["flights-2013-01.csv.gz", "weather-2013-01.csv.gz"])
def test_the_data_is_described(name: str) -> None:
    """Every data file has a line in the folder's README with its licence."""
    [line] = [line for line in (ROOT / "examples/data/README.md").read_text().splitlines() if name in line]
    assert "CC0" in line
