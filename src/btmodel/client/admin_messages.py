"""Families, GC rules, table settings and what else a table has as messages of the admin API, and back."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any, cast

from attrs import frozen
from google.cloud.bigtable_admin_v2 import types
from google.cloud.bigtable_admin_v2.types import ColumnFamily as FamilyMessage
from google.cloud.bigtable_admin_v2.types import GcRule as Message
from google.cloud.bigtable_admin_v2.types import Type
from google.protobuf import json_format

from btmodel.errors import DeclarationError, shown
from btmodel.schema import (
    Aggregate,
    AuthorizedView,
    Family,
    FamilySubset,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    SchemaBundle,
    Union,
)
from btmodel.schema.column import OtherAggregate
from btmodel.schema.gc import simplified
from btmodel.schema.key_schema import key_schema_text
from btmodel.schema.model import OFF, TableSettings

_LEAST_AGE = timedelta(milliseconds=1)


@frozen(str=False)
class DeleteAll(GcRule):
    """Deletes every cell.

    Never declared: it stands for a live limit that the service refuses (no versions,
    an age under 1 ms), and that an emulator stores all the same.
    """

    def deletes(self, age: timedelta, rank: int) -> bool:
        """Always."""
        return True

    def thresholds(self) -> Iterator[MaxAge | MaxVersions]:
        """None."""
        yield from ()

    def __str__(self) -> str:
        return "nothing"


def rule_of(message: Message) -> GcRule:
    """The rule that ``message`` states; one that is unset or empty keeps everything."""
    kind = Message.pb(message).WhichOneof("rule")
    match kind:
        case "max_num_versions":
            return MaxVersions(message.max_num_versions) if message.max_num_versions > 0 else DeleteAll()
        case "max_age":
            age = cast("timedelta", message.max_age)  # proto-plus gives a Duration as a timedelta
            return MaxAge(age) if age >= _LEAST_AGE else DeleteAll()
        case "union":
            parts = tuple(map(rule_of, message.union.rules))
            return Union(parts) if parts else KeepAll()
        case "intersection":
            parts = tuple(map(rule_of, message.intersection.rules))
            return Intersection(parts) if parts else KeepAll()
        case _:
            return KeepAll()


def rule_message(rule: GcRule | None) -> Message | None:
    """``rule`` as a message; None, which leaves the field unset, where it keeps everything."""
    return None if rule is None else _rule_message(simplified(rule))


def _rule_message(rule: GcRule) -> Message | None:
    match rule:
        case KeepAll():
            return None
        case MaxVersions(versions):
            return _new_rule(max_num_versions=versions)
        case MaxAge(age):
            return _new_rule(max_age=age)
        case Union(rules):
            return _new_rule(union=Message.Union(rules=[_rule_message(part) for part in rules]))
        case Intersection(rules):
            return _new_rule(intersection=Message.Intersection(rules=[_rule_message(part) for part in rules]))
        case _:
            raise TypeError(f"a GC rule that cannot be declared: {rule!r}")


def _new_rule(**rule: object) -> Message:
    return Message(**rule)  # type: ignore[no-untyped-call]


# proto-plus keeps clear of Python's own min and max.
_FIELDS = {Aggregate.SUM: "sum", Aggregate.MIN: "min_", Aggregate.MAX: "max_"}
_BIG_ENDIAN = Type.Int64.Encoding(big_endian_bytes=Type.Int64.Encoding.BigEndianBytes())


def family_of(id: str, message: FamilyMessage) -> Family:
    """The family called ``id`` that ``message`` states."""
    raw = FamilyMessage.pb(message).value_type
    kind = raw.WhichOneof("kind")
    aggregate = _aggregate(raw.aggregate_type) if kind == "aggregate_type" else None
    # Cells of bytes are plain cells, whether or not that is said.
    ours = isinstance(aggregate, Aggregate) or kind in (None, "bytes_type")
    rule = rule_of(message.gc_rule)
    return Family(id, rule, cast("Aggregate", aggregate), value_type=None if ours else _text(raw))


def family_message(family: Family) -> FamilyMessage:
    """``family`` as a message; the sums, minima and maxima of an aggregate are 64-bit big-endian integers."""
    rule = rule_message(family.gc)
    if family.value_type is not None:
        return FamilyMessage(gc_rule=rule, value_type=Type.from_json(family.value_type))
    if family.aggregate is None:
        return FamilyMessage(gc_rule=rule)
    number = Type(int64_type=Type.Int64(encoding=_BIG_ENDIAN))
    aggregate = Type.Aggregate({"input_type": number, _FIELDS[family.aggregate]: {}})
    return FamilyMessage(gc_rule=rule, value_type=Type(aggregate_type=aggregate))


def _aggregate(aggregate: Any) -> Aggregate | OtherAggregate:
    """How values of a raw ``Type.Aggregate`` aggregate."""
    named = aggregate.WhichOneof("aggregator") or "nothing"
    for ours, name in _FIELDS.items():
        if named == name and aggregate.input_type.HasField("int64_type"):
            return ours
    return OtherAggregate(named)


def _text(value_type: Any) -> str:
    """A raw ``Type`` as JSON, without what the service adds to it."""
    type_ = json_format.MessageToDict(value_type)
    type_.get("aggregateType", {}).pop("stateType", None)
    return json.dumps(type_, sort_keys=True, ensure_ascii=False)


# What else a policy says stays as it is: zones, and how long backups are hot.
_BACKUPS = ("automated_backup_policy.retention_period", "automated_backup_policy.frequency")
_DAILY = timedelta(days=1)  # the one frequency of automated backups that there is


def settings_of(message: types.Table) -> TableSettings:
    """All settings of a live table."""
    raw = types.Table.pb(message)
    stream = raw.change_stream_config.retention_period
    cold = raw.tiered_storage_config.infrequent_access.include_if_older_than
    return TableSettings(
        deletion_protection=raw.deletion_protection,
        change_stream=_period(stream),
        automated_backups=_backups(raw),
        tiered_storage=_period(cold),
        row_key_schema=_key_schema(raw),
    )


def settings_message(settings: TableSettings) -> types.Table:
    """A table with what ``settings`` state and nothing else; what is stated to be off is unset.

    Raises :class:`DeclarationError` for a row key schema that is none.
    """
    message = types.Table()
    if settings.deletion_protection is not None:
        message.deletion_protection = settings.deletion_protection
    if settings.change_stream:
        message.change_stream_config = types.ChangeStreamConfig(retention_period=settings.change_stream)
    if settings.automated_backups:
        message.automated_backup_policy = types.Table.AutomatedBackupPolicy(
            retention_period=settings.automated_backups, frequency=_DAILY
        )
    if settings.tiered_storage:
        rule = types.TieredStorageRule(include_if_older_than=settings.tiered_storage)
        message.tiered_storage_config = types.TieredStorageConfig(infrequent_access=rule)
    if settings.row_key_schema:
        message.row_key_schema = _key_schema_message(settings.row_key_schema)
    return message


def updates(settings: TableSettings, live: types.Table) -> Iterator[tuple[types.Table, tuple[str, ...]]]:
    """What to send for each setting that is stated: a table, and the paths of its mask.

    Protection is switched off before all others and on after them. Whether the table is protected between
    the two goes with each: Google's emulator takes it from any request. ``live`` is the table as it is.
    """
    message = settings_message(settings)
    stated = settings.deletion_protection
    protected = live.deletion_protection if stated is None else stated
    protection = [(types.Table(deletion_protection=protected), ("deletion_protection",))]
    if stated is False:
        yield from protection
    for field, paths in _masks(settings, live.automated_backup_policy).items():
        part = types.Table(deletion_protection=protected)
        if field in message:
            setattr(part, field, getattr(message, field))
        yield part, paths
    if stated:
        yield from protection


def _masks(settings: TableSettings, backups: types.Table.AutomatedBackupPolicy) -> dict[str, tuple[str, ...]]:
    """The field of each setting that is stated, beside protection, and the paths that change it."""
    masks: dict[str, tuple[str, ...]] = {}
    if settings.change_stream is not None:
        masks["change_stream_config"] = ("change_stream_config",)
    if settings.automated_backups is not None:
        whole = not settings.automated_backups or _switched_off(backups)
        masks["automated_backup_policy"] = ("automated_backup_policy",) if whole else _BACKUPS
    if settings.tiered_storage is not None:
        masks["tiered_storage_config"] = ("tiered_storage_config",)
    if settings.row_key_schema is not None:
        masks["row_key_schema"] = ("row_key_schema",)
    return masks


def _backups(raw: Any) -> timedelta:
    policy = raw.automated_backup_policy
    return OFF if _switched_off(policy) else _period(policy.retention_period)


def _switched_off(policy: Any) -> bool:
    # The libraries know the field from 2.47 on; with an older one it looks like a policy without a period.
    return bool(getattr(policy, "disabled", False))


def _period(duration: Any) -> timedelta:
    # What is unset has no seconds, and what has none is no period.
    period: timedelta = duration.ToTimedelta()
    return period


def _key_schema_message(text: str) -> types.Type.Struct:
    try:
        return cast("types.Type.Struct", types.Type.Struct.from_json(text))
    except json_format.ParseError as error:
        raise DeclarationError(
            f"row_key_schema: expected the JSON of a row key schema, got {shown(text)}: {error}"
        ) from None


def _key_schema(raw: Any) -> str:
    if not raw.HasField("row_key_schema"):
        return ""
    return key_schema_text(json_format.MessageToDict(raw.row_key_schema))


@frozen
class PartKind:
    """A kind of what a table has beside its families: the collection in its name, and how the API calls it."""

    collection: str
    name: str

    def created(self, table: str, part: AuthorizedView | SchemaBundle) -> dict[str, Any]:
        """The request that creates one of a table, by its full name."""
        return {"parent": table, f"{self.name}_id": part.id, self.name: _part_message(part)}

    def updated(
        self, table: str, part: AuthorizedView | SchemaBundle, fields: Sequence[str], ignore_warnings: bool
    ) -> dict[str, Any]:
        """The request that changes fields of one."""
        message = _part_message(part)
        message.name = f"{table}/{self.collection}/{part.id}"
        return {
            self.name: message,
            "update_mask": {"paths": list(fields)},
            "ignore_warnings": ignore_warnings,
        }


def part_kind(part: AuthorizedView | SchemaBundle) -> PartKind:
    """The kind of a part."""
    if isinstance(part, AuthorizedView):
        return PartKind("authorizedViews", "authorized_view")
    return PartKind("schemaBundles", "schema_bundle")


def _part_message(part: AuthorizedView | SchemaBundle) -> Any:
    if isinstance(part, SchemaBundle):
        return types.SchemaBundle(proto_schema=types.ProtoSchema(proto_descriptors=part.descriptors))
    subsets = {
        subset.family: types.AuthorizedView.FamilySubsets(
            qualifiers=subset.qualifiers, qualifier_prefixes=subset.prefixes
        )
        for subset in part.subsets
    }
    subset = types.AuthorizedView.SubsetView(row_prefixes=part.row_prefixes, family_subsets=subsets)
    return types.AuthorizedView(subset_view=subset, deletion_protection=bool(part.deletion_protection))


def authorized_views(messages: Iterable[Any]) -> tuple[AuthorizedView, ...]:
    """Live authorized views, in the order of their ids."""
    found = sorted(map(_authorized_view, messages), key=lambda view: view.id)
    return tuple(found)


def _authorized_view(message: Any) -> AuthorizedView:
    subset = message.subset_view
    subsets = tuple(
        FamilySubset(family, tuple(sorted(one.qualifiers)), tuple(sorted(one.qualifier_prefixes)))
        for family, one in sorted(subset.family_subsets.items())
    )
    id = message.name.rpartition("/")[2]
    return AuthorizedView(id, tuple(sorted(subset.row_prefixes)), subsets, message.deletion_protection)


def schema_bundles(messages: Iterable[Any]) -> tuple[SchemaBundle, ...]:
    """Live schema bundles of Protobuf messages, in the order of their ids; those of Avro are no part of a model."""
    found = (
        SchemaBundle(message.name.rpartition("/")[2], message.proto_schema.proto_descriptors)
        for message in messages
        if message.proto_schema.proto_descriptors
    )
    return tuple(sorted(found, key=lambda bundle: bundle.id))
