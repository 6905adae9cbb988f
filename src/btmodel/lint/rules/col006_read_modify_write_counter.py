"""COL006 read-modify-write-counter: a number that the server reads to add to it

What it finds
    Plain columns with declared `increments`, outside an aggregate family. The fix keeps what is added for as long as the
    column is kept: if an age ends it, a counter `every="1day"`, of which the age ends the old days.

    It finds nothing where the docstring of the model says that the number is set under a condition, such as "conditionally" or "compare and
    set": what decides by the old number cannot add blindly.

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

from btmodel.lint.counters import added_to, as_counters
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema
from btmodel.schema.possible_edits import increments
from btmodel.words import quoted

_CONDITIONAL = pattern(
    r"(?i)\b((under|on) (a|the|one|that) condition|conditional(ly)?|(compare|check)[- ]and[- ](set|swap|mutate|put|write)|optimistic(ally)?)\b"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the columns with increments in families of plain cells: one family is made for all of them."""
    columns = [] if _CONDITIONAL.search(model.doc) else added_to(model)
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


def _ways(model: ModelSchema, columns: Sequence[Column]) -> Iterator[Fix]:
    """A family for them: one that sums already, or a new one."""
    ways = [
        Fix(f"add at write time: {made.declared()}", (made.model,)) for made in as_counters(model, columns)
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
