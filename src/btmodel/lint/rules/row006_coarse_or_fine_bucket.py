"""ROW006 coarse-or-fine-bucket: a bucket that is much longer or shorter than the declared queries

What it finds
    A query between two times, with a declared `span`, that reads more than 100 rows of a
    bucket, or has a bucket more than 10 times as long as the span, if another bucket would suit
    it better without being as bad for another query. It is a warning if a row has one event, so that the bucket gathers
    nothing, and the query reads more than 10,000 of them; else information.

Why
    Bigtable reads whole rows. If rows are much longer than the query, the reader drops most of
    what it reads. If they are much shorter, a query reads many rows instead of one with the
    same events.

Example
    from datetime import datetime

    import btmodel as bt


    class Load(bt.Model, table="LOAD", bucket="minute", events="1000/s"):
        host: str = bt.key(bt.Text(width=20), cardinality=1_000)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        data = bt.family("d", gc=bt.max_versions(60))
        load: bt.History[float] = bt.history("load", data, every="1s")

        of_host = bt.query("host", between="minute", span="1day")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Load(bt.Model, table="LOAD", bucket="hour", events="1000/s"):
        host: str = bt.key(bt.Text(width=20), cardinality=1_000)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        data = bt.family("d", gc=bt.max_versions(3_600))
        load: bt.History[float] = bt.history("load", data, every="1s")

        of_host = bt.query("host", between="hour", span="1day")

Allow
    Suppress it if rows would otherwise grow too large, or if the table exists already; say
    which.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (time buckets: their size depends on
    the queries, and on the limits of a row). The 100 rows and the 10 times are this project's own choice.
"""

from collections.abc import Iterator
from datetime import timedelta

from attrs import evolve

from btmodel.design.series import ROW_EVENTS, key_of_buckets, slot_names
from btmodel.estimates import events_in, events_of_row, pace
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import raised
from btmodel.lint.row_size import light
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Bucket, ModelSchema, Query
from btmodel.schema.bucket import SlotFormat, TimeBucket
from btmodel.source_text import gc_code
from btmodel.words import duration_text, one

ROWS = 100
# Rows of one event each, which one query should not have to read (this project's own figure).
_VERY_MANY = 10_000
TIMES = 10


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the first query that is far from the bucket, where another bucket would do."""
    field, bucket = model.bucket_field, model.bucket
    if field is None or bucket is None:
        return
    asked = [(query, query.span) for query in model.queries if query.between == field.name and query.span]
    far = next(((query, span) for query, span in asked if _far(bucket, span)), None)
    if far is None:
        return
    better = _better(model, [span for _, span in asked], far[1])
    if better is not None:
        yield _finding(model, bucket, better, *far)


def _far(bucket: TimeBucket, span: timedelta) -> bool:
    return span / bucket.longest > ROWS or bucket.longest / span > TIMES


def _better(model: ModelSchema, spans: list[timedelta], span: timedelta) -> Bucket | None:
    """The longest bucket within the span, or else the shortest that is near, of those that suit all queries."""
    fit = [
        bucket for bucket in Bucket if _fits(model, bucket) and not any(_far(bucket, one) for one in spans)
    ]
    within = [bucket for bucket in fit if bucket.longest <= span]
    return within[-1] if within else next(iter(fit), None)


def _fits(model: ModelSchema, bucket: Bucket) -> bool:
    """Whether rows of ``bucket`` can hold the events of the model: not too many, and slots that fill it."""
    for column in model.series:
        found = pace(model, column)
        if (
            found is not None
            and events_in(bucket.longest, found) > ROW_EVENTS
            and not _lighter(model, bucket)
        ):
            return False
        if column.slots is not None and slot_names(column.slots.every, bucket) is None:
            return False
    return True


def _lighter(model: ModelSchema, bucket: Bucket) -> bool:
    """Whether rows of ``bucket``, of many events, are finer than what there is, and of few bytes."""
    finer = evolve(model, bucket=bucket)
    return model.bucket is not None and bucket.longest < model.bucket.longest and light(finer, model)


def _finding(
    model: ModelSchema, bucket: TimeBucket, better: Bucket, query: Query, span: timedelta
) -> Finding:
    usual = duration_text(span)
    if span > bucket.longest:
        what = f"reads about {span / bucket.longest:,.0f} rows of {one(bucket.words)}"
        why = "fewer rows with the same events are cheaper to read and store"
    else:
        what = f"reads rows of {one(bucket.words)}, {bucket.longest / span:,.0f} times as long"
        why = "a row is read completely, and the query needs only a small part of it"
    return RULE.finding(
        model,
        f"the query `{query.name}` asks for {usual} and {what}",
        why=why,
        fix=_fix(model, better),
        part=query.name,
        at=query.location,
        level=Level.WARNING if span / bucket.longest > _VERY_MANY and _alone(model) else Level.INFO,
    )


def _alone(model: ModelSchema) -> bool:
    """Whether each row of the bucket has one event, as declared."""
    counts = [column.slots.count if column.slots else events_of_row(model, column) for column in model.series]
    return bool(counts) and all(count == 1 for count in counts)


def _fix(model: ModelSchema, bucket: Bucket) -> Fix:
    """The key, and what else must change for the events of the longer rows: the names of slots, and the rules."""
    key = key_of_buckets(model, bucket)
    text = f'make rows of {one(bucket.value)}, `bucket="{bucket.value}"`: {key}'
    ranks: dict[str, int] = {}
    columns = []
    for column in model.columns:
        held, found = column, pace(model, column)
        if column.slots is not None and (names := slot_names(column.slots.every, bucket)) is not None:
            text += f'; `{column.name}` with `qualifier="{names}"`'
            held = evolve(column, slots=SlotFormat(names, column.slots.every, bucket))
        if column in model.series:
            events = 1 if found is None or column.shape.slotted else events_in(bucket.longest, found)
            ranks[column.family] = max(events, ranks.get(column.family, 1))
        columns.append(held)
    families = []
    for family in model.families:
        rank, rule = ranks.get(family.id), family.gc
        if rank is not None and rule is not None and rule.deletes(bucket.longest, rank):
            rule = raised(rule, bucket.longest, rank)
            text += f'; `bt.family("{family.id}", gc={gc_code(rule)})`'
        families.append(evolve(family, gc=rule))
    made = evolve(key.given(model), bucket=bucket, columns=tuple(columns), families=tuple(families))
    return Fix(text, (made,), instead=key.instead)


RULE: Rule[ModelSchema] = Rule(
    "ROW006",
    "coarse-or-fine-bucket",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.INFO, Level.WARNING),
)
