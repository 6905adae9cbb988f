"""The row key schema of a table, by which GoogleSQL reads its keys: set, removed, or another one."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Change, Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import SettingChange
from btmodel.schema import Table, TableSettings


@frozen
class KeySchemaChange(SettingChange):
    """A change of the row key schema; only SQL reads it, so no data is touched."""

    wanted: str
    live: str

    @property
    def settings(self) -> TableSettings:
        """The schema as it should be."""
        return TableSettings(row_key_schema=self.wanted)

    @property
    def details(self) -> tuple[str, ...]:
        """Both schemas."""
        return tuple(
            f"{which}: {schema}"
            for which, schema in (("live", self.live), ("declared", self.wanted))
            if schema
        )


@frozen
class SetKeySchema(KeySchemaChange):
    """Give the table a row key schema, where it has none."""

    verb: ClassVar[str] = "set-key-schema"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE

    @property
    def summary(self) -> str:
        """What it is for."""
        return "SQL can name the fields of the row key"


@frozen
class RemoveKeySchema(KeySchemaChange):
    """Take the row key schema away."""

    verb: ClassVar[str] = "remove-key-schema"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.BLOCKED
    refused_by: ClassVar[str] = "the service"

    @property
    def summary(self) -> str:
        """What fails without it."""
        return "no row key schema: SQL that names fields of the key fails; no data is lost"

    @property
    def effect_if_allowed(self) -> Effect:
        """No data is lost."""
        return Effect.SAFE


@frozen
class EditKeySchema(KeySchemaChange):
    """Remove the row key schema and set another one: the service edits none in place."""

    verb: ClassVar[str] = "edit-key-schema"
    usual: ClassVar[Effect] = Effect.BLOCKED
    refused_by: ClassVar[str] = "the service"

    @property
    def summary(self) -> str:
        """How it is done, and what fails meanwhile."""
        return "removed, then set anew: SQL that names fields of the key fails in between; no data is lost"

    @property
    def effect_if_allowed(self) -> Effect:
        """No data is lost."""
        return Effect.SAFE

    def covers(self, other: Change) -> bool:
        """The second half of it, too."""
        return super().covers(other) or other == SetKeySchema(self.of_table, self.wanted, "")


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[KeySchemaChange]:
    """The change of the schema, where the declared one is another."""
    if declared is None or live is None:
        return
    wanted, there = declared.settings.row_key_schema, live.settings.row_key_schema or ""
    if wanted is None or wanted == there:
        return
    kind = EditKeySchema if wanted and there else SetKeySchema if wanted else RemoveKeySchema
    yield kind(live.id, wanted, there)
