"""KEY017 colliding-events: events that share a row key, so that the later one replaces the earlier

What it finds
    A row key that more than one event is expected to have: the declared `events`, divided by
    the number of keys without their times, in one unit of the finest time in the key. If the
    unit is a second or longer, the rule takes it for the interval of the events, and one event
    per unit is fine. If the unit is shorter, events come at random, and one event per hundred
    units is the maximum. Events come at random, too, where the field rounds finer times, no whole number of seconds is their interval, and neither the name nor the docstring
    speaks of intervals or measurements: then more than 0.2 events in a second, or one in a thousand shorter units, are too many, unless a field of the key is called like what has one thing after the other before it, such as a lane or a robot,
    which has no two in a millisecond. What people do when they like, by the name of the model, such as a message or a click, at whole seconds, is found
    as well where more than one of them is lost in a minute in the whole table, however rare they are in each key. Where more than two events come in a second or less, so that most are lost,
    it is an error; what comes in a day or an hour may be a summary that is written again. It is information where the
    docstring says that a row is about a day ("for a day", "on a day", "daily", "totals"), a week, a month or a year, or where fields of declared
    cardinalities stand behind the day and a row may lack all of its columns, as a seat that is booked later. Rows of a bucket collect events and are not meant, nor are columns
    with several values, unless a history without `every` gets so many events of a row that they share milliseconds, of which it has one version each: 1,000 a second, or, of what people do when they like, by the name of the model, 10. Beside a counter, a history, a mapping or a set, the events count as what these take if rows may lack all other columns,
    or if a counter declares `increments`, as a plain number may, too. A history whose `every` is longer than the unit of the key's time, as of what was made
    on a day and is weighed each week, says that rows are written after that time, which then counts nothing.

    Where the docstring says how many events of one prefix come together at most ("a lot takes up to thirty a second", "several in the same second"), that counts in the place
    of the average, if it is more, and is a warning; unless a field of the key distinguishes them: an id, a number or text that is drawn or counted for each (`nonce`, `seq`), or a
    field that has a hundred times as many values.

    Where events have moments, and a field has at least ten times as many values as all fields in front of it together, and is no number, such as a bus of a depot, each of its values is taken
    to lie within one of theirs, and those add no keys. Where it has fewer, the finding says "at least". What this finds is a warning at most.

    A frequency in the docstring ("100 Hz", "100 samples a second", "every 20 ms") that agrees with the rate is a beat: a time of at most half of it holds one event, and is the fix.

    Events are distinguished by an id of their own: a column that each row has, and that identifies the event by its name, its qualifier or its type, such as `number` or `sale_id`
    of a Sale and a `receipt`, or by the docstring ("each sale has its own slip", "`slip` is unique"), or one that has more values than events come in a day; or by who acts, where the docstring says that several do at one time ("one score per judge",
    "all judges press at once"); otherwise by a new field or a finer time. Another column, such as the stop of a bus or the song of a station, may be the same in several events; one that rows may lack, or whose value changes, makes no key.
    Of a day, a column of as many declared values, or by which queries select, is proposed as well.

Why
    A row key exists once. A second event with the same key overwrites the first one, without an
    error.

Example
    from datetime import date

    import btmodel as bt


    class Score(bt.Model, table="GAME", events="10000/day"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=50)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        player: str = bt.column("PLAYER", results, cardinality=100_000)
        won: bool = bt.column("WIN", results)

        of_game = bt.query("game", between="day")

Use instead
    from datetime import date

    import btmodel as bt


    class Score(bt.Model, table="GAME", events="10000/day"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=50)
        player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        won: bool = bt.column("WIN", results)

        of_player = bt.query("game", "player", between="day")

Allow
    Say in the docstring that later events replace earlier ones on purpose, or suppress it, if the later event is meant to replace the earlier one, as in a daily summary
    that is written again.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (row keys: two players
    on one day), https://cloud.google.com/bigtable/docs/schema-design (each row key must be
    unique). The one in a hundred, and the figures for events at random, are this project's own choice.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from btmodel import design
from btmodel.codecs.key import Kind
from btmodel.design.keys import UNKNOWN_TEXT, fresh, replaced
from btmodel.design.series import (
    BEAT,
    beat_said,
    burst,
    clock,
    clock_codec,
    colliding,
    nested,
    share_replaced,
    sharing,
    unit,
    unit_words,
)
from btmodel.estimates import rate_of_one
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.schema import Column, KeyField, ModelSchema, Rate, RowKey, Shape
from btmodel.words import quoted

if TYPE_CHECKING:
    from btmodel.design.proposal import Design

# So many events of one key, all but one of which are lost, are an error (this project's own figure).
_MOST_LOST = 2.0


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the finest time of the key, where its unit is too long for the rate of one prefix; and versions of a column, whose times are whole milliseconds."""
    yield from _versions(model)
    found = colliding(model)
    if found is None:
        return
    from btmodel.lint.rules.key018_tenant_not_first import (
        lacking,  # here: this rule is loaded with every model
    )

    if lacking(model) is not None:
        return  # what collides are rows of other owners
    from btmodel.lint.summaries import summary

    time, span, rate = found
    level = Level.INFO if summary(model, time) else Level.WARNING
    yield RULE.finding(
        model,
        f"{_lost(sharing(rate, span), least=_perhaps_nested(model))}: {_many(model)}, and keys of `{model.key.shape}` differ only from "
        f"{_each(time)} to the next (`{time.name}`)",
        why="a row key exists only once, so the later event silently replaces the earlier one",
        fix=partial(_ways, model, time, rate),
        part=time.name,
        at=time.location,
        level=Level.ERROR if _lost_surely(rate_of_one(model) or 0, span) else level,
    )


