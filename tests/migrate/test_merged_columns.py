"""Two branches that keep one attribute in different columns: a conflict, and the data steps of the side that a merge decides against do not run unasked."""

import shutil
from pathlib import Path

import pytest
from renamed_models import Site
from revised_project import QUOTE, Project
from test_data_steps import there as there

from btmodel.migrate.history import Reached
from btmodel.rows import Cell

BID = 'bt.column("BID", md, default=None)'
OFFER = QUOTE.replace(BID, 'bt.column("OFFER", md, renamed_from="BID", default=None)')
PRICE = QUOTE.replace(BID, 'bt.column("PRICE", md, renamed_from="BID", default=None)')
OFFER4 = OFFER.replace("md, ", "md, codec=bt.Either(bt.IntBytes(4), bt.Int64()), ")
SHORT = QUOTE.replace(BID, 'bt.column("BID", md, codec=bt.Either(bt.IntBytes(2), bt.Int64()), default=None)')
WIDER = QUOTE.replace(BID, 'bt.column("BID", md, codec=bt.Either(bt.IntBytes(4), bt.Int64()), default=None)')
ASK = QUOTE + '    ask: int | None = bt.column("ASK", md, default=None)\n'
MARKET = QUOTE.replace('"MD", gc=bt.max_versions(1)', '"market", gc=bt.max_versions(1), renamed_from="MD"')
REWRITE = ("--rewrite", "Quote")
MERGE = "0003_merge_0002_left_and_0002_right"
SEVEN = (7).to_bytes(8, "big")


class Branches:
    """A project with one revision, an instance that has it, and files of two branches that stand on it."""

    def __init__(self, project: Project, there: Site) -> None:
        self.project = project
        self.there = there
        self.base = project.folder / "base"
        shutil.copytree(project.migrations, self.base)

    def write(self, message: str, models: str, *options: str) -> None:
        """Write a revision of a branch, beside those of the other."""
        others = {
            path.name: path.read_bytes() for path in self.project.migrations.iterdir() if path.is_file()
        }
        shutil.rmtree(self.project.migrations)
        shutil.copytree(self.base, self.project.migrations)
        self.project.declare(models)
        self.project.done("new", message, *options)
        for name, data in others.items():
            (self.project.migrations / name).write_bytes(data)

    def cells(self) -> dict[bytes, bytes]:
        """What the row has in each column."""
        return {cell.qualifier: cell.value for cell in self.there.cells("QUOTE")[b"A    "]}

    def deployed(self, id: str) -> tuple[str, ...]:
        return ("apply", "--yes", "--allow", f"deployed:{id}")


@pytest.fixture
def branches(project: Project, there: Site) -> Branches:
    """The project with its base applied, and a row."""
    project.declare(QUOTE)
    project.done("new", "base")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A    ": [Cell("MD", b"BID", 1_000, SEVEN)]})
    return Branches(project, there)


def merged(folder: Path) -> str:
    """The cells that the merge declares."""
    (path,) = folder.glob("*_merge_*.toml")
    return path.read_text().partition(".cells]")[2].partition("[")[0].strip()


@pytest.mark.parametrize(
    ("left", "right", "why", "taken"),
    [
        (
            (OFFER,),
            (SHORT, *REWRITE),
            "MD:BID optional value Int64() and MD:OFFER optional value Int64() in 0002_left, "
            "MD:BID optional value Either(new=IntBytes(size=2), old=(Int64())) in 0002_right",
            (
                '"MD:BID" = "optional value Int64()"\n"MD:OFFER" = "optional value Int64()"',
                "IntBytes(size=2)",
            ),
        ),
        (
            (OFFER,),
            (PRICE,),
            "MD:BID optional value Int64() and MD:OFFER optional value Int64() in 0002_left, "
            "MD:BID optional value Int64() and MD:PRICE optional value Int64() in 0002_right",
            ('"MD:BID" = "optional value Int64()"\n"MD:OFFER" = "optional value Int64()"', "MD:PRICE"),
        ),
    ],
    ids=["codec", "both"],
)
@pytest.mark.parametrize("take", ["left", "right"])
def test_an_attribute_is_taken_from_one_side(
    branches: Branches,
    left: tuple[str, ...],
    right: tuple[str, ...],
    why: str,
    taken: tuple[str, str],
    take: str,
) -> None:
    """A column that one branch renamed, and whose codec the other one changed, or which it renamed otherwise: no model could declare both."""
    branches.write("left", *left)
    branches.write("right", *right)
    assert f"table QUOTE, model Quote, attribute bid: {why}" in branches.project.refused("merge")
    branches.project.done("merge", "--no-rewrite", "--take", f"0002_{take}")
    cells = merged(branches.project.migrations)
    ours, theirs = taken
    assert (ours in cells, theirs in cells) == ((True, False) if take == "left" else (False, True))


