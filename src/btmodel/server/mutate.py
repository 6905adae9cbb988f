"""Mutations of a row, and what the service refuses.

A row is changed in memory and written once all of its mutations have gone well, so a refused one leaves no
trace of those before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from btmodel.server import limits
from btmodel.server.catalog import CatalogTable
from btmodel.server.filters import timestamp_bounds
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, invalid, not_found, precondition, shown, unimplemented
from btmodel.server.stored_rows import Columns
from btmodel.words import counted

CLIENT_AUTO_GENERATED = 2  # Mutation.TimestampOrigin.CLIENT_AUTO_GENERATED


def check_count(count: int, fields: str, one: str) -> None:
    """Refuse a request without any, or with more than 100,000, of what its *fields* hold."""
    limits.check_any(count, fields, one)
    if count > limits.MUTATIONS:
        raise invalid(f"Too many {one}s: {count} provided; limit {limits.MUTATIONS}")


def apply(
    columns: Columns, mutations: Iterable[Message], table: CatalogTable, now: int | None = None
) -> None:
    """Change the columns of a row in place; raises RequestError, and the columns are then of no use."""
    now = table.now() if now is None else now
    applied = 0
    try:
        for mutation in mutations:
            kind = mutation.WhichOneof("mutation")
            if kind is None:
                raise invalid("Mutation must have one of its fields set")
            _KINDS[kind](columns, mutation, table, now)
            applied += 1
    except RequestError as error:
        text = f"Error in Mutation list : Error in element #{applied} : {error.text}"
        raise RequestError(error.code, text) from None


def _family(table: CatalogTable, name: str) -> str | None:
    """The aggregation of a family; refuses a name that no family has."""
    family = table.families.get(name)
    if family is None:
        limits.check_family_id(name)
        raise not_found(f"Requested column family not found: {name}")
    return family.aggregate


def _set_cell(columns: Columns, mutation: Message, table: CatalogTable, now: int) -> None:
    cell = mutation.set_cell
    name, qualifier, timestamp, value = (
        cell.family_name,
        cell.column_qualifier,
        cell.timestamp_micros,
        cell.value,
    )
    family = table.families.get(name)
    if family is None or family.aggregate is not None:
        _refuse_set_cell(table, name)
    if len(qualifier) > limits.QUALIFIER_SIZE:
        limits.check_qualifier(qualifier)
    if len(value) > limits.CELL_SIZE:
        limits.check_value(value)
    if timestamp < 0 or timestamp % table.granule:
        timestamp = _settled(timestamp, mutation.timestamp_origin, table.granule, now)
    column = (name, qualifier)
    versions = columns.get(column)
    if versions is None:
        columns[column] = {timestamp: value}
    else:
        versions[timestamp] = value


def _refuse_set_cell(table: CatalogTable, name: str) -> NoReturn:
    _family(table, name)
    raise invalid(f"SetCell cannot write to the aggregate column family '{name}', use AddToCell")


def _settled(timestamp: int, origin: int, granule: int, now: int) -> int:
    """The timestamp that a SetCell means when it is not one that the table holds as it is."""
    if timestamp == -1:
        return now
    if origin == CLIENT_AUTO_GENERATED and timestamp > 0:
        return timestamp - timestamp % granule
    if timestamp < 0:
        raise invalid(
            f"timestamp_micros must not be negative, but for -1, the server's time; got {timestamp}"
        )
    return limits.check_timestamp(timestamp, granule)


def settle(mutation: Message, table: CatalogTable, now: int) -> None:
    """Give a SetCell that was applied at *now* the timestamp that it had then."""
    cell = mutation.set_cell
    cell.timestamp_micros = _settled(cell.timestamp_micros, mutation.timestamp_origin, table.granule, now)


def _delete_from_column(columns: Columns, mutation: Message, table: CatalogTable, now: int) -> None:
    deletion = mutation.delete_from_column
    _family(table, deletion.family_name)
    limits.check_qualifier(deletion.column_qualifier)
    start, end = timestamp_bounds(deletion.time_range, table.granule)
    column = (deletion.family_name, deletion.column_qualifier)
    left = {t: value for t, value in columns.pop(column, {}).items() if not start <= t < end}
    if left:
        columns[column] = left


def _delete_from_family(columns: Columns, mutation: Message, table: CatalogTable, now: int) -> None:
    family = mutation.delete_from_family.family_name
    _family(table, family)
    for column in [column for column in columns if column[0] == family]:
        del columns[column]


def _delete_from_row(columns: Columns, mutation: Message, table: CatalogTable, now: int) -> None:
    columns.clear()


# Aggregates: the state of a sum, a minimum or a maximum is a signed 64-bit big-endian number

_AGGREGATES: dict[str, Callable[[int, int], int]] = {
    "sum": lambda old, new: wrapped(old + new),
    "min": min,
    "max": max,
}


def wrapped(number: int) -> int:
    """A sum as signed 64-bit arithmetic gives it: past the largest number comes the smallest."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _target(part: Message, table: CatalogTable, name: str) -> tuple[str, tuple[str, bytes], int]:
    """The cell that an AddToCell or a MergeToCell is for: how it aggregates, its column and its timestamp."""
    aggregate = _family(table, part.family_name)
    if aggregate is None:
        raise invalid(
            f"{name} cannot write to the column family '{part.family_name}': it is not an aggregate"
        )
    if part.column_qualifier.WhichOneof("kind") != "raw_value":
        raise invalid(f"{name} needs its column_qualifier as a raw_value")
    if part.timestamp.WhichOneof("kind") != "raw_timestamp_micros":
        raise invalid(f"{name} needs its timestamp as raw_timestamp_micros")
    qualifier = part.column_qualifier.raw_value
    limits.check_qualifier(qualifier)
    timestamp = limits.check_timestamp(part.timestamp.raw_timestamp_micros, table.granule)
    if aggregate == "hll":
        raise unimplemented("The local server does not aggregate with hllpp_unique_count")
    return aggregate, (part.family_name, qualifier), timestamp


