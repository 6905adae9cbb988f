"""Squash revisions into one."""

import attrs

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.new import checked, slug
from btmodel.migrate.revisions.past_moves import squashed_moves
from btmodel.migrate.revisions.revision import Revision


def squash(graph: Graph, to: Revision, message: str | None = None) -> Revision:
    """The revision that replaces ``to`` and all its ancestors.

    It has no data steps, because the tables are new and empty where it is applied; it keeps from where to where they moved rows, for an
    instance that still has the old tables. Raises :class:`MigrationError` if there is nothing to squash, or if another revision has one of the
    ancestors as a parent.
    """
    group = graph.up_to(to.id)
    if len(group) < 2:
        raise MigrationError(f"{to.id} stands on no other revision, so there is nothing to squash")
    ids = {revision.id for revision in group}
    for child, parents in graph.parents.items():
        if child not in ids and (
            inside := [parent for parent in parents if parent in ids and parent != to.id]
        ):
            raise MigrationError(
                f"{child} stands on {inside[0]}, which is below {to.id}: merge the branches first, and squash up "
                "to the merge"
            )
    title = checked(message or f"Squash up to {to.id}")
    replaces = tuple(link for revision in group for link in (*revision.replaces, revision.link_to_all))
    moves = squashed_moves(group, graph.folder)
    found = Revision(f"{to.number:04}_{slug(title)}", title, (), to.tables, replaces=replaces, moves=moves)
    return attrs.evolve(found, squashed=found.checksum)
