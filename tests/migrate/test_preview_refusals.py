"""`btmodel migrate preview` says what a run would refuse, in the words and with the exit code of `btmodel migrate plan`, beside its figures."""

import json
import re
from typing import Any

from renamed_models import Site
from revised_project import Project
from test_adding_steps import STEP, at_bob
from test_adding_steps import orders as orders
from test_data_steps import there as there
from test_drops_of_the_moved import moved as moved
from test_key_moves import BACKFILL, LISTED, QUOTE, SWITCH
from test_key_moves import quotes as quotes
from test_left_by_moves import NOTE, NOTES, filled

from btmodel.rows import Cell, Delete, Mutation
from btmodel.schema import Family, KeepAll

OTHERS = """
class Other(bt.Model, table="QUOTE"):
    "Rows under longer keys."
    number: int = bt.key(bt.PaddedInt(9))
    md = bt.family("MD", gc=bt.max_versions(1))
    what: str | None = bt.column("WHAT", md, default=None)
"""
DROP = ("--allow", "drop-table:QUOTE")


def stages(project: Project, *options: str) -> dict[str, dict[str, Any]]:
    """The stages of a preview by id, once it says all that the plan says, as text and as JSON."""
    plan, preview = project.run("plan", *options), project.run("preview", *options)
    assert (preview.exit_code, plan.exit_code) == (2, 2), (preview.output, preview.exception)
    planned = json.loads(project.run("plan", "--json", *options).stdout)["revisions"]
    result = project.run("preview", "--json", *options)
    assert result.exit_code == 2
    found = {stage["id"]: stage for stage in json.loads(result.stdout)["stages"]}
    for stage in planned:
        refusals = found[stage["id"]]["refusals"]
        for why in stage["refusals"]:
            assert why in refusals
            assert why in plan.output
        for why in (*refusals, *found[stage["id"]]["remarks"]):
            assert why in preview.output
    return found


def rows(stage: dict[str, Any]) -> dict[str, int]:
    """The rows of its steps, by their names."""
    return {step["name"]: step["rows_left"] for step in stage["steps"]}


def test_a_lost_step_that_has_added(orders: Project) -> None:
    """It was renamed: the preview says so, and what the step under its new name takes."""
    at_bob(orders)
    for kind in ("toml", "py"):
        (orders.migrations / f"0002_tally.{kind}").rename(orders.migrations / f"0002_count.{kind}")
    stage = stages(orders)["0002_count"]
    [why] = stage["refusals"]
    assert "0002_tally/tally has begun, it added for 2 rows" in why
    assert "use --allow forget-step:0002_tally/tally" in why
    assert rows(stage) == {"tally": 5}
    stage = stages(orders, "--allow", "forget-step:0002_tally/tally")["0002_count"]
    assert stage["refusals"] == []


def test_a_lost_step_that_adds_nothing_is_a_remark(orders: Project) -> None:
    """As it is in the plan."""
    code = orders.migrations / "0002_tally.py"
    failing = "    assert row.placed.microsecond != 2000\n    return None\n    return added"
    code.write_text(STEP.replace("    return added", failing))
    orders.refused("apply", "--yes")
    for kind in ("toml", "py"):
        (orders.migrations / f"0002_tally.{kind}").rename(orders.migrations / f"0002_count.{kind}")
    (orders.migrations / "0002_count.py").write_text(STEP)
    stage = stages(orders)["0002_count"]
    assert stage["refusals"] == []
    [said] = stage["remarks"]
    assert said.startswith("0002_tally/tally has begun, it came to row b'ann#0000000000001', after 2 rows")
    assert said in orders.run("plan").output


