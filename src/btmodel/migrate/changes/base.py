"""What every change is."""

from enum import Enum
from typing import ClassVar

from attrs import frozen

from btmodel.schema import Family, Table


class Effect(Enum):
    """What a change does to the data that is there."""

    SAFE = "loses no data"
    DESTRUCTIVE = "loses data"
    IMPOSSIBLE = "cannot be done to what is live"
    DRIFT = "live but not declared, left alone"


class Change:
    """A difference between a declared table and the live one.

    Each kind is a frozen value in a file of its own, next to the function that finds
    it. ``verb`` begins its name and ``sign`` its line in a plan.
    """

    __slots__ = ()

    verb: ClassVar[str]
    sign: ClassVar[str]
    usual: ClassVar[Effect]

    @property
    def table_id(self) -> str:
        """The id of the table that it changes."""
        raise NotImplementedError

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
    def name(self) -> str:
        """What it is called: ``add-family:QUOTE.MD``."""
        return f"{self.verb}:{self.subject}"

    @property
    def requires(self) -> str | None:
        """The name by which one allows it; None where nothing needs to be allowed."""
        return self.name if self.effect is Effect.DESTRUCTIVE else None


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
class FamilyChange(Change):
    """A change of one family, as it should be, or as it is where it is not declared."""

    of_table: str
    family: Family

    @property
    def table_id(self) -> str:
        """The id of the family's table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """Table and family."""
        return f"{self.table_id}.{self.family.id}"

    @property
    def summary(self) -> str:
        """What the family keeps, and how it aggregates."""
        return described(self.family)


def described(family: Family) -> str:
    """What ``family`` keeps, and how it aggregates where it does."""
    aggregate = "" if family.aggregate is None else f" (aggregate: {family.aggregate.value})"
    return f"keeps {kept(family)}{aggregate}"


def kept(family: Family) -> str:
    """What the rule of ``family`` keeps; all, where it has none."""
    return "everything" if family.gc is None else str(family.gc)
