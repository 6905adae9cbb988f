"""FAM006 gc-drops-events: a GC rule that deletes events before all of them are there

What it finds
    A family in a model with a bucket whose GC rule would delete the first events of a bucket
    before its end: it keeps fewer versions than one row gets in a history or in marks (equal
    values share a column), or an age that is shorter than the bucket. The rule computes the
    events of a row from `every` of the column, or from `events` of the model and the number of
    keys. If neither is known, it judges only ages. Where the rate gives more events than `every` does, the fix has no number of versions.

    In a model without a bucket, a history in a family that keeps one version is a warning: it is never more than its newest value. The fix
    keeps as many as the description says by the name of the history, or as values ("the last five prices", "the two previous versions", which are three with the newest). It
    has an age only if the description of the model says for how long ("the last two years", "six years back", "kept for six years"), and adds `every` to it, as
    what held when that time began was written before; or if the rule has one beside the number of versions, which the fix then leaves out, unless a row would have more than 10,000 versions. It never deletes the newest value where the rule keeps it, or the description says that it stays ("counts until another is set"). If the description wants "each dose that was ever set", the fix keeps all of them.
    A history that declares by `keep` that it wants more is reported by FAM005 alone.

    A family whose rule deletes, by its age, a part of what a query reads by its declared `span` is an error, too, if the
    rows that the query reads have nothing in other families that is kept for longer.

    If a model declares how late events arrive (`lateness="2d"`), a family whose rule deletes what
    arrives so late, by its age, is a warning: the age of a cell counts from its timestamp, and that
    is the time of the event in histories, marks, `bt.timed`, `bt.timestamp()` and
    `timestamp="field"`, and the start of the span in a counter with `every`. A bucket takes events
    until its end, and as much longer as they are late. If versions delete it, because so many newer events are
    already there by the rate of the row, the finding is information. Where a query reads a `span` that is over before all of its events are there, what is late
    must be kept for that span, too. The fix keeps what is late for as long as the rule keeps the rest. Where events are later than that age, it is also a fix to let the age count
    from the writing, without `timestamp=`: the first one, if they are later than a year, or the docstring says that they are imported or typed in.

    A family whose age counts from a key field (`timestamp="field"`) that is declared not to be the time of writing (`sequential=False`), in a model without `lateness`, is a
    warning: what is old when it is written is deleted at once, and what is written ahead of that time stays until then, and the age longer. The second is one with `lateness`, too, if the description
    says it ("up to eleven months ahead", "in advance"). So is a family whose age counts from a `bt.timestamp()` that is longer ago, in a sentence of the docstring that speaks of it ("signed between 1971 and last week"). If it says that rows go some time after that field ("30 days after the departure"), nothing is found.

    A rollup is a warning if the table's family of what it sums up deletes by age before a group is over and could be read: the age is shorter
    than the month, week or day of a group and a quarter of it, or than the `span` of a query of the rollup, or than the time that its docstring wants together, and a group more ("for the
    yearly bill", "compared with last year"). A rollup without a time in its key is a
    warning, too, as its sums are those of the last days; unless its description says so ("in the last 30 days").

Why
    The service silently deletes what was written first, so a row for a week holds less than a
    week. Versions and ages go by the timestamps of cells, not by the order in which they are
    written, so an event that is written late may be deleted at once, and no read shows it.

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
    Suppress it if the sums of a rollup are meant to be those of the events that are left. Suppress it if the row is meant to be a window on the newest events of its bucket; say how
    long the window is. Suppress it if no program needs what arrives too late; say why it is written.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (time buckets, a new cell
    an event: 10,080 cells in a week, if the garbage-collection policy allows them),
    https://cloud.google.com/bigtable/docs/garbage-collection (the age of a cell is that of its timestamp),
    https://cloud.google.com/bigtable/docs/continuous-materialized-views (a view follows the garbage collection of its table; the
    quarter is this project's own choice).
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from math import ceil

from attrs import evolve

from btmodel.design.hints import called_ahead
from btmodel.design.series import unit
from btmodel.estimates import events_in, events_of_row, pace, rate_of_one, stated_every, timed
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family, moved, raised, without_past
from btmodel.lint.rule import Rule
from btmodel.schema import (
    Column,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Query,
    Stamp,
    Union,
    View,
)
from btmodel.schema.bucket import TimeBucket
from btmodel.schema.gc import keeps_for_ever, kept_text, oldest, simplified
from btmodel.schema.model import Clock
from btmodel.source_text import gc_code
from btmodel.words import duration_text, one, quoted

_NONE = timedelta(0)
_HOUR = timedelta(hours=1)
# More versions of a row than that are not proposed (this project's own figure).
_MANY = 10_000
# Versions of which it is proved that a history may keep some.
_SOME = 100
_YEAR = timedelta(days=365)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family that does not keep the events of its columns up to the end of the bucket, or until the late ones are there."""
    if model.view is not None and model.view.sums and model.view.source is not None:
        yield from _rolled_up(model, model.view, model.view.source)
    for family in model.families:
        if family.gc is None:
            continue
        columns = [column for column in model.series if column.family == family.id]
        rank = max((_versions(model, column) for column in columns), default=1)
        if model.bucket is not None and columns and family.gc.deletes(model.bucket.longest, rank):
            most = max(rank, *(_by_rate(model, model.bucket, column) for column in columns))
            yield _finding(model, model.bucket, family, family.gc, columns, most, sure=most == rank)
        elif model.bucket is None and (past := without_past(model, family, family.gc)):
            unsaid = [one for one in past if not _wanted(one)]  # of the others, FAM005 says so
            if unsaid:
                yield _newest_alone(model, unsaid, family, family.gc)
        elif (query := _longer(model, family, family.gc)) is not None:
            yield _asked_too_late(model, query, family, family.gc)
        elif other := list(_aged_otherwise(model, family, family.gc)):
            yield from other
        elif model.lateness is not None:
            yield from _late(model, model.lateness, family, family.gc)


