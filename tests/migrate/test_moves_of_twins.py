"""The rows of a model move to another key while the model is a twin of another one: nothing is written to the new table alone."""

import importlib
import json
import sys

import pytest
from click.testing import CliRunner
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel.cli.group import group
from btmodel.errors import DeclarationError
from btmodel.repository import TwinRepository
from btmodel.rows import Cell

A = """
class A(bt.Model, table="a"):
    "A call by its station."
    x: str = bt.key(bt.Text(max_length=20))
    y: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    c: str = bt.column("c", f)
"""
B = """
class B(bt.Model, table="b"):
    "A call by its line."
    y: str = bt.key(bt.Text(max_length=20))
    x: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    c: str = bt.column("c", f)
"""
MOVED = B.replace('table="b"', 'table=bt.table("b2", moved_from="b")').replace(
    "x: str = bt.key(bt.Text(max_length=20))", "x: str = bt.key(bt.EscapedText(20))"
)
TWINS = "AB = bt.twins(A, B)\n"
BACKFILL, SWITCH = "deployed:0003_two_backfill", "deployed:0004_two_switch"


@pytest.fixture
def calls(project: Project, there: Site) -> Project:
    """A project whose twins have a row in either table; one of them gets another key now."""
    project.declare(A, B, TWINS)
    project.done("new", "one")
    project.done("apply", "--yes")
    there.write("a", {b"x0#y": [Cell("f", b"c", 5_000, b"1")]})
    there.write("b", {b"y#x0": [Cell("f", b"c", 5_000, b"1")]})
    project.declare(A, MOVED, TWINS)
    return project


@pytest.mark.parametrize(
    "command", [("migrate", "new", "two"), ("migrate", "plan"), ("generate",), ("check", "--format", "json")]
)
def test_twins_that_leave_out_the_table_that_is_still_read_are_refused(
    calls: Project, command: tuple[str, ...]
) -> None:
    """Every command that reads the models says that the old table would get nothing, and what to write instead."""
    result = CliRunner().invoke(group, command)
    assert result.exit_code
    said = str(result.exception) if isinstance(result.exception, DeclarationError) else result.output
    assert "AB: B is moved_from='b', and these twins do not write 'b'" in json.dumps(said).replace('\\"', '"')
    assert "Take B out of AB until the move is done" in said
    assert calls.ids() == ["0001_one"]


def test_a_twin_moves_to_another_key_and_nothing_is_lost(calls: Project, there: Site) -> None:
    """While rows move, the one model is written by itself and the moved one with the twins of the move; then both are twins again."""
    calls.declare(A, MOVED)
    calls.done("new", "two", "--dual-writes", "dual.py")
    calls.done("apply", "--yes")
    sys.path.insert(0, str(calls.folder))
    sys.modules.pop("dual", None)
    importlib.invalidate_caches()
    dual = importlib.import_module("dual")
    twins = TwinRepository(there.rows, dual.B_MOVE)
    there.write("a", {b"x1#y": [Cell("f", b"c", 6_000, b"2")]})
    twins._replace(dual.OldB(y="y", x="x1", c="2"))
    assert sorted(there.cells("b")) == [b"y#x0", b"y#x1"]
    calls.done("apply", "--yes", "--allow", BACKFILL)
    calls.done("apply", "--yes", "--allow", SWITCH)
    calls.declare(A, MOVED.replace('bt.table("b2", moved_from="b")', '"b2"'), TWINS)
    calls.done("apply", "--yes", "--allow", "drop-table:b")
    assert there.admin.table("b") is None
    assert sorted(there.cells("b2")) == [b"y#x0\0\1", b"y#x1\0\1"]
    assert sorted(there.cells("a")) == [b"x0#y", b"x1#y"]
    assert CliRunner().invoke(group, ["generate"]).exit_code == 0


def test_rows_of_the_new_table_alone_are_to_be_written_to_the_old_one_first(
    calls: Project, there: Site
) -> None:
    """What something wrote to the new table alone ends the backfill, whose error begins with the way that keeps the rows; after it nothing is refused."""
    calls.declare(A, MOVED)
    calls.done("new", "two")
    calls.done("apply", "--yes")
    cells = [Cell("f", b"c", 6_000, b"2")]
    there.write("b2", {b"y#x1\0\1": cells})
    said = calls.refused("apply", "--yes", "--allow", BACKFILL)
    assert said.index("first write them to 'b' as well") < said.index("--allow take-back:move_b deletes")
    there.write("b", {b"y#x1": cells})
    calls.done("apply", "--yes")
    assert sorted(there.cells("b2")) == [b"y#x0\0\1", b"y#x1\0\1"]
