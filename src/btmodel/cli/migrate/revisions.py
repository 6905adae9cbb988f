"""The revisions of the project, and the instance with its journal: what the commands of revisions are about."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from attrs import frozen

from btmodel.cli.migrate.options import said_before
from btmodel.cli.migrate.scope import Changes, connected, instance_of, rows_of
from btmodel.cli.models import settings_and_models
from btmodel.errors import MigrationError
from btmodel.migrate import Instance
from btmodel.migrate.data import Rows
from btmodel.migrate.journal import Journal, TableJournal
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.standing import Standing, standing
from btmodel.schema import Table, tables_and_templates
from btmodel.settings import Settings, read


@frozen
class Live:
    """An instance, what it remembers, and its rows."""

    instance: Instance
    journal: Journal
    rows: Rows

    def standing(self, graph: Graph) -> Standing:
        """Where it stands among the revisions."""
        return standing(graph, self.journal.revisions())


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
def live(context: click.Context, instance: str | None, changes: Changes = Changes.NOTHING) -> Iterator[Live]:
    """The instance that the command line or the settings name; raises :class:`SettingsError` without one."""
    with (
        instance_of(context, instance, changes) as scope,
        connected(scope) as admin,
        rows_of(admin, scope) as rows,
    ):
        yield Live(admin, TableJournal(admin, rows), rows)


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
