"""The calls that make changes live, in order: as few for a table as the service allows."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from btmodel.migrate.changes import (
    AddFamily,
    Change,
    ChangeGc,
    CreateTable,
    DropFamily,
    DropTable,
    EditKeySchema,
    Protect,
    RemoveKeySchema,
    SettingChange,
    Unprotect,
)
from btmodel.migrate.instance import Instance
from btmodel.schema import UNSTATED, Family, Table, TableSettings


@frozen
class CreateTableCall:
    """Create a table with its families and settings."""

    table: Table

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.create_table(self.table)


@frozen
class DeleteTableCall:
    """Delete a table."""

    table_id: str

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.delete_table(self.table_id)


@frozen
class ModifyFamiliesCall:
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


@frozen
class UpdateSettingsCall:
    """Change those settings of a table that are stated."""

    table_id: str
    settings: TableSettings
    ignore_warnings: bool = False

    def make(self, instance: Instance) -> None:
        """Make the call."""
        instance.update_settings(self.table_id, self.settings, ignore_warnings=self.ignore_warnings)


Call = CreateTableCall | DeleteTableCall | ModifyFamiliesCall | UpdateSettingsCall


def calls(changes: Sequence[Change]) -> tuple[Call, ...]:
    """The calls that make ``changes`` live, which are all of one table and in the order of a plan.

    Protection goes off first and on last, settings follow families, and a change stream ends before its table
    does. Changes that are only recorded need no call.
    """
    return tuple(_calls([change for change in changes if not change.recorded]))


def call(instance: Instance, changes: Sequence[Change]) -> None:
    """Make all the calls of ``changes``, which are of one table."""
    for one in calls(changes):
        one.make(instance)


def _calls(changes: Sequence[Change]) -> Iterator[Call]:
    for change in changes:
        if isinstance(change, Unprotect):
            yield UpdateSettingsCall(change.table_id, change.settings)
    drops = [change for change in changes if isinstance(change, DropTable)]
    if drops:
        yield from _settings(changes)
    for change in changes:
        if isinstance(change, CreateTable):
            yield CreateTableCall(change.table)
    yield from _families(changes)
    for change in drops:
        yield DeleteTableCall(change.table_id)
    if not drops:
        yield from _settings(changes)
    for change in changes:
        if isinstance(change, Protect):
            yield UpdateSettingsCall(change.table_id, change.settings)


def _families(changes: Sequence[Change]) -> Iterator[Call]:
    create = tuple(change.family for change in changes if isinstance(change, AddFamily))
    rules = [change for change in changes if isinstance(change, ChangeGc)]
    drop = tuple(change.family.id for change in changes if isinstance(change, DropFamily))
    if create or rules or drop:
        update = tuple(change.family for change in rules)
        ignore = any(change.ignores_warnings for change in rules)
        yield ModifyFamiliesCall(changes[0].table_id, create, update, drop, ignore)


def _settings(changes: Sequence[Change]) -> Iterator[Call]:
    """One call for all settings but protection, and those before it that take a row key schema away."""
    together = UNSTATED
    for change in changes:
        if not isinstance(change, SettingChange) or isinstance(change, Protect | Unprotect):
            continue
        if isinstance(change, RemoveKeySchema | EditKeySchema):
            none = TableSettings(row_key_schema="")
            yield UpdateSettingsCall(change.table_id, none, ignore_warnings=True)
        if not isinstance(change, RemoveKeySchema):
            together = change.settings.over(together)
    if together != UNSTATED:
        yield UpdateSettingsCall(changes[0].table_id, together)
