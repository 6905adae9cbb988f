"""Run data steps: functions that rewrite rows."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple, TypeVar, cast, overload

from attrs import evolve, frozen

from btmodel.declare import Fields, Model, codec_of, schema_of, unknown_cells
from btmodel.errors import (
    DeclarationError,
    MigrationError,
    MissingFamily,
    ServerError,
    UndecodableCell,
    UndecodableKey,
    ValueRefused,
    WriteFailed,
    shown,
    text_of,
)
from btmodel.migrate.data.adding import is_refused, noted, refuse_unknown, repeat_name, skip_name
from btmodel.migrate.data.sections import RunnerFailed, Spread, addition, walk_sections
from btmodel.migrate.data.walks import READS, Progress, Recorded, Row, RowAccess, walk, whole
from btmodel.migrate.history import Reached
from btmodel.migrate.waiting import passes
from btmodel.rows import Add, Cell, Delete, Mutation, ReadPlan, RowRange
from btmodel.rows.cells import MILLISECOND
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.schema.names import placeholders
from btmodel.words import counted

# Rows that a step is tried on before workers run it.
_TRIED = 100


class StoredRow(NamedTuple):
    """A row as stored: its key and all its cells, in each column the newest first."""

    key: bytes
    cells: Sequence[Cell]


@frozen
class Source:
    """What a data step was given: the time of the newest cell of each column of a row, and the ``newest`` of them, in microseconds.

    Columns that the step has read are written at the time of their newest cell, and replace it: newer writes of the
    application stay on top. So repeating the step for the same row sets the same cells, those that it filled in before included.
    """

    table: str
    key: bytes
    times: Mapping[tuple[str, bytes], int]
    newest: int

    @classmethod
    def of(cls, table: str, row: tuple[bytes, Sequence[Cell]], given: StoredRow | Model) -> "Source":
        """The source for ``row`` of ``table``; a model that was ``given`` may not read all its cells."""
        key, cells = row
        unknown = unknown_cells(given) if isinstance(given, Model) else ()
        read = [cell for cell in cells if cell not in unknown] if unknown else cells
        # The newest of a column comes first, and so last here.
        times = {(family, qualifier): time for family, qualifier, time, _ in reversed(read)}
        newest = max(times.values()) if times else max((cell.timestamp for cell in cells), default=0)
        return cls(table, key, times, newest)

    def written(self, row: Model) -> Mutation:
        """The mutation that puts ``row``; raises :class:`btmodel.errors.ValueRefused`.

        Columns that the step has not read are written a millisecond before the newest cell of the row, because a cell at
        exactly that time may be the application's own, from the same put.
        """
        codec, values = codec_of(type(row)), Fields(row)
        key, before = codec.keys.of_row(row), max(self.newest - MILLISECOND, 0)
        made = codec.encode(values, before, key)
        if key != self.key or made.table != self.table:
            return made
        if codec.stamped:
            times = self.times
            cells = [
                Cell(family, qualifier, times.get((family, qualifier), before), value)
                for family, qualifier, _, value in made.cells
            ]
        else:
            again = codec.encode(values, self.newest, key)
            cells = [self._at_its_time(at, older) for at, older in zip(again.cells, made.cells, strict=True)]
        return Mutation(made.table, key, cells, made.deletes, made.adds, made.then)

    def _at_its_time(self, at: Cell, older: Cell) -> Cell:
        """The cell ``at`` the time of what it replaces, else a millisecond ``older``; where both are the same, it has a time of its own."""
        return older if at == older else at._replace(timestamp=self.times.get(at[:2], older.timestamp))


def phases(given: Iterable[tuple[Mutation, bool]]) -> Iterator[tuple[str, list[Mutation]]]:
    """The mutations of a batch, grouped by table and ordered, so that each group must be written before the next.

    ``given`` has each mutation with whether it goes to the row that the step was given. Mutations that set cells come
    before those that only delete, and mutations of given rows come last: until then the row is still there for a run
    that repeats the batch. The result for each row is that of its mutations in the given order.
    """
    rows: dict[tuple[str, bytes], list[Mutation]] = {}
    sources: set[tuple[str, bytes]] = set()
    for mutation, is_source in given:
        place = (mutation.table, mutation.key)
        rows.setdefault(place, []).append(mutation)
        if is_source:
            sources.add(place)
    found: dict[tuple[bool, bool, bool, str], list[Mutation]] = {}
    for place, several in rows.items():
        deletes = any(mutation.deletes for mutation in several)
        # With a delete in between they become one mutation, which the service applies as a whole or not at all.
        mutations = [_as_one(several)] if deletes else several
        sets = any(mutation.cells or mutation.adds for mutation in mutations)
        found.setdefault((not sets, place in sources, deletes, place[0]), []).extend(mutations)
    for phase in sorted(found):
        yield phase[-1], found[phase]


def _as_one(several: Sequence[Mutation]) -> Mutation:
    """One mutation with the effect of ``several`` mutations of one row in a sequence."""
    one = several[0]
    for then in several[1:]:
        one = evolve(
            one,
            cells=[*(cell for cell in one.cells if not _deleted(cell, then.deletes)), *then.cells],
            deletes=[*one.deletes, *then.deletes],
            adds=[*(add for add in one.adds if not _deleted(add, then.deletes)), *then.adds],
        )
    return one


def _deleted(one: Cell | Add, deletes: Iterable[Delete]) -> bool:
    return any(
        delete.family is None
        or (
            delete.family == one.family
            and (
                delete.qualifier is None
                or (
                    delete.qualifier == one.qualifier
                    and delete.start <= one.timestamp
                    and (one.timestamp < delete.end or not delete.end)
                )
            )
        )
        for delete in deletes
    )


class WrongRow(MigrationError):
    """A row that a step cannot take, or what a function makes of a row and a step cannot write: the same run fails again; the message names the step and the row."""


def fails_again(error: BaseException | None) -> bool:
    """Whether a row or the code of a step has to be corrected, without which the same run fails again."""
    if isinstance(error, RunnerFailed):
        return error.lasting
    return error is not None and (isinstance(error, WrongRow) or fails_again(error.__cause__))


def _several(made: object) -> Iterable[object] | None:
    """The elements of what a step gave, where it is a collection of results; None where it is one wrong value, whose elements mean nothing."""
    single = isinstance(made, str | bytes | bytearray | memoryview | Mapping | type) or hasattr(
        made, "_fields"
    )
    return None if single or not isinstance(made, Iterable) else made


def _kind(value: object) -> str:
    """A value that a step gave with its type, for messages."""
    if inspect.iscoroutine(value):
        value.close()  # or Python would warn that nobody awaited it
    if inspect.iscoroutine(value) or inspect.isasyncgen(value):
        return f"{_article(value)}: write `def` in place of `async def`"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"the {type(value).__name__} {shown(value)}"


def _article(value: object) -> str:
    """The name of the type of a value, with its article."""
    name = type(value).__name__.replace("_", " ")
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


M = TypeVar("M", bound=Model)
# The results of a step: rows of models, which are put, mutations, or None.
Made = Iterable[Model | Mutation] | Model | Mutation | None


class _Blamed:
    """A block whose errors are those of a row; a class, as the blocks of so many rows are entered faster by it."""

    __slots__ = ("_key", "_step")

    def __init__(self, step: "DataStep", key: bytes) -> None:
        self._step, self._key = step, key

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, KeyboardInterrupt | WrongRow):
            return
        step, key = self._step, self._key
        if isinstance(error, UndecodableKey | UndecodableCell):
            raise WrongRow(
                f"{step.name}: row {shown(key)} of {step.table!r} is no {step.given}: {error}"
            ) from error
        # sys.exit() in a step would end the run silently.
        text = text_of(error)
        # A server or a file may be there the next time.
        passing = isinstance(error, ServerError | OSError)
        raise (MigrationError if passing else WrongRow)(
            f"{step.name}: raised {type(error).__name__} at row {shown(key)} of {step.table!r}{text and f': {text}'}"
        ) from error


@frozen
class DataStep:
    """A function that is called with every row of a table and returns what to write for it.

    ``model`` is the class that rows are decoded to; None for rows as stored.
    """

    name: str
    table: str
    model: type[Model] | None
    function: Callable[[Any], Made]

    def of(self, row: Row) -> Iterator[Mutation]:
        """The mutations that the function makes of a row.

        Raises :class:`MigrationError`, which names the row, if the function raises or returns something else, or if
        the row does not fit the model.
        """
        with self.blamed(row[0]):
            given = StoredRow(*row) if self.model is None else codec_of(self.model).decode(*row)
            made = self._made(row[0], given)
            if any(isinstance(one, Model) for one in made):
                source = Source.of(self.table, row, given)
                mutations = [source.written(one) if isinstance(one, Model) else one for one in made]
            else:
                mutations = cast("list[Mutation]", made)
        for mutation in mutations:
            if mutation.table == HISTORY_TABLE:
                raise MigrationError(
                    f"{self.name}: row {shown(row[0])} of {self.table!r} writes to {HISTORY_TABLE}, which is btmodel's own "
                    "record of migrations"
                )
            yield mutation

    def _made(self, key: bytes, given: StoredRow | Model) -> list[Model | Mutation]:
        """What the function makes of a row. Raises :class:`WrongRow` for anything that is no row and no mutation."""
        made = self.function(given)
        if made is None:
            return []
        if isinstance(made, Model | Mutation):
            return [made]
        several = _several(made)
        found: list[Model | Mutation] = []
        for one in [made] if several is None else several:
            if isinstance(one, Model | Mutation):
                found.append(one)
            elif one is not None:
                got = _kind(one) if several is None else f"{_article(made)} with {_kind(one)}"
                raise WrongRow(
                    f"{self.name}: expected a row of a model, a mutation, several of these, or None for row {shown(key)} of {self.table!r}, got {got}"
                )
        return found

    def run(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress = lambda rows, key: None,
        code: str = "",
        say: Callable[[str], None] = lambda words: None,
        allow: Collection[str] = (),
        spread: Spread | None = None,
    ) -> int:
        """Run the step over its table, and return the number of rows that it and interrupted runs before it have seen.

        Its progress is recorded in ``history`` as ``name``, with the checksum ``code``; ``say`` is given lines for the user, and
        ``allow`` has what the user allowed. With ``spread``, sections of the table are worked through elsewhere. Raises
        :class:`MigrationError` and :class:`btmodel.errors.ServerError`.
        """
        return self._over(db, history, name, progress, code, spread).rows

    @property
    def alone(self) -> str | None:
        """Why only one process can run it; None if several can, each with other rows."""
        return None

    def unspread(self, rows: RowAccess) -> str | None:
        """Why workers cannot run it, as far as the first of its ``rows`` show; None if they can.

        A row that the step fails at shows nothing: an earlier step may have to change it first.
        """
        if self.alone is not None:
            return self.alone
        first = whole(self.table).limited(_TRIED)
        with suppress(ServerError), closing(rows.read(first)) as found:  # the table may not be there yet
            return next(filter(None, map(self._addition, found)), None)
        return None

    def _addition(self, row: Row) -> str | None:
        """Why what it makes of a row cannot be written twice; None if it can, or if it fails."""
        with suppress(MigrationError):
            return addition(self.of(row))
        return None

    def walked(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress = lambda rows, key: None,
        code: str = "",
    ) -> Reached:
        """Do its work for all rows of ``db``, and return how far this and earlier runs have come; raises like :meth:`run`."""
        adds = False

        def note(batch: Sequence[Row]) -> Callable[[], None]:
            nonlocal adds
            adds = True
            return noted(history, name, batch, code)

        def work(batch: Sequence[Row]) -> int:
            made = self._written(db, batch, lambda: note(batch))
            self._until_unchanged(db, [row for row in batch if self._fills_others(row[0], made[row[0]])])
            return sum(bool(mutations) for mutations in made.values())

        return walk(db, history, name, self.table, work, code=code, progress=progress, adds=lambda: adds)

    def _written(
        self, db: RowAccess, batch: Sequence[Row], adds: Callable[[], Callable[[], None]]
    ) -> dict[bytes, list[Mutation]]:
        """Write what the function makes of these rows, and return it by their keys.

        ``adds`` is called before anything is added, and what it returns where nothing of it was.
        """
        made = {row[0]: list(self.of(row)) for row in batch}
        given = [
            (mutation, (mutation.table, mutation.key) == (self.table, key))
            for key, mutations in made.items()
            for mutation in mutations
        ]
        parts = _parts(self, batch, given)
        take_back = adds() if any(mutation.adding for mutation, _ in given) else None
        written = 0
        for table, mutations in parts:
            try:
                written += db.write_many(table, mutations)
            except ServerError as error:
                if passes(error) and take_back is None:
                    raise
                if isinstance(error, WriteFailed):
                    written += error.written
                if take_back is not None and is_refused(error, written):
                    take_back()
                refused = _refused(self, table, mutations, error)
                half_way = _half_way(self, batch, written, adds=take_back is not None)
                raise MigrationError(f"{refused}{half_way}") from error
        return made

    def _fills_others(self, key: bytes, made: Sequence[Mutation]) -> bool:
        """Whether a row is written to other rows alone, so that a change of it is the application's; and may be written twice."""
        return bool(made) and not any(
            (mutation.table, mutation.key) == (self.table, key) or mutation.adding for mutation in made
        )

    def _until_unchanged(self, db: RowAccess, rows: Sequence[Row]) -> None:
        """Write rows again that have changed since they were read, until none has.

        An application that writes both tables, this one first, may have changed a row and what is made of it before the step wrote it: an
        event that it has replaced has the time that it had before. After this, its later write is the last one.
        """
        known = dict(rows)
        for _ in range(READS):
            changed = list(self._changed(db, known))
            if not changed:
                return
            self._written(db, changed, _no_adds)
            known = dict(changed)
        raise MigrationError(
            f"{self.name}: row {shown(min(known))} of {self.table!r} has changed in each of {READS} reads: find out what writes it all the time, "
            "and run this again"
        )

    def _changed(self, db: RowAccess, known: Mapping[bytes, Sequence[Cell]]) -> Iterator[Row]:
        """The rows of ``known`` whose cells are others by now; one that is gone is none."""
        if not known:
            return
        span = RowRange(min(known), max(known) + b"\0")
        with closing(db.read(ReadPlan(self.table, (span,), None))) as rows:
            for key, cells in rows:
                if key in known and list(cells) != list(known[key]):
                    yield key, cells

    def _over(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress,
        code: str,
        spread: Spread | None,
    ) -> Reached:
        """The same, in sections with ``spread``, or where an earlier run has begun them."""
        if spread is not None and self.alone is not None:
            raise MigrationError(f"{self.name}: --runner: {self.alone}: leave out --runner")
        reached = history.progress(name)
        refuse_unknown(self.name, reached)
        if spread is None and (reached is None or not reached.starts):
            return self.walked(db, history, name, progress, code)
        return walk_sections(self.walked, db, history, self.table, name, progress, code, spread)

    def blamed(self, key: bytes) -> "_Blamed":
        """Raise what fails in a block as a :class:`MigrationError` that names the row ``key``."""
        return _Blamed(self, key)

    @property
    def given(self) -> str:
        """The name of what the function is given."""
        return self.model.__name__ if self.model else "row"


