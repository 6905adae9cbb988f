"""Rows of several models in one table, of which those of one, or of each, are moved to a table of their own."""

import re
import shlex

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, DROP, LISTED, QUOTE, SWITCH
from test_left_by_moves import BID, NOTE, NOTES, filled

from btmodel.rows import Cell, Delete, Mutation

pytestmark = pytest.mark.both_servers

EXCHANGE = Cell("MD", b"EXCHANGE", 5_000, b"XNYS")
MOVED = LISTED.replace(', moved_from="QUOTE"', "")
OTHER = """
class Other(bt.Model, table="QUOTE"):
    "Rows under keys of nine digits."
    number: int = bt.key(bt.PaddedInt(9))
    md = bt.family("MD", gc=bt.max_versions(1))
    what: str | None = bt.column("WHAT", md, default=None)
"""
OTHERS = """
class Other(bt.Model, table=bt.table("OTHERS", moved_from="QUOTE")):
    "Rows under keys of nine digits."
    number: int = bt.key(bt.HexInt(8))
    md = bt.family("MD", gc=bt.max_versions(1))
    what: str | None = bt.column("WHAT", md, default=None)
"""
WHAT = Cell("MD", b"WHAT", 5_000, b"x")


def whole(project: Project, name: str) -> None:
    """Write and apply the revisions of a move."""
    project.done("new", name.replace("_", " "))
    project.done("apply", "--yes")
    for stage in ("backfill", "switch"):
        (id,) = (id for id in project.ids() if id.endswith(f"_{name}_{stage}"))
        project.done("apply", "--yes", "--allow", f"deployed:{id}")


