"""The interface between a migration and an instance: its tables, the calls that change them, and the wait until all clusters have their rows."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from attrs import evolve, frozen

from btmodel.errors import MissingTable, ServerError
from btmodel.migrate.waiting import Backoff, until_answered, until_created
from btmodel.schema import UNSTATED, AuthorizedView, Family, SchemaBundle, Table, TableView
from btmodel.schema.model import TableSettings


class Instance(Protocol):
    """The tables of a Bigtable instance.

    Every method raises a :class:`btmodel.errors.ServerError` if the server fails:
    :class:`btmodel.errors.SchemaConflict` if another change is in the way, :class:`btmodel.errors.Unavailable` if you
    may try again, :class:`btmodel.errors.Unanswered` if the server may have done it all the same, and
    :class:`btmodel.errors.NotAllowed` without the permission.
    """

    @property
    def instance(self) -> str:
        """The path of the instance: ``projects/P/instances/I``."""
        ...

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        """All tables, or the existing ones of ``ids``, ordered by id."""
        ...

    def table(self, id: str) -> Table | None:
        """The table ``id`` with all its settings; None if it does not exist."""
        ...

    def is_empty(self, table: str) -> bool:
        """Whether ``table`` holds no row; true if it does not exist."""
        ...

    def create_table(self, table: Table) -> None:
        """Create ``table`` with its families and settings in one call."""
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
        """Create families, set the GC rules of others, and drop others, in one call.

        ``ignore_warnings`` also makes changes that the service otherwise refuses as unsafe.
        """
        ...

    def update_settings(self, table: str, settings: TableSettings, *, ignore_warnings: bool = False) -> None:
        """Change the stated settings with one call each: turn protection off first, and on last."""
        ...

    def delete_table(self, id: str) -> None:
        """Delete the table ``id``."""
        ...

    def create_view(self, view: TableView) -> Callable[[], bool]:
        """Begin to create a view; the function returned asks the service whether it has created it."""
        ...

    def protect_view(self, id: str, *, on: bool) -> None:
        """Switch the deletion protection of the view ``id`` on or off."""
        ...

    def delete_view(self, id: str) -> None:
        """Delete the view ``id``, which is not protected."""
        ...

    def create_part(self, table: str, part: AuthorizedView | SchemaBundle) -> None:
        """Create an authorized view or a schema bundle of ``table``."""
        ...

    def update_part(
        self,
        table: str,
        part: AuthorizedView | SchemaBundle,
        fields: Sequence[str],
        *,
        ignore_warnings: bool = False,
    ) -> None:
        """Change ``fields`` of an authorized view (``subset_view``, ``deletion_protection``) or a schema bundle (``proto_schema``).

        ``ignore_warnings`` also makes changes that take something away.
        """
        ...

    def delete_part(self, table: str, part: AuthorizedView | SchemaBundle) -> None:
        """Delete an authorized view, which is not protected, or a schema bundle."""
        ...

    def replicated(self) -> bool | None:
        """Whether the instance has more than one cluster; None if that cannot be read."""
        ...

    def replication_mark(self, table: str) -> str | None:
        """A token for all writes to the table so far; None if the server makes none."""
        ...

    def is_replicated(self, table: str, mark: str) -> bool:
        """Whether all clusters have the writes to the table from before ``mark``."""
        ...

    def transactional_profiles(self) -> tuple[str, ...] | None:
        """The app profiles that allow single-row transactions, ``default`` first; None if they cannot be read."""
        ...


class TableCall:
    """A call that changes one table of an instance."""

    __slots__ = ()

    def make(self, instance: Instance) -> None:
        """Make the call; raises :class:`btmodel.errors.ServerError`."""
        raise NotImplementedError

    def changed(self, table: Table | None) -> Table | None:
        """``table`` as it is after the call; None where there is no such table."""
        raise NotImplementedError

    def joined(self, other: "TableCall") -> "TableCall | None":
        """One call that does what this one and then ``other`` do; None if it takes two."""
        return None


@frozen
class CreateTableCall(TableCall):
    """A call that creates a table with its families and settings."""

    table: Table

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.create_table(self.table)

    def changed(self, table: Table | None) -> Table | None:
        """The new table: other calls make its views, authorized views and schema bundles, and nothing is recorded of its rows."""
        return evolve(self.table, layouts=(), views=(), authorized=(), bundles=())


@frozen
class DeleteTableCall(TableCall):
    """A call that deletes a table."""

    table_id: str

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.delete_table(self.table_id)

    def changed(self, table: Table | None) -> Table | None:
        """No table."""
        return None


@frozen
class ModifyFamiliesCall(TableCall):
    """A call that creates families, sets the GC rules of others and drops some, all or nothing."""

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

    def changed(self, table: Table | None) -> Table | None:
        """The table with these families, without those that are dropped."""
        if table is None:
            return None
        families = {family.id: family for family in (*table.families, *self.create, *self.update)}
        kept = sorted(families.keys() - {*self.drop})
        return evolve(table, families=tuple(families[id] for id in kept))

    def joined(self, other: TableCall) -> TableCall | None:
        """Both calls as one, if ``other`` modifies families too."""
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
class UpdateSettingsCall(TableCall):
    """A call that changes the stated settings of a table.

    The service cannot edit a row key schema, so ``clears_key_schema`` removes the existing one first.
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

    def changed(self, table: Table | None) -> Table | None:
        """The table with the stated settings."""
        if table is None:
            return None
        cleared = TableSettings(row_key_schema="") if self.clears_key_schema else UNSTATED
        return evolve(table, settings=self.settings.over(cleared.over(table.settings)))

    def joined(self, other: TableCall) -> TableCall | None:
        """Both calls as one, if ``other`` changes settings too."""
        if not isinstance(other, UpdateSettingsCall):
            return None
        clears = self.clears_key_schema or other.clears_key_schema
        return UpdateSettingsCall(self.table_id, other.settings.over(self.settings), clears)