@pytest.mark.parametrize("take", ["left", "right"])
def test_the_columns_of_an_attribute_are_taken_together(branches: Branches, take: str) -> None:
    """Both branches renamed it alike, and one gave it another codec: no model could read the former column in one codec and the new one in the other."""
    branches.write("left", OFFER)
    branches.write("right", OFFER4)
    assert "table QUOTE, model Quote, attribute bid: " in branches.project.refused("merge")
    branches.project.done("merge", "--no-rewrite", "--take", f"0002_{take}")
    codec = "Int64()" if take == "left" else "Either(new=IntBytes(size=4), old=(Int64()))"
    assert merged(branches.project.migrations).splitlines() == [
        f'"MD:{name}" = "optional value {codec}"' for name in ("BID", "OFFER")
    ]


@pytest.mark.parametrize("applied", ["left", "right", "neither"])
@pytest.mark.parametrize("take", ["left", "right"])
def test_a_step_that_the_other_branch_has_done_does_not_run(
    branches: Branches, take: str, applied: str
) -> None:
    """What it would rewrite is rewritten, and waits for no deployment of models that the merge does not have."""
    branches.write("left", OFFER)
    branches.write("right", OFFER4)
    project = branches.project
    if applied != "neither":
        project.done(*branches.deployed(f"0002_{applied}"), "--to", f"0002_{applied}")
    project.done("merge", "--take", f"0002_{take}")
    waits = ["0002_right"] if take == "right" and applied != "right" else []
    if take == "left":  # which does not read what the right one writes
        waits = [MERGE] if applied != "neither" else ["0002_left", MERGE]
    project.done("apply", "--yes", *(word for id in waits for word in ("--allow", f"deployed:{id}")))
    assert branches.cells() == {b"OFFER": SEVEN if take == "left" else SEVEN[-4:]}


def test_other_columns_are_no_conflict(branches: Branches) -> None:
    """A branch that renamed a column, beside one that added another, or made the same optional."""
    branches.write("left", OFFER)
    branches.write("right", ASK)
    assert "wrote" in branches.project.done("merge")
    cells = merged(branches.project.migrations)
    assert [name in cells for name in ("MD:OFFER", "MD:BID", "MD:ASK")] == [True, True, True]


def test_a_step_that_the_merge_has_decided_against_does_not_run_unasked(branches: Branches) -> None:
    """It wrote each cell as the models of the merge do not read it, on every instance that had not applied it before."""
    branches.write("left", WIDER)
    branches.write("right", SHORT, *REWRITE)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_left")
    apply = branches.deployed("0002_right")
    refused = branches.project.refused(*apply)
    assert (
        "0002_right.py: nothing was applied, because its data steps were written with QUOTE.MD:BID as value Either(new=IntBytes(size=2), old=(Int64())), "
        "and the merge with 0002_left has decided against that: to leave the rows as they are, use --allow skip-step:0002_right/rewrite_quote"
        in refused
    )
    assert refused.endswith("--allow run-step:rewrite_quote")
    assert branches.cells() == {b"BID": SEVEN}
    skip = ("apply", "--yes", "--allow", "skip-step:0002_right/rewrite_quote")
    said = branches.project.done(*skip)
    assert "rewrite_quote" not in said
    assert said.endswith("applied 0003_merge_0002_left_and_0002_right\n")
    assert branches.cells() == {b"BID": SEVEN}
    assert [(one.id, one.steps) for one in branches.there.history.revisions()] == [
        ("0001_base", ()),
        ("0002_left", ()),
        ("0002_right", ()),
        ("0003_merge_0002_left_and_0002_right", ()),
    ]
    assert "nothing to do" in branches.project.done(*skip)


def test_a_step_that_the_merge_has_decided_against_runs_where_the_user_says_so(branches: Branches) -> None:
    """The user knows that it writes nothing that the models of the merge do not read."""
    branches.write("left", WIDER)
    branches.write("right", SHORT, *REWRITE)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_left")
    apply = branches.deployed("0002_right")
    said = branches.project.done(*apply, "--allow", "run-step:rewrite_quote")
    assert "ran 0002_right/rewrite_quote over 1 row" in said
    assert branches.cells() == {b"BID": SEVEN[-2:]}


