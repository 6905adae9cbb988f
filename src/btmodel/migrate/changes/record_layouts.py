"""The record of how the rows of a table lie, brought up to date."""

from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Change, Effect
from btmodel.schema import Layout


@frozen
class RecordLayouts(Change):
    """Record how the rows of the table lie, beside the tables: no data is touched, and nobody is asked."""

    verb: ClassVar[str] = "record-layouts"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE
    recorded: ClassVar[bool] = True
    quiet: ClassVar[bool] = True

    of_table: str
    layouts: tuple[Layout, ...]

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def summary(self) -> str:
        """Of which models."""
        names = ", ".join(layout.model for layout in self.layouts)
        return f"how rows of {names} are written" if names else "no rows any more"
