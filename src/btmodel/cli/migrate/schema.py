"""``btmodel migrate schema``: the tables of models or of an instance, as a file."""

from pathlib import Path

import click

from btmodel.cli.migrate.endpoints import MODELS, tables_of
from btmodel.cli.output import check_place, force_option, write_output
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError
from btmodel.migrate.schema_file import schema_text


@click.command("schema")
@click.argument("of", default=MODELS)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
@force_option
@click.pass_context
def schema(context: click.Context, of: str, out: Path | None, force: bool) -> None:
    """Print the tables of OF as JSON: `models`, an instance, or a schema file.

    It is what `btmodel migrate diff` compares. Exit code 0: printed; 1: an error.
    """
    if out is not None:
        if out.suffix != ".json":
            raise MigrationError(f"{out}: wanted the name of a JSON file, one that ends in .json")
        check_place(out, force=force)
    text = schema_text(tables_of(context, of))
    if out is None:
        echo(text, nl=False)
    else:
        write_output(out, text.encode(), force=force)