def _rolled_up(model: ModelSchema, view: View, source: ModelSchema) -> Iterator[Finding]:
    """The first family of the table from which a part of the sums of a group is deleted before anybody could read them."""
    from btmodel.lint.groups_kept import group_of, kept_longer, shrinking  # here: few models are rollups

    group = group_of(model)
    found = next(shrinking(model, view, source, group), None)
    if found is None:
        return
    family, rule, named = found
    said = f", and the description says {group.said!r}" if group.said else ""
    yield RULE.finding(
        model,
        f"{quoted(named)} {group.in_words}{said}, but family {family.id!r} of `{source.name}` keeps {kept_text(rule)}",
        why="what is deleted from the table, also by garbage collection, leaves the sums, which shrink without an error",
        fix=kept_longer(model, view, source, family, rule, group),
        part=None if group.time is None else group.time.name,
        at=model.location if group.time is None else group.time.location,
        level=Level.WARNING,
    )


def _wanted(column: Column) -> bool:
    """Whether the column declares that it keeps more than its newest value."""
    return column.expected.keep is not None and not column.expected.keep.deletes(_NONE, 2)


def _newest_alone(model: ModelSchema, past: Sequence[Column], family: Family, rule: GcRule) -> Finding:
    """How many events are wanted is not guessed: the description may say for how long, and an age keeps them then, however often they come."""
    from btmodel.lint.descriptions import (
        EACH_EVER,
        HOWEVER_OLD,
        past_of,
    )  # here: this rule is loaded with every model

    column = past[0]
    stays = HOWEVER_OLD.search(" ".join(model.doc.split()))
    lasting = keeps_for_ever(rule) or stays is not None
    every, asked = stated_every(column), past_of(model)
    count = 0 if every is None or asked is None else ceil(asked / every)
    plain = "; or, if the newest value is enough, declare a plain column"
    if stays is not None and not keeps_for_ever(rule):
        plain += f', in a family that keeps it: `bt.family("{family.id}", gc=bt.max_versions(1))`'
    if (numbered := _as_many(model, past, family, rule)) is not None:
        fix = evolve(numbered, otherwise=plain)
    elif asked is not None and (every is None or count <= _MANY):
        whole = asked + (every or _NONE)  # what held when that time began was written before
        aged = Intersection((MaxVersions(1), MaxAge(whole)))
        kept = gc_code(aged if lasting else raised(rule, whole, max(count, 2) if every else _SOME))
        newest = ", and the newest, however old it is" if lasting else ""
        text = f'keep those of {duration_text(asked)}, as the description says{newest}: `bt.family("{family.id}", gc={kept})`'
        if not lasting:
            plain = f"; or, if the newest must stay, however old it is, `gc={gc_code(aged)}`{plain}"
        fix = Fix(text, edit=ArgumentEdit("gc", kept), otherwise=plain)
    elif asked is None and EACH_EVER.search(" ".join(model.doc.split())):
        fix = _for_good(model, past, family)
    elif (age := _age_beside(rule)) is not None and every and _of_a_row(model, age) / every <= _MANY:
        text = f"leave out the number of versions, so that those of {duration_text(age)} are kept: "
        kept = gc_code(MaxAge(age))
        fix = Fix(
            f'{text}`bt.family("{family.id}", gc={kept})`', edit=ArgumentEdit("gc", kept), otherwise=plain
        )
    else:
        row = _of_a_row(model, _YEAR)
        what = "a year" if row == _YEAR else "a row"
        year = "" if every is None or every > row / 2 else f", of which {what} has {row // every:,}"
        text = (
            f"how many are read, only you know; keep as many, by their number, `gc=bt.max_versions(...)`{year}, or by an age, which leaves the newest, "
            "`gc=bt.max_versions(1) & bt.max_age(...)`"
        )
        fix = Fix(text, as_if=ArgumentEdit("gc", gc_code(raised(rule, _NONE, _SOME))), otherwise=plain)
    return RULE.finding(
        model,
        f"`{column.name}` is a history, but family {family.id!r} keeps {kept_text(rule)}",
        why="each event deletes the one before it, so a history that is read is never longer than one"
        + (
            ""
            if stays is None or keeps_for_ever(rule)
            else f"; and the age deletes the newest, too, though the description says {stays[0]!r}"
        ),
        fix=fix,
        part=family.id,
        at=family.location,
        level=Level.WARNING,
    )


