"""Carrying out what a command has shown: asking, the lock, and reporting."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from attrs import frozen

from btmodel.cli.migrate.options import said_before
from btmodel.cli.migrate.progress import refuse_without_transactions, reported, until_terminated
from btmodel.cli.migrate.scope import Changes, Live
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError, MigrationFailed, ServerError, SettingsError
from btmodel.migrate import Done
from btmodel.migrate.applying.copying import Data, Runner
from btmodel.migrate.applying.stages import RunListener, Stage, apply_stages, others, refuse_stages
from btmodel.migrate.history.lock import me


@frozen
class Mode:
    """How a command changes an instance: with a question or by ``--yes``, with JSON on stdout, with which lock, and with which runner and options of Apache Beam."""

    yes: bool = False
    json: bool = False
    without_lock: bool = False
    force_unlock: bool = False
    runner: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, context: click.Context, *, yes: bool, json_: bool, without_lock: bool, force_unlock: bool
    ) -> "Mode":
        """The mode from the options given before or after the command."""
        before = said_before(context)
        return cls(
            yes or bool(before.get("yes", False)),
            json_ or bool(before.get("json_", False)),
            without_lock,
            force_unlock,
        )

    @property
    def changes(self) -> Changes:
        """Whether a run in this mode asks before it changes the instance."""
        return Changes.unless(self.yes)


def carry_out(
    there: Live, stages: Sequence[Stage], what: str, mode: Mode, verb: str = "apply"
) -> tuple[Done, ...] | None:
    """Ask whether to ``verb`` ``what``, and do it; None where the answer was no.

    Where nothing is to be asked, as ``what`` is empty, what the instance has is written down, and it is no error where that cannot be done.
    Raises :class:`btmodel.errors.BtmodelError`, also where the process is to end.
    """
    refuse_stages(stages)
    if not what:
        return _write_down(there, stages, mode)
    workers = _workers(there, mode)
    if not _agreed(what, mode, verb):
        return None
    if not mode.without_lock:
        refuse_without_transactions(there.instance)
    by = me()
    with until_terminated(), reported(stages, err=mode.json) as report:
        listener = RunListener(
            report.change,
            lambda id: report.say(f"{_done(verb)} {id}"),
            lambda lock: echo(f"waiting for {lock}", err=True),
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


def _workers(there: Live, mode: Mode) -> Runner | None:
    """The workers of a runner, where the command names one.

    Raises :class:`btmodel.errors.SettingsError` without Apache Beam, for a runner or options that it refuses, and without the lock.
    """
    if not mode.runner:
        return None
    with _unwarned():
        from btmodel.beam.steps import Workers  # here, as it loads Apache Beam

    runner, *options = mode.runner
    if mode.without_lock:
        raise SettingsError(f"--runner={runner}: workers need the lock: leave out --without-lock")
    return Workers(there.rows, runner, options)


@contextmanager
def _unwarned() -> Iterator[None]:
    """Log no warning in this block: Beam warns of libraries that it misses, and that no data step needs."""
    level = logging.root.manager.disable
    logging.disable(max(level, logging.WARNING))
    try:
        yield
    finally:
        logging.disable(level)


def names_of(done: Sequence[Done]) -> list[str]:
    """The names of what is done, but for btmodel's own bookkeeping."""
    return [one.change.name for one in done if not one.change.quiet]


def _write_down(there: Live, stages: Sequence[Stage], mode: Mode) -> tuple[Done, ...]:
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
