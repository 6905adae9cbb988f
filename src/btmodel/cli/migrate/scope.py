"""What a migration is about: the models, and the instance in which they live."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from attrs import frozen

from btmodel.cli.migrate.options import said_before
from btmodel.cli.models import settings_and_models
from btmodel.cli.reached import reached
from btmodel.cli.terminal import echo
from btmodel.client.target import Target
from btmodel.errors import SettingsError
from btmodel.schema import ModelSchema
from btmodel.settings import Settings, read

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import Admin
    from btmodel.migrate.journal import TableJournal


@frozen
class Scope:
    """What a migration is about: the models, and where they live.

    ``instance`` is a path, ``projects/P/instances/I``; ``host`` is the ``host:port`` of an
    emulator, or None for the service.
    """

    models: Sequence[ModelSchema]
    instance: str
    host: str | None = None


@contextmanager
def scope_of(context: click.Context, instance: str | None) -> Iterator[Scope]:
    """The scope that the command line and the settings name; raises :class:`SettingsError` without an instance."""
    settings, models = settings_and_models(context)
    with _at(context, instance, settings) as target:
        yield Scope(models, target.instance, target.host)


@contextmanager
def instance_of(context: click.Context, instance: str | None) -> Iterator[Scope]:
    """The instance alone, without any models: none of the user's modules is imported."""
    with _at(context, instance, read()) as target:
        yield Scope((), target.instance, target.host)


@contextmanager
def _at(context: click.Context, instance: str | None, settings: Settings) -> Iterator[Target]:
    name = instance or said_before(context).get("instance") or settings.instance
    if name is None:
        raise SettingsError(
            "no instance: say --instance projects/PROJECT/instances/INSTANCE, or instance = ... under "
            f"[tool.btmodel] in {settings.root / 'pyproject.toml'}"
        )
    with reached(name) as target:
        yield target


def connected(scope: Scope) -> "Admin":
    """The tables of the instance."""
    # Here, because it loads grpc, which `btmodel --help` has no use for.
    from btmodel.client.admin import Admin

    return Admin(scope.instance, scope.host)


@contextmanager
def journal_of(admin: "Admin", scope: Scope) -> "Iterator[TableJournal]":
    """What the instance remembers of its migrations."""
    from btmodel.migrate.journal import TableJournal

    with rows_of(admin, scope) as rows:
        yield TableJournal(admin, rows)


@contextmanager
def rows_of(admin: "Admin", scope: Scope) -> "Iterator[Database]":
    """The rows of the instance, through an app profile that allows transactions, if any does."""
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import READ, SERVICE
    from btmodel.migrate.waiting import Patience, watched

    with watched(scope.host or SERVICE, lambda line: echo(line, err=True)):
        with Patience(READ):
            profiles = admin.transactional_profiles()
        target = Target(scope.instance, scope.host, lambda: None)
        with Database(target, profiles[0] if profiles else None) as rows:
            yield rows
