"""A live setting that no model states: drift, where it is not the service's default."""

from collections.abc import Iterator
from datetime import timedelta
from typing import ClassVar

import attrs
from attrs import frozen

from btmodel.migrate.changes.base import Drift
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.setting import period
from btmodel.schema import Table


@frozen
class UndeclaredSetting(Drift):
    """The table has a setting that no model states. It stays; a model that states another value changes it."""

    verb: ClassVar[str] = "undeclared-setting"

    of_table: str
    setting: str
    live: bool | timedelta | str

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """Table and setting."""
        return f"{self.of_table}.{self.setting}"

    @property
    def summary(self) -> str:
        """What it is."""
        told = period(self.live) if isinstance(self.live, timedelta) else "set"
        return f"is {'on' if self.live is True else told}, and no model of the table states it"

    @property
    def details(self) -> tuple[str, ...]:
        """A schema, which does not fit in a line."""
        return (f"live: {self.live}",) if isinstance(self.live, str) else ()


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[UndeclaredSetting]:
    """The settings of ``live`` that are not the default, and that ``declared`` does not state."""
    if declared is None or live is None:
        return
    stated = attrs.asdict(declared.settings)
    for setting, value in attrs.asdict(live.settings).items():
        if stated[setting] is None and value:
            yield UndeclaredSetting(live.id, setting, value)
