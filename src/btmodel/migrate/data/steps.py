"""Running data steps: functions that rewrite rows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
)
from btmodel.migrate.data.walks import Progress, Recorded, Row, Rows, walk
from btmodel.migrate.waiting import passes
from btmodel.rows import Add, Cell, Delete, Mutation
from btmodel.rows.cells import MILLISECOND
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.schema.names import placeholders
from btmodel.words import counted


class StoredRow(NamedTuple):
    """A row as it is stored: its key, and every cell, the newest of a column first."""

    key: bytes
    cells: Sequence[Cell]


@frozen
class Source:
    """What a function was given of a row: the columns, and the ``newest`` time of their cells, in microseconds.

    What it makes of that is as old as that: what the application has written since stays on top, and the
    same row, given again, comes to the same cells.
    """

    table: str
    key: bytes
    columns: frozenset[tuple[str, bytes]]
    newest: int

    @classmethod
    def of(cls, table: str, row: tuple[bytes, Sequence[Cell]], given: StoredRow | Model) -> "Source":
        """That of a ``row`` of ``table``, of which a model, where it is ``given`` as one, may leave out cells."""
        key, cells = row
        unknown = set(unknown_cells(given)) if isinstance(given, Model) else set[Cell]()
        read = [cell for cell in cells if cell not in unknown]
        newest = max((cell.timestamp for cell in read or cells), default=0)
        return cls(table, key, frozenset(cell[:2] for cell in read), newest)

    def written(self, row: Model) -> Mutation:
        """What puts ``row`` at the time of the source; raises :class:`btmodel.errors.ValueRefused`.

        A cell of just that time may be the application's, which wrote something else that was read in the same put: so what
        is written is a millisecond older. A column that was read is rewritten.
        """
        codec, values = codec_of(type(row)), Fields(row)
        made = codec.encode(values, max(self.newest - MILLISECOND, 0))
        if (made.table, made.key) != (self.table, self.key):
            return made
        again = codec.encode(values, self.newest)
        cells = [
            at if at[:2] in self.columns else older for at, older in zip(again.cells, made.cells, strict=True)
        ]
        return evolve(made, cells=cells)


def phases(given: Iterable[tuple[Mutation, bool]]) -> Iterator[tuple[str, list[Mutation]]]:
    """The mutations of a batch, in parts of one table each, of which each is to be in before the next is written.

    What sets cells comes before what only deletes, and what goes to a row that the step was given, which is true of those
    with True, after what goes to others: until then the row is there, for a run that does the batch again. Each row
    comes to what it would have come to in the order in which the mutations are ``given``.
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
        deletes = any(one.deletes for one in several)
        # What deletes in its midst is one mutation, which is applied wholly or not at all.
        mutations = [_as_one(several)] if deletes else several
        sets = any(one.cells or one.adds for one in mutations)
        found.setdefault((not sets, place in sources, deletes, place[0]), []).extend(mutations)
    for phase in sorted(found):
        yield phase[-1], found[phase]


def _as_one(several: Sequence[Mutation]) -> Mutation:
    """The mutation that does what ``several`` of one row do one after the other."""
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


M = TypeVar("M", bound=Model)
# What a step makes of a row: rows of models, which are put, and mutations; or nothing.
Made = Iterable[Model | Mutation] | Model | Mutation | None


@frozen
class DataStep:
    """A function that is called with every row of a table, and gives what is to be written for it.

    ``model`` is what rows are decoded to; None for rows as they are stored.
    """

    name: str
    table: str
    model: type[Model] | None
    function: Callable[[Any], Made]

    def of(self, row: Row) -> Iterator[Mutation]:
        """The mutations that it makes of a row.

        Raises :class:`MigrationError`, which names the row, where the function raises, or gives
        something else; and where the row is none of its model.
        """
        try:
            given = StoredRow(*row) if self.model is None else codec_of(self.model).decode(*row)
            source = Source.of(self.table, row, given)
            made = self.function(given)
            several = (made,) if made is None or isinstance(made, Model | Mutation) else tuple(made)
            mutations = [
                source.written(one) if isinstance(one, Model) else one for one in several if one is not None
            ]
        except (UndecodableKey, UndecodableCell) as error:
            raise MigrationError(
                f"{self.name}: row {row[0]!r} of {self.table!r} is no {self._model}: {error}"
            ) from error
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # sys.exit() in a step would end the run without a word
            raise MigrationError(
                f"{self.name}: raised {type(error).__name__} at row {row[0]!r} of {self.table!r}: {error}"
            ) from error
        for one in mutations:
            if not isinstance(one, Mutation):
                raise MigrationError(
                    f"{self.name}: expected rows of models or mutations for row {row[0]!r}, got {one!r}"
                )
            if one.table == HISTORY_TABLE:
                raise MigrationError(
                    f"{self.name}: row {row[0]!r} of {self.table!r} writes to {HISTORY_TABLE}, which is btmodel's own "
                    "record of migrations"
                )
            yield one

    @property
    def _model(self) -> str:
        return self.model.__name__ if self.model else "row"