@overload
def data_step(of: type[M]) -> Callable[[Callable[[M], Made]], DataStep]: ...
@overload
def data_step(of: str) -> Callable[[Callable[[StoredRow], Made]], DataStep]: ...
def data_step(of: type[Model] | str) -> Callable[[Callable[[Any], Made]], DataStep]:
    """Declare a function of a revision as a data step: ``@data_step(Quote)``, or ``@data_step("QUOTE")``.

    Given a model, btmodel calls the function with each row as an object of that model; declare the model beside the
    step, in its old form. Given a table id, it calls the function with a :class:`StoredRow`, the key and the cells.
    The function returns a row of a model, a mutation, several of these, or None. Rows of models are put with the time
    of the row that the function was given. Counters are added to with :func:`added`. After an interruption the function may be
    called again with the same row, and must then return the same.

    Raises :class:`DeclarationError` if ``of`` is neither, if the table is named at run time, and for the table of the
    migration history.
    """
    if not isinstance(of, str) and not (isinstance(of, type) and issubclass(of, Model)):
        raise DeclarationError(f"data_step: expected a model or the id of a table, got {of!r}")
    table = of if isinstance(of, str) else schema_of(of).table
    if placeholders(table):
        raise DeclarationError(
            f"data_step: expected one table, and {table!r} is named at run time: write a step for each, with its id"
        )
    if table == HISTORY_TABLE:
        raise DeclarationError(
            f"data_step: expected one of your tables, and {table!r} is btmodel's own record of migrations"
        )

    def declare(function: Callable[[Any], Made]) -> DataStep:
        # A revision renames the step to its own name for it: a decorator may have changed the name of the function.
        name = getattr(function, "__name__", type(function).__name__)
        return DataStep(name, table, None if isinstance(of, str) else of, function)

    return declare