def _versions(model: ModelSchema) -> Iterator[Finding]:
    """The histories of a row that get so many events that several come in a millisecond."""
    if all(column.shape is not Shape.HISTORY for column in model.columns):
        return
    from btmodel.lint.crowded_versions import (  # here: this rule is loaded with every model
        VERSION,
        crowded,
        rows_of_their_own,
    )

    histories, rate = crowded(model)
    if not histories:
        return
    yield RULE.finding(
        model,
        f"{_lost(sharing(rate, VERSION), least=False, of='millisecond')}: a row gets {Rate(rate)} ({model.events} are declared), and versions of "
        f"{quoted(one.name for one in histories)} differ only from one millisecond to the next",
        why="a column has one version of each timestamp, which is in whole milliseconds, so the later event silently replaces the earlier one",
        fix=partial(rows_of_their_own, model, histories),
        part=histories[0].name,
        at=histories[0].location,
        level=Level.ERROR if _lost_surely(rate, VERSION) else Level.WARNING,
    )


def _many(model: ModelSchema) -> str:
    said, inner = burst(model), nested(model)
    if said is not None:
        return f"the description says {said[0]!r}"
    within = (
        ""
        if inner is None
        else f", and {inner[0].cardinality:,} values of `{inner[0].name}` in the whole table"
    )
    return f"{model.events} are declared{within}"


def _ways(model: ModelSchema, time: KeyField, rate: float) -> Iterator[Fix]:
    """The keys with what surely distinguishes the events, else an id behind the time; and what does if it has many values, or a finer time."""
    from btmodel.lint.summaries import filled_in, summary  # here: this rule is loaded with every model

    once = model.events if summary(model, time) else None
    if once is not None:
        yield _on_average(model, once, time, rate)
        if filled_in(model, time):
            yield _of_another_time(model, time)
            yield from _with_id(model, time, rate, "if they are events, add an id")
            return
    promoted = [
        (each, models)
        for each, models in design.led_to(model)
        if each.invented is None
        and colliding(each.model) is None
        # The same fields in another order are as many keys, though a field may then stand in front of those that it determines.
        and (each.column is not None or nested(model) is None)
        and _told_apart(model, time, each.column)
    ]
    if _at_once(time):
        yield from _on_its_beat(model, time, rate)
    own = [*_by_own_id(model, time, rate)]
    known = [Fix(_apart(model, each), models) for each, models in promoted]
    ways = (*own, *known) if _at_once(time) else (*known, *own)
    # Behind the rate of what is written once, what distinguishes the events otherwise is one more way.
    yield from (evolve(way, alternative=True) for way in ways[:1]) if once is not None else ways
    if any(_chosen(model, each.column) for each, _ in promoted):
        yield from _with_id(model, time, rate, _SHARED)
    yield from _with_id(model, time, rate, "" if not promoted else None)
    for each, models in design.led_to(model):
        if each.invented is not None:
            salt = "" if each.salt is None else f", and put `{design.salt_declaration(each.salt)}` in front"
            yield Fix(f"{_ADD}{salt}: `{each.shape}`", models)
    finer, precise = _precise(model, time, rate)
    # The day may be that of a flight, say, and not of the event; a column that identifies the events distinguishes them then.
    if not (promoted or own or _at_once(time)) and colliding(precise) is None:
        yield Fix(f"{_FINER}: `{time.name}: datetime = bt.key({finer})`", (precise,), alternative=True)


