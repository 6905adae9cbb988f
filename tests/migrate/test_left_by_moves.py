"""What a key move does not take along is said before rows move, counted by each comparison, and stops the drop of the old table."""

import sys

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, DROP, LISTED, QUOTE, SWITCH

from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import apply_stages
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.standing import standing
from btmodel.rows import Cell, Delete, Mutation
from btmodel.schema import Family, KeepAll

pytestmark = pytest.mark.both_servers

NOTES = """
class Notes(bt.Model, table="{}"):
    "Other columns of the same rows."
    {}symbol: str = bt.key(bt.Text(max_length=5))
    x = bt.family("X", gc=bt.max_versions(1))
    note: str | None = bt.column("NOTE", x, default=None)
"""
X = """    x = bt.family("X", gc=bt.keep_all())
    note: str | None = bt.column("NOTE", x, default=None)
"""
NOTE = Cell("X", b"NOTE", 5_000, b"precious")
BID = Cell("MD", b"BID", 5_000, (7).to_bytes(8))
# A second family, to which one of the columns of MD goes.
SPLIT = """    ax = bt.family("AX", gc=bt.max_versions(1))
    ask: int | None = bt.column("ASK", ax, default=None)
"""
ASK = '    ask: int | None = bt.column("ASK", md, default=None)\n'
STAY = "left out 3 cells in 3 rows, such as A X:NOTE of 1970-01-01T00:00:00.005000Z; B X:NOTE"
NO_PLACE = "the new table has no family for them"


def filled(project: Project, there: Site, *models: str, cells: tuple[Cell, ...] = ()) -> Project:
    """A project with three quotes, each with more ``cells``."""
    project.declare(*models)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    if cells and there.admin.table("QUOTE").family("X") is None:
        there.admin.modify_families("QUOTE", create=(Family("X", KeepAll()),))
    there.write(
        "QUOTE",
        {
            key: [BID, Cell("MD", b"EXCHANGE", 5_000, exchange), *cells]
            for key, exchange in ((b"A", b"XNYS"), (b"B", b"XNAS"), (b"C", b"XNYS"))
        },
    )
    return project


@pytest.mark.parametrize("recorded", [True, False], ids=["of another model", "made by hand"])
def test_cells_of_a_family_that_the_new_table_lacks_stop_the_drop(
    project: Project, there: Site, recorded: bool
) -> None:
    """They went with the old table, while all tables were said to be equal."""
    filled(project, there, QUOTE, *([NOTES.format("QUOTE", "")] if recorded else []), cells=(NOTE,))
    project.declare(LISTED)
    said = "family X of QUOTE: LISTED has none of that id, so its cells are not moved, and stop the drop of QUOTE"
    assert (said in project.done("new", "by exchange")) is recorded
    project.done("apply", "--yes")
    said = "QUOTE.X: LISTED has no family for its cells, so they are not moved, and stop the drop of QUOTE"
    assert said in project.run("plan", "--allow", BACKFILL).output
    assert said in project.run("preview").output
    told = project.done("apply", "--yes", "--allow", BACKFILL)
    assert said in told
    assert f"compared QUOTE with LISTED: 3 rows equal, {STAY}" in told
    assert NO_PLACE in told
    assert STAY in project.done("apply", "--yes", "--allow", SWITCH)
    assert "unmoved-family:QUOTE.X" in project.run("status").output
    for drop in ("drop-table:QUOTE", "copy-and-drop-table:QUOTE"):
        error = str(project.run("apply", "--yes", "--allow", drop).exception)
        assert "QUOTE has 3 cells in 3 rows, such as A X:NOTE" in error
        assert f"use --allow drop-family:QUOTE.X beside --allow {drop} to drop them" in error
    assert len(there.cells("QUOTE")) == 3
    project.done(*DROP, "--allow", "drop-family:QUOTE.X")
    assert there.admin.table("QUOTE") is None
    assert project.run("verify").exit_code == 0


