"""``btmodel show``: what a model is in a table, drawn."""

import json
from collections.abc import Sequence
from difflib import get_close_matches

import click
from rich.console import Console

from btmodel.cli.as_json import as_json
from btmodel.cli.drawn import print_model, print_summary
from btmodel.cli.models import settings_and_models
from btmodel.errors import SettingsError
from btmodel.schema import ModelSchema


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, names: tuple[str, ...], json_: bool) -> None:
    """Draw models: key, families, columns, queries, and the sizes of keys, cells and rows.

    MODEL is the name of a class, alone or behind its module. Without any, all models are listed.

    Exit code 0: shown; 1: no such model, or an error.
    """
    _, models = settings_and_models(context)
    chosen = [model for name in names for model in _called(name, models)] or models
    if json_:
        document = {"models": [as_json(model) for model in chosen]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    console = Console(highlight=False)
    if not names:
        print_summary(console, models)
    for model in chosen if names else []:
        print_model(console, model)


def _called(name: str, models: Sequence[ModelSchema]) -> list[ModelSchema]:
    """The models that ``name`` is the name of. Raises :class:`SettingsError`, with the nearest names."""
    found = [model for model in models if name in (model.name, f"{model.module}.{model.name}")]
    if found:
        return found
    names = sorted({model.name for model in models} | {f"{model.module}.{model.name}" for model in models})
    near = get_close_matches(name, names, 3, cutoff=0.5)
    known = (
        f"did you mean {' or '.join(near)}?" if near else f"models: {', '.join(one.name for one in models)}"
    )
    raise SettingsError(f"no model {name!r}; {known}")
