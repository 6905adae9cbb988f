"""``btmodel show`` and ``explain``: draw the row layout of a model; take a raw row key apart."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click
from rich import box
from rich.cells import cell_len
from rich.measure import measure_renderables
from rich.table import Column, Table
from rich.table import Column as Heading

from btmodel import described as phrases
from btmodel.cli.completion import model_names
from btmodel.cli.console import Console, PrintableText, Styled
from btmodel.cli.group import models_option
from btmodel.cli.models import called, load_each, settings_and_models, shown_twins
from btmodel.cli.terminal import echo, echo_error
from btmodel.codecs import meaning_of
from btmodel.described import Segment, keeps, reads, sample, segments, served, stated
from btmodel.errors import UndecodableKey
from btmodel.estimates import Amount, Share, Sizes, cells_of_row, key_size, row_size, shares
from btmodel.rows import RowKeyCodec
from btmodel.schema import Family, KeyField, ModelSchema, Query, TwinsSchema
from btmodel.schema.model import Clock
from btmodel.words import as_text, raw_key

Json = dict[str, Any]


def as_json(model: ModelSchema, twins: Sequence[TwinsSchema] = ()) -> Json:
    """The model, its key, families, columns, queries and sizes, in bytes, and those of ``twins`` that it is among.

    A size has ``usual`` and ``largest``; each has its ``value``, null where a figure is missing, the
    ``missing`` figures, and ``least``, what is known without them.
    """
    return {
        "model": model.name,
        "module": model.module,
        "doc": model.doc,
        "table": model.table,
        "bucket": model.bucket.words if model.bucket else None,
        "events_per_second": model.events.per_second if model.events else None,
        "lateness_seconds": model.lateness.total_seconds() if model.lateness else None,
        "key": {
            "shape": model.key.shape,
            "bytes": _sizes(key_size(model.key)),
            "fields": [_field(model, part, number) for number, part in enumerate(model.key.fields, 1)],
        },
        "families": [_family(family) for family in model.families],
        "columns": [_column(model, share) for share in shares(model)],
        "queries": [_query(model, query) for query in model.queries],
        "twins": [_twins(twin) for twin in twins if model in twin.models],
        "row": {"bytes": _sizes(row_size(model)), "cells": _sizes(cells_of_row(model))},
    }


def _field(model: ModelSchema, part: KeyField, number: int) -> Json:
    raw = sample(part, number)
    return {
        "field": part.name,
        "encoding": meaning_of(part.codec),
        "kind": part.codec.kind.value,
        "order": part.codec.order.name.lower(),
        "least_bytes": part.codec.length.least,
        "most_bytes": part.codec.length.most,
        "cardinality": part.cardinality,
        "constant": part.constant,
        "derived_from": list(part.derived.of) if part.derived else None,
        "optional": part.optional,
        "delimiter": as_text(model.key.behind(part)) if part is not model.key.fields[-1] else "",
        "example": None if raw is None else as_text(raw),
    }


def _family(family: Family) -> Json:
    return {
        "family": family.id,
        "keeps": None if family.gc is None else str(family.gc),
        "aggregate": family.aggregate.value if family.aggregate else None,
    }


def _column(model: ModelSchema, share: Share) -> Json:
    return {
        "attribute": share.source.name,
        "family": share.family,
        "qualifier": as_text(share.begins),
        "also": [as_text(one) for one in share.column.also] if share.column else [],
        "shape": share.column.shape.name.lower() if share.column else "mirror",
        "encoding": meaning_of(share.codec),
        "timestamp": model.clock(share.column).name.lower(),
        "value_bytes": _sizes(share.value),
        "cell_bytes": _sizes(share.cell),
        "cells": _sizes(share.cells),
    }


def _query(model: ModelSchema, query: Query) -> Json:
    found = served(model, query)
    return {
        "query": query.name,
        "equal": list(query.equal),
        "between": query.between,
        "starting": query.starting,
        "only": list(query.only),
        "read": found.kind,
        "reads": found.reads,
        "how": found.how,
    }


def _twins(twins: TwinsSchema) -> Json:
    """Models that are written together, in the order of writing."""
    return {"name": twins.name, "module": twins.module, "written": [_model(model) for model in twins.models]}


def _model(model: ModelSchema) -> Json:
    return {"model": model.name, "module": model.module, "table": model.table}


def _sizes(sizes: Sizes) -> Json:
    return {"usual": _amount(sizes.usual), "largest": _amount(sizes.largest)}


def _amount(amount: Amount) -> Json:
    return {"value": amount.value, "least": amount.least, "missing": list(amount.missing)}


STYLES = ("cyan", "green", "yellow", "magenta", "blue", "red")


def style_of(number: int) -> str:
    """The colour of the field with this number."""
    return STYLES[(number - 1) % len(STYLES)]


def ruled(parts: Sequence[Segment], width: int) -> Iterator[Styled]:
    """The key and its ruler, in lines of at most ``width`` characters, two by two."""
    key, ruler = PrintableText(), PrintableText()
    for part in parts:
        style = style_of(part.number) if part.field else "dim"
        key.append(part.text, f"bold {style}" if part.field else style)
        ruler.append(part.ruler, style)
    for start in range(0, max(len(key), 1), width):
        yield key[start : start + width]
        yield ruler[start : start + width]


_INDENT = 2
_READABLE = 24  # characters of a column in which sentences stand


def print_summary(console: Console, models: Sequence[ModelSchema]) -> None:
    """A line for each model: its name, how large a row is, its table and its key."""
    grid = _table("model", ("row", "right"), "table", "key")
    sizes = [phrases.size(row_size(model).usual) for model in models]
    taken = (sizes, [model.name for model in models], list(map(_place, models)))
    # Two spaces between columns.
    left = console.width - sum(2 + max(map(len, ("row", *texts))) for texts in taken)
    for model, size in zip(models, sizes, strict=True):
        key = _shape(model)
        key.truncate(max(left, len("key")), overflow="ellipsis")
        grid.add_row(PrintableText(model.name, "bold"), size, PrintableText(_place(model)), key)
    console.print(grid)
    if any(row_size(model).usual.missing for model in models):
        note = "+ at least: `btmodel show MODEL` names the missing workload estimates."
        console.print(PrintableText(note, "dim"), soft_wrap=True)


def _place(model: ModelSchema) -> str:
    """The id of the table of a model, or its view."""
    return model.place if model.view else model.table


def print_model(console: Console, model: ModelSchema, twins: Sequence[TwinsSchema] = ()) -> None:
    """All of one model, and those of ``twins`` that it is among."""
    heading = PrintableText.assemble((model.name, "bold"), (f"  {model.module}", "dim"))
    kind, id = model.place.split(" ", 1)
    table = PrintableText.assemble(f"  {kind} ", (id, "bold"))
    fits = heading.cell_len + table.cell_len <= console.width
    console.print(heading + table if fits else PrintableText("\n").join([heading, table]), soft_wrap=True)
    if model.doc.strip():
        console.print(PrintableText(model.doc.strip().splitlines()[0], "italic"), soft_wrap=True)
    for twin in twins:
        if model in twin.models:
            console.print(_written(twin), soft_wrap=True)
    if settings := "; ".join(stated(model)):
        console.print(PrintableText(f"{settings[0].upper()}{settings[1:]}.", "dim"), soft_wrap=True)
    _heading(console, "Row key", _shape(model))
    if model.key.fields:
        for line in ruled(segments(model.key), max(console.width - _INDENT, 20)):
            console.print(PrintableText(" " * _INDENT) + line, soft_wrap=True)
        console.print()
        _print_table(console, _fields(model))
    if model.families:
        _heading(console, "Families")
        _print_table(console, _families(model))
    if shares(model):
        _heading(console, "Cells")
        _print_table(console, _cells(model))
        if (stamps := "; ".join(phrases.stamps(model))) != Clock.WRITING.value:
            console.print(PrintableText(f"  timestamps: {stamps}", "dim"), soft_wrap=True)
    _print_sizes(console, model)
    if model.queries:
        _heading(console, "Queries")
        _print_table(console, _queries(model))
    console.print()


def _written(twins: TwinsSchema) -> Styled:
    """Which models are written together, and in which order."""
    order = PrintableText(", then to ").join(PrintableText(model.name, "bold") for model in twins.models)
    return PrintableText.assemble("twins ", (twins.name, "bold"), ": each row is written to ", order)


def _fields(model: ModelSchema) -> Table:
    table = _table("", "field", ("bytes", "right"), "sorts", ("values", "right"), "written as")
    for number, part in enumerate(model.key.fields, 1):
        style = style_of(number)
        table.add_row(
            PrintableText(str(number), style),
            PrintableText(part.name, f"bold {style}"),
            phrases.width(part),
            phrases.sorts(part),
            phrases.values(part),
            PrintableText(phrases.meaning(part)),
        )
    return table


def _families(model: ModelSchema) -> Table:
    table = _table("family", "keeps", "adds up")
    if not any(family.aggregate for family in model.families):
        table = _table("family", "keeps")
    for family in model.families:
        adds = [family.aggregate.value] if family.aggregate else []
        table.add_row(PrintableText(family.id, "bold"), keeps(family), *adds)
    return table


def _cells(model: ModelSchema) -> Table:
    table = _table("attribute", "cell", ("of a row", "right"), ("bytes", "right"), "written as")
    for share in shares(model):
        table.add_row(
            PrintableText(share.source.name, "bold"),
            PrintableText(phrases.place(share)),
            phrases.both(share.cells),
            phrases.both(share.value),
            PrintableText(phrases.written(share)),
        )
    return table


def _print_sizes(console: Console, model: ModelSchema) -> None:
    key, row, count = key_size(model.key), row_size(model), cells_of_row(model)
    _heading(console, "Sizes")
    table = _table("", ("usual", "right"), ("largest", "right"))
    for name, sizes in (("key", key), ("full row", row)):
        table.add_row(PrintableText(name, "bold"), phrases.size(sizes.usual), phrases.size(sizes.largest))
    table.add_row(
        PrintableText("its cells", "bold"), phrases.number(count.usual), phrases.number(count.largest)
    )
    _print_table(console, table)
    for note in phrases.unknown(model):
        console.print(PrintableText(f"  {note}", "yellow"), soft_wrap=True)


def _queries(model: ModelSchema) -> Table:
    table = _table("query", "given", "reads")
    for query in model.queries:
        table.add_row(
            PrintableText(query.name, "bold"),
            PrintableText(served(model, query).asks),
            PrintableText(reads(model, query)),
        )
    return table


def _shape(model: ModelSchema) -> PrintableText:
    """The key, each field in its colour."""
    text = PrintableText()
    for number, part in enumerate(model.key.fields, 1):
        text.append(part.constant or f"{{{part.name}{'?' * part.optional}}}", style_of(number))
        if part is not model.key.fields[-1]:
            text.append(as_text(model.key.behind(part)), "dim")
    return text


def _heading(console: Console, title: str, rest: PrintableText | None = None) -> None:
    console.print()
    line = PrintableText(title, "bold underline")
    console.print(line if rest is None else PrintableText.assemble(line, "  ", rest), soft_wrap=True)


def _print_table(console: Console, table: Table) -> None:
    """Print a table; where the last column would be too narrow to read, the others go on in the next line, too."""
    *others, last = (
        measure_renderables(console, console.options, tuple(column.cells)) for column in table.columns
    )
    headed = [
        max(size.maximum, cell_len(str(column.header)))
        for column, size in zip(table.columns, others, strict=False)
    ]
    # Two spaces behind each column, and one that rich adds to the last. All widths are set where they are short: rich cuts
    # off what it has not been able to fit in itself.
    room = console.width - 2 * len(headed) - 1
    least = min(last.maximum, _READABLE)
    if sum(headed) + least > room:
        most = next((size for size in range(max(headed), 1, -1) if _cut(headed, size) + least <= room), 1)
        for column, size in zip(table.columns, headed, strict=False):
            column.no_wrap = False
            column.width = min(size, most)
        table.columns[-1].width = max(room - _cut(headed, most), 1)
    console.print(table)


def _cut(widths: Sequence[int], most: int) -> int:
    """The sum of widths of which none is more than ``most``."""
    return sum(min(width, most) for width in widths)


def _table(*headings: str | tuple[str, str]) -> Table:
    """A table without lines between rows; of a heading with a side, the column is set to that side.

    Where the terminal is narrow, the last column goes on in the next line, and the others stay whole.
    """
    named = [(heading, "left") if isinstance(heading, str) else heading for heading in headings]
    columns = [
        Heading(
            name,
            overflow="fold",
            no_wrap=at + 1 < len(named),
            justify="right" if side == "right" else "left",
        )
        for at, (name, side) in enumerate(named)
    ]
    return Table(
        *columns,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        header_style="dim",
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...", shell_complete=model_names)
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@models_option
@click.pass_context
def show(context: click.Context, names: tuple[str, ...], json_: bool) -> None:
    """Draw models: key, families, columns, queries, twins, and the sizes of keys, cells and rows.

    MODEL is the name of a class, with or without its module. Without MODEL, all models are listed.
    Models that the review refuses are also shown.

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
        _print_parts(found, refused, raw)
    context.exit(0 if found else 1)


def _print_parts(found: list[ModelSchema], refused: list[UndecodableKey], raw: bytes) -> None:
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
