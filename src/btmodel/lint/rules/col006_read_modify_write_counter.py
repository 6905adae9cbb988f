"""COL006 read-modify-write-counter: a number that the server reads to add to it

What it finds
    Plain columns with declared `increments`, outside an aggregate family. The fix keeps what is added for as long as the
    column is kept: if an age ends it, a counter `every="1day"`, of which the age ends the old days; but a family with `bt.keep_all()` where no time is in the key, and additions come so often that
    they renew the cell long before its age, so that it holds a total of all, unless its name or the docstring says that it is of a time, or for how long rows are kept.

    Of a number by which a write decides, as the docstring says ("must not go below zero", "is never oversold", "a bid must be higher than the current one", "refused if none is left", "the next number"), the fix
    is a write under a condition (`put_if`): a counter refuses no addition. It finds nothing where the docstring says that the number is set under a condition, such as "conditionally" or "compare and
    set", or where its name alone says that it is compared or given out (`version`, `seats_left`).

    It is information, and a warning of numbers to which the server cannot add at all: those that are text, or no whole numbers of 8 bytes.

Why
    To add to a plain cell, the server reads it and writes it again under a lock of its row, and
    a retry may add twice without a trace. In an aggregate family, the server adds values as
    they come and keeps only the sum. To other numbers only a program can add: it reads, and writes, and of two additions at once one is lost.

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

from collections.abc import Iterator, Sequence
from functools import partial

from btmodel.design.hints import cited
from btmodel.lint.counters import added_blindly, added_to, as_counters
from btmodel.lint.decided_numbers import INSTEAD, Decided, decided
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, ModelSchema
from btmodel.schema.possible_edits import increments
from btmodel.words import quoted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the columns with increments in families of plain cells: one family is made for all of them."""
    columns = added_blindly(model)
    for column in added_to(model):
        how = decided(model, column)
        if how is not None and not how.safe:
            yield _decided(model, column, how)
    foreign = [column for column in columns if not increments(column)]
    for some in (foreign, [column for column in columns if column not in foreign]):
        if some:
            yield _found(model, some, by_program=some is foreign)


def _found(model: ModelSchema, columns: Sequence[Column], *, by_program: bool) -> Finding:
    several = len(columns) > 1
    rates = list(dict.fromkeys(str(column.expected.increments) for column in columns))
    rate = "rates of " if len(rates) > 1 else "a rate of "
    cells = quoted(column.cell for column in columns)
    kind = "cell to which the server cannot add" if by_program else "plain cell"
    cells += f" are {kind.replace('cell', 'cells', 1)}" if several else f" is a {kind}"
    return RULE.finding(
        model,
        f"{quoted(column.name for column in columns)} {'are' if several else 'is'} added to at {rate}{' and '.join(rates)}"
        f"{' each' if several and len(rates) == 1 else ''}, and {cells}",
        why="a program reads such a number and writes the sum, and of two that do so at once, one addition is lost"
        if by_program
        else "for every number that is added, the server locks the row, reads the cell and writes it again",
        fix=partial(_ways, model, columns),
        part=columns[0].name,
        at=columns[0].location,
        level=Level.WARNING if by_program else Level.INFO,
    )


def _decided(model: ModelSchema, column: Column, how: Decided) -> Finding:
    """A number that no counter may hold: it needs the condition of which nothing is said."""
    return RULE.finding(
        model,
        f"`{column.name}` is added to at a rate of {column.expected.increments}, and by the description ({cited(how.said)!r}) a write decides by what it is",
        why="an addition is never refused, neither by a plain cell nor by a counter, so of two writers that read enough at once, both take it",
        fix=Fix(f"add nothing to `{column.name}`: {INSTEAD}, and say so in the docstring"),
        part=column.name,
        at=column.location,
        level=Level.INFO,
    )


def _ways(model: ModelSchema, columns: Sequence[Column]) -> Iterator[Fix]:
    """A family for them: one that sums already, or a new one."""
    ways = [
        Fix(f"add at write time: {made.declared()}", (made.model,), longer=made.longer)
        for made in as_counters(model, columns)
    ]
    yield from ways or [
        Fix(
            "add up in memory, and add the sum at intervals, as no counter of the service is kept for as long as such a cell"
        )
    ]


RULE: Rule[ModelSchema] = Rule(
    "COL006",
    "read-modify-write-counter",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.INFO, Level.WARNING),
)
