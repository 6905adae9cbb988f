"""A model drawn for people: the key with a ruler, tables of what lies in a row, and sizes."""

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.measure import measure_renderables
from rich.table import Column as Heading
from rich.table import Table

from btmodel.cli.console import Console, Styled, Text
from btmodel.cli.ruler import ruled, style_of
from btmodel.described import amounts, cells, fields
from btmodel.described.example import segments
from btmodel.described.keeps import keeps
from btmodel.described.served import reads, served
from btmodel.described.settings import stated
from btmodel.printable import as_text
from btmodel.schema import ModelSchema, TwinsSchema
from btmodel.schema.sizes import cells_of_row, key_size, row_size, shares

_INDENT = 2
_READABLE = 24  # characters of a column in which sentences stand


def print_summary(console: Console, models: Sequence[ModelSchema]) -> None:
    """A line for each model: its name, how large a row is, its table and its key."""
    grid = _table("model", ("row", "right"), "table", "key")
    sizes = [amounts.size(row_size(model).usual) for model in models]
    taken = (sizes, [model.name for model in models], [model.table for model in models])
    # Two spaces between columns.
    left = console.width - sum(2 + max(map(len, ("row", *texts))) for texts in taken)
    for model, size in zip(models, sizes, strict=True):
        key = _shape(model)
        key.truncate(max(left, len("key")), overflow="ellipsis")
        grid.add_row(Text(model.name, "bold"), size, Text(model.table), key)
    console.print(grid)
    if any(row_size(model).usual.missing for model in models):
        note = "+ at least: `btmodel show MODEL` names the figures that are missing."
        console.print(Text(note, "dim"), soft_wrap=True)


def print_model(console: Console, model: ModelSchema, twins: Sequence[TwinsSchema] = ()) -> None:
    """All of one model, and those of ``twins`` that it is among."""
    heading = Text.assemble((model.name, "bold"), (f"  {model.module}", "dim"))
    table = Text.assemble("  table ", (model.table, "bold"))
    fits = heading.cell_len + table.cell_len <= console.width
    console.print(heading + table if fits else Text("\n").join([heading, table]), soft_wrap=True)
    if model.doc.strip():
        console.print(Text(model.doc.strip().splitlines()[0], "italic"), soft_wrap=True)
    for one in twins:
        if model in one.models:
            console.print(_written(one), soft_wrap=True)
    if settings := "; ".join(stated(model)):
        console.print(Text(f"{settings[0].upper()}{settings[1:]}.", "dim"), soft_wrap=True)
    _heading(console, "Row key", _shape(model))
    if model.key.fields:
        for line in ruled(segments(model.key), max(console.width - _INDENT, 20)):
            console.print(Text(" " * _INDENT) + line, soft_wrap=True)
        console.print()
        _print_table(console, _fields(model))
    if model.families:
        _heading(console, "Families")
        _print_table(console, _families(model))
    if shares(model):
        _heading(console, "Cells")
        _print_table(console, _cells(model))
    _sizes(console, model)
    if model.queries:
        _heading(console, "Queries")
        _print_table(console, _queries(model))
    console.print()


def _written(twins: TwinsSchema) -> Styled:
    """Which models are written together, and in which order."""
    order = Text(", then to ").join(Text(model.name, "bold") for model in twins.models)
    return Text.assemble("twins ", (twins.name, "bold"), ": each row is written to ", order)


def _fields(model: ModelSchema) -> Table:
    table = _table("", "field", ("bytes", "right"), "sorts", ("values", "right"), "written as")
    for number, part in enumerate(model.key.fields, 1):
        style = style_of(number)
        table.add_row(
            Text(str(number), style),
            Text(part.name, f"bold {style}"),
            fields.width(part),
            fields.sorts(part),
            fields.values(part),
            Text(fields.meaning(part)),
        )
    return table


def _families(model: ModelSchema) -> Table:
    table = _table("family", "keeps", "adds up")
    if not any(family.aggregate for family in model.families):
        table = _table("family", "keeps")
    for family in model.families:
        adds = [family.aggregate.value] if family.aggregate else []
        table.add_row(Text(family.id, "bold"), keeps(family), *adds)
    return table


def _cells(model: ModelSchema) -> Table:
    table = _table("attribute", "cell", ("of a row", "right"), ("bytes", "right"), "written as")
    for share in shares(model):
        table.add_row(
            Text(share.source.name, "bold"),
            Text(cells.place(share)),
            amounts.both(share.cells),
            amounts.both(share.value),
            Text(cells.written(share)),
        )
    return table


def _sizes(console: Console, model: ModelSchema) -> None:
    key, row, count = key_size(model.key), row_size(model), cells_of_row(model)
    _heading(console, "Sizes")
    table = _table("", ("usual", "right"), ("largest", "right"))
    for name, sizes in (("key", key), ("full row", row)):
        table.add_row(Text(name, "bold"), amounts.size(sizes.usual), amounts.size(sizes.largest))
    table.add_row(Text("its cells", "bold"), amounts.number(count.usual), amounts.number(count.largest))
    _print_table(console, table)
    for note in amounts.unknown(model):
        console.print(Text(f"  {note}", "yellow"), soft_wrap=True)


def _queries(model: ModelSchema) -> Table:
    table = _table("query", "given", "reads")
    for query in model.queries:
        table.add_row(Text(query.name, "bold"), Text(served(model, query).asks), Text(reads(model, query)))
    return table


def _shape(model: ModelSchema) -> Text:
    """The key, each field in its colour."""
    text = Text()
    for number, part in enumerate(model.key.fields, 1):
        text.append(part.constant or f"{{{part.name}{'?' * part.optional}}}", style_of(number))
        if part is not model.key.fields[-1]:
            text.append(as_text(model.key.behind(part)), "dim")
    return text


def _heading(console: Console, title: str, rest: Text | None = None) -> None:
    console.print()
    line = Text(title, "bold underline")
    console.print(line if rest is None else Text.assemble(line, "  ", rest), soft_wrap=True)


def _print_table(console: Console, table: Table) -> None:
    """Print a table; where the last column would be too narrow to read, the others go on in the next line, too."""
    *others, last = (measure_renderables(console, console.options, tuple(one.cells)) for one in table.columns)
    headed = [
        max(size.maximum, cell_len(str(one.header))) for one, size in zip(table.columns, others, strict=False)
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
    named = [(one, "left") if isinstance(one, str) else one for one in headings]
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
