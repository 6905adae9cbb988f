"""Steps in sections: ranges of a table that processes and machines work through side by side, each with its own recorded progress.

The progress of the step names where its sections begin, so whichever run goes on, here or on a runner, goes on with the
same ones. The progress of a section is that of a step with its name and its number; it belongs to the run that holds the
lock, and what another one records is not accepted any more.
"""

import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from attrs import define, evolve, field, frozen

from btmodel.errors import MigrationError, ServerError, shown
from btmodel.migrate.data.walks import PassedRows, Progress, Recorded, Row, RowAccess
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.history.lock import LASTS, LockLost
from btmodel.rows import Conditional, Mutation, ReadPlan, RowRange
from btmodel.rows.ranges import overlap

_MOST = 500  # sections: their keys are one record
_POLLED = 2.0  # seconds between two looks at what others have recorded
_CERTAIN = 1.0  # seconds in which a worker does not look at the lock again


class RunnerFailed(MigrationError):
    """What failed on a runner: the message is that of the worker, with the file and the line; ``lasting`` is whether the same run fails again."""

    def __init__(self, text: str, *, lasting: bool = False) -> None:
        super().__init__(text)
        self.lasting = lasting


@frozen
class Section:
    """A range of the rows of a table; ``name`` is that of its progress."""

    name: str
    rows: RowRange


@frozen
class Spread:
    """A way to work through sections elsewhere: ``splits`` are the keys that divide a table, and ``run`` does the work and waits for it.

    ``compare`` does a pass of a comparison of a move: whether to remove what the old table does not have, and the number of the pass follow the sections.
    """

    splits: Callable[[str], Sequence[bytes]]
    run: Callable[[Sequence[Section]], None]
    compare: Callable[[Sequence[Section], bool, int], None]


@frozen
class SectionRows(PassedRows):
    """The rows of one section: reads to the end of the table end with the section."""

    section: RowRange

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        """The rows of ``plan``; those of a scan as far as they lie in the section."""
        if all(span.end for span in plan.ranges):
            yield from self.rows.read(plan)
            return
        spans = tuple(
            row_range
            for row_range in (overlap(span, self.section) for span in plan.ranges)
            if not row_range.empty
        )
        if spans:
            yield from self.rows.read(evolve(plan, ranges=spans))


Walk = Callable[[RowAccess, Recorded, str, Progress, str], Reached]


def walk_sections(
    work: Walk,
    db: RowAccess,
    history: Recorded,
    table: str,
    name: str,
    progress: Progress,
    code: str,
    spread: Spread | None,
) -> Reached:
    """Do the ``work`` of a step by sections, elsewhere with ``spread`` and else here one by one; how far this and earlier runs have come.

    Raises what ``work`` raises.
    """
    reached = _divided(history, table, name, code, spread)
    sections = sections_of(name, reached)
    for section in sections:
        history.progress(section.name)  # which this run takes over

    def now() -> Reached:
        return evolve(reached.summed(history.sections(name).values()), code=code, targets=())

    def work_here() -> None:
        for section in sections:
            mine = history.sections(name).get(section.name)
            others = now().rows - (mine.rows if mine else 0)

            def report(rows: int, key: bytes, others: int = others) -> None:
                progress(others + rows, key)

            work(SectionRows(db, section.rows), history, section.name, report, code)

    try:
        if spread is None:
            work_here()
        else:
            with polled(lambda: _report(now(), history, name, progress)):
                spread.run(sections)
    except BaseException:
        with suppress(ServerError, MigrationError, LockLost):  # what failed is to be raised
            history.record_progress(name, now())
        raise
    done = now()
    _report(done, history, name, progress)
    return done


def sections_of(name: str, reached: Reached) -> list[Section]:
    """The sections of a step."""
    return _between(name, reached.starts)


def divided(name: str, keys: Sequence[bytes]) -> list[Section]:
    """All rows, in sections that begin at ``keys``, or at some of them if there are many."""
    return _between(name, (b"", *_some(keys)))


