"""Data steps on workers, without a runner of Apache Beam: what is recorded of their sections, and what the next run asks."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import quotes as quotes
from test_data_steps import there as there

from btmodel.errors import MigrationFailed
from btmodel.migrate.applying.copying import Runner
from btmodel.migrate.data.sections import RunnerFailed, Section

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


class Workers:
    """Workers in this process, that go through the rows from ``start`` on first."""

    def __init__(self, there: Site, start: bytes) -> None:
        self.there, self.start = there, start

    def splits(self, table: str) -> Sequence[bytes]:
        """A section for A, and one for the rows behind it."""
        return [b"B"]

    def run(self, job: Any, sections: Sequence[Section]) -> None:
        """One after the other."""
        for section in sorted(sections, key=lambda one: one.rows.start != self.start):
            try:
                job.work(job.load(), section, self.there.rows, self.there.history)
            except Exception as error:
                raise RunnerFailed(str(error)) from error


@pytest.fixture
def failed(
    quotes: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bytes], MigrationFailed]:
    """A step that fails in its second section, in a run that begins with the section at a key."""
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(WRONG)

    def run(start: bytes) -> MigrationFailed:
        def workers(*_: object) -> Runner:
            return Workers(there, start)

        monkeypatch.setattr("btmodel.cli.migrate.confirmed_run._workers", workers)
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
