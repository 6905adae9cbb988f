"""KEY005 salted-key: a salt that is not needed, or has too many values

What it finds
    A salt (`bt.salt`, or `bt.derived` with `values`) in a key

    - that another field could replace: a key field after it, or a required column with at least
      100 declared values, with UUIDs, or by which a query selects. The rule finds nothing if no
      key without a salt spreads the writes and serves as many of the declared queries: a query
      over all rows by time alone is what a salt is for. A field that declares its `skew` replaces
      a salt only if its values are enough by themselves: what follows it may go with the values
      that come most often;
    - that spreads nothing where it is: after the time, after fields that spread the rows
      already, or without a field after it; or whatever it is made from, if that is a time that
      many writes share. Of fields in front that declare their `skew`, it is information, and nothing if the most
      frequent of their values gets 1,400 writes a second or more, a tenth of those of a node: the salt divides these;
    - with more than 4 values per node (information; a warning from 16 on). The nodes are the
      declared `nodes`, or as many as the rate needs at 70 % of the documented writes of a node, and at
      least the 3 of the documentation. So a cluster that grows to four times its size still has a salt for each node.

    A salt without which the rows would lie together, and whose sources every query gives, costs no
    read: the rule finds nothing in it. In a model without queries, whose rows are found by their whole key, that is a salt
    of all that the key asks for, unless a time is among it.

Why
    Each query that does not give the salt becomes one read per salt value, and the reads are
    merged. A field by which queries select spreads the writes as well, and makes the queries
    cheaper.

Example
    from datetime import datetime

    import btmodel as bt


    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(bt.EpochMicros())

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        user: str = bt.column("USER", metric, cardinality=1_000_000)
        percentage: int = bt.column("PERCENT", metric)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMicros())

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        percentage: int = bt.column("PERCENT", metric)

Allow
    Suppress it if another field does not help, because you have measured that a few of its
    values take most of the writes. If you need a query over all rows by time alone, declare it
    instead.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion is preferred;
    salting only where it does not resolve the hotspot; about as many salts as nodes). The 100 values and
    the factor of 4 are this project's own choice.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import takewhile
from uuid import UUID

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.design.advice import cardinality_text, change, led_to, spreads_surely
from btmodel.design.candidates import asked_for
from btmodel.design.keys import drawn, replaced, written_with_ease
from btmodel.design.proposal import Design, proposed, serves
from btmodel.design.spread import (
    as_uneven_as_said,
    buckets_of,
    crowded,
    divides,
    hot,
    nodes_judged,
    of_busiest,
    oversized,
    timelike,
)
from btmodel.estimates import distinct
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Derived, KeyField, ModelSchema, Rate, RowKey
from btmodel.schema.limits import NODE_ROW_WRITES
from btmodel.words import counted

# So many are no room to grow any more: a query pays for each.
_WASTE = 16
# Writes a second of one value that a salt may divide: a tenth of what a node takes (this project's own figure).
_BORNE = NODE_ROW_WRITES / 10


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each salt that spreads nothing, or that a field could replace; else each one of too many values."""
    salts = [part for part in model.key.fields if part.derived and part.derived.values is not None]
    model = as_uneven_as_said(model) if salts else model
    design = proposed(model) if salts else None
    for part in salts:
        assert design is not None
        if _free(model, part) or divides(model, part):
            continue
        found = _needless(model, part, design) or _replaced(model, part, design) or _too_many(model, part)
        if found is not None:
            message, fix, *level = found
            yield RULE.finding(
                model,
                message,
                why="a query that does not give the salt becomes one read per salt value",
                fix=fix,
                part=part.name,
                at=part.location,
                level=level[0] if level else Level.WARNING,
            )


def _free(model: ModelSchema, salt: KeyField) -> bool:
    """Whether the salt spreads what would lie together, and every read gives it, so that none reads more than once.

    Without queries, rows are found by their whole key; but a time in it, or more fields, may yet be read in ranges.
    """
    of = {*(salt.derived.of if salt.derived else ())}
    whole = not any(timelike(model, part) for part in model.key.asked) and of == {
        part.name for part in model.key.asked
    }
    given = all(of.issubset(query.equal) for query in model.queries) if model.queries else whole
    rest = tuple(part for part in model.key.fields if part != salt)
    return given and not crowded(model) and crowded(evolve(model, key=RowKey(rest, model.key.delimiter)))


def _needless(
    model: ModelSchema, salt: KeyField, design: Design
) -> tuple[str, Fix] | tuple[str, Fix, Level] | None:
    """Message and fix of a salt that spreads nothing where it stands; None where it may."""
    if timelike(model, salt):
        return _constant(model, salt, design)
    rest = tuple(part for part in model.key.fields if part != salt)
    without = evolve(model, key=RowKey(rest, model.key.delimiter))
    ahead = tuple(takewhile(lambda part: part != salt, model.key.fields))
    behind_time = any(timelike(model, part) for part in ahead)
    busiest = of_busiest(without)
    spread = not hot(without) and _borne(without) and _surely_enough(without, ahead)
    last = model.key.fields[-1] == salt and bool(rest) and any(part.asked for part in rest)
    lost = [query for query in model.queries if serves(model.key, query) and not serves(without.key, query)]
    if lost or not (behind_time or spread or last):
        return None
    where = "no field follows it" if last else "the fields in front of it spread the rows already"
    why = "it comes after the time" if behind_time and not last else where
    fix = Fix(f"leave it out: `{drawn(model.key, rest)}`", (without,))
    if salt in design.dropped:
        fix = _by_key(model)
    if busiest is not None and not (last or behind_time):
        message = f"the salt `{salt.name}` of `{model.key.shape}` spreads little: {_of_place(busiest)}"
        return message, fix, Level.INFO
    return f"the salt `{salt.name}` of `{model.key.shape}` spreads nothing: {why}", fix


