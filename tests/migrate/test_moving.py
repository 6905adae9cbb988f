"""How far it is with rows, told where there is no terminal."""

import pytest
from rich.console import Console

from btmodel.cli.migrate.confirmed_run import RowProgress


def test_lines_come_now_and_then(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is quick has no line of its own; what takes long has one each time, with a speed that leaves out what was done before."""
    moving = RowProgress(Console())
    moving("copying", 0)
    moving("copying", 500)
    assert capsys.readouterr().out == ""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    moving("running", 15_000)
    for rows in (15_500, 35_000, 35_500, 55_000):
        now[0] += 5.5
        moving("running", rows)
    moving.say("ran it")
    assert capsys.readouterr().out.split("\n") == [
        "running: 35,000 rows, 1,818 rows/s",
        "running: 55,000 rows, 1,818 rows/s",
        "ran it",
        "",
    ]
