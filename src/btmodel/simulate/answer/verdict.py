"""How the writes of a table lie on the nodes, in one word."""

from enum import Enum

from btmodel.simulate.answer.answer import Answer, TableAnswer
from btmodel.simulate.answer.spread import ALONE, Spread
from btmodel.simulate.cluster.firm import Bound, Firm


class Verdict(Enum):
    """How the writes of a table lie on the nodes."""

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
        """Whether another key could do better."""
        return self not in (Verdict.SMALL, Verdict.EVEN, Verdict.NONE)


# What asks for less of a node may lie wherever it does.
_LITTLE = 0.01
# A relapse that is worth a word, in seconds.
_LONG = 120.0
# A node with so many times an even share has much more than the others.
_MUCH = 2.0


def verdict(answer: Answer, table: TableAnswer, small: float) -> Verdict:
    """What is to be said of ``table``, where tables of less than ``small`` bytes stay on one node.

    Of several tables, only what is firm is said of one: their tablets share the nodes, and where those of
    one of them lie together, it may be that those of others lie elsewhere.
    """
    spread = table.writes
    if spread is None:
        return Verdict.NONE
    if spread.nodes == 1:
        return Verdict.EVEN
    places = few_places(table)
    if places is not None:
        return Verdict.ONE if places.places == 1 else Verdict.FEW
    bound = table.bound(Bound.SMALL)
    if mostly_small(table, spread, small):
        return Verdict.PACKED if bound and bound.of_node > 1 else Verdict.SMALL
    return _moving(spread) if len(answer.tables) == 1 else Verdict.EVEN


def mostly_small(table: TableAnswer, spread: Spread, small: float) -> bool:
    """Whether a table is on one node because it is small: to the end, or so late that this is what is usual."""
    if spread.together is None:
        return table.bytes < small
    return spread.hottest >= ALONE and not _again(spread) and table.bound(Bound.SMALL) is not None


def _again(spread: Spread) -> bool:
    """Whether one node had all of it again for so long that it is worth a word."""
    return any(one.seconds >= _LONG for one in spread.relapses)


def few_places(table: TableAnswer) -> Firm | None:
    """The growing ends, or the rows, that take all writes of a table.

    None where some can be divided, or where they are more than half of the nodes.
    """
    found = table.bound(Bound.TAIL, Bound.ROW)
    if found is None or found.places is None or found.of_node < _LITTLE or table.writes is None:
        return None
    return found if found.places <= table.writes.nodes / 2 else None


def _moving(spread: Spread) -> Verdict:
    if spread.together is None:
        return Verdict.ONE
    if _again(spread):
        return Verdict.AGAIN
    if spread.busy <= spread.nodes / 2:
        return Verdict.FEW
    return Verdict.UNEVEN if spread.hottest * spread.nodes > _MUCH else Verdict.EVEN
