"""A column that a step has filled in is required: the plan asks for a promise, and says why the step does not make it."""

from renamed_models import Site
from revised_project import QUOTE, Project
from test_data_steps import there as there

from btmodel.rows import Cell

ASK = '    ask: int | None = bt.column("ASK", md, default=None)\n'
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
    step.write_text(step.read_text().replace("    return row", "    row.ask = 1\n    return row"))
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
