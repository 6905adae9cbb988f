"""KEY024 local-time: the time of a clock that is set back, in a key

What it finds
    A key field made of a time by a function that shows the clock of a place, without its offset from UTC: the function is tried with the hours of a spring and of an autumn, and shows one of them
    twice. It is an error, as rows are lost, unless they are those of a bucket, which collects the events of both hours, or a field behind it has 10,000 values or more, or no declared
    number of them: then it is a warning, as their order is not that of time. Nothing is found of local days, of the hour of a day, or if the key holds the time itself as well.

    A text or a number of at least ten characters that is called like a time of hours or less, or `local`, in the key of a model whose docstring says that it is local ("local time",
    "the clock on the wall"), and does not speak of UTC or an offset (a warning).

Why
    When clocks are set back in autumn, an hour comes twice. The rows of its second pass have the keys of the first, and replace them silently; and two times that are a minute apart
    may be an hour apart in the key.

Example
    from datetime import datetime
    from zoneinfo import ZoneInfo

    import btmodel as bt


    def shop_time(at: datetime) -> str:
        return at.astimezone(ZoneInfo("America/New_York")).strftime("%Y-%m-%d %H:%M")


    class Footfall(bt.Model, table="FOOTFALL", events="50/s"):
        door: str = bt.key(bt.Text(width=8), cardinality=3_000)
        minute = bt.derived(bt.Text(width=16), "at", by=shop_time)

        f = bt.family("f", gc=bt.max_age(days=800))
        at: datetime = bt.column("at", f)
        visitors: int = bt.column("n", f)

        of_minute = bt.query("door", "at")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Footfall(bt.Model, table="FOOTFALL", events="50/s"):
        door: str = bt.key(bt.Text(width=8), cardinality=3_000)
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        f = bt.family("f", gc=bt.max_age(days=800))
        visitors: int = bt.column("n", f)

        of_minute = bt.query("door", "at")

Allow
    Suppress it if nothing is written in the hour that comes twice, or the later row is meant to replace the earlier one.

Source
    https://cloud.google.com/bigtable/docs/schema-design (each row key must be unique; keys are sorted as bytes), and the time zone database of
    IANA, by which most zones with summer time have an hour twice. The 10,000 values are this project's own choice.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from attrs import evolve

from btmodel.codecs import key as codecs
from btmodel.codecs.key import KeyCodec, Kind
from btmodel.design.keys import replaced
from btmodel.design.spread import named_time
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

# Values by which rows of one minute differ (this project's own figure).
_MANY = 10_000
# Characters of the shortest text that has a day and an hour.
_MOMENT = 10
_DAYS = frozenset(words("year quarter month week day date yyyy yyyymm yyyymmdd period"))
_LOCAL = pattern(
    r"(?i)\blocal (?:time|clock|hour|minute|second|timestamp|date ?time|wall)\w*\b|\bwall[- ]?clock\b|\bclocks? on the wall\b|\btime on the wall\b"
    r"|\b(?:in|by|at) the (?:time(?: ?zone)?|clock) of (?:the|its|each|their) \w+\b|\bown time ?zone\b|\b(?:daylight saving|summer) time\b"
)
_ABSOLUTE = pattern(r"\b(?:UTC|GMT|Zulu)\b|(?i:\b(?:offsets?|epoch|unix|since 1970)\b)")
_WHY = "when clocks are set back, an hour comes twice: rows of its second pass have the keys of the first, and replace them"
_OUT_OF_ORDER = "when clocks are set back, an hour comes twice, and the rows of both lie between each other"
# What a time is written as that is one of whole units.
_FORMATS = {
    timedelta(hours=1): "%Y%m%d%H",
    timedelta(minutes=1): "%Y%m%d%H%M",
    timedelta(seconds=1): "%Y%m%d%H%M%S",
}


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each field that shows a clock which is set back."""
    if any(part.codec.kind is Kind.TIME and _fine(part) for part in model.key.asked):
        return
    for part in model.key.fields:
        if part.derived is not None:
            yield from _set_back(model, part)
        elif _said_local(model, part):
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` is a local time, as the description says, and no word is said of its offset from UTC",
                why=_WHY,
                fix=partial(_as_time, model, part),
                part=part.name,
                at=part.location,
                level=Level.WARNING,
            )


def _set_back(model: ModelSchema, part: KeyField) -> Iterator[Finding]:
    """The finding on a derived field that shows an hour twice."""
    from btmodel.design.trials import set_back  # here: this rule is loaded with every model

    found = set_back(model, part)
    if found is None:
        return
    name, again, unit = found
    apart = model.bucket is not None or _distinguished(model, part)
    yield RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` shows `{name}` on the clock of a place, which is set back: {again!r} comes twice, an hour apart",
        why=_OUT_OF_ORDER if apart else _WHY,
        fix=partial(_in_utc, model, part, name, unit),
        part=part.name,
        at=part.location,
        level=Level.WARNING if apart else Level.ERROR,
    )


