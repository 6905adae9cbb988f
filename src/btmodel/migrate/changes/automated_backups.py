"""The automated backups of a table: on, kept longer, shorter, off."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import PeriodChange, Turn, period, periods
from btmodel.schema import Table

_LOST = {
    Turn.SHORTER: "backups, and with them the times to which the table can be brought back, beyond the new period",
    Turn.OFF: "the backups of days to come: there will be none to bring the table back from",
}


@frozen
class AutomatedBackups(PeriodChange):
    """Keep each daily backup for as long as is declared, or make none."""

    setting: ClassVar[str] = "automated_backups"

    @property
    def summary(self) -> str:
        """How long a backup is kept, and how long it was."""
        if self.turn is Turn.OFF:
            return f"no daily backups, instead of some that are kept for {period(self.live)}"
        before = "no backups" if self.turn is Turn.ON else period(self.live)
        return f"daily backups are kept for {period(self.wanted)}, instead of {before}"

    @property
    def effect(self) -> Effect:
        """The table's data stays; where there are fewer backups of it, that is a loss all the same."""
        return Effect.DESTRUCTIVE if self.turn in _LOST else Effect.SAFE

    @property
    def lost(self) -> str | None:
        """The backups that will not be there."""
        return _LOST.get(self.turn)

    @property
    def undo(self) -> str | None:
        """Backups that are gone, or were never made, do not come back."""
        return "only for the days to come; the data itself stays" if self.turn in _LOST else None


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[AutomatedBackups]:
    """The change of the backups, where declared ones are others."""
    if declared and live and (found := periods(declared.settings, live.settings, AutomatedBackups.setting)):
        yield AutomatedBackups(live.id, *found)
