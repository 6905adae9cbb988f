"""``btmodel rows``, ``get``, ``put`` and ``delete``: the rows of a model, on the terminal and in files."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from os.path import isdir
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Column, Table

from btmodel.cli.completion import model_names
from btmodel.cli.connection import named_instance, reached
from btmodel.cli.console import Console, PrintableText
from btmodel.cli.group import instance_option, models_option
from btmodel.cli.models import model_called, model_classes
from btmodel.cli.row_files.formats import ENDINGS, FileForm, kind_of, source_of, write_rows
from btmodel.cli.row_files.parquet import cells_in
from btmodel.cli.row_files.source import Count
from btmodel.cli.row_files.text import as_json, write_records
from btmodel.cli.terminal import Printed, confirm, echo
from btmodel.declare import Model, schema_of, to_dict
from btmodel.declare.row_forms import typed
from btmodel.errors import FailedRow, SettingsError, WriteFailed
from btmodel.repository.any_repository import AnyRepository, AnyRows, repository
from btmodel.repository.row_texts import texts_of
from btmodel.repository.terms import Terms, pairs
from btmodel.words import as_text as bytes_text
from btmodel.words import counted, meant, place_text

_SHOWN = 20  # rows of a table, if --limit and --all are not given
_ENTRIES = 20  # entries of a history, a mapping or a list, if --all is not given
_GAP = 2  # characters between columns
_NO_ROW = 3  # the exit code of get; 1 is an error, and 2 a wrong option
_TOLD = 10  # errors of rows that are printed one by one
_WRITTEN_BY_SERVICE = "the service writes the rows of views"

_model = click.argument("model", shell_complete=model_names)
_terms = click.argument("terms", nargs=-1, metavar="[FIELD=VALUE]...")
parameters_option = click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Complete a table whose name the model gives at run time: env=prod. Repeatable.",
)


@click.command()
@_model
@_terms
@click.option("--query", metavar="NAME", help="Run this declared query; FIELD=VALUE gives its fields.")
@click.option("--newest", is_flag=True, help="Begin with the newest row.")
@click.option("--limit", type=click.IntRange(1), help="Read at most this many rows.")
@click.option(
    "--all", "all_", is_flag=True, help="Print all rows, and all entries of each; a table shows 20 otherwise."
)
@click.option("--only", multiple=True, metavar="COLUMN", help="Read this column only. Repeatable.")
@click.option(
    "--where", multiple=True, metavar="COLUMN=VALUE", help="Choose rows with this value. Repeatable."
)
@click.option("--json", "json_", is_flag=True, help="Print JSON lines, one row each.")
@click.option("--csv", is_flag=True, help="Print CSV, as a .csv file of --out has it.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Write to this file instead: {', '.join(ENDINGS)}; with --partition, to this folder.",
)
@click.option(
    "--partition",
    metavar="FIELD[:UNIT]",
    help="Write a folder with Parquet files for each value of this field, or each year, month or day of a time: time:month.",
)
@click.option(
    "--cells", is_flag=True, help="Write every cell as it is stored, to a Parquet file: an exact backup."
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    help="Read with this many other processes, for --out: no more than there are processors.",
)
@click.option("--force", is_flag=True, help="Replace a file or folder that exists.")
@parameters_option
@instance_option
@models_option
@click.pass_context
def rows(context: click.Context, /, model: str, terms: tuple[str, ...], **options: Any) -> None:
    """Print rows of MODEL, or write them to a file.

    FIELD=VALUE gives a field of the row key; together the fields must make a key, a prefix or a range. Write
    time=2026-01-05..2026-01-06 for a range without its end, path=/a* for all that begins with /a, and a field twice for several
    values. Values are written as in JSON, text without quotes; times are in UTC. FIELD==VALUE takes the value
    literally. Without a field, the command prints all rows.

    A table shows the first 20 rows, and of a history, a mapping or a list the first 20 entries; JSON lines, CSV and files hold all of them.

    Exit code 0: printed; 1: an error, or a row that was left out.
    """
    errors: list[Exception] = []
    out: Path | None = options["out"]
    form = FileForm(options["partition"], cells=options["cells"])
    form.check(out, schema_of(model_called(context, model)))
    with opened_repository(context, model, options["parameters"], options["instance"]) as repository:
        read = _narrowed(repository, terms, options).on_error(errors.append)
        if out is not None:
            names = _names(repository.model, options["only"])
            apart = options["processes"]
            read = read if apart is None else read.parallel(processes=apart)
            with _progress("read") as count:
                written = write_rows(
                    out, form, repository, read, names, count, errors.append, force=options["force"]
                )
            echo(f"wrote {out}: {counted(written, 'cell' if form.cells else 'row')}")
        elif options["json_"]:
            for values in as_json(read, errors.append):
                echo(json.dumps(values))
        elif options["csv"]:
            names = _names(repository.model, options["only"])
            write_records(Printed(), read, names, lambda _: None, errors.append)
        else:
            most = None if options["all_"] else _ENTRIES
            endless = options["all_"] or options["limit"] is not None
            _print(read, repository.model, most, errors, endless=endless)
    _tell(errors, "row was left out", "rows were left out")
    context.exit(1 if errors else 0)


def _narrowed(repository: AnyRepository, terms: Sequence[str], options: Mapping[str, Any]) -> AnyRows:
    """The read that the command line describes."""
    read = Terms.of(repository.model, terms).read(repository, options["query"], newest=options["newest"])
    model: type[Model] = repository.model
    where = pairs(options["where"], "COLUMN=VALUE")
    expected = {name: typed(model, _column(model, name), value) for name, value in where}
    read = repository.narrowed(read, options["only"], expected)
    return read if options["limit"] is None else read.limit(options["limit"])


def _column(model: type[Model], name: str) -> str:
    known = [column.name for column in schema_of(model).columns]
    if name not in known:
        raise SettingsError(f"{model.__name__} has no column {name!r}{meant(name, known, 'columns')}")
    return name


def _names(model: type[Model], only: Sequence[str]) -> list[str]:
    """The attributes of a row that are read, in their order."""
    schema = schema_of(model)
    left_out = {column.name for column in schema.columns} - set(only) if only else set()
    return [name for name in schema.attributes if name not in left_out]


def _print(
    read: AnyRows, model: type[Model], most: int | None, errors: Sequence[Exception], *, endless: bool
) -> None:
    """The rows as a table, or each as one where they are too wide for the terminal; of an attribute at ``most`` so many entries.

    ``errors`` are those of rows that are left out, which :func:`_tell` prints.
    """
    console = Console()
    found = iter(read)
    first = list(islice(found, _SHOWN))
    shown = [texts_of(row, most) for row in (first + list(found) if endless else first)]
    names = [name for name in _names(model, ()) if any(name in row for row in shown)]
    if not shown:
        echo("no rows" if not errors else "no row could be read", err=True)
    elif _width(shown, names) <= console.width:
        table = Table(*(Column(name, overflow="fold") for name in names), box=None, padding=(0, _GAP, 0, 0))
        for row in shown:
            table.add_row(*(PrintableText(row.get(name, "")) for name in names))
        console.print(table)
    else:
        for at, row in enumerate(shown):
            console.print(*([""] if at else []), _alone(row), sep="\n")
    if not endless and next(found, None) is not None:
        echo(
            f"the first {_SHOWN} rows: --all prints the others, too, and --limit as many as you want",
            err=True,
        )


def _width(shown: Sequence[dict[str, str]], names: Sequence[str]) -> int:
    return sum(max(len(name), *(len(row.get(name, "")) for row in shown)) + _GAP for name in names)


def _alone(row: dict[str, str]) -> Table:
    table = Table(
        Column(style="bold"), Column(overflow="fold"), box=None, padding=(0, _GAP, 0, 0), show_header=False
    )
    for name, value in row.items():
        table.add_row(PrintableText(name), PrintableText(value))
    return table


@click.command()
@_model
@_terms
@click.option(
    "--all",
    "all_",
    is_flag=True,
    help="Print all entries of a long history, mapping or list, not the first 20.",
)
@click.option("--json", "json_", is_flag=True, help="Print a JSON object on one line, with all entries.")
@parameters_option
@instance_option
@models_option
@click.pass_context
def get(
    context: click.Context,
    model: str,
    terms: tuple[str, ...],
    all_: bool,
    json_: bool,
    parameters: tuple[str, ...],
    instance: str | None,
) -> None:
    """Print the one row of MODEL with this row key.

    FIELD=VALUE gives a field of the row key, written as in `btmodel rows`; every field is needed.

    Exit code 0: printed; 3: there is no such row; 1: an error; 2: a wrong option.
    """
    with opened_repository(context, model, parameters, instance) as repository:
        key = Terms.of(repository.model, terms).key(repository.model)
        row = repository.of_key(key)
        if row is None:
            echo(
                f"no row: {place_text(repository.table)} has none with the row key {bytes_text(key)}",
                err=True,
            )
            context.exit(_NO_ROW)
        if json_:
            echo(json.dumps(to_dict(row, json=True)))
        else:
            Console().print(_alone(texts_of(row, None if all_ else _ENTRIES)))


@click.command()
@_model
@click.argument("file", type=click.Path(path_type=Path, readable=False), required=False)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace each row: what its line does not hold is deleted, but for counters.",
)
@click.option(
    "--cells", is_flag=True, help="Write the cells of a backup, as `btmodel rows --cells` writes them."
)
@click.option(
    "--any-table", is_flag=True, help="With --cells: also write the cells of a backup of another table."
)
@parameters_option
@instance_option
@models_option
@click.pass_context
def put(
    context: click.Context,
    model: str,
    file: Path | None,
    replace: bool,
    cells: bool,
    any_table: bool,
    parameters: tuple[str, ...],
    instance: str | None,
) -> None:
    """Write rows of MODEL from FILE, JSON lines, CSV or Parquet as `btmodel rows` writes them, or from standard input.

    FILE may be a folder of Parquet files.

    Rows are written in batches; the command can safely be run again. A line that is not a row of the model is left out and
    reported with its number; all others are written. Counters are left out.

    Exit code 0: all rows are written; 1: an error, or a row that is not written.
    """
    given = None if file is None or str(file) == "-" else file
    parquet = given is not None and (isdir(given) or kind_of(given, ENDINGS) == ".parquet")
    if cells and (not parquet or replace):
        raise SettingsError(
            "--cells: expected a Parquet file, as `btmodel rows --cells` writes it, and no --replace"
        )
    if any_table and not cells:
        raise SettingsError("--any-table: expected --cells, of which a backup names its table")
    failures: Sequence[FailedRow] = ()
    opened = opened_repository(context, model, parameters, instance, only_tables=_WRITTEN_BY_SERVICE)
    with opened as repository, _progress("written") as count:
        try:
            if given is not None and cells:
                into = None if any_table else repository
                with cells_in(given, into, model_classes(context)) as stored_cells:
                    written = repository.put_cells(stored_cells, progress=count)
            else:
                written = _put_rows(repository, given, count, replace=replace)
        except WriteFailed as failed:
            written, failures = failed.written, failed.failures
            _tell([failure.cause for failure in failures], "row was not written", "rows were not written")
            if failed.stopped:
                echo("reading stopped there: the rows after these were not written", err=True)
    echo(f"{counted(written, 'row')} written")
    context.exit(1 if failures else 0)


def _put_rows(repository: AnyRepository, path: Path | None, count: Count, *, replace: bool) -> int:
    counters = [column.name for column in schema_of(repository.model).columns if column.shape.summed]
    if counters:
        echo(
            f"note: counters are not written ({', '.join(counters)}): backups of --cells have them", err=True
        )
    with source_of(path, repository.model) as (reader, found):
        return repository.put_each(found, reader.row, reader.refused, count, replace=replace)


@click.command()
@_model
@_terms
@click.option("--all", "all_", is_flag=True, help="Delete all rows of the table.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@parameters_option
@instance_option
@models_option
@click.pass_context
def delete(
    context: click.Context,
    model: str,
    terms: tuple[str, ...],
    all_: bool,
    yes: bool,
    parameters: tuple[str, ...],
    instance: str | None,
) -> None:
    """Delete rows of MODEL with all their cells, once you confirm it.

    FIELD=VALUE chooses rows as in `btmodel rows`.

    Exit code 0: deleted, or there is none; 2: declined; 1: an error.
    """
    if bool(terms) is all_:
        raise SettingsError(
            "expected the rows to delete, as FIELD=VALUE, or --all for every row of the table"
        )
    opened = opened_repository(context, model, parameters, instance, only_tables=_WRITTEN_BY_SERVICE)
    with opened as repository:
        read = Terms.of(repository.model, terms).read(repository)
        found = counted(read.count(), "row")
        if found == "0 rows":
            echo("no rows")
            return
        if not yes and not confirm(f"Delete {found} of table {repository.table}?"):
            context.exit(2)
        with _progress("deleted") as count:
            echo(f"{counted(read.delete(count), 'row')} deleted")


@contextmanager
def opened_repository(
    context: click.Context,
    model: str,
    parameters: Sequence[str],
    instance: str | None,
    *,
    only_tables: str | None = None,
) -> Iterator[AnyRepository]:
    """The rows of a model on the instance that the command line or the settings name.

    Raises :class:`SettingsError` for a view where ``only_tables`` says what a table has and a view has not.
    """
    from btmodel.client._sync.database import Database  # here, as it loads Google's client

    given = dict(pairs(parameters, "env=prod"))
    declared = model_called(context, model)
    view = schema_of(declared).view
    if view is not None and only_tables is not None:
        raise SettingsError(f"{declared.__name__} is a view of {view.of}, and {only_tables}: name {view.of}")
    with reached(named_instance(instance)) as target, Database(target.held) as db:
        yield repository(db, declared, given)


@contextmanager
def _progress(done: str) -> Iterator[Count]:
    """Says on a terminal how many rows there are so far."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.completed:,.0f} rows {task.description}"),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(done, total=None)
        yield lambda count: bar.update(task, completed=count)


def _tell(errors: Sequence[object], one: str, several: str) -> None:
    """Print the first errors, and how many there are."""
    for error in errors[:_TOLD]:
        echo(str(error), err=True)
    if errors:
        echo(f"{len(errors):,} {one if len(errors) == 1 else several}", err=True)
