"""The change stream of a table: on, longer, shorter, off."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import PeriodChange, Turn, period, periods
from btmodel.schema import Table

_LOST = {
    Turn.SHORTER: "records of changes that are older than the new period, read or not",
    Turn.OFF: "every record of the change stream, read or not: who reads it fails at once",
}


@frozen
class ChangeStream(PeriodChange):
    """Keep the records of changes for as long as is declared, or have no change stream."""

    setting: ClassVar[str] = "change_stream"

    @property
    def summary(self) -> str:
        """How long changes can be read, and how long they could."""
        if self.turn is Turn.OFF:
            return f"no change stream, instead of {period(self.live)} of changes"
        return f"{period(self.wanted)} of changes can be read, instead of {period(self.live)}"

    @property
    def effect(self) -> Effect:
        """Destructive where records are lost."""
        return Effect.DESTRUCTIVE if self.turn in _LOST else Effect.SAFE

    @property
    def lost(self) -> str | None:
        """The records that nobody can read any more."""
        return _LOST.get(self.turn)

    @property
    def undo(self) -> str | None:
        """It cannot be undone."""
        return "no; a stream that is made again begins with later changes" if self.turn in _LOST else None


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[ChangeStream]:
    """The change of the stream, where the declared one is another."""
    if declared and live and (found := periods(declared.settings, live.settings, ChangeStream.setting)):
        yield ChangeStream(live.id, *found)
