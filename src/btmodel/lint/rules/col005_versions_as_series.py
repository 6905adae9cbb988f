"""COL005 versions-as-series: a time series in the versions of a column, in a row for all time

What it finds
    A history or marks, or entries named by times, in a model without a time in its key, of which
    a row keeps more than 100 events. They are counted by the garbage-collection rule, and by `every` of the column or
    the declared `events` where these are known. Fewer are taken for a value that is amended now and then,
    which is what versions are for. Where nothing bounds them, ROW003 speaks instead.

Why
    A row an event is the simplest way to write, to understand and to query a series. Of
    one row for all time no part is a range of rows, and it is written by one tablet alone.

Example
    import btmodel as bt


    class Level(bt.Model, table="LEVEL", events="1000/min"):
        gauge: str = bt.key(bt.Text(max_length=10), cardinality=1_000)

        data = bt.family("data", gc=bt.max_versions(10_000))
        level: bt.History[float] = bt.history("level", data)

        of_gauge = bt.query("gauge")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Level(bt.Model, table="LEVEL", events="1000/min"):
        gauge: str = bt.key(bt.Text(max_length=10), cardinality=1_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_age(days=7))
        level: float = bt.column("level", data)

        of_gauge = bt.query("gauge", between="at")

Allow
    Where the versions are amendments of one value, and many of them matter: say whose.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (prefer rows to column versions: a
    closing price, and its amendment). The 100 are this project's own choice.
"""

from collections.abc import Iterator
from math import inf

from btmodel.lint.finding import Finding, Level
from btmodel.lint.retention import AMENDMENTS, fix, gathering
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that gathers many events in a row without a time."""
    for column, most in gathering(model):
        if AMENDMENTS < most < inf:
            yield RULE.finding(
                model,
                f"`{column.name}` gathers up to {most:,} events in one row of `{model.key.shape}`, which has no time in its key",
                why="a row an event is simpler to query, as a range of rows, and does not go to one tablet alone",
                fix=fix(model, column),
                part=column.name,
                at=column.location,
            )


RULE: Rule[ModelSchema] = Rule("COL005", "versions-as-series", check, page=__doc__, levels=(Level.WARNING,))
