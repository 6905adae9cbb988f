"""COL006 read-modify-write-counter: a number that the server reads to add to it

What it finds
    A plain column with declared `increments`, outside an aggregate family.

Why
    To add to a plain cell, the server reads it and writes it again under a lock of its row, and
    a retry may add twice without a trace. In an aggregate family, the server adds values as
    they come and keeps only the sum.

Example
    import btmodel as bt


    class Page(bt.Model, table="PAGE", events="1000/h"):
        url: str = bt.key(bt.Text(max_length=80), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        visits: int = bt.column("visits", data, increments="5/min")

        one = bt.query("url")

Use instead
    import btmodel as bt


    class Page(bt.Model, table="PAGE", events="1000/h"):
        url: str = bt.key(bt.Text(max_length=80), cardinality=1_000_000)

        sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
        visits: int | None = bt.counter("visits", sums, increments="5/min")

        one = bt.query("url")

Allow
    Suppress it if the program needs the number that its own increment produced, like a ticket
    machine. An aggregate does not return it.

Source
    https://cloud.google.com/bigtable/docs/schema-design (cells: use aggregate cells to
    store and update aggregate data).
"""

from collections.abc import Iterator
from functools import partial

from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import counters, declared_family
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, ModelSchema, Rate


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column with increments in a family of plain cells."""
    for column in model.columns:
        family = model.family(column.family)
        if column.expected.increments is None or family is None or family.aggregate is not None:
            continue
        yield RULE.finding(
            model,
            f"`{column.name}` is added to at a rate of {column.expected.increments}, and `{column.cell}` is a plain cell",
            why="for every number that is added, the server locks the row, reads the cell and writes it again",
            fix=partial(_ways, model, column),
            part=column.name,
            at=column.location,
        )


def _counter(column: Column) -> str:
    name = column.qualifier.decode(errors="backslashreplace")
    return f'bt.counter("{name}", ..., increments="{_declared(column.expected.increments)}")'


def _declared(rate: Rate | None) -> str:
    """A rate as a declaration takes it, without commas between its digits."""
    return str(rate).replace(",", "")


def _ways(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """A family for it: one that sums already, or a new one."""
    counter = f"add at write time: `{column.name}: int | None = {_counter(column)}`"
    for family, made in counters(model, column):
        if family in model.families:
            yield Fix(f"{counter}, in the family {family.id!r}, which sums already", (made,))
        else:
            yield Fix(f"{counter}, in a family of its own: `{declared_family(family)}`", (made,))


RULE: Rule[ModelSchema] = Rule(
    "COL006", "read-modify-write-counter", check, page=__doc__, rewrites=Rewritten.CELLS, levels=(Level.INFO,)
)
