"""Writes as serialized requests."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from google.cloud.bigtable_v2.types import (
    CheckAndMutateRowResponse,
    MutateRowsRequest,
    ReadModifyWriteRowResponse,
)
from google.protobuf.message import DecodeError

from btmodel.client.call import Calls
from btmodel.client.failures import InvalidAnswer
from btmodel.client.filter_messages import filter_bytes
from btmodel.errors import ValueRefused, shown
from btmodel.rows import Append, Cell, Conditional, Entry, Mutation, ReadModifyWrite
from btmodel.rows.serialized import entry, message, mutations, refuse_text, rules, text, varint
from btmodel.schema.limits import CELL_BYTES, MUTATIONS_A_REQUEST
from btmodel.words import as_text

# Tags of the fields of each request in google/bigtable/v2/bigtable.proto. Field 1 is the table in each of them; the number of the authorized view differs.
_TABLE = b"\x0a"
_VIEW_OF_ROW, _VIEW_OF_ROWS, _VIEW_OF_CHECKED = b"\x32", b"\x2a", b"\x4a"
_ENTRY, _ENTRIES_PROFILE = b"\x12", b"\x1a"
_KEY, _MUTATION, _PROFILE = b"\x12", b"\x1a", b"\x22"
_IF_FOUND, _IF_NOT, _CONDITION, _CHECKED_PROFILE = b"\x22", b"\x2a", b"\x32", b"\x3a"
# Entries of less than 2 KB, as most are, begin with one of these.
_HEADS = tuple(_ENTRY + varint(size) for size in range(2048))


T = TypeVar("T", bytes, Entry)


def sendable(mutation: Mutation, tag: bytes) -> bytes:
    """What ``mutation`` does as fields of ``tag``; raises :class:`ValueRefused`, which names the row."""
    return _serialized(mutation, lambda: mutations(mutation, tag))


def sendable_entry(mutation: Mutation) -> Entry:
    """``mutation`` as one of a bulk write; raises :class:`ValueRefused`, which names the row."""
    return _serialized(mutation, lambda: entry(mutation))


def _serialized(mutation: Mutation, made: Callable[[], T]) -> T:
    refuse_unsendable(mutation.table, mutation.key, mutation.count)
    try:
        try:
            sent = made()
        except TypeError:  # which is not looked for in each value
            refuse_text(change for change in mutation.changes if isinstance(change, Cell))
            raise
        if len(sent.raw if isinstance(sent, Entry) else sent) > CELL_BYTES:
            for change in mutation.changes:
                if isinstance(change, Cell):
                    _refuse_large(change.family, change.qualifier, change.value)
    except ValueRefused as error:
        raise error.at(_row(mutation.table, mutation.key)) from None
    return sent


def refuse_large_entry(table: str, sent: Entry) -> None:
    """Raise :class:`ValueRefused` for a serialized row with a value that no cell holds."""
    if len(sent.raw) <= CELL_BYTES:
        return
    try:
        for mutation in MutateRowsRequest.Entry.pb().FromString(sent.raw).mutations:
            cell = mutation.set_cell
            _refuse_large(cell.family_name, cell.column_qualifier, cell.value)
    except ValueRefused as error:
        raise error.at(_row(table, sent.key)) from None


def _refuse_large(family: str, qualifier: bytes, value: bytes) -> None:
    if len(value) > CELL_BYTES:
        raise ValueRefused(
            f"at most {CELL_BYTES:,} bytes in the cell {family}:{as_text(qualifier)}, which is the limit of the service",
            len(value),
        )


def refuse_unsendable(table: str, key: bytes, count: int) -> None:
    """Raise :class:`ValueRefused` for a write of a row that does nothing, or more than one request holds."""
    if not 1 <= count <= MUTATIONS_A_REQUEST:
        raise ValueRefused(f"1 to {MUTATIONS_A_REQUEST:,} changes of a row", count, where=_row(table, key))


def _row(table: str, key: bytes) -> str:
    return f"table {table!r}, row {shown(key)}"


def _where(calls: Calls, view: bytes) -> bytes:
    """The field that says what is written to: the table, or, in the field of the tag ``view``, its authorized view."""
    return text(view if calls.authorized else _TABLE, calls.name)


def write_request(calls: Calls, mutation: Mutation) -> bytes:
    """A ``MutateRowRequest``; raises :class:`ValueRefused` for a mutation that cannot be sent."""
    changes = sendable(mutation, _MUTATION)
    return b"".join(
        (_where(calls, _VIEW_OF_ROW), text(_KEY, mutation.key), changes, text(_PROFILE, calls.app_profile))
    )


def bulk_request(calls: Calls, raws: Sequence[bytes]) -> bytes:
    """A ``MutateRowsRequest`` of serialized entries."""
    parts = [_where(calls, _VIEW_OF_ROWS), text(_ENTRIES_PROFILE, calls.app_profile)]
    for raw in raws:
        size = len(raw)
        parts += (_HEADS[size] if size < 2048 else _ENTRY + varint(size), raw)
    return b"".join(parts)


def conditional_request(calls: Calls, conditional: Conditional) -> bytes:
    """A ``CheckAndMutateRowRequest``.

    Raises :class:`ValueRefused` for a mutation that cannot be sent, and :class:`QueryRefused` for a
    condition too large.
    """
    mutation = conditional.mutation
    there, other = (_IF_FOUND, _IF_NOT) if conditional.present else (_IF_NOT, _IF_FOUND)
    changes = sendable(mutation, there)
    if conditional.otherwise is not None:
        try:
            changes += sendable(conditional.otherwise, other)
        except ValueRefused as error:
            raise error.at(f"otherwise=: {error.where}") from None
    return b"".join(
        (
            _where(calls, _VIEW_OF_CHECKED),
            text(_KEY, mutation.key),
            changes,
            message(_CONDITION, filter_bytes(conditional.found, mutation.table)),
            text(_CHECKED_PROFILE, calls.app_profile),
        )
    )


def modify_request(calls: Calls, change: ReadModifyWrite) -> bytes:
    """A ``ReadModifyWriteRowRequest``; raises :class:`ValueRefused` for an amount that no cell holds."""
    try:
        changes = rules(change)
        if len(changes) > CELL_BYTES:
            for one in change.changes:
                if isinstance(one, Append):
                    _refuse_large(one.family, one.qualifier, one.value)
    except ValueRefused as error:
        raise error.at(_row(change.table, change.key)) from None
    return b"".join(
        (_where(calls, _VIEW_OF_ROW), text(_KEY, change.key), changes, text(_PROFILE, calls.app_profile))
    )


def found(answer: bytes) -> bool:
    """Whether the condition of a conditional write found a cell; raises :class:`InvalidAnswer`."""
    return bool(_parsed(CheckAndMutateRowResponse, answer).predicate_matched)


def changed(answer: bytes) -> list[Cell]:
    """The cells that a read-modify-write left; raises :class:`InvalidAnswer`."""
    return [
        Cell(family.name, column.qualifier, cell.timestamp_micros, cell.value)
        for family in _parsed(ReadModifyWriteRowResponse, answer).row.families
        for column in family.columns
        for cell in column.cells
    ]


def _parsed(kind: Any, answer: bytes) -> Any:
    """The message, without the wrapping of Google's client."""
    try:
        return kind.pb().FromString(answer)
    except DecodeError:
        raise InvalidAnswer("a message that does not parse") from None