def _some(keys: Sequence[bytes]) -> Sequence[bytes]:
    return keys[:: -(-len(keys) // _MOST) or 1]


def _between(name: str, starts: Sequence[bytes]) -> list[Section]:
    ends = [*starts[1:], b""]
    return [
        Section(f"{name}/{at}", RowRange(start, end))
        for at, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def targets_of(history: Recorded, name: str, reached: Reached) -> tuple[bytes, ...]:
    """The keys of new rows that an interrupted run may have written, in whichever section."""
    found = set(reached.targets)
    if reached.starts:
        found |= {key for progress in history.sections(name).values() for key in progress.targets}
    return tuple(sorted(found))


def _divided(history: Recorded, table: str, name: str, code: str, spread: Spread | None) -> Reached:
    """The progress of a step with its sections, which are recorded where there are none."""
    reached = history.progress(name) or Reached(b"", 0, code)
    if reached.starts:
        return evolve(reached, code=code, targets=())
    keys = [key for key in (spread.splits(table) if spread else ()) if key > reached.key]
    found = evolve(reached, code=code, starts=(b"", *_some(keys)), targets=())
    for at, section in enumerate(sections_of(name, found)):
        history.progress(section.name)
        history.record_progress(section.name, Reached(b"", 0, code) if at else evolve(reached, code=code))
    history.record_progress(name, found)
    return found


def _report(now: Reached, history: Recorded, name: str, progress: Progress) -> None:
    history.record_progress(name, now)
    progress(now.rows, now.key)


@contextmanager
def polled(work: Callable[[], None]) -> Iterator[None]:
    """Call ``work`` now and then in a thread of its own; what it raises ends that, and no more."""
    over = threading.Event()

    def poll() -> None:
        with suppress(Exception):  # the workers notice a lost lock by themselves
            while not over.wait(_POLLED):
                work()

    thread = threading.Thread(target=poll, name="btmodel sections", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@define
class SeenLock:
    """The lock of the run ``id`` as a worker of it sees it, which looks at it and never renews it."""

    history: MigrationHistory
    id: str
    _seen: object = field(default=None, init=False)
    _renewed: float = field(default=0.0, init=False)
    _looked: float = field(default=0.0, init=False)

    def check(self) -> None:
        """Raise :class:`LockLost` if that run does not hold it any more, or was not seen to renew it for as long as it lasts."""
        now = time.monotonic()
        if self._seen is None or now - self._looked > _CERTAIN:
            there = self.history.lock()
            if there is None or there.id != self.id:
                raise LockLost("the run that began this has ended, or another one took the lock")
            if there != self._seen:
                self._seen, self._renewed = there, now
            self._looked = now
        if now - self._renewed > LASTS.total_seconds():
            raise LockLost("the run that began this has not renewed its lock")

    def left(self) -> float:
        """The seconds that a request may take."""
        self.check()
        return max(0.0, self._renewed + LASTS.total_seconds() - time.monotonic())


@frozen
class RepeatableRows(PassedRows):
    """Rows that a bundle may write twice: mutations that add are refused."""

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations. Raises :class:`MigrationError` for those that add."""
        return self.rows.write_many(table, _repeatable(list(mutations)), permit=permit)


@frozen
class WorkerRows(PassedRows):
    """Rows that a worker may write while the run that it works for holds the lock."""

    lock: SeenLock

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations; the lock replaces ``permit``."""
        self.lock.check()
        return self.rows.write_many(table, mutations, permit=self.lock.left)

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds."""
        self.lock.check()
        return self.rows.write_if(conditional)


def addition(mutations: Iterable[Mutation]) -> str | None:
    """Why a runner cannot write ``mutations``, as a bundle that runs twice would add twice; None where nothing is added."""
    adding = next((mutation for mutation in mutations if mutation.adding), None)
    if adding is None:
        return None
    return f"row {shown(adding.key)} of {adding.table!r} is added to, and a runner may run its bundle twice"


def _repeatable(mutations: Collection[Mutation]) -> Collection[Mutation]:
    """The mutations. Raises :class:`MigrationError` for those that add."""
    why = addition(mutations)
    if why is not None:
        raise MigrationError(f"{why}: run the step without --runner")
    return mutations


@frozen
class WorkerProgress:
    """The progress of sections that belong to the run of a lock."""

    lock: SeenLock

    def progress(self, step: str) -> Reached | None:
        """That of a section; None if it has not begun. Raises :class:`LockLost` where another run has taken it over."""
        return self.owned(step) or None

    def owned(self, step: str) -> Reached:
        """The record of a section; raises :class:`LockLost` where another run has taken it over."""
        there = self.lock.history.progress(step)
        if there is None or there.run != self.lock.id:
            raise LockLost(f"another run has taken over {step}")
        return there

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record it."""
        self.lock.check()
        mine = evolve(reached, run=self.lock.id)
        if not self.lock.history.swap_progress(step, mine, mine):
            raise LockLost(f"another run has taken over {step}")

    def sections(self, step: str) -> dict[str, Reached]:
        """None: a section has none of its own."""
        return {}