def _as_many(model: ModelSchema, past: Sequence[Column], family: Family, rule: GcRule) -> Fix | None:
    """As many versions as the description says; None where it says no number."""
    from btmodel.lint.numbers_kept import number_kept  # here: this rule is loaded with every model

    numbers = filter(None, (number_kept(model, column) for column in past))
    said, count = max(numbers, key=lambda number: number[1], default=("", 0))
    if not 1 < count <= _MANY:
        return None
    kept = gc_code(raised(rule, _NONE, count))
    text = f'keep as many, as the description says {said!r}: `bt.family("{family.id}", gc={kept})`'
    return Fix(text, edit=ArgumentEdit("gc", kept))


def _age_beside(rule: GcRule) -> timedelta | None:
    """The age that a rule names beside a number of versions, of which the smaller one counts; None where it names none."""
    if not isinstance(rule, Union) or not all(isinstance(one, MaxAge | MaxVersions) for one in rule.rules):
        return None
    return min((one.age for one in rule.rules if isinstance(one, MaxAge)), default=None)


def _of_a_row(model: ModelSchema, most: timedelta) -> timedelta:
    """The span of time of which a row holds the events: that of the finest time in its key, or ``most``."""
    units = (unit(part) for part in timed(model) if part.sequential is not False)
    return min((found for found in units if found), default=most)


def _for_good(model: ModelSchema, past: Sequence[Column], family: Family) -> Fix:
    """The histories with all of their values, in a family of their own where other cells have the one that they are in."""
    held = {one.name for one in model.columns if one.family == family.id}
    mirrored = any(part.mirror and part.mirror.family == family.id for part in model.key.fields)
    if held == {one.name for one in past} and not mirrored:
        text = f'keep each value that ever was, as the description says: `bt.family("{family.id}", gc=bt.keep_all())`'
        return Fix(text, edit=ArgumentEdit("gc", "bt.keep_all()"))
    home, made = Family(free_family(model, family.id), KeepAll()), model
    for column in past:
        made = moved(made, column, home)
    own = "a family of its own" if len(past) == 1 else "a family of their own"
    named = ", ".join(f"`{one.name}`" for one in past)
    text = f"give {named}, of which the description wants each value that ever was, {own}: `{declared_family(home)}`"
    return Fix(text, (made,))


