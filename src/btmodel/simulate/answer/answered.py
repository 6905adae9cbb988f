"""From what came of a simulation to what is said of it."""

from math import ceil

from btmodel.simulate.answer.answer import Answer, Need, TableAnswer
from btmodel.simulate.answer.growth import growth_of
from btmodel.simulate.answer.spread import spread_of
from btmodel.simulate.cluster.limits import CPU_THROUGHPUT, STORAGE_THROUGHPUT
from btmodel.simulate.cluster.outcome import Outcome, TableOutcome
from btmodel.simulate.scenarios import Scenario
from btmodel.simulate.workload import Workload


def answer_of(scenario: Scenario, outcome: Outcome) -> Answer:
    """The figures of an outcome, whose tables are those of the scenario, in its order."""
    tables = tuple(
        _table(workload, table, outcome)
        for workload, table in zip(scenario.workloads, outcome.tables, strict=True)
    )
    hottest = outcome.load.max(axis=1)
    usual = slice(len(hottest) // 2, None)
    step = outcome.step_seconds
    return Answer(
        scenario.name,
        int(outcome.nodes[-1]),
        len(outcome.seconds) * step,
        tables,
        spread_of(outcome.node_writes, step),
        spread_of(outcome.node_reads, step),
        load=_middle(hottest[usual].tolist()),
        load_most=float(hottest.max()),
        p99=_middle(outcome.p99[usual].tolist()),
        p99_most=float(outcome.p99.max()),
        failed=_failed(outcome),
        waiting=float(outcome.backlog[-1].max()),
        tablets=sum(int(table.tablets[-1]) for table in outcome.tables),
        splits=int(outcome.splits.sum()),
        moves=int(outcome.moves.sum()),
        need=_need(tables, outcome),
    )


def _table(workload: Workload, table: TableOutcome, outcome: Outcome) -> TableAnswer:
    return TableAnswer(
        workload,
        spread_of(table.node_writes, outcome.step_seconds),
        spread_of(table.node_reads, outcome.step_seconds),
        rows=float(table.rows[-1]),
        bytes=float(table.bytes[-1]),
        hottest=table.hottest,
        firm=tuple(one for one in outcome.firm if (one.table, one.model) == (table.table, table.model)),
        growth=growth_of(workload),
    )


def _need(tables: tuple[TableAnswer, ...], outcome: Outcome) -> Need:
    """The nodes that the documentation advises, if the work were spread evenly."""
    limits, assumptions = outcome.cluster.limits, outcome.cluster.assumptions
    peak = float(outcome.load.sum(axis=1).max())
    stored = sum(one.growth.after["a year"].bytes for one in tables) * assumptions.compression
    return Need(
        max(1, ceil(peak / CPU_THROUGHPUT - 1e-9)),
        max(1, ceil(stored / (limits.storage_bytes * STORAGE_THROUGHPUT) - 1e-9)),
    )


def _failed(outcome: Outcome) -> float:
    """The share of all work, of all of the time, that was given up."""
    work = outcome.load.sum(axis=1)
    return float((outcome.failed * work).sum() / work.sum()) if work.any() else 0.0


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