def test_a_family_whose_cells_were_moved_is_compared_before_its_drop(project: Project, there: Site) -> None:
    """Its drop by name lost what the old table alone had, and the drop of the table found nothing missing then."""
    filled(project, there, QUOTE + '    ask: int | None = bt.column("ASK", md, default=None)\n')
    project.declare(LISTED.replace('"MD"', '"BX"') + SPLIT)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    there.write("QUOTE", {b"LATE": [BID, Cell("MD", b"EXCHANGE", 5_000, b"XNYS")]})
    told = project.run("plan").output
    assert "split-family:QUOTE.MD" in told
    assert "unmoved-family" not in told
    drop = ("apply", "--yes", "--allow", "drop-family:QUOTE.MD")
    settings = project.folder / "pyproject.toml"
    before = settings.read_text()
    project.folder.joinpath("dual.py").write_text(
        "import btmodel as bt\n"
        + QUOTE.replace('"QUOTE"', 'bt.table("QUOTE", moved_to="LISTED")').replace("Quote(", "OldQuote(")
    )
    settings.write_text(before.replace('models = ["', 'models = ["dual", "'))
    sys.modules.pop("dual", None)  # that of another test
    assert "dual.OldQuote still declares 'QUOTE', moved_to='LISTED'" in project.refused(*drop)
    settings.write_text(before)
    error = str(project.run(*drop).exception)
    assert "rows of QUOTE have 1 cell in 1 row, such as LATE BX:BID" in error
    assert len(there.cells("QUOTE")) == 4
    there.write("LISTED", {b"XNYS#LATE": [Cell("BX", b"BID", 5_000, BID.value)]})
    project.done(*drop)
    assert there.cells("QUOTE") == {}


def test_cells_that_were_written_to_the_new_table_do_not_stop_the_drop(project: Project, there: Site) -> None:
    """The refusal asks for that, and was repeated after it was done."""
    filled(project, there, QUOTE, cells=(NOTE,))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    there.admin.modify_families("LISTED", create=(Family("X", KeepAll()),))
    keys = sorted(there.cells("LISTED"))
    there.write("LISTED", {key: [NOTE] for key in keys[1:]})
    assert "QUOTE has 1 cell in 1 row, such as B X:NOTE" in str(project.run(*DROP).exception)
    there.write("LISTED", {keys[0]: [NOTE]})
    project.done(*DROP)
    assert there.admin.table("QUOTE") is None


def test_an_empty_family_stops_nothing(project: Project, there: Site) -> None:
    """No name is asked for a family without cells."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    assert "nothing is missing\n" in project.done(*DROP)
    assert there.admin.table("QUOTE") is None


def test_cells_of_a_family_that_another_model_of_the_new_table_has_come_along(
    project: Project, there: Site
) -> None:
    """As the columns that no model declares, in families of both."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""), cells=(NOTE,))
    other = NOTES.format("LISTED", "exchange: str = bt.key(bt.Text(max_length=4))\n    ")
    project.declare(LISTED, other)
    assert "family X" not in project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    assert "nothing is missing\n" in project.done(*DROP)
    assert there.cells("LISTED") == {key: {BID, NOTE} for key in (b"XNAS#B", b"XNYS#A", b"XNYS#C")}


def test_a_family_whose_columns_are_given_up_is_not_asked_for(project: Project, there: Site) -> None:
    """The code of the move states it; what no model declares in that family stops the drop all the same."""
    more = """    x = bt.family("X", gc=bt.max_versions(1))
    note: str | None = bt.column("NOTE", x, default=None)
"""
    filled(project, there, QUOTE + more, cells=(NOTE,))
    project.declare(LISTED)
    told = project.done("new", "by exchange")
    assert "note of OldQuote: Quote has no such attribute, so it is not copied" in told
    assert "family X" not in told
    leave_out(project, "note")
    project.done("apply", "--yes")
    assert "QUOTE.X" not in project.done("apply", "--yes", "--allow", BACKFILL)
    project.done("apply", "--yes", "--allow", SWITCH)
    there.write("QUOTE", {b"A": [Cell("X", b"OTHER", 5_000, b"x")]})
    assert "QUOTE has 1 cell in 1 row, such as A X:OTHER" in str(project.run(*DROP).exception)
    there.rows.write_many("QUOTE", [Mutation("QUOTE", b"A", deletes=(Delete("X", b"OTHER"),))])
    assert "nothing is missing\n" in project.done(*DROP)