@pytest.fixture
def late(project: Project, there: Site) -> Project:
    """A project whose quotes are moved, from a table that another model of the same rows keeps, and one of them late."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""), cells=(NOTE,))
    project.declare(LISTED, NOTES.format("QUOTE", ""))
    whole(project, "by_exchange")
    there.write("QUOTE", {b"LATE": [BID, EXCHANGE]})
    return project


def test_a_moved_family_of_a_table_that_another_model_keeps_is_compared_before_its_drop(
    late: Project, there: Site
) -> None:
    """It was dropped with what the old table alone had, as nothing declared it."""
    told = late.run("plan").output
    assert (
        "moved-family:QUOTE.MD  keeps newest 1 version; cells of it were moved to LISTED by 0003_by_exchange_backfill, and compared on"
        in told
    )
    assert "undeclared-family:QUOTE.MD" not in told
    assert late.run("status").exit_code == 0
    drop = ("apply", "--yes", "--allow", "drop-family:QUOTE.MD")
    error = str(late.run(*drop).exception)
    assert "rows of QUOTE have 1 cell in 1 row, such as LATE MD:BID" in error
    assert "use --allow copy-and-drop-family:QUOTE.MD to copy these cells first" in error
    assert "use --allow abandon-family:QUOTE.MD to drop QUOTE.MD all the same" in error
    assert len(there.cells("QUOTE")) == 4
    there.write("LISTED", {b"XNYS#LATE": [BID]})
    late.done(*drop)
    assert there.cells("QUOTE") == {key: {NOTE} for key in (b"A", b"B", b"C")}
    assert late.run("verify").exit_code == 0


@pytest.mark.parametrize("verb", ["copy-and-drop-family", "abandon-family"])
def test_both_ways_out_of_a_moved_family_do_what_they_say(late: Project, there: Site, verb: str) -> None:
    """The one copies first, the other one does not."""
    late.done("apply", "--yes", "--allow", f"{verb}:QUOTE.MD")
    assert there.cells("QUOTE") == {key: {NOTE} for key in (b"A", b"B", b"C")}
    assert (b"XNYS#LATE" in there.cells("LISTED")) is (verb == "copy-and-drop-family")


def test_a_family_of_another_model_is_dropped_without_a_comparison(late: Project, there: Site) -> None:
    """Of that one, nothing was moved."""
    other = NOTES.format("QUOTE", "").replace('"X"', '"Y"')
    late.declare(MOVED, other)
    late.done("new", "y")
    assert "undeclared-family:QUOTE.X" in late.run("plan").output
    assert "compared QUOTE with" not in late.done("apply", "--yes", "--allow", "drop-family:QUOTE.X")
    assert {cell.family for cells in there.cells("QUOTE").values() for cell in cells} == {"MD"}


def test_a_table_that_is_declared_anew_has_other_rows(project: Project, there: Site) -> None:
    """Its drop is not compared with the table to which the rows of the former one were moved."""
    filled(project, there, QUOTE)
    project.declare(LISTED)
    whole(project, "by_exchange")
    project.done(*DROP)
    project.declare(MOVED, OTHER)
    project.done("new", "others")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"000000001": [WHAT]})
    project.declare(MOVED, OTHERS)
    whole(project, "others_by_hex")
    assert (
        "its rows were moved to OTHERS by 0007_others_by_hex_backfill, and compared on"
        in project.run("plan").output
    )
    project.done(*DROP)
    assert there.admin.table("QUOTE") is None


def test_cells_that_stay_in_a_declared_table_stop_no_drop(project: Project, there: Site) -> None:
    """There is no drop of a table that a model declares; the notes spoke of one."""
    notes = NOTES.format("QUOTE", "")
    filled(project, there, QUOTE, notes, cells=(NOTE,))
    project.declare(LISTED, notes)
    stay = "so its cells are not moved, and stay in QUOTE, which Notes declares\n"
    assert f"family X of QUOTE: LISTED has none of that id, {stay}" in project.done("new", "by exchange")
    project.done("apply", "--yes")
    said = "QUOTE.X: LISTED has no family for its cells, so they are not moved, and stay in QUOTE, which Notes declares\n"
    told = project.done("apply", "--yes", "--allow", BACKFILL)
    assert said in told
    assert "drop-family" not in told


def test_the_rows_of_each_model_move_one_model_after_the_other(project: Project, there: Site) -> None:
    """The second move ended at rows that the first one had left, and the drop compared the second one alone."""
    filled(project, there, QUOTE, OTHER)
    there.write("QUOTE", {b"000000001": [WHAT], b"000000002": [WHAT]})
    project.declare(LISTED, OTHER)
    whole(project, "by_exchange")
    project.declare(MOVED, OTHERS)
    project.done("new", "by hex")
    project.done("apply", "--yes")
    told = project.done("apply", "--yes", "--allow", "deployed:0006_by_hex_backfill")
    assert "moved 2 rows of QUOTE to OTHERS\n" in told
    assert "2 rows equal, left out 3 rows: no key of the old model\n" in told
    project.done("apply", "--yes", "--allow", "deployed:0007_by_hex_switch")
    told = project.run("plan").output
    assert "its rows were moved to LISTED by 0003_by_exchange_backfill, and compared on" in told
    assert "and to OTHERS by 0006_by_hex_backfill, and compared on" in told
    there.write("QUOTE", {b"LATE": [BID, EXCHANGE]})
    assert "rows of QUOTE have 1 cell in 1 row, such as LATE MD:BID" in str(project.run(*DROP).exception)
    there.write("LISTED", {b"XNYS#LATE": [BID]})
    there.write("QUOTE", {b"nobody's": [WHAT]})
    error = str(project.run(*DROP).exception)
    assert "QUOTE has 1 cell in 1 row, such as nobody's MD:WHAT" in error
    assert "in rows without a key of a model whose rows were moved" in error
    there.rows.write_many("QUOTE", [Mutation("QUOTE", b"nobody's", deletes=(Delete(),))])
    project.done(*DROP)
    assert there.admin.table("QUOTE") is None
    assert len(there.cells("LISTED")) == 4
    assert there.cells("OTHERS") == {b"00000001": {WHAT}, b"00000002": {WHAT}}


def test_a_row_that_no_history_explains_is_refused_with_the_way_out(project: Project, there: Site) -> None:
    """Steps that leave rows of other models out are written by hand then."""
    filled(project, there, QUOTE)
    there.write("QUOTE", {b"000000001": [WHAT]})
    project.declare(LISTED)
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    refused = str(project.run("apply", "--yes", "--allow", BACKFILL).exception)
    assert "row b'000000001' of 'QUOTE' is no OldQuote" in refused
    assert (
        "where that is a row of another model, write shared=True in the @move of each step of QUOTE"
        in refused
    )
    for stage in ("0003_by_exchange_backfill", "0004_by_exchange_switch"):
        file = project.migrations / f"{stage}.py"
        file.write_text(re.sub(r"@move\((.*)\)\n", r"@move(\1, shared=True)\n", file.read_text()))
    told = project.done("apply", "--yes", "--allow", BACKFILL)
    assert "3 rows equal, left out 1 row: no key of the old model\n" in told
    project.done("apply", "--yes", "--allow", SWITCH)
    assert "QUOTE has 1 cell in 1 row, such as 000000001 MD:WHAT" in str(project.run(*DROP).exception)


@pytest.mark.parametrize("gone", [False, True])
def test_no_table_is_abandoned_with_families_that_are_not_named(
    project: Project, there: Site, gone: bool
) -> None:
    """Cells for which the new table has no family went with it."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""), cells=(NOTE,))
    project.declare(LISTED)
    whole(project, "by_exchange")
    there.write("QUOTE", {b"LATE": [BID, EXCHANGE]})
    if gone:
        project.declare(OTHER.replace("QUOTE", "REST"))
        project.done("new", "nothing")
        project.done("apply", "--yes")
        there.admin.delete_table("LISTED")
    abandon = ("apply", "--yes", "--allow", "abandon-table:QUOTE")
    error = str(project.run(*abandon).exception)
    assert "QUOTE has 3 cells in 3 rows, such as A X:NOTE" in error
    assert "use --allow drop-family:QUOTE.X beside --allow abandon-table:QUOTE to drop them" in error
    assert len(there.cells("QUOTE")) == 4
    project.done(*abandon, "--allow", "drop-family:QUOTE.X")
    assert there.admin.table("QUOTE") is None


