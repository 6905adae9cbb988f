"""Plain output for commands, with control characters written out.

Commands take ``echo`` and ``confirm`` from here, and what draws from ``console``, never from click and rich themselves.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from btmodel.errors import MigrationFailed
from btmodel.words import did_you_mean, printable

MODULES = "btmodel.modules"  # where the context, which a command shares with its group, has what -m names


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text."""
    click.echo(printable(text), err=err, nl=nl)


class Printed:
    """Stdout as a file of text: a program gets it as it is, and a terminal with control characters written out."""

    def write(self, text: str, /) -> None:
        """Print a part of the text."""
        if sys.stdout.isatty():
            echo(text.replace("\r\n", "\n"), nl=False)
        else:
            # Without color=, click leaves out what looks like the colours of a terminal.
            click.echo(text, nl=False, color=True)


def echo_error(error: object) -> None:
    """Print an error on stderr, which says that it is one; of a migration that failed on its way, each part on a line."""
    first, *others = error.lines if isinstance(error, MigrationFailed) else [str(error)]
    click.echo(f"{click.style('error:', fg='red', bold=True)} {printable(first)}", err=True)
    for line in others:
        click.echo(f"  {printable(line)}", err=True)


def confirm(question: str) -> bool:
    """Ask on stderr; an empty answer is no. Raises :class:`click.Abort` if there is no answer."""
    return click.confirm(printable(question), default=False, err=True)


class Terminated(KeyboardInterrupt):
    """SIGTERM has come, which ends a command as Ctrl-C does: files that are half written are removed, and servers that were started are stopped."""

    @classmethod
    def is_cause(cls, error: BaseException) -> bool:
        """Whether an error is that, or is what click makes of it at a question."""
        return isinstance(error, cls) or (
            isinstance(error, click.Abort) and isinstance(error.__context__, cls)
        )


def from_here(path: Path) -> Path:
    """A path as messages show it: relative if it is in the current folder, and else as it is."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


class NoSuchCommand(click.UsageError):
    """A command that is none; its message, which is printable, quotes what was typed.

    It exits with 64 in every group, which is no answer of a command: 2 is a plan that was declined, for one.
    """

    exit_code = 64


def usage_text(error: click.UsageError) -> str:
    """The text of a usage error; it suggests names in the same form as all other messages."""
    offered = getattr(error, "possibilities", None)
    if not offered:
        return error.format_message()
    return f"{error.message.rstrip('.')}{did_you_mean(offered)}"


@contextmanager
def printable_usage() -> Iterator[None]:
    """Usage errors repeat what was typed: without its hidden characters."""
    try:
        yield
    except NoSuchCommand:
        raise
    except click.UsageError as error:
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
            raise  # no mistake, but the help, which click 8.2 raises in place of printing it
        said = click.UsageError(printable(usage_text(error)), error.ctx)
        vars(said)["exit_code"] = error.exit_code  # which click has as a class variable
        raise said from None
