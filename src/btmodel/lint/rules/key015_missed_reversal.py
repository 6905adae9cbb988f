"""KEY015 missed-reversal: a query for the newest rows, which are at the end

What it finds
    A time that is not reversed in a model whose most important query wants the newest row
    first. That is the first declared query whose rows are ordered by time, with `newest=True`.

Why
    With a reversed time, the newest rows come first, and every scan of the prefix begins with
    them. Without it, each read of the newest rows goes backwards, which is slower.

Example
    from datetime import datetime

    import btmodel as bt


    class Action(bt.Model, table="ACTION"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_age(days=365))
        product: str = bt.column("product", data)

        of_user = bt.query("user", between="at", newest=True)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Action(bt.Model, table="ACTION"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        data = bt.family("data", gc=bt.max_age(days=365))
        product: str = bt.column("product", data)

        of_user = bt.query("user", between="at", newest=True)

Allow
    Suppress it if the keys exist already, or if as many reads go forwards: a backward read
    serves the query, too.

Source
    https://cloud.google.com/bigtable/docs/schema-design (time-based data: reversed timestamps),
    https://cloud.google.com/bigtable/docs/reads (reverse scans).
"""

from collections.abc import Iterator

from btmodel.codecs.key import Kind, Order
from btmodel.design.encodings import reversed_time
from btmodel.design.keys import main_read
from btmodel.lint.finding import Finding, Level, codec_named
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag an ascending time whose most important query asks for the newest first."""
    read = main_read(model)
    if read is None:
        return
    query, _, time = read
    behind = model.key.fields[model.key.fields.index(time) + 1 :]
    if any(part.codec.kind is Kind.TIME for part in behind):
        return  # of a day and an hour, each reversed alone would mix up the order
    if time.codec.order is Order.ASCENDING and query.newest:
        yield RULE.finding(
            model,
            f"the query `{query.name}` asks for the newest first, but "
            f"the time `{time.name}` of the key `{model.key.shape}` is not reversed",
            why="the newest rows are at the end of their prefix, so reads go backwards, which is slower",
            fix=f"encode `{time.name}` as {reversed_time(time.codec)}; or keep the backward read",
            part=time.name,
            at=time.location,
            edit=codec_named(reversed_time(time.codec)),
        )


RULE: Rule[ModelSchema] = Rule(
    "KEY015", "missed-reversal", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.INFO,)
)
