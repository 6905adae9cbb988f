"""Changes of table settings and row key schemas."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from enum import Enum
from typing import ClassVar

import attrs
from attrs import frozen

from btmodel.migrate.changes.base import Drift, Effect, InstanceChange, InstanceFacts, PartChange, Phase
from btmodel.migrate.instance import TableCall, UpdateSettingsCall
from btmodel.schema import OFF, UNSTATED, Table, TableSettings
from btmodel.schema.gc import age_text


@frozen
class SettingChange(PartChange):
    """A change of a setting of one table."""

    sign: ClassVar[str] = "~"
    phase: ClassVar[Phase] = Phase.SETTINGS

    @property
    def settings(self) -> TableSettings:
        """The settings with only this one stated."""
        raise NotImplementedError

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (UpdateSettingsCall(self.of_table, self.settings),)


class Turn(Enum):
    """What happens to a period: the first word of the name of the change."""

    ON = "enable"
    LONGER = "lengthen"
    SHORTER = "shorten"
    OFF = "disable"


@frozen
class PeriodChange(SettingChange):
    """Set, change or end a period; zero means none. ``setting`` is its attribute in :class:`TableSettings`."""

    setting: ClassVar[str]

    wanted: timedelta
    live: timedelta

    @property
    def turn(self) -> Turn:
        """What happens to the period."""
        if self.wanted == OFF:
            return Turn.OFF
        if self.live == OFF:
            return Turn.ON
        return Turn.LONGER if self.wanted > self.live else Turn.SHORTER

    @property
    def name(self) -> str:
        return f"{self.turn.value}-{self.setting.replace('_', '-')}:{self.subject}"

    @property
    def settings(self) -> TableSettings:
        """The period as it should be."""
        return TableSettings(**{self.setting: self.wanted})  # type: ignore[arg-type]


def period(value: timedelta) -> str:
    """A period as text."""
    return age_text(value) if value else "none"


def periods(declared: TableSettings, live: TableSettings, setting: str) -> tuple[timedelta, timedelta] | None:
    """The declared and the live period, if a period is declared and differs from the live one.

    A period that a table in the instance does not state is off.
    """
    wanted: timedelta | None = getattr(declared, setting)
    there: timedelta = getattr(live, setting) or OFF
    return None if wanted is None or wanted == there else (wanted, there)


def stated(settings: TableSettings) -> Iterator[str]:
    """A description of each setting that is on."""
    if settings.deletion_protection:
        yield "deletion protection"
    if settings.change_stream:
        yield f"change stream of {age_text(settings.change_stream)}"
    if settings.automated_backups:
        yield f"daily backups kept for {age_text(settings.automated_backups)}"
    if settings.tiered_storage:
        yield f"tiered storage from {age_text(settings.tiered_storage)}"
    if settings.row_key_schema:
        yield "row key schema"


_BACKUPS_LOST = {
    Turn.SHORTER: "backups, and with them the times to which the table can be brought back, beyond the new period",
    Turn.OFF: "future backups: there will be none to restore the table from",
}


@frozen
class AutomatedBackups(PeriodChange):
    """Keep each daily backup for the declared period, or make none."""

    setting: ClassVar[str] = "automated_backups"

    @property
    def summary(self) -> str:
        if self.turn is Turn.OFF:
            return f"no daily backups, instead of some that are kept for {period(self.live)}"
        before = "no backups" if self.turn is Turn.ON else period(self.live)
        return f"daily backups are kept for {period(self.wanted)}, instead of {before}"

    @property
    def effect(self) -> Effect:
        """Destructive if fewer backups are kept, although the data of the table stays."""
        return Effect.DESTRUCTIVE if self.turn in _BACKUPS_LOST else Effect.SAFE

    @property
    def lost(self) -> str | None:
        return _BACKUPS_LOST.get(self.turn)

    @property
    def undo(self) -> str | None:
        return "only for future days; the data itself stays" if self.turn in _BACKUPS_LOST else None


_STREAM_LOST = {
    Turn.SHORTER: "records of changes that are older than the new period, read or not",
    Turn.OFF: "every record of the change stream, read or not: its readers fail at once",
}


@frozen
class ChangeStream(PeriodChange):
    """Keep change stream records for the declared period, or have no change stream."""

    setting: ClassVar[str] = "change_stream"

    @property
    def summary(self) -> str:
        if self.turn is Turn.OFF:
            return f"no change stream, instead of {period(self.live)} of changes"
        return f"{period(self.wanted)} of changes can be read, instead of {period(self.live)}"

    @property
    def effect(self) -> Effect:
        return Effect.DESTRUCTIVE if self.turn in _STREAM_LOST else Effect.SAFE

    @property
    def lost(self) -> str | None:
        return _STREAM_LOST.get(self.turn)

    @property
    def undo(self) -> str | None:
        return (
            "no; a stream that is enabled again begins with later changes"
            if self.turn in _STREAM_LOST
            else None
        )


_WHAT = {
    Turn.ON: "cells move to infrequent access: cheaper to keep, slower to read",
    Turn.LONGER: "younger cells move back to SSD, which costs more",
    Turn.SHORTER: "younger cells move to infrequent access, too",
}


@frozen
class TieredStorage(PeriodChange):
    """Move cells to infrequent access at the declared age, or keep all of them on SSD; the service moves them over time."""

    setting: ClassVar[str] = "tiered_storage"
    usual: ClassVar[Effect] = Effect.SLOW

    @property
    def summary(self) -> str:
        if self.turn is Turn.OFF:
            return (
                f"no tiered storage, instead of from {period(self.live)}: all cells move back to SSD, "
                "which costs more"
            )
        return f"from an age of {period(self.wanted)}, instead of {period(self.live)}: {_WHAT[self.turn]}"


def find_periods(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[PeriodChange]:
    """The changes of the declared periods that differ."""
    for kind in (ChangeStream, AutomatedBackups, TieredStorage):
        if found := periods(declared.settings, live.settings, kind.setting):
            yield kind(live.id, *found)


@frozen
class Protect(SettingChange):
    """Protect the table, and its families, from being dropped."""

    verb: ClassVar[str] = "protect"
    phase: ClassVar[Phase] = Phase.PROTECT
    usual: ClassVar[Effect] = Effect.SAFE

    @property
    def summary(self) -> str:
        return "deletion protection on, after all other changes of the table"

    @property
    def settings(self) -> TableSettings:
        """On."""
        return TableSettings(deletion_protection=True)


@frozen
class Unprotect(SettingChange):
    """Let the table and its families be dropped.

    This loses nothing by itself; later drops can. ``unstated`` says that the drop of a family needs it while no model
    states whether the table is protected: after an interruption, nothing would show that it was.
    """

    verb: ClassVar[str] = "unprotect"
    phase: ClassVar[Phase] = Phase.UNPROTECT
    usual: ClassVar[Effect] = Effect.BLOCKED

    unstated: bool = False

    @property
    def summary(self) -> str:
        if self.unstated:
            return (
                "deletion protection is on, and no model states it: state deletion_protection=True in one, to have it "
                "switched off for the drop and on again, or deletion_protection=False"
            )
        return "deletion protection off, before all other changes of the table"

    @property
    def effect(self) -> Effect:
        """Blocked unless a model asks for it; always blocked if no model states the setting."""
        return Effect.IMPOSSIBLE if self.unstated else Effect.BLOCKED

    @property
    def settings(self) -> TableSettings:
        """Off."""
        return TableSettings(deletion_protection=False)


def find_protection(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[Protect | Unprotect]:
    """The change of deletion protection, if ``declared`` and ``live`` differ."""
    wanted = declared.settings.deletion_protection
    if wanted is not None and wanted is not bool(live.settings.deletion_protection):
        yield Protect(live.id) if wanted else Unprotect(live.id)


@frozen
class UndeclaredSetting(PartChange, Drift):
    """The table has a setting that no model states. It stays, unless a model states another value."""

    verb: ClassVar[str] = "undeclared-setting"

    setting: str
    live: bool | timedelta | str

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        mine = (table for table in tables if table.id == self.of_table)
        return any(attrs.asdict(table.settings)[self.setting] == self.live for table in mine)

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.setting}"

    @property
    def summary(self) -> str:
        value = period(self.live) if isinstance(self.live, timedelta) else "set"
        return f"is {'on' if self.live is True else value}, and no model of the table states it"

    @property
    def details(self) -> tuple[str, ...]:
        return (f"live: {self.live}",) if isinstance(self.live, str) else ()


def find_undeclared_setting(
    declared: Table, live: Table, facts: InstanceFacts
) -> Iterator[UndeclaredSetting]:
    """The settings of ``live`` that differ from the default and that ``declared`` does not state."""
    stated = attrs.asdict(declared.settings)
    for setting, value in attrs.asdict(live.settings).items():
        if stated[setting] is None and value:
            yield UndeclaredSetting(live.id, setting, value)


@frozen
class KeySchemaChange(SettingChange):
    """A change of the row key schema; only SQL reads the schema, so no data is affected."""

    wanted: str
    live: str

    @property
    def calls(self) -> tuple[TableCall, ...]:
        settings = self.settings if self.wanted else UNSTATED
        return (UpdateSettingsCall(self.of_table, settings, clears_key_schema=bool(self.live)),)

    @property
    def settings(self) -> TableSettings:
        """The schema as it should be."""
        return TableSettings(row_key_schema=self.wanted)

    @property
    def details(self) -> tuple[str, ...]:
        return tuple(
            f"{which}: {schema}"
            for which, schema in (("live", self.live), ("declared", self.wanted))
            if schema
        )


@frozen
class SetKeySchema(KeySchemaChange):
    """Add a row key schema to a table that has none."""

    verb: ClassVar[str] = "set-key-schema"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE

    @property
    def summary(self) -> str:
        return "SQL can name the fields of the row key"


@frozen
class RemoveKeySchema(KeySchemaChange):
    """Remove the row key schema."""

    verb: ClassVar[str] = "remove-key-schema"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.BLOCKED
    refused_by: ClassVar[str] = "the service"

    @property
    def summary(self) -> str:
        return "no row key schema: SQL that names fields of the key fails; no data is lost"


@frozen
class EditKeySchema(KeySchemaChange):
    """Replace the row key schema: the service cannot edit one in place, so it is removed first."""

    verb: ClassVar[str] = "edit-key-schema"
    usual: ClassVar[Effect] = Effect.BLOCKED
    refused_by: ClassVar[str] = "the service"

    @property
    def summary(self) -> str:
        return "removed, then set again: SQL that names fields of the key fails in between; no data is lost"

    def covers(self, other: InstanceChange) -> bool:
        """Also the second call, which sets the new schema."""
        return super().covers(other) or other == SetKeySchema(self.of_table, self.wanted, "")


def find(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[KeySchemaChange]:
    """The change of the row key schema, if the declaration differs."""
    wanted, there = declared.settings.row_key_schema, live.settings.row_key_schema or ""
    if wanted is None or wanted == there:
        return
    kind = EditKeySchema if wanted and there else SetKeySchema if wanted else RemoveKeySchema
    yield kind(live.id, wanted, there)