def test_what_is_asked_after_a_rollback(orders: Project, there: Site) -> None:
    """How many rows are left follows from the answer."""
    orders.done("apply", "--yes")
    orders.done("rollback", "--yes", "--allow", "data-step:tally", "--allow", "keep-table:TALLY")
    there.write("ORDERS", {b"bob#%013d" % 7: [Cell("d", b"REGION", 5_000, b"EU")]})
    [why] = stages(orders)["0002_tally"]["refusals"]
    assert "before it was rolled back, it added for 5 rows up to b'bob#0000000000001'" in why
    for name, left in (("repeat-adds:tally", 6), ("skip-adds:tally", 1)):
        stage = stages(orders, "--allow", name)["0002_tally"]
        assert stage["refusals"] == []
        assert rows(stage) == {"tally": left}


def test_an_edited_step_goes_on_where_the_user_says(orders: Project) -> None:
    """Until then all its rows count as left."""
    at_bob(orders)
    code = orders.migrations / "0002_tally.py"
    code.write_text(STEP.replace("orders=1", "orders=2"))
    stage = stages(orders)["0002_tally"]
    assert "tally was edited since it came to" in stage["refusals"][0]
    assert rows(stage) == {"tally": 5}
    assert rows(stages(orders, "--allow", "resume-step:tally")["0002_tally"]) == {"tally": 3}
    assert rows(stages(orders, "--allow", "restart-step:tally")["0002_tally"]) == {"tally": 5}


def test_a_step_that_is_still_to_be_written(quotes: Project) -> None:
    """The other steps and stages have figures."""
    quotes.declare(QUOTE)
    quotes.done("new", "fill", "--data-step", "fill", "--data-step", "more")
    code = quotes.migrations / "0002_fill.py"
    code.write_text(re.sub(r"raise NotImplementedError.*", "return None", code.read_text(), count=1))
    stage = stages(quotes)["0002_fill"]
    assert "the data step more is still to be written" in stage["refusals"][0]
    assert rows(stage) == {"fill": 3}


def test_a_premature_drop(moved: Project) -> None:
    """It is refused, and what the pending stage and the drop take is said all the same."""
    found = stages(moved, *DROP)
    early, waits = found["0004_by_exchange_switch"]["refusals"]
    assert "would drop QUOTE before 0004_by_exchange_switch is applied" in early
    assert "0004_by_exchange_switch waits for a deployment" in waits
    assert rows(found["0004_by_exchange_switch"]) == {"compare QUOTE with LISTED": 3, "compare_quote": 3}


def test_each_stage_behind_a_deployment_waits(quotes: Project, there: Site) -> None:
    """Also for the switch to a table that is not there yet: one run does not make it without its confirmation."""
    quotes.done("new", "by exchange")
    found = stages(quotes)
    assert [len(stage["refusals"]) for stage in found.values()] == [0, 1, 1]
    assert found["0004_by_exchange_switch"]["waits"].startswith("the application reads LISTED")
    found = stages(quotes, "--allow", BACKFILL)
    assert [len(stage["refusals"]) for stage in found.values()] == [0, 0, 1]
    told = quotes.done("apply", "--yes", "--allow", BACKFILL)
    assert "0004_by_exchange_switch waits for a deployment" in told
    assert [one.id for one in there.history.revisions()][-1] == "0003_by_exchange_backfill"


