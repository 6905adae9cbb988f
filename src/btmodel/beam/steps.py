"""Data steps on runners: as a transform, and for ``btmodel migrate apply --runner``."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.options.pipeline_options import (
    PipelineOptions,
)
from apache_beam.pvalue import PCollection

from btmodel.beam.connection import Address, Connected, is_importable
from btmodel.beam.options import checked_flags
from btmodel.beam.sources import Root
from btmodel.beam.worker import interrupts, level_of, marked, our_workers, unlogged, worker_error
from btmodel.client.target import Target
from btmodel.errors import MigrationError, QueryRefused, ServerError, raised
from btmodel.migrate import DataStep, MoveStep, RewriteStep
from btmodel.migrate.data.compared_parts import summed
from btmodel.migrate.data.comparison import Suspects
from btmodel.migrate.data.sections import RepeatableRows, RunnerFailed, Section, SectionRows
from btmodel.migrate.data.steps import fails_again
from btmodel.migrate.data.sums import Sums
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.history.lock import LockLost
from btmodel.rows import RowRange

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database
    from btmodel.migrate.revisions.steps import Job


class RunStep(Root[int]):
    """Run a data step over all rows of its table: ``pipeline | RunStep(fill_venue, db)``; the elements that come are numbers of rows.

    ``step`` is made by ``@data_step`` in a module that workers can import, and ``db`` a connection of ``connect``. Rows that the step returns are written at the
    times of the rows that it was given, so a bundle that runs twice writes the same cells. Nothing is recorded: as a step of a revision, it
    runs with ``btmodel migrate apply --runner``, which goes on after a kill.

    Raises :class:`QueryRefused` for a step that workers could not import, and for moves and rewrites, which need their records. A
    step that adds to counters fails.
    """

    def __init__(self, step: DataStep, db: "Database") -> None:
        super().__init__()
        if not isinstance(step, DataStep):
            raise TypeError(f"RunStep: expected a step of @data_step(...), got {step!r}")
        if isinstance(step, MoveStep | RewriteStep):
            raise QueryRefused(
                f"RunStep: {step.name} is a step of a revision, whose records it needs: run `btmodel migrate apply --runner`"
            )
        self._work = _RunStep(Address.of(db, "RunStep"), *_place_of(step))

    def expand(self, begin: Any) -> "PCollection[int]":
        """The numbers of rows that were done."""
        ranges = begin | beam.Impulse() | "sections" >> beam.ParDo(_Sections(self._work))
        step = beam.ParDo(self._work).with_output_types(int)
        done: PCollection[int] = ranges | beam.Reshuffle() | "step" >> step
        return done


def _place_of(step: DataStep) -> tuple[str, str]:
    """The module and the name of a step. Raises :class:`QueryRefused` where workers could not import it."""
    module = step.function.__module__
    name = getattr(step.function, "__qualname__", step.name)
    if not is_importable(step, module, name):
        raise QueryRefused(
            f"RunStep: {name} does not reach workers, which cannot import it from {module}: declare the step in a module that they can import"
        )
    return module, name


class _FewCollections:
    """Blocks in which Python looks rarely for objects in cycles, as in the command itself: rows and cells are in none, and Beam has many objects to look through.

    Sections may be worked through in several threads of a process: the last one puts back what was.
    """

    def __init__(self) -> None:
        self._lock, self._inside, self._before = Lock(), 0, gc.get_threshold()

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = gc.get_threshold()
                gc.set_threshold(
                    self._before[0] and max(_OBJECTS, self._before[0]), *self._before[1:]
                )  # 0: never
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                gc.set_threshold(*self._before)


_OBJECTS = 50_000
_FEW_COLLECTIONS = _FewCollections()


class _RunStep(Connected):
    def __init__(self, address: Address, module: str, name: str) -> None:
        super().__init__(address)
        self._module, self._name = module, name
        self._done = Metrics.counter("btmodel", "rows_stepped")

    def setup(self) -> None:
        super().setup()
        __import__(self._module)
        self.step: DataStep = attrgetter(self._name)(sys.modules[self._module])

    def sections(self) -> Iterator[Section]:
        """Those of its table."""
        starts = [b"", *self._db.splits(self.step.table)]
        for start, end in zip(starts, [*starts[1:], b""], strict=True):
            yield Section(self._name, RowRange(start, end))

    def process(self, section: Section) -> Iterator[int]:
        """Run the step over a section."""
        rows = SectionRows(RepeatableRows(self._db), section.rows)
        with _FEW_COLLECTIONS:
            done = self.step.walked(rows, _Unrecorded(), self._name).rows
        self._done.inc(done)
        yield done


class _Sections(beam.DoFn):
    def __init__(self, work: _RunStep) -> None:
        super().__init__()
        self._work = work

    def setup(self) -> None:
        self._work.setup()

    def teardown(self) -> None:
        self._work.teardown()

    def process(self, element: Any) -> Iterator[Section]:
        """The sections of a table, as it is divided now."""
        yield from self._work.sections()


class _Unrecorded:
    """Progress that is not kept."""

    def progress(self, step: str) -> Reached | None:
        return None

    def record_progress(self, step: str, reached: Reached) -> None:
        pass

    def sections(self, step: str) -> dict[str, Reached]:
        return {}


class Workers:
    """The workers of a runner, for the data steps of ``btmodel migrate apply``. Raises :class:`SettingsError` like :func:`checked_flags`."""

    def __init__(self, db: "Database", runner: str, options: Sequence[str] = ()) -> None:
        self._db = db
        self._flags = checked_flags(runner, options)
        self._level = level_of(self._flags)
        self._address = Address.of(db, "--runner")

    def splits(self, table: str) -> Sequence[bytes]:
        """The keys that divide a table."""
        return self._db.splits(table)

    def run(self, job: "Job", sections: Sequence[Section]) -> None:
        """Run a job over sections, and wait for it. Raises :class:`RunnerFailed` with what failed in a worker, and KeyboardInterrupt."""

        def work(parts: "PCollection[Section]") -> None:
            _ = parts | job.step >> beam.ParDo(_Work(self._address, job))

        self._run(job, sections, work)

    def compare(self, job: "Job", sections: Sequence[Section], remove: bool, number: int) -> None:
        """Do the pass ``number`` of the comparison of a move over sections of both tables, and wait for it; raises like :meth:`run`."""

        def work(parts: "PCollection[Section]") -> None:
            sums = parts | f"{job.step}: add up" >> beam.ParDo(_Sums(self._address, job))
            suspects = (
                sums
                | beam.CombineGlobally(_Summed())
                | "rows that may differ"
                >> beam.Map(lambda found: Suspects(found.differing(), found.counts, remove, number))
            )
            repairs = beam.ParDo(_Repairs(self._address, job), beam.pvalue.AsSingleton(suspects))
            _ = parts | f"{job.step}: compare" >> repairs

        self._run(job, sections, work)

    def _run(self, job: "Job", sections: Sequence[Section], work: "Work") -> None:
        """Run a pipeline, and wait for it."""
        with (
            our_workers(self._level) as processes,
            interrupts(processes.end) as interrupted,
            unlogged(interrupted),
        ):
            try:
                state = self._ended(sections, work)
            except (Exception, KeyboardInterrupt) as error:
                if processes.died:
                    raise RunnerFailed(f"{job.step}: --runner: {processes.died[0]}") from None
                if interrupted or isinstance(error, KeyboardInterrupt):
                    raise KeyboardInterrupt from None
                if (known := worker_error(str(error))) is None:
                    raise RunnerFailed(f"{job.step}: --runner: {raised(error)}") from error
                raise RunnerFailed(known.text, lasting=known.lasting) from error
            if interrupted:
                raise KeyboardInterrupt
        if state not in (None, "DONE"):
            raise RunnerFailed(f"{job.step}: --runner: the pipeline ended as {state}: its log says why")

    def _ended(self, sections: Sequence[Section], work: "Work") -> str | None:
        """How the pipeline has ended."""
        pipeline = beam.Pipeline(options=PipelineOptions(self._flags))
        work(pipeline | beam.Create(list(sections)) | beam.Reshuffle())
        result = pipeline.run()
        try:
            state: str | None = result.wait_until_finish()
        except KeyboardInterrupt:
            with suppress(Exception):  # the workers notice that the lock is gone
                result.cancel()
            raise
        return state


Work = Callable[["PCollection[Section]"], None]
T = TypeVar("T")


class _OfJob(Connected):
    """A part of the work of a job, with the history of its instance."""

    def __init__(self, address: Address, job: "Job") -> None:
        super().__init__(address)
        self._job = job

    def setup(self) -> None:
        from btmodel.client.admin import Admin  # here: only workers need it

        super().setup()
        target = Target(self._address.instance, self._address.host, options=self._address.options)
        self._admin = Admin(target)
        self._history = MigrationHistory(self._admin, self._db)

    def teardown(self) -> None:
        self._admin.close()
        super().teardown()

    def _done(self, work: Callable[[DataStep], T]) -> T:
        """What ``work`` makes of the step."""
        try:
            if not hasattr(self, "_step"):
                self._step = self._job.load()
            with _FEW_COLLECTIONS:
                return work(self._step)
        except (MigrationError, ServerError, LockLost) as error:
            raise marked(error, lasting=fails_again(error)) from None


class _Work(_OfJob):
    def __init__(self, address: Address, job: "Job") -> None:
        super().__init__(address, job)
        self._rows = Metrics.counter("btmodel", "rows_stepped")

    def process(self, section: Section) -> Iterator[int]:
        """Go on with a section."""
        done = self._done(lambda step: self._job.work(step, section, self._db, self._history))
        self._rows.inc(done)
        yield done


class _Sums(_OfJob):
    def __init__(self, address: Address, job: "Job") -> None:
        super().__init__(address, job)
        self._rows = Metrics.counter("btmodel", "rows_compared")

    def process(self, section: Section) -> Iterator[Sums]:
        """Add up what the rows of a section are."""
        found = self._done(lambda step: self._job.sums(step, section, self._db, self._history))
        self._rows.inc(found.new)
        yield found


class _Summed(beam.CombineFn):
    """The sums of all sections."""

    def create_accumulator(self) -> Sums:
        return Sums()

    def add_input(self, accumulator: Sums, element: Sums) -> Sums:
        accumulator.include(element)
        return accumulator

    def merge_accumulators(self, accumulators: Iterable[Sums]) -> Sums:
        return summed(accumulators)

    def extract_output(self, accumulator: Sums) -> Sums:
        return accumulator


class _Repairs(_OfJob):
    def process(self, section: Section, suspects: Suspects) -> None:
        """Look at the rows of a section that may differ."""
        self._done(lambda step: self._job.repair(step, section, suspects, self._db, self._history))
