"""What an instance remembers of its migrations: the one seam to the rows in which that is kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from attrs import frozen

from btmodel.schema import Layout


@frozen
class AppliedRevision:
    """A revision that was applied: its id, the checksum that its file had then, when, and by whom."""

    id: str
    checksum: str
    at: datetime
    by: str


class Journal(Protocol):
    """What an instance remembers of its migrations.

    It is read without making anything: an instance that was never migrated has an empty one.
    Every method raises :class:`btmodel.errors.ServerError`.
    """

    def layouts(self) -> Mapping[str, tuple[Layout, ...]]:
        """The layouts that were recorded of each table, by its id."""
        ...

    def record_layouts(self, table: str, layouts: tuple[Layout, ...]) -> None:
        """Record the layouts of a table in the place of those that were; none of them ends its record."""
        ...

    def revisions(self) -> tuple[AppliedRevision, ...]:
        """The revisions that are applied, in the order of their applying."""
        ...

    def add_revision(self, revision: AppliedRevision) -> None:
        """Record that a revision is applied."""
        ...

    def remove_revision(self, id: str) -> None:
        """Record that a revision is not applied any more."""
        ...

    def progress(self, step: str) -> bytes | None:
        """The row key up to which ``step`` is done, itself included; None where nothing is recorded."""
        ...

    def record_progress(self, step: str, key: bytes) -> None:
        """Record that ``step`` is done up to ``key``."""
        ...

    def end_progress(self, step: str) -> None:
        """Forget the progress of ``step``."""
        ...
