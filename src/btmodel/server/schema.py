"""Valid tables, families and GC rules, and their permitted changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from btmodel.server import limits, protos
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, invalid, precondition, unimplemented
from btmodel.words import duration_text

# A rule is handled as the service documents it: max_num_versions deletes all but the newest N cells of a
# column, max_age deletes cells older than an age, a union deletes what any of its rules deletes, an
# intersection what all of them delete, and no rule at all deletes nothing.

MILLISECOND = timedelta(milliseconds=1)
MICROSECOND = timedelta(microseconds=1)

#: (rank of the cell in its column, the newest being 0; its age in microseconds) -> is it garbage?
Collector = Callable[[int, int], bool]


def check(rule: Message, family: str) -> None:
    """Refuse a rule that the service would not store: too large, empty branches, or thresholds below one."""
    size = rule.ByteSize()
    if size > limits.GC_RULE_SIZE:
        raise invalid(
            f"GC rule of family '{family}' is {size:,} bytes long, "
            f"which is more than the limit of {limits.GC_RULE_SIZE} bytes"
        )
    _check_node(rule, family, outermost=True)


def _check_node(rule: Message, family: str, outermost: bool) -> None:
    kind = rule.WhichOneof("rule")
    if kind is None and not outermost:
        raise invalid(f"GC rule of family '{family}' has an empty rule in a union or an intersection")
    if kind == "max_num_versions" and rule.max_num_versions < 1:
        raise invalid(
            f"max_num_versions of family '{family}' must be at least 1, but got {rule.max_num_versions}"
        )
    if kind == "max_age":
        age = limits.duration(rule.max_age, f"max_age of family '{family}'")
        if age < MILLISECOND:
            raise invalid(
                f"max_age of family '{family}' must be at least 1 millisecond, but got {duration_text(age)}"
            )
    if kind in ("union", "intersection"):
        children = getattr(rule, kind).rules
        if not children:
            raise invalid(f"{kind} of family '{family}' must contain at least one rule")
        for child in children:
            _check_node(child, family, outermost=False)


def collector(rule: Message) -> Collector | None:
    """Compile a rule; None when it never deletes anything."""
    kind = rule.WhichOneof("rule")
    if kind is None:
        return None
    if kind == "max_num_versions":
        keep: int = rule.max_num_versions
        return lambda rank, age: rank >= keep
    if kind == "max_age":
        oldest = limits.duration(rule.max_age, "max_age") // MICROSECOND
        return lambda rank, age: age > oldest
    parts = [part for child in getattr(rule, kind).rules if (part := collector(child))]
    if kind == "union":
        return lambda rank, age: any(part(rank, age) for part in parts)
    return lambda rank, age: all(part(rank, age) for part in parts)


def check_relaxation(old: Message, new: Message, family: str, ignore_warnings: bool) -> None:
    """Refuse to relax a pure age rule of a replicated family.

    With ignore_warnings the service lets an age grow by up to 90 days at a time; removing the rule, or
    replacing it by one that is not pure age, stays refused.
    """
    if old.WhichOneof("rule") != "max_age":
        return
    before = limits.duration(old.max_age, "max_age")
    if new.WhichOneof("rule") == "max_age":
        grown = limits.duration(new.max_age, "max_age") - before
        if grown <= timedelta(0) or (ignore_warnings and grown <= limits.RELAX_AT_MOST):
            return
    elif _at_least_as_strict(new, before // MICROSECOND):
        return
    raise precondition(
        f"Cannot relax pure age-based GC for a replicated family ({family}). "
        "If you must relax the age constraint, unreplicate the instance and try again."
    )


def _at_least_as_strict(rule: Message, age: int) -> bool:
    """Whether a rule still deletes all that is older than *age* microseconds, the newest cells too."""
    collects = collector(rule)
    return collects is not None and collects(0, age + 1)


_Table = protos.admin("Table")
_Type = protos.admin("Type")
MILLIS, MICROS = 1, 2  # Table.TimestampGranularity
VALUE_TYPES = ("bytes_type", "string_type", "int64_type", "aggregate_type")

#: what UpdateTable may change, each field with those within it
UPDATABLE = ("change_stream_config", "deletion_protection", "row_key_schema", "automated_backup_policy",
             "tiered_storage_config")  # fmt: skip


def new_table(name: str, wanted: Message) -> Message:
    """The description of a table to create; raises INVALID_ARGUMENT for what cannot be."""
    if wanted.name:
        raise invalid(f"The name of a table to create must be empty, its id says it; got '{wanted.name}'")
    if wanted.granularity not in (0, MILLIS, MICROS):
        raise invalid(f"Unknown timestamp granularity {wanted.granularity}")
    table = _Table(name=name, granularity=wanted.granularity or MILLIS)
    table.deletion_protection = wanted.deletion_protection
    for field in UPDATABLE:
        if field != "deletion_protection" and wanted.HasField(field):
            getattr(table, field).CopyFrom(getattr(wanted, field))
    check_settings(table)
    for family_id, family in wanted.column_families.items():
        table.column_families[family_id].CopyFrom(new_family(family_id, family))
    return table


def check_settings(table: Message) -> None:
    """Refuse retention periods and the like that are out of their ranges."""
    if table.HasField("change_stream_config"):
        retention = limits.duration(
            table.change_stream_config.retention_period, "change_stream_config.retention_period"
        )
        limits.check_between(retention, *limits.STREAM_RETENTION, "change_stream_config.retention_period")
    if table.HasField("automated_backup_policy"):
        _check_backups(table.automated_backup_policy)
    if table.HasField("tiered_storage_config"):
        rule = table.tiered_storage_config.infrequent_access
        age = limits.duration(rule.include_if_older_than, "include_if_older_than")
        if age < limits.INFREQUENT_AFTER:
            raise invalid(
                f"include_if_older_than must be at least {duration_text(limits.INFREQUENT_AFTER)}, "
                f"but got {duration_text(age)}"
            )
    if table.HasField("row_key_schema"):
        _check_key_schema(table)


def _check_backups(policy: Message) -> None:
    if policy.HasField("retention_period"):
        retention = limits.duration(policy.retention_period, "automated_backup_policy.retention_period")
        limits.check_between(retention, *limits.BACKUP_RETENTION, "automated_backup_policy.retention_period")
    if policy.HasField("frequency"):
        frequency = limits.duration(policy.frequency, "automated_backup_policy.frequency")
        if frequency != limits.BACKUP_FREQUENCY:
            raise invalid(
                f"automated_backup_policy.frequency must be 24 hours, but got {duration_text(frequency)}"
            )
    if policy.HasField("keep_hot_duration"):
        hot = limits.duration(policy.keep_hot_duration, "automated_backup_policy.keep_hot_duration")
        limits.check_between(hot, *limits.BACKUP_HOT, "automated_backup_policy.keep_hot_duration")


def _check_key_schema(table: Message) -> None:
    fields = table.row_key_schema.fields
    if not fields:
        raise invalid("row_key_schema must have at least one field")
    if not table.row_key_schema.HasField("encoding"):
        raise invalid("row_key_schema must have an encoding")
    names: set[str] = {"_key", "_timestamp", *table.column_families}
    for field in fields:
        kind = field.type_.WhichOneof("kind")
        if not field.field_name or field.field_name in names:
            raise invalid(f"row_key_schema has the field name '{field.field_name}' that is empty or taken")
        if kind is None or kind in ("aggregate_type", "struct_type", "array_type", "map_type"):
            raise invalid(
                f"row_key_schema field '{field.field_name}' must have a scalar type, got {kind or 'none'}"
            )
        names.add(field.field_name)


def new_family(family_id: str, wanted: Message) -> Message:
    """The description of a family to create; raises INVALID_ARGUMENT for what cannot be."""
    limits.check_family_id(family_id)
    family = type(wanted)()
    family.CopyFrom(wanted)
    check(family.gc_rule, family_id)
    if family.HasField("value_type"):
        _complete_type(family.value_type, family_id)
    return family


def _complete_type(value_type: Message, family_id: str) -> None:
    """Check the type of a family's values, and fill in what the server says of it."""
    kind = value_type.WhichOneof("kind")
    if kind not in VALUE_TYPES and kind is not None:
        raise invalid(
            f"value_type of family '{family_id}' must be one of {', '.join(VALUE_TYPES)}, got {kind}"
        )
    if kind != "aggregate_type":
        return
    aggregate = value_type.aggregate_type
    aggregator = aggregate.WhichOneof("aggregator")
    if aggregator is None:
        raise invalid(f"value_type.aggregate_type of family '{family_id}' must have an aggregator")
    input_kind = aggregate.input_type.WhichOneof("kind")
    if input_kind is None:
        raise invalid(f"value_type.aggregate_type of family '{family_id}' must have an input_type")
    if aggregator == "hllpp_unique_count":
        aggregate.state_type.CopyFrom(_Type(bytes_type={}))
        return
    if input_kind != "int64_type":
        raise invalid(
            f"{aggregator} of family '{family_id}' must have int64_type as its input_type, got {input_kind}"
        )
    aggregate.state_type.CopyFrom(aggregate.input_type)


