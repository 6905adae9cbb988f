"""COL010 counter-goes-on: a counter of a period that never begins anew

What it finds
    A counter of a period by its name (`views_this_month`, `daily_calls`) or the docstring ("how often it was viewed this month", "the calls start again at zero each Monday", "this month's traffic", "reset nightly"), if the key has no time, the counter no
    spans (`every`) and its family no age; unless the docstring says that somebody sets it to zero ("a job resets the views every night"). The fix gives each span a number of its own, and an age
    that deletes old ones, of twice the period or of as long as the docstring says that numbers are kept or asked for ("the calls of the last year"), or gives the period a place in the key.

Why
    A sum is never set to zero by itself, so the number is soon that of all time. A job that sets it to zero loses what is added meanwhile, and has to write every row.

Example
    import btmodel as bt


    class Quota(bt.Model, table="QUOTA"):
        "The calls of an API in the present month, by customer."

        customer: str = bt.key(bt.HexDigest(12), cardinality=80_000)

        sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
        calls: int | None = bt.counter("calls", sums)

        one = bt.query("customer")

Use instead
    import btmodel as bt


    class Quota(bt.Model, table="QUOTA"):
        "The calls of an API in the present month, by customer."

        customer: str = bt.key(bt.HexDigest(12), cardinality=80_000)

        spans = bt.family("spans", gc=bt.max_age(days=62), aggregate="sum")
        calls: bt.History[int] = bt.counter("calls", spans, every="1day")

        one = bt.query("customer")

Allow
    Suppress it if a program sets the counter to zero; say when. Say it in the docstring instead where others should know it, too.

Source
    https://cloud.google.com/bigtable/docs/writes (aggregates: cells that are added to). The words are this project's own.
"""

from collections.abc import Iterator
from functools import partial

from btmodel.lint.finding import Finding, Level
from btmodel.lint.period_counters import of_a_period, ways_to_begin_anew
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each counter of a period that goes on when the period ends."""
    for counted in of_a_period(model):
        yield RULE.finding(
            model,
            counted.message,
            why="a sum is never set to zero by itself, so the number is soon that of all time",
            fix=partial(ways_to_begin_anew, model, counted),
            part=counted.column.name,
            at=counted.column.location,
        )


RULE: Rule[ModelSchema] = Rule(
    "COL010", "counter-goes-on", check, page=__doc__, rewrites=Rewritten.CELLS, levels=(Level.WARNING,)
)
