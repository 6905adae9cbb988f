"""A family that aggregates in another way than is declared."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, FamilyChange
from btmodel.migrate.changes.facts import Facts
from btmodel.schema import Aggregate, Family, Table


@frozen
class ChangeAggregate(FamilyChange):
    """Make the family aggregate as declared, which no server does; ``live`` is the family as it is.

    How a family aggregates is fixed when it is made.
    """

    verb: ClassVar[str] = "change-aggregate"
    sign: ClassVar[str] = "!"
    usual: ClassVar[Effect] = Effect.IMPOSSIBLE

    live: Family

    @property
    def summary(self) -> str:
        """What its cells should be, what they are, and what to do."""
        return (
            f"holds {_cells(self.family.aggregate)}, instead of {_cells(self.live.aggregate)}: that is fixed "
            "when a family is made, so declare a family with a new id and write to that"
        )


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[ChangeAggregate]:
    """The families of both that aggregate in different ways."""
    if declared is None or live is None:
        return
    for family in declared.families:
        other = live.family(family.id)
        if other is not None and other.aggregate != family.aggregate:
            yield ChangeAggregate(declared.id, family, other)


def _cells(aggregate: Aggregate | None) -> str:
    return "plain cells" if aggregate is None else f"aggregates ({aggregate.value})"
