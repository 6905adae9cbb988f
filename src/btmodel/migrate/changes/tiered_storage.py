"""Tiered storage of a table: on, from another age, off."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import PeriodChange, Turn, period, periods
from btmodel.schema import Table

_WHAT = {
    Turn.ON: "cells move to infrequent access: cheaper to keep, slower to read",
    Turn.LONGER: "younger cells move back to SSD, which costs more",
    Turn.SHORTER: "younger cells move to infrequent access, too",
}


@frozen
class TieredStorage(PeriodChange):
    """Move cells to infrequent access from the declared age, or keep all on SSD. Cells move in their own time."""

    setting: ClassVar[str] = "tiered_storage"
    usual: ClassVar[Effect] = Effect.SLOW

    @property
    def summary(self) -> str:
        """From which age cells move, and what that means."""
        if self.turn is Turn.OFF:
            return (
                f"no tiered storage, instead of from {period(self.live)}: all cells move back to SSD, "
                "which costs more"
            )
        return f"from an age of {period(self.wanted)}, instead of {period(self.live)}: {_WHAT[self.turn]}"


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[TieredStorage]:
    """The change of the age, where the declared one is another."""
    if declared and live and (found := periods(declared.settings, live.settings, TieredStorage.setting)):
        yield TieredStorage(live.id, *found)