@overload
def data_step(of: type[M]) -> Callable[[Callable[[M], Made]], DataStep]: ...
@overload
def data_step(of: str) -> Callable[[Callable[[StoredRow], Made]], DataStep]: ...
def data_step(of: type[Model] | str) -> Callable[[Callable[[Any], Made]], DataStep]:
    """Declare a function of a revision as a data step: ``@data_step(Quote)``, or ``@data_step("QUOTE")``.

    Of a model, the function is called with each row as an instance, read by the model as it stands beside the
    step, so declare the old form there; of a table, with each row as it is stored: its key and its cells. It
    gives rows of models, which are put with the time of what it was given, or mutations, one or several, or None. It
    may be called again with a row that it has seen, where a run was killed: what it gives must come to the same then.

    Raises :class:`DeclarationError` for what is neither, for a table that is named at run time, and for that of the migration history.
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
            f"data_step: expected a table of yours, and {table!r} is btmodel's own record of migrations"
        )

    def declare(function: Callable[[Any], Made]) -> DataStep:
        # In a revision it is called as the revision calls it: a decorator may have changed the name of the function.
        name = getattr(function, "__name__", type(function).__name__)
        return DataStep(name, table, None if isinstance(of, str) else of, function)

    return declare


def run_step(
    db: Rows,
    history: Recorded,
    step: DataStep,
    name: str,
    progress: Progress = lambda rows, key: None,
    code: str = "",
) -> int:
    """Run a data step over its table, from where an earlier run was killed, and return how many rows both saw.

    ``name`` is that of its progress, which stays recorded until the caller ends it, with the checksum of its ``code``. Raises
    :class:`MigrationError`, and :class:`btmodel.errors.ServerError`; what was written before stays, and the
    next run goes on after it. Nothing of a batch is written in which a mutation cannot be sent.
    """

    def work(batch: Sequence[Row]) -> int:
        made = [(row[0], list(step.of(row))) for row in batch]
        given = [
            (mutation, (mutation.table, mutation.key) == (step.table, key))
            for key, mutations in made
            for mutation in mutations
        ]
        written = 0
        for table, mutations in _parts(step, batch, given):
            try:
                written += db.write_many(table, mutations)
            except ServerError as error:
                adds = any(one.adds for one, _ in given)
                # The batch is done again from its first row, and what it has added may be added by then.
                if passes(error) and not adds:
                    raise
                if isinstance(error, WriteFailed):
                    written += error.written
                refused = _refused(step, table, mutations, error)
                raise MigrationError(f"{refused}{_half_way(batch, written, adds=adds)}") from error
        return sum(bool(mutations) for _, mutations in made)

    return walk(db, history, name, step.table, work, code=code, progress=progress).rows


def _refused(step: DataStep, table: str, mutations: Sequence[Mutation], error: ServerError) -> str:
    """What a step wrote in vain, and why: the first of the rows, which stands for those that failed likewise."""
    first, cause, others = mutations[0], cast(Exception, error), ""
    if isinstance(error, WriteFailed) and error.failures:
        failed = error.failures[0]
        first, cause = mutations[failed.index], failed.cause
        count = len(error.failures) - 1
        others = f" and {counted(count, 'other')}" if count else ""
    why = str(cause)
    if isinstance(cause, MissingFamily):
        families = {cell.family for cell in first.cells} | {one.family for one in first.adds}
        families |= {one.family for one in first.deletes if one.family is not None}
        why = f"the table has not all families of what is written: {', '.join(sorted(families))}"
    return f"{step.name}: row {first.key!r}{others} of {table!r} could not be written: {why}"


def _half_way(batch: Sequence[Row], written: int, *, adds: bool) -> str:
    """What is written of a batch that failed, and what the next run does with it."""
    if not written:
        return ""
    again = "adds again what was added" if adds else "writes that again, which changes nothing"
    return f"; of its batch, {counted(written, 'row')} written: the next run begins at row {batch[0][0]!r}, and {again}"


def _parts(
    step: DataStep, batch: Sequence[Row], given: Sequence[tuple[Mutation, bool]]
) -> list[tuple[str, list[Mutation]]]:
    """What a step ``given`` for a batch, in the order in which it is written; raises :class:`MigrationError` where any of it cannot be sent."""
    try:
        for mutation, _ in given:
            _check(mutation)
        parts = list(phases(given))
        for _, mutations in parts:
            for one in mutations:
                _check(one)  # several of one row may be one mutation now
    except _Malformed as error:
        first, last = batch[0][0], batch[-1][0]
        raise MigrationError(
            f"{step.name}: {error}; nothing of its batch was written, which are the rows from {first!r} to {last!r}"
        ) from error
    return parts


class _Malformed(Exception):
    """A mutation that cannot be sent; the message says which, and why."""


def _check(mutation: Mutation) -> None:
    """Raise :class:`_Malformed` for what is nothing to write, such as text for the bytes of a value."""
    from btmodel.client.changes import sendable_entry  # with Google's messages, which a plan does not need

    try:
        if not isinstance(mutation.table, str):
            raise TypeError("the table is no text")
        sendable_entry(mutation)
    except ValueRefused as error:
        raise _Malformed(
            f"row {mutation.key!r} of {mutation.table!r} could not be written: {error}"
        ) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise _Malformed(
            f"expected a mutation of bytes, texts and numbers for row {mutation.key!r} of {mutation.table!r}, got {mutation!r}: {error}"
        ) from error
