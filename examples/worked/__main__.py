"""Runs the worked systems against a real server: ``make examples``, or ``python -m examples.worked games battery``.

Each is migrated, written, read back as raw cells, and asked its questions, on the local
server and then on Google's emulator, where that is installed.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import islice

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

import btmodel as bt
from btmodel import emulator, server
from examples.worked import EXAMPLES
from examples.worked.example import Example

console = Console()
MOST_ROWS, MOST_CELLS = 12, 100


def main(names: list[str]) -> int:
    """Run the named systems, or all; the exit code."""
    unknown = [name for name in names if name not in EXAMPLES]
    if unknown:
        console.print(
            f"no system is called {unknown[0]!r}; there are {', '.join(EXAMPLES)}", style="bold red"
        )
        return 2
    for kind, host in servers():
        console.rule(f"[bold]{kind}")
        os.environ[emulator.VARIABLE] = host
        for name in names or EXAMPLES:
            run(EXAMPLES[name], f"projects/examples/instances/{name}")
    return 0


def servers() -> Iterator[tuple[str, str]]:
    """The servers that there are, each started for as long as it is used."""
    with ExitStack() as running:
        local = running.enter_context(server.start())
        yield "The local server, in memory", local.host
    os.environ.pop(emulator.VARIABLE)  # else that server is taken for Google's
    try:
        google = emulator.start()
    except bt.ServerError as error:
        console.print(Text(f"Google's emulator is left out: {error}", style="dim"))
        return
    try:
        yield "Google's emulator", google.host
    finally:
        google.stop()


def run(example: Example, instance: str) -> None:
    """Migrate, write, show the raw cells, ask; then show what is refused."""
    console.rule(f"[bold green]{example.title}", align="left")
    schemas = [bt.schema_of(model) for model in example.models]
    for schema in schemas:
        console.print(Text(f"{schema.name}: table {schema.table}, row key {schema.key.shape}", style="bold"))
    bt.create_tables(instance, *(model for model in example.models if not bt.schema_of(model).parameters))
    with bt.connect(instance) as db:
        example.write(db)
        for table in sorted({schema.table for schema in schemas if not schema.parameters}):
            show(db, table)
        for answer in example.ask(db):
            console.print(Text.assemble((f"{answer.question} ", "italic"), (str(answer.answer), "bold")))
    for declare in example.refused:
        try:
            declare()
        except bt.DeclarationError as error:
            console.print(Text(f"\nRefused: {error}", style="red"))
        else:
            raise SystemExit(f"{example.title}: {declare.__name__} was not refused")
    console.print()


def show(db: bt.Database, table: str) -> None:
    """The raw cells of a table, up to a dozen rows, and no row behind a hundred cells."""
    with closing(db.cells(table)) as read:
        rows = list(islice(read, MOST_ROWS + 1))
    grid = Table(
        Column("row key", overflow="fold"),
        Column("cell", overflow="fold"),
        Column("timestamp", no_wrap=True),
        Column("value", overflow="fold"),
        title=f"table {table}",
        title_justify="left",
    )
    for count, (key, cells) in enumerate(rows):
        if count == MOST_ROWS or grid.row_count > MOST_CELLS:
            grid.add_row("...", "", "", "")
            break
        for at, cell in enumerate(cells):
            name = f"{cell.family}:{text(cell.qualifier)}"
            shown = key if at == 0 else b""
            grid.add_row(
                escape(text(shown)), escape(name), f"{cell.time:%Y-%m-%d %H:%M:%S}", escape(text(cell.value))
            )
    console.print(grid)


def text(raw: bytes) -> str:
    """Bytes for people: as they are where they can be read, else in hexadecimal."""
    try:
        found = raw.decode()
    except UnicodeDecodeError:
        return raw.hex(" ")
    return found if found.isprintable() else raw.hex(" ")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except bt.BtmodelError as error:
        console.print(Text.assemble(("error: ", "bold red"), str(error)))
        sys.exit(error.exit_code)
