"""The ``btmodel`` command itself: finds its commands by a table, and loads only the one that runs."""

import errno
import gc
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import TextIOWrapper
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import click
from click.shell_completion import CompletionItem

from btmodel.cli.completion import instance_names, module_names
from btmodel.cli.terminal import MODULES, NoSuchCommand, Terminated, echo_error, printable_usage
from btmodel.errors import BtmodelError


class Command(NamedTuple):  # not of attrs, which a command line that only helps need not load
    """The place of a command: its module, which has a function of the same name, and one line of help."""

    module: str
    help: str


CommandTable = Mapping[str, Command]


class LazyGroup(click.Group):
    """A group whose commands are imported when they run, so that help is quick."""

    table: CommandTable = {}

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read the command line."""
        with printable_usage():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run what it says."""
        with printable_usage():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        entry = self.table.get(cmd_name)
        command = entry and getattr(import_module(entry.module), cmd_name.replace("-", "_"))
        return command if isinstance(command, click.Command) else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what stands before the command, none of which may be empty."""
        _refuse_empty(self, ctx, args)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named, with what stands behind it, none of which may be empty.

        A name that is none is refused with those that are near.
        """
        called = args[0]
        if called not in self.table and not called.startswith("-") and not ctx.resilient_parsing:
            from btmodel.words import meant  # here, as it loads difflib

            raise NoSuchCommand(f"no such command {called!r}{meant(called, self.table, 'commands')}", ctx)
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, LazyGroup):
            _refuse_empty(
                command, click.Context(command, ctx, name, resilient_parsing=ctx.resilient_parsing), rest
            )
        return name, command, rest

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands of the table that begin so, without importing one, and the options."""
        named = [(name, entry.help) for name, entry in self.table.items() if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=help_text) for name, help_text in named]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, without importing a command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])


def _refuse_empty(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse options and arguments that are given as empty text, as by a variable that is not set.

    Each would count as not given, or as this folder: ``--instance ""`` as the instance of the settings.
    """
    if ctx.resilient_parsing:
        return
    given = command.make_parser(ctx).parse_args([*args])[0]
    for param in command.get_params(ctx):
        value = given.get(param.name or "")
        if value == "" or (isinstance(value, list | tuple) and "" in value):
            raise click.BadParameter("expected some text, got none: is a variable not set?", ctx, param)


def _named(context: click.Context, option: click.Parameter, modules: tuple[str, ...]) -> None:
    context.meta[MODULES] = (*context.meta.get(MODULES, ()), *modules)


models_option = click.option(
    "-m",
    "--module",
    multiple=True,
    metavar="MODULE",
    shell_complete=module_names,
    callback=_named,
    expose_value=False,
    help="Read the models of this module instead of `models` of the settings. Repeatable.",
)

instance_option = click.option(
    "--instance",
    metavar="NAME",
    shell_complete=instance_names,
    help="The instance to use: a name from the settings, or a path.",
)


class _MainGroup(LazyGroup):
    """The command itself, whose exit code says where SIGTERM ended it, as a shell says it of a process."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run what it says."""
        try:
            return super().invoke(ctx)
        except (Terminated, click.Abort) as error:
            if Terminated.is_cause(error):
                sys.exit(128 + signal.SIGTERM)
            raise


@click.group(cls=_MainGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="btmodel", prog_name="btmodel")
@models_option
def group() -> None:
    """The ORM of Google Cloud Bigtable: declare, review, simulate, generate, migrate.

    Commands read models and instances from [tool.btmodel] in pyproject.toml, or from btmodel.toml.
    """


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


# What a path fails with that leads nowhere, or to something of another kind. Commands say what they wanted of it; of one that none looked at first, this is what is left to say.
_PATHS = (
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
)
# What a write to a full disk, or one that has gone, fails with; commands report those to files themselves.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(commands: CommandTable) -> None:
    """Run; an error of ours becomes one message on stderr and exit code 1."""
    group.table = commands
    # A command makes cells and rows by the hundred thousand, hardly any of them in cycles: at the usual 700 objects, a move of rows and a backup
    # spend a quarter to half of their time looking for some.
    gc.set_threshold(50_000)
    signal.signal(signal.SIGTERM, _terminated)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a narrow terminal encoding is no reason to fail
    try:
        group()
    except BtmodelError as error:
        echo_error(error)
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno in _PATHS and isinstance(error.filename, str | bytes | os.PathLike):
            echo_error(f"{os.fsdecode(error.filename)}: {error.strerror}")
            sys.exit(1)
        if error.errno not in _FULL or error.filename is not None:
            raise
        echo_error(f"stdout cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python writes the rest at its end
        sys.exit(1)
