"""A live family whose values have a type, of which no model says anything: drift."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Drift, FamilyChange
from btmodel.migrate.changes.facts import Facts
from btmodel.schema import Table


@frozen
class UndeclaredValueType(FamilyChange, Drift):
    """The service was told how SQL is to read the cells of the family. It stays; no model can state it."""

    verb: ClassVar[str] = "undeclared-value-type"

    @property
    def summary(self) -> str:
        """What it is."""
        return "the service was told of a type of its cells; btmodel writes them as declared"

    @property
    def details(self) -> tuple[str, ...]:
        """The type, as the service states it."""
        return (f"live: {self.family.value_type}",)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[UndeclaredValueType]:
    """The families of both whose live values have a type."""
    if declared is None or live is None:
        return
    for family in live.families:
        wanted = declared.family(family.id)
        plain = wanted is not None and family.aggregate == wanted.aggregate
        if wanted is not None and plain and family.value_type not in (None, wanted.value_type):
            yield UndeclaredValueType(live.id, family)