def test_a_rollback_compares_before_it_drops_what_a_former_move_left(project: Project, there: Site) -> None:
    """Beside what it undoes, the user may name the old table of a move that stays applied: it was dropped unseen."""
    filled(project, there, QUOTE)
    project.declare(LISTED)
    whole(project, "by_exchange")
    project.declare(MOVED, OTHER.replace("QUOTE", "REST"))
    project.done("new", "rest")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"LATE": [BID, EXCHANGE]})
    back = ("rollback", "--yes", "--allow", "drop-table:REST", "--allow", "drop-table:QUOTE")
    assert "rows of QUOTE have 1 cell in 1 row, such as LATE MD:BID" in str(project.run(*back).exception)
    there.write("LISTED", {b"XNYS#LATE": [BID]})
    assert "compared QUOTE with LISTED: nothing is missing\n" in project.done(*back)
    assert there.admin.table("QUOTE") is None


def _commands(text: str) -> list[list[str]]:
    return [shlex.split(one)[2:] for one in re.findall(r"`(btmodel migrate [^`]*)`", text)]


@pytest.mark.parametrize("applied", [False, True])
def test_the_way_to_a_rule_that_keeps_as_much_leads_there(
    project: Project, there: Site, applied: bool
) -> None:
    """Once the new table was there, a revision that changed its rule came too late, and the move could not be written anew."""
    filled(project, there, QUOTE)
    project.declare(LISTED.replace("max_versions(1)", "max_age(days=30)"))
    told = project.done("new", "by exchange")
    way = "delete 0002_by_exchange and what stands on it, let LISTED.MD keep as much, and write them anew with `btmodel migrate new`"
    assert f"lost once QUOTE is dropped: {way}; or use --allow tighten-gc:LISTED.MD" in told
    if applied:
        project.done("apply", "--yes")
    refused = project.refused("apply", "--yes", "--allow", BACKFILL, "--to", "0003_by_exchange_backfill")
    assert way in refused
    commands = _commands(refused)
    if applied:
        assert (
            "deploy what does not write LISTED, run `btmodel migrate rollback --to 0001_quotes --allow drop-table:LISTED`, delete"
            in refused
        )
        project.done(*commands.pop(0), "--yes")
        assert there.admin.table("LISTED") is None
    else:
        assert f"where no instance has applied it, {way}" in refused
    assert commands == [["new"]]
    for file in project.migrations.glob("000[234]*"):
        file.unlink()
    project.declare(LISTED)
    whole(project, "by_exchange")
    assert len(there.cells("LISTED")) == 3
    project.done(*DROP)
