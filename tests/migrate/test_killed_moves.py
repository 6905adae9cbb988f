"""Runs that copy, drop or rewrite and are killed: whatever call it was at, the next one ends where an undisturbed one does."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from killed_moves import LIVE, MODELS, RENAMED

from btmodel import emulator
from btmodel import server as local_server
from btmodel.migrate.revisions.folder import write
from btmodel.migrate.revisions.revision import Revision

FILL = '''
import btmodel as bt
from btmodel.migrate import StoredRow, data_step
from btmodel.rows import Cell, Delete, Mutation


@data_step("QUOTE")
def fill(row: StoredRow) -> list[Mutation]:
    """Move each row to another table: what is deleted first is what is lost, if order decides."""
    moved = Mutation("TRADE", row.key, (Cell("MD", b"FILLED", 5_000, row.cells[0].value),))
    return [Mutation("QUOTE", row.key, deletes=(Delete(),)), moved]


@data_step("TRADE")
def again(row: StoredRow) -> Mutation:
    """Read what the first step wrote."""
    found = [cell.value for cell in row.cells if cell.qualifier == b"FILLED"]
    return Mutation("TRADE", row.key, (Cell("MD", b"AGAIN", 5_000, b"".join(found)),))
'''


@pytest.mark.parametrize("what", ["copy", "drop", "step", "back"])
def test_killed_while_cells_move(what: str, tmp_path: Path) -> None:
    """With SIGKILL after some of all calls, and then again: the same cells, the same journal, nothing under way.

    The thorough profile has it killed more often.
    """
    (tmp_path / "killed_models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.btmodel]\nmodels = ["killed_models"]\nemulated = ["projects/*"]\n'
    )
    if what == "step":
        (tmp_path / "pyproject.toml").write_text('[tool.btmodel]\nemulated = ["projects/*"]\n')
        write(tmp_path / "migrations", Revision("0001_fill", "fill", (), LIVE, ("fill", "again"), FILL))
        (tmp_path / "migrations" / "0001_fill.py").write_text(FILL)
    elif what == "back":
        (tmp_path / "pyproject.toml").write_text('[tool.btmodel]\nemulated = ["projects/*"]\n')
        first = Revision("0001_quotes", "quotes", (), LIVE)
        write(tmp_path / "migrations", first)
        write(tmp_path / "migrations", Revision("0002_renamed", "renamed", (first.link,), RENAMED))
    program = Path(__file__).with_name("killed_moves.py")
    often, seldom = {"copy": (4, 7), "drop": (2, 3), "step": (1, 3), "back": (4, 7)}[what]
    every = often if settings().max_examples >= 1_000 else seldom
    with local_server.start() as server:
        path = os.pathsep.join([*sys.path, str(program.parent)])
        environment = {**os.environ, "PYTHONPATH": path, emulator.VARIABLE: server.host}
        ran = subprocess.run(
            [
                sys.executable,
                str(program),
                server.host,
                what,
                str(every),
            ],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
        )
    assert ran.returncode == 0, ran.stderr
    *killed, lived = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(killed) > 10
    assert [run["codes"] for run in killed] == [[-signal.SIGKILL, 0]] * len(killed), ran.stderr
    for run in killed:
        if what == "step":  # once its revision is recorded, nobody asks how far a step was
            run = {**run, "progress": []}
        assert {**run, "codes": 0} == {**lived, "codes": 0}
    assert (lived["progress"], lived["unfinished"], lived["leased"]) == ([], [], False)
    if what == "copy":
        assert lived["copies"] == [["QUOTE", "PRICE", True], ["TRADE.MD", "TRADE.market", True]]
        assert lived["cells"]["PRICE"] == lived["cells"]["QUOTE"]
        assert all(len(cells) == 4 for _, cells in lived["cells"]["TRADE"])
    elif what == "drop":
        assert lived["copies"] == []
        assert lived["tables"] == {"PRICE": ["MD"], "TRADE": ["market"]}
    elif what == "back":
        assert lived["copies"] == [["PRICE", "QUOTE", True], ["TRADE.market", "TRADE.MD", True]]
        assert lived["revisions"] == ["0001_quotes"]
        assert lived["cells"]["PRICE"] == lived["cells"]["QUOTE"]
        assert all(len(cells) == 4 for _, cells in lived["cells"]["TRADE"])
    else:
        assert lived["revisions"] == ["0001_fill"]
        assert (lived["cells"]["QUOTE"], len(lived["cells"]["TRADE"])) == ([], 7)
        assert all(len(cells) == 4 for _, cells in lived["cells"]["TRADE"])
