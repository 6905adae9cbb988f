"""KEY001 timestamp-first: a key that begins with the time of writing

What it finds
    A row key that begins with a time, a date or a time bucket, alone or after only constants
    and fields of cardinality 1, in a model that is written faster than a single tablet handles
    with ease. The threshold is one hundredth of the documented writes of a node: 140 per
    second. That is two factors of ten: one for rows and loads that are worse than the documented
    optimum, and one because the node serves other tablets, too. A model without `events` counts
    as fast; one with `events="1/day"` is fine.

    The rule also finds a salt, a hash or another derived field in front of the time if it is
    computed only from a time that many writes share: a day, an hour, a minute. `bt.salt("day",
    buckets=3)` is the same for everything written on one day. A salt of a time in milliseconds
    spreads the writes. A function of a time, or of a time and other values, is tried on several
    moments: the number of the hour climbs with the time, so it is a time too.

    A number or a text that is called like a time, such as `year`, `yyyyww`, `semester`, `epoch_min` or `timestamp`,
    counts as one, and so does what lasts for a while in a model of some things, by its name: the `season` of a Match, the `term` of an Enrolment, the `sprint` of a Task, the `release` of a Crash,
    the `edition` of a Paper or the `window_no` of a Reading, in whatever order its digits are written (a warning, because only its name
    says so); and so does one of which the docstring of the model says that it is the week, the day or another span in which rows are written ("`part` is the ISO week"). `sequential=False` says of any of them, a date with a codec of dates too, that it does
    not follow the time of writing, as the year of a film or the date of an old newspaper does not. A sequence
    (`sequential=True`) of fewer than 100 values does not count as a time either, because each value stays in use for long.

    The fix puts what writes the rows in front, such as a gauge, by its name or by the docstring ("a level that a gauge measures"), and an id of the event behind the time.

Why
    Rows are stored in the order of their keys. If the key begins with the time, every new row
    goes to the end of the table, so the one node that serves the last tablet takes every write,
    however many nodes there are. If other fields follow a day or an hour, all rows that are written
    in it lie in one range of keys, which begins with one tablet for every new day or hour.

Example
    from datetime import datetime

    import btmodel as bt


    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        at: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.Text(width=12), cardinality=1_000_000)

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        percentage: int = bt.column("PERCENT", metric)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        user: str = bt.key(bt.Text(width=12), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        percentage: int = bt.column("PERCENT", metric)

Allow
    Suppress it if few rows are written and you cannot declare the rate, for example because
    something outside the model limits it; say what.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys to avoid),
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion),
    https://cloud.google.com/bigtable/docs/performance (writes of a node).
"""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from itertools import takewhile

from attrs import evolve

from btmodel import design
from btmodel.codecs.key import Kind
from btmodel.design.keys import WITH_EASE, single
from btmodel.design.series import unit, unit_words
from btmodel.design.spread import climbing, crowd, described_time, joined_time, named_time
from btmodel.lint.finding import Finding, Fix, Level, key_fixes
from btmodel.lint.row_size import apart
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import one

# A time that stands for less is another one before its rows are many.
_LASTS = timedelta(minutes=1)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a time in front, unless the model is written slowly."""
    found = crowd(model)
    if found is None or found.front:
        return
    time = found.time
    rate = "no rate of events is declared" if model.events is None else f"{model.events} are declared"
    rate_of = "" if model.view is None else f" of `{model.view.of}`"
    slow = (
        f'; or, if writes are few, declare the rate{rate_of}: `events="10/s"` (up to {WITH_EASE:g}/s passes)'
    )
    guessed = time.sequential is None and (named_time(model, time) or described_time(model, time))
    other = f"; or, if `{time.name}` does not follow the time of writing, declare `sequential=False`"
    yield RULE.finding(
        model,
        f"the key `{model.key.shape}` begins with {_time(model, time)}{_behind(model)}, and {rate}",
        why=_why(model, time),
        fix=partial(_ways, model, (other if guessed else "") + (slow if model.events is None else "")),
        part=time.name,
        at=time.location,
        level=Level.WARNING if guessed else Level.ERROR,
    )


def _ways(model: ModelSchema, otherwise: str) -> Iterator[Fix]:
    """The value of a table in front, where each has its own; or a row for each entry, where nothing but a new field would spread the rows, which hold one; then the proposed keys."""
    # Here: this rule is loaded with every model.
    from btmodel.lint.one_table import merged, values_of_tables

    if values_of_tables(model):
        yield evolve(merged(model), otherwise=otherwise)
    entered = [column for column in model.columns if column.shape.entered]
    if entered and design.proposed(model).invented is not None:
        most = max(entered, key=lambda column: column.expected.entries or 0)
        yield evolve(apart(model, most), otherwise=otherwise)
    yield from key_fixes(model, lambda key: design.change(model, key), lambda _: otherwise)()


def _why(model: ModelSchema, time: KeyField) -> str:
    """Where new rows go: to the end of the table, or, where more fields follow a time that lasts, to one range of its keys."""
    lasting = _source(model, time)
    span = unit(lasting)
    behind = [part for part in model.key.fields[model.key.fields.index(time) + 1 :] if not single(part)]
    if span is None or span < _LASTS or not behind:
        return "rows are stored in the order of their keys, so every new row goes to the last tablet and its one node"
    return (
        f"rows are stored in the order of their keys, so all writes of {one(unit_words(lasting))} go to one range of "
        "keys, which few nodes serve, however many there are"
    )


def _source(model: ModelSchema, time: KeyField) -> KeyField:
    """The time that ``time`` is made from, as a key field; itself where it is made from nothing, or from more than one attribute."""
    names = time.derived.of if time.derived else ()
    if len(names) != 1:
        return time
    from btmodel.codecs.key import DateText  # only here: rules are loaded with every model

    name = names[0]
    fields = [field for field in model.key.fields if field.name == name]
    dates = [column for column in model.columns if column.name == name and column.codec.python_type is date]
    return next(iter(fields), None) or (KeyField(name, DateText()) if dates else time)


def _time(model: ModelSchema, time: KeyField) -> str:
    if climbing(model, time):
        return f"`{time.name}`, which climbs with the time from which it is made"
    if time.derived is not None:
        return f"`{time.name}`, made from nothing but the time `{'`, `'.join(time.derived.of)}`"
    if time.codec.kind is Kind.TIME:
        return f"the {'bucket' if time == model.bucket_field else 'time'} `{time.name}`"
    if joined_time(time):
        return f"`{time.name}`, whose first part is a time"
    if named_time(model, time):
        return f"`{time.name}`, a time, judging by its name"
    if described_time(model, time):
        return f"`{time.name}`, a time, as the description of the model says"
    return f"`{time.name}`, whose few values follow each other, so each of them takes all writes for long"


def _behind(model: ModelSchema) -> str:
    front = ", ".join(f"`{part.name}`" for part in takewhile(single, model.key.fields))
    return f" after nothing but {front}, of one value" if front else ""


RULE: Rule[ModelSchema] = Rule(
    "KEY001",
    "timestamp-first",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    slow=True,
    levels=(Level.ERROR, Level.WARNING),
)
