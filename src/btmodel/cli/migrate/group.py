"""The group of the migration commands, with its own exit code for wrong usage."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from btmodel.cli.group import LazyGroup
from btmodel.cli.migrate.options import JSON
from btmodel.errors import BtmodelError


class _WrongUsage(click.UsageError):
    """A usage error that exits with 1: click's own 2 would read as "some changes"."""

    exit_code = 1


@contextmanager
def _usage_is_error() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        raise _WrongUsage(error.format_message(), error.ctx) from None


class MigrateGroup(LazyGroup):
    """The group, with exit code 1 for wrong usage of itself and of its subcommands."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line."""
        with _usage_is_error():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run what it says."""
        with _usage_is_error():
            try:
                return super().invoke(ctx)
            except BtmodelError as error:
                if ctx.meta.get(JSON):
                    # Here, because it loads the plans, which `btmodel migrate --help` has no use for.
                    from btmodel.cli.migrate.shown import print_error

                    print_error(error)
                raise
