"""COL004 tiny-cells: many columns of a few bytes, always read together

What it finds
    A family with 20 or more columns that every row has and whose values take 8 bytes or less
    each, in a model whose declared queries read all of them and filter on none.

Why
    Besides its value, each cell takes a qualifier, a timestamp and some time of the server. 1
    KB is cheaper in one cell than in 1,024 cells of one byte.

Example
    from datetime import datetime

    import btmodel as bt


    class Panel(bt.Model, table="PANEL", events="100/s"):
        panel: str = bt.key(bt.Text(width=8), cardinality=10_000)
        at: datetime = bt.key(bt.EpochMillis())

        cells = bt.family("c", gc=bt.max_versions(1))
        v1: float = bt.column("1", cells)
        v2: float = bt.column("2", cells)
        v3: float = bt.column("3", cells)
        v4: float = bt.column("4", cells)
        v5: float = bt.column("5", cells)
        v6: float = bt.column("6", cells)
        v7: float = bt.column("7", cells)
        v8: float = bt.column("8", cells)
        v9: float = bt.column("9", cells)
        v10: float = bt.column("10", cells)
        v11: float = bt.column("11", cells)
        v12: float = bt.column("12", cells)
        v13: float = bt.column("13", cells)
        v14: float = bt.column("14", cells)
        v15: float = bt.column("15", cells)
        v16: float = bt.column("16", cells)
        v17: float = bt.column("17", cells)
        v18: float = bt.column("18", cells)
        v19: float = bt.column("19", cells)
        v20: float = bt.column("20", cells)

        of_panel = bt.query("panel", between="at")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Panel(bt.Model, table="PANEL", events="100/s"):
        panel: str = bt.key(bt.Text(width=8), cardinality=10_000)
        at: datetime = bt.key(bt.EpochMillis())

        cells = bt.family("c", gc=bt.max_versions(1))
        voltages: list[float] = bt.column("v", cells, size=200)

        of_panel = bt.query("panel", between="at")

Allow
    Suppress it if a program reads or writes single columns and no query here stands for it; say
    which program.

Source
    https://cloud.google.com/bigtable/docs/schema-design (columns: 1 KB in one cell, rather than
    in 1,024 cells of a byte). The 20 columns and the 8 bytes are this project's own choice.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from btmodel.codecs import cell
from btmodel.design.keys import fresh
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Expected, Family, ModelSchema, Query

MANY = 20
TINY = 8


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family with many tiny columns that are read as one."""
    for family in model.families:
        columns = [column for column in model.columns if column.family == family.id and _tiny(column)]
        if len(columns) >= MANY and _read_together(model.queries, {column.name for column in columns}):
            yield _finding(model, family, columns)


def _tiny(column: Column) -> bool:
    size = column.codec.typical_size if column.expected.size is None else column.expected.size
    return column.shape.plain and column.required and size <= TINY


def _read_together(queries: Sequence[Query], names: set[str]) -> bool:
    """Whether some query reads these columns, and none reads or judges a few of them."""
    reads = [names.intersection(query.only) if query.only else names for query in queries]
    asked = {name for query in queries for name in (*query.where, *query.equal)}
    return names in reads and all(read in (names, set()) for read in reads) and not names & asked


def _finding(model: ModelSchema, family: Family, columns: Sequence[Column]) -> Finding:
    named = ", ".join(f"`{column.name}`" for column in columns[:3])
    return RULE.finding(
        model,
        f"{len(columns)} columns of `{family.id}` ({named}, ...) have at most {TINY} bytes each, and every query reads all of them",
        why="each cell takes its qualifier, its timestamp and the server's time beside its value",
        fix=_fix(model, family, columns),
        part=family.id,
        at=family.location,
    )


def _fix(model: ModelSchema, family: Family, columns: Sequence[Column]) -> Fix:
    """One cell for all of them; how its values are separated is the author's choice."""
    name = fresh(model, "v", "values")
    size = sum(column.codec.typical_size for column in columns)
    one = Column(name, family.id, name.encode(), cell.Raw(), True, expected=Expected(size=size))
    kept = tuple(column for column in model.columns if column not in columns)
    text = f'write them as one cell, a message, a record or a list: `{name}` as `bt.column("{name}", {family.id}, size={size})`'
    made = evolve(model, columns=(*kept, one), queries=_asking(model.queries, columns, name))
    return Fix(text, (made,), instead=tuple((column.name, name) for column in columns))


def _asking(queries: Sequence[Query], columns: Sequence[Column], name: str) -> tuple[Query, ...]:
    """The queries, which read the one cell in the place of the columns."""
    names = {column.name for column in columns}
    return tuple(
        evolve(query, only=tuple(dict.fromkeys(name if one in names else one for one in query.only)))
        for query in queries
    )


RULE: Rule[ModelSchema] = Rule(
    "COL004", "tiny-cells", check, page=__doc__, rewrites=Rewritten.CELLS, levels=(Level.INFO,)
)
