"""KEY014 needless-reversal: a reversed time that the most important query does not need

What it finds
    A reversed time in a model whose most important query does not want the newest row first.
    That is the first declared query whose rows are ordered by time, without `newest=True`. It is
    information: the key serves the same ranges in either order, and perhaps nobody has said yet
    that the query is for the newest rows. Where the docstring says so ("the newest first"), or the name of the query (`latest`), the query alone is to say it, too.

Why
    A reversed time serves reads of the newest rows. Every other query, and everybody who reads
    the keys, has to calculate backwards.

Example
    from datetime import datetime

    import btmodel as bt


    class Reading(bt.Model, table="READING"):
        device: str = bt.key(bt.Text(width=8), cardinality=10_000)
        at: datetime = bt.key(bt.ReversedMillis())

        data = bt.family("data", gc=bt.max_age(days=30))
        percent: float = bt.column("percent", data)

        of_device = bt.query("device", between="at")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Reading(bt.Model, table="READING"):
        device: str = bt.key(bt.Text(width=8), cardinality=10_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_age(days=30))
        percent: float = bt.column("percent", data)

        of_device = bt.query("device", between="at")

Allow
    Suppress it if most reads want the newest row but are not declared. It is better to declare
    them, as the first queries.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (reverse timestamps only where the most
    common query is for the newest values).
"""

from collections.abc import Iterator
from functools import partial

from attrs import evolve

from btmodel.design.encodings import natural
from btmodel.design.keys import needlessly_reversed
from btmodel.lint.finding import Finding, Fix, Level, codec_named
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema, Query
from btmodel.words import words


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a reversed time whose most important query does not ask for the newest first."""
    found = needlessly_reversed(model)
    if found is None:
        return
    query, time = found
    said = _NEWEST_FIRST.search(" ".join(model.doc.split()))
    back = f"encode `{time.name}` as {natural(time.codec)}"
    called = not _CALLED_NEWEST.isdisjoint(word.lower() for word in words(query.name))
    description = (
        f", though the description says {said[0]!r}" if said else ", though it is called so" if called else ""
    )
    yield RULE.finding(
        model,
        f"the time `{time.name}` of the key `{model.key.shape}` is reversed, but the query `{query.name}` "
        f"does not say `newest=True`{description}",
        why="rows are stored newest first, so the query returns them so, and no one who reads it can see whether that is meant; a reversed time is harder to follow "
        "in all queries but those for the newest rows",
        fix=partial(_declared, model, query)
        if said or called
        else f"if `{query.name}` is for the newest rows, declare it with `newest=True`; otherwise {back}",
        part=time.name,
        at=time.location,
        edit=None if said or called else codec_named(natural(time.codec)),
    )


# What a query for the newest rows is called.
_CALLED_NEWEST = frozenset(words("newest latest lately recent recently last"))
# That the order of the rows is meant.
_NEWEST_FIRST = pattern(r"(?i)\b(?:newest|latest|most recent|last) (?:\w+ )?first\b|\bbackwards? in time\b")


def _declared(model: ModelSchema, query: Query) -> Iterator[Fix]:
    """The query with what the description says of it."""
    newest = evolve(query, newest=True)
    queries = tuple(newest if each == query else each for each in model.queries)
    yield Fix(f"declare `{query.name}` with `newest=True`", (evolve(model, queries=queries),))


RULE: Rule[ModelSchema] = Rule(
    "KEY014", "needless-reversal", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.INFO,)
)
