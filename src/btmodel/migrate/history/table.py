"""The migration history in the table ``btmodel_migrations`` of the instance."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from typing import NoReturn, Protocol, TypeVar

from attrs import frozen

from btmodel.client.row_streams import Row, Stream
from btmodel.declare import Fields, Model, codec_of, schema_of
from btmodel.errors import (
    MissingFamily,
    MissingTable,
    SchemaConflict,
    ServerError,
    UndecodableCell,
    UndecodableKey,
)
from btmodel.migrate.history.records import (
    ROWS,
    AppliedRevision,
    CopyRecord,
    CopyRow,
    LayoutRow,
    Lock,
    LockRow,
    ProgressRow,
    Reached,
    Record,
    RecordedLayouts,
    RevisionRow,
    Step,
    StepRow,
    UnreadableRecord,
)
from btmodel.migrate.instance import Instance
from btmodel.migrate.waiting import Backoff, until_answered
from btmodel.rows import (
    Cell,
    Conditional,
    Delete,
    Increment,
    Mutation,
    ReadModifyWrite,
    ReadPlan,
    RowRange,
    Selection,
    if_absent,
    if_equal,
)
from btmodel.rows.cells import now_micros
from btmodel.schema import Layout, tables
from btmodel.schema.limits import HISTORY_TABLE

(_TABLE,) = tables(schema_of(model) for model in ROWS)
_NEW = 30.0  # seconds within which a new table must accept rows
_LOCK = LockRow.row_key()
_CLOCK = b"clock"  # the row with the cell that the service stamps
_CELLS = Selection(schema_of(LockRow)).filter  # all kinds of records have the same family

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class HistoryRows(Protocol):
    """The access to rows of the instance, as :class:`btmodel.Database` provides it."""

    def read(self, plan: ReadPlan) -> Stream[Row]:
        """The rows of ``plan``."""
        ...

    def write(self, mutation: Mutation) -> None:
        """Apply a mutation."""
        ...

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds, and return whether it did."""
        ...

    def modify(self, change: ReadModifyWrite) -> list[Cell]:
        """Change cells in place, and return them as they are then."""
        ...


@frozen
class _Snapshot:
    """The rows of the history that one read has found. Nothing is written here: that would be an error of this program."""

    rows: tuple[Row, ...]

    def read(self, plan: ReadPlan) -> Stream[Row]:
        yield from (row for row in self.rows if any(span.holds(row[0]) for span in plan.ranges))

    def write(self, mutation: Mutation) -> NoReturn:
        raise TypeError("a snapshot of the migration history cannot be written")

    def write_if(self, conditional: Conditional) -> NoReturn:
        raise TypeError("a snapshot of the migration history cannot be written")

    def modify(self, change: ReadModifyWrite) -> NoReturn:
        raise TypeError("a snapshot of the migration history cannot be written")


