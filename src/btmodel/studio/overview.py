"""An instance as a whole: how its tables stand to the models, pending migrations, and where the load goes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import frozen

from btmodel.declare import Model, schema_of
from btmodel.described import keeps
from btmodel.errors import BtmodelError, DeclarationError, SimulationRefused, UndecodableKey
from btmodel.migrate import read_plan
from btmodel.migrate.planning.text import PlanText, plan_text
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.standing import standing
from btmodel.migrate.revisions.standing_lines import standing_lines, standing_tally
from btmodel.on_demand import library
from btmodel.rows import RowKeyCodec
from btmodel.schema import Family, ModelSchema, Table
from btmodel.schema.rate import parse_every
from btmodel.schema.table import settled_tables
from btmodel.studio.state import Studio
from btmodel.words import as_text

if TYPE_CHECKING:
    from btmodel.client.admin import HotTablet


@frozen
class FamilyStanding:
    """A family: what it keeps by its declaration and in the instance; None where it is not there."""

    id: str
    declared: str | None
    live: str | None

    @property
    def word(self) -> str:
        """How both agree."""
        if self.declared is None:
            return "not declared"
        if self.live is None:
            return "missing"
        return "as declared" if self.live == self.declared else "differs"


@frozen
class TableStanding:
    """A table with the models in it; ``live`` is whether the instance has it, None where that is not known.

    ``named`` are models that may have named it at run time, with the parameters of its name.
    """

    id: str
    models: tuple[str, ...]
    live: bool | None
    families: tuple[FamilyStanding, ...]
    views: tuple[tuple[str, str, bool | None], ...]  # what it is, its id, and whether it is there
    named: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    @property
    def word(self) -> str:
        """How the table stands."""
        if "{" in self.id:
            return "named at run time"
        if self.live is None:
            return "not known"
        if not self.live:
            return "missing"
        if not self.models:
            return "named at run time" if self.named else "no model"
        wrong = any(family.word != "as declared" for family in self.families) or any(
            live is False for _, _, live in self.views
        )
        return "differs" if wrong else "as declared"


@frozen
class Tables:
    """All tables, those of models first, and why the instance's are not known, if they are not."""

    tables: tuple[TableStanding, ...]
    problem: str = ""


def tables_of(studio: Studio) -> Tables:
    """The tables of the models and of the instance side by side."""
    live: Sequence[Table] | None = None
    problem = ""
    try:
        live = studio.admin.read_tables()
    except BtmodelError as error:
        problem = str(error)
    return Tables(tuple(_tables(studio, live)), problem)


def _tables(studio: Studio, live: Sequence[Table] | None) -> Iterator[TableStanding]:
    there = {table.id: table for table in live or ()}
    by_table: dict[str, list[str]] = {}
    for name, schema in studio.schemas.items():
        by_table.setdefault(schema.view.of_table if schema.view else schema.table, []).append(name)
    for id in sorted(by_table):
        models = [studio.schemas[name] for name in by_table[id]]
        named_later = "{" in id
        found = there.get(id)
        yield TableStanding(
            id,
            tuple(by_table[id]),
            None if live is None or named_later else found is not None,
            tuple(_families(models, found)),
            tuple(_views(models, found)),
        )
    for id in sorted(there.keys() - by_table.keys()):
        families = tuple(FamilyStanding(family.id, None, keeps(family)) for family in there[id].families)
        views = tuple(_views((), there[id]))
        yield TableStanding(id, (), True, families, views, tuple(_named(studio, id)))


def _named(studio: Studio, id: str) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """The models whose table may have this id, each with the parameters that complete it."""
    for name, schema in studio.schemas.items():
        if schema.parameters and (found := re.fullmatch(_pattern(schema.table), id)):
            yield name, tuple((f"of.{one}", value) for one, value in found.groupdict().items())


def _families(models: Sequence[ModelSchema], live: Table | None) -> Iterator[FamilyStanding]:
    declared: dict[str, Family] = {
        family.id: family for model in models if model.view is None for family in model.families
    }
    there = {family.id: family for family in live.families} if live else {}
    for id in sorted(declared.keys() | there.keys()):
        yield FamilyStanding(
            id,
            keeps(declared[id]) if id in declared else None,
            keeps(there[id]) if id in there else None,
        )


def _views(models: Sequence[ModelSchema], live: Table | None) -> Iterator[tuple[str, str, bool | None]]:
    """What a table has beside its families: views, authorized views and schema bundles."""
    there = {
        "view": {view.id for view in live.views} if live else set(),
        "authorized view": {view.id for view in live.authorized} if live else set(),
        "schema bundle": {bundle.id for bundle in live.bundles} if live else set(),
    }
    declared = {
        "view": {model.view.definition.id for model in models if model.view is not None},
        "authorized view": {view.id for model in models for view in model.authorized},
        "schema bundle": {model.schema_bundle for model in models if model.schema_bundle is not None},
    }
    for kind, ids in there.items():
        for id in sorted(declared[kind] | ids):
            yield kind, id, None if live is None else id in ids


