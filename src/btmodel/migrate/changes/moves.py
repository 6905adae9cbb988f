"""The drop of a table whose rows were moved to other keys: both tables are compared once more before it."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import (
    LATE_WRITES,
    Drift,
    FamilyChange,
    InstanceChange,
    InstanceFacts,
    TableChange,
    described,
)
from btmodel.migrate.changes.renames import AbandonFamily, AbandonTable
from btmodel.migrate.changes.results import MovedRows
from btmodel.migrate.changes.tables import DropFamily, DropTable, is_undeclared
from btmodel.migrate.data.move_steps import MoveStep
from btmodel.schema import Table


@frozen
class DropMovedTable(DropTable):
    """Drop the old table of a move, once it is seen that the new one has all that follows from it."""

    move: MovedRows

    @property
    def moved(self) -> MovedRows:
        return self.move

    @property
    def copies_first(self) -> bool:
        """Whether what the new table lacks is copied before the drop, rather than a reason against it."""
        return False

    @property
    def lost(self) -> str:
        return f"every row of the table, once it is seen that {self.move.targets} has what follows from them{LATE_WRITES}"


@frozen
class CopyAndDropTable(DropMovedTable):
    """Copy what the new table of a move lacks, and drop the old one."""

    verb: ClassVar[str] = "copy-and-drop-table"

    @property
    def copies_first(self) -> bool:
        return True

    @property
    def lost(self) -> str:
        return f"every row of the table, once what {self.move.targets} lacks of them is copied{LATE_WRITES}"


@frozen
class AbandonMovedTable(AbandonTable):
    """Drop the old table of a move even if it has cells that the new one lacks, but not with families that have no place there, unless they are named."""

    move: MovedRows


@frozen
class MovedTable(TableChange, Drift):
    """A table in the instance whose rows were moved to another one, and that nothing declares any more."""

    verb: ClassVar[str] = "moved-table"

    move: MovedRows

    @property
    def moved(self) -> MovedRows:
        return self.move

    @property
    def summary(self) -> str:
        return f"its rows were moved {self.move.done}"

    @property
    def details(self) -> tuple[str, ...]:
        drop, copy, abandon = self.ends
        return (
            f"both are compared before {drop.name}, and what is here alone stops it: then --allow {copy.name} copies that first, "
            f"and --allow {abandon.name} drops all the same",
        )

    @property
    def end(self) -> InstanceChange:
        return self.ends[0]

    @property
    def ends(self) -> tuple[InstanceChange, ...]:
        return (
            DropMovedTable(self.table, self.move),
            CopyAndDropTable(self.table, self.move),
            AbandonMovedTable(self.table, self.move),
        )

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


@frozen
class UnmovedFamily(FamilyChange, Drift):
    """A family of a table whose rows were moved to a table that had no family for its cells then; they stop the drop of the table."""

    verb: ClassVar[str] = "unmoved-family"

    move: MovedRows

    @property
    def summary(self) -> str:
        return f"{described(self.family)}; its cells were not moved to {self.move.targets}, and stay here"

    @property
    def details(self) -> tuple[str, ...]:
        return (
            f"those of columns that no model declares stop the drop of {self.table_id}: write them to {self.move.targets} with a data step, or use --allow {self.end.name} beside it",
        )

    @property
    def end(self) -> DropFamily:
        return DropFamily(self.table_id, self.family)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


@frozen
class DropMovedFamily(DropFamily):
    """Drop a family of the old table of a move, once it is seen that the new one has the cells that were moved from it."""

    move: MovedRows

    @property
    def copies_first(self) -> bool:
        """Whether what the new table lacks is copied before the drop, rather than a reason against it."""
        return False

    @property
    def lost(self) -> str:
        return f"every cell of the family, once it is seen that {self.move.targets} has what was moved of them{LATE_WRITES}"


@frozen
class CopyAndDropFamily(DropMovedFamily):
    """Copy what the new table of a move lacks of the cells of a family, and drop the family."""

    verb: ClassVar[str] = "copy-and-drop-family"

    @property
    def copies_first(self) -> bool:
        return True

    @property
    def lost(self) -> str:
        return f"every cell of the family, once what {self.move.targets} lacks of those that were moved is copied{LATE_WRITES}"


@frozen
class MovedFamily(FamilyChange, Drift):
    """A family whose cells were moved, and that no model declares any more, in a table that one still declares."""

    verb: ClassVar[str] = "moved-family"

    move: MovedRows

    @property
    def summary(self) -> str:
        return f"{described(self.family)}; cells of it were moved {self.move.done}"

    @property
    def details(self) -> tuple[str, ...]:
        drop, copy, abandon = self.ends
        return (
            f"what was moved is compared before {drop.name}, and what is here alone stops it: then --allow {copy.name} copies that first, "
            f"and --allow {abandon.name} drops all the same",
        )

    @property
    def end(self) -> DropFamily:
        return DropMovedFamily(self.table_id, self.family, self.move)

    @property
    def ends(self) -> tuple[InstanceChange, ...]:
        here = (self.table_id, self.family)
        return self.end, CopyAndDropFamily(*here, self.move), AbandonFamily(*here)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


@frozen
class SplitFamily(MovedFamily):
    """A family whose declared columns were moved to families of other ids, while its other cells have no place in the new table."""

    verb: ClassVar[str] = "split-family"

    @property
    def summary(self) -> str:
        return f"{described(self.family)}; the cells of its declared columns were moved to {self.move.targets}, which has no family for others"

    @property
    def details(self) -> tuple[str, ...]:
        return (
            f"others stop the drop of {self.table_id}: write them to {self.move.targets} with a data step, or use --allow {self.end.name} beside it; "
            "what was moved is compared before either drop",
        )


@frozen
class DropNewTable(DropTable):
    """Drop the new table of a move that is rolled back, once it is seen that all of it follows from the old one."""

    steps: tuple[MoveStep, ...]

    @property
    def lost(self) -> str:
        return (
            f"every row of the table, once it is seen that they follow from {_olds(self.steps)}{LATE_WRITES}"
        )


@frozen
class NewTable(TableChange, Drift):
    """The new table of a move that is rolled back; what it has beyond the old one stops its drop."""

    verb: ClassVar[str] = "new-table"

    steps: tuple[MoveStep, ...]

    @property
    def summary(self) -> str:
        return f"rows of {_olds(self.steps)} were moved to it"

    @property
    def details(self) -> tuple[str, ...]:
        drop, abandon = self.ends
        return (
            f"both are compared before {drop.name}, and what is here alone stops it: then --allow {abandon.name} drops it all the same",
        )

    @property
    def end(self) -> InstanceChange:
        return self.ends[0]

    @property
    def ends(self) -> tuple[InstanceChange, ...]:
        return DropNewTable(self.table, self.steps), AbandonTable(self.table)


def _olds(steps: Sequence[MoveStep]) -> str:
    return " and ".join(dict.fromkeys(step.table for step in steps))


def find_new_table(declared: Table | None, live: Table | None, facts: InstanceFacts) -> Iterator[NewTable]:
    """``live``, if nothing declares it and a move to it is rolled back."""
    steps = () if live is None or declared is not None else facts.rows_came(live.id)
    if live is not None and steps:
        yield NewTable(live, steps)


def find_moved_family(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[MovedFamily]:
    """The families of ``live`` that ``declared`` lacks, and of which cells were moved to another table."""
    move = facts.rows_moved(live.id)
    for family in () if move is None else live.families:
        if is_undeclared(declared, family, facts) and move is not None and move.has_place_for(family):
            yield MovedFamily(live.id, family, move)


def find_moved_table(
    declared: Table | None, live: Table | None, facts: InstanceFacts
) -> Iterator[MovedTable | UnmovedFamily | SplitFamily]:
    """``live``, if nothing declares it and its rows were moved, and each family of it whose cells were not."""
    move = None if live is None or declared is not None else facts.rows_moved(live.id)
    if live is not None and move is not None:
        yield MovedTable(live, move)
        for family in move.unmoved(live):
            if facts.of(live.id, family.id) or facts.unknown(live.id, family.id):
                continue  # its cells went to another family first, with which they are compared
            if move.takes_from(family):
                yield SplitFamily(live.id, family, move)
            else:
                yield UnmovedFamily(live.id, family, move)
