"""What is to be said of several tables on one cluster: one table's load slows its neighbours."""

from btmodel.counted import counted
from btmodel.simulate.answer.answer import Answer
from btmodel.simulate.answer.said import Said
from btmodel.simulate.answer.sentence import busy
from btmodel.simulate.answer.verdict import Verdict, verdict
from btmodel.simulate.answer.words import percent, rate

# The hottest node has so many times an even share.
_MUCH = 2.0


def together(answer: Answer, small: float) -> Said:
    """How the load of all tables lies on the nodes, what the hottest node has to do, and who asks for the most."""
    spread = answer.writes
    count = counted(len(answer.tables), "table")
    if spread is None:
        return Said("All", f"All: nothing is written to {count}.", hot=False)
    hot = answer.load > 1 or spread.hottest * spread.nodes > _MUCH
    asked = f"the hottest is asked for {percent(answer.load)} of what it can do"
    nodes = busy(spread)
    needed = (
        f"; {answer.need.load:,} nodes are needed for the load" if answer.need.load > answer.nodes else ""
    )
    return Said(
        "All",
        f"All: {count} together, {nodes}, {asked}{needed}.",
        hot,
        (_most(answer), _kinds(answer, small)),
    )


def _most(answer: Answer) -> str:
    busiest = sorted(answer.tables, key=lambda table: -table.workload.writes)[:3]
    listed = ", ".join(f"{table.name} ({rate(table.workload.writes)}/s)" for table in busiest)
    return f"most is written to {listed}"


def _kinds(answer: Answer, small: float) -> str:
    found = [verdict(answer, table, small) for table in answer.tables]
    hot = sum(one.hot for one in found)
    small_ones = sum(one is Verdict.SMALL for one in found)
    parts = [
        (hot, "on too few nodes, below"),
        (small_ones, "small, on one node" if small_ones == 1 else "small, each on one node"),
        (sum(one is Verdict.EVEN for one in found), "that can be spread"),
    ]
    return ", ".join(f"{counted(number, 'table')} {what}" for number, what in parts if number)
