"""The interface of every change."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum, IntEnum, auto
from typing import ClassVar

import attrs
from attrs import field, frozen

from btmodel.migrate.changes.results import NO_RESULTS, MovedCells, MovedRows, StepResults, UnknownMove
from btmodel.migrate.data.move_steps import MoveStep
from btmodel.migrate.history.records import CopyRecord
from btmodel.migrate.instance import TableCall
from btmodel.migrate.tables.layouts import reads_all
from btmodel.migrate.tables.renamings import Renaming, cut_off, declared_anew, renamings, reverted
from btmodel.schema import CellLayout, Family, Layout, Table


class Effect(Enum):
    """What a change does to existing data, in the order in which a plan lists it: data loss comes last."""

    DRIFT = "in the instance but not declared, left alone"
    SAFE = "loses no data"
    SLOW = "loses no data, but takes long"
    BLOCKED = "refused unless you allow it by name"
    IMPOSSIBLE = "cannot be done to the instance as it is"
    DESTRUCTIVE = "loses data"


class Phase(IntEnum):
    """When a change is made, in the order of one table."""

    UNPROTECT = auto()
    DROP_VIEW = auto()  # the service drops no family and no table that a view reads
    TABLE = auto()
    SETTINGS = auto()
    DROP_TABLE = auto()  # a change stream ends before its table does
    MAKE_VIEW = auto()  # of families that are there
    PROTECT = auto()
    COPY = auto()  # after the place that takes over the cells is created
    RECORD = auto()  # changes the migration history only


class InstanceChange:
    """A difference between a declared table and the one in the instance.

    Each kind is a frozen value in the file of its subject, next to the function that finds it. The class states what
    the engine needs to know about a kind: when it is made (``phase``), by which ``calls``, what it does to data
    (``effect``) and to the migration history (``records``, ``recorded_after``, ``renews``), how it is named (``verb``
    begins its name, ``sign`` its line in a plan), and the name that allows it (``requires``).

    A change that ``makes`` a table or a family creates it, and one that ``drops`` it deletes it. A ``quiet`` change
    is btmodel's own bookkeeping, about which the user is not asked. ``refused_by`` names who refuses a blocked
    change. A change that is ``harmless_if_empty`` affects nothing but rows, and one that ``depends_on_clusters`` does
    something else on a replicated instance.
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
        """Whether it changes nothing but the migration history, without a call."""
        return self.phase is Phase.RECORD

    @property
    def moves(self) -> bool:
        """Whether it moves cells; that takes access to rows, and no schema call."""
        return self.phase is Phase.COPY

    @property
    def by_call(self) -> bool:
        """Whether a schema call makes it."""
        return not (self.recorded or self.moves)

    @property
    def calls(self) -> tuple[TableCall, ...]:
        """The schema calls that make it."""
        return ()

    @property
    def table_id(self) -> str:
        """The id of the table that it changes."""
        raise NotImplementedError

    @property
    def family_id(self) -> str | None:
        """The id of the family that it changes; None if it does not concern a single family."""
        return None

    @property
    def makes_table(self) -> bool:
        """Whether it creates a table."""
        return False

    @property
    def drops_table(self) -> bool:
        """Whether it deletes a table."""
        return False

    @property
    def rows_of(self) -> tuple[str, ...]:
        """The ids of the tables whose rows it affects."""
        return (self.table_id,)

    @property
    def relies_on_empty(self) -> bool:
        """Whether it relies on the fact that these tables were found empty."""
        return False

    @property
    def step_of(self) -> Renaming | None:
        """The renaming that it belongs to, as a copy, a drop of what was copied, or drift that is still to be dropped."""
        return None

    @property
    def moved(self) -> "MovedRows | None":
        """The move that it belongs to, as the drop of a table whose rows were moved, or drift that is still to be dropped."""
        return None

    @property
    def subject(self) -> str:
        """What it changes: ``QUOTE``, or ``QUOTE.MD`` for one family."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """What happens to the subject, in a few words."""
        raise NotImplementedError

    @property
    def effect(self) -> Effect:
        """What it does to data."""
        return self.usual

    @property
    def effect_if_allowed(self) -> Effect:
        """What it does to data once the user has allowed it by name: what was only blocked loses none."""
        return Effect.SAFE if self.effect is Effect.BLOCKED else self.effect

    @property
    def lost(self) -> str | None:
        """A description of what is lost, without the name of the subject; None if nothing is."""
        return None

    @property
    def undo(self) -> str | None:
        """Whether and how it can be undone, without the name of the subject; None if nothing is lost."""
        return None

    @property
    def refusal(self) -> str:
        """Its description in a refusal."""
        return f"{self.subject} {self.summary}"

    @property
    def details(self) -> tuple[str, ...]:
        """Further lines: what the instance has, what is declared, and what to do."""
        return ()

    @property
    def sql(self) -> dict[str, str]:
        """The queries in SQL that it is about, ``declared`` and ``live``, which only JSON shows."""
        return {}

    @property
    def instead(self) -> str | None:
        """What to do instead of allowing it; None if there is no other way."""
        return None

    @property
    def then(self) -> str | None:
        """The next step after it is made; None if there is none."""
        return None

    @property
    def uncertain(self) -> str | None:
        """A warning for the case that the clusters of the instance could not be read; None if they do not matter."""
        return None

    @property
    def name(self) -> str:
        """Its name, such as ``add-family:QUOTE.MD``."""
        return f"{self.verb}:{self.subject}"

    @property
    def requires(self) -> str | None:
        """The name that allows it; None if no name does, or if it needs no permission."""
        return self.name if self.effect in (Effect.DESTRUCTIVE, Effect.BLOCKED) else None

    @property
    def ends(self) -> "tuple[InstanceChange, ...]":
        """For drift, the changes that would remove it; the user may ask for one of them by name."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that allow it, or one of its ``ends``."""
        return () if self.requires is None else (self.requires,)

    @property
    def renews(self) -> bool:
        """Whether it makes records of earlier copies from its subject obsolete."""
        return self.makes or self.drops

    @property
    def records(self) -> tuple[Layout, ...] | None:
        """The layouts that it records for its table; None if it records none."""
        return None

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """The layouts known for its table after it is made, if ``layouts`` were known before."""
        return layouts

    def covers(self, other: "InstanceChange") -> bool:
        """Whether agreeing to this change includes agreeing to ``other``, such as the rest of a half-finished change."""
        return self == other


