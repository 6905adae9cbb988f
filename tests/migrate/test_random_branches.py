"""Random histories of branches on an instance with rows: whatever the order of branches and merges, no cell is lost, or nothing is applied."""

import uuid
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from renamed_models import Site, family, site
from test_branches_with_rows import CODE

from btmodel.errors import MigrationError
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import apply_stages
from btmodel.migrate.changes.renames import RenamedFamily
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.merging import merge_revision
from btmodel.migrate.revisions.new import id_on
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import standing
from btmodel.rows import Cell
from btmodel.schema import Table

HERE = Path("migrations")
FAMILIES = ("f", "g")
Cells = set[tuple[bytes, bytes]]  # columns and rows


class Instance:
    """An instance with rows, and the cells that each family should have, by what it was called at first."""

    def __init__(self, host: str) -> None:
        self._entered = site(f"projects/test/instances/i{uuid.uuid4().hex[:12]}", host)
        self.there: Site = self._entered.__enter__()
        self.wanted: dict[str, Cells] = {}
        self.rows = 0

    def close(self) -> None:
        self._entered.__exit__(None, None, None)

    def apply(self, graph: Graph, drop: bool, to: Revision | None = None, allow: Any = ()) -> list[str]:
        """Apply what is pending, with the drops of what is renamed and copied if ``drop``; the ids of what was applied.

        Nothing is applied where it is refused.
        """
        before = [one.id for one in self.there.history.revisions()]
        found = self._planned(graph, to, allow)
        if drop and len(found) == 1:
            allow = [
                one.end.name for one in found[0].plan.drift if isinstance(one, RenamedFamily) and one.end
            ]
            found = self._planned(graph, to, allow)
        apply_stages(found, self.there.admin, self.there.history, "me", data=Data(self.there.rows))
        return [one.id for one in self.there.history.revisions() if one.id not in before]

    def _planned(self, graph: Graph, to: Revision | None, allow: Any = ()) -> Any:
        now = standing(graph, self.there.history.revisions())
        return revision_stages(now, self.there.admin, self.there.history, to, allow)

    def write(self, origins: dict[str, str]) -> None:
        """Write one more row to each of the families, as the application does, which knows the last revision."""
        if not origins:
            return
        self.rows += 1
        key = b"%03d" % self.rows
        self.there.write("T", {key: [Cell(family, b"q", 1_000, b"1") for family in origins]})
        for origin in origins.values():
            self.wanted.setdefault(origin, set()).add((b"q", key))

    def cells(self) -> dict[str, Cells]:
        found: dict[str, Cells] = {}
        for key, cells in self.there.cells("T").items():
            for cell in cells:
                found.setdefault(cell.family, set()).add((cell.qualifier, key))
        return found


