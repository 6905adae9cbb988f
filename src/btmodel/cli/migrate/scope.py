"""The models and the instance that a migration command works on."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum, auto
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import field, frozen

from btmodel.cli.migrate.options import EMULATED, said_before
from btmodel.cli.models import settings_and_models
from btmodel.cli.reached import reached
from btmodel.cli.terminal import confirm, echo
from btmodel.client.options import Options
from btmodel.client.target import SERVICE, Target
from btmodel.emulator import VARIABLE
from btmodel.errors import MigrationError, SettingsError
from btmodel.migrate import Instance
from btmodel.migrate.data import Rows
from btmodel.migrate.history import History
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.standing import Standing, standing
from btmodel.schema import ModelSchema, Table, tables_and_templates
from btmodel.settings import Settings, read

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import Admin
    from btmodel.migrate.history import History


class Changes(Enum):
    """What a command does to the instance: nothing, or changes, with a question before them or without."""

    NOTHING = auto()
    ASKED_FOR = auto()
    WITHOUT_A_QUESTION = auto()

    @classmethod
    def unless(cls, yes: bool) -> "Changes":
        """Changes, with a question unless it is answered with ``yes`` already."""
        return cls.WITHOUT_A_QUESTION if yes else cls.ASKED_FOR


@frozen
class Scope:
    """What a migration is about: the models, and where they live.

    ``instance`` is a path, ``projects/P/instances/I``; ``host`` is the ``host:port`` of an
    emulator, or None for the service; ``server`` says which one it is. ``options`` are those of connections.
    """

    models: Sequence[ModelSchema]
    instance: str
    host: str | None = None
    server: str = ""
    options: Options = field(factory=Options)


@contextmanager
def scope_of(
    context: click.Context, instance: str | None, changes: Changes = Changes.NOTHING
) -> Iterator[Scope]:
    """The scope that the command line and the settings name; raises :class:`SettingsError` without an instance.

    What ``changes`` it is asked for where an emulator is in the place of the service.
    """
    settings, models = settings_and_models(context)
    with _at(context, instance, settings, changes) as target:
        yield Scope(models, target.instance, target.host, target.server, target.options)


@contextmanager
def instance_of(
    context: click.Context,
    instance: str | None,
    changes: Changes = Changes.NOTHING,
    *,
    makes_file: bool = True,
) -> Iterator[Scope]:
    """The instance alone, without any models: none of the user's modules is imported.

    A local file that is not there is made by what changes something, unless ``makes_file`` is false.
    """
    with _at(context, instance, read(), changes, makes_file=makes_file) as target:
        yield Scope((), target.instance, target.host, target.server, target.options)


@contextmanager
def _at(
    context: click.Context,
    instance: str | None,
    settings: Settings,
    changes: Changes,
    *,
    makes_file: bool = True,
) -> Iterator[Target]:
    typed = instance or said_before(context).get("instance")
    name = typed or settings.instance
    if name is None:
        raise SettingsError(
            "no instance: say --instance projects/PROJECT/instances/INSTANCE, set BTMODEL_INSTANCE, or write "
            f"instance = ... under [tool.btmodel] of pyproject.toml (settings: {settings.origin})"
        )
    # What the settings name is not mistyped: a new project may be planned before its file is there.
    makes_file = typed is None or (makes_file and changes is not Changes.NOTHING)
    with reached(name, makes_file=makes_file) as target:
        if target.emulated and changes is not Changes.NOTHING and not context.meta.get(EMULATED):
            _ask_of_emulator(target, name, settings, yes=changes is Changes.WITHOUT_A_QUESTION)
        yield target


def _ask_of_emulator(target: Target, name: str, settings: Settings, *, yes: bool) -> None:
    """Ask if the server is meant that the environment names; raises :class:`MigrationError` where nobody can be asked."""
    if any(fnmatchcase(one, known) for one in (name, target.instance) for known in settings.emulated):
        return
    told = f"{target} is not the service: {VARIABLE} names that server"
    if yes or not sys.stdin.isatty():
        raise MigrationError(
            f"nothing was applied: {told}; unset it to reach the service, or say --emulated, or list {name!r} as `emulated` "
            "under [tool.btmodel], where this server is meant"
        )
    if not confirm(f"{told}. Go on there?"):
        raise click.Abort


def connected(scope: Scope) -> "Admin":
    """The tables of the instance."""
    # Here, because it loads grpc, which `btmodel --help` has no use for.
    from btmodel.client.admin import Admin

    return Admin(scope.instance, scope.host, scope.options)


@contextmanager
def history_of(admin: "Admin", scope: Scope) -> "Iterator[History]":
    """What the instance remembers of its migrations."""
    from btmodel.migrate.history import History

    with rows_of(admin, scope) as rows:
        yield History(admin, rows)


@contextmanager
def rows_of(admin: "Admin", scope: Scope) -> "Iterator[Database]":
    """The rows of the instance, through an app profile that allows transactions, if any does."""
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import READ
    from btmodel.migrate.waiting import Patience, watched

    with watched(scope.host or SERVICE, lambda line: echo(line, err=True)):
        with Patience(READ):
            profiles = admin.transactional_profiles()
        target = Target(scope.instance, scope.host, lambda: None, options=scope.options)
        with Database(target, app_profile=next(iter(profiles or ()), None)) as rows:
            yield rows


@frozen
class Live:
    """An instance, what it remembers, and its rows."""

    instance: Instance
    history: History
    rows: Rows

    def standing(self, graph: Graph) -> Standing:
        """Where it stands among the revisions."""
        return standing(graph, self.history.revisions())


def folder_of(settings: Settings) -> Path:
    """The folder of the revisions, as one says it from here."""
    folder, here = settings.revisions, Path.cwd().resolve()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def all_revisions() -> Graph:
    """The revisions of the project; raises :class:`MigrationError`."""
    return read_folder(folder_of(read()))


def some_revisions() -> Graph:
    """The revisions of the project, one or more; raises :class:`MigrationError`."""
    graph = all_revisions()
    if not graph.revisions:
        raise MigrationError(
            f'there are no revisions in {graph.folder}: write the first with `btmodel migrate new "message"`'
        )
    return graph


@contextmanager
def live(
    context: click.Context,
    instance: str | None,
    changes: Changes = Changes.NOTHING,
    *,
    makes_file: bool = True,
) -> Iterator[Live]:
    """The instance that the command line or the settings name; raises :class:`SettingsError` without one."""
    with (
        instance_of(context, instance, changes, makes_file=makes_file) as scope,
        connected(scope) as admin,
        rows_of(admin, scope) as rows,
    ):
        yield Live(admin, History(admin, rows), rows)


def is_json(context: click.Context, json_: bool) -> bool:
    """Whether JSON is asked for, before the command or behind it."""
    return json_ or bool(said_before(context).get("json_", False))


def allowed(context: click.Context, allow: tuple[str, ...]) -> tuple[str, ...]:
    """What is allowed, before the command or behind it."""
    return (*said_before(context).get("allow", ()), *allow)


def said_yes(context: click.Context, yes: bool) -> bool:
    """Whether ``--yes`` is said, before the command or behind it."""
    return yes or bool(said_before(context).get("yes", False))


def declared_tables(context: click.Context) -> tuple[Table, ...]:
    """The tables that the models of the project declare."""
    return tables_and_templates(settings_and_models(context)[1])
