"""What ``btmodel migrate diff`` compares: models, instances and schema files, by what they are called."""

from pathlib import Path

import click

from btmodel.cli.migrate.revisions import some_revisions
from btmodel.cli.migrate.scope import Scope, connected, journal_of
from btmodel.cli.models import settings_and_models
from btmodel.cli.reached import reached
from btmodel.migrate import read_live
from btmodel.migrate.schema_file import SUFFIXES, read_schema
from btmodel.schema import Table, tables_and_templates

MODELS = "models"
REVISION = "revision:"


def tables_of(context: click.Context, name: str) -> tuple[Table, ...]:
    """The tables of what is called ``name``: ``models``, a schema file, a revision (``revision:0002_add_trades``), or an instance.

    Raises :class:`btmodel.errors.BtmodelError`.
    """
    if name == MODELS:
        return tables_and_templates(settings_and_models(context)[1])
    if name.startswith(REVISION):
        return some_revisions().named(name.removeprefix(REVISION)).tables
    if Path(name).suffix in SUFFIXES:
        return read_schema(Path(name))
    return _of_instance(name)


def is_live(name: str) -> bool:
    """Whether what is called ``name`` is an instance."""
    return name != MODELS and not name.startswith(REVISION) and Path(name).suffix not in SUFFIXES


def _of_instance(name: str) -> tuple[Table, ...]:
    with reached(name) as target:
        scope = Scope((), target.instance, target.host)
        with connected(scope) as admin, journal_of(admin, scope) as journal:
            return read_live(admin, journal)
