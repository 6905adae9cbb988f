"""A model drawn for people: the key with a ruler, tables of what lies in a row, and sizes."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Column as Heading
from rich.table import Table
from rich.text import Text

from btmodel.cli.ruler import ruled, segments, shown, style_of
from btmodel.cli.served import served
from btmodel.codecs.key import Kind, Length, Order
from btmodel.lint.bytes import told
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.amount import Amount, Sizes
from btmodel.schema.sizes import Share, cells_of_row, key_size, row_size, shares

_ORDERS = {
    Order.ASCENDING: "upward",
    Order.DESCENDING: "downward",
    Order.SCATTERED: "scattered",
    Order.NONE: "not sorted",
}
_INDENT = 2


def print_summary(console: Console, models: Sequence[ModelSchema]) -> None:
    """A line for each model: its name, how large a row is, its table and its key."""
    grid = _table("model", ("row", "right"), "table", "key")
    sizes = [_told(row_size(model).usual) for model in models]
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


def print_model(console: Console, model: ModelSchema) -> None:
    """All of one model."""
    console.print(
        Text.assemble((model.name, "bold"), (f"  {model.module}", "dim"), "  table ", (model.table, "bold"))
    )
    if model.doc.strip():
        console.print(Text(model.doc.strip().splitlines()[0], "italic"), soft_wrap=True)
    _heading(console, "Row key", _shape(model))
    if model.key.fields:
        for line in ruled(segments(model.key), max(console.width - _INDENT, 20)):
            console.print(Text(" " * _INDENT) + line, soft_wrap=True)
        console.print()
        console.print(_fields(model))
    if model.families:
        _heading(console, "Families")
        console.print(_families(model))
    if shares(model):
        _heading(console, "Cells")
        console.print(_cells(model))
    _sizes(console, model)
    if model.queries:
        _heading(console, "Queries")
        console.print(_queries(model))
    console.print()


def _fields(model: ModelSchema) -> Table:
    table = _table("", "field", ("bytes", "right"), "sorts", ("values", "right"), "written as")
    for number, part in enumerate(model.key.fields, 1):
        style = style_of(number)
        table.add_row(
            Text(str(number), style),
            Text(part.name, f"bold {style}"),
            _span(part.codec.length),
            _ORDERS[part.codec.order],
            _values(part),
            Text(_meaning(part)),
        )
    return table


def _meaning(part: KeyField) -> str:
    """The encoding of a field, and what it follows from."""
    made = f"from {', '.join(part.derived.of)}: " if part.derived else ""
    return f"{made}{part.codec.meaning}{', may be left out' if part.optional else ''}"


def _values(part: KeyField) -> str:
    """How many values a field has; nothing of times, which go on."""
    if part.derived and part.derived.values:
        return f"{len(part.derived.values):,}"
    if part.cardinality is None:
        return "1" if part.constant else "" if part.codec.kind is Kind.TIME else "?"
    return f"{part.cardinality:,}"


def _families(model: ModelSchema) -> Table:
    table = _table("family", "keeps", "adds up")
    if not any(family.aggregate for family in model.families):
        table = _table("family", "keeps")
    for family in model.families:
        keeps = "no rule" if family.gc is None else str(family.gc)
        adds = [family.aggregate.value] if family.aggregate else []
        table.add_row(Text(family.id, "bold"), keeps, *adds)
    return table


def _cells(model: ModelSchema) -> Table:
    table = _table("attribute", "cell", ("of a row", "right"), ("bytes", "right"), "written as")
    for share in shares(model):
        table.add_row(
            Text(share.source.name, "bold"),
            _place(share),
            _both(share.cells),
            _both(share.value),
            _written(share),
        )
    return table


def _place(share: Share) -> Text:
    more = "..." if share.column and share.column.open else ""
    return Text(f"{share.family}:{shown(share.begins)}{more}")


def _written(share: Share) -> Text:
    column = share.column
    if column is None:
        return Text(f"mirror of the key: {share.codec.meaning}")
    if column.names is not None:
        return Text(f"{column.shape.name.lower()} by {column.names.meaning}: {share.codec.meaning}")
    shape = "" if not column.eventful else f"{column.shape.name.lower()}: "
    return Text(shape + share.codec.meaning)


def _sizes(console: Console, model: ModelSchema) -> None:
    key, row, count = key_size(model.key), row_size(model), cells_of_row(model)
    _heading(console, "Sizes")
    table = _table("", ("usual", "right"), ("largest", "right"))
    for name, sizes in (("key", key), ("full row", row)):
        table.add_row(Text(name, "bold"), _told(sizes.usual), _told(sizes.largest))
    table.add_row(Text("its cells", "bold"), _number(count.usual), _number(count.largest))
    console.print(table)
    for what, amount in (("usual", row.usual), ("largest", row.largest)):
        if amount.missing:
            names = Text(f"  the {what} row is not known without {', '.join(amount.missing)}", "yellow")
            console.print(names, soft_wrap=True)


def _queries(model: ModelSchema) -> Table:
    table = _table("query", "given", "reads")
    for query in model.queries:
        found = served(model, query)
        why = f" ({query.scan})" if query.scan else ""
        order = ", newest first" if query.newest else ""
        table.add_row(Text(query.name, "bold"), Text(found.asks), Text(f"{found.how}{order}{why}"))
    return table


def _shape(model: ModelSchema) -> Text:
    """The key, each field in its colour."""
    text = Text()
    for number, part in enumerate(model.key.fields, 1):
        text.append(part.constant or f"{{{part.name}{'?' * part.optional}}}", style_of(number))
        if part is not model.key.fields[-1]:
            text.append(shown(model.key.behind(part)), "dim")
    return text


def _heading(console: Console, title: str, rest: Text | None = None) -> None:
    console.print()
    line = Text(title, "bold underline")
    console.print(line if rest is None else Text.assemble(line, "  ", rest), soft_wrap=True)


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


def _span(length: Length) -> str:
    return f"{length.most}" if length.fixed is not None else f"{length.least} to {length.most}"


def _both(sizes: Sizes) -> str:
    """The usual number, and the largest where it is another one."""
    usual, largest = _number(sizes.usual), _number(sizes.largest)
    return usual if usual == largest else f"{usual} (≤ {largest})"


def _number(amount: Amount) -> str:
    """A number; ``?`` where nothing is known of it, ``+`` behind what is at least."""
    return f"{amount.least:,}" if not amount.missing else f"{amount.least:,}+" if amount.least else "?"


def _told(amount: Amount) -> str:
    return told(amount.least) if not amount.missing else f"{told(amount.least)}+" if amount.least else "?"
