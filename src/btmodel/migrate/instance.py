"""The interface of an instance to a migration: its tables and their changes."""

from collections.abc import Collection, Sequence
from typing import Protocol

from btmodel.schema import Family, Table
from btmodel.schema.model import TableSettings


class Instance(Protocol):
    """The tables of a Bigtable instance.

    Every method raises :class:`btmodel.errors.ServerError` where the server does not
    do it: :class:`btmodel.errors.SchemaConflict` where another change is in the way,
    :class:`btmodel.errors.Unavailable` where it may be tried again, :class:`btmodel.errors.Unanswered` where it
    may have been done all the same, and :class:`btmodel.errors.NotAllowed` without the right to it.
    """

    @property
    def instance(self) -> str:
        """The path of the instance: ``projects/P/instances/I``."""
        ...

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        """The tables, or those of ``ids`` that are there, in the order of their ids."""
        ...

    def table(self, id: str) -> Table | None:
        """The table called ``id`` with all its settings, or None."""
        ...

    def is_empty(self, table: str) -> bool:
        """Whether the table called ``table`` holds no row; true where there is no such table."""
        ...

    def create_table(self, table: Table) -> None:
        """Create ``table`` with its families and settings: one call."""
        ...

    def modify_families(
        self,
        table: str,
        *,
        create: Sequence[Family] = (),
        update: Sequence[Family] = (),
        drop: Sequence[str] = (),
        ignore_warnings: bool = False,
    ) -> None:
        """Create families, set the GC rules of others, drop others: one call.

        With ``ignore_warnings``, also what is refused as unsafe without it.
        """
        ...

    def update_settings(self, table: str, settings: TableSettings, *, ignore_warnings: bool = False) -> None:
        """Change the settings that are stated, one call each: protection off before others, on after them."""
        ...

    def delete_table(self, id: str) -> None:
        """Delete the table called ``id``."""
        ...

    def replicated(self) -> bool | None:
        """Whether there is more than one cluster; None where that cannot be read."""
        ...

    def replication_mark(self, table: str) -> str | None:
        """A mark behind all that was written to the table by now; None where the server makes none."""
        ...

    def is_replicated(self, table: str, mark: str) -> bool:
        """Whether all clusters have what was written to the table before ``mark`` was made."""
        ...

    def transactional_profiles(self) -> tuple[str, ...] | None:
        """The app profiles that allow transactions on rows, ``default`` first; None where they cannot be read."""
        ...
