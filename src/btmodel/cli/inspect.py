"""``btmodel inspect``: guess model classes for live tables."""

import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve
from rich.progress import track

from btmodel.cli.completion import instance_names
from btmodel.cli.connection import reached
from btmodel.cli.console import Console
from btmodel.cli.output import check_place, force_option, write_output
from btmodel.cli.terminal import echo
from btmodel.client.target import Target
from btmodel.errors import MigrationError, ServerError, SettingsError
from btmodel.schema import Layout, Table
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.words import counted

if TYPE_CHECKING:
    from btmodel.client.sampling import Sampling
    from btmodel.guess import TableGuess, TableSample

_READERS = 8  # tables read at once
_MOST_ROWS = 100_000


@click.command()
@click.argument("instance", shell_complete=instance_names)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option(
    "--rows",
    type=click.IntRange(0, _MOST_ROWS),
    default=1_000,
    show_default=True,
    help="Read at most this many rows of a table; 0 reads only its families.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file instead of printing."
)
@force_option
@click.option("--json", "json_", is_flag=True, help="Print the guesses with their evidence as JSON.")
def inspect(
    instance: str, tables: tuple[str, ...], rows: int, out: Path | None, force: bool, json_: bool
) -> None:
    """Write model classes for all tables of INSTANCE, or only for each TABLE.

    Families and GC rules are those of the instance. For the meaning of keys and cells, the command uses what btmodel
    recorded when it migrated the table, or guesses from a sample of the rows, with the evidence as
    a comment. It reads no large table completely.

    Exit code 0: written; 1: an error.
    """
    from btmodel_codegen.inspected import inspected

    from btmodel.guess import guess_tables
    from btmodel.migrate.tables.templates import layouts_of

    if out:
        check_place(out, force=force)
    with reached(instance, only_reads=True) as target:
        tables_found = _user_tables(target, tables)
        layouts = _recorded(target)
        recorded = (
            evolve(sample, layouts=layouts_of(sample.table.id, layouts))
            for sample in _samples(target, tables_found, rows)
        )
        guesses = list(guess_tables(recorded))
    if json_:
        _write(json.dumps(_as_json(target.instance, guesses), indent=2) + "\n", out, force=force)
    else:
        _write(inspected(target.instance, guesses), out, force=force)
    if out:
        models = sum(len(guess.models) for guess in guesses)
        echo(f"wrote {out}: {counted(models, 'model')} of {counted(len(guesses), 'table')}")


def _user_tables(target: Target, ids: Collection[str]) -> tuple[Table, ...]:
    """The tables, but for the one that btmodel makes for itself; raises :class:`SettingsError` where one is not there."""
    from btmodel.client.admin import Admin

    with Admin(target) as admin:
        found = admin.read_tables(ids or None)
        known = {table.id for table in found}
        for id in ids:
            if id not in known:
                raise SettingsError(f"no table {id!r} is in {target}")
    tables = tuple(table for table in found if table.id != HISTORY_TABLE)
    if not tables:
        raise SettingsError(f"no table is in {target}")
    return tables


def _recorded(target: Target) -> Mapping[str, tuple[Layout, ...]]:
    """How keys and cells were declared when the tables were migrated; nothing, where that cannot be read."""
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import Admin
    from btmodel.migrate.history import MigrationHistory

    with Admin(target) as admin, Database(target.held) as data:
        try:
            return MigrationHistory(admin, data).layouts()
        except (MigrationError, ServerError) as error:
            echo(f"the migration history cannot be read, so everything is guessed: {error}", err=True)
            return {}


def _samples(target: Target, tables: Sequence[Table], rows: int) -> Iterator["TableSample"]:
    """Each table with some of its rows, several tables at once; a terminal shows a progress bar."""
    # Here, because these load grpc and Google's client, which `btmodel --help` has no use for.
    from btmodel.client._sync.database import Database
    from btmodel.client.sampling import Bounds, Sampling, sample
    from btmodel.guess import TableSample, sampled

    def read(table: Table) -> Sampling:
        if not rows or not table.families:
            return Sampling((), whole=False, places=0)
        return sample(database, table.id, [family.id for family in table.families], Bounds(rows))

    database = Database(target.held)
    with database, ThreadPoolExecutor(_READERS) as readers:
        samplings = readers.map(read, tables)
        pairs = track(
            zip(tables, samplings, strict=True),
            "reading rows",
            total=len(tables),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        for table, one in pairs:
            yield TableSample(table, sampled(one.rows), one.whole, _sampling_text(one))


def _sampling_text(sampling: "Sampling") -> str:
    """How much of a table was read, in words."""
    count = len(sampling.rows)
    rows = f"{count:,} row{'s' * (count != 1)}"
    if not sampling.places:
        return "none was read"
    if sampling.whole:
        return f"all {rows} were read" if count > 1 else f"{rows} is there" if count else "none is there"
    stopped = f", until {sampling.stopped}" if sampling.stopped else ""
    return f"{rows} were read from {sampling.places} place{'s' * (sampling.places != 1)}{stopped}"


def _write(text: str, out: Path | None, *, force: bool) -> None:
    if out is None:
        echo(text, nl=False)
    else:
        write_output(out, text.encode(), force=force)


def _as_json(instance: str, guesses: Sequence["TableGuess"]) -> dict[str, Any]:
    from btmodel_codegen.inspected_data import as_data

    return {"instance": instance, "tables": [as_data(guess) for guess in guesses]}