def _fine(part: KeyField) -> bool:
    """Whether a time tells the hours of a day apart."""
    return part.codec.python_type is datetime


def _distinguished(model: ModelSchema, part: KeyField) -> bool:
    """Whether rows of one minute differ in a field behind it."""
    behind = model.key.fields[model.key.fields.index(part) + 1 :]
    return any(field.asked and (field.cardinality is None or field.cardinality >= _MANY) for field in behind)


def _said_local(model: ModelSchema, part: KeyField) -> bool:
    """Whether ``part`` is a moment by its name and its width, and a local one by the description."""
    if not part.asked or part.codec.python_type not in (int, str) or part.codec.length.most < _MOMENT:
        return False
    called = [word.lower() for word in words(part.name)]
    timed = "local" in called or (named_time(model, part) and _DAYS.isdisjoint(called[-1:]))
    return timed and _LOCAL.search(model.doc) is not None and not _ABSOLUTE.search(model.doc)


def _in_utc(model: ModelSchema, part: KeyField, name: str, unit: timedelta) -> Iterator[Fix]:
    """The key with the time itself, of whole units or of finer ones."""
    from btmodel.design.candidates import as_field  # here: this rule is loaded with every model

    of = () if part.derived is None else part.derived.of
    others = {column.name: as_field(column) for column in model.columns if column.name in of}
    left = tuple(column for column in model.columns if column.name not in of) or model.columns
    for codec, text in _codecs(unit):
        others[name] = KeyField(name, codec)
        made = evolve(replaced(model, part, *(others[each] for each in of if each in others)), columns=left)
        yield Fix(
            f"keep the time itself in the key, in UTC, `{name}: datetime = bt.key({text})` in the place of `{part.name}`: `{made.key.shape}`, and compute the clock where it is shown",
            (made,),
        )


def _codecs(unit: timedelta) -> Iterator[tuple[KeyCodec[datetime], str]]:
    """Codecs of times of a unit, with what they are written as: of what is whole already, of what is rounded, and of finer ones."""
    text = _FORMATS[unit]
    yield codecs.TimeText(text), f'bt.TimeText("{text}")'
    yield codecs.TimeText(text, round=True), f'bt.TimeText("{text}", round=True)'
    yield codecs.EpochMillis(), "bt.EpochMillis()"


def _as_time(model: ModelSchema, part: KeyField) -> Iterator[Fix]:
    """The key with a time in the place of a text or a number that shows one."""
    for codec, text in _codecs(timedelta(minutes=1)):
        made = replaced(model, part, evolve(part, codec=codec, cardinality=None, size=None))
        yield Fix(
            f"write it as a time, which is one in UTC, `{part.name}: datetime = bt.key({text})`, and compute the clock where it is shown",
            (made,),
            otherwise="; or write its offset behind it, as in 2031-10-26T02:30+01:00",
        )


RULE: Rule[ModelSchema] = Rule(
    "KEY024",
    "local-time",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.ERROR, Level.WARNING),
)
