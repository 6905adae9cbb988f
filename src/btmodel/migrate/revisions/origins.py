"""What tables and families were called before, in the revisions of a branch."""

from collections.abc import Iterable, Mapping

from attrs import define, field, frozen

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


@define
class Names:
    """The names that tables and families had in some revisions, whatever the order in which they were renamed."""

    _of: dict[Place, set[Place]] = field(factory=dict)

    @classmethod
    def given_by(cls, revisions: Iterable[Revision]) -> "Names":
        """The names that these revisions gave."""
        found = cls()
        renamed = [each for one in revisions for table in one.tables for each in _renamed(table)]
        for (id, family), old in renamed:
            if family is None:
                found._join((id, None), (old, None))
        for (id, family), old in renamed:
            if family is not None:
                found._join((found._first(id), family), (found._first(id), old))
        return found

    def of_table(self, id: str) -> set[str]:
        """All names of a table."""
        return {each for each, _ in self._of.get((id, None), {(id, None)})}

    def of_family(self, table: str, id: str) -> set[str]:
        """All names of a family."""
        place = (self._first(table), id)
        return {name for _, name in self._of.get(place, {place}) if name is not None}

    def _first(self, table: str) -> str:
        return min(self.of_table(table))

    def _join(self, one: Place, other: Place) -> None:
        both = self._of.get(one, {one}) | self._of.get(other, {other})
        for place in both:
            self._of[place] = both


def _renamed(table: Table) -> Iterable[tuple[Place, str]]:
    if table.renamed_from is not None:
        yield (table.id, None), table.renamed_from
    for one in table.families:
        if one.renamed_from is not None:
            yield (table.id, one.id), one.renamed_from