def leave_out(project: Project, *names: str) -> None:
    """State in the code of both steps that these columns are left out."""
    for file in project.migrations.glob("*_by_exchange_*.py"):
        code = file.read_text()
        stated = code.replace("@move(OldQuote, NewQuote", f"@move(OldQuote, NewQuote, left_out={names!r}")
        assert stated != code
        file.write_text(stated)


def test_cells_of_a_column_that_the_new_rows_lack_stop_the_drop(project: Project, there: Site) -> None:
    """All comparisons said that both tables were equal, and the values went with the old one."""
    ask = Cell("MD", b"ASK", 5_000, (9).to_bytes(8))
    filled(project, there, QUOTE + ASK, cells=(ask,))
    project.declare(LISTED)
    told = project.done("new", "by exchange")
    assert (
        "ask of OldQuote: Quote has no such attribute, so it is not copied; its cells stop the drop of QUOTE"
        in told
    )
    assert 'unless each @move of these rows has left_out=("ask",)' in told
    project.done("apply", "--yes")
    said = "QUOTE.MD:ASK: rows of LISTED have no ask, so its cells are not copied, and stop the drop of QUOTE"
    counted = "left out 3 cells in 3 rows, such as A MD:ASK of 1970-01-01T00:00:00.005000Z"
    for told in (project.run("plan", "--allow", BACKFILL).output, project.run("preview").output):
        assert said in told
    told = project.done("apply", "--yes", "--allow", BACKFILL)
    assert said in told
    assert counted in told
    assert "no attribute of the new rows takes them" in told
    assert counted in project.done("apply", "--yes", "--allow", SWITCH)
    drops = ("drop-table:QUOTE", "copy-and-drop-table:QUOTE")
    for drop in drops:
        error = str(project.run("apply", "--yes", "--allow", drop).exception)
        assert "QUOTE has 3 cells in 3 rows, such as A MD:ASK" in error
        assert "or use --allow abandon-table:QUOTE to drop QUOTE all the same" in error
    assert "that no attribute of LISTED takes" in project.run("preview", "--allow", drops[0]).output
    there.write("LISTED", {key: [ask] for key in (b"XNYS#A", b"XNAS#B")})
    assert "QUOTE has 1 cell in 1 row, such as C MD:ASK" in str(project.run(*DROP).exception)
    there.write("LISTED", {b"XNYS#C": [ask]})
    assert "nothing is missing, left out 3 cells" in project.done(*DROP)
    assert project.run("verify").exit_code == 0


def test_a_table_with_a_column_that_the_new_rows_lack_is_dropped_by_name(
    project: Project, there: Site
) -> None:
    filled(project, there, QUOTE + ASK, cells=(Cell("MD", b"ASK", 5_000, (9).to_bytes(8)),))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH], ["--allow", "abandon-table:QUOTE"]):
        project.done("apply", "--yes", *allowed)
    assert there.admin.table("QUOTE") is None


def test_a_cell_that_the_new_model_alone_declares_stops_the_drop(project: Project, there: Site) -> None:
    """No model of the old table declared it, and so it is not copied to the column that the new one has there."""
    filled(project, there, QUOTE, cells=(Cell("MD", b"ASK", 5_000, (9).to_bytes(8)),))
    project.declare(LISTED + ASK)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    assert "QUOTE has 3 cells in 3 rows, such as A MD:ASK" in str(project.run(*DROP).exception)


