"""Our writes as those of the data client."""

from google.cloud.bigtable.data import (
    AddToCell,
    DeleteAllFromFamily,
    DeleteAllFromRow,
    DeleteRangeFromColumn,
    SetCell,
)
from google.cloud.bigtable.data import Mutation as ClientMutation
from google.cloud.bigtable.data.read_modify_write_rules import (
    AppendValueRule,
    IncrementRule,
    ReadModifyWriteRule,
)

from btmodel.errors import ValueRefused, shown
from btmodel.rows import Append, Delete, Increment, Mutation, ReadModifyWrite
from btmodel.schema.figures import MUTATIONS_A_REQUEST


def refuse_unsendable(mutation: Mutation) -> None:
    """Raise :class:`ValueRefused` for a mutation that does nothing, or more than one request holds."""
    if not 1 <= mutation.count <= MUTATIONS_A_REQUEST:
        where = f"table {mutation.table!r}, row {shown(mutation.key)}"
        raise ValueRefused(f"1 to {MUTATIONS_A_REQUEST:,} changes of a row", mutation.count, where=where)


def client_mutations(mutation: Mutation) -> list[ClientMutation]:
    """What ``mutation`` does, in its order: deletes, then sets, then adds; raises :class:`ValueRefused`."""
    refuse_unsendable(mutation)
    return [
        *(_delete(delete) for delete in mutation.deletes),
        *(
            SetCell(cell.family, cell.qualifier, cell.value, timestamp_micros=cell.timestamp)
            for cell in mutation.cells
        ),
        *(AddToCell(add.family, add.qualifier, add.amount, add.timestamp) for add in mutation.adds),
    ]


def client_rules(change: ReadModifyWrite) -> list[ReadModifyWriteRule]:
    """The changes of a read-modify-write, in their order."""
    return [_rule(one) for one in change.changes]


def _delete(delete: Delete) -> ClientMutation:
    if delete.family is None:
        return DeleteAllFromRow()
    if delete.qualifier is None:
        return DeleteAllFromFamily(delete.family)
    return DeleteRangeFromColumn(delete.family, delete.qualifier, delete.start or None, delete.end or None)


def _rule(change: Increment | Append) -> ReadModifyWriteRule:
    if isinstance(change, Increment):
        return IncrementRule(change.family, change.qualifier, change.amount)
    return AppendValueRule(change.family, change.qualifier, change.value)