def _combine(columns: Columns, target: tuple[str, tuple[str, bytes], int], number: int) -> None:
    aggregate, column, timestamp = target
    versions = columns.setdefault(column, {})
    if timestamp in versions:
        number = _AGGREGATES[aggregate](int.from_bytes(versions[timestamp], signed=True), number)
    versions[timestamp] = number.to_bytes(8, signed=True)


def _add_to_cell(columns: Columns, mutation: Message, table: CatalogTable, now: int) -> None:
    part = mutation.add_to_cell
    target = _target(part, table, "AddToCell")
    kind = part.input.WhichOneof("kind")
    if kind != "int_value":
        raise invalid(
            f"AddToCell needs its input as an int_value for an Int64 family, got {kind or 'nothing'}"
        )
    _combine(columns, target, part.input.int_value)


def _merge_to_cell(columns: Columns, mutation: Message, table: CatalogTable, now: int) -> None:
    part = mutation.merge_to_cell
    target = _target(part, table, "MergeToCell")
    kind = part.input.WhichOneof("kind")
    if kind is None:
        return  # merging nothing is allowed and does nothing
    if kind != "raw_value":
        raise invalid(f"MergeToCell needs its input as a raw_value, got {kind}")
    if len(part.input.raw_value) != 8:
        raise invalid(
            f"MergeToCell needs a state of 8 bytes for Int64, got {counted(len(part.input.raw_value), 'byte')}"
        )
    _combine(columns, target, int.from_bytes(part.input.raw_value, signed=True))


_KINDS: dict[str, Callable[[Columns, Message, CatalogTable, int], None]] = {
    "set_cell": _set_cell,
    "add_to_cell": _add_to_cell,
    "merge_to_cell": _merge_to_cell,
    "delete_from_column": _delete_from_column,
    "delete_from_family": _delete_from_family,
    "delete_from_row": _delete_from_row,
}


def read_modify_write(columns: Columns, rules: Iterable[Message], table: CatalogTable) -> Columns:
    """Apply rules to the newest cells of a row in place, and answer the cells that this wrote."""
    now = table.now()
    written: Columns = {}
    for rule in rules:
        kind = rule.WhichOneof("rule")
        if kind is None:
            raise invalid("ReadModifyWriteRule must have append_value or increment_amount set")
        if _family(table, rule.family_name) is not None:
            raise invalid(
                f"ReadModifyWriteRow cannot write to the aggregate column family '{rule.family_name}'"
            )
        limits.check_qualifier(rule.column_qualifier)
        column = (rule.family_name, rule.column_qualifier)
        versions = columns.setdefault(column, {})
        newest = max(versions, default=0)
        old = versions.get(newest)
        timestamp = max(newest, now)
        value = _appended(old, rule) if kind == "append_value" else _incremented(old, rule)
        versions[timestamp] = value
        written[column] = {timestamp: value}
    return written


def _appended(old: bytes | None, rule: Message) -> bytes:
    value: bytes = (old or b"") + rule.append_value
    limits.check_value(value)
    return value


def _incremented(old: bytes | None, rule: Message) -> bytes:
    if old is not None and len(old) != 8:
        raise precondition(
            f"Increment needs a value of 8 bytes, a big-endian 64-bit integer, but the newest cell of "
            f"'{rule.family_name}:{shown(rule.column_qualifier)}' has {counted(len(old), 'byte')}"
        )
    number = int.from_bytes(old or b"", signed=True) + rule.increment_amount
    return wrapped(number).to_bytes(8, signed=True)
