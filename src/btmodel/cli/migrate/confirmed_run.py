"""Carrying out what a command has shown: asking, the lock, progress on the terminal, and reporting."""

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType

import click
from attrs import define, field, frozen
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from btmodel.cli.console import Console
from btmodel.cli.migrate.options import INTERRUPTED, is_given, is_json
from btmodel.cli.migrate.scope import Changes, OpenInstance
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError, MigrationFailed, ServerError, SettingsError
from btmodel.migrate import Done
from btmodel.migrate.applying.copying import Data, Runner
from btmodel.migrate.applying.stages import (
    RunListener,
    Stage,
    apply_stages,
    others,
    refuse_stages,
    refuse_unspread,
)
from btmodel.migrate.history.lock import LASTS, me
from btmodel.words import one_line

_LINES = 10.0  # seconds from one line to the next
_PASSED_OVER = f"if that run was killed, this one takes over within {LASTS.seconds} s; `btmodel migrate unlock` saves that time"


@define
class RowProgress:
    """Prints how many rows were processed, and how many per second."""

    console: Console
    _what: str = ""
    _rows: int = 0
    _first: int = 0
    _began: float = 0.0
    _printed: float = 0.0
    _bar: Progress | None = None
    _task: TaskID = field(default=TaskID(0))

    def __call__(self, what: str, rows: int) -> None:
        """Print that ``what`` has come to ``rows``."""
        what, now = one_line(what), time.monotonic()
        if what != self._what or rows < self._rows:  # another look begins at the first row
            self._what, self._first, self._began, self._printed = what, rows, now, now
        self._rows = rows
        speed = (rows - self._first) / (now - self._began) if now > self._began else 0.0
        words = f"{rows:,} rows, {speed:,.0f} rows/s" if speed else f"{rows:,} rows"
        if self.console.is_terminal:
            self._show(words)
        elif now - self._printed > _LINES:
            echo(f"{what}: {words}", err=self.console.stderr)
            self._printed = now

    def say(self, words: str) -> None:
        """Print something once, on a line of its own."""
        self.end()
        echo(words, err=self.console.stderr)

    def end(self) -> None:
        """Take the bar away, for lines that follow."""
        self._what = ""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show(self, words: str) -> None:
        if self._bar is None:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[words]}"),
            )
            self._bar = Progress(*columns, TimeElapsedColumn(), console=self.console, transient=True)
            self._task = self._bar.add_task(self._what, total=None, words=words)
            self._bar.start()
        self._bar.update(self._task, description=self._what, words=words)


@contextmanager
def moving(*, err: bool) -> Iterator[RowProgress]:
    """A printer of progress, on stderr with ``err``; it removes its bar at the end."""
    moved = RowProgress(Console(stderr=err))
    try:
        yield moved
    finally:
        moved.end()


_MANY = 20  # tables from which on a bar says more than lines


@frozen
class StageReport:
    """The functions that print what is done: ``change`` each change, ``rows`` how far rows are, and ``say`` any other line."""

    change: Callable[[Done], None]
    rows: Callable[[str, int], None]
    say: Callable[[str], None]


def refuse_without_transactions(there: OpenInstance) -> None:
    """Raise :class:`MigrationError` where no app profile allows the transactions that the lock needs."""
    if there.profiles != ():
        return
    _, project, _, instance = there.instance.instance.split("/")
    raise MigrationError(
        f"nothing was applied, because no app profile of {there.instance.instance} routes to a single cluster and allows "
        "single-row transactions, which the lock needs: make one with `gcloud bigtable app-profiles create btmodel "
        f"--project={project} --instance={instance} --route-to=CLUSTER --transactional-writes`, or say "
        "--without-lock, where no other run migrates at the same time"
    )


@contextmanager
def reported(stages: Sequence[Stage], *, err: bool) -> Iterator[StageReport]:
    """A printer of the progress of ``stages``: a bar at a terminal if there is much to do, otherwise a line per change."""
    console = Console(stderr=err)
    plans = [stage.plan for stage in stages]
    if not console.is_terminal or sum(len(plan.by_table) for plan in plans) < _MANY:
        with moving(err=err) as moved:
            yield StageReport(partial(_print_done, moved, err=err), moved, moved.say)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("applying", total=sum(len(plan.pending) for plan in plans))

        def change(done: Done) -> None:
            if not done.change.quiet:
                bar.update(task, advance=1, description=one_line(done.change.table_id))

        def rows(what: str, count: int) -> None:
            bar.update(task, description=one_line(f"{what}: {count:,} rows"))

        def say(words: str) -> None:
            bar.console.print(words, markup=False, highlight=False, soft_wrap=True)

        yield StageReport(change, rows, say)


def _print_done(moved: RowProgress, done: Done, *, err: bool) -> None:
    """Print a change that is done, and what is to be done then."""
    if done.change.quiet:
        return
    moved.end()
    echo(f"done {done.change.name}{f' ({done.how})' if done.how else ''}", err=err)
    if done.change.then is not None:
        echo(f"  then {done.change.then}", err=err)