def _longer(model: ModelSchema, family: Family, rule: GcRule) -> Query | None:
    """The query of the longest span of time of which the rule has deleted a part; None if none has cells of another family left."""
    times = {part.name for part in timed(model) if part.sequential is not False}
    spans = [(query.span, query) for query in model.queries if query.between in times and query.span]
    age = oldest(rule) if spans and not rule.given else None
    if age is None:
        return None
    lost = [
        (span, query) for span, query in spans if span > age and _lasts_longest(model, query, family, age)
    ]
    return max(lost, key=lambda each: each[0], default=(None, None))[1]


def _lasts_longest(model: ModelSchema, query: Query, family: Family, age: timedelta) -> bool:
    """Whether the rows that the query reads have cells in the family, and none, by its rule, that is older."""
    read = [column for column in model.columns if not query.only or column.name in query.only]
    held = [column for column in read if column.family == family.id]
    aged = bool(held) and not any(model.clock(column) in (Clock.END, Clock.FIXED) for column in held)
    ids = {column.family for column in read}
    ids |= {part.mirror.family for part in model.key.fields if part.mirror}
    rules = [one.gc for one in model.families if one.id in ids]
    return aged and all(
        rule is not None and not rule.given and (oldest(rule) or timedelta.max) <= age for rule in rules
    )


def _asked_too_late(model: ModelSchema, query: Query, family: Family, rule: GcRule) -> Finding:
    column = next(column for column in model.columns if column.family == family.id)
    late, _ = _lateness(model, family)
    also = rule.deletes(late, 1)
    # The oldest row of a span began up to one unit of its time before the span does.
    time = next((part for part in model.key.fields if part.name == query.between), None)
    whole = (unit(time) or _NONE) if time is not None else _NONE
    needed = max(
        (query.span or _NONE) + (whole if whole >= _HOUR else _NONE),
        late + (oldest(rule) or _NONE) if also else _NONE,
    )
    kept = gc_code(raised(rule, needed, 1))
    return RULE.finding(
        model,
        f"the query `{query.name}` reads {duration_text(query.span or _NONE)}, but family {family.id!r} keeps {kept_text(rule)}, counted from "
        f"{model.clock(column).value}",
        why="what is older than the rule allows is silently deleted, so the query never returns all that it is asked for",
        fix=f'keep as much as is read{", and what is late" if also else ""}: `bt.family("{family.id}", gc={kept})`',
        part=family.id,
        at=family.location,
        edit=ArgumentEdit("gc", kept),
    )


def _of_any_time(model: ModelSchema, family: Family, rule: GcRule) -> bool:
    """Whether the age of the family counts from a time of the key that is declared not to be that of the writing."""
    stamped = any(
        part.name == model.stamp.attribute and part.sequential is False for part in model.key.fields
    )
    events = (model.clock(column) is Clock.EVENT for column in model.columns if column.family == family.id)
    return (
        stamped
        and not rule.given
        and any(events)
        and oldest(rule) is not None
        and rule.deletes(timedelta.max, 1)
    )


def _aged_otherwise(model: ModelSchema, family: Family, rule: GcRule) -> Iterator[Finding]:
    """The family whose age counts from a time that may be long past when a row is written, or to come; of the past alone, ``lateness`` says how long."""
    if not _of_any_time(model, family, rule):
        yield from _of_long_ago(model, family, rule)
        return
    from btmodel.lint.planned_times import (
        ahead_said,
        until_after,
    )  # here: this rule is loaded with every model

    name = model.stamp.attribute or ""
    said = ahead_said(model.doc)
    if until_after(model.doc, name) or (model.lateness is not None and not said):
        return
    kept = kept_text(rule)
    to_come = "a cell of a time to come is kept until that time and the age after it are over"
    late = "" if model.lateness is None else " and `lateness=`"
    if said or called_ahead(name):
        why = to_come
        otherwise = f"; or, if rows are to be kept until that age after `{name}`, say so in the docstring"
    else:
        why = f"a cell whose timestamp is too old when it is written is deleted at once, and no read shows it; {to_come}"
        otherwise = f'; or, if rows are written soon after `{name}`, and none before, say how late at most: `lateness="1day"`'
    yield RULE.finding(
        model,
        f"cells have the time of `{name}`, which is not that of their writing (`sequential=False`), and family {family.id!r} keeps {kept}, counted from it",
        why=why,
        fix=Fix(
            f'let the age count from the writing: leave out `timestamp="{name}"`{late}',
            (evolve(model, stamp=Stamp(), lateness=None),),
            otherwise=otherwise,
        ),
        part=family.id,
        at=family.location,
        level=Level.WARNING,
    )


