"""What a merge decides against is not set in an instance on the way to that merge, whichever side has the lower name."""

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from renamed_models import KEEP, family, lie
from test_branches_with_rows import Branches
from test_branches_with_rows import branches as branches
from test_branches_with_rows import there as there

from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.standing import standing
from btmodel.schema import Layout, MaxVersions, Table
from btmodel.schema.model import TableSettings


def t(gc: Any = KEEP, layout: Layout | None = None, *others: str, **more: Any) -> Table:
    """The table T with a family f, with this rule."""
    families = (family("f", gc=gc), *map(family, others))
    return Table("T", families, layouts=(layout or lie(f__a="value Int64()"),), **more)


OLD = t(MaxVersions(10))
WITHOUT = Table("T", (family("g"),), layouts=(lie(),))
# The tables before, those of the side that loses and of the side that is taken.
CONTRADICTIONS = {
    "gc": ([OLD], [t(MaxVersions(2))], [t(MaxVersions(20))]),
    "gc of a dropped family": (
        [t(MaxVersions(10), None, "g")],
        [WITHOUT],
        [t(MaxVersions(20), None, "g")],
    ),
    "columns of a dropped family": (
        [t(KEEP, None, "g")],
        [WITHOUT],
        [t(KEEP, lie(f__a="value Int64()", f__b="value Int64()"), "g")],
    ),
    "codec": (
        [OLD],
        [t(MaxVersions(10), lie(f__a="value Json()"))],
        [t(MaxVersions(10), lie(f__a="value Utf8()"))],
    ),
    "key": (
        [OLD],
        [t(MaxVersions(10), lie("Text(width=7)", f__a="value Int64()"))],
        [t(MaxVersions(10), lie("Text(width=9)", f__a="value Int64()"))],
    ),
    "dropped table": ([OLD], [], [t(MaxVersions(20))]),
    "setting": (
        *([evolve(OLD, settings=TableSettings(change_stream=timedelta(days=days)))] for days in (3, 1, 7)),
    ),
    "renamed family": (
        [OLD],
        [Table("T", (family("h", "f", gc=MaxVersions(10)),), layouts=(lie(h__a="value Int64()"),))],
        [t(MaxVersions(20))],
    ),
}


def changes(branches: Branches) -> list[tuple[str, tuple[str, ...]]]:
    """Each revision that is pending, with the changes that it would make, and what it would leave undeclared."""
    graph = read_folder(branches.folder)
    now = standing(graph, branches.there.history.revisions())
    return [
        (
            stage.revision.message,
            tuple(one.name for one in (*stage.plan.pending, *stage.plan.drift)),
        )
        for stage in revision_stages(now, branches.there.admin, branches.there.history)
    ]


@pytest.mark.parametrize("letter", ["a", "z"])
@pytest.mark.parametrize("contradiction", CONTRADICTIONS)
def test_what_a_merge_decides_against_is_not_done(
    branches: Branches, contradiction: str, letter: str
) -> None:
    """The side that a merge takes comes first, and the other one changes nothing in which they contradict each other."""
    before, losing, taken = CONTRADICTIONS[contradiction]
    first = branches.write("first", table=before)
    branches.apply()
    alone = branches.write("m taken", first, table=taken)
    wanted = changes(branches)
    branches.write(f"{letter} losing", first, table=losing)
    branches.merge(alone)
    assert changes(branches) == [*wanted, (f"{letter} losing", ()), ("merge", ())]


def test_the_rest_of_the_losing_side_is_done(branches: Branches) -> None:
    """What only the losing side changed is done beside the other one, with each of its revisions in its order."""
    first = branches.write("first", table=[OLD])
    branches.apply()
    one = branches.write("a tighter", first, table=[t(MaxVersions(2))])
    branches.write("a more", one, table=[t(MaxVersions(2), None, "g")])
    taken = branches.write("b looser", first, table=[t(MaxVersions(20))])
    branches.merge(taken)
    assert changes(branches) == [
        ("b looser", ("relax-gc:T.f",)),
        ("a tighter", ()),
        ("a more", ("add-family:T.g",)),
        ("merge", ()),
    ]


def test_what_is_applied_of_the_losing_side_is_undone(branches: Branches) -> None:
    """A change of the losing side that was applied before the merge is followed by that of the other side."""
    first = branches.write("first", table=[OLD])
    losing = branches.write("a tighter", first, table=[t(MaxVersions(2))])
    branches.apply()
    on = branches.write("a tightest", losing, table=[t(MaxVersions(1))])
    taken = branches.write("b looser", first, table=[t(MaxVersions(20))])
    branches.merge(taken)
    assert [one.message for one in (on, taken)] == ["a tightest", "b looser"]
    assert changes(branches) == [("b looser", ("relax-gc:T.f",)), ("a tightest", ()), ("merge", ())]


def test_two_merges_of_the_same_branches_that_contradict_each_other(branches: Branches) -> None:
    """Where two people merged the same branches and took one side each, all revisions come once, and lead to the last one."""
    first = branches.write("first", table=[OLD])
    branches.apply()
    one = branches.write("a", first, table=[t(MaxVersions(2))])
    other = branches.write("b", first, table=[t(MaxVersions(20))])
    this = branches.merge(one)
    branches.write("c", one, other, table=[t(MaxVersions(20))])
    last = branches.merge(this)
    assert [message for message, _ in changes(branches)] == ["a", "b", "c", "merge", "merge"]
    branches.apply("tighten-gc:T.f")
    assert [one.families[0].gc for one in branches.there.admin.read_tables(["T"])] == [
        one.families[0].gc for one in last.tables
    ]
