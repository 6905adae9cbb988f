"""Data steps on runners: as a transform, and for ``btmodel migrate apply --runner``, whose options are checked before anything is applied."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import gc
import io
import os
import shutil
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from importlib import import_module
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from unittest.mock import patch

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.options.pipeline_options import (
    GoogleCloudOptions,
    JobServerOptions,
    PipelineOptions,
    PortableOptions,
)
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.pvalue import PCollection
from apache_beam.runners.portability.job_server import JavaJarJobServer, SubprocessJobServer
from apache_beam.runners.portability.portable_runner import PortableRunner
from apache_beam.runners.runner import create_runner

from btmodel.beam.sources import Root
from btmodel.beam.worker import (
    Address,
    Connected,
    interrupts,
    is_importable,
    level_of,
    marked,
    our_workers,
    unlogged,
    worker_error,
)
from btmodel.client.target import Target
from btmodel.errors import MigrationError, QueryRefused, ServerError, SettingsError, raised, reason
from btmodel.migrate import DataStep, MoveStep, RewriteStep
from btmodel.migrate.data.compared_parts import summed
from btmodel.migrate.data.comparison import Suspects
from btmodel.migrate.data.sections import RepeatableRows, RunnerFailed, Section, SectionRows
from btmodel.migrate.data.steps import fails_again
from btmodel.migrate.data.sums import Sums
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.history.lock import LockLost
from btmodel.rows import RowRange
from btmodel.words import did_you_mean, near

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database
    from btmodel.migrate.revisions.steps import Job


_ANSWERS = 5.0  # seconds in which a job server has to take a connection
# The name of an option that a job server alone may know is taken to be misspelt from so much likeness on.
_LIKE = 0.85


def checked_flags(runner: str, options: Sequence[str]) -> list[str]:
    """The flags of pipelines for ``runner``.

    Raises :class:`SettingsError` for a runner that is not there or could not start, and for options that Beam refuses.
    """
    where = f"--runner={runner}"
    flags = [where, *options]
    try:
        made = create_runner(runner)
        wrong = _wrong(made, flags) or list(_lacking(made, PipelineOptions(flags)))
    except Exception as error:  # a misspelt name, or one whose libraries are not installed
        raise SettingsError(f"{where}: {reason(error)}") from error
    if wrong:
        raise SettingsError(f"{where}: {' '.join(wrong)}")
    return flags


def _wrong(runner: Any, flags: Sequence[str]) -> list[str]:
    """What is wrong with the flags, in sentences."""
    others = [flag for flag in flags[1:] if flag.partition("=")[0] == "--runner"]
    if others:
        return [f"expected one runner, got {others[0]} behind --, too."]
    usage = io.StringIO()
    try:
        with redirect_stderr(usage), _offline():
            unknown = _unknown(flags, own=isinstance(runner, PortableRunner))
            return unknown or PipelineOptionsValidator(PipelineOptions(list(flags)), runner).validate()
    except SystemExit:  # as argparse ends a program, behind a page of usage
        return [usage.getvalue().rstrip().rpartition("error: ")[2] + "."]


@contextmanager
def _offline() -> Iterator[None]:
    """Have Beam's checks of the options of Dataflow ask Google for nothing.

    They would make a bucket in the project where no ``temp_location`` is given, and look into the one that is; where Google does not answer,
    that takes minutes. A pipeline that runs does so.
    """
    with (
        patch.object(GoogleCloudOptions, "_create_default_gcs_bucket", lambda self: None),
        patch.object(GoogleCloudOptions, "_warn_if_soft_delete_policy_enabled", lambda self, arg_name: None),
    ):
        yield


def _unknown(flags: Sequence[str], *, own: bool) -> list[str]:
    """What is wrong with flags that no options of Beam have.

    With ``own``, a job server has options of its own, and reports them only while a pipeline runs: then only flags that resemble one of Beam's are wrong.
    """
    unknown: list[str] = []

    def collect(parser: ArgumentParser) -> None:
        known = [option for action in parser._actions for option in action.option_strings]
        before = ""
        for flag in parser.parse_known_args(list(flags))[1]:
            name = flag.partition("=")[0]
            meant = near(name, known, _LIKE if own else 0.8)[:1]
            is_value = not flag.startswith("-") and before.startswith("-") and "=" not in before
            if not own or meant or not (flag.startswith("-") or is_value):
                unknown.append(f"unknown option {name}{did_you_mean(meant)}.")
            before = flag

    options = PipelineOptions(list(flags))
    options.get_all_options(add_extra_args_fn=collect, retain_unknown_options=True)
    return unknown


def _lacking(runner: Any, options: PipelineOptions) -> Iterator[str]:
    """What a runner would not find when a pipeline starts, in sentences; raises what Beam raises for that."""
    if isinstance(runner, PortableRunner):
        yield from _wrong_environment(options.view_as(PortableOptions).environment_type)
        endpoint = options.view_as(PortableOptions).job_endpoint
        yield from _silent(endpoint) if endpoint else _no_server(runner, options)
    if type(runner).__module__.startswith("apache_beam.runners.dataflow."):
        try:
            import_module("apache_beam.runners.dataflow.internal.apiclient")
        except ImportError as error:
            yield f'its libraries are not installed ({error}): pip install "apache-beam[gcp]".'


def _wrong_environment(given: str | None) -> Iterator[str]:
    """That the environment of workers is none of those that Beam knows."""
    known = PipelineOptionsValidator.REQUIRED_ENVIRONMENT_OPTIONS
    if given and not given.startswith("beam:env:") and given.upper() not in known:
        yield f"--environment_type: expected {', '.join(known)}, got {given!r}."


def _silent(endpoint: str) -> Iterator[str]:
    """That a job server takes no connection; nothing where this cannot be found out."""
    host, _, port = endpoint.rpartition(":")
    proxies = ("grpc_proxy", "https_proxy", "http_proxy")
    if not host or not port.isdigit() or any(map(os.environ.get, proxies)):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWERS).close()
    except OSError as error:
        yield f"no answer from --job_endpoint={endpoint}: {error}."


def _no_server(runner: PortableRunner, options: PipelineOptions) -> Iterator[str]:
    """Why the job server that a runner starts by itself could not start; what it needs is downloaded once."""
    started = runner.default_job_server(options)
    server = getattr(started, "_job_server", started)
    if isinstance(server, JavaJarJobServer):
        java = options.view_as(JobServerOptions).job_server_java_launcher
        if shutil.which(java) is None:
            yield f"its job server needs Java, and {java!r} is not there: install it, or name one with --job_server_java_launcher."
            return
        server.local_jar(server.path_to_jar(), options.view_as(JobServerOptions).jar_cache_dir)
    elif isinstance(server, SubprocessJobServer):
        server.subprocess_cmd_and_endpoint()


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
