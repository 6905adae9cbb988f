"""The migration history in the instance's table ``btmodel_migrations``."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from typing import Any, Protocol, TypeVar

from btmodel.client.streams import Row, Stream
from btmodel.codecs.key import Text
from btmodel.declare import Fields, Model, codec_of, column, constant, family, key, schema_of
from btmodel.declare.problems import into
from btmodel.errors import (
    DeclarationError,
    MissingFamily,
    MissingTable,
    SchemaConflict,
    ServerError,
    UndecodableCell,
    UndecodableKey,
)
from btmodel.migrate.history.records import (
    AppliedRevision,
    CopyRecord,
    Lease,
    Reached,
    Step,
    UnreadableRecord,
)
from btmodel.migrate.instance import Instance
from btmodel.migrate.waiting import Backoff, until_answered
from btmodel.recorded.tables import as_data, from_data
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
from btmodel.schema import Layout, MaxVersions, Table, tables
from btmodel.schema.limits import JOURNAL_TABLE


class Record(Model):
    """What all records have: a family in which a new value takes the place of the old one."""

    data = family("data", gc=MaxVersions(1))


# A review that gathers models gathers the user's, also where this file is imported in its midst.
with into(None):

    class LayoutRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """How the rows of a table lay when it was migrated last."""

        kind = constant("layout")
        table: str = key(Text(max_length=400))  # the id of a table, or of a template
        models: dict[str, Any] = column("models", Record.data, size=2_000)

    class RevisionRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """A revision that is applied; ``number`` counts them in the order of their applying."""

        kind = constant("revision")
        id: str = key(Text(max_length=200, holds_delimiter=True))
        number: int = column("number", Record.data)
        checksum: str = column("checksum", Record.data)
        at: datetime = column("at", Record.data)
        by: str = column("by", Record.data)

    class ProgressRow(Record, table=JOURNAL_TABLE, events="1/s"):
        """How far a copy or a data step has come: the row key of the table that it goes through."""

        kind = constant("progress")
        step: str = key(Text(max_length=400, holds_delimiter=True), cardinality=100)
        done: bytes = column("done", Record.data, size=50)
        rows: int | None = column("rows", Record.data, default=None)
        written: int | None = column("written", Record.data, default=None)
        code: str | None = column("code", Record.data, default=None, size=32)
        run: str | None = column("run", Record.data, default=None, size=32)

    class CopyRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """A family, or a table, that was copied because it was renamed."""

        kind = constant("copy")
        old: str = key(Text(max_length=115))
        new: str = key(Text(max_length=115))
        by: str = column("by", Record.data)
        begun: datetime = column("begun", Record.data)
        ended: datetime | None = column("ended", Record.data, default=None)
        families: dict[str, str] | None = column("families", Record.data, default=None, size=100)

    class StepRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """The last changes that were made to a table."""

        kind = constant("step")
        table: str = key(Text(max_length=50))
        changes: list[str] = column("changes", Record.data, size=200)
        by: str = column("by", Record.data)
        begun: datetime = column("begun", Record.data)
        ended: datetime | None = column("ended", Record.data, default=None)

    class LeaseRow(Record, table=JOURNAL_TABLE, events="1/minute"):
        """Who may change the instance now."""

        kind = constant("lease")
        id: str = column("id", Record.data)
        owner: str = column("owner", Record.data)
        since: datetime = column("since", Record.data)
        expires: datetime = column("expires", Record.data)


ROWS: tuple[type[Model], ...] = (LayoutRow, RevisionRow, ProgressRow, CopyRow, StepRow, LeaseRow)


_NEW = 30.0  # seconds in which a table that was just made must take rows
_LEASE = LeaseRow.row_key()
_CLOCK = b"clock"  # the row of a cell that the service stamps

M = TypeVar("M", bound=Model)
T = TypeVar("T")


class Data(Protocol):
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


class TableJournal:
    """A :class:`Journal` in a table of the instance, which is made when something is first recorded."""

    def __init__(self, instance: Instance, data: Data, *, patient: bool = False) -> None:
        self._instance = instance
        self._data = data
        self._patient = patient

    def patient(self) -> "TableJournal":
        """The same journal, which asks again where the server does not answer."""
        return TableJournal(self._instance, self._data, patient=True)

    def layouts(self) -> Mapping[str, tuple[Layout, ...]]:
        """The layouts that were recorded of each table."""
        return {row.table: _layouts(row) for row in self._rows(LayoutRow)}

    def record_layouts(self, table: str, layouts: tuple[Layout, ...]) -> None:
        """Record the layouts of a table."""
        if layouts:
            models = as_data([Table(table, (), layouts=layouts)])[table]["models"]
            self._put(LayoutRow(table=table, models=models))
        else:
            self._delete(LayoutRow.row_key(table=table))

    def revisions(self) -> tuple[AppliedRevision, ...]:
        """The revisions that are applied, in the order of their applying."""
        rows = sorted(self._rows(RevisionRow), key=lambda row: (row.number, row.at, row.id))
        return tuple(AppliedRevision(row.id, row.checksum, row.at, row.by) for row in rows)

    def add_revision(self, revision: AppliedRevision) -> None:
        """Record that a revision is applied, as the last one."""
        number = max((row.number for row in self._rows(RevisionRow)), default=0) + 1
        self._put(
            RevisionRow(
                id=revision.id, number=number, checksum=revision.checksum, at=revision.at, by=revision.by
            )
        )

    def remove_revision(self, id: str) -> None:
        """Record that a revision is not applied any more."""
        self._delete(RevisionRow.row_key(id=id))

    def progress(self, step: str) -> Reached | None:
        """How far ``step`` has come."""
        row = self._row(ProgressRow, ProgressRow.row_key(step=step))
        if row is None:
            return None
        return Reached(row.done, row.rows or 0, row.code or "", row.run or "", row.written or 0)

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record how far ``step`` has come."""
        self._put(_progress_row(step, reached))

    def swap_progress(self, step: str, old: Reached, new: Reached) -> bool:
        """Put ``new`` in the place of what the run of ``old`` recorded.

        Where the answer is lost, what is there then tells whether it was done.
        """
        return self._answered(lambda: self._swap_progress(step, old, new))

    def _swap_progress(self, step: str, old: Reached, new: Reached) -> bool:
        mutation = _replacement(_progress_row(step, new))
        change = if_equal(schema_of(ProgressRow), mutation, {"run": old.run or None})
        try:
            return self._recorded(lambda: self._data.write_if(change)) or self.progress(step) == new
        except ServerError:
            if self.progress(step) != new:
                raise
            return True

    def end_progress(self, step: str) -> None:
        """Forget the progress of ``step``."""
        self._delete(ProgressRow.row_key(step=step))

    def copies(self) -> tuple[CopyRecord, ...]:
        """The copies that were begun."""
        return tuple(
            CopyRecord(row.old, row.new, row.by, row.begun, row.ended, tuple((row.families or {}).items()))
            for row in self._rows(CopyRow)
        )

    def record_copy(self, copy: CopyRecord) -> None:
        """Record a copy."""
        self._put(
            CopyRow(
                old=copy.old,
                new=copy.new,
                by=copy.by,
                begun=copy.begun,
                ended=copy.ended,
                families=dict(copy.families),
            )
        )

    def forget_copy(self, copy: CopyRecord) -> None:
        """Forget a copy."""
        self._delete(CopyRow.row_key(old=copy.old, new=copy.new))

    def steps(self) -> Mapping[str, Step]:
        """What was done last to each table."""
        rows = self._rows(StepRow)
        return {row.table: Step(row.table, tuple(row.changes), row.by, row.begun, row.ended) for row in rows}

    def record_step(self, step: Step) -> None:
        """Record what is done to a table."""
        self._put(
            StepRow(
                table=step.table,
                changes=list(step.changes),
                by=step.by,
                begun=step.begun,
                ended=step.ended,
            )
        )

    def service_time(self) -> datetime:
        """The time by the service's clock, with which it stamps a cell that it changes.

        A cell that was there could have a later time, and keep it.
        """
        change = ReadModifyWrite(JOURNAL_TABLE, _CLOCK, (Increment(Record.data.id, b"now", 1),))

        def stamped() -> list[Cell]:
            self._data.write(Mutation(JOURNAL_TABLE, _CLOCK, deletes=(Delete(),)))
            return self._data.modify(change)

        return self._answered(lambda: self._recorded(stamped))[0].time

    def lease(self) -> Lease | None:
        """Who may change the instance now."""
        try:
            row = self._row(LeaseRow, _LEASE)
        except UnreadableRecord as error:
            raise UnreadableRecord(
                f"the lease is {error}: wait until the run that has it has ended, or, if you know that it has, end "
                "the lease with `btmodel migrate unlock`, or with --force-unlock"
            ) from error
        return None if row is None else Lease(row.id, row.owner, row.since, row.expires)

    def swap_lease(self, old: Lease | None, new: Lease | None, *, unrenewed: bool = False) -> bool:
        """Put ``new`` in the place of ``old``, where that is there.

        Where the answer is lost, what is there then tells whether it was done.
        """
        if new is None:
            mutation = Mutation(JOURNAL_TABLE, _LEASE, deletes=(Delete(),))
        else:
            row = LeaseRow(id=new.id, owner=new.owner, since=new.since, expires=new.expires)
            mutation = _replacement(row)
        schema = schema_of(LeaseRow)
        if old is None:
            change = if_absent(schema, mutation)
        else:
            expected = {"id": old.id, "expires": old.expires} if unrenewed else {"id": old.id}
            change = if_equal(schema, mutation, expected)
        try:
            if new is None:
                return self._data.write_if(change)
            return self._recorded(lambda: self._data.write_if(change))
        except MissingTable:
            return False
        except ServerError:
            if self.lease() != new:
                raise
            return True

    def drop_lease(self) -> None:
        """End the lease, also one that cannot be read."""
        self._delete(_LEASE)

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
        plan = ReadPlan(JOURNAL_TABLE, (rows,), Selection(schema_of(model)).filter)
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
            self._answered(lambda: self._data.write(Mutation(JOURNAL_TABLE, key, deletes=(Delete(),))))
        except MissingTable:
            return

    def _recorded(self, record: Callable[[], T]) -> T:
        """What ``record`` gives, once the table is there for it. Many may find it missing at once."""
        backoff = Backoff(_NEW, most=1.0)
        while True:
            try:
                return record()
            except (MissingTable, MissingFamily) as error:
                made = self._make() if isinstance(error, MissingTable) else self._mend()
                if not made and not backoff.wait():
                    raise

    def _make(self) -> bool:
        """Make the table; false where another did."""
        try:
            self._instance.create_table(_TABLE)
        except SchemaConflict:
            return False
        return True

    def _mend(self) -> bool:
        """Make the family that was lost; false where another did."""
        try:
            self._instance.modify_families(JOURNAL_TABLE, create=_TABLE.families)
        except SchemaConflict:
            return False
        return True


(_TABLE,) = tables(schema_of(model) for model in ROWS)


def _progress_row(step: str, reached: Reached) -> ProgressRow:
    return ProgressRow(
        step=step,
        done=reached.key,
        rows=reached.rows,
        written=reached.written,
        code=reached.code,
        run=reached.run or None,
    )


def _replacement(row: Model) -> Mutation:
    """What puts ``row`` in the place of what is there, whatever time another machine's clock gave that."""
    codec = codec_of(type(row))
    mutation = codec.encode(Fields(row), now_micros())
    return Mutation(mutation.table, mutation.key, mutation.cells, deletes=(Delete(),))


def _layouts(row: LayoutRow) -> tuple[Layout, ...]:
    where = f"the record of table {row.table!r} in {JOURNAL_TABLE}"
    try:
        (table,) = from_data({row.table: {"models": row.models}}, where)
    except DeclarationError as error:
        raise UnreadableRecord(f"a record that this btmodel cannot read: {error}") from error
    return table.layouts
