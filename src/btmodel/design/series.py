"""Series of events: how often they come, and the keys that hold them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import takewhile
from math import ceil, exp, inf
from typing import Any, NamedTuple, cast

from attrs import evolve

from btmodel.codecs import key as codecs
from btmodel.codecs.aware_times import LENGTHS
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import KeyCodec, Kind, Order
from btmodel.design.hints import UNIT, sentences
from btmodel.design.keys import closed, closing, fresh, open_ended, single, written_with_ease
from btmodel.errors import DeclarationError
from btmodel.estimates import events_in, pace, rate_of_one, stated_every, timed
from btmodel.on_demand import pattern
from btmodel.schema import (
    Bucket,
    Column,
    Expected,
    Family,
    Intersection,
    KeyField,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Query,
    RowKey,
    Shape,
)
from btmodel.schema.bucket import SlotFormat
from btmodel.schema.gc import keeps_for_ever, kept_ranges, oldest
from btmodel.source_text import gc_code, written
from btmodel.words import duration_text, quoted, words

# Events in one row beyond which a bucket is never proposed: the minutes of a week.
ROW_EVENTS = 10_080

# Of two events in one unit of the key's time, the later replaces the earlier. A unit of a second
# or more is taken for the beat of the events, and one of them in each is fine. A finer one is what a
# clock tells: events come when they come, and with one in a hundred units, one in two hundred is lost.
BEAT = timedelta(seconds=1)
_A_BEAT = 1.1  # declared rates are rounded
_BY_CHANCE = 0.01
# Of events that come when they come, by the words of the model and by a clock that is finer than the key.
_AT_RANDOM = 0.001
# So many of such events in a second are lost by their own number, however few come for each key: one in a minute (this project's own figure).
_LOST_BY_CHANCE = 1 / 60
# Events that come more rarely than this, in a second, may well come at intervals that are longer than it.
_OFTEN = 0.2
# And so far is a rate, as a share, from one event in a whole number of seconds, to be of events that come at random.
_UNEVEN = 0.05
# What happens when somebody does it has no beat: two in a second come by chance.
_NO_BEAT = frozenset(
    words(
        "call purchase payment order click visit view login logon request trip bet vote ride tap booking transaction sale crash alarm "
        "incident error search download message mail scan swipe withdrawal transfer log line access audit exception event impression comment post chat "
        "authorisation authorization authentication refund claim donation bid trade deposit alert warning failure fault defect upload "
        "conversion like reaction answer response submission notification delivery"
    )
)

# So many times as many values as the fields in front of it have together make a field the id of what lies within these (this project's own figure).
_WITHIN = 10

_WHOLE = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1))
_CLOCKS = {"bt.EpochMillis()": timedelta(milliseconds=1), "bt.EpochMicros()": timedelta(microseconds=1)}

# The codec of the key field that names a bucket, and its format where it takes one.
_BUCKETS = {
    Bucket.MINUTE: ("TimeText", "%Y%m%d%H%M"),
    Bucket.HOUR: ("TimeText", "%Y%m%d%H"),
    Bucket.DAY: ("DateText",),
    Bucket.WEEK: ("IsoWeek",),
    Bucket.MONTH: ("DateText", "%Y-%m"),
    Bucket.YEAR: ("DateText", "%Y"),
}
_SLOT_NAMES = ("%m", "%d", "%H", "%M", "%S", "%3f")


class NewKey(NamedTuple):
    """A key that a fix proposes: with its new ``time`` in the place of ``old``, and what else must change for it, in words.

    ``queries`` are those that there are.
    """

    key: RowKey
    time: KeyField
    old: KeyField | None
    change: str = ""
    queries: tuple[Query, ...] = ()

    @property
    def declared(self) -> str:
        """The declaration of the new time."""
        codec = self.time.codec
        return f"{self.time.name}: {codec.python_type.__name__} = bt.key({written(codec)})"

    def __str__(self) -> str:
        change = f" ({self.change})" if self.change else ""
        return f"`{self.key.shape}`, with `{self.declared}`{change}{self.asked}"

    @property
    def asked(self) -> str:
        """What becomes of the queries that name the old time, as the end of a sentence; empty where none does."""
        changed: dict[str, list[str]] = {}
        for old, new in self.instead:
            for query in self.queries:
                if query.between == old:
                    changed.setdefault(f'between="{new}"', []).append(query.name)
                elif old in (*query.equal, *query.where):
                    changed.setdefault(f'"{new}"', []).append(query.name)
        return "".join(f", and ask {quoted(names)} by `{new}`" for new, names in changed.items())

    def holds(self, model: ModelSchema, *events: Column) -> ModelSchema:
        """``model`` with this key, a row for each event, which plain columns hold in the place of ``events``.

        Of several that nothing says to come together, a row may lack some.
        """
        plain = {
            column.name: evolve(
                column,
                shape=Shape.VALUE,
                names=None,
                slots=None,
                required=not events[1:] or column.expected.every is not None,
                expected=_of_one(column),
            )
            for column in events
        }
        columns = (
            plain[column.name] if column in events else column
            for column in model.columns
            if column.name != self.time.name
        )
        return self.given(model, columns=tuple(columns), bucket=None, atomic=())

    def given(self, model: ModelSchema, **changes: Any) -> ModelSchema:
        """``model`` with this key, in whose queries the new time stands for that of the bucket."""
        made = evolve(model, key=self.key, **changes)
        pairs = dict(self.instead)
        return (
            evolve(made, queries=tuple(_renamed(query, pairs) for query in made.queries)) if pairs else made
        )

    @property
    def instead(self) -> tuple[tuple[str, str], ...]:
        """The names of the time that there was and of the new one, where they differ."""
        return ((self.old.name, self.time.name),) if self.old and self.old.name != self.time.name else ()


def _of_one(events: Column) -> Expected:
    """The estimates of a column that holds one of the events."""
    return evolve(events.expected, every=None, entries=None, keep=None)


def _renamed(query: Query, names: Mapping[str, str]) -> Query:
    """The query with other names for fields."""
    return evolve(
        query,
        equal=tuple(names.get(name, name) for name in query.equal),
        between=names.get(query.between or "", query.between),
        where=tuple(names.get(name, name) for name in query.where),
    )


def unit(part: KeyField) -> timedelta | None:
    """The time that one value of ``part``, a time, stands for; None where its codec does not say."""
    granularity = part.codec.granularity
    return granularity if isinstance(granularity, timedelta) else LENGTHS.get(granularity or "")


def unit_words(part: KeyField) -> str:
    """What one value of ``part``, a time with a :func:`unit`, stands for: ``day``, or ``28 days``."""
    granularity = part.codec.granularity
    return duration_text(granularity) if isinstance(granularity, timedelta) else granularity or ""


def sharing(rate: float, unit: timedelta) -> float:
    """The events that come in one unit, of ``rate`` a second."""
    return rate * unit.total_seconds()


def collide(rate: float, unit: timedelta) -> bool:
    """Whether more than a few events come in a unit that has one already."""
    return sharing(rate, unit) > (_A_BEAT if unit >= BEAT else _BY_CHANCE)


def colliding(model: ModelSchema) -> tuple[KeyField, timedelta, float] | None:
    """The finest time of the key, its unit, and the rate of one prefix, where that is too high for the unit."""
    finest = _finest(model)
    if model.bucket is not None or finest is None or not _replaced(model):
        return None
    rate = _rate_of_one(model)  # last, as it reads the description: every model that is declared comes by
    if rate is None:
        return None
    time, span = finest
    if _on_a_beat(rate, span, beat_said(model.doc)):
        return None
    by_chance = span == BEAT and without_beat(model) and _lost_by_chance(model, sharing(rate, span))
    if not (by_chance or collide(rate, span) or _at_random(model, time, rate, span)):
        return None
    from btmodel.design.collisions_said import replacing_said  # here: events of few models collide

    return None if replacing_said(model.doc) else (time, span, rate)


def share_replaced(count: float) -> float:
    """The share of events that replace another, where so many come at any time in one unit of their key."""
    return count / 2 if count < _BY_CHANCE**2 else 1 - (1 - exp(-count)) / count


def _lost_by_chance(model: ModelSchema, count: float) -> bool:
    """Whether events that come at any time are often replaced, each alone or all of the table together: people are not active evenly, so that these are the least."""
    events = 0.0 if model.events is None else model.events.per_second
    if count <= _BY_CHANCE and events * share_replaced(count) <= _LOST_BY_CHANCE:
        return False
    from btmodel.design.collisions_said import never_two, one_at_a_time  # here: few models lose any

    return not (never_two(model.doc) or (count <= _BY_CHANCE and one_at_a_time(model)))


_OFTEN_SAID = {"ten": "10", "twenty": "20", "fifty": "50", "hundred": "100", "thousand": "1000"}
# How often something is sampled, by its description: so often in a second, or at intervals of less than one.
_SAMPLED = pattern(
    r"(?i)\b(\d[\d,]*(?:\.\d+)?)\s*(k?)hz\b|\b(\d[\d,]*|ten|twenty|fifty|hundred|thousand)\s+(?:samples?|readings?|measurements?|values?|times)\s+(?:an?|per|each|every)\s+second\b"
    r"|\bevery\s+(\d+)\s*(?:ms|milliseconds?)\b"
)


def beat_said(doc: str) -> timedelta | None:
    """The interval at which events of one source come, by a description that has it as a frequency, or as so many in a second; None without one below a second."""
    found = []
    for hertz, kilo, count, millis in _SAMPLED.findall(doc):
        number = hertz or _OFTEN_SAID.get(count.lower(), count) or "0"
        often = float(number.replace(",", "")) * (1000 if kilo else 1)
        seconds = float(millis) / 1000 if millis else 1 / often if often else 1.0
        found.append(timedelta(seconds=min(seconds, BEAT.total_seconds())))
    return min((beat for beat in found if timedelta(0) < beat < BEAT), default=None)


# An interval at which something is measured and sent.
_INTERVAL = pattern(r"(?i)\b(?:once|every|each)\s(?:an?\s)?(?:\d+\s)?(?:s|secs?|seconds?|min|minutes?)\b")


def at_intervals(model: ModelSchema) -> bool:
    """Whether the description says that each source sends at intervals, and of no events that come together."""
    return _INTERVAL.search(model.doc) is not None and burst(model) is None


def _on_a_beat(rate: float, unit: timedelta, beat: timedelta | None) -> bool:
    """Whether events of ``rate`` come at that beat, of which a finer unit holds one at most."""
    return beat is not None and 2 * unit <= beat and sharing(rate, beat) <= _A_BEAT


def burst(model: ModelSchema) -> tuple[str, float] | None:
    """What the description says of the events of one prefix that come together, and their rate, where that is more than the average."""
    if not model.doc:
        return None
    from btmodel.design.bursts_said import burst_said  # here: this module is loaded with every model

    apart = [part for part in model.key.asked if part.codec.kind is not Kind.TIME]
    units = [length for part in model.key.asked if (length := unit(part)) is not None]
    said = burst_said(model.doc, [part.name for part in apart], min(units, default=None))
    if said is None or said[1] <= (rate_of_one(model) or 0):
        return None
    from btmodel.design.event_ids import acts_at_once, tells_apart  # here: few descriptions say this

    if any(
        re.search(rf"(?i)\b{re.escape(words(part.name)[-1])}s?\b", said[0]) for part in _behind(model, apart)
    ) or any(
        tells_apart(part, said[1]) or acts_at_once(model, part.name)
        for part in _beside_subject(model, apart, said[0])
    ):
        return None  # the key distinguishes what comes together
    return said


def _behind(model: ModelSchema, apart: Sequence[KeyField]) -> list[KeyField]:
    """The fields behind the first time of the key."""
    time = next(iter(timed(model)), None)
    front = [*takewhile(lambda part: part != time, model.key.fields)]
    return [part for part in apart if part not in front]


def _beside_subject(model: ModelSchema, apart: Sequence[KeyField], said: str) -> list[KeyField]:
    """The fields of which each event may have its own value: behind the last one of which the sentence says how many come, and behind the time."""
    sentence = next((one for one in sentences(model.doc) if said in one), "")
    front = sentence[: sentence.find(said)]
    named = [
        part
        for part in apart
        if any(
            re.search(rf"(?i)\b(?:an?|one|each|every|per|single) (?:\w+ )?{re.escape(word)}\b", front)
            for word in words(part.name)
            if len(word) > 1
        )
    ]
    within = apart[apart.index(named[-1]) + 1 :] if named else []
    return [part for part in {*within, *_behind(model, apart)} if part not in named]


def _rate_of_one(model: ModelSchema) -> float | None:
    said = burst(model)
    if said is not None:
        return said[1]
    rate, inner = rate_of_one(model), nested(model)
    return rate if inner is None or rate is None else rate * inner[1]


def nested(model: ModelSchema) -> tuple[KeyField, int] | None:
    """The field of the key that determines those in front of it, as far as their numbers say, and how many times too many keys a product counts.

    A cardinality counts the values of the whole table: of 4,500 buses behind 60 depots, each is in one depot. A number may begin anew in each.
    """
    finest = _finest(model)
    if finest is None or finest[1] > BEAT:
        return None  # the rows of a day may be something that is written again
    apart = [part for part in model.key.asked if part.codec.kind is not Kind.TIME and part.even]
    found, front = None, 1
    for part in apart:
        values = part.even or 1
        if front > 1 and values >= _WITHIN * front and part.codec.kind is not Kind.NUMBER:
            found, front = (part, front), values
        else:
            front *= values
    return found


def without_beat(model: ModelSchema) -> bool:
    """Whether the model is called like what many people do, each when they like."""
    called = {word.lower() for word in words(model.name)}
    return not _NO_BEAT.isdisjoint((*called, *(word.removesuffix("s") for word in called)))


# What is measured or sent at intervals, whatever rate that is of those that are in use.
_AT_INTERVALS = pattern(
    rf"(?i)\b(?:each|every|per|once an?|one an?|times an?) (?:\w+ )?{UNIT}\b|\bevery\b.*\b{UNIT}\b|\b(?:samples?|readings?|measure\w*|telemetry|positions?|heartbeats?|pings?|state|status|metrics?)\b"
)


# What has one thing after the other before it, so that two are never closer than it takes for one: they come at random, but not within the same millisecond.
_IN_TURN = frozenset(
    words(
        "lane robot machine press lathe mill loom printer turnstile barrier belt conveyor crane welder screwdriver station chair bed till"
    )
)


def _at_random(model: ModelSchema, time: KeyField, rate: float, span: timedelta) -> bool:
    """Whether events come at any time, and not at intervals: the key rounds finer times, no whole number of seconds is the interval, and no word of the model says so."""
    if span < BEAT and any(not _IN_TURN.isdisjoint(words(part.name)) for part in model.key.asked):
        return False
    interval, share = 1 / rate, sharing(rate, span)
    if not getattr(time.codec, "round", False) or (
        not _OFTEN < share < 1 if span >= BEAT else share <= _AT_RANDOM
    ):
        return False
    if interval >= 1 and abs(interval - round(interval)) <= _UNEVEN * interval:
        return False
    return not _AT_INTERVALS.search(f"{' '.join(words(model.name))}. {model.doc}")


def _finest(model: ModelSchema) -> tuple[KeyField, timedelta] | None:
    """The time of the key with the shortest unit; None where there is none, or one of an unknown unit, or not of the writing."""
    found: list[tuple[KeyField, timedelta]] = []
    for part in timed(model):
        span = None if part.sequential is False else unit(part)
        if span is None:
            return None
        found.append((part, span))
    return None if written_later(model) else min(found, key=lambda one: one[1], default=None)


def written_later(model: ModelSchema) -> bool:
    """Whether a row is also written after the time of its key is over: a value of a history comes more rarely than that lasts, as of what was made on a day and is weighed each week."""
    spans = [span for span in map(unit, timed(model)) if span is not None]
    beats = [stated_every(column) for column in model.columns if column.shape is Shape.HISTORY]
    return model.bucket is None and any(every is not None and every > min(spans) for every in beats if spans)


def _replaced(model: ModelSchema) -> bool:
    """Whether there is a value for a later event to replace: a sum, a history or a set takes both.

    Where there is one of these, the events are what it takes, unless a row must have a value beside it, which each
    event then brings along; ``increments``, also of a plain column, says that they do not.
    """
    if any(column.expected.increments is not None for column in model.columns):
        return False
    plain = [column for column in model.columns if column.shape.plain]
    return any(column.required or plain == [*model.columns] for column in plain)


def clock(rate: float, time: KeyField | None = None, beat: timedelta | None = None) -> str | None:
    """The coarsest clock, as it is declared, on which events of ``rate`` a second do not collide, which may have a ``beat``; one that sorts and rounds as ``time`` does."""
    free = (code for code, unit in _CLOCKS.items() if not collide(rate, unit) or _on_a_beat(rate, unit, beat))
    code = next(free, None)
    if code is None or time is None:
        return code
    if time.codec.order is Order.DESCENDING:
        code = code.replace("Epoch", "Reversed")
    rounded = "Millis" in code and getattr(time.codec, "round", False)
    return code.replace("()", "(round=True)") if rounded else code


def clock_codec(code: str) -> KeyCodec[Any]:
    """The codec of a clock as it is declared."""
    if "Micros" in code:
        return codecs.ReversedMicros() if "Reversed" in code else codecs.EpochMicros()
    rounded = "round" in code
    return codecs.ReversedMillis(round=rounded) if "Reversed" in code else codecs.EpochMillis(round=rounded)


def key_of_events(model: ModelSchema) -> NewKey:
    """The key of a row for each event: the fields of the model, and the time of the event in the place of its bucket."""
    fine = clock(rate_of_one(model) or 0) == "bt.EpochMillis()"
    finest = codecs.EpochMillis() if fine else codecs.EpochMicros()
    return _timed(model, KeyField(_time_of_event(model), finest), model.bucket_field)


def key_of_buckets(model: ModelSchema, bucket: Bucket, instead: KeyField | None = None) -> NewKey:
    """The key of rows of ``bucket``, in the place of the bucket that there is or of ``instead``, or else at the end."""
    old = model.bucket_field or instead
    name = bucket.value if bucket.value not in _taken(model, old) else "start"
    codec = bucket_codec(bucket)
    if old is not None and isinstance(old.codec, codecs.Descending):
        codec = codecs.Descending(codec)
    return _timed(model, KeyField(name, codec), old)


def bucket_codec(bucket: Bucket) -> KeyCodec[Any]:
    """The codec of a key field that names such buckets."""
    name, *format = _BUCKETS[bucket]
    return cast("KeyCodec[Any]", getattr(codecs, name)(*format))


def _timed(model: ModelSchema, time: KeyField, old: KeyField | None) -> NewKey:
    """The key of the model with this time, in the place of ``old``."""
    key = model.key
    fields = [time if part == old else evolve(part, optional=False) for part in key.fields]
    last = fields[-1] if fields and time not in fields else None
    change = ""
    if last is not None:
        fields.append(time)
        if open_ended(key, last):
            change, ended = closing(key, last), closed(key, last)
            key = ended or key
            fields[-2] = (
                evolve(last, codec=codecs.Text(width=last.codec.length.most))
                if ended is None
                else ended.fields[-1]
            )
    if all(part == time or single(part) for part in fields) and not written_with_ease(model):
        # Behind what is the same in every row, the time would lead the key.
        id = KeyField(fresh(model, "id", "writer", "source"), codecs.UuidText())
        fields.insert(fields.index(time), id)
    return NewKey(evolve(key, fields=tuple(fields)), time, old, change, model.queries)


def aged(model: ModelSchema, least: timedelta = timedelta(0)) -> ModelSchema:
    """``model``, of whose events a row keeps versions, with rules of the same meaning for rows of an event or of a bucket.

    In such rows a number of versions deletes nothing, or all but a few of each: what it kept, an age keeps, of at least ``least``.
    """
    if model.bucket is not None or timed(model):
        return model
    return evolve(model, families=tuple(_aged(model, family, least) for family in model.families))


def _aged(model: ModelSchema, family: Family, least: timedelta) -> Family:
    """The family with an age in the place of versions; as it is where it keeps all, or for an unknown time."""
    columns = [
        column
        for column in model.columns
        if column.family == family.id and column.versioned and not column.spans
    ]
    if not columns or family.gc is None or family.gc.given or oldest(family.gc) is not None:
        return family
    if all(keeps_states(model, column) for column in columns):
        # Those of a bucket lie in one row as before; a row of one of them holds nothing else.
        ages = [limit for limit in family.gc.thresholds() if isinstance(limit, MaxAge)]
        return family if least or ages else evolve(family, gc=MaxVersions(1))
    kept = [
        _life(pace(model, column), versions, age)
        for column in columns
        for versions, age in kept_ranges(family.gc)
    ]
    lives = [life for life in kept if life is not None]
    if not lives or timedelta.max in lives:
        return family
    return evolve(family, gc=MaxAge(_whole(max(*lives, least))))


# That one goes back to what was written before, and what is written so: a new one is not a later measurement, and the newest is wanted however old it is.
_GONE_BACK_TO = pattern(
    r"(?i)\b(?:go(?:es|ing)? back|went back|undo|undone|restor\w*|revert\w*|roll(?:s|ed)? back|rollback|revisions?|drafts?|saved|saves|save|edits?|edited|editors?|documents?|"
    r"(?:earlier|previous|old|older|all|its) (?:versions?|states?))\b"
)
_MEASURED = (int, float, bool, Decimal)


def keeps_states(model: ModelSchema, column: Column) -> bool:
    """Whether the versions of a column are the states of a document, to which one can go back, and not events of their own."""
    kind = column.codec.python_type
    beats = column.expected.every is not None or any(is_class(kind, one) for one in _MEASURED)
    text = f"{' '.join(words(model.name))}. {model.doc}"
    return not beats and column.shape is Shape.HISTORY and _GONE_BACK_TO.search(text) is not None


def _life(pace: float | None, versions: float, age: timedelta) -> timedelta | None:
    """How long events that come at such a pace are kept; None of the newest alone, and where it is not known."""
    if versions == inf:
        return age
    if versions == 1 or not pace:
        return None if age == timedelta.max else age
    return min(age, timedelta(seconds=versions / pace))


def _whole(life: timedelta) -> timedelta:
    """The time in whole days, hours or minutes, rounded up."""
    unit = next((one for one in _WHOLE if life >= one), timedelta(seconds=1))
    return unit * ceil(life / unit)


def aging(model: ModelSchema, made: ModelSchema) -> str:
    """The rules that :func:`aged` has changed, as the end of a sentence; empty where it has none."""
    pairs = [
        (old.gc, new.gc) for old, new in zip(model.families, made.families, strict=False) if new.gc != old.gc
    ]
    rules = [new for _, new in pairs if new]
    if not rules:
        return ""
    if any(old is not None and oldest(old) is None and new == MaxVersions(1) for old, new in pairs):
        return f", and {quoted(f'gc={gc_code(rule)}' for rule in rules)}, as versions are counted in each row: a job deletes the rows of old ones, or an age, `gc=bt.max_age(...)`, if what nobody writes any more may go, its newest one too"
    lasting = any(isinstance(old, Intersection) and new and not keeps_for_ever(new) for old, new in pairs)
    newest = "; the newest event then goes at that age, too: where it is needed for ever, write it to a family with `bt.max_versions(1)` as well"
    return f", and {quoted(f'gc={gc_code(rule)}' for rule in rules)}, as versions are counted in each row{newest if lasting else ''}"


def fitting_bucket(model: ModelSchema, column: Column) -> Bucket | None:
    """The longest bucket, of up to a month, whose events in ``column`` are few enough for a row."""
    found = pace(model, column)
    if found is None:
        return None
    buckets = [bucket for bucket in Bucket if bucket is not Bucket.YEAR]
    fitting = [bucket for bucket in buckets if events_in(bucket.longest, found) <= ROW_EVENTS]
    return fitting[-1] if fitting else None


def slot_names(every: timedelta, bucket: Bucket) -> str | None:
    """The format that names the slots of ``bucket``; None where it has no such slots."""
    for text in _runs():
        try:
            return SlotFormat(text, every, bucket).text
        except DeclarationError:
            continue
    return None


def _runs() -> Iterator[str]:
    for first in range(len(_SLOT_NAMES)):
        for end in range(first + 1, len(_SLOT_NAMES) + 1):
            yield "".join(_SLOT_NAMES[first:end])


def _time_of_event(model: ModelSchema) -> str:
    """The time that the model has already, or a name for one."""
    if model.stamp.stored and model.stamp.attribute:
        return model.stamp.attribute
    for column in model.columns if not model.series else ():  # a series has a time of its own for each event
        if column.shape.plain and column.codec.python_type is datetime:
            return column.name
    taken = _taken(model, model.bucket_field)
    return next(name for name in ("at", "time", "event_time", "at_") if name not in taken or name == "at_")


def _taken(model: ModelSchema, old: KeyField | None) -> set[str]:
    fields = {part.name for part in model.key.fields if part != old}
    return fields | {column.name for column in model.columns} | {query.name for query in model.queries}
