"""Every error that btmodel raises.

    BtmodelError
    ├── DeclarationError        a model class that cannot be, with every finding
    ├── ValueRefused            a value that its key field or column cannot hold
    ├── QueryRefused            a query asked with the wrong fields
    ├── UndecodableKey          row-key bytes that are not a key of the model
    ├── UndecodableCell         cell bytes that are not a value of the column
    ├── SettingsError           settings or model modules that cannot be read
    ├── GenerationError         an output that must not be written
    ├── SimulationRefused       a workload, or a cluster, that cannot be simulated
    ├── MigrationError          a migration that was refused
    │   └── MigrationFailed     one that failed half-way, with what is done and what is not
    └── ServerError             a server, or what should be on it, is not there
        ├── SchemaConflict      a schema change that another one got in the way of
        ├── Unavailable         nothing was done now: try again
        ├── Unanswered          it is unknown whether it was done: read again
        ├── NotAllowed          these credentials may not do it
        ├── MissingTable
        ├── MissingFamily
        ├── MissingRow          a row to be changed in part, of a model that requires more than that part
        ├── LaterRow            a row to be put under a condition that holds, in the place of one of a later time
        ├── WriteFailed         a bulk write, with every row that is not in
        └── TwinsFailed         a write to several tables, with what is in which

A message says what, where, what was expected, what came, and how to fix it.
"""

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from btmodel.words import counted, place_text, printable

if TYPE_CHECKING:
    from typing import Self


class _Short(reprlib.Repr):
    """Cuts what is long, and says of a codec what was given: ``Text(width=6)``, without the defaults."""

    def repr_instance(self, x: Any, level: int) -> str:
        """The repr of an object of none of the usual types."""
        fields = getattr(
            type(x), "__attrs_attrs__", None
        )  # attrs is not loaded by a program that only catches errors
        if fields is None or level <= 0 or not type(x).__module__.startswith("btmodel."):
            return super().repr_instance(x, level)
        values = [(field, getattr(x, field.name)) for field in fields if field.init]
        given = [
            f"{one.alias}={self.repr1(value, level - 1)}" for one, value in values if value != one.default
        ]
        return f"{type(x).__name__}({', '.join(given)})"

    def repr_CodecMeta(self, x: type, level: int) -> str:
        """The repr of the class of a codec, which was given without brackets: reprlib calls this by the name of its type."""
        return f"the class {x.__name__}: write {x.__name__}(...)"


LONGEST = 80  # characters of a value in a message
_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = LONGEST


def shown(value: object) -> str:
    """The repr of ``value``, cut in the middle so that a message stays one line."""
    return _SHORT.repr(value)


def text_of(error: BaseException) -> str:
    """The text of ``error``, which may be empty, as that of a GeneratorExit is."""
    try:
        return str(error)
    except Exception as failed:  # it is anybody's class
        return f"its text cannot be read: {type(failed).__name__}"


def reason(error: BaseException) -> str:
    """The text of ``error``; the name of its class where that is empty, so that no sentence ends with a colon."""
    return text_of(error) or type(error).__name__


