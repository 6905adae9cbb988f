"""COL005 versions-as-series: a time series in the versions of a column of a row without end

What it finds
    A model without a time in its key that has a history, marks, or entries named by times, of
    which a row keeps more than 100 events. The rule counts them by the GC rule, and by `every`
    of the column or the declared `events` if these are known. Fewer events count as amendments
    of one value, which is what versions are for; so do up to 1,000 that come at most once an hour, by `every` or the
    declared rate, and that have, by their declared `size`, no more than 1 MiB. A window of regular events (`every`) that the
    family deletes at an age is information up to 10,000 events of 1 MiB together: such a row does not grow. If nothing
    bounds the events, ROW003 reports it instead; if the row is too large for it, ROW002 does, with the fixes of both. Versions that are states of a document, by the
    docstring ("so that one can go back", "drafts"), keep their newest one for ever in the rows of the fix, and measurements an age.

Why
    One row per event is the simplest way to write, understand and query a series. If one row
    holds the whole series, no part of it is a range of rows, and one tablet takes all writes.

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
    Suppress it if the versions are amendments of one value and many of them matter; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (prefer rows to column versions: a
    closing price, and its amendment). The 100, the 1,000, the 10,000, the hour and the MiB are
    this project's own choice.
"""

from collections.abc import Iterator
from functools import partial
from math import inf

from btmodel.lint.finding import Finding, Level
from btmodel.lint.retention import amendments, gathered_together, gathering, ways, window
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema
from btmodel.words import quoted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that gathers many events in a row without a time."""
    series = (
        (column, most)
        for column, most in gathering(model)
        if most < inf and not (column.shape.summed or amendments(model, column, most))
    )
    for columns, most in gathered_together(model, series):
        column, several = columns[0], len(columns) > 1
        yield RULE.finding(
            model,
            f"{quoted(each.name for each in columns)} {'collect' if several else 'collects'} up to {most:,} events{' each' if several else ''} in one row of "
            f"`{model.key.shape}`, which has no time in its key",
            why="one row per event can be queried as a range of rows, and spreads over several tablets",
            fix=partial(ways, model, *columns),
            part=column.name,
            at=column.location,
            level=Level.INFO if all(window(model, each, most) for each in columns) else Level.WARNING,
        )


RULE: Rule[ModelSchema] = Rule(
    "COL005",
    "versions-as-series",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
