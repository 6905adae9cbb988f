"""ROW005 mutated-series: a series whose rows are amended atomically

What it finds
    A model with a bucket whose `atomic` fields include the bucket, so its row is an entity that
    changes atomically.

Why
    Only single rows have transactions, and systems that do not depend on them do better. In a
    series, write a change as a new row: that is simpler, and keeps the history of what happened
    without versions of columns.

Example
    from datetime import date

    import btmodel as bt


    class Stock(bt.Model, table="STOCK", bucket="day", events="1000/min", atomic=["shop", "day"]):
        shop: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1_440))
        pieces: bt.History[int] = bt.history("pieces", data, every="1min")

        of_shop = bt.query("shop", between="day")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Stock(bt.Model, table="STOCK", events="1000/min"):
        shop: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        pieces: int = bt.column("pieces", data)

        of_shop = bt.query("shop", between="at")

Allow
    Suppress it if only one writer amends the row, such as a meter; say who. But that case needs
    no `atomic`.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (do not exploit the atomicity of single
    rows: store changes as new rows).
"""

from collections.abc import Iterator
from functools import partial

from btmodel.design.series import key_of_events
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema
from btmodel.words import one


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a bucket that is named among what changes at once."""
    bucket = model.bucket_field
    if model.bucket is None or bucket is None or bucket.name not in model.atomic:
        return
    yield RULE.finding(
        model,
        f"a row gathers the events of {one(model.bucket.words)} (`{bucket.name}`), but is declared to change atomically: "
        f"`{model.key.shape}`",
        why="changing the rows of a series in place needs transactions, and loses the old values",
        fix=partial(_ways, model),
        part=bucket.name,
        at=bucket.location,
    )


def _ways(model: ModelSchema) -> Iterator[Fix]:
    """A row for each change; or the model without the promise, whose truth the author knows."""
    key = key_of_events(model)
    otherwise = "; or, if events are appended only, leave out `atomic`"
    series = model.series
    models = (key.holds(model, series[0]),) if len(series) == 1 else ()
    yield Fix(
        f"write each change as a row of its own: {key}", models, otherwise=otherwise, instead=key.instead
    )


RULE: Rule[ModelSchema] = Rule(
    "ROW005", "mutated-series", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING,)
)
