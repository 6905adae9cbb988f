"""Runs that copy, drop or rewrite and are killed: whatever call it was at, the next one ends where an undisturbed one does."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from killed_moves import LIVE, MODELS, RENAMED

from btmodel import emulator
from btmodel import server as local_server
from btmodel.migrate.revisions.folder import write
from btmodel.migrate.revisions.revision import Revision
from tests.examples_tried import THOROUGH
from tests.forked_commands import Commands

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
def test_killed_while_cells_move(what: str, tmp_path: Path, commands: Commands) -> None:
    """With SIGKILL after some of all calls, and then again: the same cells, the same history, nothing under way.

    With ``--thorough`` after each.
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
    *killed, lived = told(commands, what, tmp_path)
    assert len(killed) > 10
    assert [run["codes"] for run in killed] == [[-signal.SIGKILL, 0]] * len(killed)
    for run in killed:
        if what == "step":  # once its revision is recorded, nobody asks how far a step was
            run = {**run, "progress": []}
        assert {**run, "codes": 0} == {**lived, "codes": 0}
    assert (lived["progress"], lived["unfinished"], lived["locked"]) == ([], [], False)
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


def test_killed_before_nobody_says_what_is_renamed(tmp_path: Path, commands: Commands) -> None:
    """Where ``renamed_from=`` is left out after the kill, the next run ends each copy of which a record was there."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.btmodel]\nmodels = ["killed_models"]\nemulated = ["projects/*"]\n'
    )
    runs = told(commands, "forgot", tmp_path)
    seen = set()
    for before, after in zip(runs[::2], runs[1::2], strict=True):
        assert after["codes"][1] == 0
        for old, new, ended in before["copies"]:
            seen.add((old, ended))
            assert [old, new, True] in after["copies"]
            if old == "QUOTE":
                assert after["cells"]["PRICE"] == after["cells"]["QUOTE"]
            else:
                assert all(len(cells) == 4 for _, cells in after["cells"]["TRADE"])
    assert seen == {(old, ended) for old in ("QUOTE", "TRADE.MD") for ended in (False, True)}


def told(commands: Commands, what: str, folder: Path) -> list[dict[str, Any]]:
    """What the program that is killed tells, run in ``folder``: a line for every kill."""
    program = Path(__file__).with_name("killed_moves.py")
    with local_server.start() as server:
        path = os.pathsep.join([*sys.path, str(program.parent)])
        environment = {**os.environ, "PYTHONPATH": path, emulator.VARIABLE: server.host}
        arguments = [server.host, what, "all" if THOROUGH else "some"]
        ran = commands.program(program, arguments, folder, environment, timeout=200)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]