@pytest.mark.parametrize(("left", "right"), [(OFFER, SHORT), (OFFER, PRICE)], ids=["codec", "both"])
def test_cells_are_not_moved_away_from_the_models_of_a_merge(
    branches: Branches, left: str, right: str
) -> None:
    """The step of the side that lost took all cells to a column that the models of the merge do not read."""
    branches.write("left", left)
    branches.write("right", right, *REWRITE)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_right")
    apply = ("apply", "--yes", "--allow", "deployed:0002_right")
    refused = branches.project.refused(*apply)
    assert "0002_left.py: nothing was applied" in refused
    assert "QUOTE.MD:OFFER as value Int64()" in refused
    branches.project.done(*apply, "--allow", "skip-step:0002_left/rewrite_quote")
    assert b"OFFER" not in branches.cells()


def test_an_empty_instance_runs_what_a_merge_has_decided_against(branches: Branches) -> None:
    """There is no row to be written as nobody reads it."""
    branches.write("left", WIDER)
    branches.write("right", SHORT, *REWRITE)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_left")
    branches.project.instance += "b"
    branches.project.declare(WIDER)
    assert branches.project.done("apply", "--yes").endswith("applied 0003_merge_0002_left_and_0002_right\n")


def test_a_family_that_the_other_side_had_renamed_is_copied_back_by_a_rollback(branches: Branches) -> None:
    """The revision that moves cells of a column would also copy the family back: the refusal named a command that drops nothing."""
    branches.write("right", OFFER)
    branches.write("left", MARKET)
    project = branches.project
    project.done("apply", "--to", "0002_left", "--yes")
    branches.there.write("QUOTE", {b"B    ": [Cell("market", b"BID", 1_000, SEVEN)]})
    project.done("merge", "--take", "0002_right")
    project.declare(OFFER)
    apply = branches.deployed("0002_right")
    refused = project.refused(*apply, "--allow", "copy-family:QUOTE.MD")
    assert (
        "go back before 0002_left, which renamed it, with `btmodel migrate rollback`, which copies QUOTE.market to QUOTE.MD"
        in refused
    )
    said = project.done("rollback", "--yes", "--allow", "copy-family:QUOTE.MD")
    assert "btmodel migrate apply --to 0001_base --allow drop-family:QUOTE.market" in said
    project.done("apply", "--to", "0001", "--yes", "--allow", "drop-family:QUOTE.market")
    project.done(*apply)
    assert {
        key: {cell.qualifier for cell in cells} for key, cells in branches.there.cells("QUOTE").items()
    } == {
        b"A    ": {b"OFFER"},
        b"B    ": {b"OFFER"},
    }


def test_a_step_that_has_run_in_part_is_not_skipped_unasked(branches: Branches) -> None:
    """It was interrupted: some rows are as no model of the merge reads them, and nothing would say so any more."""
    branches.write("left", WIDER)
    branches.write("right", SHORT, *REWRITE)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_left")
    wrong = [Cell("MD", b"BID", 1_000, b"?")]
    right = [Cell("MD", b"BID", 1_000, SEVEN)]
    branches.there.write("QUOTE", {b"B%04d" % row: right if row < 700 else wrong for row in range(701)})
    branches.project.refused(*branches.deployed("0002_right"), "--allow", "run-step:rewrite_quote")
    assert branches.cells() == {b"BID": SEVEN[-2:]}
    skip = ("apply", "--yes", "--allow", "skip-step:0002_right/rewrite_quote")
    refused = branches.project.refused(*skip)
    assert "an earlier run of 0002_right/rewrite_quote has come to row b'B0498', after 500 rows" in refused
    assert "0002_right" not in [one.id for one in branches.there.history.revisions()]
    told = branches.project.done(*skip, "--allow", "data-step:rewrite_quote")
    assert told.endswith("applied 0003_merge_0002_left_and_0002_right\n")


def test_a_step_whose_first_batch_was_not_recorded_is_not_skipped_unasked(branches: Branches) -> None:
    """Its run was killed between the rows and their record."""
    branches.write("left", WIDER)
    branches.write("right", SHORT, *REWRITE)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_left")
    branches.there.history.record_progress("0002_right/rewrite_quote", Reached(b"", 0))
    skip = ("apply", "--yes", "--allow", "skip-step:0002_right/rewrite_quote")
    assert "an earlier run of 0002_right/rewrite_quote may have written rows" in branches.project.refused(
        *skip
    )
    branches.project.done(*skip, "--allow", "data-step:rewrite_quote")
