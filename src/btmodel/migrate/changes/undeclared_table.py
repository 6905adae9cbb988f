"""A live table that no model declares: drift, or, by name, dropped."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Drift, Effect, TableChange
from btmodel.migrate.changes.facts import Facts
from btmodel.schema import Table


@frozen
class DropTable(TableChange):
    """Drop the table with all its rows."""

    verb: ClassVar[str] = "drop-table"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.DESTRUCTIVE

    @property
    def lost(self) -> str:
        """All of it."""
        return "every row of the table, and its authorized views"

    @property
    def undo(self) -> str:
        """The service keeps a deleted table for some days."""
        return (
            "for about 7 days, with `gcloud bigtable instances tables undelete`, unless a table of the same id is "
            "made meanwhile; tables encrypted with a key of your own not at all"
        )


@frozen
class UndeclaredTable(TableChange, Drift):
    """The table is live and nothing declares it. It stays, unless its drop is asked for by name."""

    verb: ClassVar[str] = "undeclared-table"

    @property
    def end(self) -> DropTable:
        """The change that would end it."""
        return DropTable(self.table)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[UndeclaredTable]:
    """``live``, where nothing declares it, and it was not renamed."""
    if declared is None and live is not None and facts.of(live.id) is None:
        yield UndeclaredTable(live)
