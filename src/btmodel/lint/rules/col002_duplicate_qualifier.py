"""COL002 duplicate-qualifier: two attributes that share a cell

What it finds
    Two columns, a column and the mirror of a key field, or two mirrors with the same family and
    qualifier.

Why
    They write the same cell, so one of the two values is lost with every row.

Example
    import btmodel as bt


    class Quote(bt.Model, table="QUOTE"):
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        md = bt.family("MD", gc=bt.max_versions(1))
        bid: float = bt.column("B", md)
        bid_size: int = bt.column("B", md)

Use instead
    import btmodel as bt


    class Quote(bt.Model, table="QUOTE"):
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        md = bt.family("MD", gc=bt.max_versions(1))
        bid: float = bt.column("B", md)
        bid_size: int = bt.column("BS", md)

Allow
    There is no good reason to: one of the two values is always lost.

Source
    https://cloud.google.com/bigtable/docs/overview (a cell is named by its row, family,
    qualifier and time).
"""

from collections.abc import Iterator

from btmodel.lint.cells import NamedCell, named_cells
from btmodel.lint.finding import Finding
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each attribute whose cell an earlier one has."""
    seen: dict[tuple[str, bytes], NamedCell] = {}
    taken = {cell.text for cell in named_cells(model)}
    for cell in named_cells(model):
        first = seen.setdefault((cell.family, cell.qualifier), cell)
        if first is cell:
            continue
        way = _renamed_one_by_one(model, first, cell)
        other = _other_name(cell, taken)
        taken.add(other)
        where = f" (line {first.location.line})" if _beside(first, cell) and first.location else ""
        yield RULE.finding(
            model,
            f"{_called(cell)} and {_called(first)}{where} are one cell, `{cell.cell}`",
            why="both write the same cell, so one of the two values is lost with every row",
            fix=way
            or f"give `{cell.attribute}` a cell of its own, such as `{cell.family}:{other}`, or drop one of the two",
            part=cell.attribute,
            at=cell.location,
            edit=None if way else cell.renamed(other),
        )


def _renamed_one_by_one(model: ModelSchema, one: NamedCell, other: NamedCell) -> str:
    """How two columns are renamed of which one gets the qualifier that the other had; empty where it is no such case."""
    columns = {column.name: column for column in model.columns}
    a, b = columns.get(one.attribute), columns.get(other.attribute)
    if a is None or b is None:
        return ""
    if b.renamed_from == a.qualifier and a.renamed_from == b.qualifier:
        return (
            f"two columns exchange their qualifiers by way of a third one, in three revisions: rename `{b.name}` to that, then `{a.name}`, and then "
            f"`{b.name}` again; each once the one before is applied everywhere, and its `renamed_from=` is gone"
        )
    for first, then in ((a, b), (b, a)):
        if first.renamed_from == then.qualifier:
            return (
                f"rename `{first.name}` first, and give `{then.name}` its qualifier in a later revision, once that one is applied everywhere, "
                "and its `renamed_from=` is gone"
            )
    return ""


def _beside(first: NamedCell, cell: NamedCell) -> bool:
    """Whether both are declared in one file, whose path the finding shows anyhow."""
    return bool(first.location and cell.location and first.location.file == cell.location.file)


def _called(cell: NamedCell) -> str:
    return f"the mirror of `{cell.attribute}`" if cell.mirror else f"`{cell.attribute}`"


def _other_name(cell: NamedCell, taken: set[str]) -> str:
    """The attribute's own name, written as the qualifier is, or with a number where it is taken."""
    name = cell.attribute.upper() if cell.text.isupper() else cell.attribute
    names = [name, *(f"{name}{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


RULE: Rule[ModelSchema] = Rule("COL002", "duplicate-qualifier", check, page=__doc__, rewrites=None)