class MigrationHistory:
    """What an instance remembers of its migrations, in a table that is created with the first record.

    Reading creates nothing: an instance that was never migrated has an empty history. Every method raises
    :class:`btmodel.errors.ServerError`, and :class:`UnreadableRecord` for a record that this version cannot read.
    """

    def __init__(
        self,
        instance: Instance,
        data: HistoryRows,
        *,
        patient: bool = False,
        permit: Callable[[], None] = lambda: None,
    ) -> None:
        self._instance = instance
        self._data = data
        self._patient = patient
        self._permit = permit

    def patient(self) -> "MigrationHistory":
        """The same history with retries if the server does not answer; for a run that has begun, and not for locks."""
        return MigrationHistory(self._instance, self._data, patient=True, permit=self._permit)

    def fenced(self, permit: Callable[[], None]) -> "MigrationHistory":
        """The same history, which calls ``permit`` right before it writes a record; what that raises ends the write."""
        return MigrationHistory(self._instance, self._data, patient=self._patient, permit=permit)

    def snapshot(self) -> "MigrationHistory":
        """The history as one read of the whole table finds it now, to be asked many questions, and not to be written.

        Make a plan from it. A run takes a new one under the lock, where no other run changes the history.
        """
        return MigrationHistory(self._instance, _Snapshot(self._answered(self._all)))

    def layouts(self) -> Mapping[str, tuple[Layout, ...]]:
        """The recorded layouts of each table, by table id."""
        records = map(RecordedLayouts.of, self._rows(LayoutRow))
        return {record.table: record.layouts for record in records}

    def record_layouts(self, table: str, layouts: tuple[Layout, ...]) -> None:
        """Replace the recorded layouts of a table; empty ``layouts`` remove its record."""
        if layouts:
            self._put(RecordedLayouts(table, layouts).row)
        else:
            self._delete(LayoutRow.row_key(table=table))

    def revisions(self) -> tuple[AppliedRevision, ...]:
        """The applied revisions, in the order of applying."""
        rows = sorted(self._rows(RevisionRow), key=lambda row: (row.number, row.at, row.id))
        return tuple(map(AppliedRevision.of, rows))

    def add_revision(self, revision: AppliedRevision) -> None:
        """Record that a revision is applied, after all others."""
        number = max((row.number for row in self._rows(RevisionRow)), default=0) + 1
        self._put(revision.row(number))

    def remove_revision(self, id: str) -> None:
        """Record that a revision is no longer applied."""
        self._delete(RevisionRow.row_key(id=id))

    def progress(self, step: str) -> Reached | None:
        """The progress of ``step``, that of all its sections together if it has any; None if nothing is recorded."""
        reached = self._progress(step)
        if reached is None or not reached.starts:
            return reached
        return reached.summed(self.sections(step).values())

    def _progress(self, step: str) -> Reached | None:
        row = self._row(ProgressRow, ProgressRow.row_key(step=step))
        return None if row is None else Reached.of(row)

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record the progress of ``step``."""
        self._put(reached.row(step))

    def swap_progress(self, step: str, old: Reached, new: Reached) -> bool:
        """Atomically replace the progress ``old`` of a run by ``new``; false if another run's is there, or none.

        If ``old`` names no run, only progress that was recorded without a lock is replaced, or none. If the answer is
        lost, the row is read to see whether the swap was made.
        """
        change = if_equal(schema_of(ProgressRow), _replacement(new.row(step)), old.expected)

        def swap() -> bool:
            self._permit()
            try:
                return self._recorded(lambda: self._data.write_if(change)) or self._progress(step) == new
            except ServerError:
                if self._progress(step) != new:
                    raise
                return True

        return self._answered(swap)

    def sections(self, step: str) -> dict[str, Reached]:
        """The progress of the sections of ``step``, by name."""
        found = self._read(ProgressRow, RowRange.of_prefix(ProgressRow.row_key(step=f"{step}/")))
        return {row.step: Reached.of(row) for row in found}

    def all_progress(self) -> dict[str, Reached]:
        """Every recorded progress, by the name of its step or section."""
        return {row.step: Reached.of(row) for row in self._rows(ProgressRow)}

    def end_progress(self, step: str, kept: Reached | None = None) -> None:
        """Remove the progress of ``step``, and of its sections; ``kept`` takes its place."""
        if kept is not None:
            self.record_progress(step, kept)
        for name in self.sections(step):
            self._delete(ProgressRow.row_key(step=name))
        if kept is None:
            self._delete(ProgressRow.row_key(step=step))

    def copies(self) -> tuple[CopyRecord, ...]:
        """The copies that were begun, except of what was dropped since, ordered by name."""
        return tuple(map(CopyRecord.of, self._rows(CopyRow)))

    def record_copy(self, copy: CopyRecord) -> None:
        """Record a copy, replacing one with the same names."""
        self._put(copy.row)

    def forget_copy(self, copy: CopyRecord) -> None:
        """Remove the record of a copy."""
        self._delete(CopyRow.row_key(old=copy.old, new=copy.new))

    def steps(self) -> Mapping[str, Step]:
        """The last changes of each table, by table id."""
        return {step.table: step for step in map(Step.of, self._rows(StepRow))}

    def record_step(self, step: Step) -> None:
        """Record the last changes of a table, replacing earlier ones."""
        self._put(step.row)

    def service_time(self) -> datetime:
        """The service's time during this call: the service stamps the cell that the call changes.

        An existing cell could have a later time and keep it, so it is deleted first.
        """
        change = ReadModifyWrite(HISTORY_TABLE, _CLOCK, (Increment(Record.data.id, b"now", 1),))

        def stamped() -> list[Cell]:
            self._data.write(_deletion(_CLOCK))
            return self._data.modify(change)

        return self._answered(lambda: self._recorded(stamped))[0].time

    def lock(self) -> Lock | None:
        """The lock of the run that may change the instance; None if there is none. It may belong to a run that has died."""
        try:
            row = self._row(LockRow, _LOCK)
        except UnreadableRecord as error:
            raise UnreadableRecord(
                f"the lock is {error}: wait until the run that has it has ended, or, if you know that it has, end "
                "the lock with `btmodel migrate unlock`, or with --force-unlock"
            ) from error
        return None if row is None else Lock.of(row)

    def swap_lock(self, old: Lock | None, new: Lock | None, *, unrenewed: bool = False) -> bool:
        """Atomically replace the lock ``old`` by ``new``; false if another lock than ``old`` is there.

        None stands for no lock. With ``unrenewed``, the result is also false if ``old`` was renewed. If the answer is
        lost, the row is read to see whether the swap was made.
        """
        mutation = _deletion(_LOCK) if new is None else _replacement(new.row)
        schema = schema_of(LockRow)
        if old is None:
            change = if_absent(schema, mutation)
        else:
            change = if_equal(schema, mutation, old.expected(unrenewed=unrenewed))
        try:
            if new is None:
                return self._data.write_if(change)
            return self._recorded(lambda: self._data.write_if(change))
        except MissingTable:
            return False
        except ServerError:
            if self.lock() != new:
                raise
            return True

    def drop_lock(self) -> None:
        """Remove the lock, whichever run holds it, even if it cannot be read."""
        self._delete(_LOCK)

    def _row(self, model: type[M], key: bytes) -> M | None:
        return next(self._read(model, RowRange.of_key(key)), None)

    def _rows(self, model: type[M]) -> Iterator[M]:
        """The rows of a record model; their keys begin with its kind."""
        kind = getattr(model, "kind")  # noqa: B009
        return self._read(model, RowRange.of_prefix(f"{kind}#".encode()))

    def _read(self, model: type[M], rows: RowRange) -> Iterator[M]:
        return iter(self._answered(lambda: list(self._decoded(model, rows))))

    def _answered(self, work: Callable[[], T]) -> T:
        """Return the result of ``work``, which must be safe to repeat."""
        return until_answered(work) if self._patient else work()

    def _all(self) -> tuple[Row, ...]:
        try:
            with closing(self._data.read(_plan(RowRange.of_prefix(b"")))) as rows:
                return tuple(rows)
        except (MissingTable, MissingFamily):
            return ()

    def _decoded(self, model: type[M], rows: RowRange) -> Iterator[M]:
        codec = codec_of(model)
        try:
            with closing(self._data.read(_plan(rows))) as found:
                for key, cells in found:
                    yield codec.decode(key, cells)
        except (MissingTable, MissingFamily):
            return
        except (UndecodableKey, UndecodableCell) as error:
            raise UnreadableRecord(f"a record that this btmodel cannot read: {error}") from error

    def _put(self, row: Model) -> None:
        self._answered(lambda: self._recorded(lambda: self._write(_replacement(row))))

    def _delete(self, key: bytes) -> None:
        try:
            self._answered(lambda: self._write(_deletion(key)))
        except MissingTable:
            return

    def _write(self, mutation: Mutation) -> None:
        self._permit()
        self._data.write(mutation)

    def _recorded(self, record: Callable[[], T]) -> T:
        """Return the result of ``record``, and create the table first if it is missing; many runs may do so at once."""
        backoff = Backoff(_NEW, most=1.0)
        while True:
            try:
                return record()
            except (MissingTable, MissingFamily) as error:
                if not self._create(table=isinstance(error, MissingTable)) and not backoff.wait():
                    raise

    def _create(self, *, table: bool) -> bool:
        """Create the table, or the family that it has lost; false if another run did."""
        try:
            if table:
                self._instance.create_table(_TABLE)
            else:
                self._instance.modify_families(HISTORY_TABLE, create=_TABLE.families)
        except SchemaConflict:
            return False
        return True


def _plan(rows: RowRange) -> ReadPlan:
    """The read of records of any kind."""
    return ReadPlan(HISTORY_TABLE, (rows,), _CELLS)


def _deletion(key: bytes) -> Mutation:
    """The mutation that deletes the row ``key``."""
    return Mutation(HISTORY_TABLE, key, deletes=(Delete(),))


def _replacement(row: Model) -> Mutation:
    """The mutation that replaces the existing row by ``row``, regardless of the time that another machine's clock gave it."""
    codec = codec_of(type(row))
    mutation = codec.encode(Fields(row), now_micros())
    return Mutation(mutation.table, mutation.key, mutation.cells, deletes=(Delete(),))
