"""``btmodel migrate``: what differs between the models and an instance; asked for, applied."""

import json
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from btmodel.cli.completing import instance_names
from btmodel.cli.models import settings_and_models
from btmodel.client.target import resolve
from btmodel.errors import MigrationError, SettingsError
from btmodel.migrate import Change, Done, Effect, Plan, apply, as_json, as_text, read_plan, refuse, tally
from btmodel.migrate.render import hint
from btmodel.schema import ModelSchema, tables

if TYPE_CHECKING:
    from btmodel.client.admin import Admin

NOTHING_TO_DO = 0
DIFFERENT = 2

_STYLES = {
    Effect.SAFE: "green",
    Effect.DESTRUCTIVE: "bold red",
    Effect.IMPOSSIBLE: "bold red",
    Effect.DRIFT: "yellow",
}


@frozen
class Scope:
    """What a migration is about: the models, and where they live.

    ``instance`` is a path, ``projects/P/instances/I``; ``host`` is the ``host:port`` of an
    emulator, or None for the service.
    """

    models: Sequence[ModelSchema]
    instance: str
    host: str | None = None


_instance = click.option(
    "--instance",
    metavar="NAME",
    shell_complete=instance_names,
    help="The instance: its name in the settings, or path.",
)
_allow = click.option(
    "--allow",
    multiple=True,
    metavar="CHANGE",
    help="Allow a change that loses data, by its name: drop-family:QUOTE.MD. Repeatable.",
)
_json = click.option("--json", "json_", is_flag=True, help="Print JSON.")


class _WrongUsage(click.UsageError):
    """A usage error that exits with 1: click's own 2 would read as "some changes"."""

    exit_code = 1


@contextmanager
def _usage_is_error() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        raise _WrongUsage(error.format_message(), error.ctx) from None


class _Migrate(click.Group):
    """The group, with its own exit code for wrong usage of itself and of its subcommands."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _usage_is_error():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _usage_is_error():
            return super().invoke(ctx)


@click.group(cls=_Migrate, invoke_without_command=True)
@_instance
@_allow
@click.option("--yes", is_flag=True, help="Do not ask. Changes that lose data still need their --allow.")
@_json
@click.pass_context
def migrate(
    context: click.Context, instance: str | None, allow: tuple[str, ...], yes: bool, json_: bool
) -> None:
    """Show what differs between the models and an instance, ask, and apply it.

    Exit code 0: applied, or nothing to do; 2: declined; 1: an error.
    """
    if context.invoked_subcommand is not None:
        return
    with _scope(context, instance) as scope:
        code = run_migrate(scope, allow=allow, yes=yes, json_=json_)
    context.exit(code)


@migrate.command("plan")
@_instance
@_allow
@_json
@click.pass_context
def plan_(context: click.Context, instance: str | None, allow: tuple[str, ...], json_: bool) -> None:
    """Only show it.

    Exit code 0: nothing to do; 2: some changes; 1: an error.
    """
    outer: dict[str, Any] = context.parent.params if context.parent else {}
    allowed = (*outer.get("allow", ()), *allow)
    with _scope(context, instance or outer.get("instance")) as scope:
        code = run_plan(scope, allow=allowed, json_=json_ or outer.get("json_", False))
    context.exit(code)


def run_plan(scope: Scope, *, allow: Collection[str] = (), json_: bool = False) -> int:
    """Print the plan; the exit code, 2 where it changes anything, else 0.

    Raises :class:`btmodel.errors.BtmodelError`.
    """
    plan = _read(scope, allow)
    if json_:
        _print_json(as_json(plan))
    else:
        _show(plan, Console())
    return DIFFERENT if plan.changes else NOTHING_TO_DO


def run_migrate(
    scope: Scope,
    *,
    allow: Collection[str] = (),
    yes: bool = False,
    json_: bool = False,
    ask: Callable[[Plan], bool] | None = None,
) -> int:
    """Print the plan, ask, and apply it; the exit code, 2 where the answer was no, else 0.

    ``ask`` decides in place of the terminal. Raises :class:`btmodel.errors.BtmodelError`; a plan
    that may not be applied is shown before it is refused.
    """
    with _connected(scope) as admin:
        plan = read_plan(admin, tables(scope.models), allow)
        _show(plan, Console(stderr=json_))
        refuse(plan)
        if plan.changes and not (yes or (ask or _ask)(plan)):
            click.echo("nothing was applied", err=json_)
            return DIFFERENT
        done = apply(plan, admin, lambda one: click.echo(_told(one), err=json_))
    if json_:
        _print_json({**as_json(plan), "done": [one.change.name for one in done]})
    return NOTHING_TO_DO


@contextmanager
def _scope(context: click.Context, instance: str | None) -> Iterator[Scope]:
    settings, models = settings_and_models(context)
    name = instance or settings.instance
    if name is None:
        raise SettingsError(
            "no instance: say --instance projects/PROJECT/instances/INSTANCE, or instance = ... under "
            f"[tool.btmodel] in {settings.root / 'pyproject.toml'}"
        )
    target = resolve(name)
    try:
        yield Scope(models, target.instance, target.host)
    finally:
        target.release()


def _connected(scope: Scope) -> "Admin":
    # Here, because it loads grpc, which `btmodel --help` has no use for.
    from btmodel.client.admin import Admin

    return Admin(scope.instance, scope.host)


def _read(scope: Scope, allow: Collection[str]) -> Plan:
    with _connected(scope) as admin:
        return read_plan(admin, tables(scope.models), allow)


def _ask(plan: Plan) -> bool:
    if not sys.stdin.isatty():
        raise MigrationError(
            f"nothing was applied: {tally(plan)} waiting for an answer, and there is no terminal to ask at; "
            "say --yes to apply without asking"
        )
    return click.confirm("apply this?", err=True)


def _told(done: Done) -> str:
    return f"done {done.change.name}{' (found done)' if done.found else ''}"


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))


def _show(plan: Plan, console: Console) -> None:
    """The plan in colour at a terminal; elsewhere as text, which nothing wraps."""
    if not console.is_terminal:
        click.echo(as_text(plan), err=console.stderr)
        return
    console.print(Text.assemble((plan.instance, "bold"), ": ", tally(plan)))
    for effect, style in _STYLES.items():
        group = [change for change in (*plan.changes, *plan.drift) if change.effect is effect]
        if group:
            console.print(Text(effect.value, style))
            console.print(_grid(plan, group, style))


def _grid(plan: Plan, changes: Sequence[Change], style: str) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    for change in changes:
        summary = Text.assemble(change.summary, (hint(plan, change), "italic"))
        grid.add_row(Text(f"  {change.sign}", style), Text(change.name, "bold"), summary)
    return grid
