"""The interface of an instance to a migration: its tables, and the calls that change them."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from attrs import frozen

from btmodel.schema import UNSTATED, Family, Table
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
        """A mark after all that was written to the table by now; None where the server makes none."""
        ...

    def is_replicated(self, table: str, mark: str) -> bool:
        """Whether all clusters have what was written to the table before ``mark`` was made."""
        ...

    def transactional_profiles(self) -> tuple[str, ...] | None:
        """The app profiles that allow transactions on rows, ``default`` first; None where they cannot be read."""
        ...


class Call:
    """A call that changes one table of an instance."""

    __slots__ = ()

    def make(self, instance: Instance) -> None:
        """Make the call; raises :class:`btmodel.errors.ServerError`."""
        raise NotImplementedError

    def joined(self, other: "Call") -> "Call | None":
        """The one call that does what this one and then ``other`` do; None where it takes two."""
        return None


@frozen
class CreateTableCall(Call):
    """Create a table with its families and settings."""

    table: Table

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.create_table(self.table)


@frozen
class DeleteTableCall(Call):
    """Delete a table."""

    table_id: str

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.delete_table(self.table_id)


@frozen
class ModifyFamiliesCall(Call):
    """Create families, set the GC rules of others and drop some, all of it or nothing."""

    table_id: str
    create: tuple[Family, ...] = ()
    update: tuple[Family, ...] = ()
    drop: tuple[str, ...] = ()
    ignore_warnings: bool = False

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.modify_families(
            self.table_id,
            create=self.create,
            update=self.update,
            drop=self.drop,
            ignore_warnings=self.ignore_warnings,
        )

    def joined(self, other: Call) -> Call | None:
        """Both, where ``other`` modifies families too."""
        if not isinstance(other, ModifyFamiliesCall):
            return None
        return ModifyFamiliesCall(
            self.table_id,
            self.create + other.create,
            self.update + other.update,
            self.drop + other.drop,
            self.ignore_warnings or other.ignore_warnings,
        )


@frozen
class UpdateSettingsCall(Call):
    """Change those settings of a table that are stated.

    The service edits no row key schema, so the one that the table has is removed first where ``clears_key_schema``.
    """

    table_id: str
    settings: TableSettings = UNSTATED
    clears_key_schema: bool = False

    def make(self, instance: Instance) -> None:
        """Make the call."""
        if self.clears_key_schema:
            instance.update_settings(self.table_id, TableSettings(row_key_schema=""), ignore_warnings=True)
        if self.settings != UNSTATED:
            instance.update_settings(self.table_id, self.settings)

    def joined(self, other: Call) -> Call | None:
        """Both, where ``other`` changes settings too."""
        if not isinstance(other, UpdateSettingsCall):
            return None
        clears = self.clears_key_schema or other.clears_key_schema
        return UpdateSettingsCall(self.table_id, other.settings.over(self.settings), clears)


def joined(calls: Iterable[Call]) -> tuple[Call, ...]:
    """As few calls as do what ``calls`` do, in their order; all are of one table."""
    found: list[Call] = []
    for call in calls:
        both = found[-1].joined(call) if found else None
        if both is None:
            found.append(call)
        else:
            found[-1] = both
    return tuple(found)
