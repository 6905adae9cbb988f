"""The records of the migration history: their rows, and the values that the engine works with.

Keys, columns and values of records are defined here and nowhere else. Every later version must read them, so a record
may gain optional columns and never loses one.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs.key import Text
from btmodel.declare import Model, column, constant, family, key
from btmodel.declare.problems import into
from btmodel.errors import DeclarationError, MigrationError, shown
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import Layout, MaxVersions, Table
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.words import counted


class Record(Model):
    """The base of all records: a family that keeps only the newest value."""

    data = family("data", gc=MaxVersions(1))


# `btmodel check` reviews the models that it sees declared; these are not the user's.
with into(None):

    class LayoutRow(Record, table=HISTORY_TABLE, events="1/day"):
        """The layouts of a table at its last migration."""

        kind = constant("layout")
        table: str = key(Text(max_length=400))  # the id of a table, or of a template
        models: dict[str, Any] = column("models", Record.data, size=2_000)

    class RevisionRow(Record, table=HISTORY_TABLE, events="1/day"):
        """An applied revision; ``number`` is its place in the order of applying."""

        kind = constant("revision")
        id: str = key(Text(max_length=200, holds_delimiter=True))
        number: int = column("number", Record.data)
        checksum: str = column("checksum", Record.data)
        at: datetime = column("at", Record.data)
        by: str = column("by", Record.data)
        steps: list[str] | None = column("steps", Record.data, default=None, size=100)
        skipped: list[str] | None = column("skipped", Record.data, default=None, size=100)

    class ProgressRow(Record, table=HISTORY_TABLE, events="1/s"):
        """The progress of a copy or a data step: the row key that it has reached."""

        kind = constant("progress")
        step: str = key(Text(max_length=400, holds_delimiter=True), cardinality=100)
        done: bytes = column("done", Record.data, size=50)
        rows: int | None = column("rows", Record.data, default=None)
        written: int | None = column("written", Record.data, default=None)
        code: str | None = column("code", Record.data, default=None, size=32)
        run: str | None = column("run", Record.data, default=None, size=32)
        targets: list[str] | None = column("targets", Record.data, default=None, size=20_000)
        starts: list[str] | None = column("starts", Record.data, default=None, size=20_000)
        adding: bytes | None = column("adding", Record.data, default=None, size=50)
        adding_rows: int | None = column("adding_rows", Record.data, default=None)
        adds: bool | None = column("adds", Record.data, default=None)
        rewritten: str | None = column("rewritten", Record.data, default=None)
        found: str | None = column("found", Record.data, default=None, size=500)

    class CopyRow(Record, table=HISTORY_TABLE, events="1/day"):
        """A family or table that was copied because it was renamed."""

        kind = constant("copy")
        old: str = key(Text(max_length=115))
        new: str = key(Text(max_length=115))
        by: str = column("by", Record.data)
        begun: datetime = column("begun", Record.data)
        ended: datetime | None = column("ended", Record.data, default=None)
        families: dict[str, str] | None = column("families", Record.data, default=None, size=100)

    class StepRow(Record, table=HISTORY_TABLE, events="1/day"):
        """The last changes of a table."""

        kind = constant("step")
        table: str = key(Text(max_length=50))
        changes: list[str] = column("changes", Record.data, size=200)
        by: str = column("by", Record.data)
        begun: datetime = column("begun", Record.data)
        ended: datetime | None = column("ended", Record.data, default=None)

    class LockRow(Record, table=HISTORY_TABLE, events="1/minute"):
        """The lock; its key says "lease", the word of earlier versions."""

        kind = constant("lease")
        id: str = column("id", Record.data)
        owner: str = column("owner", Record.data)
        since: datetime = column("since", Record.data)
        expires: datetime = column("expires", Record.data)


ROWS: tuple[type[Model], ...] = (LayoutRow, RevisionRow, ProgressRow, CopyRow, StepRow, LockRow)


class UnreadableRecord(MigrationError):
    """A record that this version cannot read, because another version wrote it or it is damaged."""


@frozen
class RecordedLayouts:
    """The ``layouts`` of a table or template at its last migration."""

    table: str
    layouts: tuple[Layout, ...]

    @classmethod
    def of(cls, row: LayoutRow) -> "RecordedLayouts":
        """The record in ``row``; raises :class:`UnreadableRecord`."""
        try:
            (table,) = from_data(
                {row.table: {"models": row.models}}, f"the record of table {row.table!r} in {HISTORY_TABLE}"
            )
        except DeclarationError as error:
            raise UnreadableRecord(f"a record that this btmodel cannot read: {error}") from error
        return cls(table.id, table.layouts)

    @property
    def row(self) -> LayoutRow:
        """The row for this record."""
        models = as_data([Table(self.table, (), layouts=self.layouts)])[self.table]["models"]
        return LayoutRow(table=self.table, models=models)


@frozen
class AppliedRevision:
    """An applied revision: its id, the checksum of its file at that time, when, and by whom.

    ``steps`` are the data steps that have run for it: none where it was recorded without being applied. ``skipped`` are those of which it is known that they
    have written nothing, as it was applied without them.
    """

    id: str
    checksum: str
    at: datetime
    by: str
    steps: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: RevisionRow) -> "AppliedRevision":
        """The record in ``row``."""
        return cls(row.id, row.checksum, row.at, row.by, tuple(row.steps or ()), tuple(row.skipped or ()))

    def row(self, number: int) -> RevisionRow:
        """The row for this record, as the ``number``-th applied revision."""
        return RevisionRow(
            id=self.id,
            number=number,
            checksum=self.checksum,
            at=self.at,
            by=self.by,
            steps=[*self.steps] or None,
            skipped=[*self.skipped] or None,
        )


@frozen
class Step:
    """The last changes of a table, finished or in progress: their names, by whom, and when.

    ``ended`` is None until the changes are known to be in effect. It stays None if the process was interrupted.
    """

    table: str
    changes: tuple[str, ...]
    by: str
    begun: datetime
    ended: datetime | None = None

    @classmethod
    def of(cls, row: StepRow) -> "Step":
        """The record in ``row``."""
        return cls(row.table, tuple(row.changes), row.by, row.begun, row.ended)

    @property
    def row(self) -> StepRow:
        """The row for this record."""
        return StepRow(
            table=self.table, changes=list(self.changes), by=self.by, begun=self.begun, ended=self.ended
        )


@frozen
class Lock:
    """The right to change the instance: the process, since when, and until when unless it is renewed.

    ``id`` distinguishes this lock from all others; ``owner`` is for people.
    """

    id: str
    owner: str
    since: datetime
    expires: datetime

    @classmethod
    def of(cls, row: LockRow) -> "Lock":
        """The record in ``row``."""
        return cls(row.id, row.owner, row.since, row.expires)

    @property
    def row(self) -> LockRow:
        """The row for this record."""
        return LockRow(id=self.id, owner=self.owner, since=self.since, expires=self.expires)

    def expected(self, *, unrenewed: bool) -> dict[str, Any]:
        """The values by column name that prove that this lock still exists; with ``unrenewed``, also that it was not renewed."""
        return {"id": self.id, "expires": self.expires} if unrenewed else {"id": self.id}

    def __str__(self) -> str:
        return f"{self.owner}, since {self.since:%Y-%m-%d %H:%M:%S} UTC"


@frozen
class CopyRecord:
    """The copy for a renaming from ``old`` to ``new``: by whom, and when.

    The names are ``QUOTE.MD`` for families and ``QUOTE`` for tables. ``ended`` is None until everything is copied.
    ``families`` pairs each old family with its new one.
    """

    old: str
    new: str
    by: str
    begun: datetime
    ended: datetime | None = None
    families: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, row: CopyRow) -> "CopyRecord":
        """The record in ``row``."""
        families: Mapping[str, str] = row.families or {}
        return cls(row.old, row.new, row.by, row.begun, row.ended, tuple(families.items()))

    @property
    def row(self) -> CopyRow:
        """The row for this record."""
        return CopyRow(
            old=self.old,
            new=self.new,
            by=self.by,
            begun=self.begun,
            ended=self.ended,
            families=dict(self.families),
        )

    @property
    def cut_off(self) -> str:
        """Why the old place cannot be compared with the new one, where that is gone, or not declared and the copy is not finished."""
        if self.ended is None:
            return f"{self.old} was being copied to {self.new}, which nothing declares any more, and that was not finished"
        return f"{self.old} was copied to {self.new} on {self.ended:%Y-%m-%d %H:%M:%S} UTC, which is not there any more"

    @property
    def step(self) -> str:
        """The name of its progress record."""
        return copy_step(self.old, self.new)


def copy_step(old: str, new: str) -> str:
    """The name under which the progress of a copy is recorded: ``copy QUOTE.MD to QUOTE.market``."""
    return f"copy {old} to {new}"


@frozen
class Reached:
    """How far a copy or a data step has come: through row ``key``, the ``rows``-th that it saw.

    It wrote something for ``written`` of these rows; a copy leaves out what the new GC rules delete. ``code`` is the
    checksum of the code that ran; empty for a copy. ``run`` is the id of the lock under which it was recorded; empty
    without a lock. ``targets`` are the keys of the new rows that a move writes behind ``key``, and may have written.
    ``starts`` are the first keys of the sections that a step is worked through in, each with progress of its own; without any, it
    is one walk. ``adding`` is the key of the last of the ``adding_rows`` behind ``key`` for which it adds to aggregates, and may have added:
    to add again would count twice. ``adds`` says that it has added for rows up to ``key``: such a record outlives the step.
    It is false if a run has taken over the step and processed no row yet, whether or not it has divided it.
    ``rewritten`` says of a step that was rolled back which cells are still as it has rewritten them: ``all`` or ``some``; empty for any other.
    ``found`` is what a part of a comparison has found, as JSON; of it no row counts as done.
    """

    key: bytes
    rows: int
    code: str = ""
    run: str = ""
    written: int = 0
    targets: tuple[bytes, ...] = ()
    starts: tuple[bytes, ...] = ()
    adding: bytes = b""
    adding_rows: int = 0
    adds: bool = False
    rewritten: str = ""
    found: str = ""

    @classmethod
    def of(cls, row: ProgressRow) -> "Reached":
        """The record in ``row``; versions that did not write an optional column counted nothing."""
        targets = tuple(map(bytes.fromhex, row.targets or ()))
        starts = tuple(map(bytes.fromhex, row.starts or ()))
        adding = (row.adding or b"", row.adding_rows or 0, bool(row.adds))
        done = (row.done, row.rows or 0, row.code or "", row.run or "", row.written or 0)
        return cls(*done, targets, starts, *adding, row.rewritten or "", row.found or "")

    def row(self, step: str) -> ProgressRow:
        """The row for this record, as the progress of ``step``."""
        return ProgressRow(
            step=step,
            done=self.key,
            rows=self.rows,
            written=self.written,
            code=self.code,
            run=self.run or None,
            targets=[key.hex() for key in self.targets] or None,
            starts=[key.hex() for key in self.starts] or None,
            adding=self.adding or None,
            adding_rows=self.adding_rows or None,
            adds=self.adds or None,
            rewritten=self.rewritten or None,
            found=self.found or None,
        )

    @property
    def expected(self) -> dict[str, Any]:
        """The values by column name that prove that the run that recorded this still owns the step."""
        return {"run": self.run or None}

    def __bool__(self) -> bool:
        return self.rows > 0 or bool(self.targets or self.adding)

    @property
    def has_begun(self) -> bool:
        """Whether a run has begun the step: it may have written for rows, and was ended before it recorded how far it came."""
        return bool(self or self.adds or self.run or self.starts)

    @property
    def added(self) -> "Reached":
        """The same, where the rows of ``adding`` count as done."""
        return evolve(
            self, key=self.adding, rows=self.rows + self.adding_rows, adding=b"", adding_rows=0, adds=True
        )

    @property
    def not_added(self) -> "Reached":
        """The same, where the rows of ``adding`` are still to be done."""
        return evolve(self, adding=b"", adding_rows=0, adds=self.adds and bool(self.key))

    @property
    def may_have_added(self) -> bool:
        """Whether a step that begins anew would add a second time for some rows, as far as is known."""
        return self.adds or bool(self.adding)

    @property
    def rolled_back(self) -> "Reached":
        """The same after a rollback: whether what it has added for all these rows is still there, only the user knows."""
        last, rows = self.adding or self.key, self.rows + self.adding_rows
        return evolve(self, key=b"", rows=0, written=0, run="", starts=(), adding=last, adding_rows=rows)

    @property
    def is_rolled_back(self) -> bool:
        """Whether it adds for no row before the user has said what becomes of those for which it has added before a rollback."""
        return self.adds and bool(self.adding) and not self.key

    def summed(self, sections: Iterable["Reached"]) -> "Reached":
        """How far all sections of a step have come: it records where they begin, and each of them its own progress."""
        done = [one for one in sections if one]
        return evolve(
            self,
            key=max((one.key for one in done), default=b""),
            rows=sum(one.rows for one in done),
            written=sum(one.written for one in done),
            targets=tuple(sorted({target for one in done for target in one.targets})),
            adding=max((one.adding for one in done), default=b""),
            adding_rows=sum(one.adding_rows for one in done),
            adds=self.adds or any(one.adds for one in done),
        )

    def __str__(self) -> str:
        if self.starts:
            return f"{counted(self.rows, 'row')} in {counted(len(self.starts), 'section')}"
        return f"row {shown(self.adding or self.key)}, after {counted(self.rows + self.adding_rows, 'row')}"