def test_what_is_left_out_is_a_column_of_the_old_model_alone(project: Project, there: Site) -> None:
    filled(project, there, QUOTE)
    project.declare(LISTED)
    project.done("new", "by exchange")
    leave_out(project, "bid")
    project.done("apply", "--yes")
    said = (
        "left_out: expected columns of OldQuote that NewQuote does not have, got bid; it does not have none"
    )
    assert said in str(project.run("apply", "--yes", "--allow", BACKFILL).exception)


def test_columns_that_no_model_declares_follow_their_renamed_family(project: Project, there: Site) -> None:
    """A family that takes over all declared columns of another one takes its other cells, too."""
    filled(project, there, QUOTE)
    there.write("QUOTE", {b"A": [Cell("MD", b"LEGACY", 5_000, b"x")]})
    project.declare(LISTED.replace('bt.family("MD",', 'bt.family("market", renamed_from="MD",'))
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    assert Cell("market", b"LEGACY", 5_000, b"x") in there.cells("LISTED")[b"XNYS#A"]
    assert "nothing is missing\n" in project.done(*DROP)


@pytest.mark.parametrize("rule", ["bt.max_age(days=30)", "bt.max_age(days=30) | bt.max_versions(9)"])
def test_rows_move_to_a_family_that_keeps_less_only_by_name(project: Project, there: Site, rule: str) -> None:
    """They were left out, and the comparison said that all were equal."""
    filled(project, there, QUOTE)
    project.declare(LISTED.replace("bt.max_versions(1)", rule))
    why = "QUOTE.MD keeps newest 1 version, and LISTED.MD keeps "
    assert why in project.done("new", "by exchange")
    project.done("apply", "--yes")
    assert why in project.run("plan", "--allow", BACKFILL).output
    assert why in project.run("preview").output
    refused = project.refused("apply", "--yes", "--allow", BACKFILL)
    assert why in refused
    assert "use --allow tighten-gc:LISTED.MD if you mean that" in refused
    assert there.cells("LISTED") == {}
    told = project.done("apply", "--yes", "--allow", BACKFILL, "--allow", "tighten-gc:LISTED.MD")
    assert "compared QUOTE with LISTED: 0 rows equal, left out 3 cells in 3 rows, such as " in told
    assert "the GC rules of the new table delete them" in told
    project.done("apply", "--yes", "--allow", SWITCH, "--allow", "tighten-gc:LISTED.MD")


def test_a_table_without_rows_asks_for_no_rule(project: Project, there: Site) -> None:
    """As on an instance to which all revisions are applied at once."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.declare(LISTED.replace("bt.max_versions(1)", "bt.max_age(days=30)"))
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    assert there.cells("LISTED") == {}


def test_rows_that_the_function_leaves_out_are_counted(project: Project, there: Site) -> None:
    """They were counted as moved, and nothing spoke of them before the drop."""
    filled(project, there, QUOTE)
    project.declare(LISTED)
    project.done("new", "by exchange")
    for stage in ("0003_by_exchange_backfill", "0004_by_exchange_switch"):
        file = project.migrations / f"{stage}.py"
        code = file.read_text()
        made = "    return NewQuote("
        assert code.count(made) == 1
        file.write_text(code.replace(made, f'    if row.symbol == "B":\n        return None\n{made}'))
    project.done("apply", "--yes")
    told = project.done("apply", "--yes", "--allow", BACKFILL)
    assert "moved 2 rows of QUOTE to LISTED\n" in told
    left_out = "left out 1 row: the function returns None"
    assert f"compared QUOTE with LISTED: 2 rows equal, {left_out}\n" in told
    assert left_out in project.done("apply", "--yes", "--allow", SWITCH)
    assert f"compared QUOTE with LISTED: nothing is missing, {left_out}\n" in project.done(*DROP)


def test_rows_of_another_model_are_not_counted_as_moved(project: Project, there: Site) -> None:
    """A table may have rows of several models."""
    others = """
