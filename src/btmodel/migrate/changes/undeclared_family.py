"""A live family that its declared table does not have: drift, or, by name, dropped."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, FamilyChange
from btmodel.schema import Table


@frozen
class DropFamily(FamilyChange):
    """Drop the family with all its cells, at once and for ever."""

    verb: ClassVar[str] = "drop-family"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE


@frozen
class UndeclaredFamily(FamilyChange):
    """The family is live and nothing declares it. It stays, unless its drop is asked for by name."""

    verb: ClassVar[str] = "undeclared-family"
    sign: ClassVar[str] = "?"
    usual: ClassVar[Effect] = Effect.DRIFT

    @property
    def drop(self) -> DropFamily:
        """The change that would end it."""
        return DropFamily(self.table_id, self.family)

    @property
    def requires(self) -> str:
        """The name by which one asks for that drop."""
        return self.drop.name


def find(declared: Table | None, live: Table | None) -> Iterator[UndeclaredFamily]:
    """The families of ``live`` that ``declared`` lacks."""
    if declared is None or live is None:
        return
    for family in live.families:
        if declared.family(family.id) is None:
            yield UndeclaredFamily(live.id, family)