def test_families_that_a_move_leaves_stop_the_drop(project: Project, there: Site) -> None:
    """The preview of the drop finds their cells in the sampled rows, and says what allows it."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""), cells=(NOTE,))
    project.declare(LISTED)
    project.done("new", "by exchange")
    found = stages(project)
    assert any("LISTED has no family for its cells" in one for one in found["0003_by_exchange_backfill"]["remarks"])  # fmt: skip
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    stage = stages(project, *DROP)["0004_by_exchange_switch"]
    [why] = stage["refusals"]
    assert why.startswith("of 3 sampled rows: QUOTE has 3 cells in 3 rows, such as A X:NOTE")
    stopped = str(project.run("apply", "--yes", *DROP).exception)
    assert why.removeprefix("of 3 sampled rows: ") in stopped
    assert "those of columns that no model declares stop the drop of QUOTE" in stage["remarks"][0]
    step = "look for what was not moved from QUOTE"
    assert rows(stage) == {"compare QUOTE with LISTED": 3, step: 3}
    assert stages(project, *DROP, "--allow", "drop-family:QUOTE.X")["0004_by_exchange_switch"]["refusals"] == []  # fmt: skip


def test_what_a_later_step_has_written_beside_a_move_stops_no_drop(project: Project, there: Site) -> None:
    """The new rows are looked up in the instance, not among the sampled ones."""
    filled(project, there, QUOTE, NOTES.format("QUOTE", ""), cells=(NOTE,))
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    there.admin.modify_families("LISTED", create=(Family("X", KeepAll()),))
    there.write("LISTED", {b"XNYS#A": [NOTE], b"XNAS#B": [NOTE], b"XNYS#C": [NOTE]})
    assert stages(project, *DROP)["0004_by_exchange_switch"]["refusals"] == []
    project.done("apply", "--yes", *DROP)


def test_rows_of_a_model_that_was_not_moved_stop_the_drop(project: Project, there: Site) -> None:
    """Its class is gone, and its rows are still there."""
    filled(project, there, QUOTE, OTHERS)
    there.rows.write_many("QUOTE", [Mutation("QUOTE", b"000000001", (Cell("MD", b"WHAT", 5_000, b"x"),))])
    project.declare(LISTED)
    project.done("new", "by exchange")
    for allowed in ([], ["--allow", BACKFILL], ["--allow", SWITCH]):
        project.done("apply", "--yes", *allowed)
    [why] = stages(project, *DROP)["0004_by_exchange_switch"]["refusals"]
    assert why.startswith("of 4 sampled rows: QUOTE has 1 cell in 1 row, such as 000000001 MD:WHAT")
    assert "in rows without a key of a model whose rows were moved" in why
    there.rows.write_many("QUOTE", [Mutation("QUOTE", b"000000001", deletes=(Delete("MD", None),))])
    assert stages(project, *DROP)["0004_by_exchange_switch"]["refusals"] == []


def test_a_stage_whose_old_table_is_gone(moved: Project, there: Site) -> None:
    """Its step cannot be rehearsed, and the refusal says what to do."""
    there.admin.delete_table("QUOTE")
    stage = stages(moved)["0004_by_exchange_switch"]
    assert "compare_quote reads QUOTE, which is not in the instance" in stage["refusals"][0]
    assert stage["steps"] == []
    [said] = stage["remarks"]
    assert said.startswith(f"compare_quote is not rehearsed: table 'QUOTE' is not in {moved.instance}:")


def test_a_drop_that_the_models_contradict(moved: Project) -> None:
    """The figures are printed before the error of the plan; as JSON, it is the whole document."""
    moved.done("apply", "--yes", "--allow", SWITCH)
    old = QUOTE.replace('table="QUOTE"', 'table=bt.table("QUOTE", moved_to="LISTED")')
    moved.declare(LISTED, old.replace("class Quote", "class OldQuote"))
    for command in ("plan", "preview"):
        result = moved.run(command, *DROP)
        assert result.exit_code == 1
        assert "OldQuote still declares 'QUOTE'" in str(result.exception)
        assert "0004_by_exchange_switch" in result.output
        as_json = moved.run(command, "--json", *DROP)
        assert json.loads(as_json.stdout) == {"error": str(result.exception)}


def test_a_move_without_revisions(project: Project) -> None:
    """It takes several stages, as the plan says."""
    project.declare(QUOTE)
    project.run("--yes")
    project.declare(LISTED)
    assert project.refused("preview") == project.refused("plan")


def test_a_change_that_needs_a_permission(project: Project) -> None:
    """The names that allow it stand below the figures."""
    project.declare(QUOTE.replace("max_versions(1)", "max_versions(9)"))
    project.run("--yes")
    project.declare(QUOTE)
    result = project.run("preview")
    assert result.exit_code == 2
    assert "use --allow tighten-gc:QUOTE.MD if you mean that" in result.output
    assert "tighten-gc" not in project.run("preview", "--allow", "tighten-gc:QUOTE.MD").output