def _of_long_ago(model: ModelSchema, family: Family, rule: GcRule) -> Iterator[Finding]:
    """The family whose age counts from a time that is stored in the cells alone, and which is longer ago than the age by the description."""
    name, age = model.stamp.attribute, oldest(rule)
    if name is None or not model.stamp.stored or model.lateness is not None or age is None or rule.given:
        return
    events = (model.clock(column) is Clock.EVENT for column in model.columns if column.family == family.id)
    if not any(events) or not rule.deletes(timedelta.max, 1):
        return
    from btmodel.lint.planned_times import (  # here: this rule is loaded with every model
        in_a_column,
        long_past_said,
        until_after,
    )

    said = long_past_said(model)
    if said is None or said[1] <= age or until_after(model.doc, name):
        return
    declared, made = in_a_column(model, name)
    yield RULE.finding(
        model,
        f"cells have the time of `{name}`, of which the description says {said[0]!r}, and family {family.id!r} keeps {kept_text(rule)}, counted from it",
        why="a cell whose timestamp is too old when it is written is deleted at once, and no read shows it",
        fix=Fix(
            f"let the age count from the writing, and keep `{name}` in a column: {declared}",
            (made,),
            otherwise=f'; or, if rows are written soon after `{name}`, say how late at most: `lateness="1day"`',
        ),
        part=family.id,
        at=family.location,
        level=Level.WARNING,
    )


def _late(model: ModelSchema, late: timedelta, family: Family, rule: GcRule) -> Iterator[Finding]:
    """The column of the family whose late events are deleted first, if any are."""
    age, column = _lateness(model, family)
    if column is None:
        return
    query = _read_late(model, late)
    read = (query and query.span) or _NONE
    if rule.deletes(age, 1):
        rank, level = 1, Level.WARNING
        taken = (
            f", so {one(model.bucket.words)} takes them until {duration_text(age)} after its start"
            if model.bucket
            else ""
        )
        what = f"{taken}, but family {family.id!r} keeps {kept_text(rule)}, counted from {model.clock(column).value}"
        why = "a cell whose timestamp is too old when it is written is deleted at once, and no read shows it"
        # So that what is late is there for as long as the rest, and for what a query reads.
        age += max(read, oldest(rule) or _NONE)
    elif query is not None and rule.deletes(age + read, 1):
        rank, level = 1, Level.WARNING
        what = f", and the query `{query.name}` reads {duration_text(read)} of them, but family {family.id!r} keeps {kept_text(rule)}, counted from {model.clock(column).value}"
        why = "what is late is deleted before all of it could be read with the rest of its time"
        age += read
    else:
        rank, level = max(_newer(model, column, late) for column in _of_events(model, family)), Level.INFO
        if not rule.deletes(age, rank):
            return
        what = f", when the row has {rank - 1:,} newer ones by the declared rate, and family {family.id!r} keeps {kept_text(rule)}"
        why = "versions are counted by their timestamps, not by the order in which they are written"
    kept = gc_code(raised(rule, age, rank))
    longer = Fix(f'keep what is late: `bt.family("{family.id}", gc={kept})`', edit=ArgumentEdit("gc", kept))
    yield RULE.finding(
        model,
        f"events of `{column.name}` are written up to {duration_text(late)} late{what}",
        why=why,
        fix=partial(iter, _for_late(model, longer, late, oldest(rule)) if rank == 1 else [longer]),
        part=family.id,
        at=family.location,
        level=level,
    )


def _for_late(model: ModelSchema, longer: Fix, late: timedelta, age: timedelta | None) -> list[Fix]:
    """An age that keeps what is late; and, where events may be older than it keeps any, one that counts from the writing: first of those of long ago, as of history that is imported."""
    from btmodel.lint.planned_times import IMPORTED, until_after  # here: this rule is loaded with every model

    name = model.stamp.attribute
    if name is None or model.stamp.stored or age is None or late <= age or until_after(model.doc, name):
        return [longer]
    text = f'let the age count from the writing: leave out `timestamp="{name}"` and `lateness=`'
    ways = [longer, Fix(text, (evolve(model, stamp=Stamp(), lateness=None),))]
    if late >= _YEAR or IMPORTED.search(model.doc):
        ways.reverse()
    return [ways[0], evolve(ways[1], alternative=True)]


