"""``btmodel explain``: take a raw row key apart."""

import json
from typing import Any

import click
from rich.table import Column, Table

from btmodel.cli.console import Console, PrintableText
from btmodel.cli.group import models_option
from btmodel.cli.models import settings_and_models
from btmodel.cli.terminal import echo
from btmodel.codecs import meaning_of
from btmodel.errors import UndecodableKey
from btmodel.rows import RowKeyCodec
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import raw_key


@click.command()
@click.argument("key")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@models_option
@click.pass_context
def explain(context: click.Context, key: str, json_: bool) -> None:
    r"""Decode KEY, a raw row key, and show its fields for each model that it fits.

    Write bytes that are not text as \xNN, and a backslash as \\.

    Exit code 0: the key fits a model; 1: it fits none, or an error.
    """
    _, models = settings_and_models(context)
    raw = raw_key(key)
    found: list[ModelSchema] = []
    refused: list[UndecodableKey] = []
    for model in models:
        try:
            RowKeyCodec(model).decode(raw)
            found.append(model)
        except UndecodableKey as error:
            refused.append(error)
    if json_:
        document = {
            "key": key,
            "models": [_as_json(model, raw) for model in found],
            "others": [{"model": error.model, "why": error.why} for error in refused],
        }
        echo(json.dumps(document, indent=2))
    else:
        _print(found, refused, raw)
    context.exit(0 if found else 1)


def _print(found: list[ModelSchema], refused: list[UndecodableKey], raw: bytes) -> None:
    console = Console()
    for model in found:
        table = Table(
            *(Column(name, overflow="fold") for name in ("field", "bytes", "value", "encoding")),
            title=PrintableText(f"{model.name}, a row of {model.place}", style="bold"), title_justify="left",
        )  # fmt: skip
        for field, part, value in _parts(model, raw):
            table.add_row(
                PrintableText(field.name),
                PrintableText(part),
                PrintableText(value),
                PrintableText(meaning_of(field.codec)),
            )
        console.print(table)
    for error in [] if found else refused:
        console.print(PrintableText(f"not a key of {error.model}: {error.why}"), soft_wrap=True)


def _parts(model: ModelSchema, raw: bytes) -> list[tuple[KeyField, str, str]]:
    return [
        (field, part.decode("utf-8", "backslashreplace"), str(field.codec.decode(part)))
        for field, part in RowKeyCodec(model).split(raw)
    ]


def _as_json(model: ModelSchema, raw: bytes) -> dict[str, Any]:
    fields = [
        {"field": field.name, "bytes": part, "value": value, "encoding": meaning_of(field.codec)}
        for field, part, value in _parts(model, raw)
    ]
    return {"model": model.name, "module": model.module, "table": model.table, "fields": fields}
