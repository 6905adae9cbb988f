"""Tables and families that are created and dropped, and changed value types."""

from collections.abc import Iterator
from typing import ClassVar

import attrs
from attrs import frozen

from btmodel.migrate.changes.base import (
    Drift,
    Effect,
    FamilyChange,
    InstanceChange,
    InstanceFacts,
    Phase,
    TableChange,
)
from btmodel.migrate.changes.gc_rules import has_unknown_age
from btmodel.migrate.changes.settings import stated
from btmodel.migrate.instance import CreateTableCall, DeleteTableCall, ModifyFamiliesCall, TableCall
from btmodel.migrate.tables.layouts import family_of
from btmodel.schema import Aggregate, Family, Layout, Table
from btmodel.schema.names import placeholders


@frozen
class AddFamily(FamilyChange):
    """Add the family to the table; on a replicated instance, that takes until every cluster knows it."""

    verb: ClassVar[str] = "add-family"
    sign: ClassVar[str] = "+"
    makes: ClassVar[bool] = True
    depends_on_clusters: ClassVar[bool] = True

    replicated: bool = False

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (ModifyFamiliesCall(self.of_table, create=(self.family,)),)

    @property
    def effect(self) -> Effect:
        return Effect.SLOW if self.replicated else Effect.SAFE


def find_added_family(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[AddFamily]:
    """The families of ``declared`` that ``live`` lacks."""
    for family in declared.families:
        if live.family(family.id) is None and not has_unknown_age(declared, family):
            yield AddFamily(declared.id, family, facts.replicated is True)


@frozen
class DropFamily(FamilyChange):
    """Drop the family with all its cells, immediately and permanently."""

    verb: ClassVar[str] = "drop-family"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE
    drops: ClassVar[bool] = True

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (ModifyFamiliesCall(self.of_table, drop=(self.family.id,)),)

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        return tuple(
            attrs.evolve(
                layout,
                cells=tuple(cell for cell in layout.cells if family_of(cell.cell) != self.family.id),
            )
            for layout in layouts
        )

    @property
    def lost(self) -> str:
        return "every cell of the family, in every row, at once"

    @property
    def undo(self) -> str:
        return "never: families cannot be undeleted; only a backup made before has the cells"


@frozen
class UndeclaredFamily(FamilyChange, Drift):
    """A family in the instance that nothing declares. It stays, unless the user asks for its drop by name."""

    verb: ClassVar[str] = "undeclared-family"

    @property
    def end(self) -> DropFamily:
        return DropFamily(self.table_id, self.family)


def is_undeclared(declared: Table, family: Family, facts: InstanceFacts) -> bool:
    """Whether ``declared`` lacks a family of its table, which was not renamed."""
    return declared.family(family.id) is None and facts.of(declared.id, family.id) is None


def find_undeclared_family(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[UndeclaredFamily]:
    """The families of ``live`` that ``declared`` lacks, that were not renamed, and of which no cells were moved."""
    move = facts.rows_moved(live.id)
    for family in live.families:
        moved = move is not None and move.has_place_for(family)
        unknown = facts.unknown(live.id, family.id)
        if is_undeclared(declared, family, facts) and not moved and not unknown:
            yield UndeclaredFamily(live.id, family)


@frozen
class ChangeAggregate(FamilyChange):
    """Change how the family aggregates, which the service does not support; ``live`` is the family in the instance.

    The aggregation of a family is fixed when it is created.
    """

    verb: ClassVar[str] = "change-aggregate"
    sign: ClassVar[str] = "!"
    usual: ClassVar[Effect] = Effect.IMPOSSIBLE

    live: Family

    @property
    def summary(self) -> str:
        return (
            f"holds {_cells(self.family.aggregate)}, instead of {_cells(self.live.aggregate)}: that is fixed "
            "when a family is made, so declare a family with a new id and write to that"
        )


def find_aggregate(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[ChangeAggregate]:
    """The families whose aggregation in the instance and in the declaration differs."""
    for family in declared.families:
        other = live.family(family.id)
        if other is not None and other.aggregate != family.aggregate:
            yield ChangeAggregate(declared.id, family, other)


def _cells(aggregate: Aggregate | None) -> str:
    return "plain cells" if aggregate is None else f"aggregates ({aggregate.value})"


@frozen
class UndeclaredValueType(FamilyChange, Drift):
    """The service has a value type for the cells of the family, which SQL uses. It stays; no model can state it."""

    verb: ClassVar[str] = "undeclared-value-type"

    @property
    def summary(self) -> str:
        return "the service has a type for its cells; btmodel writes them as declared"

    @property
    def details(self) -> tuple[str, ...]:
        return (f"live: {self.family.value_type}",)


def find_value_type(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[UndeclaredValueType]:
    """The families whose value type in the instance is not declared."""
    for family in live.families:
        wanted = declared.family(family.id)
        plain = wanted is not None and family.aggregate == wanted.aggregate
        if wanted is not None and plain and family.value_type not in (None, wanted.value_type):
            yield UndeclaredValueType(live.id, family)


@frozen
class CreateTable(TableChange):
    """Create the table with all its families and settings in one call."""

    verb: ClassVar[str] = "create-table"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE
    makes: ClassVar[bool] = True

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (CreateTableCall(self.table),)

    @property
    def summary(self) -> str:
        when = ["each is made by a program that needs it"] if placeholders(self.table.id) else []
        return "; ".join([super().summary, *stated(self.table.settings), *when])

    def covers(self, other: InstanceChange) -> bool:
        """Also families and settings that are missing because another run created the table meanwhile."""
        left = other.makes or other.phase in (Phase.SETTINGS, Phase.PROTECT)
        here = left and other.table_id == self.table_id
        return super().covers(other) or (here and other.effect in (Effect.SAFE, Effect.SLOW))


def find_new_table(declared: Table | None, live: Table | None, facts: InstanceFacts) -> Iterator[CreateTable]:
    """The creation of ``declared``, if it is not in the instance."""
    if declared is not None and live is None:
        yield CreateTable(declared)


@frozen
class DropTable(TableChange):
    """Drop the table with all its rows."""

    verb: ClassVar[str] = "drop-table"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE
    phase: ClassVar[Phase] = Phase.DROP_TABLE
    drops: ClassVar[bool] = True

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (DeleteTableCall(self.table.id),)

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        return ()

    def covers(self, other: InstanceChange) -> bool:
        """Also the drop of what is left of the table once the same run has dropped families of it."""
        if not isinstance(other, DropTable) or other.name != self.name:
            return super().covers(other)
        return set(other.table.families) <= set(self.table.families)

    @property
    def lost(self) -> str:
        return "every row of the table, and its authorized views"

    @property
    def undo(self) -> str:
        return (
            "for about 7 days, with `gcloud bigtable instances tables undelete`, unless a table with the same id is "
            "created meanwhile; never for tables encrypted with your own key"
        )


@frozen
class UndeclaredTable(TableChange, Drift):
    """A table in the instance that nothing declares. It stays, unless the user asks for its drop by name."""

    verb: ClassVar[str] = "undeclared-table"

    @property
    def end(self) -> DropTable:
        return DropTable(self.table)


def find_undeclared_table(
    declared: Table | None, live: Table | None, facts: InstanceFacts
) -> Iterator[UndeclaredTable]:
    """``live``, if nothing declares it, it was not renamed, and its rows were not moved, nor came from a move that is rolled back."""
    if declared is not None or live is None or facts.rows_moved(live.id) or facts.rows_came(live.id):
        return
    if facts.of(live.id) is None and not facts.unknown(live.id):
        yield UndeclaredTable(live)
