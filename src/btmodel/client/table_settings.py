"""The settings of tables as the service speaks them, both ways."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, cast

from google.cloud.bigtable_admin_v2 import types
from google.protobuf import json_format

from btmodel.errors import DeclarationError, shown
from btmodel.schema.key_schema import key_schema_text
from btmodel.schema.settings import OFF, TableSettings

# What else a policy says stays as it is: zones, and how long backups are hot.
_BACKUPS = ("automated_backup_policy.retention_period", "automated_backup_policy.frequency")
_DAILY = timedelta(days=1)  # the one frequency of automated backups that there is


def from_message(message: types.Table) -> TableSettings:
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


def to_message(settings: TableSettings) -> types.Table:
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
    message = to_message(settings)
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
        whole = not settings.automated_backups or backups.disabled
        masks["automated_backup_policy"] = ("automated_backup_policy",) if whole else _BACKUPS
    if settings.tiered_storage is not None:
        masks["tiered_storage_config"] = ("tiered_storage_config",)
    if settings.row_key_schema is not None:
        masks["row_key_schema"] = ("row_key_schema",)
    return masks


def _backups(raw: Any) -> timedelta:
    policy = raw.automated_backup_policy
    return OFF if policy.disabled else _period(policy.retention_period)


def _period(duration: Any) -> timedelta:
    # What is unset has no seconds, and what has none is no period.
    period: timedelta = duration.ToTimedelta()
    return period


def _key_schema_message(text: str) -> types.Type.Struct:
    try:
        return cast("types.Type.Struct", types.Type.Struct.from_json(text))
    except json_format.ParseError as error:
        raise DeclarationError(
            f"row_key_schema: wanted the JSON of a row key schema, got {shown(text)}: {error}"
        ) from None


def _key_schema(raw: Any) -> str:
    if not raw.HasField("row_key_schema"):
        return ""
    return key_schema_text(json_format.MessageToDict(raw.row_key_schema))
