"""A declared table that is not live."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.add_family import AddFamily
from btmodel.migrate.changes.base import Change, Effect, TableChange
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import SettingChange
from btmodel.migrate.changes.stated import stated
from btmodel.schema import Table
from btmodel.schema.parameters import placeholders


@frozen
class CreateTable(TableChange):
    """Create the table, with all its families and settings in the same call."""

    verb: ClassVar[str] = "create-table"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE

    @property
    def summary(self) -> str:
        """Its families, what they keep, and its settings."""
        when = ["each is made by a program that needs it"] if placeholders(self.table.id) else []
        return "; ".join([super().summary, *stated(self.table.settings), *when])

    def covers(self, other: Change) -> bool:
        """The families and settings that another left out who made the table meanwhile."""
        left = isinstance(other, AddFamily | SettingChange) and other.table_id == self.table_id
        return super().covers(other) or (left and other.effect in (Effect.SAFE, Effect.SLOW))


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[CreateTable]:
    """The creation of ``declared``, where it is not live."""
    if declared is not None and live is None:
        yield CreateTable(declared)
