"""FAM006 gc-drops-events: a GC rule that deletes events of a bucket that is still open

What it finds
    A family in a model with a bucket whose GC rule would delete the first events of a bucket
    before its end: it keeps fewer versions than one row gets in a history or in marks (equal
    values share a column), or an age that is shorter than the bucket. The rule computes the
    events of a row from `every` of the column, or from `events` of the model and the number of
    keys. If neither is known, it judges only ages.

Why
    The service silently deletes what was written first, so a row for a week holds less than a
    week.

Example
    from datetime import date

    import btmodel as bt


    class BalloonWeek(bt.Model, table="balloon_weeks", bucket="week", events="20000/min"):
        balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
        week: date = bt.key(bt.IsoWeek())

        m = bt.family("m", gc=bt.max_versions(1_000))
        pressure: bt.History[int] = bt.history("pressure", m, every="1min")

        of_balloon = bt.query("balloon", between="week")

Use instead
    from datetime import date

    import btmodel as bt


    class BalloonWeek(bt.Model, table="balloon_weeks", bucket="week", events="20000/min"):
        balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
        week: date = bt.key(bt.IsoWeek())

        m = bt.family("m", gc=bt.max_versions(10_080))
        pressure: bt.History[int] = bt.history("pressure", m, every="1min")

        of_balloon = bt.query("balloon", between="week")

Allow
    Suppress it if the row is meant to be a window on the newest events of its bucket; say how
    long the window is.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (time buckets, a new cell
    an event: 10,080 cells in a week, if the garbage-collection policy allows them),
    https://cloud.google.com/bigtable/docs/garbage-collection.
"""

from collections.abc import Iterator, Sequence

from btmodel.estimates import events_of_row
from btmodel.lint.finding import ArgumentEdit, Finding
from btmodel.lint.retention import raised
from btmodel.lint.rule import Rule
from btmodel.schema import Column, Family, GcRule, ModelSchema
from btmodel.schema.bucket import TimeBucket
from btmodel.source_text import gc_code
from btmodel.words import one


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family that does not keep the events of its columns up to the end of the bucket."""
    if model.bucket is None:
        return
    for family in model.families:
        columns = [column for column in model.series if column.family == family.id]
        if not columns or family.gc is None:
            continue
        rank = max(_versions(model, column) for column in columns)
        if family.gc.deletes(model.bucket.longest, rank):
            yield _finding(model, model.bucket, family, family.gc, columns, rank)


def _versions(model: ModelSchema, column: Column) -> int:
    """How many versions of a cell the events of one row may make, as far as that is known."""
    return 1 if column.shape.slotted else events_of_row(model, column) or 1


def _finding(
    model: ModelSchema,
    bucket: TimeBucket,
    family: Family,
    rule: GcRule,
    columns: Sequence[Column],
    rank: int,
) -> Finding:
    named = ", ".join(f"`{column.name}`" for column in columns[:4]) + (", ..." if columns[4:] else "")
    events = f", and {one(bucket.words)} has up to {rank:,} events in a column" if rank > 1 else ""
    shared = any(column.shape.marked for column in columns)
    fewer = any(not column.shape.slotted and column.expected.every is None for column in columns)
    kept = gc_code(raised(rule, bucket.longest, rank))
    return RULE.finding(
        model,
        f"family {family.id!r} keeps {rule}{events}: it deletes the first ones in {named} before {one(bucket.words)} is over"
        if events
        else f"family {family.id!r} keeps {rule}: it deletes the first events in {named} before {one(bucket.words)} is over",
        why="what is written first in a row is silently deleted while the row still grows"
        + ("; marks of one value share a column, so any of them may have as many versions" if shared else ""),
        fix=f'keep a whole {bucket.noun}: `bt.family("{family.id}", gc={kept})`'
        + (
            '; or, if a row gets fewer events, declare how often: `every="5min"`'
            if rank > 1 and fewer
            else ""
        ),
        part=family.id,
        at=family.location,
        edit=ArgumentEdit("gc", kept),
    )


RULE: Rule[ModelSchema] = Rule("FAM006", "gc-drops-events", check, page=__doc__)
