"""The sentence that sums up a simulation."""

from enum import Enum

from attrs import frozen

from btmodel.design.spread import leading_time
from btmodel.schema.limits import ADVISED_NODE_USE
from btmodel.simulate.alternatives import Fixed
from btmodel.simulate.answer import ALONE, Answer, LoadSpread, TableAnswer
from btmodel.simulate.cluster.outcome import BoundKind, LoadBound
from btmodel.simulate.measures import duration, figure, percent, rate
from btmodel.words import counted, size_text


class Verdict(Enum):
    """How the writes of a table are spread over the nodes."""

    ONE = "on one node"
    SMALL = "on one node, because the table is small"
    PACKED = "on one node, because the table is small, and too much for it"
    AGAIN = "on one node again and again"
    FEW = "on few nodes"
    UNEVEN = "on all nodes, but unevenly"
    EVEN = "on all nodes"
    NONE = "on none"

    @property
    def hot(self) -> bool:
        """Whether another key might help."""
        return self not in (Verdict.SMALL, Verdict.PACKED, Verdict.EVEN, Verdict.NONE)


# Loads below this share of a node do not matter, wherever they are.
_LITTLE = 0.01
# Shorter relapses, in seconds, are not reported.
_LONG = 120.0
# A node with this many even shares has much more load than the others.
_MUCH = 2.0


def verdict(answer: Answer, table: TableAnswer, small: float) -> Verdict:
    """The verdict on ``table``; tables smaller than ``small`` bytes stay on one node.

    With several tables, the verdict covers only firm results of each: their tablets share the nodes, so if those of
    one table are on one node, those of another may be elsewhere.
    """
    spread = table.writes
    if spread is None:
        return Verdict.NONE
    if spread.nodes == 1:
        return Verdict.EVEN
    places = few_places(table)
    if places is not None:
        return Verdict.ONE if places.places == 1 else Verdict.FEW
    bound = table.bound(BoundKind.SMALL)
    if mostly_small(table, spread, small):
        return Verdict.PACKED if bound and bound.of_node > 1 else Verdict.SMALL
    return _moving(spread) if len(answer.tables) == 1 else Verdict.EVEN


def mostly_small(table: TableAnswer, spread: LoadSpread, small: float) -> bool:
    """Whether a table is on one node because it is small: until the end, or for so long that this is usual."""
    if spread.together is None:
        return table.bytes < small
    return spread.hottest >= ALONE and not _again(spread) and table.bound(BoundKind.SMALL) is not None


def _again(spread: LoadSpread) -> bool:
    """Whether one node had all of the load again for long enough to report it."""
    return any(relapse.seconds >= _LONG for relapse in spread.relapses)


def few_places(table: TableAnswer) -> LoadBound | None:
    """The number of growing ends or rows that take all writes of a table.

    None if some writes can be divided, or if there are more such places than half of the nodes and none of them gets more
    than a node should.
    """
    found = table.bound(BoundKind.TAIL, BoundKind.ROW)
    if found is None or found.places is None or found.of_node < _LITTLE or table.writes is None:
        return None
    few = found.places <= table.writes.nodes / 2 or found.of_node > ADVISED_NODE_USE
    return found if few else None


def _moving(spread: LoadSpread) -> Verdict:
    if spread.together is None:
        return Verdict.ONE
    if _again(spread):
        return Verdict.AGAIN
    if spread.busy <= spread.nodes / 2:
        return Verdict.FEW
    return Verdict.UNEVEN if spread.hottest * spread.nodes > _MUCH else Verdict.EVEN


# Smaller shares of the writes are not reported.
_WORTH = 0.05
# If the hottest node has at most this many even shares of the busy nodes, these share the writes about evenly.
_ALL, _EVENLY = 0.9, 1.5


@frozen
class Better:
    """A key that could replace that of a table, and the simulation of the table with it."""

    fix: Fixed
    table: TableAnswer


