"""Where the load goes: a simulation of what a model declares, and the hot tablets that the service has noted."""

from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import frozen

from btmodel.declare import Model, schema_of
from btmodel.errors import DeclarationError, SimulationRefused, UndecodableKey
from btmodel.on_demand import library
from btmodel.rows import RowKeyCodec
from btmodel.schema import ModelSchema
from btmodel.schema.rate import parse_every
from btmodel.studio.state import Studio
from btmodel.words import as_text

if TYPE_CHECKING:
    from btmodel.client.admin import HotTablet

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
    from btmodel.simulate.workload.text import MOST_NODES

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
    from btmodel.simulate.cluster.cluster import Cluster, assumptions_of, usual_nodes
    from btmodel.simulate.comparison import compared
    from btmodel.simulate.picture import page
    from btmodel.simulate.scenarios import declared
    from btmodel.simulate.simulation import simulated, steps_of
    from btmodel.simulate.workload import workload_of

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
