"""Deletion protection: switched on last, and off first."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import SettingChange
from btmodel.schema import Table, TableSettings


@frozen
class Protect(SettingChange):
    """Protect the table, and its families, from being dropped."""

    verb: ClassVar[str] = "protect"
    usual: ClassVar[Effect] = Effect.SAFE

    @property
    def summary(self) -> str:
        """What it does."""
        return "deletion protection on, after all other changes of the table"

    @property
    def settings(self) -> TableSettings:
        """On."""
        return TableSettings(deletion_protection=True)


@frozen
class Unprotect(SettingChange):
    """Let the table and its families be dropped.

    It loses nothing by itself, and what follows can. ``unstated`` is where a drop of a family needs it and no
    model says whether the table is protected: nobody could tell then, after a run that was killed, that it was.
    """

    verb: ClassVar[str] = "unprotect"
    usual: ClassVar[Effect] = Effect.BLOCKED

    unstated: bool = False

    @property
    def summary(self) -> str:
        """What it does, or what is missing."""
        if self.unstated:
            return (
                "deletion protection is on, and no model states it: state deletion_protection=True in one, to have it "
                "switched off for the drop and on again, or deletion_protection=False"
            )
        return "deletion protection off, before all other changes of the table"

    @property
    def effect(self) -> Effect:
        """Refused unless it is asked for; where nothing is stated, in any case."""
        return Effect.IMPOSSIBLE if self.unstated else Effect.BLOCKED

    @property
    def effect_if_allowed(self) -> Effect:
        """It loses nothing by itself."""
        return self.effect if self.unstated else Effect.SAFE

    @property
    def settings(self) -> TableSettings:
        """Off."""
        return TableSettings(deletion_protection=False)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[Protect | Unprotect]:
    """The switch that ``declared`` asks for, where the protection of ``live`` is another."""
    if declared is None or live is None:
        return
    wanted = declared.settings.deletion_protection
    if wanted is not None and wanted is not bool(live.settings.deletion_protection):
        yield Protect(live.id) if wanted else Unprotect(live.id)
