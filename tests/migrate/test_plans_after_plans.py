"""Plans of several pending revisions: each is planned from what the one before leaves, so that all at once they are what they are one by one."""

import re
import uuid
from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from google.protobuf.api_pb2 import Api
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from renamed_models import Site, site
from revised_project import Project
from some_tables import ONE, WEEK

import btmodel as bt
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import apply_stages
from btmodel.migrate.planning.plan import WrongAllow
from btmodel.migrate.revisions.graph import graph_of
from btmodel.migrate.revisions.new import id_on
from btmodel.migrate.revisions.planning import RevisionStage, revision_stages
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import standing
from btmodel.schema import AuthorizedView, Family, FamilySubset, MaxAge, Table, tables
from btmodel.schema.model import OFF, TableSettings
from btmodel.schema.view import bundle_of
from btmodel.server import RunningServer, start

INDEXED = """
class P(bt.Model, table="p"):
    "A thing."
    id: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    c: str = bt.column("c", f)
"""
COLUMN = '    d: str | None = bt.column("d", f, default=None)\n'
FAMILY = (
    '    g = bt.family("g", gc=bt.max_versions(1))\n    e: str | None = bt.column("e", g, default=None)\n'
)
INDEX = """
class PofC(bt.Index, of=P, view="p_of_c"):
    c: str = bt.key(bt.Text(max_length=20))
    id: str = bt.covered()
    c2: str = bt.covered("c")
"""


def test_a_view_that_is_there_is_not_planned_again(project: Project) -> None:
    """The revision after the next one creates no view that the instance has."""
    project.declare(INDEXED, INDEX)
    project.done("new", "one")
    project.done("apply", "--yes")
    project.declare(INDEXED, COLUMN, INDEX)
    project.done("new", "two")
    project.declare(INDEXED, COLUMN, FAMILY, INDEX)
    project.done("new", "three")
    plan = project.run("plan")
    assert plan.exit_code == 2
    assert "add-family:p.g" in plan.output
    assert "view" not in plan.output
    project.done("apply", "--yes")
    project.done("verify")


def test_a_view_is_dropped_by_a_later_revision(project: Project) -> None:
    """The name of the drop is known where the second pending revision no longer has the view."""
    project.declare(INDEXED, INDEX)
    project.done("new", "one")
    project.done("apply", "--yes")
    project.declare(INDEXED, COLUMN, INDEX)
    project.done("new", "two")
    project.declare(INDEXED, COLUMN)
    project.done("new", "three")
    assert "drop with --allow drop-view:p.p_of_c" in project.run("plan").output
    assert "drop-view:p.p_of_c" in project.run("plan", "--allow", "drop-view:p.p_of_c").output
    project.done("apply", "--yes", "--allow", "drop-view:p.p_of_c")
    project.done("verify")


class Thing(bt.Model, table="T", events="1/s"):
    id: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(1))
    c: str = bt.column("c", f)
    d: str = bt.column("d", f)


class ByC(bt.Index, of=Thing, view="V"):
    c: str = bt.key(bt.Text(max_length=20), cardinality=100)
    id: str = bt.covered()
    d: str = bt.covered()


class OfC(bt.Rollup, of=Thing, view="W"):
    c: str = bt.key(bt.Text(max_length=20), cardinality=100)
    things: int = bt.count()


class OfD(bt.Rollup, of=Thing, view="W"):
    d: str = bt.key(bt.Text(max_length=20), cardinality=100)
    things: int = bt.count()


def _declared(*models: type[bt.Model]) -> Table:
    [table] = tables(map(bt.schema_of, models))
    return table


_VIEW = _declared(Thing, ByC).views[0]
_OTHERS = (_declared(Thing, OfC).views[0], _declared(Thing, OfD).views[0])
_STATED = st.none() | st.booleans()


def _period(*days: int) -> st.SearchStrategy[timedelta | None]:
    return st.sampled_from([None, OFF, *map(timedelta, days)])


