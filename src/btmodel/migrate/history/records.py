"""The records of the migration history, and its interface."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from attrs import frozen

from btmodel.errors import MigrationError, shown
from btmodel.schema import Layout
from btmodel.words import counted


@frozen
class AppliedRevision:
    """A revision that was applied: its id, the checksum that its file had then, when, and by whom."""

    id: str
    checksum: str
    at: datetime
    by: str


@frozen
class Step:
    """The last changes that were made to a table, or are being made: their names, by whom, and when.

    ``ended`` is None until they are known to be live: for as long as they take, and for
    ever where whoever made them was killed.
    """

    table: str
    changes: tuple[str, ...]
    by: str
    begun: datetime
    ended: datetime | None = None


@frozen
class Lease:
    """The right to change the instance: who has it, since when, and until when if it is not renewed.

    ``id`` tells one taking from all others; ``owner`` is for people.
    """

    id: str
    owner: str
    since: datetime
    expires: datetime


@frozen
class CopyRecord:
    """The copy that a renaming needs: what was called ``old`` and is called ``new``, by whom, and when.

    Both are names as ``QUOTE.MD``, or ``QUOTE`` where they are tables. ``ended`` is None until all is copied.
    ``families`` are those that are copied, each old one with the one that takes over.
    """

    old: str
    new: str
    by: str
    begun: datetime
    ended: datetime | None = None
    families: tuple[tuple[str, str], ...] = ()

    @property
    def step(self) -> str:
        """The name of its progress."""
        return copy_step(self.old, self.new)


def copy_step(old: str, new: str) -> str:
    """Under what the progress of a copy is recorded: ``copy QUOTE.MD to QUOTE.market``."""
    return f"copy {old} to {new}"


@frozen
class Reached:
    """How far a copy or a data step has come: up to and with the row ``key``, the ``rows``-th that it saw.

    Of ``written`` of these rows it wrote something: a copy leaves out what the new GC rules delete.     ``code`` is the checksum of the code that has run; empty for a copy, which has none. ``run`` is the id of the lease under which
    it was recorded; empty where there was none. It is false where a run has taken the step, and has dealt with no row.
    """

    key: bytes
    rows: int
    code: str = ""
    run: str = ""
    written: int = 0

    def __bool__(self) -> bool:
        return self.rows > 0

    def __str__(self) -> str:
        return f"row {shown(self.key)}, after {counted(self.rows, 'row')}"


class UnreadableRecord(MigrationError):
    """A record of an instance's journal that this version cannot read: of another version, or damaged."""


class Journal(Protocol):
    """What an instance remembers of its migrations.

    It is read without making anything: an instance that was never migrated has an empty one.
    Every method raises :class:`btmodel.errors.ServerError`, and :class:`UnreadableRecord` for
    a record that this version cannot read.
    """

    def patient(self) -> "Journal":
        """The same journal, which asks again where the server does not answer: for a run that has begun, and not for leases."""
        ...

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

    def progress(self, step: str) -> Reached | None:
        """How far ``step`` has come; None where nothing is recorded."""
        ...

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record how far ``step`` has come."""
        ...

    def swap_progress(self, step: str, old: Reached, new: Reached) -> bool:
        """Put ``new`` in the place of what the run of ``old`` recorded, in one step; false where another's is there, or none.

        Where the run of ``old`` is empty, nothing may be there, or what was recorded without a lease.
        """
        ...

    def end_progress(self, step: str) -> None:
        """Forget the progress of ``step``."""
        ...

    def copies(self) -> tuple[CopyRecord, ...]:
        """The copies that were begun, of all that was not dropped since, in the order of their names."""
        ...

    def record_copy(self, copy: CopyRecord) -> None:
        """Record a copy, in the place of an earlier one of the same names."""
        ...

    def forget_copy(self, copy: CopyRecord) -> None:
        """Forget a copy."""
        ...

    def steps(self) -> Mapping[str, Step]:
        """What was done last to each table, by its id."""
        ...

    def record_step(self, step: Step) -> None:
        """Record what is done to a table, in the place of what was done before."""
        ...

    def service_time(self) -> datetime:
        """The time by the service's clock, at some moment of the call."""
        ...

    def lease(self) -> Lease | None:
        """Who may change the instance now, or could until he ended without a word; None where nobody may."""
        ...

    def swap_lease(self, old: Lease | None, new: Lease | None, *, unrenewed: bool = False) -> bool:
        """Put the lease ``new`` in the place of ``old``, in one step; false where another than ``old`` is there.

        None stands for no lease. With ``unrenewed``, it is false also where ``old`` was renewed.
        """
        ...

    def drop_lease(self) -> None:
        """End the lease, whoever has it, and whether or not it can be read."""
        ...
