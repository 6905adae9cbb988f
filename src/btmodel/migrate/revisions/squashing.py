"""Many revisions made one: an instance that has applied the old ones knows it."""

import attrs

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.naming import checked, slug
from btmodel.migrate.revisions.revision import Revision


def squash(graph: Graph, to: Revision, message: str | None = None) -> Revision:
    """The revision that stands for ``to`` and all that it stands on.

    Data steps are not in it: where it is applied, the tables are new and have no rows. Raises
    :class:`MigrationError` where there is nothing to squash, or a revision stands on one in the midst.
    """
    group = graph.up_to(to.id)
    if len(group) < 2:
        raise MigrationError(f"{to.id} stands on no other revision, so there is nothing to squash")
    ids = {one.id for one in group}
    for child, parents in graph.parents.items():
        if child not in ids and (inside := [one for one in parents if one in ids and one != to.id]):
            raise MigrationError(
                f"{child} stands on {inside[0]}, which is below {to.id}: merge the branches first, and squash up "
                "to the merge"
            )
    told = checked(message or f"Squash up to {to.id}")
    replaces = tuple(link for one in group for link in (*one.replaces, one.link_to_all))
    found = Revision(f"{to.number:04}_{slug(told)}", told, (), to.tables, replaces=replaces)
    return attrs.evolve(found, squashed=found.checksum)