def sentence(
    answer: Answer, table: TableAnswer, small: float, better: Better | None = None, name: str | None = None
) -> str:
    """The sentence about a table, called ``name`` or by its own name, and its ``better`` key.

    Tables smaller than ``small`` bytes stay on one node.
    """
    said = f"{name or table.name}: {_lies(answer, table, verdict(answer, table, small), small)}"
    if better is None or better.table.writes is None:
        return f"{said}."
    return f"{said}; {better.fix.words}: {_then(better.table, better.table.writes, small)}."


def _then(table: TableAnswer, spread: LoadSpread, small: float) -> str:
    """How the writes are spread with a better key; for a table that is usually small, how they will be."""
    if mostly_small(table, spread, small):
        return f"that spreads them, once the table has more than {size_text(small)}"
    return f"{busy(spread)}, the hottest with {percent(spread.hottest)}"


def busy(spread: LoadSpread) -> str:
    """How many nodes are busy."""
    return f"{spread.busy:,} of {spread.nodes:,} nodes busy"


def _lies(answer: Answer, table: TableAnswer, found: Verdict, small: float) -> str:
    spread = table.writes
    if spread is None:
        return "nothing is written"
    places = few_places(table)
    match found:
        case Verdict.ONE:
            what = "every write goes to one node until it is full"
            if places is not None and places.kind is BoundKind.ROW:
                what = "every write goes to one row, and so to one node"
            return what + _too_much(table, places)
        case Verdict.SMALL | Verdict.PACKED:
            return _small(table, small)
        case Verdict.AGAIN:
            return f"{_when(table)} every write goes to one node, {_for(spread)}"
        case Verdict.FEW:
            return _few(table, spread, places) + _too_much(table, places) + _at_first(table, small)
        case Verdict.UNEVEN:
            return f"{busy(spread)}, but one has {percent(spread.hottest)} of the writes{_of_one(table)}"
        case _:
            return _even(answer, spread, _at_first(table, small))


def _even(answer: Answer, spread: LoadSpread, first: str) -> str:
    if spread.nodes == 1:
        return f"the one node takes every write{_asked(answer)}"
    return f"the writes are spread, {busy(spread)}, the hottest with {percent(spread.hottest)} of them{first}{_asked(answer)}"


def _asked(answer: Answer) -> str:
    """The load of the hottest node, and the number of nodes to use instead, or that these would do, if it is overloaded."""
    if answer.load <= 1:
        return ""
    if answer.need.load <= answer.nodes:
        nodes = counted(answer.nodes, "node")
        return f"; it needs {percent(answer.load)} of its capacity: {nodes} would do if the writes were even"
    return f"; it needs {percent(answer.load)} of its capacity: use {answer.need.load:,} nodes"


def _at_first(table: TableAnswer, small: float) -> str:
    """How long a new table was on one node because it was small, or that it still is."""
    if table.writes is None or table.bound(BoundKind.SMALL) is None:
        return ""
    if table.writes.together:
        return f", after {duration(table.writes.together)} on one node, while the table was small"
    return (
        ""
        if table.bytes >= small
        else f"; the whole table stays on one node until it reaches {size_text(small)}"
    )


def _of_one(table: TableAnswer) -> str:
    """The growing end or row with a share of the writes that nothing divides."""
    bound = table.bound(BoundKind.TAIL, BoundKind.ROW)
    if bound is None or bound.share < _WORTH:
        return ""
    kind = "growing end" if bound.kind is BoundKind.TAIL else "row"
    return f", and one {kind} alone {percent(bound.share)}, which nothing divides"


def _small(table: TableAnswer, small: float) -> str:
    first = f" for {duration(table.writes.together)}" if table.writes and table.writes.together else ""
    said = f"the whole table is on one node{first}, as is every table of less than {size_text(small)}"
    bound = table.bound(BoundKind.SMALL)
    if bound is None:
        return said
    return said + (_too_much(table, bound) or f", and needs {percent(bound.of_node)} of its capacity")


