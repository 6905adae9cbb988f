"""``btmodel migrate diff`` and ``schema``: compare models, instances and schema files; write a schema file."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

import click

from btmodel.cli.connection import reached
from btmodel.cli.group import models_option
from btmodel.cli.migrate.options import format_option, is_json, json_option
from btmodel.cli.migrate.pending import DIFFERENT, NOTHING_TO_DO
from btmodel.cli.migrate.plan_output import print_json, print_text
from btmodel.cli.migrate.scope import connected, declared_tables, some_revisions
from btmodel.cli.output import check_place, force_option, write_output
from btmodel.cli.terminal import echo
from btmodel.errors import DeclarationError, MigrationError
from btmodel.migrate import as_json, make_plan, read_live
from btmodel.migrate.planning.text import compared
from btmodel.migrate.tables.templates import paired
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import Table
from btmodel.schema.table import refuse_renamings

SUFFIXES = (".json", ".toml")


def schema_text(tables: Iterable[Table]) -> str:
    """``tables`` as the text of a schema file, in JSON."""
    return json.dumps({"tables": as_data(tables)}, indent=2, ensure_ascii=False) + "\n"


def read_schema(path: Path) -> tuple[Table, ...]:
    """The tables of a schema file, JSON or TOML, in the order of their ids.

    Raises :class:`MigrationError` where it cannot be read, and :class:`DeclarationError`, with the place, for
    what is no table, or a renaming that cannot have been.
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise MigrationError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise MigrationError(f"{path} is not a schema file: {error}") from error
    if not isinstance(data, dict) or "tables" not in data:
        raise MigrationError(
            f'{path} is not a schema file: expected "tables", and under it the tables by their ids'
        )
    tables = from_data(data["tables"], str(path))
    try:
        refuse_renamings(tables)
    except DeclarationError as error:
        raise DeclarationError(f"{path}: {error}") from None
    return tables


MODELS = "models"
REVISION = "revision:"


def tables_of(context: click.Context, name: str) -> tuple[Table, ...]:
    """The tables of what is called ``name``: ``models``, a schema file, a revision (``revision:0002_add_trades``), or an instance.

    Raises :class:`btmodel.errors.BtmodelError`.
    """
    if name == MODELS:
        return declared_tables(context)
    if name.startswith(REVISION):
        return some_revisions().named(name.removeprefix(REVISION)).tables
    if Path(name).suffix in SUFFIXES:
        return read_schema(Path(name))
    return _of_instance(name)


def is_live(name: str) -> bool:
    """Whether what is called ``name`` is an instance."""
    return name != MODELS and not name.startswith(REVISION) and Path(name).suffix not in SUFFIXES


def _of_instance(name: str) -> tuple[Table, ...]:
    with reached(name, only_reads=True) as target, connected(target) as there:
        return read_live(there.instance, there.history)


@click.command("diff")
@click.argument("from_", metavar="FROM")
@click.argument("to")
@format_option
@json_option
@models_option
@click.pass_context
def diff(context: click.Context, from_: str, to: str, format_: str) -> None:
    """Show the changes that lead from schema FROM to schema TO, without applying them.

    FROM and TO are `models`, an instance (a name from the settings, or a path), a revision (revision:0002), or a
    schema file (.json, .toml) that `btmodel migrate schema` wrote.

    Exit code 0: no difference; 2: a difference; 1: an error.
    """
    new, old = tables_of(context, to), tables_of(context, from_)
    wanted, there = paired(new, old, live=is_live(from_)), paired(old, new, live=is_live(to))
    found = make_plan(f"{from_} to {to}", wanted, there)
    if is_json(context):
        print_json(as_json(found))
    else:
        print_text(compared(found), format_)
    context.exit(DIFFERENT if found.changes or found.drift else NOTHING_TO_DO)


@click.command("schema")
@click.argument("of", default=MODELS)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the tables to this file.")
@force_option
@models_option
@click.pass_context
def schema(context: click.Context, of: str, out: Path | None, force: bool) -> None:
    """Print the tables of OF as JSON: `models` (the default), an instance, a revision, or a schema file.

    `btmodel migrate diff` compares such files.

    Exit code 0: printed; 1: an error.
    """
    if out is not None:
        if out.suffix != ".json":
            raise MigrationError(f"{out}: expected the name of a JSON file, one that ends in .json")
        check_place(out, force=force)
    text = schema_text(tables_of(context, of))
    if out is None:
        echo(text, nl=False)
    else:
        write_output(out, text.encode(), force=force)
