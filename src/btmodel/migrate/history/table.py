"""The migration history in the instance's table ``btmodel_migrations``."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from typing import Protocol, TypeVar

from btmodel.client.streams import Row, Stream
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
_NEW = 30.0  # seconds in which a table that was just made must take rows
_LOCK = LockRow.row_key()
_CLOCK = b"clock"  # the row of a cell that the service stamps

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class HistoryRows(Protocol):
    """Rows of the instance, read and written: what :class:`btmodel.Database` does."""

    def read(self, plan: ReadPlan) -> Stream[Row]:
        """The rows of a read."""
        ...

    def write(self, mutation: Mutation) -> None:
        """Apply a mutation."""
        ...

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds; whether it was applied."""
        ...

    def modify(self, change: ReadModifyWrite) -> list[Cell]:
        """Change cells where they are; the cells as they are then."""
        ...


class History:
    """What an instance remembers of its migrations, in a table that is made when something is first recorded.

    It is read without making anything: an instance that was never migrated has an empty one. Every method raises
    :class:`btmodel.errors.ServerError`, and :class:`UnreadableRecord` for a record that this version cannot read.
    """

    def __init__(self, instance: Instance, data: HistoryRows, *, patient: bool = False) -> None:
        self._instance = instance
        self._data = data
        self._patient = patient

    def patient(self) -> "History":
        """The same history, which asks again where the server does not answer: for a run that has begun, and not for locks."""
        return History(self._instance, self._data, patient=True)

    def layouts(self) -> Mapping[str, tuple[Layout, ...]]:
        """The layouts that were recorded of each table, by its id."""
        records = map(RecordedLayouts.of, self._rows(LayoutRow))
        return {record.table: record.layouts for record in records}

    def record_layouts(self, table: str, layouts: tuple[Layout, ...]) -> None:
        """Record the layouts of a table instead of those that were; none of them ends its record."""
        if layouts:
            self._put(RecordedLayouts(table, layouts).row)
        else:
            self._delete(LayoutRow.row_key(table=table))

    def revisions(self) -> tuple[AppliedRevision, ...]:
        """The revisions that are applied, in the order of their applying."""
        rows = sorted(self._rows(RevisionRow), key=lambda row: (row.number, row.at, row.id))
        return tuple(map(AppliedRevision.of, rows))

    def add_revision(self, revision: AppliedRevision) -> None:
        """Record that a revision is applied, as the last one."""
        number = max((row.number for row in self._rows(RevisionRow)), default=0) + 1
        self._put(revision.row(number))

    def remove_revision(self, id: str) -> None:
        """Record that a revision is not applied any more."""
        self._delete(RevisionRow.row_key(id=id))

    def progress(self, step: str) -> Reached | None:
        """How far ``step`` has come; None where nothing is recorded."""
        row = self._row(ProgressRow, ProgressRow.row_key(step=step))
        return None if row is None else Reached.of(row)

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record how far ``step`` has come."""
        self._put(reached.row(step))

    def swap_progress(self, step: str, old: Reached, new: Reached) -> bool:
        """Replace what the run of ``old`` recorded by ``new``, in one step; false where another's is there, or none.

        Where the run of ``old`` is empty, nothing may be there, or what was recorded without a lock. Where the answer
        is lost, what is there then shows whether it was done.
        """
        change = if_equal(schema_of(ProgressRow), _replacement(new.row(step)), old.expected)

        def swap() -> bool:
            try:
                return self._recorded(lambda: self._data.write_if(change)) or self.progress(step) == new
            except ServerError:
                if self.progress(step) != new:
                    raise
                return True

        return self._answered(swap)

    def end_progress(self, step: str) -> None:
        """Forget the progress of ``step``."""
        self._delete(ProgressRow.row_key(step=step))

    def copies(self) -> tuple[CopyRecord, ...]:
        """The copies that were begun, of all that was not dropped since, in the order of their names."""
        return tuple(map(CopyRecord.of, self._rows(CopyRow)))

    def record_copy(self, copy: CopyRecord) -> None:
        """Record a copy instead of an earlier one of the same names."""
        self._put(copy.row)

    def forget_copy(self, copy: CopyRecord) -> None:
        """Forget a copy."""
        self._delete(CopyRow.row_key(old=copy.old, new=copy.new))

    def steps(self) -> Mapping[str, Step]:
        """What was done last to each table, by its id."""
        return {step.table: step for step in map(Step.of, self._rows(StepRow))}

    def record_step(self, step: Step) -> None:
        """Record what is done to a table instead of what was done before."""
        self._put(step.row)

    def service_time(self) -> datetime:
        """The time by the service's clock at some moment of the call: the service stamps a cell that it changes with it.

        A cell that was there could have a later time, and keep it.
        """
        change = ReadModifyWrite(HISTORY_TABLE, _CLOCK, (Increment(Record.data.id, b"now", 1),))

        def stamped() -> list[Cell]:
            self._data.write(_deletion(_CLOCK))
            return self._data.modify(change)

        return self._answered(lambda: self._recorded(stamped))[0].time

    def lock(self) -> Lock | None:
        """The lock of the run that may change the instance now, or could until it ended without a word; None where none may."""
        try:
            row = self._row(LockRow, _LOCK)
        except UnreadableRecord as error:
            raise UnreadableRecord(
                f"the lock is {error}: wait until the run that has it has ended, or, if you know that it has, end "
                "the lock with `btmodel migrate unlock`, or with --force-unlock"
            ) from error
        return None if row is None else Lock.of(row)

    def swap_lock(self, old: Lock | None, new: Lock | None, *, unrenewed: bool = False) -> bool:
        """Replace the lock ``old`` by ``new``, in one step; false where another than ``old`` is there.

        None stands for no lock. With ``unrenewed``, it is false also where ``old`` was renewed. Where the answer is
        lost, what is there then shows whether it was done.
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
        """End the lock, whichever run has it, and whether or not it can be read."""
        self._delete(_LOCK)

    def _row(self, model: type[M], key: bytes) -> M | None:
        return next(self._read(model, RowRange.of_key(key)), None)

    def _rows(self, model: type[M]) -> Iterator[M]:
        """The rows of a model, whose keys all begin with its kind."""
        kind = getattr(model, "kind")  # noqa: B009
        return self._read(model, RowRange.of_prefix(f"{kind}#".encode()))

    def _read(self, model: type[M], rows: RowRange) -> Iterator[M]:
        return iter(self._answered(lambda: list(self._decoded(model, rows))))

    def _answered(self, work: Callable[[], T]) -> T:
        """What ``work`` gives, which may be done twice."""
        return until_answered(work) if self._patient else work()

    def _decoded(self, model: type[M], rows: RowRange) -> Iterator[M]:
        plan = ReadPlan(HISTORY_TABLE, (rows,), Selection(schema_of(model)).filter)
        codec = codec_of(model)
        try:
            with closing(self._data.read(plan)) as found:
                for key, cells in found:
                    yield codec.decode(key, cells)
        except (MissingTable, MissingFamily):
            return
        except (UndecodableKey, UndecodableCell) as error:
            raise UnreadableRecord(f"a record that this btmodel cannot read: {error}") from error

    def _put(self, row: Model) -> None:
        self._answered(lambda: self._recorded(lambda: self._data.write(_replacement(row))))

    def _delete(self, key: bytes) -> None:
        try:
            self._answered(lambda: self._data.write(_deletion(key)))
        except MissingTable:
            return

    def _recorded(self, record: Callable[[], T]) -> T:
        """What ``record`` gives, once the table is there for it. Many runs may find it missing at once."""
        backoff = Backoff(_NEW, most=1.0)
        while True:
            try:
                return record()
            except (MissingTable, MissingFamily) as error:
                if not self._made(table=isinstance(error, MissingTable)) and not backoff.wait():
                    raise

    def _made(self, *, table: bool) -> bool:
        """Make the table, or else the family that it lost; false where another run did."""
        try:
            if table:
                self._instance.create_table(_TABLE)
            else:
                self._instance.modify_families(HISTORY_TABLE, create=_TABLE.families)
        except SchemaConflict:
            return False
        return True


def _deletion(key: bytes) -> Mutation:
    """What deletes the row ``key``."""
    return Mutation(HISTORY_TABLE, key, deletes=(Delete(),))


def _replacement(row: Model) -> Mutation:
    """What replaces the row that is there by ``row``, whatever time another machine's clock gave that."""
    codec = codec_of(type(row))
    mutation = codec.encode(Fields(row), now_micros())
    return Mutation(mutation.table, mutation.key, mutation.cells, deletes=(Delete(),))
