"""The interface of every change."""

from collections.abc import Iterable, Sequence
from enum import Enum, IntEnum, auto
from typing import ClassVar

import attrs
from attrs import field, frozen

from btmodel.migrate.history.records import CopyRecord
from btmodel.migrate.instance import Call
from btmodel.migrate.tables.renamings import Renaming, declared_anew, renamings, reverted
from btmodel.schema import Family, Layout, Table


class Effect(Enum):
    """What a change does to the data that is there, in the order of a plan for people: what loses data comes last."""

    DRIFT = "in the instance but not declared, left alone"
    SAFE = "loses no data"
    SLOW = "loses no data, but takes long"
    BLOCKED = "refused unless you allow it by name"
    IMPOSSIBLE = "cannot be done to the instance as it is"
    DESTRUCTIVE = "loses data"


class Phase(IntEnum):
    """When a change of a table is made, in the order of one table."""

    UNPROTECT = auto()
    TABLE = auto()
    SETTINGS = auto()
    DROP_TABLE = auto()  # a change stream ends before its table does
    PROTECT = auto()
    COPY = auto()  # of cells, once what takes them over is there
    RECORD = auto()  # in the migration history alone


class Change:
    """A difference between a declared table and the one in the instance.

    Each kind is a frozen value in a file of its own, next to the function that finds it. What the engine has to
    know of a kind is a fact of the class: when it is made (``phase``), by which ``calls``, what it does to the data
    (``effect``), what it does to the migration history (``records``, ``recorded_after``, ``renews``), how it is
    called (``verb`` begins its name, ``sign`` its line in a plan), and the name that allows it (``requires``).

    One that ``makes`` a table or a family creates it, one that ``drops`` it deletes it. One that is ``quiet`` is
    btmodel's own bookkeeping: it is made, and the user is not asked about it. ``refused_by`` names what refuses it
    where it is blocked. One that is ``harmless_if_empty`` does something to rows alone. What one does that
    ``depends_on_clusters`` is another thing where the instance is replicated.
    """

    __slots__ = ()

    verb: ClassVar[str]
    sign: ClassVar[str]
    usual: ClassVar[Effect]
    phase: ClassVar[Phase] = Phase.TABLE
    quiet: ClassVar[bool] = False
    makes: ClassVar[bool] = False
    drops: ClassVar[bool] = False
    refused_by: ClassVar[str] = "btmodel"
    harmless_if_empty: ClassVar[bool] = False
    depends_on_clusters: ClassVar[bool] = False

    @property
    def recorded(self) -> bool:
        """Whether it is made in the migration history alone, by no call."""
        return self.phase is Phase.RECORD

    @property
    def moves(self) -> bool:
        """Whether it moves cells, which needs rows, and no call of the schema."""
        return self.phase is Phase.COPY

    @property
    def by_call(self) -> bool:
        """Whether a call of the schema makes it."""
        return not (self.recorded or self.moves)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that make it."""
        return ()

    @property
    def table_id(self) -> str:
        """The id of the table that it changes."""
        raise NotImplementedError

    @property
    def family_id(self) -> str | None:
        """The id of the family that it changes; None where it is not about one."""
        return None

    @property
    def makes_table(self) -> bool:
        """Whether it creates a table."""
        return self.makes and self.family_id is None

    @property
    def drops_table(self) -> bool:
        """Whether it deletes a table."""
        return self.drops and self.family_id is None

    @property
    def rows_of(self) -> tuple[str, ...]:
        """The ids of the tables whose rows it concerns."""
        return (self.table_id,)

    @property
    def relies_on_empty(self) -> bool:
        """Whether it relies on these tables to hold no row, as was found."""
        return False

    @property
    def step_of(self) -> Renaming | None:
        """The renaming of which it is a step: a copy, the drop of what was copied, or what is still to be dropped."""
        return None

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
    def refusal(self) -> str:
        """The change as a refusal names it."""
        return f"{self.subject} {self.summary}"

    @property
    def details(self) -> tuple[str, ...]:
        """Further lines: what the instance has, what is declared, and what to do."""
        return ()

    @property
    def instead(self) -> str | None:
        """What to do rather than to allow it; None where there is nothing."""
        return None

    @property
    def then(self) -> str | None:
        """What to do once it is made; None where nothing is."""
        return None

    @property
    def uncertain(self) -> str | None:
        """What to know where the clusters of the instance could not be read; None where nothing is."""
        return None

    @property
    def name(self) -> str:
        """What it is called: ``add-family:QUOTE.MD``."""
        return f"{self.verb}:{self.subject}"

    @property
    def requires(self) -> str | None:
        """The name that allows it; None where there is none, or where nothing needs to be allowed."""
        return self.name if self.effect in (Effect.DESTRUCTIVE, Effect.BLOCKED) else None

    @property
    def ends(self) -> "tuple[Change, ...]":
        """Of drift, the changes that would end it, of which one may be asked for by its name."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that allow it, or one of its ``ends``."""
        return () if self.requires is None else (self.requires,)

    @property
    def renews(self) -> bool:
        """Whether copies that were made of its subject say nothing of it once it is made."""
        return self.makes or self.drops

    @property
    def records(self) -> tuple[Layout, ...] | None:
        """What it records of how the rows of its table lie; None where it records nothing of them."""
        return None

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """What is known of how the rows of its table lie, where that were ``layouts`` before it was made."""
        return layouts

    def covers(self, other: "Change") -> bool:
        """Whether agreeing to this change is agreeing to ``other``, too, such as one that is left of it half-way."""
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
        """The changes that would end it, ``end`` first."""
        return () if self.end is None else (self.end,)

    @property
    def requires(self) -> str | None:
        """The name of ``end``."""
        return None if self.end is None else self.end.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the changes that would end it."""
        return tuple(end.name for end in self.ends)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        """Whether earlier revisions, which declared ``tables``, or what was recorded of them explain it."""
        mine = [table for table in tables if table.id == self.table_id]
        if self.family_id is None:
            return bool(mine)
        return any(table.family(self.family_id) is not None for table in mine)


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
class PartChange(Change):
    """A change of a part of a table, such as a family, a setting, or how its rows are read."""

    of_table: str

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """The id of the table."""
        return self.of_table


@frozen
class FamilyChange(PartChange):
    """A change of one family, as it should be, or as it is where it is not declared."""

    family: Family

    @property
    def family_id(self) -> str | None:
        """The id of the family."""
        return self.family.id

    @property
    def subject(self) -> str:
        """Table and family."""
        return f"{self.of_table}.{self.family.id}"

    @property
    def summary(self) -> str:
        """What the family keeps, and how it aggregates."""
        return described(self.family)


@frozen
class ReadingChange(PartChange):
    """A change of how rows that are there are read, by what was recorded of them: it changes no data.

    ``empty`` where its tables were found to hold no row.
    """

    phase: ClassVar[Phase] = Phase.RECORD
    harmless_if_empty: ClassVar[bool] = True

    empty: bool = field(default=False, kw_only=True)

    @property
    def relies_on_empty(self) -> bool:
        """Whether its tables were found empty."""
        return self.empty

    @property
    def keeps_all(self) -> bool:
        """Whether every row that may be there is read as it was."""
        return False

    @property
    def effect(self) -> Effect:
        """Safe where there are no rows, or all are read as they were."""
        return Effect.SAFE if self.empty or self.keeps_all else Effect.BLOCKED

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
    history has of renamings, and ``renamings`` those on the way from the instance to what is declared; None
    where nobody has looked for them. ``anew`` are the copies of what is declared anew, each to what took over, and
    ``reverted`` those of what is declared instead of what took over.
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
