"""``btmodel show``: what a model is in a table, drawn."""

import json
from collections.abc import Sequence

import click

from btmodel.cli.as_json import as_json
from btmodel.cli.completing import model_names
from btmodel.cli.console import Console
from btmodel.cli.drawn import print_model, print_summary
from btmodel.cli.models import called, load_each
from btmodel.cli.terminal import echo, echo_error
from btmodel.cli.twins import shown_twins
from btmodel.schema import ModelSchema, TwinsSchema


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...", shell_complete=model_names)
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, names: tuple[str, ...], json_: bool) -> None:
    """Draw models: key, families, columns, queries, twins, and the sizes of keys, cells and rows.

    MODEL is the name of a class, alone or behind its module. Without any, all models are listed.
    Models that the review refuses are shown, too.

    Exit code 0: shown; 1: no such model, or a module that cannot be read.
    """
    models, problems = load_each(context)
    for problem in problems:
        echo_error(problem)
    chosen = [model for name in names for model in called(name, models)] or models
    twins = shown_twins(context)
    if json_:
        document = {"models": [as_json(model, twins) for model in chosen]}
        echo(json.dumps(document, indent=2))
    else:
        _print(chosen, twins, each=bool(names))
    context.exit(1 if problems else 0)


def _print(models: Sequence[ModelSchema], twins: Sequence[TwinsSchema], *, each: bool) -> None:
    console = Console(highlight=False)
    if not each:
        print_summary(console, models)
        return
    for model in models:
        print_model(console, model, twins)