@frozen
class CreateViewCall(TableCall):
    """A call that creates a view."""

    view: TableView

    def make(self, instance: Instance) -> None:
        """Make the call, and wait until the service has created the view."""
        until_created(f"view {self.view.id!r} of {instance.instance}", instance.create_view(self.view))

    def changed(self, table: Table | None) -> Table | None:
        """The table with the view."""
        return table and evolve(table, views=_with(table.views, self.view))


@frozen
class ProtectViewCall(TableCall):
    """A call that switches the deletion protection of a view."""

    view_id: str
    on: bool

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.protect_view(self.view_id, on=self.on)

    def changed(self, table: Table | None) -> Table | None:
        """The table, its view protected or not."""
        if table is None:
            return None
        views = (
            evolve(view, deletion_protection=self.on) if view.id == self.view_id else view
            for view in table.views
        )
        return evolve(table, views=tuple(views))


@frozen
class DeleteViewCall(TableCall):
    """A call that deletes a view."""

    view_id: str

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.delete_view(self.view_id)

    def changed(self, table: Table | None) -> Table | None:
        """The table without the view."""
        return table and evolve(table, views=_without(table.views, self.view_id))


@frozen
class CreatePartCall(TableCall):
    """A call that creates an authorized view or a schema bundle."""

    table_id: str
    part: AuthorizedView | SchemaBundle

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.create_part(self.table_id, self.part)

    def changed(self, table: Table | None) -> Table | None:
        """The table with the authorized view, or the schema bundle."""
        return table and _with_part(table, self.part)


@frozen
class UpdatePartCall(TableCall):
    """A call that changes fields of an authorized view or a schema bundle."""

    table_id: str
    part: AuthorizedView | SchemaBundle
    fields: tuple[str, ...]
    ignore_warnings: bool = False

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.update_part(self.table_id, self.part, self.fields, ignore_warnings=self.ignore_warnings)

    def changed(self, table: Table | None) -> Table | None:
        """The table with ``fields`` of the authorized view, or of the schema bundle, as they are in ``part``."""
        if table is None:
            return None
        part = self.part
        if isinstance(part, AuthorizedView):
            there = next((view for view in table.authorized if view.id == part.id), part)
            shown = part if "subset_view" in self.fields else there
            protected = part if "deletion_protection" in self.fields else there
            part = evolve(shown, deletion_protection=protected.deletion_protection)
        return _with_part(table, part)


@frozen
class DeletePartCall(TableCall):
    """A call that deletes an authorized view or a schema bundle."""

    table_id: str
    part: AuthorizedView | SchemaBundle

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.delete_part(self.table_id, self.part)

    def changed(self, table: Table | None) -> Table | None:
        """The table without the authorized view, or without the schema bundle."""
        if table is None:
            return None
        if isinstance(self.part, AuthorizedView):
            return evolve(table, authorized=_without(table.authorized, self.part.id))
        return evolve(table, bundles=_without(table.bundles, self.part.id))


_Part = TypeVar("_Part", TableView, AuthorizedView, SchemaBundle)


def _without(parts: Iterable[_Part], id: str) -> tuple[_Part, ...]:
    return tuple(part for part in parts if part.id != id)


def _with(parts: Iterable[_Part], new: _Part) -> tuple[_Part, ...]:
    every = [part for part in parts if part.id != new.id]
    every.append(new)
    return tuple(sorted(every, key=lambda part: part.id))


def _with_part(table: Table, part: AuthorizedView | SchemaBundle) -> Table:
    if isinstance(part, AuthorizedView):
        return evolve(table, authorized=_with(table.authorized, part))
    return evolve(table, bundles=_with(table.bundles, part))


def joined(calls: Iterable[TableCall]) -> tuple[TableCall, ...]:
    """The fewest calls that do what ``calls`` do, in their order; all are of one table."""
    merged: list[TableCall] = []
    for call in calls:
        both = merged[-1].joined(call) if merged else None
        if both is None:
            merged.append(call)
        else:
            merged[-1] = both
    return tuple(merged)


_REPLICATION = 3600.0  # seconds until all clusters have what one has


def until_replicated(
    instance: Instance, tables: Iterable[str], waiting: Callable[[str], None] = lambda words: None
) -> None:
    """Return once every cluster has the rows written to ``tables`` by now; tables that do not exist are skipped.

    A read that goes to one cluster does not see rows that only another cluster has. ``waiting`` is called once for
    each table that is not replicated yet. Raises :class:`ServerError`, also after waiting for an hour.
    """
    for table in tables:
        try:
            mark = until_answered(partial(instance.replication_mark, table))
            if mark is not None:
                _until_replicated(instance, table, mark, waiting)
        except MissingTable:
            continue


def _until_replicated(instance: Instance, table: str, mark: str, waiting: Callable[[str], None]) -> None:
    replicated = partial(until_answered, partial(instance.is_replicated, table, mark))
    if replicated():
        return
    waiting(f"waiting until all clusters have the rows of {table}")
    if not Backoff(_REPLICATION).until(replicated):
        raise ServerError(
            f"table {table!r} of {instance.instance}: after {_REPLICATION:,.0f} s some cluster still lacks rows of it: "
            "look at its replication, and run it again"
        )