_SHARED = "if two events may share it, add an id"
_FINER = "store a more precise time"


def _precise(model: ModelSchema, time: KeyField, rate: float) -> tuple[str | None, ModelSchema]:
    """The clock on which events of this rate do not collide, and the model with a time of it; the model as it is where there is none."""
    finer = clock(rate, time, beat_said(model.doc))
    return finer, replaced(model, time, evolve(time, codec=clock_codec(finer))) if finer else model


def _on_its_beat(model: ModelSchema, time: KeyField, rate: float) -> Iterator[Fix]:
    """The finer time alone, where the description says at which beat the events of one prefix come."""
    finer, precise = _precise(model, time, rate)
    if beat_said(model.doc) is not None and finer is not None and colliding(precise) is None:
        yield Fix(f"{_FINER}: `{time.name}: datetime = bt.key({finer})`", (precise,))


def _on_average(model: ModelSchema, events: Rate, time: KeyField, rate: float) -> Fix:
    """The rate at which each key is written once."""
    once = Rate(0.95 * events.per_second / sharing(rate, unit(time) or BEAT)).rounded()
    text = f'if each key is written once, declare the rate that this is on average: `events="{str(once).replace(",", "")}"`'
    return Fix(text, (evolve(model, events=once),))


def _of_another_time(model: ModelSchema, time: KeyField) -> Fix:
    """A time that is not that of the writing, as the day of a journey that is booked before."""
    text = f"if `{time.name}` is not when rows are written, and they are written again, declare `sequential=False` for it"
    return Fix(text, (replaced(model, time, evolve(time, sequential=False)),), alternative=True)


_ADD = "add a field to the key that distinguishes the events, such as an id"


def _apart(model: ModelSchema, each: "Design") -> str:
    return design.change(model, each, "distinguish the events", ", to distinguish the events")


def _told_apart(model: ModelSchema, time: KeyField, column: Column | None) -> bool:
    """Whether a column that becomes a key field tells events apart: it identifies them, or, of longer times, has so many values as is declared, or queries select by it.

    What comes at one moment may have all but an id in common: the passengers of a bus are then at one stop. What rows may lack, or what is
    the same in many of them, as the meals of a day, tells nothing apart.
    """
    from btmodel.design.event_ids import identifies_events, tells_apart_by_name
    from btmodel.design.sources import recurring

    if column is None:
        return True
    if _at_once(time) or not column.required:
        return column.required and identifies_events(model, column)
    return (
        not (_chosen(model, column) or recurring(column.name))
        or tells_apart_by_name(model, column)
        or any(column.name in (*query.equal, *query.where) for query in model.queries)
    )


def _chosen(model: ModelSchema, column: Column | None) -> bool:
    """Whether nothing says how many values the column has, nor that each event has its own, so that two events may share one."""
    from btmodel.design.event_ids import identifies_events

    return column is not None and column.expected.cardinality is None and not identifies_events(model, column)


