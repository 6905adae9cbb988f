"""A live family that its declared table does not have: drift, or, by name, dropped."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Drift, Effect, FamilyChange
from btmodel.migrate.changes.facts import Facts
from btmodel.schema import Table


@frozen
class DropFamily(FamilyChange):
    """Drop the family with all its cells, at once and for ever."""

    verb: ClassVar[str] = "drop-family"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE

    @property
    def lost(self) -> str:
        """Its cells."""
        return "every cell of the family, in every row, at once"

    @property
    def undo(self) -> str:
        """Only from a backup."""
        return "never: there is no undelete of families; only a backup that was made before has the cells"


@frozen
class UndeclaredFamily(FamilyChange, Drift):
    """The family is live and nothing declares it. It stays, unless its drop is asked for by name."""

    verb: ClassVar[str] = "undeclared-family"

    @property
    def end(self) -> DropFamily:
        """The change that would end it."""
        return DropFamily(self.table_id, self.family)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[UndeclaredFamily]:
    """The families of ``live`` that ``declared`` lacks, and that were not renamed."""
    if declared is None or live is None:
        return
    for family in live.families:
        if declared.family(family.id) is None and facts.of(live.id, family.id) is None:
            yield UndeclaredFamily(live.id, family)
