"""A declared family that the live table lacks."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, FamilyChange
from btmodel.migrate.changes.facts import Facts
from btmodel.schema import Table


@frozen
class AddFamily(FamilyChange):
    """Add the family to the table. Where the instance is replicated, every cluster has to learn of it."""

    verb: ClassVar[str] = "add-family"
    sign: ClassVar[str] = "+"

    replicated: bool = False

    @property
    def effect(self) -> Effect:
        """It loses nothing."""
        return Effect.SLOW if self.replicated else Effect.SAFE


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[AddFamily]:
    """The families of ``declared`` that ``live`` lacks."""
    if declared is None or live is None:
        return
    for family in declared.families:
        if live.family(family.id) is None:
            yield AddFamily(declared.id, family, facts.replicated is True)