def _borne(model: ModelSchema) -> bool:
    """Whether the most frequent of uneven values gets so little that nobody divides its writes; true of values that do not say so."""
    return (of_busiest(model) or 0) < _BORNE


def _of_place(busiest: float) -> str:
    return f"as unevenly as the values come, the most frequent one gets about {Rate(float(round(busiest)))}, which one place takes"


def _constant(model: ModelSchema, salt: KeyField, design: Design) -> tuple[str, Fix]:
    """Message and fix of a salt that is the same in all that is written at one time."""
    rest = tuple(part for part in model.key.fields if part != salt)
    without = evolve(model, key=RowKey(rest, model.key.delimiter))
    plain = Fix(f"leave it out: `{drawn(model.key, rest)}`", (without,))
    fix = _by_key(model) if salt in design.dropped else plain
    of = "`, `".join(salt.derived.of if salt.derived else ())
    return (
        f"the salt `{salt.name}` of `{model.key.shape}` spreads nothing: it is computed from `{of}`, "
        "which stays the same, or climbs, while rows are written",
        fix,
    )


def _surely_enough(model: ModelSchema, ahead: tuple[KeyField, ...]) -> bool:
    """Whether the fields ``ahead`` are known to be enough."""
    judged = RowKey(ahead, model.key.delimiter)
    counted = model.events is not None and distinct(ahead) not in (None, 1) and bool(judged.asked)
    return counted or spreads_surely(evolve(model, key=judged))


def _replaced(model: ModelSchema, salt: KeyField, design: Design) -> tuple[str, Fix] | None:
    """Message and fix of a salt in whose place a field surely does; None where none does."""
    if salt not in design.dropped or design.salts or design.invented or design.hot:
        return None
    if any(serves(model.key, query) and not serves(design.key, query) for query in model.queries):
        return None  # a read for each salt may be cheaper than a second table
    better = design.column
    front = {part.name for part in _ahead_of_time(design)}
    if better is None or better.name not in front:
        field = _spreading(design)
        if field is None:
            return None
        named = cardinality_text(field.name, field.cardinality)
    else:
        known = better.expected.cardinality is not None or better.codec.python_type is UUID
        if not better.required or not (known or better.name in asked_for(model)):
            return None
        named = _column(better)
    return (
        f"the salt `{salt.name}` spreads the rows of `{model.key.shape}`, but {named} would spread them as well",
        _by_key(model),
    )


def _by_key(model: ModelSchema) -> Fix:
    """The proposed key as the fix."""
    design, models = led_to(model)[0]
    return Fix(change(model, design), models)


def _ahead_of_time(design: Design) -> list[KeyField]:
    """The fields of the proposed key in front of its time, which spread the rows; an id behind it only tells them apart."""
    return [*takewhile(lambda part: part.codec.kind is not Kind.TIME, design.key.fields)]


def _spreading(design: Design) -> KeyField | None:
    """The field of the most declared values in front of the time."""
    known = [part for part in _ahead_of_time(design) if part.cardinality is not None and part.asked]
    uneven = any(part.skew for part in known)
    counted = design.model.events is not None and not uneven and not hot(design.model)
    enough = counted or spreads_surely(design.model)
    return max(known, key=lambda part: part.cardinality or 0, default=None) if enough else None


def _too_many(model: ModelSchema, salt: KeyField) -> tuple[str, Callable[[], Iterable[Fix]], Level] | None:
    """Message, fixes and level of a salt of more values than the nodes need; None of others."""
    if salt.derived is None or not oversized(model, salt):
        return None
    values, least = salt.derived.values or (), nodes_judged(model)
    return (
        f"the salt `{salt.name}` has {counted(len(values), 'value')}, many more than {counted(least, 'node')} need",
        partial(_fewer, model, salt, salt.derived, least),
        Level.INFO if len(values) < _WASTE * least else Level.WARNING,
    )


def _fewer(model: ModelSchema, salt: KeyField, derived: Derived, least: int) -> Iterator[Fix]:
    """No salt, where the rest of the key does without; else one of as many values as are needed."""
    rest = RowKey(tuple(part for part in model.key.fields if part != salt), model.key.delimiter)
    without = evolve(model, key=rest)
    if model.events is not None and not crowded(without) and _borne(without):
        busiest = of_busiest(without)
        why = (
            f"as one place takes {model.events}"
            if written_with_ease(model)
            else "as the rest of the key spreads the rows"
        )
        why = why if busiest is None else f"as, {_of_place(busiest)}"
        yield Fix(f"leave it out, {why}: `{drawn(model.key, rest.fields)}`", (without,))
    few = buckets_of(model)
    fewer = evolve(salt, cardinality=few, derived=evolve(derived, values=(derived.values or ())[:few]))
    yield Fix(f"give it {_enough(few, least)}: `buckets={few}`", (replaced(model, salt, fewer),))


def _enough(few: int, nodes: int) -> str:
    return "about as many values as there are nodes" if few == nodes else "as many values as the rate needs"


def _column(column: Column) -> str:
    return f"the column {cardinality_text(column.name, column.expected.cardinality)}"


RULE: Rule[ModelSchema] = Rule(
    "KEY005", "salted-key", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING, Level.INFO)
)
