"""The tables to which a set of revisions leads, whatever the order in which they are applied."""

from collections.abc import Collection, Iterator

from btmodel.migrate.revisions.contested import Conflict
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.origins import through
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.three_way import joined
from btmodel.schema import Table

Tables = tuple[Table, ...]
_Ids = frozenset[str]


def tables_of(graph: Graph, ids: Collection[str]) -> Tables:
    """The tables once the revisions ``ids`` are applied, which hold all that each of them stands on.

    Of one that stands on all others it is the snapshot. Branches are joined as ``btmodel migrate merge`` joins them, in the
    order of the revisions that merge them; where two contradict each other, the one is right that its merge takes.
    """
    groups = {_below(graph, top): graph.revisions[top].tables for top in _tops(graph, ids)}
    while len(groups) > 1:
        merge, left, right = _next(graph, tuple(groups))
        both, conflicts = _joined(graph, (left, groups[left]), (right, groups[right]), mine=False)
        if conflicts and merge is not None and _takes(graph, merge, left):
            both, _ = _joined(graph, (left, groups[left]), (right, groups[right]), mine=True)
        groups = {ids: tables for ids, tables in groups.items() if ids not in (left, right)}
        groups = {left | right: both, **groups}
    return next(iter(groups.values()), ())


def joined_of(
    graph: Graph, left: Revision, right: Revision, *, mine: bool
) -> tuple[Tables, tuple[Conflict, ...]]:
    """The tables with what two revisions did since they parted, and in what they contradict each other.

    There ``left`` is right where ``mine``, else ``right`` is.
    """
    sides = ((_below(graph, one.id), one.tables) for one in (left, right))
    return _joined(graph, *sides, mine=mine)


def _joined(
    graph: Graph, left: tuple[_Ids, Tables], right: tuple[_Ids, Tables], *, mine: bool
) -> tuple[Tables, tuple[Conflict, ...]]:
    common = left[0] & right[0]
    ours, theirs = (
        through((one for id, one in graph.revisions.items() if id in ids - common), tables)
        for ids, tables in (left, right)
    )
    return joined(tables_of(graph, common), left[1], right[1], ours.over(theirs), mine=mine)


def _next(graph: Graph, groups: tuple[_Ids, ...]) -> tuple[Revision | None, _Ids, _Ids]:
    """The two groups that are joined next, and the revision that merges them: the first that stands on several."""
    known = frozenset[str]().union(*groups)
    for one in graph.revisions.values():
        if one.id in known:
            continue
        below = _below(graph, one.id)
        inside = [ids for ids in groups if ids <= below]
        if len(inside) > 1:
            return one, inside[0], inside[1]
    return None, groups[0], groups[1]


def _takes(graph: Graph, merge: Revision, ids: _Ids) -> bool:
    """Whether ``merge`` takes the side of ``ids`` where its parents contradict each other."""
    first, *others = (graph.revisions[id] for id in graph.parents[merge.id])
    left = ids <= _below(graph, first.id)
    return any(_same(joined_of(graph, first, one, mine=left)[0], merge.tables) for one in others)


def _same(tables: Tables, others: Tables) -> bool:
    one, other = ({table.id: table for table in some} for some in (tables, others))
    return one == other


def _tops(graph: Graph, ids: Collection[str]) -> Iterator[str]:
    """Those of ``ids`` on which no other one of them stands."""
    below = {parent for id in ids for parent in graph.parents[id]}
    return (id for id in graph.revisions if id in ids and id not in below)


def _below(graph: Graph, id: str) -> _Ids:
    return frozenset(one.id for one in graph.up_to(id))
