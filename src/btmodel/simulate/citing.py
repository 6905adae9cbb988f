"""Findings of the review with simulated results."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from math import ceil

from attrs import evolve

from btmodel.design.spread import nodes_judged
from btmodel.errors import SimulationRefused
from btmodel.estimates import timed
from btmodel.lint import Finding
from btmodel.schema import ModelSchema
from btmodel.simulate.alternatives import Scenario, declared, fixed
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.measures import figure, percent
from btmodel.simulate.sentence import busy
from btmodel.simulate.simulation import Compared, Run, Simulated, Steps, WorkloadOf, compared, simulated
from btmodel.simulate.table_growth import growth_of, largest, writer_groups
from btmodel.simulate.workload import Sequential, Workload
from btmodel.words import counted

# The rules that reason about load.
CITING = frozenset({"KEY001", "KEY002", "KEY003", "KEY005", "KEY013"})
# A day in steps of ten minutes.
_DAY = Steps(144, 600.0)
# A table is old enough once it has so many times the bytes of a small one for each node; or at this age.
_LARGE = 4
_OLD = timedelta(days=3650)


def cited(
    findings: Iterable[Finding], models: Sequence[ModelSchema], note: Callable[[str], None]
) -> Iterator[Finding]:
    """All findings; those about load get ``simulated``: how the writes are spread once the table is large.

    A small table is on one node whatever its keys are, so its spread says nothing about the key. ``note`` is called
    for a model whose workload estimates do not suffice.
    """
    by_name = {(model.module, model.name): model for model in models}
    known: dict[tuple[str, str], str | None] = {}
    for finding in findings:
        name = (finding.module, finding.model)
        if finding.rule not in CITING or name not in by_name:
            yield finding
            continue
        if name not in known:
            known[name] = _shown(by_name[name], note)
        yield evolve(finding, simulated=known[name])


def _shown(model: ModelSchema, note: Callable[[str], None]) -> str | None:
    """The simulated numbers to cite for a model; None if its estimates do not suffice."""
    try:
        workload = workload_of(model)
        cluster = Cluster(nodes_judged(model))
        old = evolve(workload, history=until_large(workload, cluster))

        def run(scenario: Scenario) -> Simulated:
            return simulated(scenario, cluster, _DAY)

        def older(other: ModelSchema) -> Workload:
            return evolve(workload_of(other), history=old.history)

        result = compared([declared([old])], older, run)
    except SimulationRefused as error:
        note(f"not simulated: {error}")
        return None
    sentence = result.said[0].sentence.partition(": ")[2].rstrip(".")
    summary = f"a large table on {counted(cluster.nodes, 'node')}, a day: {sentence}"
    return summary + _of_proposed(model, result, older, run) + _of_row(workload, cluster)


def _of_proposed(model: ModelSchema, result: Compared, older: WorkloadOf, run: Run) -> str:
    """The effect of the proposed key, if the sentence does not mention it because the declared key spreads the writes, too."""
    fix = fixed(model) if result.better is None else None
    if fix is None:
        return ""
    writes = run(declared([older(fix.model)])).answer.writes
    if writes is None:
        return ""
    return (
        f"; with the key `{fix.model.key.shape}` {busy(writes)}, the hottest with {percent(writes.hottest)}"
    )


def _of_row(workload: Workload, cluster: Cluster) -> str:
    """The load of one row, if its rows are written repeatedly."""
    if timed(workload.model) or any(isinstance(field, Sequential) for field in workload.fields.values()):
        return ""
    rate = workload.writes * largest(writer_groups(workload))
    part = percent(rate / cluster.limits.writes)
    return f"; its hottest row takes {figure(rate)} writes a second, {part} of what a node can do, and can have no more than one node"


def until_large(workload: Workload, cluster: Cluster) -> timedelta:
    """The time until the table is so large that it could use every node."""
    a_day = growth_of(workload).bytes_a_day
    wanted = _LARGE * cluster.assumptions.small_table * cluster.nodes
    days = ceil(wanted / a_day) if a_day > 0 else _OLD.days
    return min(timedelta(days=days), _OLD) if days < _OLD.days else _OLD
