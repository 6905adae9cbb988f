"""A column that a step has filled in is required: the plan asks for a promise, and says why the step does not make it."""

from renamed_models import Site
from revised_project import QUOTE, Project
from test_data_steps import there as there

from btmodel.rows import Cell

ASK = '    ask: int | None = bt.column("ASK", md, default=None)\n'
STUB = 'raise NotImplementedError("fill in rewrite_quote")'
REQUIRED = '    ask: int = bt.column("ASK", md)\n'


def test_a_step_that_fills_a_column_in_proves_nothing_of_rows_that_come_after_it(
    project: Project, there: Site
) -> None:
    """Programs of the same models may write a row without the column once the step has run: the advice is not to run it again, but to promise."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A    ": [Cell("MD", b"BID", 5_000, (7).to_bytes(8))]})
    project.declare(QUOTE + ASK)
    project.done("new", "two", "--rewrite", "Quote")
    step = project.migrations / "0002_two.py"
    step.write_text(step.read_text().replace(STUB, "row.ask = 1\n    return row"))
    project.done("apply", "--yes", "--allow", "deployed:0002_two")
    assert {cell.qualifier for cell in there.cells("QUOTE")[b"A    "]} == {b"BID", b"ASK"}
    there.write("QUOTE", {b"B    ": [Cell("MD", b"BID", 5_000, (7).to_bytes(8))]})
    project.declare(QUOTE + REQUIRED)
    project.done("new", "three")
    planned = " ".join(project.run("plan").output.split())
    assert "require-column:QUOTE.MD:ASK" in planned
    assert (
        "programs could write rows without it for as long as it was optional, also after the step" in planned
    )
    project.done("apply", "--yes", "--allow", "require-column:QUOTE.MD:ASK")


def test_a_step_that_would_change_nothing_has_to_be_filled_in(project: Project, there: Site) -> None:
    """The models read all cells in one way, so that the step is for what rows lack: nothing is applied before it gives that."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    project.declare(QUOTE + ASK)
    said = project.done("new", "two", "--rewrite", "Quote")
    assert "0002_two.py: fill in rewrite_quote; btmodel applies nothing before you do\n  waits until" in said
    step = project.migrations / "0002_two.py"
    assert "what it lacks: bt.replace(row, bid=row.bid or ...)." in " ".join(step.read_text().split())
    for command in (("apply", "--yes", "--allow", "deployed:0002_two"), ("plan",)):
        result = project.run(*command)
        assert "the data step rewrite_quote is still to be written" in f"{result.output}{result.exception}"


def test_the_step_counts_what_is_left_without_a_column(project: Project, there: Site) -> None:
    """Its last pass says how many rows lack an optional column, and the plan that requires it how to count them."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    bid = Cell("MD", b"BID", 5_000, (7).to_bytes(8))
    there.write("QUOTE", {b"A    ": [bid], b"B    ": [bid], b"C    ": [bid]})
    project.declare(QUOTE + ASK)
    project.done("new", "two", "--rewrite", "Quote")
    step = project.migrations / "0002_two.py"
    step.write_text(
        step.read_text().replace(STUB, 'return bt.replace(row, ask=1) if row.symbol == "A" else row')
    )
    said = project.done("apply", "--yes", "--allow", "deployed:0002_two")
    assert "rows of QUOTE that lack optional columns: ask 2" in said
    project.declare(QUOTE + REQUIRED)
    project.done("new", "three")
    query = "SELECT COUNT(*) AS lacking FROM `QUOTE` WHERE `MD`[b'ASK'] IS NULL"
    assert f"rows that lack it now: {query}" in " ".join(project.run("plan").output.split())
    assert [row.lacking for row in there.rows.sql(query)] == [2]
