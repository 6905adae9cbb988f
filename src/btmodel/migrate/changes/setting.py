"""What every change of a table's settings is."""

from datetime import timedelta
from enum import Enum
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Change
from btmodel.schema import OFF, TableSettings
from btmodel.schema.gc import age_text


@frozen
class SettingChange(Change):
    """A change of a setting of one table."""

    sign: ClassVar[str] = "~"

    of_table: str

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def settings(self) -> TableSettings:
        """The setting as it should be, and nothing else stated."""
        raise NotImplementedError


class Turn(Enum):
    """What becomes of a period: how the name of the change begins."""

    ON = "enable"
    LONGER = "lengthen"
    SHORTER = "shorten"
    OFF = "disable"


@frozen
class PeriodChange(SettingChange):
    """A period that is set, changed or ended; zero is none. ``setting`` is its attribute in the settings."""

    setting: ClassVar[str]

    wanted: timedelta
    live: timedelta

    @property
    def turn(self) -> Turn:
        """What becomes of the period."""
        if self.wanted == OFF:
            return Turn.OFF
        if self.live == OFF:
            return Turn.ON
        return Turn.LONGER if self.wanted > self.live else Turn.SHORTER

    @property
    def name(self) -> str:
        """Named for what becomes of it: ``shorten-change-stream:QUOTE``."""
        return f"{self.turn.value}-{self.setting.replace('_', '-')}:{self.subject}"

    @property
    def settings(self) -> TableSettings:
        """The period as it should be."""
        return TableSettings(**{self.setting: self.wanted})  # type: ignore[arg-type]


def period(value: timedelta) -> str:
    """A period in words."""
    return age_text(value) if value else "none"


def periods(declared: TableSettings, live: TableSettings, setting: str) -> tuple[timedelta, timedelta] | None:
    """The declared and the live period where the declared one is stated, and another one.

    What a live table does not state is off.
    """
    wanted: timedelta | None = getattr(declared, setting)
    there: timedelta = getattr(live, setting) or OFF
    return None if wanted is None or wanted == there else (wanted, there)
