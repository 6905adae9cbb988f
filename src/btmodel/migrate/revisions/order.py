"""The order in which revisions are applied."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.merging import taken_side
from btmodel.migrate.revisions.revision import Revision


def in_order(graph: Graph, pending: Sequence[Revision]) -> Iterator[Revision]:
    """The ``pending`` revisions, which are in the order of ``graph``, in the order in which they are applied.

    Where two branches contradict each other, the side that their merge takes comes first. The other side is then planned
    beside it, joined as the merge joins them, so that nothing is set that the merge decides against: a rule that deletes
    cells, say. Where several merges decide in different ways, the last one counts.
    """
    known = {revision.id for revision in pending}
    waits = {id: known.intersection(graph.parents[id]) for id in known}
    for merge in reversed(pending):
        for first, later in _sides(graph, merge, known):
            if not any(_waits_for(waits, id, later) for id in first):
                for id in later:
                    waits[id] |= first
    left, done = list(pending), set[str]()
    while left:
        revision = next(one for one in left if waits[one.id] <= done)
        left.remove(revision)
        done.add(revision.id)
        yield revision


def _sides(graph: Graph, merge: Revision, pending: Collection[str]) -> Iterable[tuple[set[str], set[str]]]:
    """The pending revisions of the side that ``merge`` takes alone, and of the other one; nothing where it need not choose."""
    below = [{one.id for one in graph.up_to(id)} for id in graph.parents[merge.id]]
    if len(below) != 2 or not all((one - other).intersection(pending) for one, other in (below, below[::-1])):
        return
    if (sides := taken_side(graph, merge)) is not None:
        taken, other = ({one.id for one in graph.up_to(side.id)} for side in sides)
        yield (taken - other).intersection(pending), (other - taken).intersection(pending)


def _waits_for(waits: Mapping[str, Collection[str]], id: str, others: Collection[str]) -> bool:
    """Whether the revision ``id`` comes after one of ``others`` already."""
    found, open_ = {id}, [id]
    while open_:
        for before in waits[open_.pop()]:
            if before in others:
                return True
            if before not in found:
                found.add(before)
                open_.append(before)
    return False