class Drift(InstanceChange):
    """Something in the instance that nothing declares. It stays, unless the user asks for a change that removes it."""

    __slots__ = ()

    sign: ClassVar[str] = "?"
    usual: ClassVar[Effect] = Effect.DRIFT

    @property
    def end(self) -> InstanceChange | None:
        """The change that would remove it; None if only a declaration helps."""
        return None

    @property
    def ends(self) -> tuple[InstanceChange, ...]:
        """The changes that would remove it, ``end`` first."""
        return () if self.end is None else (self.end,)

    @property
    def requires(self) -> str | None:
        """The name of ``end``."""
        return None if self.end is None else self.end.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the changes that would remove it."""
        return tuple(end.name for end in self.ends)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        """Whether earlier revisions (which declared ``tables``) or recorded copies and layouts explain it."""
        mine = [table for table in tables if table.id == self.table_id]
        if self.family_id is None:
            return bool(mine)
        return any(table.family(self.family_id) is not None for table in mine)


@frozen
class TableChange(InstanceChange):
    """A change of a whole table; ``table`` is as declared, or as in the instance if it is not declared."""

    table: Table

    @property
    def table_id(self) -> str:
        return self.table.id

    @property
    def makes_table(self) -> bool:
        return self.makes

    @property
    def drops_table(self) -> bool:
        return self.drops

    @property
    def subject(self) -> str:
        return self.table.id

    @property
    def summary(self) -> str:
        families = (f"{family.id} {described(family)}" for family in self.table.families)
        return ", ".join(families) or "no families"


@frozen
class PartChange(InstanceChange):
    """A change of a part of a table, such as a family, a setting, or the way its rows are read."""

    of_table: str

    @property
    def table_id(self) -> str:
        return self.of_table

    @property
    def subject(self) -> str:
        return self.of_table


@frozen
class FamilyChange(PartChange):
    """A change of one family; ``family`` is as declared, or as in the instance if it is not declared."""

    family: Family

    @property
    def family_id(self) -> str | None:
        return self.family.id

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.family.id}"

    @property
    def summary(self) -> str:
        return described(self.family)


@frozen
class ReadingChange(PartChange):
    """A change of the way in which existing rows are read, compared with what was recorded; it changes no data.

    ``empty`` says that its tables hold no row.
    """

    phase: ClassVar[Phase] = Phase.RECORD
    harmless_if_empty: ClassVar[bool] = True

    empty: bool = field(default=False, kw_only=True)

    @property
    def relies_on_empty(self) -> bool:
        """Whether it relies on the fact that its tables were found empty."""
        return self.empty

    @property
    def keeps_all(self) -> bool:
        """Whether every row that may exist is read as before."""
        return False

    @property
    def effect(self) -> Effect:
        """Safe if there are no rows, or if all are read as before."""
        return Effect.SAFE if self.empty or self.keeps_all else Effect.BLOCKED


def described(family: Family) -> str:
    """What ``family`` keeps, and how it aggregates, if it does."""
    aggregate = "" if family.aggregate is None else f" (aggregate: {family.aggregate.value})"
    return f"keeps {kept(family)}{aggregate}"


def kept(family: Family) -> str:
    """What the GC rule of ``family`` keeps; everything if it has none."""
    return "everything" if family.gc is None else str(family.gc)


# What a drop behind a comparison loses besides: no call drops only what nothing has written since it was looked at.
LATE_WRITES = ", and any write between that and the drop"


@frozen
class InstanceFacts:
    """What is known about an instance beside its tables.

    ``replicated`` says whether it has more than one cluster; None if that could not be read. ``empty`` holds the ids
    of tables that were found to hold no row; only tables whose layouts change are checked. ``copies`` are the
    recorded copies of renamings, and ``renamings`` those between the instance and the declaration; None if they were
    not looked up. ``anew`` are the copies whose old name is declared again beside the new one, ``reverted`` those
    whose old name is declared again instead of the new one. ``before`` is the id of the preceding revision. ``created``
    holds the ids of tables that an earlier stage of the same run creates, so that no data can be in them. ``results``
    are what data steps have made true. ``views`` are the ids of all views, declared or in the instance.
    """

    replicated: bool | None = None
    empty: frozenset[str] = frozenset()
    copies: tuple[CopyRecord, ...] = ()
    renamings: tuple[Renaming, ...] | None = None
    anew: tuple[CopyRecord, ...] = ()
    reverted: tuple[CopyRecord, ...] = ()
    before: str | None = None
    created: frozenset[str] = frozenset()
    results: StepResults = NO_RESULTS
    views: frozenset[str] = frozenset()

    def between(self, declared: Iterable[Table], live: Iterable[Table]) -> "InstanceFacts":
        """These facts with the ids of views, and the renamings from ``live`` to ``declared`` if a rollback has not already set them."""
        wanted, there = tuple(declared), tuple(live)
        views = self.views.union(view.id for table in (*wanted, *there) for view in table.views)
        if self.renamings is not None:
            return attrs.evolve(self, views=views) if views != self.views else self
        found = renamings(wanted, there, self.copies)
        return attrs.evolve(
            self.with_cut_off(wanted, there, found),
            views=views,
            renamings=tuple(attrs.evolve(renaming, before=self.before) for renaming in found),
            anew=declared_anew(wanted, there, self.copies, found),
            reverted=reverted(wanted, there, self.copies, found),
        )

    def with_cut_off(
        self, declared: Iterable[Table], live: Iterable[Table], found: Iterable[Renaming]
    ) -> "InstanceFacts":
        """These facts with the recorded copies that cannot be compared, as they belong to none of the ``found`` renamings."""
        unknown = tuple(
            UnknownMove(table, family, copy.new, copy.cut_off)
            for table, family, copy in cut_off(declared, live, self.copies, found)
        )
        if not unknown:
            return self
        return attrs.evolve(
            self, results=attrs.evolve(self.results, unknown=(*self.results.unknown, *unknown))
        )

    def gone(self, table: str, declared: Layout) -> Mapping[str, MovedCells]:
        """The cells of a model that have gone to one that is ``declared``, by their names, which no column has any more."""
        cells = {cell.cell for cell in declared.cells}
        return {
            one.old: one
            for one in self.results.moved
            if one.table == table and one.is_of(declared) and one.new in cells and one.old not in cells
            if not self._is_copied_since(table, one.new, one.at)
        }

    def are_rewritten(self, table: str, of: Layout, declared: CellLayout, known: CellLayout) -> bool:
        """Whether a step has rewritten all cells ``of`` a model that were written as ``known``, so that ``declared`` reads them."""
        return any(
            one.is_of(of)
            and (one.table, one.cell, one.before) == (table, declared.cell, known.codec)
            and reads_all(declared.codec, one.codec)
            and not self._is_copied_since(table, one.cell, one.at)
            for one in self.results.rewritten
        )

    def _is_copied_since(self, table: str, cell: str, at: datetime | None) -> bool:
        """Whether a copy has brought cells as they were before back to the place of ``cell``."""
        places = {table, f"{table}.{cell.partition(':')[0]}"}
        copies = (copy for copy in self.copies if copy.new in places)
        return any(copy.ended is None or (at is not None and copy.ended > at) for copy in copies)

    def rows_moved(self, table: str) -> MovedRows | None:
        """The move of the rows of a table; None if they were not moved, or if not all of their moves can be compared."""
        if self.unknown(table):
            return None
        return next((move for move in self.results.moves if move.table == table), None)

    def unknown(self, table: str, family: str | None = None) -> tuple[UnknownMove, ...]:
        """The moves of a table, or of a ``family`` of it, that cannot be compared."""
        return tuple(
            one for one in self.results.unknown if one.table == table and one.family in (None, family)
        )

    def rows_came(self, table: str) -> tuple[MoveStep, ...]:
        """The steps of undone moves whose rows went to a table."""
        return tuple(step for step in self.results.undone if step.target_table == table)

    def to(self, table: str) -> tuple[Renaming, ...]:
        """The renamings to a table and to its families."""
        return tuple(renaming for renaming in self.renamings or () if renaming.new.id == table)

    def of(self, table: str, family: str | None = None) -> Renaming | None:
        """The renaming of a table, or of its ``family``, by the old ids."""
        return next(
            (renaming for renaming in self.renamings or () if renaming.place == (table, family)), None
        )


# Nothing was looked up.
UNKNOWN = InstanceFacts()
