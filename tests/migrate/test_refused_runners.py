"""What the workers of a runner cannot do is refused before anything is applied, whichever revision of a run it is in."""

from collections.abc import Sequence
from typing import Any

import pytest
from renamed_models import Site
from revised_project import QUOTE, Project
from test_data_steps import there as there

from btmodel.errors import MigrationError
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import RunListener, apply_stages
from btmodel.migrate.data.sections import Section
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.standing import standing
from btmodel.rows import Cell
from btmodel.schema.limits import HISTORY_TABLE

TALLY = """
class Tally(bt.Model, table="TALLY"):
    "How many quotes a symbol has had."
    symbol: str = bt.key(bt.Text(width=5))
    n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
    quotes: int | None = bt.counter("quotes", n)
"""
ADDING = """
from btmodel.migrate import Mutation, data_step
from btmodel.rows import Add

@data_step("QUOTE")
def tally(row):
    "Counts a quote."
    return Mutation("TALLY", row.key, [], [], [Add("n", b"quotes", 5_000, 1)])
"""
ODD = """
from btmodel.migrate import data_step

@data_step("QUOTE")
def tally(row):
    "Fails at the rows that are there before the run."
    raise ValueError("not yet")
"""
LISTED = """
class Quote(bt.Model, table=bt.table("LISTED", moved_from="QUOTE")):
    "A quote."
    bid: int = bt.key(bt.PaddedInt(5))
    md = bt.family("MD", gc=bt.max_versions(1))
    symbol: str = bt.column("SYMBOL", md)
"""
RUNNER = ("apply", "--yes", "--runner=SomeRunner")


class Here:
    """Workers that must not be asked for anything."""

    def splits(self, table: str) -> Sequence[bytes]:
        """None."""
        raise AssertionError(table)

    def run(self, job: Any, sections: Sequence[Section]) -> None:
        """Nothing."""
        raise AssertionError(job)

    def compare(self, job: Any, sections: Sequence[Section], remove: bool, number: int) -> None:
        """Nothing."""
        raise AssertionError(job)


def state(there: Site) -> tuple[Any, ...]:
    """All that a run could have changed."""
    tables = [there.admin.table(id) for id in ("QUOTE", "LISTED", "TALLY", HISTORY_TABLE)]
    return (tables, list(there.rows.cells(HISTORY_TABLE)) if tables[-1] else [])


def test_increments_are_refused_in_advance(project: Project, there: Site) -> None:
    """A step of the second of two revisions, which adds: neither is begun, and the sentence has its place and the way out."""
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"0000A": [Cell("MD", b"BID", 5_000, (7).to_bytes(8))]})
    project.declare(QUOTE, TALLY)
    project.done("new", "tallies")
    project.done("new", "count", "--data-step", "tally")
    (project.migrations / "0003_count.py").write_text(ADDING)
    before = state(there)
    assert project.refused(*RUNNER) == (
        "migrations/0003_count.py:5: nothing was applied, because the data step tally cannot run with --runner: row b'0000A' of 'TALLY' is "
        "added to, and a runner may run its bundle twice: leave out --runner"
    )
    assert state(there) == before
    with pytest.raises(MigrationError, match="tally cannot run with --runner"):
        applied(project, there)
    assert state(there) == before
    assert "applied 0003_count\n" in project.done("apply", "--yes")


def applied(project: Project, there: Site) -> None:
    """Apply all by the engine alone, without a command in front of it."""
    graph = read_folder(project.migrations)
    stages = revision_stages(standing(graph, there.history.revisions()), there.admin, there.history)
    apply_stages(
        stages, there.admin, there.history, "me", RunListener(), data=Data(there.rows, runner=Here())
    )


def test_a_move_that_one_process_has_to_make(project: Project, there: Site) -> None:
    """As its new key does not hold the old one: it is refused with the revisions in front of it, and what only compares is not."""
    project.declare(QUOTE.replace("int | None", "int").replace(", default=None", ""))
    project.done("new", "quotes")
    project.declare(LISTED)
    project.done("new", "by bid")
    before = state(there)  # without a table
    assert project.refused(*RUNNER) == (
        "migrations/0003_by_bid_backfill.py:30: nothing was applied, because the data step move_quote cannot run with --runner: the key of NewQuote "
        "does not hold all of the key of OldQuote, and only one process can see whether two old rows become one: leave out --runner"
    )
    assert state(there) == before
    assert "applied 0004_by_bid_switch\n" in project.done("apply", "--yes")


def test_what_fails_only_before_the_run_is_no_refusal(project: Project, there: Site) -> None:
    """A step may need what an earlier one makes of the rows: its failure is the business of the run."""
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"0000A": [Cell("MD", b"BID", 5_000, (7).to_bytes(8))]})
    project.done("new", "fill", "--data-step", "tally")
    (project.migrations / "0002_fill.py").write_text(ODD)
    with pytest.raises(AssertionError, match="QUOTE"):
        applied(project, there)
