"""The models and the instance that a migration command works on."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve, frozen

from btmodel.cli.connection import named_instance, reached
from btmodel.cli.migrate.options import is_given, said_before
from btmodel.cli.models import project, settings_and_models
from btmodel.cli.terminal import confirm, echo, from_here
from btmodel.client.target import SERVICE, Target
from btmodel.emulator import VARIABLE
from btmodel.errors import BtmodelError, MigrationError
from btmodel.migrate import Instance
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.standing import Standing, standing
from btmodel.schema import ModelSchema, Table
from btmodel.schema.table import settled_tables
from btmodel.settings import Settings, read

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database


class Changes(Enum):
    """Whether a command only reads the instance, asks before it changes it, or changes it without a question."""

    NOTHING = auto()
    ASKED_FOR = auto()
    WITHOUT_A_QUESTION = auto()

    @classmethod
    def unless(cls, yes: bool) -> "Changes":
        """Changes, with a question unless it is answered with ``yes`` already."""
        return cls.WITHOUT_A_QUESTION if yes else cls.ASKED_FOR


@contextmanager
def _target(
    context: click.Context, instance: str | None, changes: Changes, *, makes_file: bool = True
) -> Iterator[Target]:
    """The instance that the command line or the settings name; none of the user's modules is imported for it."""
    settings = read()
    typed = instance or said_before(context).get("instance")
    name = named_instance(typed)
    # What the settings name is not mistyped: a new project may be planned before its file is there.
    makes_file = typed is None or (makes_file and changes is not Changes.NOTHING)
    with reached(name, makes_file=makes_file, only_reads=changes is Changes.NOTHING) as target:
        if target.emulated and changes is not Changes.NOTHING and not is_given(context, "emulated"):
            _ask_of_emulator(target, name, settings, yes=changes is Changes.WITHOUT_A_QUESTION)
        yield target


def _ask_of_emulator(target: Target, name: str, settings: Settings, *, yes: bool) -> None:
    """Ask if the server is meant that the environment names; raises :class:`MigrationError` where there is no terminal."""
    if any(fnmatchcase(one, known) for one in (name, target.instance) for known in settings.emulated):
        return
    which = f"{target} is not the service: {VARIABLE} names that server"
    if yes or not sys.stdin.isatty():
        raise MigrationError(
            f"nothing was applied: {which}; unset the variable to reach the service, or, if you mean this server, use --emulated or list {name!r} as `emulated` "
            "under [tool.btmodel]"
        )
    if not confirm(f"{which}. Continue on that server?"):
        raise click.Abort


@frozen
class OpenInstance:
    """An instance, what it remembers, its rows, and the server where it is.

    ``profiles`` are its app profiles that allow single-row transactions; None if they cannot be read.
    """

    instance: Instance
    history: MigrationHistory
    rows: "Database"
    server: str
    profiles: tuple[str, ...] | None

    def at_once(self) -> "OpenInstance":
        """The same, with the history as one read finds it now: for a plan, and not for a run, which reads it again under the lock."""
        return evolve(self, history=self.history.snapshot())

    def standing(self, graph: Graph) -> Standing:
        """The standing of the instance among the revisions."""
        return standing(graph, self.history.revisions())


@contextmanager
def connected(target: Target) -> Iterator[OpenInstance]:
    """The instance of ``target``; its rows through an app profile that allows transactions, if any does."""
    # Here, because they load grpc, which `btmodel --help` has no use for.
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import READ, Admin
    from btmodel.migrate.waiting import Patience, watched

    reports = watched(target.host or SERVICE, lambda line: echo(line, err=True))
    with Admin(target) as admin, reports:
        with Patience(READ):
            profiles = admin.transactional_profiles()
        with Database(target.held, app_profile=next(iter(profiles or ()), None)) as rows:
            yield OpenInstance(admin, MigrationHistory(admin, rows), rows, target.server, profiles)


@contextmanager
def open_instance(
    context: click.Context,
    instance: str | None,
    changes: Changes = Changes.NOTHING,
    *,
    makes_file: bool = True,
) -> Iterator[OpenInstance]:
    """The instance that the command line or the settings name; raises :class:`SettingsError` without one.

    Where an emulator replaces the service, a command that makes ``changes`` asks first. A local file that is not
    there is made by what changes something, unless ``makes_file`` is false; what only reads finds an empty instance where the settings name one.
    """
    with _target(context, instance, changes, makes_file=makes_file) as target, connected(target) as there:
        yield there


def folder_of(settings: Settings) -> Path:
    """The folder of the revisions, as messages show it."""
    return from_here(settings.revisions)


def all_revisions() -> Graph:
    """The revisions of the project; raises :class:`MigrationError`."""
    return read_folder(folder_of(project()))


def some_revisions() -> Graph:
    """The revisions of the project, one or more; raises :class:`MigrationError`."""
    graph = all_revisions()
    if not graph.revisions:
        raise MigrationError(
            f'there are no revisions in {graph.folder}: write the first with `btmodel migrate new "message"`'
        )
    return graph


def allowed(context: click.Context, allow: tuple[str, ...]) -> tuple[str, ...]:
    """The changes that ``--allow`` names, before or after the command."""
    return (*said_before(context).get("allow", ()), *allow)


def known_models(context: click.Context) -> list[ModelSchema]:
    """The models of the project, for a command that does not need them; without any that can be imported, it says so and goes on."""
    try:
        return settings_and_models(context)[1]
    except BtmodelError as error:
        echo(f"not compared with the models: {error}", err=True)
        return []


def declared_tables(context: click.Context) -> tuple[Table, ...]:
    """The tables that the models of the project declare."""
    return settled_tables(settings_and_models(context)[1])