def _read_late(model: ModelSchema, late: timedelta) -> Query | None:
    """The query of the longest span that is over before all its events are there, so that it is asked again of a time that is past."""
    times = {part.name for part in timed(model) if part.sequential is not False}
    asked = [query for query in model.queries if query.between in times and query.span and not query.newest]
    over = [query for query in asked if query.span and query.span < late]
    return max(over, key=lambda query: query.span or _NONE, default=None)


def _lateness(model: ModelSchema, family: Family) -> tuple[timedelta, Column | None]:
    """The greatest age at which a cell of the family is written, and its column; none where the model has no lateness."""
    if model.lateness is None:
        return _NONE, None
    ages = [(_open(model, column) + model.lateness, column) for column in _of_events(model, family)]
    return max(ages, key=lambda each: each[0], default=(_NONE, None))


def _of_events(model: ModelSchema, family: Family) -> list[Column]:
    return [column for column in model.columns if column.family == family.id and _aged(model, column)]


def _aged(model: ModelSchema, column: Column) -> bool:
    """Whether the age of its cells counts from a time before they are written, which is not their end."""
    in_bucket = model.bucket is not None and column.eventful
    return in_bucket or model.clock(column) in (Clock.EVENT, Clock.SPAN)


def _open(model: ModelSchema, column: Column) -> timedelta:
    """The longest time from the timestamp of its first cell to the time of the last event beside it."""
    if column.spans is not None:
        return column.spans.every
    return model.bucket.longest if model.bucket is not None and column.eventful else _NONE


def _newer(model: ModelSchema, column: Column, late: timedelta) -> int:
    """The rank of an event of a row without a bucket that is so late, as far as that is known."""
    found = pace(model, column) if column.versioned and not column.spans and model.bucket is None else None
    return 1 if found is None else events_in(late, found) + 1


def _versions(model: ModelSchema, column: Column) -> int:
    """How many versions of a cell the events of one row may make, as far as that is known."""
    return 1 if column.shape.slotted else events_of_row(model, column) or 1


def _by_rate(model: ModelSchema, bucket: TimeBucket, column: Column) -> int:
    """How many events a column of one row takes by the rate of the table, where those are counted by versions: what a column declares may be a mean, too, or contradict it."""
    rate = rate_of_one(model)
    return events_in(bucket.longest, rate) if rate and column.versioned and not column.spans else 1


def _unnumbered(rule: GcRule) -> GcRule:
    """The rule without a number of versions, which none is sure to be enough for: the rows of a bucket take no events after its end."""
    if isinstance(rule, MaxVersions):
        return KeepAll()
    if not isinstance(rule, Union):
        return rule
    rest = tuple(part for part in rule.rules if not isinstance(part, MaxVersions))
    return simplified(Union(rest)) if rest else KeepAll()


def _finding(
    model: ModelSchema,
    bucket: TimeBucket,
    family: Family,
    rule: GcRule,
    columns: Sequence[Column],
    rank: int,
    *,
    sure: bool,
) -> Finding:
    named = ", ".join(f"`{column.name}`" for column in columns[:4]) + (", ..." if columns[4:] else "")
    events = f", but {one(bucket.words)} has up to {rank:,} events in a column" if rank > 1 else ""
    shared = any(column.shape.marked for column in columns)
    fewer = any(not column.shape.slotted and column.expected.every is None for column in columns)
    alone = all(column.eventful for column in model.columns if column.family == family.id)
    whole = _unnumbered(rule) if alone and not sure else rule
    kept = gc_code(raised(whole, bucket.longest + (model.lateness or _NONE), rank))
    return RULE.finding(
        model,
        f"family {family.id!r} keeps {kept_text(rule)}{events}, so it deletes the first ones in {named} before the {bucket.noun} is over"
        if events
        else f"family {family.id!r} keeps {kept_text(rule)}: it deletes the first events in {named} before the {bucket.noun} is over",
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


RULE: Rule[ModelSchema] = Rule(
    "FAM006",
    "gc-drops-events",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
