"""The options that migration commands share.

Those of the group may stand before the command or after it: ``btmodel migrate --json plan``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from btmodel.cli.completion import revision_ids
from btmodel.cli.group import LazyGroup
from btmodel.cli.terminal import NoSuchCommand, usage_text
from btmodel.errors import BtmodelError, MigrationError

F = TypeVar("F", bound=Callable[..., Any])

allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="CHANGE",
    help="Allow a change that needs permission, by its name: drop-family:QUOTE.MD. Repeatable.",
)
format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "github"]),
    default="text",
    help="Print text, or (github) Markdown for a comment on a pull request.",
)
to_option = click.option(
    "--to",
    metavar="ID",
    shell_complete=revision_ids,
    help="The revision to stop at: its id, or a unique prefix of it.",
)


def flag(name: str, help: str) -> Callable[[F], F]:
    """A flag that the context, which a command shares with the group, has: see :func:`is_given`."""

    def note(context: click.Context, option: click.Parameter, value: bool) -> None:
        if value:
            context.meta[f"btmodel.{name}"] = True

    return click.option(f"--{name}", is_flag=True, expose_value=False, callback=note, help=help)


def is_given(context: click.Context, name: str) -> bool:
    """Whether a :func:`flag` is given, before the command or after it."""
    return f"btmodel.{name}" in context.meta


yes_option = flag("yes", "Do not ask. Changes that lose data still need --allow.")
json_option = flag("json", "Print JSON.")
without_lock_option = flag(
    "without-lock",
    "Take no lock. Use it for an instance without single-row transactions, while nothing else migrates it.",
)
force_unlock_option = flag(
    "force-unlock", "Take the lock from the run that holds it; that run stops before its next table."
)
emulated_option = flag(
    "emulated", "Continue if BIGTABLE_EMULATOR_HOST redirects an instance of the service to another server."
)


def is_json(context: click.Context) -> bool:
    """Whether JSON is asked for."""
    return is_given(context, "json")


def said_before(context: click.Context) -> dict[str, Any]:
    """The options that stand before the command, by their names."""
    return context.parent.params if context.parent else {}


class _WrongUsage(click.UsageError):
    """A usage error that exits with 1: click's own 2 would read as "some changes"."""

    exit_code = 1


@contextmanager
def _usage_is_error() -> Iterator[None]:
    try:
        yield
    except NoSuchCommand:
        raise
    except click.UsageError as error:
        raise _WrongUsage(usage_text(error), error.ctx) from None


# Options that may stand before every subcommand: for errors as JSON, and for whichever of them reads models.
_OF_ALL = frozenset(["json", "module"])


INTERRUPTED = "interrupted; only what is printed as done was done; run the command again to continue"


@contextmanager
def _told_to_end() -> Iterator[None]:
    """End by SIGTERM and Ctrl-C with the sentence of a run, also while a command is still loading, connecting or asking."""
    try:
        yield
    except KeyboardInterrupt:  # which SIGTERM raises, too
        raise MigrationError(INTERRUPTED) from None
    except click.Abort as error:  # at a question; also at the end of what a terminal gives
        if isinstance(error.__context__, KeyboardInterrupt):
            raise MigrationError(INTERRUPTED) from None
        raise


class MigrateGroup(LazyGroup):
    """The group, with exit code 1 for wrong usage of itself and of its subcommands: 2 would read as changes, or as declined."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand; a usage error where an option stands before it that it does not have, and so would ignore."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            known = {opt for option in command.params for opt in option.opts}
            for option in self.params:
                given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
                if given and option.name not in _OF_ALL and known.isdisjoint(option.opts):
                    raise click.UsageError(f"`btmodel migrate {name}` has no option {option.opts[0]}", ctx)
        return name, command, rest

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line."""
        with _usage_is_error():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run what it says."""
        with _usage_is_error():
            try:
                with _told_to_end():
                    return super().invoke(ctx)
            except BtmodelError as error:
                if is_json(ctx):
                    # Here, because it loads the plans, which `btmodel migrate --help` has no use for.
                    from btmodel.cli.migrate.plan_output import print_error

                    print_error(error)
                raise
