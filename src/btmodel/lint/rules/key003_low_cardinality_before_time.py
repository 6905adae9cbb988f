"""KEY003 low-cardinality-before-time: too few values in front of the time

What it finds
    A row key in which all fields in front of the time have, multiplied, fewer values than it
    takes to spread the declared rate over its nodes: the declared `nodes`, or
    as many as the rate needs at the documented writes of a node. Each node should get

    - 10 values of fields: values are not written evenly. Of the thousands of symbols in the
      documented market data, 90 % of the messages are about a few hundred;
    - or one salt, as in the documents: a hash spreads evenly.

    Nothing is found where each value gets 140 events a second or fewer, which a single tablet takes
    with ease (see KEY001), where the key begins with the time (KEY001), or where `events` or the
    cardinality of a field in front is not declared.

Why
    Behind each value of the fields in front, new rows go to one place: the end of its times. With
    few values, a few tablets take every write, and more nodes do not help.

Example
    from datetime import datetime

    import btmodel as bt


    class Quote(bt.Model, table="QUOTE", events="20000/s"):
        exchange: str = bt.key(bt.Text(width=6), cardinality=5)
        quote_time: datetime = bt.key(bt.EpochMillis())
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)

        md = bt.family("MD", gc=bt.max_versions(1))
        bid: float = bt.column("BID", md)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Quote(bt.Model, table="QUOTE", events="20000/s"):
        exchange: str = bt.key(bt.Text(width=6), cardinality=5)
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        quote_time: datetime = bt.key(bt.EpochMillis())

        md = bt.family("MD", gc=bt.max_versions(1))
        bid: float = bt.column("BID", md)

Allow
    Where the values in front are few but measured to be written evenly, or where the rate
    is a short peak: say so.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion, salting; market
    data), https://cloud.google.com/bigtable/docs/schema-design (a time behind a value of high
    cardinality), https://cloud.google.com/bigtable/docs/performance (writes of a node).
"""

from collections.abc import Iterator
from itertools import takewhile
from math import prod

from btmodel.lint.finding import Finding, Level
from btmodel.lint.keys import WITH_EASE, drawn, leading_time, single
from btmodel.lint.promotion import promoting, spreading_columns, spreading_fields
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.density import distinct, nodes_needed, timed

# Values of fields for each node; their source is told on the page.
VALUES_A_NODE = 10
# The salts of the documents, an estimate of the nodes of a small cluster.
LEAST_SALTS = 3


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the first time of a key behind too few values for the declared rate."""
    nodes = model.nodes or nodes_needed(model)
    times = timed(model)
    if model.events is None or nodes is None or not times or leading_time(model.key):
        return
    time = times[0]
    front = tuple(takewhile(lambda part: part != time, model.key.fields))
    values, salts = distinct(front), _salts(front)
    if values is None or salts is None:
        return
    places = values * salts
    share = max(places / VALUES_A_NODE, salts if salts > 1 else 0)
    if share >= nodes or model.events.per_second / places <= WITH_EASE:
        return
    yield RULE.finding(
        model,
        f"in front of the time `{time.name}` the key `{model.key.shape}` has {_counted(front, places)}, too few to "
        f"spread {model.events} over {nodes} {'node' if nodes == 1 else 'nodes'}",
        why="behind each of these values new rows go to one place, so a few tablets take every write",
        mend=_mend(model, time, nodes),
        part=time.name,
        at=time.location,
    )


def _salts(front: tuple[KeyField, ...]) -> int | None:
    """How many values the derived fields add to those of the others; None where they cannot be counted."""
    names = {part.name for part in front}
    # What follows from fields in front adds nothing to them.
    adding = [part.derived for part in front if part.derived and not names.issuperset(part.derived.of)]
    counts = [len(derived.values) for derived in adding if derived.values is not None]
    return prod(counts) if len(counts) == len(adding) else None


def _counted(front: tuple[KeyField, ...], places: int) -> str:
    names = ", ".join(f"`{part.name}`" for part in front if not single(part))
    return f"{places:,} values ({names})"


def _mend(model: ModelSchema, time: KeyField, nodes: int) -> str:
    fields = model.key.fields
    buckets = max(LEAST_SALTS, nodes)
    at = next(index for index, part in enumerate(fields) if not single(part))
    salted = [part for part in fields if not (part.derived and part.derived.values)]
    salt = drawn(model.key, (*salted[:at], "salt", *salted[at:]))
    failing = f'`salt = bt.salt("{time.name}", buckets={buckets})` in front: `{salt}`'
    if spreading_fields(model) or spreading_columns(model):
        return f"{promoting(model, time)}; failing that, {failing}"
    return f"{promoting(model, time)}; or, where there is none, {failing}"


RULE: Rule[ModelSchema] = Rule(
    "KEY003", "low-cardinality-before-time", check, page=__doc__, levels=(Level.WARNING,)
)
