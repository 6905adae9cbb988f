"""What a migration needs of an instance: the one seam to the outside."""

from collections.abc import Collection, Sequence
from typing import Protocol

from btmodel.schema import Family, Table


class Instance(Protocol):
    """The tables of a Bigtable instance.

    Every method raises :class:`btmodel.errors.ServerError` where the server does not
    do it, and :class:`btmodel.errors.SchemaConflict` where another change is in the way.
    """

    @property
    def instance(self) -> str:
        """The path of the instance: ``projects/P/instances/I``."""
        ...

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        """The tables, or those of ``ids`` that are there, in the order of their ids."""
        ...

    def table(self, id: str) -> Table | None:
        """The table called ``id``, or None."""
        ...

    def create_table(self, table: Table) -> None:
        """Create ``table`` with its families."""
        ...

    def modify_families(
        self,
        table: str,
        *,
        create: Sequence[Family] = (),
        update: Sequence[Family] = (),
        drop: Sequence[str] = (),
    ) -> None:
        """Create families, set the GC rules of others, drop others: one call."""
        ...

    def delete_table(self, id: str) -> None:
        """Delete the table called ``id``."""
        ...