class Histories(RuleBasedStateMachine):
    """Branches are written and merged, and an instance is led along them."""

    host: ClassVar[str]
    compared: ClassVar[list[str]]

    def __init__(self) -> None:
        super().__init__()
        self.revisions: list[Revision] = []
        self.origins: dict[str, dict[str, str]] = {}
        self.steps: dict[str, tuple[str, str]] = {}
        self.names = 0
        self.first = self._add((), FAMILIES, {one: one for one in FAMILIES})
        self.refused = False
        self.instances = [Instance(self.host), Instance(self.host)]
        for one in self.instances:
            one.apply(self.graph, drop=False)
            one.write(self.origins[self.first.id])

    @property
    def graph(self) -> Graph:
        return graph_of(HERE, self.revisions)

    def _add(
        self,
        parents: tuple[Revision, ...],
        families: Any,
        origins: dict[str, str],
        step: tuple[str, str] | None = None,
        letter: str = "m",
    ) -> Revision:
        """Write a revision; a family is ``g``, or ``g<f`` where it was called f."""
        self.names += 1
        parts = sorted(one.partition("<") for one in families)
        table = Table("T", tuple(family(id, old or None) for id, _, old in parts))
        message = f"{letter}{self.names}"
        code = CODE.replace('b"copied"', f'b"{message}"').replace(
            '== "{of}"', '== "{of}" and cell.qualifier == b"q"'
        )
        found = Revision(
            id_on(parents, message),
            message,
            tuple(one.link for one in parents),
            (table,),
            ("fill",) if step else (),
            code.format(of=step[0], to=step[1]) if step else "",
        )
        self.revisions.append(found)
        self.origins[found.id] = origins
        if step:
            self.steps[found.id] = step
        return found

    def _on(self, parent: int, letter: str, change: Any) -> None:
        below = self.revisions[parent % len(self.revisions)]
        if len(self.graph.heads) > 2 and below not in self.graph.heads:
            below = self.graph.heads[parent % 3]
        origins = dict(self.origins[below.id])
        families, step = change(origins)
        self._add((below,), families, origins, step, letter)

    where: ClassVar[Any] = {
        "parent": st.integers(0, 30),
        "letter": st.sampled_from("amz"),
        "which": st.integers(0, 9),
    }

    @rule(**where)
    def rename(self, parent: int, letter: str, which: int) -> None:
        """Rename a family; names of before are said no more."""

        def change(origins: dict[str, str]) -> Any:
            if not origins:
                return [], None
            old = sorted(origins)[which % len(origins)]
            new = f"n{self.names}"
            origins[new] = origins.pop(old)
            return [f"{new}<{old}" if one == new else one for one in origins], None

        self._on(parent, letter, change)

    @rule(**where)
    def add(self, parent: int, letter: str, which: int) -> None:
        """Add a family."""

        def change(origins: dict[str, str]) -> Any:
            origins[f"n{self.names}"] = f"n{self.names}"
            return list(origins), None

        self._on(parent, letter, change)

    @rule(**where)
    def leave_out(self, parent: int, letter: str, which: int) -> None:
        """Declare a family no more."""

        def change(origins: dict[str, str]) -> Any:
            if origins:
                del origins[sorted(origins)[which % len(origins)]]
            return list(origins), None

        self._on(parent, letter, change)

    @rule(**where, to=st.integers(0, 9))
    def fill(self, parent: int, letter: str, which: int, to: int) -> None:
        """Copy the cells of a family to a column of another one, by a data step."""

        def change(origins: dict[str, str]) -> Any:
            names = sorted(origins)
            return names, (names[which % len(names)], names[to % len(names)]) if names else None

        self._on(parent, letter, change)

    @precondition(lambda self: len(self.graph.heads) > 1)
    @rule(right=st.booleans())
    def merge(self, right: bool) -> None:
        """Merge two heads; of what they contradict each other in, one is right."""
        graph = self.graph
        heads = graph.heads[:2]
        try:
            found = merge_revision(graph, "x")
        except MigrationError:
            found = merge_revision(graph, "x", heads[right])
        self.names += 1
        message = f"x{self.names}"
        found = Revision(id_on(heads, message), message, found.parents, found.tables)
        known = {**self.origins[heads[0].id], **self.origins[heads[1].id]}
        self.revisions.append(found)
        self.origins[found.id] = {one.id: known[one.id] for one in found.tables[0].families}

    @precondition(lambda self: len(self.graph.heads) == 1 and not self.refused)
    @rule(which=st.integers(0, 1), drop=st.booleans())
    def apply(self, which: int, drop: bool) -> None:
        """Apply what is pending to one of the instances, and write to what it declares."""
        head = self.graph.head
        assert head is not None
        self._apply(self.instances[which], head, drop)

    @precondition(lambda self: not self.refused)
    @rule(to=st.integers(0, 30), drop=st.booleans())
    def apply_to(self, to: int, drop: bool) -> None:
        """Apply one branch to an instance, where it stands on what is applied."""
        self._apply(self.instances[0], self.revisions[to % len(self.revisions)], drop)

    def _apply(self, instance: Instance, to: Revision, drop: bool) -> bool:
        try:
            applied = instance.apply(self.graph, drop, to)
        except MigrationError as error:
            if "nothing was applied" not in str(error) and "does not stand on" not in str(error):
                raise
            return False
        for id in applied:
            if id in self.steps:
                of, into = (self.origins[id][one] for one in self.steps[id])
                column = id.partition("_")[2].encode()
                keys = {key for qualifier, key in instance.wanted.get(of, ()) if qualifier == b"q"}
                instance.wanted.setdefault(into, set()).update((column, key) for key in keys)
        applied = [one.id for one in instance.there.history.revisions()]
        if to.id in applied and set(applied) == {one.id for one in self.graph.up_to(to.id)}:
            self._compare(instance, to)
            instance.write(self.origins[to.id])
        return True

    def _compare(self, instance: Instance, to: Revision) -> None:
        there = instance.cells()
        names: dict[str, list[str]] = {}
        for name, origin in self.origins[to.id].items():
            names.setdefault(origin, []).append(name)
        for origin, several in names.items():
            wanted = instance.wanted.get(origin, set())
            rows = {one for one in wanted if one[0] == b"q"}
            # Where merges kept what two branches renamed, all rows are in one of both; a step wrote to either.
            everywhere = set().union(*(there.get(name, set()) for name in several))
            assert wanted <= everywhere, self._told(instance, to)
            assert any(rows <= there.get(name, set()) for name in several), self._told(instance, to)
        self.compared.append(to.id)

    def _told(self, instance: Instance, to: Revision) -> str:
        """The history, for who has to see what went wrong."""
        lines = [
            f"up to {to.id}: {instance.wanted}, {instance.cells()}",
            *map(str, instance.there.history.copies()),
        ]
        for one in self.graph.revisions.values():
            families = [f"{each.id}<{each.renamed_from or ''}" for each in one.tables[0].families]
            lines.append(f"{one.id} on {self.graph.parents[one.id]}: {families} {self.steps.get(one.id, '')}")
        return "\n".join([*lines, f"applied {[one.id for one in instance.there.history.revisions()]}"])

    def teardown(self) -> None:
        """Both instances come to one end, or are refused."""
        while len(self.graph.heads) > 1:
            self.merge(right=True)
        head = self.graph.head
        assert head is not None
        try:
            for one in self.instances:
                self._apply(one, head, drop=False)
        finally:
            for one in self.instances:
                one.close()


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_no_order_of_branches_loses_a_cell(server: Any) -> None:
    """Whatever branches rename, add, leave out and fill, and whenever they are merged and applied, each family of the end has all its cells, or a run is refused."""

    class Here(Histories):
        host = server.host
        compared: ClassVar[list[str]] = []

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=max(6, settings().max_examples // 10),
            stateful_step_count=12,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
    assert len(Here.compared) > 5


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_steps_of_two_branches_fill_the_same_family_under_two_names(server: Any) -> None:
    """A merge that keeps both names of a family keeps in each what the steps of its branch wrote."""

    class Here(Histories):
        host = server.host
        compared: ClassVar[list[str]] = []

    there = Here()
    there.rename(letter="a", parent=8, which=9)
    there.fill(letter="a", parent=29, to=8, which=3)
    there.leave_out(letter="m", parent=4, which=5)
    there.leave_out(letter="a", parent=17, which=0)
    there.merge(right=False)
    there.rename(letter="a", parent=12, which=9)
    there.fill(letter="m", parent=29, to=4, which=0)
    there.fill(letter="a", parent=8, to=7, which=7)
    there.merge(right=True)
    there.rename(letter="z", parent=6, which=4)
    there.merge(right=True)
    there.rename(letter="a", parent=9, which=4)
    there.rename(letter="z", parent=28, which=2)
    there.fill(letter="a", parent=24, to=3, which=9)
    there.teardown()
    origins = list(there.origins[there.revisions[-1].id].values())
    assert len(origins) > len(set(origins))
    assert Here.compared == [there.revisions[-1].id] * 2


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_a_merge_of_merges_chooses_another_name_than_the_instance_has(server: Any) -> None:
    """Where merges chose the one name and the other, and the last one ends with a name that stands beside the other, that takes over the rows."""

    class Here(Histories):
        host = server.host
        compared: ClassVar[list[str]] = []

    there = Here()
    there.rename(letter="m", parent=8, which=4)
    there.add(letter="m", parent=7, which=1)
    there.rename(letter="a", parent=8, which=0)
    there.apply(drop=True, which=0)
    there.rename(letter="m", parent=14, which=7)
    there.rename(letter="m", parent=7, which=0)
    there.merge(right=True)
    there.add(letter="a", parent=8, which=3)
    there.merge(right=True)
    there.add(letter="a", parent=15, which=8)
    there.merge(right=True)
    there.add(letter="z", parent=16, which=4)
    there.rename(letter="z", parent=23, which=5)
    there.add(letter="a", parent=19, which=4)
    while len(there.graph.heads) > 1:
        there.merge(right=True)
    for one in there.instances:
        one.apply(there.graph, drop=False)
        assert one.cells()["n5"] == one.wanted["g"]
        one.close()


@pytest.mark.parametrize("server", ["local"], indirect=True)
def test_one_branch_renames_what_the_other_has_renamed_and_left_out(server: Any) -> None:
    """The new name takes over the rows from the last name that they had, though nothing declares that any more."""

    class Here(Histories):
        host = server.host
        compared: ClassVar[list[str]] = []

    there = Here()
    there.apply(drop=False, which=0)
    there.rename(letter="m", parent=30, which=5)
    there.apply(drop=False, which=0)
    there.apply(drop=True, which=0)
    there.apply_to(drop=False, to=0)
    there.leave_out(letter="m", parent=18, which=1)
    there.apply_to(drop=False, to=26)
    there.rename(letter="m", parent=30, which=5)
    there.rename(letter="m", parent=25, which=7)
    there.apply_to(drop=False, to=15)
    there.leave_out(letter="m", parent=5, which=1)
    there.leave_out(letter="a", parent=4, which=6)
    there.rename(letter="m", parent=22, which=5)
    there.apply_to(drop=False, to=29)
    there.teardown()
    assert "g" in there.origins[there.revisions[-1].id].values()
    assert Here.compared[-2:] == [there.revisions[-1].id] * 2
