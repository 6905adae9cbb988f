"""What was renamed, is live still, and is declared anew: its old cells would show in the new one."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, ReadingChange
from btmodel.migrate.changes.copy import drop_first
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.journal.protocol import CopyRecord
from btmodel.schema import Table


@frozen
class _Reuse(ReadingChange):
    """Take what stands under the old name for what is declared anew, with all its cells; no copy of it is known from then on."""

    sign: ClassVar[str] = "!"

    heir: str
    way: str
    empty: bool

    @property
    def subject(self) -> str:
        """What is declared anew."""
        return self.of_table

    @property
    def effect(self) -> Effect:
        """Safe where there are no rows."""
        return Effect.SAFE if self.empty else Effect.BLOCKED

    @property
    def summary(self) -> str:
        """What would become of the old cells."""
        if self.empty:
            return f"is declared anew, was renamed to {self.heir}, and holds no row"
        return f"is declared anew, and was renamed to {self.heir}: its old cells would be read as new ones"

    @property
    def details(self) -> tuple[str, ...]:
        """What to do."""
        if self.empty:
            return ()
        return (
            f"{self.way}; or give the new one another name; to allow it by name is to keep the old cells in the new one",
        )


@frozen
class ReuseFamily(_Reuse):
    """Take a family that was renamed for one that is declared anew."""

    verb: ClassVar[str] = "reuse-family"

    family: str

    @property
    def family_id(self) -> str:
        """The id of the family."""
        return self.family

    @property
    def subject(self) -> str:
        """Table and family."""
        return f"{self.of_table}.{self.family}"


@frozen
class ReuseTable(_Reuse):
    """Take a table that was renamed for one that is declared anew."""

    verb: ClassVar[str] = "reuse-table"


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[ReuseFamily | ReuseTable]:
    """What of ``live`` was renamed, and is ``declared`` beside what took over."""
    if declared is None or live is None:
        return
    anew = {one.old: one for one in facts.anew}
    empty = live.id in facts.empty
    if live.id in anew:
        way = _way(anew[live.id], "table", facts)
        yield ReuseTable(live.id, anew[live.id].new, way, empty)
    for family in declared.families:
        copy = anew.get(f"{live.id}.{family.id}")
        if copy is not None:
            way = _way(copy, "family", facts)
            yield ReuseFamily(live.id, copy.new, way, empty, family.id)


def _way(copy: CopyRecord, kind: str, facts: Facts) -> str:
    """What to do first, so that what is declared anew is empty."""
    return drop_first([copy], kind, facts.before, f"while {copy.old} is not declared")