def update_family(family_id: str, family: Message, wanted: Message, paths: list[str]) -> Message:
    """A family with the fields that a mask names taken from *wanted*; an empty mask means its gc_rule."""
    changed = type(family)()
    changed.CopyFrom(family)
    for path in paths or ["gc_rule"]:
        head = path.partition(".")[0]
        if head not in ("gc_rule", "value_type"):
            raise _bad_mask(paths)
        changed.ClearField(head)
        if wanted.HasField(head):
            getattr(changed, head).CopyFrom(getattr(wanted, head))
    changed = new_family(family_id, changed)
    if _aggregate(changed) != _aggregate(family):
        raise invalid("Immutable fields 'value_type.aggregate_type' cannot be updated")
    return changed


def _aggregate(family: Message) -> bytes:
    """The part of a family's type that can never change, in a comparable form."""
    if family.value_type.WhichOneof("kind") != "aggregate_type":
        return b""
    stored: bytes = b"aggregate" + family.value_type.aggregate_type.SerializeToString(deterministic=True)
    return stored


def _bad_mask(paths: list[str]) -> RequestError:
    named = " ".join(f'paths:"{path}"' for path in paths)
    return invalid(f"incorrect path in UpdateMask; got: {named}")


def update_table(table: Message, wanted: Message, paths: list[str], ignore_warnings: bool) -> Message:
    """A table with the fields that a mask names taken from *wanted*."""
    if not paths:
        raise invalid("update_mask must name at least one field")
    changed = type(table)()
    changed.CopyFrom(table)
    for path in paths:
        head = path.partition(".")[0]
        if head == "column_families":
            raise unimplemented("column_families cannot be changed by UpdateTable; use ModifyColumnFamilies")
        if head not in UPDATABLE or not _take(changed, wanted, path.split(".")):
            raise _bad_mask(paths)
    _check_key_schema_change(table, changed, ignore_warnings)
    check_settings(changed)
    return changed


def _take(target: Message, source: Message, path: list[str]) -> bool:
    """Copy the field at a path, or clear it where it is unset; False when there is no such field."""
    name, *rest = path
    field = target.DESCRIPTOR.fields_by_name.get(name)
    if field is None or (rest and field.message_type is None):
        return False
    if rest:
        return _take(getattr(target, name), getattr(source, name), rest)
    target.ClearField(name)
    if field.message_type is None:
        value = getattr(source, name)
        if isinstance(value, str | bytes | int | float):
            setattr(target, name, value)
        else:
            getattr(target, name).extend(value)
    elif source.HasField(name):
        getattr(target, name).CopyFrom(getattr(source, name))
    return True


def _check_key_schema_change(old: Message, new: Message, ignore_warnings: bool) -> None:
    if not old.HasField("row_key_schema") or old.row_key_schema == new.row_key_schema:
        return
    if new.HasField("row_key_schema"):
        raise invalid("Row key schema in-place modification is not allowed")
    if not ignore_warnings:
        raise precondition(
            "Removing the row key schema breaks queries that use it; set ignore_warnings to do so"
        )
