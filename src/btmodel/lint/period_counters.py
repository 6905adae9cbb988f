"""Counters of a period, by their names or by what the description says, that go on when the period ends."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple

from attrs import evolve

from btmodel.codecs import cell
from btmodel.codecs.key import Kind
from btmodel.design.attribute_words import singular
from btmodel.design.hints import NUMBERS, cited, sentences, time_of, whole_said
from btmodel.design.keys import fresh
from btmodel.design.series import key_of_buckets
from btmodel.design.time_adverbs import UNITS_OF, either
from btmodel.design.time_names import SPANS
from btmodel.lint.decided_numbers import decided
from btmodel.lint.descriptions import ELSEWHERE, IN_ANOTHER, VERB, asked_for, longest_said, past_of
from btmodel.lint.finding import Fix
from btmodel.lint.retention import declared_family, free_family, moved, with_room
from btmodel.on_demand import pattern
from btmodel.schema import Aggregate, Bucket, Column, Expected, Family, KeyField, MaxAge, ModelSchema, Shape
from btmodel.schema.bucket import Spans
from btmodel.schema.gc import oldest
from btmodel.schema.rate import every_text
from btmodel.source_text import family_name
from btmodel.words import counted, one, words


class Counted(NamedTuple):
    """A counter of one period, or of the last ``number`` units, and how that is known: by its name, or by the words of the description."""

    column: Column
    period: "Period"
    said: str | None

    @property
    def message(self) -> str:
        """What is wrong with it."""
        said = self.said and cited(self.said)
        how = f"by the description ({said!r})" if said else "by its name"
        period, ends = (
            (one(self.period.unit), f"goes on when the {self.period.unit} ends")
            if self.period.number is None
            else (str(self.period), "what is older stays in it")
        )
        return f"`{self.column.name}` counts what happens in {period}, {how}, and {ends}: there is no time in the key, no span and no age"


class Period(NamedTuple):
    """A unit of the calendar, such as this month, or the last so many of them."""

    unit: str
    number: int | None = None

    @property
    def days(self) -> float:
        """Its length, at most."""
        return _DAYS[self.unit] * (self.number or 1)

    def __str__(self) -> str:
        return f"the {self.unit}" if self.number is None else f"the last {counted(self.number, self.unit)}"


_DAYS = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 31.0,
    "quarter": 92.0,
    "year": 365.0,
}
_TO_DATE = {"wtd": "week", "mtd": "month", "qtd": "quarter", "ytd": "year"}
_SHORT = {"h": "hour", "hr": "hour", "hrs": "hour", "d": "day", "w": "week", "m": "month", "y": "year"}
_NOW = frozenset(words("this current present running ongoing"))
_BACK = frozenset(words("last past trailing recent"))
# What is set, and not counted.
_NO_COUNT = frozenset(words("average avg mean median limit quota cap goal target budget max min rate first"))
# What happens, so that "daily" and "week" in front of it say when; things and people are called so, too: day passes, weekly subscribers.
_EVENTS = frozenset(
    words(
        "view call visit click hit request opening message login logon signup sale order purchase download upload search impression like vote play scan read write "
        "event error failure attempt post comment transaction payment trip ride session ping query count counter number use usage listen stream launch alarm alert swipe entry exit check point win step earning spending revenue traffic usage activity mileage trip parcel"
    )
)
_THINGS = frozenset(
    words(
        "plan pass ticket fee subscription subscriber member membership special menu newsletter digest report tariff rate card"
    )
)
_UNIT = "|".join(_DAYS)
_EITHER = either(UNITS_OF)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_EVERY = (
    rf"(?:(?:every|each|a|the)\s+(?:new\s+|single\s+|calendar\s+)?(?P<each>{_UNIT})\b|\b(?P<adverb>{_EITHER})\b|(?:at|after|since|from)\s+(?P<midnight>midnight)\b"
    rf"|(?:every|each|on)\s+(?P<weekday>{_WEEKDAY})s?\b|(?:every|each|in\s+the)\s+(?P<morning>morning|night|evening)\b)"
)
_ZERO = r"(?:zero|0|nought|nil)"
_CLEARED = rf"(?:reset|zeroed|cleared|emptied|(?:set|put)\s+(?:back\s+)?to\s+{_ZERO})"
_ENDS = (
    r"(?:\b(?:resets?|restarts?|(?:starts?|begins?|counts?)\s+(?:again|anew|over|afresh)|(?:starts?|begins?|starting|beginning)\s+(?:\w+\s+)?(?:from|at|with)\s+(?:zero|0|nought|scratch)|"
    rf"(?:(?:goes|go|falls?|drops?|turns?)\s+)?(?:back\s+)?to\s+{_ZERO}|(?:rolls?|turns?)\s+over|"
    rf"returns?\s+to\s+{_ZERO}|expires?|(?:is|are|gets?|be)\s+{_CLEARED}|counts?\s+from\s+the\s+first|counted\s+from\s+(?:zero|0|scratch)|(?:is|are)\s+{_ZERO}\s+again)\b|^\s*{_CLEARED}\b)"
)
# A note without a subject is about the number.
_ALONE = pattern(
    rf"(?i)^\s*(?:{_CLEARED}|resets|restarts|(?:rolls|turns)\s+over|(?:starts|begins)\s+(?:again|anew|over|afresh|from|at|with)|(?:goes|falls|drops)\s+back)\b"
)
_RESTARTS = (pattern(rf"(?i){_ENDS}.*?{_EVERY}"), pattern(rf"(?i){_EVERY}.*?{_ENDS}"))
_OF_NOW = (
    rf"(?:\b(?:this|(?:the|its|a)\s+(?:current|present|running|ongoing))\s+(?:\w+\s+)?(?P<unit>{_UNIT})\b|\b(?P<today>today)(?:'s)?\b|\bsince\s+(?P<midnight>midnight)\b"
    rf"|\b(?:per|by)\s+(?:calendar\s+)?(?P<per>{_UNIT})\b|(?:\b(?:of|in|over|within|during|for)\s+the\s+|^\s*(?:the\s+)?)(?:last|past)\s+(?:(?P<count>\d+|\w+)\s+)?(?P<back>{_UNIT})s?\b"
    rf"|\bsince\s+the\s+(?:start|beginning|first)(?:\s+day)?\s+of\s+the\s+(?P<since>{_UNIT})\b|\bsince\s+(?:last\s+)?(?P<weekday>{_WEEKDAY})\b"
    rf"|\b(?P<date>{_UNIT})[-\s]to[-\s]date\b|\b(?P<short>{'|'.join(_TO_DATE)})\b)"
)
# What somebody does to the numbers at the end of a period, so that they do start again.
_DONE_TO_THEM = pattern(
    r"(?i)\b(?:resets?|zeroe?s?|clears?|empties|empty|wipes?|deletes?|removes?|restarts?)\s+(?:the|its|their|his|her|our|all|these|those|it|them|(?:every|each)\s+(?:counter|number|count)|`\w+`)\b"
    r"|\bsets?\s+(?!back\b)[^.;,]{1,40}\bto\s+(?:zero|0)\b"
    r"|\b(?:reset|zeroed|cleared|emptied|wiped|(?:set|put)\s+(?:back\s+)?to\s+(?:zero|0))\b[^.;]{0,60}\bby\b"
)
_SUMS = r"(?:counters?|counts?|numbers?|figures?|sums?|totals?|tall(?:y|ies))"
_COUNTS = r"(?:counters?|counts?|counted|(?:the\s+)?numbers?(?=\s)|how\s+(?:often|many|much)|sums?|totals?|tall(?:y|ies))"
# The number itself by its period: "a weekly total", "a 24-hour count", "the count of the day", "the month's usage".
_SUM_OF = (
    rf"(?:\b(?P<adverb>{_EITHER})\s+{_SUMS}\b(?!\s+(?:of\s+(?:the|all)\s+)?(?:is|are)\b)|\b(?:a|per|one|1|each)[-\s](?P<unit>{_UNIT})\s+{_SUMS}\b|\b(?P<count>\d+)[-\s](?P<back>{_UNIT})\s+{_SUMS}\b"
    rf"|\b{_SUMS}\s+(?:of|for)\s+the\s+(?P<per>{_UNIT})\b)"
)
# A participle behind a noun, which is no verb of the note: "trips made today".
_PAST = pattern(r"(?i)(?<=s )(?:made|seen|sent|sold|done|taken|given|\w{2,}ed)\b|\blast\b")
# A note that is no sentence, of what happens: "this month's traffic", "calls this hour", "swipes on the current day".
_NOTE = pattern(r"(?i)^\W*(?:`\w+`:\s+)?[^,;:]+(?=$|[,;:])")
_NOTE_OF = (
    rf"(?:^\W*(?:(?:the\s+|a\s+)?(?:\w+\s+)?(?P<whose>{_UNIT})|(?P<today>today)|(?:the\s+)?(?:last|past)\s+(?P<count>\d+|\w+)\s+(?P<back>{_UNIT})s)['\u2019]s?\s+(?P<what>\w+)"
    rf"|^\W*(?:the\s+)?(?P<adverb>{_EITHER})\s+(?P<when>\w+)$)"
)
_OTHERWISE = pattern(
    r"(?i)\b(?:never|not|no|nobody|more\s+often|less\s+often|than|may|once|times\s+an?|ever|page|report|mail|bill|invoice)\b"
    r"|\b(?:last|previous)\s+\w+['\u2019]s\s+(?:\w+\s+){0,2}(?:was|were|had)\b"  # a period that is over
)
# That a number is of all time, which ends what its name says.
_FOR_GOOD = pattern(
    r"(?i)\b(?:totals?|ever|cumulative|all[- ]time|of\s+all\s+times?|life-?time|since\s+(?!midnight|(?:the\s+)?(?:start|beginning|first)\b|(?:last\s+)?(?:yester|mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|(?:never|not|nobody|nothing)\s+[^.;]{0,30}?\b(?:resets?|restart\w*|anew|again|afresh|zeroe?[sd]?|cleared|emptied|clears|empties))\b"
)
# What is surely of all time, even beside a period: "everything since launch, this month included".
_EVER = pattern(
    r"(?i)\b(?:ever|all[- ]time|of\s+all\s+times?|life-?time|since\s+(?:launch|installation|commissioning|creation|(?:it|they|we)\b))\b"
)
_CLAUSE = pattern(r"(?<!`)[;:]\s+|,\s+(?:and|but|or|which|who|that)\s+")


def of_a_period(model: ModelSchema) -> Iterator[Counted]:
    """The counters that are of a period, where nothing of the model says when that begins: no time in the key, no spans and no age."""
    if (
        model.view is not None
        or model.bucket is not None
        or model.parameters
        or any(map(_is_time, model.key.fields))
    ):
        return
    counters = [column for column in model.columns if _counts_on(model, column)]
    if not counters or any(_DONE_TO_THEM.search(one) or _for_good(one) for one in sentences(model.doc)):
        return
    numbers = [column for column in model.columns if column.shape.summed or column in counters]
    for column in counters:
        period = called_of(column.name)
        if period is not None:
            yield Counted(column, period, None)
            continue
        said = _said(model, column, alone=len(numbers) == 1)
        if said is not None:
            yield Counted(column, said[0], said[1])


def _for_good(sentence: str) -> bool:
    """Whether a sentence says that numbers are of all time; a total of this month is not."""
    if ELSEWHERE.search(sentence) or IN_ANOTHER.search(sentence) or not _FOR_GOOD.search(sentence):
        return False
    periods = (_OF_NOW, _SUM_OF, rf"\b{_EITHER}\b")
    return _EVER.search(sentence) is not None or not any(
        re.search(f"(?i){each}", sentence) for each in periods
    )


def _is_time(part: KeyField) -> bool:
    return part.codec.kind is Kind.TIME or not SPANS.isdisjoint(word.lower() for word in words(part.name))


def _counts_on(model: ModelSchema, column: Column) -> bool:
    """Whether something is added to one number of the column for good."""
    family = model.family(column.family)
    rule = column.expected.keep or (family.gc if family else None)
    if rule is None or rule.given or oldest(rule) is not None or column.spans or column.slots:
        return False
    summed = (
        column.shape in (Shape.COUNTER, Shape.COUNTERS)
        and family is not None
        and family.aggregate is Aggregate.SUM
    )
    return summed or (column.shape.plain and column.expected.increments is not None)


def called_of(name: str) -> Period | None:
    """The period of which a counter is, by its name, as ``views_this_month``; None where it is of none."""
    parts = [word.lower() for word in words(name)]
    if not _NO_COUNT.isdisjoint(parts):
        return None
    if not {"today", "todays", "tonight"}.isdisjoint(parts) or parts[-2:] == ["since", "midnight"]:
        return Period("day")
    for at, word in enumerate(parts):
        before, behind = parts[:at], parts[at + 1 :]
        if word in _TO_DATE or (word in UNITS_OF and _counts_events((*before, *behind))):
            return Period((UNITS_OF | _TO_DATE)[word])
        number = whole_said(before[-1]) if before else None
        unit = _SHORT.get(word, word) if number else word
        unit = unit if unit in _DAYS else singular(unit)
        if unit not in _DAYS:
            continue
        near = before[:-1] if number else before
        last = not _BACK.isdisjoint(near[-1:])
        if last or (number and (not behind or _counts_events(behind))):
            return _of_number(unit, number or 1)
        if not _NOW.isdisjoint(near[-1:]) or near[-1:] == ["per"] or behind[:2] == ["to", "date"]:
            return Period(unit)
        within = next((end for end in (["of", "the"], ["of"], ["in"]) if near[-len(end) :] == end), None)
        if within and not behind and _counts_events(near[: -len(within)]):
            return Period(unit)
        if not before and word == unit and _counts_events(behind):
            return Period(unit)
    return None


def _counts_events(parts: Sequence[str]) -> bool:
    """Whether the words of a name beside that of a period are those of something that happens."""
    alone = [singular(part) for part in parts]
    return bool(alone) and alone[-1] in _EVENTS and _THINGS.isdisjoint(alone)


def _said(model: ModelSchema, column: Column, *, alone: bool) -> tuple[Period, str] | None:
    """The period of a counter by the description, and the sentence; None where that says nothing of it."""
    stem = re.escape(singular(words(column.name)[-1]).removesuffix("e"))
    # The plural and the participle of a word, where it is no letter with which many begin.
    named = rf"\b(?:{re.escape(column.name)}|{stem}\w{{0,{4 if len(stem) > 2 else 1}}})\b"
    about = rf"(?:{named}|\b{_COUNTS}\b|\bit\b)" if alone else named
    for sentence in sentences(model.doc):
        if ELSEWHERE.search(sentence) or IN_ANOTHER.search(sentence):
            continue
        spoken_of = re.search(rf"(?i){about}", sentence) or (alone and _ALONE.match(sentence))
        if spoken_of and not _OTHERWISE.search(sentence):
            restarts = next(filter(None, (one.search(sentence) for one in _RESTARTS)), None)
            period = None if restarts is None else _period(restarts)
            if period is not None:
                return period, sentence
        for clause in _CLAUSE.split(sentence):
            if _OTHERWISE.search(clause):
                continue
            found = None
            if re.search(rf"(?i)(?:{named}|\b{_COUNTS}\b)" if alone else rf"(?i){named}", clause):
                found = re.search(rf"(?i){_OF_NOW}", clause) or _each(clause, named)
            if found is None and alone:
                found = re.search(rf"(?i){_SUM_OF}", clause) or _noted(clause)
            period = None if found is None else _period(found)
            if period is not None:
                return period, sentence
    return None


def _noted(clause: str) -> re.Match[str] | None:
    """The period in a note, which has no verb, and of which the first noun is what happens."""
    note = _NOTE.match(clause.rstrip(" ."))
    if note is None or VERB.search(_PAST.sub(" ", note[0])):
        return None
    to_date = re.fullmatch(rf"(?i)\W*(?P<unit>{_UNIT})[-\s]to[-\s]date(?:\s+(?P<what>\w+))?", note[0])
    if to_date is not None:
        return to_date if to_date["what"] is None or _counts_events([to_date["what"].lower()]) else None
    whose = re.search(rf"(?i){_NOTE_OF}", note[0])
    if whose is not None:
        return whose if _counts_events([(whose["what"] or whose["when"]).lower()]) else None
    first = re.findall(r"[a-z]+", note[0].partition("`: ")[2].lower() or note[0].lower())
    found = re.search(rf"(?i){_OF_NOW}", re.sub(r"(?i)\bby\b", ",", note[0]))  # "by day or night"
    before = [word for word in first[:2] if word not in ("the", "all")]
    return found if found and before and _counts_events(before[:1]) else None


def _each(clause: str, named: str) -> re.Match[str] | None:
    """Words such as "daily page views" of what happens; "weekly subscribers" are people."""
    found = re.search(rf"(?i)\b(?P<adverb>{_EITHER})\s+(?P<what>(?:\w+\s+)?{named})", clause)
    return found if found and _counts_events([word.lower() for word in words(found["what"])]) else None


def _of_number(unit: str, number: int | None) -> Period | None:
    """The last so many units; None of a number that no counter is of."""
    known = number is not None and time_of(number, timedelta(days=_DAYS[unit])) is not None
    return Period(unit, number) if known else None


def _period(found: re.Match[str]) -> Period | None:
    groups = {
        name: text.lower()
        for name, text in found.groupdict().items()
        if text and name not in ("what", "when")
    }
    if "short" in groups:
        return Period(_TO_DATE[groups["short"]])
    if "back" in groups:
        count = groups.get("count", "one")
        return _of_number(groups["back"], whole_said(count) if count[0].isdigit() else NUMBERS.get(count, 1))
    if "adverb" in groups:
        return Period(UNITS_OF[groups["adverb"]])
    return Period(
        "week" if "weekday" in groups else next((text for text in groups.values() if text in _DAYS), "day")
    )


def ways_to_begin_anew(model: ModelSchema, found: Counted) -> Iterator[Fix]:
    """A number for each span, of which an age deletes the old ones; or the period as a field of the key."""
    counts = found.column.shape is Shape.COUNTER
    if counts or (found.column.shape is Shape.VALUE and decided(model, found.column) is None):
        yield _in_spans(model, found)
    if found.period.number is None:
        yield _in_key(model, found.period.unit)


_SPANS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}


def _in_spans(model: ModelSchema, found: Counted) -> Fix:
    column, period = found.column, found.period
    spans = Spans(_SPANS.get(period.unit, timedelta(days=1)))
    rule = _kept(model, found)
    known = (one for one in model.families if one.aggregate is Aggregate.SUM and one.gc == rule)
    family = next(known, None) or Family(free_family(model, "spans"), rule, Aggregate.SUM)
    made = moved(
        model,
        column,
        family,
        codec=cell.Int64(),
        shape=Shape.COUNTS,
        spans=spans,
        required=False,
        also=(),
        expected=Expected(increments=column.expected.increments),
    )
    made = _without_empty(made, column.family)
    name = fresh(model, family_name(family.id), f"{family.id}_")
    declared = "" if family in model.families else f"`{name} = {declared_family(family)}` and "
    each = every_text(spans.every)
    since = f"since the start of {period}" if period.number is None else f"of {period}"
    qualifier = column.qualifier.decode(errors="backslashreplace")
    return Fix(
        f'count each span by itself, {declared}`{column.name}: bt.History[int] = bt.counter("{qualifier}", {name}, every="{each}")`: '
        f"`{column.name}.between(start, None).total` is the number {since}, and an age deletes old spans",
        (made,),
    )


def _kept(model: ModelSchema, found: Counted) -> MaxAge:
    """How spans are kept: that of the period that runs and the one before, which somebody may compare, and as long as the description speaks of."""
    age = timedelta(days=max(2, round(2 * found.period.days)))
    looked_at = asked_for(model)
    kept = (longest_said(one) for one in sentences(model.doc) if _KEPT.search(one) and _names(found, one))
    said = (past_of(model), looked_at and looked_at[1], *kept)
    past = max(filter(None, said), default=age)
    return MaxAge(age) if past <= age else with_room(past)


_KEPT = pattern(r"(?i)\b(?:kept|keeps?|held|stored|retained|available)\b")


def _names(found: Counted, sentence: str) -> bool:
    """Whether a sentence speaks of what is counted, by a word of the name that is no word of time."""
    own = {singular(word) for word in words(found.column.name)} - _NOW - _BACK - {*_DAYS, "to", "date", "of"}
    return not own.isdisjoint(singular(word) for word in words(sentence))


def _without_empty(model: ModelSchema, id: str) -> ModelSchema:
    """The model without a family in which nothing is left."""
    used = {column.family for column in model.columns} | {
        part.mirror.family for part in model.key.fields if part.mirror
    }
    return (
        model if id in used else evolve(model, families=tuple(one for one in model.families if one.id != id))
    )


def _in_key(model: ModelSchema, unit: str) -> Fix:
    """A row for each period."""
    key = key_of_buckets(model, Bucket({"quarter": "month"}.get(unit, unit)))
    return Fix(f"put the period behind it in the key, a row for each: {key}", (key.given(model),))
