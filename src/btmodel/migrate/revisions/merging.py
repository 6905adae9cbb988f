"""Two branches of revisions that met, joined: what both did since they parted."""

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.naming import checked, id_on
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.states import joined_of


def merge_revision(graph: Graph, message: str | None = None, take: Revision | None = None) -> Revision:
    """The revision that joins the first two heads of ``graph``: the tables as both left them.

    Where both changed one thing, each in its own way, ``take`` is the head that is right. Raises
    :class:`MigrationError` where there is nothing to join, and for such conflicts, with each place.
    """
    if len(graph.heads) < 2:
        raise MigrationError(f"{graph.folder}: there is one last revision, so nothing to merge")
    left, right = graph.heads[:2]
    if take not in (None, left, right):
        raise MigrationError(f"--take {take and take.id}: wanted {left.id} or {right.id}, which are merged")
    tables, conflicts = joined_of(graph, left, right, mine=take != right)
    if conflicts and take is None:
        told = "; ".join(
            f"{one.place}: {one.left} in {left.id}, {one.right} in {right.id}" for one in conflicts
        )
        raise MigrationError(
            f"both branches changed the same, each in its own way ({told}): say --take {left.id} or --take {right.id}, "
            "and write what else it should be with `btmodel migrate new` after that"
        )
    told = checked(message or f"Merge {left.id} and {right.id}")
    return Revision(id_on((left, right), told), told, (left.link, right.link), tables)
