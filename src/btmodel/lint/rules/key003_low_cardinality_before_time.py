"""KEY003 low-cardinality-before-time: too few values in front of the time

What it finds
    A row key in which the fields in front of the time together have fewer values than needed to
    spread the declared rate over its nodes. The nodes are the declared `nodes`, or as many as
    the rate needs at 70 % of the documented writes of a node, and at least three, as of a small cluster.
    Each node should get

    - 10 values of fields, because values are not written evenly: of the thousands of symbols in
      the documented market data, a few hundred have 90 % of the messages. If the fields declare
      how uneven their values are (`skew="90%:300"`), the rule counts as many values as would
      come evenly with the share of the most frequent one, and half of the nodes are enough. What
      the docstring says ("70 % of orders come from one country", "one tenant is half of the traffic")
      counts as the `skew` of a field that declares none, as a warning at most;
    - or one salt, as in the documentation, because a hash spreads evenly. A salt counts no more
      values than the attributes from which it is computed, and none if these are a day or
      another time that many writes share (see KEY001).

    It is an error if one of these values, however many they are, gets more than 70 % of the documented
    writes of a node, 9,800 a second. Of a field that changes while a row lives, as a status does, all new rows have the same value.

    The rule finds nothing if each value gets 140 events per second or fewer, which a single
    tablet handles with ease (see KEY001), if the key begins with the time (KEY001), or if `events` or the cardinality of a field in front is not declared. A
    number that is declared `sequential=True`, or is a time by its name (KEY001), climbs as a
    time does: offsets of the messages of a few partitions.

Why
    For each value of the fields in front, new rows go to one place: the end of its times. With
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
    Suppress it if you have measured that the few values are written evenly, or if the rate is a
    short peak.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion, salting; market
    data), https://cloud.google.com/bigtable/docs/schema-design (a time after a value of high
    cardinality), https://cloud.google.com/bigtable/docs/performance (writes of a node),
    https://cloud.google.com/bigtable/docs/monitoring-instance (the 70 %, of the CPU of a cluster).
"""

from collections.abc import Iterator, Sequence
from math import prod

from btmodel import design
from btmodel.codecs.key import Kind
from btmodel.design.keys import single
from btmodel.design.spread import Crowd, as_uneven_as_said, behind_few, of_hottest, overloads
from btmodel.lint.finding import Finding, Level, key_fixes
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import counted, quoted


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the first time of a key behind too few values for the declared rate."""
    found, said = behind_few(model), ""
    if found is None:
        uneven = as_uneven_as_said(model)
        if uneven != model:
            model, said, found = uneven, _said(model), behind_few(uneven)
    if found is None:
        return
    yield RULE.finding(
        model,
        f"the key `{model.key.shape}` has {_few(model, found, said)} over {counted(found.nodes, 'node')}{_following(found)}",
        why="after each of these values, new rows go to one place, so a few tablets take every write",
        fix=key_fixes(
            model, lambda key: design.change(model, key), lambda key: design.failing_that(model, key)
        ),
        part=found.time.name,
        at=found.time.location,
        level=Level.ERROR if overloads(of_hottest(model, found)) and not said else Level.WARNING,
    )


def _said(model: ModelSchema) -> str:
    """What the description says of uneven values, which no field declares."""
    from btmodel.design.shares_said import shares_said  # here: this rule is loaded with every model

    shares = (f"`{name}` ({share.words!r})" for name, share in shares_said(model).items())
    return " and of ".join(shares)


def _following(found: Crowd) -> str:
    """A word on salts and hashes that are made of fields beside them, and so divide no value of these."""
    names = {part.name for part in found.front}
    made = [part for part in found.front if part.derived and names.issuperset(part.derived.of)]
    return "".join(
        f"; `{part.name}` follows from {quoted(part.derived.of)}, so it divides none of them"
        for part in made
        if part.derived
    )


def _few(model: ModelSchema, found: Crowd, said: str) -> str:
    """The values in front of the time: few, or one of them with a large share."""
    asked = [part for part in found.front if part.asked and not single(part)]
    share = _share(asked) if any(part.skew for part in asked) else None
    front = {part.name for part in found.front}
    adding = (part for part in found.front if not (part.derived and front.issuperset(part.derived.of)))
    names = quoted(part.name for part in adding if not single(part))
    if share is None:
        few = (
            f"only {counted(found.places, 'value')} ({names}) in front of {_climbing(found.time)}, too few to"
        )
        return f"{few} spread {model.events}"
    one = "one value of it" if len(asked) == 1 else "one combination of their values"
    by = f"what the description says of {said}" if said else "the declared `skew`"
    return (
        f"{names} in front of {_climbing(found.time)}, and by {by} {one} has {100 * share:.3g} % of {model.events}, as if "
        f"there were only {counted(found.places, 'value')}: too few to spread them"
    )


def _share(parts: Sequence[KeyField]) -> float | None:
    """The share of the most frequent combination of values."""
    shares = [
        part.skew.most(part.cardinality) if part.skew else part.cardinality and 1 / part.cardinality
        for part in parts
    ]
    return None if None in shares else prod(share for share in shares if share is not None)


def _climbing(part: KeyField) -> str:
    return f"the time `{part.name}`" if part.codec.kind is Kind.TIME else f"`{part.name}`, which climbs"


RULE: Rule[ModelSchema] = Rule(
    "KEY003",
    "low-cardinality-before-time",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    slow=True,
    levels=(Level.WARNING, Level.ERROR),
)