def run_step(
    db: RowAccess,
    history: Recorded,
    step: DataStep,
    name: str,
    progress: Progress = lambda rows, key: None,
    code: str = "",
) -> int:
    """Run a data step over its table, and return the number of rows that it and interrupted runs before it have seen.

    The run resumes after the progress recorded as ``name``, which stays recorded, with the checksum ``code``, until
    the caller removes it. If a mutation of a batch cannot be sent, nothing of that batch is written. Raises
    :class:`MigrationError` and :class:`btmodel.errors.ServerError`; earlier batches stay written, and the next run
    resumes after them.
    """
    return step.walked(db, history, name, progress, code).rows


def _refused(step: DataStep, table: str, mutations: Sequence[Mutation], error: ServerError) -> str:
    """Which row could not be written, how many others, and why."""
    first, cause, others = mutations[0], cast(Exception, error), ""
    if isinstance(error, WriteFailed) and error.failures:
        failed = error.failures[0]
        first, cause = mutations[failed.index], failed.cause
        count = len(error.failures) - 1
        others = f" and {counted(count, 'other')}" if count else ""
    why = str(cause)
    if isinstance(cause, MissingFamily):
        families = {cell.family for cell in first.cells} | {add.family for add in first.adds}
        families |= {delete.family for delete in first.deletes if delete.family is not None}
        why = f"the table lacks some of the families that were written: {', '.join(sorted(families))}"
    return f"{step.name}: row {shown(first.key)}{others} of {table!r} could not be written: {why}"