@contextmanager
def nothing_applied() -> Iterator[None]:
    """Say, where the instance cannot be read for a plan, that nothing has happened."""
    try:
        yield
    except ServerError as error:
        raise MigrationError(f"nothing was applied, because the instance cannot be read: {error}") from error


@contextmanager
def until_terminated() -> Iterator[None]:
    """End by SIGTERM, as a pod is ended, as by Ctrl-C: with a truthful sentence, and the lock given back."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, end) if main else None
    try:
        yield
    except KeyboardInterrupt:
        raise MigrationError(INTERRUPTED) from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


@frozen
class Mode:
    """How a command changes an instance: with a question or by ``--yes``, with JSON on stdout, with which lock, and with which runner and options of Apache Beam."""

    yes: bool = False
    json: bool = False
    without_lock: bool = False
    force_unlock: bool = False
    runner: tuple[str, ...] = ()

    @classmethod
    def of(cls, context: click.Context, runner: tuple[str, ...] = ()) -> "Mode":
        """The mode from the options given before or after the command."""
        yes, without_lock, force_unlock = (
            is_given(context, name) for name in ("yes", "without-lock", "force-unlock")
        )
        return cls(yes, is_json(context), without_lock, force_unlock, runner)

    @property
    def changes(self) -> Changes:
        """Whether a run in this mode asks before it changes the instance."""
        return Changes.unless(self.yes)


def carry_out(
    there: OpenInstance, stages: Sequence[Stage], what: str, mode: Mode, verb: str = "apply"
) -> tuple[Done, ...] | None:
    """Ask whether to ``verb`` ``what``, and do it; None where the answer was no.

    Where nothing is to be asked, as ``what`` is empty, what the instance has is written down, and it is no error where that cannot be done.
    Raises :class:`btmodel.errors.BtmodelError`, also where the process is to end.
    """
    refuse_stages(stages)
    if not what:
        return _write_down(there, stages, mode)
    if mode.runner:
        refuse_unspread(stages, there.rows)
    workers = _workers(there, mode)
    if not _agreed(what, mode, verb):
        return None
    if not mode.without_lock:
        refuse_without_transactions(there)
    by = me()
    with until_terminated(), reported(stages, err=mode.json) as report:
        listener = RunListener(
            report.change,
            lambda id: report.say(f"{_done(verb)} {id}"),
            lambda lock: echo(f"waiting for {lock}: {_PASSED_OVER}", err=True),
        )
        done = apply_stages(
            stages,
            there.instance,
            there.history,
            by,
            listener,
            locked=not mode.without_lock,
            force=mode.force_unlock,
            data=Data(there.rows, report.rows, report.say, workers),
        )
    for line in others(stages, there.history, by, done):
        echo(line, err=mode.json)
    return done


def _workers(there: OpenInstance, mode: Mode) -> Runner | None:
    """The workers of a runner, where the command names one.

    Raises :class:`btmodel.errors.SettingsError` without Apache Beam, for a runner or options that it refuses, and without the lock.
    """
    if not mode.runner:
        return None
    runner, *options = mode.runner
    if mode.without_lock:
        raise SettingsError(f"--runner={runner}: workers need the lock: leave out --without-lock")
    with _unwarned():
        from btmodel.beam.steps import Workers  # here, as it loads Apache Beam

        return Workers(there.rows, runner, options)


@contextmanager
def _unwarned() -> Iterator[None]:
    """Log no warning in this block: Beam warns of libraries that no data step needs, and of options that the command refuses."""
    level = logging.root.manager.disable
    logging.disable(max(level, logging.WARNING))
    try:
        yield
    finally:
        logging.disable(level)


def names_of(done: Sequence[Done]) -> list[str]:
    """The names of what is done, but for btmodel's own bookkeeping."""
    return [one.change.name for one in done if not one.change.quiet]


def _write_down(there: OpenInstance, stages: Sequence[Stage], mode: Mode) -> tuple[Done, ...]:
    """Write down what the instance has already, as a run may have been killed before it did; a user who may only read must not fail for that."""
    try:
        return apply_stages(stages, there.instance, there.history, me(), force=mode.force_unlock)
    except (ServerError, MigrationFailed) as error:
        echo(f"not written down: {error}", err=True)
        return ()


def _agreed(what: str, mode: Mode, verb: str) -> bool:
    """Whether to go on, by ``--yes`` or by the answer at the terminal."""
    if mode.yes:
        return True
    if not sys.stdin.isatty():
        raise MigrationError(
            f"nothing was {_done(verb)}: {what} waiting for an answer, and there is no terminal to ask; "
            f"use --yes to {verb} without asking"
        )
    agreed = confirm(f"{verb} {what}?")
    if not agreed:
        echo(f"nothing was {_done(verb)}", err=mode.json)
    return agreed


def _done(verb: str) -> str:
    return {"apply": "applied", "roll back": "rolled back"}[verb]