_settings = st.builds(
    TableSettings, _STATED, _period(1, 7), _period(7, 30), _period(30, 60), st.sampled_from([None, ""])
)
# Of the columns that rows may have: `f` is what views read, and always there.
_families = st.fixed_dictionaries(
    {"f": st.sampled_from([ONE, WEEK])},
    optional={
        "g": st.sampled_from([None, ONE, WEEK, MaxAge(timedelta(days=14))]),
        "h": st.sampled_from([ONE, WEEK]),
    },
)
_subset = st.builds(
    lambda names, whole: FamilySubset("f", () if whole else names, (b"",) if whole else ()),
    st.sampled_from([(b"c",), (b"d",), (b"c", b"d")]),
    st.booleans(),
)
_authorized = st.builds(
    AuthorizedView,
    st.sampled_from(["A", "B"]),
    st.sampled_from([(b"",), (b"a",), (b"b",), (b"a", b"b")]),
    _subset.map(lambda one: (one,)),
    _STATED,
)
_bundles = st.sampled_from([[], [Api], [Timestamp], [Api, Timestamp]])


@st.composite
def _tables(draw: Any) -> Table:
    found = draw(_families)
    views = [
        *([_VIEW] if draw(st.booleans()) else []),
        *draw(st.sampled_from([(), *((one,) for one in _OTHERS)])),
    ]
    protected = [evolve(view, deletion_protection=draw(_STATED)) for view in views]
    shown = {view.id: view for view in draw(st.lists(_authorized, max_size=2))}
    messages = draw(_bundles)
    return evolve(
        _declared(Thing),
        families=tuple(Family(id, found[id]) for id in sorted(found)),
        settings=draw(_settings),
        views=tuple(protected),
        authorized=tuple(shown[id] for id in sorted(shown)),
        bundles=(bundle_of("M", messages),) if messages else (),
    )


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with start() as running:
        yield running


class History:
    """Revisions of one table, which are applied to an instance."""

    def __init__(self, there: Site, states: list[Table]) -> None:
        self.there = there
        self.revisions: list[Revision] = []
        for number, table in enumerate(states):
            below = tuple(self.revisions[-1:])
            message = f"r{number}"
            links = tuple(one.link for one in below)
            self.revisions.append(Revision(id_on(below, message), message, links, (table,)))

    def planned(self, to: Revision, allow: Collection[str]) -> tuple[RevisionStage, ...]:
        """The stages up to one; of ``allow``, those that allow something."""
        now = standing(graph_of(Path("migrations"), self.revisions), self.there.history.revisions())
        names = [*allow]
        while True:
            try:
                return revision_stages(now, self.there.admin, self.there.history, to, names)
            except WrongAllow as error:
                needless = set(re.findall(r"--allow (\S+): nothing", str(error)))
                if not needless:
                    raise
                names = [name for name in names if name not in needless]

    def allowable(self, to: Revision) -> set[str]:
        """Names that the pending revisions up to one need, and those that drop what they leave."""
        allow: set[str] = set()
        for _ in range(3):
            changes = [
                one for stage in self.planned(to, allow) for one in (*stage.plan.changes, *stage.plan.drift)
            ]
            allow |= {name for one in changes for name in one.names}
        return allow

    def apply(self, stages: tuple[RevisionStage, ...]) -> None:
        apply_stages(stages, self.there.admin, self.there.history, "me", data=Data(self.there.rows))


def _said(stage: RevisionStage) -> list[tuple[str, str, tuple[str, ...]]]:
    plan = stage.plan
    return sorted((one.name, plan.effect(one).name, one.details) for one in (*plan.changes, *plan.drift))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40, phases=(Phase.generate,))
@given(states=st.lists(_tables(), min_size=3, max_size=5), drops=st.booleans())
def test_plans_at_once_are_plans_one_by_one(server: RunningServer, states: list[Table], drops: bool) -> None:
    """Whatever changes of a table several revisions make: the plans of all of them are those that each gets once the one before is applied."""
    with site(f"projects/test/instances/i{uuid.uuid4().hex[:12]}", server.host) as there:
        history = History(there, states)
        history.apply(history.planned(history.revisions[0], set()))
        allow = history.allowable(history.revisions[-1]) if drops else set[str]()
        at_once = history.planned(history.revisions[-1], allow)
        for revision, planned in zip(history.revisions[1:], at_once, strict=True):
            [stage] = history.planned(revision, allow)
            assert _said(stage) == _said(planned), revision.id
            if stage.plan.refused:
                break
            history.apply((stage,))