def _no_adds() -> Callable[[], None]:
    """Rows that are written again are those of which nothing is added."""
    raise AssertionError("adds for a row twice")


def _half_way(step: DataStep, batch: Sequence[Row], written: int, *, adds: bool) -> str:
    """How much of a failed batch was written, and what the next run does about it."""
    if not written:
        return ""
    again = "writes that again, which changes nothing"
    if adds:
        again = f"asks whether to add for it again (--allow {repeat_name(step.name)}) or to go on after it ({skip_name(step.name)})"
    return f"; of its batch, {counted(written, 'row')} written: the next run begins at row {shown(batch[0][0])}, and {again}"


def _parts(
    step: DataStep, batch: Sequence[Row], given: Sequence[tuple[Mutation, bool]]
) -> list[tuple[str, list[Mutation]]]:
    """The mutations of a batch in the order of writing; raises :class:`MigrationError` if one cannot be sent."""
    try:
        for mutation, _ in given:
            _check(mutation)
        parts = list(phases(given))
        checked = {id(mutation) for mutation, _ in given}
        for mutation in (each for _, mutations in parts for each in mutations):
            if id(mutation) not in checked:  # several of a row have become one
                _check(mutation)
    except _Malformed as error:
        first, last = batch[0][0], batch[-1][0]
        raise WrongRow(
            f"{step.name}: {error}; nothing of its batch was written, which are the rows from {shown(first)} to {shown(last)}"
        ) from error
    return parts


class _Malformed(Exception):
    """A mutation that cannot be sent; the message says which one, and why."""


def _check(mutation: Mutation) -> None:
    """Raise :class:`_Malformed` for a mutation that cannot be sent, such as one with text instead of bytes."""
    from btmodel.client.write_requests import (
        sendable_entry,  # with Google's messages, which a plan does not need
    )

    try:
        if not isinstance(mutation.table, str):
            raise TypeError("the table is no text")
        sendable_entry(mutation)
    except ValueRefused as error:
        raise _Malformed(
            f"row {shown(mutation.key)} of {shown(mutation.table)} could not be written: {error}"
        ) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise _Malformed(
            f"expected a mutation of bytes, texts and numbers for row {shown(mutation.key)} of {shown(mutation.table)}, got {shown(mutation)}: {error}"
        ) from error
