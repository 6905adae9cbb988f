"""A live table that no model declares: drift, or, by name, dropped."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, TableChange
from btmodel.schema import Table


@frozen
class DropTable(TableChange):
    """Drop the table with all its rows."""

    verb: ClassVar[str] = "drop-table"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE


@frozen
class UndeclaredTable(TableChange):
    """The table is live and nothing declares it. It stays, unless its drop is asked for by name."""

    verb: ClassVar[str] = "undeclared-table"
    sign: ClassVar[str] = "?"
    usual: ClassVar[Effect] = Effect.DRIFT

    @property
    def drop(self) -> DropTable:
        """The change that would end it."""
        return DropTable(self.table)

    @property
    def requires(self) -> str:
        """The name by which one asks for that drop."""
        return self.drop.name


def find(declared: Table | None, live: Table | None) -> Iterator[UndeclaredTable]:
    """``live``, where nothing declares it."""
    if declared is None and live is not None:
        yield UndeclaredTable(live)