def raised(error: BaseException) -> str:
    """The class of ``error`` and its text: ``KeyError: 'C'``, and ``GeneratorExit`` where it has none."""
    text = text_of(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def some(names: Sequence[str], most: int) -> str:
    """The first names, up to ``most``, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _listed(names: Sequence[str]) -> str:
    return some(names, 20) or "nothing"


class BtmodelError(Exception):
    """The base of every error that btmodel raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        # Names and documentation of others stand in messages, and messages are shown on terminals.
        return printable(super().__str__())

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross processes, whatever their constructors take."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[BtmodelError], args: tuple[object, ...], state: dict[str, object]) -> BtmodelError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class DeclarationError(BtmodelError):
    """A model class that is refused: the message lists every finding.

    ``findings`` holds the findings of the schema review; it is empty where the
    declaration is so wrong that no schema could be built from it.
    """

    def __init__(self, message: str, findings: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class ValueRefused(BtmodelError, ValueError):
    """A value that its key field or column cannot hold.

    Codecs raise it without a place; code that knows the model adds the place with
    :meth:`at`.
    """

    def __init__(self, wanted: str, got: object, *, where: str = "") -> None:
        super().__init__(wanted, got, where)
        self.wanted = wanted
        self.got = got
        self.where = where

    def at(self, where: str) -> "Self":
        """This error, with the place (``Quote.symbol``) that refused the value."""
        return type(self)(self.wanted, self.got, where=where)

    def __str__(self) -> str:
        prefix = f"{self.where}: " if self.where else ""
        return printable(f"{prefix}expected {self.wanted}, got {shown(self.got)}")


class QueryRefused(BtmodelError, TypeError):
    """A query, or a row key, that was given fields that it does not have, or too few."""


def refuse_no_number(
    where: str, unit: str, got: object, most: int | None = None, *, error: type[BtmodelError] = QueryRefused
) -> None:
    """Raise ``error`` for anything but a whole number from 1 on, such as that of the bytes of a part; ``most`` is what the service takes."""
    if type(got) is not int or got < 1 or (most is not None and got > most):
        raise error(f"{where}: expected a number of {unit} from 1 on, got {shown(got)}")


class UndecodableKey(BtmodelError, ValueError):
    """Bytes that are not a row key of the model, such as those of another model's row; ``key`` holds them."""

    def __init__(self, model: str, table: str, key: bytes, why: str) -> None:
        super().__init__(f"{model}: row key {shown(key)} of {place_text(table)} does not parse: {why}")
        self.model = model
        self.table = table
        self.key = key
        self.why = why


class UndecodableCell(BtmodelError, ValueError):
    """A cell whose bytes are not a value of its column, or (``value`` None) a cell that should be there."""

    def __init__(self, table: str, key: bytes, column: str, value: bytes | None, wanted: str) -> None:
        came = "none" if value is None else shown(value)
        super().__init__(
            f"{place_text(table)}, row {shown(key)}, cell {column}: expected {wanted}, got {came}"
        )
        self.table = table
        self.key = key
        self.column = column
        self.value = value


class SettingsError(BtmodelError):
    """Settings that cannot be read, or a models module that does not import."""


class GenerationError(BtmodelError):
    """A file that ``btmodel generate`` must not or cannot write, or that it has to write again."""


class SimulationRefused(BtmodelError):
    """A workload, or a cluster, that cannot be simulated: an estimate is missing, or makes no sense."""


class MigrationError(BtmodelError):
    """A migration that was refused; or, as :class:`MigrationFailed`, one that failed on its way."""


class MigrationFailed(MigrationError):
    """A migration that failed on its way.

    ``done`` holds the names of the changes known to be live, ``undone`` those known
    not to be, ``unknown`` those of a call whose outcome could not be read back. Not
    ``permitted``, a right was missing, without which to run it again is in vain. ``partly``, one of those that are not done
    may have written rows, which ``why`` then says: the message does not claim that nothing was done. ``cause`` and ``reached`` are parts of
    the message for a failed data step: why, and how far it came. ``wrong`` says that the step or a row has to be corrected first: the same run would fail again.

    ``lines`` are the parts of the message, which commands print below each other.
    """

    def __init__(
        self,
        why: str,
        done: Sequence[str],
        undone: Sequence[str],
        unknown: Sequence[str] = (),
        *,
        permitted: bool = True,
        partly: bool = False,
        cause: str = "",
        reached: str = "",
        wrong: bool = False,
    ) -> None:
        when = "" if permitted else ", once that is permitted"
        known = (
            reached,
            f"done: {_listed(done)}" if done or not partly else "",
            f"not done: {_listed(undone)}",
            f"not known to be done: {_listed(unknown)}" if unknown else "",
            f"{'correct the row or the step, then run' if wrong else 'run'} it again to continue{when}",
        )
        parts = [part for part in known if part]
        super().__init__("; ".join([f"{why}: {cause}" if cause else why, *parts]))
        self.lines = [f"{why}:", cause, *parts] if cause else [why, *parts]
        self.done = tuple(done)
        self.undone = tuple(undone)
        self.unknown = tuple(unknown)


class ServerError(BtmodelError):
    """A server that is not there, or that refused a call.

    ``retry_after`` is how many seconds the server asks to wait before the call is made again;
    None where it does not say.
    """

    retry_after: float | None = None


class SchemaConflict(ServerError):
    """A schema change with which another one interfered: read the table again, then decide again."""


class Unavailable(ServerError):
    """A server that does not take the call now, or cannot be reached: nothing is known to be done; try again."""


class Unanswered(ServerError):
    """A call whose answer did not come, or was lost: it may have been done, so read what is there before trying again."""


class NotAllowed(ServerError):
    """A call that these credentials may not make; trying again does not fix it."""


class ChangesLost(ServerError):
    """A change stream does not reach back to where its reader wants to continue: older changes are no longer kept, or the stream began later."""


class MissingTable(ServerError):
    """The model's table, or its view, is not in the instance."""

    def __init__(self, table: str, instance: str) -> None:
        kind, _, id = table.rpartition("/")
        of, authorized, _ = table.partition("/authorizedViews/")
        named = f"table {of!r}, or its authorized view" if authorized else "view" if kind else "table"
        super().__init__(
            f"{named} {id!r} is not in {instance}: create it with `btmodel migrate`, "
            "or check the name of the instance (a table that is named at run time: with bt.create_tables)"
        )


class MissingFamily(ServerError):
    """The table lacks a column family of this call; ``families`` are those that were asked for."""

    def __init__(self, table: str, instance: str, said: str, families: Sequence[str] = ()) -> None:
        # The service names the family of a write, and none of those of a read.
        which = "" if not families else f", {' or '.join(map(repr, families))},"
        super().__init__(
            f"{place_text(table, quoted=True)} in {instance} lacks a column family{which} "
            f"(the server says: {said}): add it with `btmodel migrate` (one that is named at run time: "
            "with bt.create_tables), after declaring it if no model has it"
        )
        self.families = tuple(families)


class MissingRow(ServerError):
    """A partial change of a row that does not exist, or that lacks what the model requires of every row.

    Nothing was changed. ``key`` holds the row key.
    """

    def __init__(self, model: str, table: str, key: bytes, required: Sequence[str]) -> None:
        wanted = (
            f" with {', '.join(required)}, as every {model} has" if required else f", as a {model} to change"
        )
        fix = "put the row first" + (", or declare as optional what rows may lack" if required else "")
        super().__init__(
            f"table {table}: expected a row {shown(key)}{wanted}, got none; nothing was changed: {fix}"
        )
        self.model = model
        self.table = table
        self.key = key


class LaterRow(ServerError):
    """A conditional put whose condition holds, but whose row has an earlier time than the stored row.

    What is written late never replaces what is newer: nothing was written. ``key`` holds the row key.
    """

    def __init__(self, model: str, table: str, key: bytes) -> None:
        super().__init__(
            f"table {table}: expected a row {shown(key)} of no later time than the one to be put, as {model} brings its own "
            "times, got a later one; the condition holds, and nothing was written: leave what is newer as it is, or "
            "put the row with a later time"
        )
        self.model = model
        self.table = table
        self.key = key


class FailedRow:
    """One row of a bulk write that is not known to be in the table.

    ``key`` is the row key, or None where the row could not even be encoded;
    ``index`` counts the rows given, from 0; ``cause`` is the reason. ``of_request`` is true where the server refused
    or did not answer the whole request, so that the cause is none of this row alone.
    """

    __slots__ = ("cause", "index", "key", "of_request")

    def __init__(self, index: int, key: bytes | None, cause: Exception, *, of_request: bool = False) -> None:
        self.index = index
        self.key = key
        self.cause = cause
        self.of_request = of_request

    @property
    def may_be_repeated(self) -> bool:
        """Whether another try may succeed: the server did not take the row now, or did not answer.

        A row that adds may have been applied where it did not answer.
        """
        return isinstance(self.cause, (Unavailable, Unanswered))

    def __repr__(self) -> str:
        key = "no key" if self.key is None else shown(self.key)
        return printable(f"FailedRow(row {self.index}, {key}: {self.cause})")


class WriteFailed(ServerError):
    """A bulk write in which rows failed: ``written`` rows are in, ``failures`` are not known to be.

    ``stopped`` is true where so many rows failed that the rest was not read.
    Writing the failed rows again is safe where they put and delete. A row that adds is
    sent once: its cause says where it may have been applied all the same.
    """

    def __init__(self, table: str, written: int, failures: Sequence[FailedRow], *, stopped: bool) -> None:
        end = "; stopped there, the rows after these were not written" if stopped else ""
        causes = f": {_by_cause(failures)}" if failures else ""
        super().__init__(
            f"table {table!r}: {counted(written, 'row')} written, {len(failures)} failed{end}{causes}"
        )
        waits = [getattr(failure.cause, "retry_after", None) for failure in failures]
        self.retry_after = max((wait for wait in waits if wait is not None), default=None)
        self.table = table
        self.written = written
        self.failures = tuple(failures)
        self.stopped = stopped

    @property
    def may_be_repeated(self) -> bool:
        """Whether another try of the failed rows may succeed: of every one, the server did not take it now, or did not answer."""
        return all(failure.may_be_repeated for failure in self.failures)


class TwinsFailed(ServerError):
    """A write of rows and their twins in which some failed; each row of each table is in, or is not.

    ``tables`` holds, in the order of writing, what went on in each table: the rows
    ``written``, and the ``failures``. Of a row that failed, the later twins were not
    tried, and stand among the failures of their tables. Writing the rows again is safe.
    """

    def __init__(self, tables: Sequence[WriteFailed]) -> None:
        super().__init__("; ".join(map(str, tables)))
        self.tables = tuple(tables)

    @property
    def may_be_repeated(self) -> bool:
        """Whether another try may succeed, as for :class:`WriteFailed`."""
        return all(table.may_be_repeated for table in self.tables)


def _by_cause(failures: Sequence[FailedRow]) -> str:
    """The causes of ``failures``, each once, with how many rows it has and the first of them."""
    causes: dict[str, list[FailedRow]] = {}
    for failure in failures:
        # The server names the row, too, in what it says of a family that is not there.
        lacking = isinstance(failure.cause, MissingFamily)
        causes.setdefault("MissingFamily" if lacking else _reason(failure.cause), []).append(failure)
    lines = [
        f"{len(rows)} x {_reason(rows[0].cause)} (first: row {rows[0].index}, {_came(rows[0])})"
        for rows in list(causes.values())[:3]
    ]
    return "; ".join(
        [*lines, *([f"and {counted(len(causes) - 3, 'other cause')}"] if len(causes) > 3 else [])]
    )


def _reason(cause: Exception) -> str:
    """A cause in words. Values differ from row to row: the place and what it wants are the cause."""
    return f"{cause.where}: expected {cause.wanted}" if isinstance(cause, ValueRefused) else str(cause)


def _came(failure: FailedRow) -> str:
    """The refused value, or the row that the server did not accept."""
    if isinstance(failure.cause, ValueRefused):
        return f"got {shown(failure.cause.got)}"
    return "no key" if failure.key is None else shown(failure.key)
