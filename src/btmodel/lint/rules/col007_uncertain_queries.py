"""COL007 uncertain-queries: many columns, and no query that needs them

What it finds
    A model of more than 20 columns that declares no query. A mapping, a set or a series counts
    as one column.

Why
    Separate columns are worth their names only if something reads them separately or selects
    rows by them. If you do not know yet which queries will come, one serialized cell holds the
    same in less space, and a change of its fields does not change the table.

Example
    import btmodel as bt


    class Survey(bt.Model, table="survey"):
        id: str = bt.key(bt.Text(width=8), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        q01: str = bt.column("q01", data, size=80)
        q02: str = bt.column("q02", data, size=80)
        q03: str = bt.column("q03", data, size=80)
        q04: str = bt.column("q04", data, size=80)
        q05: str = bt.column("q05", data, size=80)
        q06: str = bt.column("q06", data, size=80)
        q07: str = bt.column("q07", data, size=80)
        q08: str = bt.column("q08", data, size=80)
        q09: str = bt.column("q09", data, size=80)
        q10: str = bt.column("q10", data, size=80)
        q11: str = bt.column("q11", data, size=80)
        q12: str = bt.column("q12", data, size=80)
        q13: str = bt.column("q13", data, size=80)
        q14: str = bt.column("q14", data, size=80)
        q15: str = bt.column("q15", data, size=80)
        q16: str = bt.column("q16", data, size=80)
        q17: str = bt.column("q17", data, size=80)
        q18: str = bt.column("q18", data, size=80)
        q19: str = bt.column("q19", data, size=80)
        q20: str = bt.column("q20", data, size=80)
        q21: str = bt.column("q21", data, size=80)

Use instead
    from typing import Any

    import btmodel as bt


    class Survey(bt.Model, table="survey"):
        id: str = bt.key(bt.Text(width=8), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        answers: dict[str, Any] = bt.column("answers", data, size=2_000)

Allow
    Suppress it if rows are only read by their whole keys and columns are written one by one.

Source
    https://cloud.google.com/bigtable/docs/schema-design (variable or uncertain queries: all of
    a row's data in one column). The 20 columns are this project's own choice.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import counted

# More columns than these are many for a model of unknown queries (this project's own figure).
MANY = 20


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a model with many columns and without a query."""
    count = len(model.columns)
    if count <= MANY or model.queries:
        return
    first = model.key.asked[0] if model.key.asked else None
    yield RULE.finding(
        model,
        f"{model.name} has {counted(count, 'column')}, and declares no query",
        why="separate columns pay off only if something reads them separately, and nothing declared here does",
        fix=f"declare your queries, {_query(first)}; or, if you do not know them yet, put what is in them into one "
        f"cell: `data: dict[str, Any]`, as `{model.columns[0].family}:data`",
    )


def _query(first: KeyField | None) -> str:
    """A query that gives the first field of the key, and reads something in particular."""
    return (
        'such as `bt.query(scan="why", only=[...])`'
        if first is None
        else f'such as `bt.query("{first.name}", only=[...])`'
    )


RULE: Rule[ModelSchema] = Rule(
    "COL007", "uncertain-queries", check, page=__doc__, rewrites=None, levels=(Level.INFO,)
)