def _pattern(template: str) -> str:
    """The expression of the ids that complete a template; a name that stands there twice has one value."""
    seen: set[str] = set()

    def group(match: re.Match[str]) -> str:
        name = match[1]
        again = name in seen
        seen.add(name)
        return f"(?P={name})" if again else f"(?P<{name}>.+)"

    return re.sub(r"\\\{(\w+)\\\}", group, re.escape(template))


@frozen
class ShownPending:
    """What ``btmodel migrate status`` and ``plan`` show; without revisions, only the plan."""

    tally: str
    revisions: tuple[tuple[str, str, str], ...]
    plan: PlanText | None
    problem: str = ""


def pending_of(studio: Studio) -> ShownPending:
    """The revisions of the instance, and how it differs from the models. Raises :class:`ServerError`."""
    history = studio.history.snapshot()
    tally = ""
    lines: tuple[tuple[str, str, str], ...] = ()
    if studio.revisions is not None:
        graph = read_folder(studio.revisions)
        if graph.revisions:
            now = standing(graph, history.revisions())
            tally, lines = standing_tally(now), tuple(standing_lines(now, history))
    try:
        declared = settled_tables(studio.schemas.values())
        plan = plan_text(read_plan(studio.admin, declared, history=history)) if declared else None
        return ShownPending(tally, lines, plan)
    except DeclarationError as error:
        return ShownPending(tally, lines, None, str(error))


SPAN = "24h"
_LONGEST = timedelta(days=366)


@frozen
class Wanted:
    """What is to be simulated: for how long, and on how many nodes, by default those that the model needs."""

    span: timedelta
    nodes: int | None

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Wanted":
        """What a form says. Raises :class:`SimulationRefused`."""
        text = given.get("for") or SPAN
        try:
            span = parse_every(text, "length")
        except DeclarationError as error:
            raise SimulationRefused(f"for: {error}") from None
        if not span <= _LONGEST:
            raise SimulationRefused(f"for: expected up to a year, got {text!r}")
        return cls(span, _nodes(given.get("nodes", "")))


def _nodes(text: str) -> int | None:
    from btmodel.simulate.workload import MOST_NODES

    if not text:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= MOST_NODES:
        raise SimulationRefused(f"nodes: expected a number from 1 to {MOST_NODES:,}, got {text!r}")
    return int(text)


@frozen
class Picture:
    """A simulation: what it says, whether that is a hotspot, and the page of its heat maps."""

    sentences: tuple[tuple[str, bool], ...]
    html: str
    nodes: int


@lru_cache(maxsize=16)
def picture_of(declared_by: type[Model], wanted: Wanted) -> Picture:
    """The simulation of the workload that a model declares, beside a better key where there is one.

    Raises :class:`SimulationRefused` without the estimates that it needs, or numpy.
    """
    library("numpy", "simulate", "a simulation", SimulationRefused)
    from btmodel.simulate.alternatives import declared
    from btmodel.simulate.cluster.cluster import Cluster, assumptions_of, usual_nodes
    from btmodel.simulate.declared_workload import workload_of
    from btmodel.simulate.picture import page
    from btmodel.simulate.simulation import compared, simulated, steps_of

    model = schema_of(declared_by)
    workload = workload_of(model)
    cluster = Cluster(wanted.nodes or usual_nodes([workload]), "ssd", assumptions_of({}))
    steps = steps_of(wanted.span, None)
    result = compared(
        [declared([workload])], workload_of, lambda scenario: simulated(scenario, cluster, steps)
    )
    said = tuple((one.sentence, one.hot) for one in result.said)
    notes = [sentence for sentence, _ in said]
    return Picture(said, page([run.side for run in result.all], title=model.name, notes=notes), cluster.nodes)


@frozen
class ShownTablet:
    """A hot tablet: its keys as text and as fields, its share of a node in percent, and when."""

    start: str
    end: str
    fields: str
    cpu: float
    when: str


def hot_tablets(studio: Studio, model: ModelSchema) -> tuple[ShownTablet, ...] | None:
    """The hot tablets of a model's table; None where the server does not report them. Raises :class:`ServerError`."""
    found = studio.admin.hot_tablets(model.table)
    return None if found is None else tuple(_hot_tablet(model, one) for one in found[:20])


def _hot_tablet(model: ModelSchema, one: "HotTablet") -> ShownTablet:
    try:
        values = RowKeyCodec(model).taken_apart(one.start) if one.start else {}
    except UndecodableKey:  # tablets are split anywhere
        values = {}
    fields = ", ".join(f"{name}={value}" for name, value in values.items())
    span = f"{one.since:%Y-%m-%d %H:%M} to {one.until:%H:%M}"
    return ShownTablet(
        as_text(one.start) or "(the first key)", as_text(one.end) or "(the last key)", fields, one.cpu, span
    )
