"""What is known of an instance beside its tables, where that decides what a change does."""

from collections.abc import Iterable

import attrs
from attrs import frozen

from btmodel.migrate.journal.protocol import CopyRecord
from btmodel.migrate.renamings import Renaming, declared_anew, renamings
from btmodel.schema import Table


@frozen
class Facts:
    """What is known of an instance.

    ``replicated`` is whether it has more than one cluster, None where that could not be read. ``empty`` holds
    the ids of tables that were looked at because of their layouts, and hold no row. ``copies`` is what the
    journal has of renamings, and ``renamings`` those on the way from what is live to what is declared; None
    where nobody has looked for them. ``anew`` are the copies of what is declared anew, each to what took over.
    ``before`` is the revision that stands before the one that is declared.
    """

    replicated: bool | None = None
    empty: frozenset[str] = frozenset()
    copies: tuple[CopyRecord, ...] = ()
    renamings: tuple[Renaming, ...] | None = None
    anew: tuple[CopyRecord, ...] = ()
    before: str | None = None

    def between(self, declared: Iterable[Table], live: Iterable[Table]) -> "Facts":
        """These facts with the renamings from ``live`` to ``declared``; on a way back, they have them already."""
        if self.renamings is not None:
            return self
        wanted, there = tuple(declared), tuple(live)
        found = renamings(wanted, there, self.copies)
        return attrs.evolve(
            self,
            renamings=tuple(attrs.evolve(one, before=self.before) for one in found),
            anew=declared_anew(wanted, there, self.copies),
        )

    def to(self, table: str) -> tuple[Renaming, ...]:
        """The renamings to a table, and to families of it."""
        return tuple(one for one in self.renamings or () if one.new.id == table)

    def of(self, table: str, family: str | None = None) -> Renaming | None:
        """The renaming of a table, or of a ``family`` of it, by the old ids."""
        return next((one for one in self.renamings or () if one.place == (table, family)), None)


# What is known where nobody asked.
UNKNOWN = Facts()