class Other(bt.Model, table="QUOTE"):
    "Rows under longer keys."
    number: int = bt.key(bt.PaddedInt(9))
    md = bt.family("MD", gc=bt.max_versions(1))
    what: str | None = bt.column("WHAT", md, default=None)
"""
    filled(project, there, QUOTE, others)
    there.rows.write_many("QUOTE", [Mutation("QUOTE", b"000000001", (Cell("MD", b"WHAT", 5_000, b"x"),))])
    project.declare(LISTED, others)
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    told = project.done("apply", "--yes", "--allow", BACKFILL)
    assert "moved 3 rows of QUOTE to LISTED\n" in told
    assert "3 rows equal, left out 1 row: no key of the old model\n" in told
    told = project.done("apply", "--yes", "--allow", SWITCH)
    said = "let the application write LISTED alone; QUOTE stays, with the rows that were moved, as Other declares it\n"
    assert said in told
    assert "--allow drop-table:QUOTE" not in told
    project.declare(LISTED.replace(', moved_from="QUOTE"', ""))
    project.done("new", "without others")
    project.done("apply", "--yes")
    error = str(project.run(*DROP).exception)
    assert "QUOTE has 1 cell in 1 row, such as 000000001 MD:WHAT" in error
    assert "in rows without a key of a model whose rows were moved" in error
    assert "use --allow abandon-table:QUOTE to drop QUOTE all the same" in error
    assert len(there.cells("QUOTE")) == 4
    project.done("apply", "--yes", "--allow", "abandon-table:QUOTE")


def test_a_drop_that_ended_after_its_families_goes_on(project: Project, there: Site) -> None:
    """The families go first, in a call of their own; the table is not another one without them."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""), cells=(NOTE,))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    now = standing(read_folder(project.migrations), there.history.revisions())
    names = ["drop-table:QUOTE", "drop-family:QUOTE.X"]
    stages = revision_stages(now, there.admin, there.history, allow=names)
    there.admin.modify_families("QUOTE", drop=("X",))
    done = apply_stages(stages, there.admin, there.history, "me", data=Data(there.rows))
    assert "drop-table:QUOTE" in [one.change.name for one in done]
    assert there.admin.table("QUOTE") is None


def test_a_family_that_the_new_table_got_since_has_none_of_the_cells(project: Project, there: Site) -> None:
    """The plan said that the new table had no such family, after a later revision had added it."""
    filled(project, there, QUOTE, cells=(NOTE,))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL, "--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    project.declare(LISTED.replace(', moved_from="QUOTE"', "") + X)
    project.done("new", "notes")
    project.done("apply", "--yes")
    plan = project.done("plan")
    assert (
        "unmoved-family:QUOTE.X  keeps everything; its cells were not moved to LISTED, and stay here" in plan
    )
    assert "in family X, which were not moved to LISTED, so that they would be lost" in str(
        project.run(*DROP).exception
    )


def test_a_column_may_be_left_out_after_its_move_was_applied(project: Project, there: Site) -> None:
    """The refusal of the drop names that way, and the rest is compared all the same."""
    filled(project, there, QUOTE + ASK, cells=(Cell("MD", b"ASK", 5_000, (9).to_bytes(8)),))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    way = (
        'or, if those of ask may go, write left_out=("ask",) in each @move of these rows, record the edited files with `btmodel migrate baseline ID`, where ID is '
        "the last applied revision, and allow the drop again"
    )
    assert way in str(project.run(*DROP).exception)
    leave_out(project, "ask")
    assert "edited since" in project.refused(*DROP)
    project.done("baseline", "0004_by_exchange_switch")
    there.write("QUOTE", {b"LATE": [BID, Cell("MD", b"EXCHANGE", 5_000, b"XNYS")]})
    assert "rows of QUOTE have 1 cell in 1 row, such as LATE MD:BID" in str(project.run(*DROP).exception)
    project.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    assert there.admin.table("QUOTE") is None
