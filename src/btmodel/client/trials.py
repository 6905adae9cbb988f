"""What is needed to try an assumption about the service: a case with rows of its own, and how it fails."""

from collections.abc import Callable, Iterator
from datetime import timedelta

from attrs import evolve, field, frozen

from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.errors import ServerError, Unanswered, Unavailable, raised, shown
from btmodel.rows import Cell, Delete, Filter, Mutation, ReadPlan, RowRange
from btmodel.schema import Aggregate, Family, Table
from btmodel.schema.gc import keep_all, max_age, max_versions

# `LATER` sorts first, and is created last.
LATER, PLAIN, SUM = "a_later", "b_plain", "sum"
DAY = 86_400_000_000  # microseconds
AT = 1_500_000_000_000_000  # a time, in microseconds
_WITHOUT_SQL = "SQL needs Google's GoogleSQL front end"  # what a local server says that has none
RULE = max_age(timedelta(days=3)) | (max_versions(5) & max_age(timedelta(hours=12)))


class TrialDiffers(Exception):
    """The server does something else: what was expected, and what came."""

    def __init__(self, expected: str, came: str) -> None:
        super().__init__(f"expected {expected}, got {came}")


class NotTried(Exception):
    """The server could not be asked: what it lacks for that."""


@frozen
class Trial:
    """One case on one server: rows under ``prefix`` of ``table``, which are its own."""

    db: Database
    admin: Admin
    table: str
    prefix: bytes

    def put(self, key: bytes, *cells: Cell, deletes: tuple[Delete, ...] = ()) -> None:
        """Write cells to a row."""
        self.db.write(Mutation(self.table, self.prefix + key, cells=cells, deletes=deletes))

    def fill(self, *keys: bytes) -> None:
        """Write one cell to each of these rows."""
        for key in keys:
            self.put(key, cell(b"q", b"1"))

    def rows(
        self,
        span: RowRange | None = None,
        filter: Filter | None = None,
        limit: int | None = None,
        *,
        backwards: bool = False,
    ) -> dict[bytes, list[Cell]]:
        """The rows of this case in the order in which they come, by their keys without the prefix."""
        asked = RowRange.of_prefix(self.prefix) if span is None else span
        plan = ReadPlan(self.table, (asked,), filter, limit, backwards=backwards)
        return {key.removeprefix(self.prefix): cells for key, cells in self.db.read(plan)}

    def within(self, start: bytes, end: bytes) -> RowRange:
        """The range of this case's keys from ``start`` to before ``end``."""
        return RowRange(self.prefix + start, self.prefix + end)

    def values(self, key: bytes, filter: Filter | None = None) -> list[bytes]:
        """The values of a row's cells in the order in which they come."""
        return [one.value for one in self.rows(self.within(key, key + b"\0"), filter).get(key, [])]


@frozen
class Assumption:
    """``says`` is the assumption, ``for_`` what of btmodel rests on it; ``tried`` raises :class:`TrialDiffers` where it does not hold."""

    name: str
    says: str
    for_: str
    tried: Callable[[Trial], None] = field(repr=False)


ASSUMPTIONS: list[Assumption] = []


def assume(says: str, for_: str) -> Callable[[Callable[[Trial], None]], Callable[[Trial], None]]:
    """A decorator that makes a case of an assumption, called as the function is; raises what that raises."""

    def taken(tried: Callable[[Trial], None]) -> Callable[[Trial], None]:
        name = tried.__name__.strip("_").replace("_", "-")
        ASSUMPTIONS.append(Assumption(name, says, for_, tried))
        return tried

    return taken


def cell(qualifier: bytes, value: bytes, timestamp: int = AT, family: str = PLAIN) -> Cell:
    """A cell of the plain family."""
    return Cell(family, qualifier, timestamp, value)


def same(expected: object, came: object) -> None:
    """Raise :class:`TrialDiffers` unless both are equal."""
    if came != expected:
        raise TrialDiffers(shown(expected), shown(came))


def refused(call: Callable[[], object], kind: type[ServerError] = ServerError) -> None:
    """Raise :class:`TrialDiffers` unless the server refuses the call with that kind of error."""
    try:
        came = call()
    except kind as error:
        if isinstance(error, Unavailable | Unanswered):
            raise  # nobody has refused anything
        return
    except ServerError as error:
        raise TrialDiffers(kind.__name__, f"{raised(error)}") from error
    raise TrialDiffers("a refusal", f"the answer {shown(came)}")


def families() -> tuple[Family, ...]:
    """The families that the table is made with; the one that is made later is not among them."""
    return (Family(PLAIN, RULE), Family(SUM, keep_all(), Aggregate.SUM))


def try_all(db: Database, admin: Admin, table: str) -> Iterator[tuple[Assumption, Exception | None]]:
    """Each assumption, and why it does not hold, or :class:`NotTried`, or None. The table is made for them, and dropped at the end.

    Raises :class:`ServerError` where it cannot be made.
    """
    later = Family(LATER, max_versions(1))
    make(lambda: admin.create_table(Table(table, families())), lambda: admin.table(table) is not None)
    try:
        make(
            lambda: admin.modify_families(table, create=(later,)),
            lambda: any(family.id == LATER for family in live_families(admin, table)),
        )
        for at, assumption in enumerate(ASSUMPTIONS):
            yield assumption, _why_not(assumption, Trial(db, admin, table, b"%02d#" % at))
    finally:
        make(lambda: admin.delete_table(table), lambda: admin.table(table) is None)


def _why_not(assumption: Assumption, trial: Trial, again: int = 3) -> Exception | None:
    """Why it does not hold, if it does not, or why it was not tried; a server that did not answer has not said, and is asked ``again``."""
    try:
        assumption.tried(trial)
    except (Unavailable, Unanswered) as error:
        fresh = evolve(trial, prefix=b"%d%s" % (again, trial.prefix))
        return _why_not(assumption, fresh, again - 1) if again else error
    except (TrialDiffers, ServerError) as error:
        return NotTried("needs btmodel[sql]") if _WITHOUT_SQL in str(error) else error
    return None


def make(change: Callable[[], None], made: Callable[[], bool]) -> None:
    """Make a change; one whose answer was lost is made again unless it was ``made``."""
    try:
        change()
    except (Unavailable, Unanswered):
        if not made():
            change()


def live_families(admin: Admin, table: str) -> tuple[Family, ...]:
    """The families that the table has."""
    there = admin.table(table)
    return () if there is None else there.families
