"""Branches of revisions on an instance with rows: each revision does what it says, in whatever order branches are applied."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from renamed_models import Site, family, names, site

from btmodel.errors import MigrationError
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import apply_stages
from btmodel.migrate.revisions.folder import read_folder, write
from btmodel.migrate.revisions.merging import merge_revision
from btmodel.migrate.revisions.new import id_on
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import standing
from btmodel.rows import Cell
from btmodel.schema import MaxVersions, Table

ROWS = 30
CODE = """
from btmodel.migrate import Cell, Mutation, data_step

@data_step("T")
def fill(row):
    cells = [Cell("{to}", b"copied", cell.timestamp, cell.value) for cell in row.cells if cell.family == "{of}"]
    return Mutation("T", row.key, tuple(cells)) if cells else None
"""


@pytest.fixture
def there(server: Any, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


class Branches:
    """A folder of revisions in branches, and an instance that follows them."""

    def __init__(self, folder: Path, there: Site) -> None:
        self.folder, self.there = folder, there

    def write(
        self,
        message: str,
        *parents: Revision,
        table: Table | Iterable[Table],
        step: tuple[str, str] | None = None,
    ) -> Revision:
        """Write a revision; ``step`` is the family that a data step reads, and the one that it writes."""
        links = tuple(one.link for one in parents)
        code = "" if step is None else CODE.format(of=step[0], to=step[1])
        steps = () if step is None else ("fill",)
        tables = (table,) if isinstance(table, Table) else tuple(table)
        found = Revision(id_on(parents, message), message, links, tables, steps, code)
        write(self.folder, found)
        return found

    def merge(self, take: Revision | None = None) -> Revision:
        """Merge the heads."""
        found = merge_revision(read_folder(self.folder), "merge", take)
        write(self.folder, found)
        return found

    def apply(self, *allow: str, to: Revision | None = None) -> list[str]:
        """Apply what is pending; the names of what is done."""
        graph = read_folder(self.folder)
        now = standing(graph, self.there.history.revisions())
        found = revision_stages(now, self.there.admin, self.there.history, to, allow)
        data = Data(self.there.rows)
        return names(apply_stages(found, self.there.admin, self.there.history, "me", data=data))

    def fill(self, family: str, count: int = ROWS) -> None:
        """Write rows to a family."""
        rows = {b"%03d" % row: [Cell(family, b"q", 1_000, b"%d" % row)] for row in range(count)}
        self.there.write("T", rows)

    def counts(self) -> dict[str, int]:
        """How many cells each live family has."""
        (live,) = self.there.admin.read_tables(["T"])
        found = dict.fromkeys((one.id for one in live.families), 0)
        for cells in self.there.cells("T").values():
            for cell in cells:
                found[cell.family] += 1
        return found


@pytest.fixture
def branches(there: Site, tmp_path: Path) -> Branches:
    return Branches(tmp_path, there)


def t(*families: str) -> Table:
    """The table T; a family is ``g``, or ``g<f`` where it was called f."""
    parts = [one.partition("<") for one in families]
    return Table(
        "T", tuple(sorted((family(id, old or None) for id, _, old in parts), key=lambda one: one.id))
    )


@pytest.mark.parametrize("others", ["a", "z"])
def test_a_renaming_is_not_skipped_beside_another_branch(branches: Branches, others: str) -> None:
    """A renaming that a later revision of its branch declares no more is made, whichever branch comes first."""
    first = branches.write("first", table=t("f"))
    branches.apply()
    branches.fill("f")
    renamed = branches.write("m renamed", first, table=t("g<f"))
    branches.write("over", renamed, table=t("g"))
    branches.write(f"{others} more", first, table=t("f", "x"))
    branches.merge()
    branches.apply()
    assert branches.counts() == {"f": ROWS, "g": ROWS, "x": 0}


@pytest.mark.parametrize("others", ["a", "z"])
def test_renamings_behind_each_other_are_all_made(branches: Branches, others: str) -> None:
    """A family that is renamed twice in a branch has its cells under the last name, whichever branch comes first."""
    first = branches.write("first", table=t("f"))
    branches.apply()
    branches.fill("f")
    renamed = branches.write("m renamed", first, table=t("g<f"))
    branches.write("again", renamed, table=t("h<g"))
    branches.write(f"{others} more", first, table=t("f", "x"))
    branches.merge()
    branches.apply()
    assert branches.counts() == {"f": ROWS, "g": ROWS, "h": ROWS, "x": 0}


@pytest.mark.parametrize("others", ["a", "z"])
def test_a_data_step_has_the_families_of_its_revision(branches: Branches, others: str) -> None:
    """A data step runs on the tables of its own revision, also where a later one leaves out what it writes."""
    first = branches.write("first", table=t("f"))
    branches.apply()
    branches.fill("f")
    filled = branches.write("m filled", first, table=t("f", "tmp"), step=("f", "tmp"))
    branches.write("over", filled, table=t("f"))
    branches.write(f"{others} more", first, table=t("f", "x"))
    branches.merge()
    branches.apply()
    assert branches.counts() == {"f": ROWS, "tmp": ROWS, "x": 0}


@pytest.mark.parametrize("dropped", [False, True])
@pytest.mark.parametrize("take", ["applied", "pending"])
def test_a_family_that_both_renamed(branches: Branches, take: str, dropped: bool) -> None:
    """What both branches renamed has all cells under the name that the merge takes, what was written since included."""
    first = branches.write("first", table=t("f"))
    branches.apply()
    branches.fill("f")
    applied = branches.write("applied", first, table=t("g<f"))
    branches.apply()
    branches.fill("g", ROWS + 1)
    if dropped:
        branches.apply("drop-family:T.f")
    pending = branches.write("pending", first, table=t("h<f"))
    branches.merge(applied if take == "applied" else pending)
    branches.apply()
    old = {} if dropped else {"f": ROWS}
    new = {"g": ROWS + 1} if take == "applied" else {"g": ROWS + 1, "h": ROWS + 1}
    assert branches.counts() == {**old, **new}


def test_a_family_that_is_renamed_in_several_steps_and_beside(branches: Branches) -> None:
    """A family that both branches renamed is a conflict, also where one has renamed it on, or speaks no more of its old name."""
    first = branches.write("first", table=t("f"))
    one = branches.write("one", first, table=t("g<f"))
    branches.write("on", one, table=t("k<g"))
    branches.write("other", first, table=t("h<f"))
    with pytest.raises(
        MigrationError, match="table T, family f: renamed to h in 0002_other, renamed to k in 0003_on"
    ):
        branches.merge()


@pytest.mark.parametrize("dropped", [False, True])
def test_a_family_that_was_renamed_goes_back(branches: Branches, dropped: bool) -> None:
    """Where the merge takes the branch that kept the old name, that gets the cells back; those that it has itself are not overwritten unasked."""
    one = MaxVersions(1)
    first = branches.write("first", table=Table("T", (family("f", gc=one),)))
    branches.apply()
    branches.fill("f")
    branches.write("applied", first, table=Table("T", (family("g", "f", gc=one),)))
    branches.apply()
    branches.fill("g", ROWS + 1)
    if dropped:
        branches.apply("drop-family:T.f")
    kept = branches.write("kept", first, table=Table("T", (family("f", gc=MaxVersions(9)),)))
    branches.merge(kept)
    if not dropped:
        with pytest.raises(MigrationError, match=r"--allow copy-family:T\.f"):
            branches.apply()
    branches.apply(*([] if dropped else ["copy-family:T.f"]))
    assert branches.counts() == {"f": ROWS + 1, "g": ROWS + 1}


def test_a_data_step_of_what_was_renamed_beside_it_is_refused(branches: Branches) -> None:
    """A data step whose family a branch beside it has renamed would miss it: it is refused before anything is applied."""
    first = branches.write("first", table=t("f"))
    branches.apply()
    branches.fill("f")
    branches.write("a renamed", first, table=t("g<f"))
    step = branches.write("b filled", first, table=t("f"), step=("f", "f"))
    branches.merge()
    with pytest.raises(
        MigrationError,
        match=r"0002_b_filled.py: .* family T.f, which 0002_a_renamed .*apply --to 0002_b_filled.*--allow run-step:fill",
    ):
        branches.apply()
    assert branches.counts() == {"f": ROWS}
    branches.apply(to=step)
    branches.apply()
    assert branches.counts() == {"f": 2 * ROWS, "g": 2 * ROWS}


def test_an_empty_instance_takes_every_order(branches: Branches) -> None:
    """Where there is no row there is nothing to miss: an instance that begins with nothing gets all branches unasked."""
    first = branches.write("first", table=t("f"))
    one = branches.write("a renamed", first, table=t("g<f"))
    filled = branches.write("b filled", one, table=t("g", "x"), step=("g", "x"))
    branches.write("c renamed", first, table=t("h<f"))
    branches.merge(filled)
    branches.apply()
    assert {"g", "x"} <= branches.counts().keys()
