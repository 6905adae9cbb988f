"""What tables and families were called before, in the revisions of a branch."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from btmodel.migrate.revisions.revision import Revision
from btmodel.schema import Table

Place = tuple[str, str | None]  # a table, and a family of it; None where it is the table


@frozen
class Origins:
    """What each renamed table or family was called where a branch began, by what it is called at its end."""

    old: Mapping[Place, str]

    def of(self, table: str, family: str | None = None) -> str | None:
        """What it was called; None where it was not renamed."""
        return self.old.get((table, family))

    def over(self, other: "Origins") -> "Origins":
        """These, and of what they lack those of ``other``."""
        return Origins({**other.old, **self.old})


def through(revisions: Iterable[Revision], tables: Iterable[Table]) -> Origins:
    """What ``tables``, the last ones of these ``revisions``, were called before the first of them."""
    found: dict[Place, str] = {}
    for revision in revisions:
        for table in revision.tables:
            for (id, family), old in _renamed(table):
                found.setdefault(
                    (id, family), found.get((id if family else old, old if family else None), old)
                )
    there = {
        place
        for table in tables
        for place in ((table.id, None), *((table.id, one.id) for one in table.families))
    }
    kept = {(id, family): old for (id, family), old in found.items() if old != (family or id)}
    return Origins({place: old for place, old in kept.items() if place in there})


def heir(place: Place, revisions: Iterable[Revision]) -> Place:
    """What ``place`` is called behind these ``revisions``, in their order: another name, where one of them renamed it."""
    id, family = place
    for revision in revisions:
        tables = {table.id: table for table in revision.tables}
        if id not in tables:
            id = next((table.id for table in revision.tables if table.renamed_from == id), id)
        table = tables.get(id)
        if table is not None and family is not None and table.family(family) is None:
            family = next((one.id for one in table.families if one.renamed_from == family), family)
    return id, family


def _renamed(table: Table) -> Iterable[tuple[Place, str]]:
    if table.renamed_from is not None:
        yield (table.id, None), table.renamed_from
    for one in table.families:
        if one.renamed_from is not None:
            yield (table.id, one.id), one.renamed_from
