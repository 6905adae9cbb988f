"""Data steps on workers, without a runner of Apache Beam: what is recorded of their sections, and what the next run asks."""

from collections.abc import Callable, Sequence

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import quotes as quotes
from test_data_steps import there as there
from workers_here import WorkersHere, run_on

from btmodel.errors import MigrationFailed

RUNNER = ("apply", "--yes", "--runner=SomeRunner")
WRONG = """
from btmodel.migrate import Cell, Mutation, data_step

@data_step("QUOTE")
def fill(row):
    if row.key >= b"B":
        raise ValueError("not yet")
    return Mutation("QUOTE", row.key, [Cell("MD", b"SEEN", 5_000, b"")])
"""
MENDED = WRONG.replace('if row.key >= b"B"', "if False")


@pytest.fixture
def failed(
    quotes: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bytes], MigrationFailed]:
    """A step that fails in its second section, in a run that begins with the section at a key."""
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(WRONG)

    def run(start: bytes) -> MigrationFailed:
        run_on(WorkersHere(there, start=start), monkeypatch)
        error = quotes.run(*RUNNER).exception
        assert isinstance(error, MigrationFailed)
        (quotes.migrations / "0002_fill.py").write_text(MENDED)
        return error

    return run


@pytest.mark.parametrize("again", [RUNNER, ("apply", "--yes")], ids=["on the runner", "here"])
def test_a_step_that_has_come_to_no_row_can_be_corrected(
    quotes: Project, there: Site, failed: Callable[[bytes], MigrationFailed], again: Sequence[str]
) -> None:
    """Nothing is asked and nothing is under way, wherever it runs next."""
    assert "has come to" not in str(failed(b"B"))
    assert "data steps" not in quotes.run("status").output
    assert "goes on after" not in (told := quotes.done(*again))
    assert "ran 0002_fill/fill over 3 rows\n" in told
    assert {key for key, cells in there.cells("QUOTE").items() if len(cells) == 2} == {b"A", b"B", b"C"}
    assert there.history.sections("0002_fill/fill") == {}


def test_a_step_that_has_come_to_a_row_is_asked_about(
    quotes: Project, there: Site, failed: Callable[[bytes], MigrationFailed]
) -> None:
    """In one of its sections, also where the command was killed before it had seen that and recorded it of the step."""
    assert "has come to 1 row in 2 sections" in str(failed(b""))
    name = "0002_fill/fill"
    reached = there.history.progress(name)
    assert reached is not None
    killed = reached.summed([])
    there.history.record_progress(name, killed)
    assert "fill was edited since it came to 1 row in 2 sections" in quotes.refused(*RUNNER)
    told = quotes.done(*RUNNER, "--allow", "resume-step:fill")
    assert f"running {name} goes on after 1 row in 2 sections\n" in told
    assert "ran 0002_fill/fill over 3 rows\n" in told
