"""A declared family that the live table lacks."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, FamilyChange
from btmodel.schema import Table


@frozen
class AddFamily(FamilyChange):
    """Add the family to the table."""

    verb: ClassVar[str] = "add-family"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE


def find(declared: Table | None, live: Table | None) -> Iterator[AddFamily]:
    """The families of ``declared`` that ``live`` lacks."""
    if declared is None or live is None:
        return
    for family in declared.families:
        if live.family(family.id) is None:
            yield AddFamily(declared.id, family)
