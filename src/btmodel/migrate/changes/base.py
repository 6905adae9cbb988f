"""The interface of every change."""

from collections.abc import Iterable
from enum import Enum
from typing import ClassVar

import attrs
from attrs import frozen

from btmodel.migrate.history.records import CopyRecord
from btmodel.migrate.tables.renamings import Renaming, declared_anew, renamings, reverted
from btmodel.schema import Family, Table


class Effect(Enum):
    """What a change does to the data that is there, in the order of a plan for people: what loses data comes last."""

    DRIFT = "live but not declared, left alone"
    SAFE = "loses no data"
    SLOW = "loses no data, and takes its time"
    BLOCKED = "refused unless it is asked for by name"
    IMPOSSIBLE = "cannot be done to what is live"
    DESTRUCTIVE = "loses data"


class Change:
    """A difference between a declared table and the live one.

    Each kind is a frozen value in a file of its own, next to the function that finds
    it. ``verb`` begins its name and ``sign`` its line in a plan. One that is ``recorded`` is made in
    the instance's journal alone, by no call; one that ``moves`` cells needs rows, and no call of the
    schema; one that is ``quiet`` is btmodel's own bookkeeping: it is made, and nobody is asked about it.
    ``refused_by`` says who refuses it where it is blocked.
    """

    __slots__ = ()

    verb: ClassVar[str]
    sign: ClassVar[str]
    usual: ClassVar[Effect]
    recorded: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    moves: ClassVar[bool] = False
    refused_by: ClassVar[str] = "btmodel"

    @property
    def by_call(self) -> bool:
        """Whether a call of the schema makes it."""
        return not (self.recorded or self.moves)

    @property
    def table_id(self) -> str:
        """The id of the table that it changes."""
        raise NotImplementedError

    @property
    def family_id(self) -> str | None:
        """The id of the family that it changes; None where it is not about one."""
        return None

    @property
    def rows_of(self) -> tuple[str, ...]:
        """The ids of the tables whose rows it concerns."""
        return (self.table_id,)

    @property
    def subject(self) -> str:
        """What it is about: ``QUOTE``, or ``QUOTE.MD`` where that is one family."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """What becomes of the subject, in a few words."""
        raise NotImplementedError

    @property
    def effect(self) -> Effect:
        """What it does to the data."""
        return self.usual

    @property
    def effect_if_allowed(self) -> Effect:
        """What it does once it is allowed by its name."""
        return self.effect

    @property
    def lost(self) -> str | None:
        """What is lost, in words that hold no name; None where nothing is."""
        return None

    @property
    def undo(self) -> str | None:
        """Whether and how it can be undone, in words that hold no name; None where nothing is lost."""
        return None

    @property
    def details(self) -> tuple[str, ...]:
        """Further lines: what is live, what is declared, and what to do."""
        return ()

    @property
    def then(self) -> str | None:
        """What to do once it is made; None where nothing is."""
        return None

    @property
    def name(self) -> str:
        """What it is called: ``add-family:QUOTE.MD``."""
        return f"{self.verb}:{self.subject}"

    @property
    def requires(self) -> str | None:
        """The name by which one allows it; None where there is none, or where nothing needs to be allowed."""
        return self.name if self.effect in (Effect.DESTRUCTIVE, Effect.BLOCKED) else None

    def covers(self, other: "Change") -> bool:
        """Whether who agreed to this change agreed to ``other``, too, such as one that is left of it half-way."""
        return self == other


class Drift(Change):
    """Something live that nothing declares. It stays, unless the change that ends it is asked for by name."""

    __slots__ = ()

    sign: ClassVar[str] = "?"
    usual: ClassVar[Effect] = Effect.DRIFT

    @property
    def end(self) -> Change | None:
        """The change that would end it; None where only a declaration does."""
        return None

    @property
    def ends(self) -> tuple[Change, ...]:
        """All changes of which one may be asked for in its place, ``end`` first."""
        return () if self.end is None else (self.end,)

    @property
    def requires(self) -> str | None:
        """The name by which one asks for that change."""
        return None if self.end is None else self.end.name


@frozen
class TableChange(Change):
    """A change of a whole table, as it should be, or as it is where it is not declared."""

    table: Table

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.table.id

    @property
    def subject(self) -> str:
        """The id of the table."""
        return self.table.id

    @property
    def summary(self) -> str:
        """Its families, and what they keep."""
        families = (f"{family.id} {described(family)}" for family in self.table.families)
        return ", ".join(families) or "no families"


@frozen
class FamilyChange(Change):
    """A change of one family, as it should be, or as it is where it is not declared."""

    of_table: str
    family: Family

    @property
    def table_id(self) -> str:
        """The id of the family's table."""
        return self.of_table

    @property
    def family_id(self) -> str | None:
        """The id of the family."""
        return self.family.id

    @property
    def subject(self) -> str:
        """Table and family."""
        return f"{self.table_id}.{self.family.id}"

    @property
    def summary(self) -> str:
        """What the family keeps, and how it aggregates."""
        return described(self.family)


@frozen
class ReadingChange(Change):
    """A change of how rows that are there are read, by what was recorded of them: it changes no data."""

    recorded: ClassVar[bool] = True

    of_table: str

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def effect_if_allowed(self) -> Effect:
        """It changes no data."""
        return Effect.SAFE


def described(family: Family) -> str:
    """What ``family`` keeps, and how it aggregates where it does."""
    aggregate = "" if family.aggregate is None else f" (aggregate: {family.aggregate.value})"
    return f"keeps {kept(family)}{aggregate}"


def kept(family: Family) -> str:
    """What the rule of ``family`` keeps; all, where it has none."""
    return "everything" if family.gc is None else str(family.gc)


@frozen
class Facts:
    """What is known of an instance.

    ``replicated`` is whether it has more than one cluster, None where that could not be read. ``empty`` holds
    the ids of tables that were looked at because of their layouts, and hold no row. ``copies`` is what the
    journal has of renamings, and ``renamings`` those on the way from what is live to what is declared; None
    where nobody has looked for them. ``anew`` are the copies of what is declared anew, each to what took over, and
    ``reverted`` those of what is declared in the place of what took over.
    ``before`` is the revision that stands before the one that is declared.
    """

    replicated: bool | None = None
    empty: frozenset[str] = frozenset()
    copies: tuple[CopyRecord, ...] = ()
    renamings: tuple[Renaming, ...] | None = None
    anew: tuple[CopyRecord, ...] = ()
    reverted: tuple[CopyRecord, ...] = ()
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
            anew=declared_anew(wanted, there, self.copies, found),
            reverted=reverted(wanted, there, self.copies, found),
        )

    def to(self, table: str) -> tuple[Renaming, ...]:
        """The renamings to a table, and to families of it."""
        return tuple(one for one in self.renamings or () if one.new.id == table)

    def of(self, table: str, family: str | None = None) -> Renaming | None:
        """The renaming of a table, or of a ``family`` of it, by the old ids."""
        return next((one for one in self.renamings or () if one.place == (table, family)), None)


# What is known where nobody asked.
UNKNOWN = Facts()
