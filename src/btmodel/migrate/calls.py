"""The calls that make changes live: one call a table."""

from collections.abc import Sequence

from btmodel.migrate.changes import AddFamily, Change, ChangeGc, CreateTable, DropFamily, DropTable
from btmodel.migrate.instance import Instance


def call(instance: Instance, changes: Sequence[Change]) -> None:
    """Make ``changes``, which are all of one table, in one call."""
    first = changes[0]
    match first:
        case CreateTable(table):
            instance.create_table(table)
        case DropTable(table):
            instance.delete_table(table.id)
        case _:
            instance.modify_families(
                first.table_id,
                create=[change.family for change in changes if isinstance(change, AddFamily)],
                update=[change.family for change in changes if isinstance(change, ChangeGc)],
                drop=[change.family.id for change in changes if isinstance(change, DropFamily)],
            )
