"""The counts of rows of bulk writes: to each table of a dual write, and of edits."""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from attrs import define, field, frozen

from btmodel.errors import BtmodelError, FailedRow, ServerError, TwinsFailed, WriteFailed, shown
from btmodel.repository.lazy import AnyIterable
from btmodel.rows import Mutation
from btmodel.schema import ModelSchema


class Repair(NamedTuple):
    """A twin that was written because a row of the source lacked it; or, with an ``error``, a row whose twins cannot be known.

    ``source`` is the row key of the source, ``table`` and ``key`` are those of the twin.
    """

    source: bytes
    table: str = ""
    key: bytes = b""
    error: BtmodelError | None = None


MOST_FAILURES = 1_000
Progress = Callable[[int], object]  # called with the number of rows written so far

T = TypeVar("T")
Many = Iterable[Any]
AsyncMany = AnyIterable[Any]


def given(values: Mapping[str, T | None]) -> dict[str, T]:
    """What was given of some values that are None otherwise."""
    return {name: value for name, value in values.items() if value is not None}


def all_made(made: Callable[[Any], T], things: Iterable[Any]) -> Iterator[T | BtmodelError]:
    """What is made of each thing, as its mutation; of one of which nothing is, the error."""
    for thing in things:
        try:
            yield made(thing)
        except BtmodelError as error:
            yield error


def each(things: Iterable[T]) -> Iterable[T]:
    """One thing after the other."""
    return things


async def each_async(things: AnyIterable[T]) -> AsyncIterator[T]:
    """The same, also of what ``async for`` goes over."""
    if isinstance(things, AsyncIterable):
        async for thing in things:
            yield thing
    else:
        for thing in things:
            yield thing


async def _all_made(made: Callable[[Any], T], things: AsyncIterable[Any]) -> AsyncIterator[T | BtmodelError]:
    async for thing in things:
        for each_of in all_made(made, [thing]):
            yield each_of


def all_made_async(
    made: Callable[[Any], T], things: AsyncMany
) -> Iterator[T | BtmodelError] | AsyncIterator[T | BtmodelError]:
    """What :func:`all_made` gives, also for what ``async for`` goes over."""
    return _all_made(made, things) if isinstance(things, AsyncIterable) else all_made(made, things)


def lists(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """All things, in lists of so many."""
    left = iter(things)
    while some := list(islice(left, size)):
        yield some


async def lists_async(things: AnyIterable[T], size: int) -> AsyncIterator[list[T]]:
    """The same, also of what ``async for`` goes over."""
    some: list[T] = []
    async for thing in each_async(things):
        some.append(thing)
        if len(some) == size:
            yield some
            some = []
    if some:
        yield some


@frozen
class Tally:
    """How many rows were written to each of ``tables``, and those that failed, in the order of writing."""

    tables: Sequence[str]
    written: list[int] = field(init=False, factory=list)
    failures: list[list[FailedRow]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.written.extend(0 for _ in self.tables)
        self.failures.extend([] for _ in self.tables)

    @property
    def full(self) -> bool:
        """Whether so many rows failed that the rest should not be tried."""
        return sum(map(len, self.failures)) >= MOST_FAILURES

    def refused(self, at: int, error: BtmodelError) -> None:
        """Note that row ``at`` is tried in no table, because of ``error``."""
        for failed in self.failures:
            failed.append(FailedRow(at, None, error))

    def failed(
        self, at: int, index: int, failure: FailedRow, mutations: Sequence[Sequence[Mutation]]
    ) -> None:
        """Note that row ``at`` failed in the table ``index``, and so its ``mutations`` of later ones are not tried."""
        known = FailedRow(at, failure.key, failure.cause, of_request=failure.of_request)
        self.failures[index].append(known)
        untried = TwinsFailed([WriteFailed(self.tables[index], 0, [known], stopped=False)])
        for later, several in enumerate(mutations):
            if later > index:
                self.failures[later] += (FailedRow(at, mutation.key, untried) for mutation in several)

    def check(self, *, stopped: bool = False) -> None:
        """Raise :class:`TwinsFailed` where a row failed; ``stopped`` is whether the rest was not tried."""
        if any(self.failures):
            counts = zip(self.tables, self.written, self.failures, strict=True)
            raise TwinsFailed([WriteFailed(*count, stopped=stopped) for count in counts])

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Tell with whatever else is raised in this block what was finished before."""
        try:
            yield
        except TwinsFailed:
            raise
        except Exception as error:
            counts = (f"{done} to {table}" for table, done in zip(self.tables, self.written, strict=True))
            error.add_note(
                f"batches that were finished before this wrote {', '.join(counts)}; doing it all again is safe"
            )
            raise


@define
class EditTally:
    """How many of many edits were made in ``table``, and those that failed, in their order."""

    table: str
    progress: Callable[[int], object] | None
    written: int = 0
    failures: list[FailedRow] = field(init=False, factory=list)
    _taken: int = 0

    @property
    def full(self) -> bool:
        """Whether so many edits failed that the rest should not be tried."""
        return len(self.failures) >= MOST_FAILURES

    def next(self, count: int) -> int:
        """The place of the next ``count`` edits among all."""
        at = self._taken
        self._taken += count
        return at

    @contextmanager
    def taking(self, at: int, count: int, key: bytes | None = None) -> Iterator[None]:
        """Take note of ``count`` edits from the place ``at`` on, which are made in this block; of a single one, of its row key."""
        try:
            yield
        except WriteFailed as error:
            self.written += error.written
            self.failures += (
                FailedRow(at + failure.index, failure.key, failure.cause, of_request=failure.of_request)
                for failure in error.failures
            )
        except ServerError as error:
            if key is None:
                raise
            self.failures.append(FailedRow(at, key, error))
        else:
            self.written += count
        if self.progress is not None:
            self.progress(self.written)

    def check(self, *, stopped: bool) -> None:
        """Raise :class:`WriteFailed` where an edit failed; ``stopped`` is whether the rest was not tried."""
        if self.failures:
            failures = sorted(self.failures, key=lambda row: row.index)
            raise WriteFailed(self.table, self.written, failures, stopped=stopped)


# Of writers that compete for a cell one wins each time, so that a hundred losses in a row show a hot row.
MOST_TRIES = 100


def outrun(model: ModelSchema, key: bytes) -> ServerError:
    """The error of a write to a row that others have written first, each time."""
    return ServerError(
        f"{model.name}: row {shown(key)} of table {model.table}: other writers came first "
        f"{MOST_TRIES} times in a row, and nothing was changed: use a counter for what is written so often"
    )
