"""KEY023 copies-share-key: a second table of the same events whose key lacks what identifies them in the first

What it finds
    Two tables of the same declared `events`, of which the second has a time in its key and no attribute that the first lacks, so it holds the same rows in another order, as one
    of `bt.twins` does; and a field of the first key that is not in the second key. Two rows of the first table that differ in this field alone have one row in the
    second. The rule finds nothing where rows of the second table gather several events, where its docstring says that a row is a summary, where its key has a field that
    identifies the event otherwise, and where the second table suppresses KEY017, as there the later event is meant to replace the earlier one. Where KEY017 finds the second table by its rate, too, this
    rule says it, unless that one is an error.

Why
    A row key exists once. Of two events with the same second key, the later one overwrites the first one there, and the query of the second table never returns it. How rarely
    they come does not help.

Example
    from datetime import date

    import btmodel as bt


    class Item(bt.Model, table="item", events="200/day"):
        item: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        office: str = bt.column("office", i)
        found: date = bt.column("found", i)

        one = bt.query("item")


    class ItemOfOffice(bt.Model, table="item_of_office", events="200/day"):
        office: str = bt.key(bt.Text(width=4), cardinality=1_200)
        found: date = bt.key(bt.DateText())

        i = bt.family("i", gc=bt.max_versions(1))
        item: str = bt.column("item", i)

        of_office = bt.query("office", between="found")

Use instead
    from datetime import date

    import btmodel as bt


    class Item(bt.Model, table="item", events="200/day"):
        item: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        office: str = bt.column("office", i)
        found: date = bt.column("found", i)

        one = bt.query("item")


    class ItemOfOffice(bt.Model, table="item_of_office", events="200/day"):
        office: str = bt.key(bt.Text(width=4), cardinality=1_200)
        found: date = bt.key(bt.DateText())
        item: str = bt.key(bt.HexDigest(16), cardinality=1_000_000, mirror="i:item")

        i = bt.family("i", gc=bt.max_versions(1))

        of_office = bt.query("office", between="found")

Allow
    Suppress it if the second table is meant to hold the last event of each of its keys; say so.

Source
    https://cloud.google.com/bigtable/docs/schema-design (each row key must be unique),
    https://cloud.google.com/bigtable/docs/schema-design-time-series (row keys: two players on one day).
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import inf

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.design.candidates import adjusted
from btmodel.design.copied_rows import a_row_each
from btmodel.design.event_ids import identifies_events
from btmodel.design.keys import single
from btmodel.design.related_tables import attribute_types, identity
from btmodel.design.series import colliding
from btmodel.estimates import timed
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.lint.summaries import summary
from btmodel.schema import Column, KeyField, ModelSchema
from btmodel.words import quoted


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each table that copies another one and lacks a field of its key, once."""
    reported = set()
    # Most models cannot be such tables at all, and pairs of a thousand models are a million.
    tables = sorted(filter(a_row_each, models), key=identity)
    for model, other in permutations(tables, 2):
        lacking = _lacking(model, other) if identity(other) not in reported else []
        if lacking and not any(_of_both(first, model, other) for first in tables):
            reported.add(identity(other))
            yield _finding(model, other, lacking)


def _lacking(model: ModelSchema, copy: ModelSchema) -> list[KeyField]:
    """The fields of the key of ``model`` without which rows of ``copy`` that are different there have one key; none of what is no copy."""
    names = {part.name for part in copy.key.asked}
    own = [part for part in model.key.asked if part.codec.kind is not Kind.TIME and not single(part)]
    left = [part for part in own if part.name not in names]
    # Of a log of a lot, the log is enough.
    finest = max(own, key=lambda part: part.cardinality or inf, default=None)
    if finest not in left or not _copied(model, copy):
        return []
    if "KEY017" in copy.allow and colliding(copy) is not None:
        return []
    if finest is None or _valued(model, copy, finest):
        return []
    return [] if _apart(model, copy) or any(summary(copy, time) for time in timed(copy)) else left


def _of_both(first: ModelSchema, model: ModelSchema, copy: ModelSchema) -> bool:
    """Whether both are copies of a third table, of which the second keeps each row apart: one may have a column of it in its key that says nothing more of a row."""
    if first is model or first is copy or not (_copied(first, model) and _copied(first, copy)):
        return False
    own = {part.name for part in first.key.asked if not single(part)}
    return all(own <= {part.name for part in each.key.asked} for each in (model, copy)) and not _lacking(
        model, first
    )


def _valued(model: ModelSchema, copy: ModelSchema, part: KeyField) -> bool:
    """Whether ``copy`` is the first table: the key of ``model`` is its own with a value in it that identifies nothing, or that rows may lack."""
    column = next((column for column in copy.columns if column.name == part.name), None)
    if column is None:
        return False
    within = {one.name for one in copy.key.asked} <= {one.name for one in model.key.asked}
    return not column.required or (within and not identifies_events(evolve(copy, events=None), column))


def _copied(model: ModelSchema, copy: ModelSchema) -> bool:
    """Whether all of a table is in the other one, which has as many events."""
    if model.table == copy.table or model.events != copy.events or not timed(copy):
        return False
    known, held = attribute_types(model), attribute_types(copy)
    return held.items() <= known.items() and bool(copy.columns)


def _apart(model: ModelSchema, copy: ModelSchema) -> bool:
    """Whether a field of the second key identifies the event, as a column of the first table."""
    columns = {column.name: column for column in model.columns}
    fields = [columns[part.name] for part in copy.key.asked if part.name in columns]
    derived = any(part.derived and part.derived.values is None for part in copy.key.fields)
    unrated = evolve(
        model, events=None
    )  # a number of values says how many things there are, and not that each has one event
    return derived or any(identifies_events(unrated, column) for column in fields)


def _finding(model: ModelSchema, copy: ModelSchema, lacking: Sequence[KeyField]) -> Finding:
    names = quoted(part.name for part in lacking)
    return RULE.finding(
        copy,
        f"rows of {model.name}, `{model.key.shape}`, are written here, too, and the key `{copy.key.shape}` lacks {names}: those that differ in nothing else have one row",
        why="a row key exists only once, so the later event silently replaces the earlier one here, however rarely they come",
        fix=_with(copy, lacking),
        part=copy.key.asked[-1].name,
        at=copy.key.asked[-1].location or copy.location,
        level=Level.WARNING,
    )


def _with(copy: ModelSchema, lacking: Sequence[KeyField]) -> Fix:
    """The key of the copy with these fields at its end; a column becomes a field, which keeps its cell if the row has no other."""
    names = {part.name for part in lacking}
    held = [column.name for column in copy.columns if column.name in names]
    fields = (
        *copy.key.fields,
        *(evolve(part, mirror=None, optional=False, location=None) for part in lacking),
    )
    columns = tuple(column for column in copy.columns if column.name not in names)
    made = adjusted(copy, evolve(copy, key=evolve(copy.key, fields=fields), columns=columns))
    cells = "".join(_kept(column) for column in copy.columns if column.name in names) if not columns else ""
    what = f"make {quoted(held)} a part of the key" if len(held) == len(lacking) else f"add {quoted(names)}"
    return Fix(f"{what}, behind the rest: `{made.key.shape}`{cells}", (made,))


def _kept(column: Column) -> str:
    return f', and keep its cell, `mirror="{column.cell}"`, as a row needs one'


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "KEY023",
    "copies-share-key",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING,),
)