def _by_own_id(model: ModelSchema, time: KeyField, rate: float) -> Iterator[Fix]:
    """The columns that identify the events, or say who acts, where several act at one time; at the end of the key, or else behind the time."""
    from btmodel.design.advice import cardinality_text  # here: this rule is loaded with every model
    from btmodel.design.candidates import acting, adjusted, as_field, promotable
    from btmodel.design.event_ids import (
        acts_at_once,
        called_id,
        identifies_events,
        tells_apart,
        tells_apart_by_name,
    )

    ids = [column for column in promotable(model) if column.required]
    known = [column for column in ids if identifies_events(model, column)]
    several = [column for column in acting(model) if acts_at_once(model, column.name, _once_in(time))]
    # A ticket, which is not what the row is called, is that of one event among those that come together.
    others = [
        column
        for column in ids
        if tells_apart_by_name(model, column)
        or (_at_once(time) and called_id(column) and burst(model) and tells_apart(as_field(column), rate))
    ]
    for column in known or several or others:
        made = evolve(model, columns=tuple(other for other in model.columns if other != column))
        values = cardinality_text(column.name, column.expected.cardinality)
        for key in _behind(model, time, as_field(column)):
            text = f"make the column {values} a key field, to distinguish the events: `{key.shape}`"
            yield Fix(text, (adjusted(model, evolve(made, key=key)),))
    if others and not (known or several):
        yield from _with_id(model, time, rate, _SHARED)


def _once_in(time: KeyField) -> str | None:
    """The unit in which each of those that act has one event; None of a moment, in which none has two."""
    return None if _at_once(time) else unit_words(time)


def _behind(model: ModelSchema, time: KeyField, id: KeyField) -> Iterable[RowKey]:
    """The keys with an id at their end, or else behind the time."""
    at_end = evolve(model.key, fields=(*model.key.fields, id))
    return dict.fromkeys((at_end, replaced(model, time, time, id).key))


def _with_id(model: ModelSchema, time: KeyField, rate: float, said: str | None) -> Iterator[Fix]:
    """An id at the end of the key, or else behind the time: never in front of the time, of which queries may read a range.

    Of moments the time becomes finer as well, so that the events stay in their order.
    """
    if said is None:
        return
    finer = clock(rate, time, beat_said(model.doc)) if _at_once(time) else None
    new = time if finer is None or said else evolve(time, codec=clock_codec(finer))
    id = KeyField(fresh(model, "id", "writer", "source"), UNKNOWN_TEXT)
    timed = replaced(model, time, new) if new != time else model
    precise = (
        f", and store a more precise time, `{time.name}: datetime = bt.key({finer})`" if new != time else ""
    )
    for key in _behind(timed, new, id):
        text = f"{said}: `{key.shape}`" if said else f"{_ADD}{precise}: `{key.shape}`"
        yield Fix(text, (evolve(timed, key=key),), alternative=bool(said))


def _at_once(time: KeyField) -> bool:
    """Whether the time is that of a moment, of which none is a summary that is written again."""
    span = unit(time)
    return span is not None and span <= BEAT


def _lost_surely(rate: float, span: timedelta) -> bool:
    """Whether far more events come than there are keys, of moments, of which none is a summary that is written again."""
    return span <= BEAT and sharing(rate, span) > _MOST_LOST


def _each(time: KeyField) -> str:
    """One value of ``time``: ``one day``, ``one span of 28 days``."""
    length = unit_words(time)
    return f"one span of {length}" if length[0].isdigit() else f"one {length}"


def _perhaps_nested(model: ModelSchema) -> bool:
    """Whether the number of keys is a product of numbers of things of which one may lie within the other, as gauges on bridges: then more events share a key."""
    counted = [
        part
        for part in model.key.asked
        if part.codec.kind not in (Kind.TIME, Kind.NUMBER) and (part.cardinality or 0) > 1
    ]
    return len(counted) > 1 and nested(model) is None and burst(model) is None


def _lost(count: float, *, least: bool, of: str = "key") -> str:
    """How many events replace others: surely, where more come than there are keys, or else by chance."""
    if count > 1:
        shown = f"{count:,.0f}" if count >= 10 else f"{count:.2g}"
        return f"{'at least' if least else 'about'} {shown} events share each {of}, and all but one are lost"
    return f"about 1 event in {_rounded(1 / share_replaced(count)):,} replaces another"


def _rounded(count: float) -> int:
    """With two digits, as it is counted from estimates."""
    return int(float(f"{count:.2g}"))


RULE: Rule[ModelSchema] = Rule(
    "KEY017",
    "colliding-events",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.INFO, Level.WARNING, Level.ERROR),
)