def _few(table: TableAnswer, spread: LoadSpread, places: LoadBound | None) -> str:
    even = _ALL <= spread.hottest * spread.busy <= _EVENLY
    if places is None and not even:
        return f"one of {spread.nodes:,} nodes has {percent(spread.hottest)} of the writes{_of_one(table)}"
    if places is None:
        return f"the writes go to {spread.busy:,} of {spread.nodes:,} nodes"
    said = _of_places(spread, places)
    if ADVISED_NODE_USE < places.of_node <= 1:
        said += f", and {_busiest(places)} needs {percent(places.of_node)} of the capacity of a node"
    return said


def _of_places(spread: LoadSpread, places: LoadBound) -> str:
    """How many places take all writes, and the one that stands out, or the nodes that serve so few places at most."""
    kind = "growing ends" if places.kind is BoundKind.TAIL else "rows"
    said = f"the writes go to {places.places:,} {kind}"
    if places.places is None:
        return said
    if places.places < spread.nodes:
        return f"{said}, and so to {places.places:,} of {spread.nodes:,} nodes at most"
    return f"{said}, {percent(places.share)} of them to one" if _stands_out(places) else said


def _stands_out(places: LoadBound) -> bool:
    """Whether one place gets much more than the even share of many."""
    return places.places is not None and places.share * places.places > _MUCH


def _busiest(places: LoadBound) -> str:
    return "that one" if _stands_out(places) else "one of them"


def _too_much(table: TableAnswer, places: LoadBound | None) -> str:
    """A note that one place gets more load than a node can handle, if it does."""
    if places is None or places.of_node <= 1:
        return ""
    node = "that node" if places.places in (None, 1) else _busiest(places)
    limit = f"{figure(places.events / places.of_node)} of the {figure(places.events)} events a second"
    busiest = places.events > 1.01 * table.workload.writes * places.share
    return f", and {node} can take {limit}{' at the busiest time' if busiest else ''}"


def _when(table: TableAnswer) -> str:
    """When one node takes all writes again: at each new value of a coarse time in front of the key, if there is one."""
    first = leading_time(table.workload.model)
    granularity = first.codec.granularity if first else None
    return f"whenever a new `{first.name}` begins" if first and granularity else "again and again"


def _for(spread: LoadSpread) -> str:
    longest = max(relapse.seconds for relapse in spread.relapses)
    many = len(spread.relapses) > 1
    return f"{'for up to' if many else 'for'} {duration(longest)}"


@frozen
class LoadSentence:
    """The sentence about one table, whether it reports a hotspot, and ``more`` lines that belong to it."""

    table: str
    sentence: str
    hot: bool
    more: tuple[str, ...] = ()


# The hottest node has this many even shares.
_MUCH_TOGETHER = 2.0


def together(answer: Answer, small: float) -> LoadSentence:
    """How the load of all tables is spread over the nodes, the load of the hottest node, and the table with most of it."""
    spread = answer.writes
    count = counted(len(answer.tables), "table")
    if spread is None:
        return LoadSentence("All", f"All: nothing is written to {count}.", hot=False)
    hot = answer.load > 1 or spread.hottest * spread.nodes > _MUCH_TOGETHER
    asked = f"the hottest needs {percent(answer.load)} of its capacity"
    nodes = busy(spread)
    needed = f"; the load needs {answer.need.load:,} nodes" if answer.need.load > answer.nodes else ""
    return LoadSentence(
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
    hot = sum(verdict.hot for verdict in found)
    small_ones = sum(verdict is Verdict.SMALL for verdict in found)
    parts = [
        (hot, "on too few nodes, below"),
        (small_ones, "small, on one node" if small_ones == 1 else "small, each on one node"),
        (sum(verdict is Verdict.EVEN for verdict in found), "that can be spread"),
    ]
    return ", ".join(f"{counted(number, 'table')} {what}" for number, what in parts if number)
