"""The one sentence that a person wants: where the writes go, and what would spread them."""

from attrs import frozen

from btmodel.lint.spread import leading_time
from btmodel.simulate.alternatives import Mended
from btmodel.simulate.answer.answer import Answer, TableAnswer
from btmodel.simulate.answer.spread import Spread
from btmodel.simulate.answer.verdict import Verdict, few_places, mostly_small, verdict
from btmodel.simulate.answer.words import duration, percent, size
from btmodel.simulate.cluster.firm import Bound, Firm
from btmodel.simulate.picture.words import figure

# A part of the writes that is worth a word.
_WORTH = 0.05
# Of the busy nodes' even share, what the hottest has where they have all of the writes among them, about evenly.
_ALL, _EVENLY = 0.9, 1.5


@frozen
class Better:
    """A key in the place of the one that a table has, and what was simulated of the table with it."""

    mend: Mended
    table: TableAnswer


def sentence(
    answer: Answer, table: TableAnswer, small: float, better: Better | None = None, name: str | None = None
) -> str:
    """What is to be said of a table, by ``name`` or its own, and what ``better`` key there is; ``small`` bytes stay on one node."""
    said = f"{name or table.name}: {_lies(answer, table, verdict(answer, table, small), small)}"
    if better is None or better.table.writes is None:
        return f"{said}."
    return f"{said}; {better.mend.words}: {_then(better.table, better.table.writes, small)}."


def _then(table: TableAnswer, spread: Spread, small: float) -> str:
    """How the writes lie with a better key; where the table is small as usual, how they will lie."""
    if mostly_small(table, spread, small):
        return f"that spreads them, once the table has more than {size(small)}"
    return f"{busy(spread)}, the hottest with {percent(spread.hottest)}"


def busy(spread: Spread) -> str:
    """How many nodes take part."""
    return f"{spread.busy:,} of {spread.nodes:,} nodes busy"


def _lies(answer: Answer, table: TableAnswer, found: Verdict, small: float) -> str:
    spread = table.writes
    if spread is None:
        return "nothing is written"
    places = few_places(table)
    match found:
        case Verdict.ONE:
            what = "every write goes to one node until it is full"
            if places is not None and places.bound is Bound.ROW:
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


def _even(answer: Answer, spread: Spread, first: str) -> str:
    if spread.nodes == 1:
        return f"the one node takes every write{_asked(answer)}"
    return f"the writes are spread, {busy(spread)}, the hottest with {percent(spread.hottest)} of them{first}{_asked(answer)}"


def _asked(answer: Answer) -> str:
    """What the hottest node is asked for, and what would be enough, where that is more than it can do."""
    if answer.load <= 1:
        return ""
    return (
        f"; it is asked for {percent(answer.load)} of what it can do: {answer.need.load:,} nodes are needed"
    )


def _at_first(table: TableAnswer, small: float) -> str:
    """How long a new table was on one node, because it was small; or that it still is."""
    if table.writes is None or table.bound(Bound.SMALL) is None:
        return ""
    if table.writes.together:
        return f", after {duration(table.writes.together)} on one node, while the table was small"
    return (
        ""
        if table.bytes >= small
        else f"; as long as the table has less than {size(small)}, all of it lies on one"
    )


def _of_one(table: TableAnswer) -> str:
    """Which growing end, or row, has a share that nothing divides."""
    bound = table.bound(Bound.TAIL, Bound.ROW)
    if bound is None or bound.share < _WORTH:
        return ""
    kind = "growing end" if bound.bound is Bound.TAIL else "row"
    return f", and one {kind} alone {percent(bound.share)}, which nothing divides"


def _small(table: TableAnswer, small: float) -> str:
    first = f" for {duration(table.writes.together)}" if table.writes and table.writes.together else ""
    said = f"all of it lies on one node{first}, as a table of less than {size(small)} does"
    bound = table.bound(Bound.SMALL)
    if bound is None:
        return said
    return said + (_too_much(table, bound) or f", and asks for {percent(bound.of_node)} of what that can do")


def _few(table: TableAnswer, spread: Spread, places: Firm | None) -> str:
    even = _ALL <= spread.hottest * spread.busy <= _EVENLY
    if places is None and not even:
        return f"one of {spread.nodes:,} nodes has {percent(spread.hottest)} of the writes{_of_one(table)}"
    if places is None:
        return f"the writes go to {spread.busy:,} of {spread.nodes:,} nodes"
    kind = "growing ends" if places.bound is Bound.TAIL else "rows"
    return f"the writes go to {places.places:,} {kind}, and so to {places.places:,} of {spread.nodes:,} nodes at the most"


def _too_much(table: TableAnswer, places: Firm | None) -> str:
    """That one place is asked for more than a node can do, where it is."""
    if places is None or places.of_node <= 1:
        return ""
    node = "that node" if places.places in (None, 1) else "one of them"
    told = f"{figure(places.events / places.of_node)} of the {figure(places.events)} events a second"
    busiest = places.events > 1.01 * table.workload.writes * places.share
    return f", and {node} can take {told}{' of the busiest time' if busiest else ''}"


def _when(table: TableAnswer) -> str:
    """When one node takes every write again: as a new value of a coarse time in front begins, where there is one."""
    first = leading_time(table.workload.model)
    granularity = first.codec.granularity if first else None
    return f"whenever a new `{first.name}` begins" if first and granularity else "again and again"


def _for(spread: Spread) -> str:
    longest = max(one.seconds for one in spread.relapses)
    many = len(spread.relapses) > 1
    return f"{'for up to' if many else 'for'} {duration(longest)}"
