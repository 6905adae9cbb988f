"""Times of other moments than the writing as timestamps of cells: of plans, of which one that is moved to an earlier time is hidden by the one before it, and of what was long ago."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from attrs import evolve

from btmodel.codecs.cell import default_codec
from btmodel.design.denials import denied
from btmodel.design.hints import called_ahead, called_end, length_said, sentences
from btmodel.lint.lifetimes import COUNT, LENGTH, number_said
from btmodel.on_demand import pattern
from btmodel.schema import Column, KeyField, ModelSchema
from btmodel.schema.model import WRITTEN, Clock
from btmodel.words import words

# What is written before the time that it is of, and what denies it.
_AHEAD = pattern(
    r"(?i)\b(?:ahead|in advance|beforehand|(?:in|into|of) the future|future|upcoming|to come|forecasts?|forecasted|predict(?:s|ed|ions?)?|planned|scheduled|pre-?order\w*|booked|"
    r"(?:next|coming) (?:\w+ )?(?:hours?|days?|weeks?|months?|years?|seasons?)|(?:hours?|days?|weeks?|months?|years?) (?:before|early|earlier|out))\b"
)
_CLAUSES = pattern(r"[.;!?]\s+|,\s+")
# Letters by which a verb and its noun are alike, as `departs` and "departure".
_STEM = 5


def ahead_said(doc: str) -> bool:
    """Whether a description says that rows are written before the time that they are of."""
    return any(_ahead_clauses(doc))


def ahead_said_of(doc: str, name: str) -> bool:
    """Whether a clause that says so speaks of what a time is called after, as "planned to depart" of ``departure``."""
    stem = stem_of(name)
    return bool(stem) and any(re.search(rf"(?i)\b{stem}", clause) for clause in _ahead_clauses(doc))


def _ahead_clauses(doc: str) -> Iterator[str]:
    for clause in _CLAUSES.split(" ".join(doc.split())):
        said = _AHEAD.search(clause)
        if said and not denied(clause[: said.start()]):
            yield clause


def stem_of(name: str) -> str:
    """The beginning of the last word of a name, with which words of a sentence begin that speak of the same; empty of a short one."""
    called = words(name)
    return re.escape(called[-1][:_STEM].lower()) if called and len(called[-1]) >= _STEM else ""


def until_after(doc: str, name: str) -> bool:
    """Whether a description says that rows are kept for some time after the time that is called so, as an age does that counts from it."""
    called = words(name)
    stem = re.escape(called[-1][:_STEM].lower()) if called else ""
    after = re.compile(
        rf"(?i)\b{LENGTH}\s+after\s+(?:(?:the|its|their|that|an?|each)\s+)?(?:\w+\s+)?{stem}\w*"
    )
    return bool(stem) and any(after.search(sentence) for sentence in sentences(doc))


# What was long ago when it is written.
IMPORTED = pattern(
    r"(?i)\b(?:imports?|imported|typed (?:in|up|over)|transcri\w+|digiti[sz]\w+|back-?fill\w*|migrat\w+|loaded from|scanned|archiv(?:es?|al)|historical)\b"
)
# That a plan is made anew, or its time is moved.
_MOVED = pattern(
    r"(?i)\b(?:re-?scheduled?|re-?planned|re-?plans?|re-?timed|re-?booked|pre-?poned?|postponed?|postpones|"
    r"(?:moved?|moves|moving|shift(?:s|ed)?|changed?|changes|set|put|push(?:es|ed)?|corrected|revised|updated|drawn up again)\s+(?:\w+\s+){0,4}(?:earlier|later|forward|back|ahead|another)|"
    r"brought\s+forward|brings?\s+(?:\w+\s+){0,3}forward|earlier\s+or\s+(?:\w+\s+){0,2}later|later\s+or\s+(?:\w+\s+){0,2}earlier|"
    r"(?:plans?|schedules?|timetables?|appointments?|bookings?|etas?|times?|hours?|dates?)\s+(?:(?:may|can|might|could|often|sometimes|still|also|will|then|is|are|gets?|be)\s+){0,4}"
    r"(?:changes?|changed|moves?|moved|shifts?|shifted|revised|corrected|updated|amended))\b"
)
# From when on something holds, by a name: until then, what was there before holds.
_EFFECT = pattern(
    r"(?:.* )?(?:(?:valid|effective|active|applies|applicable|available|force|price|rate|tariff|cover|covered|insured|holds|binding|binds|in effect) (?:from|as of|from (?:date|time))|from (?:date|day)|valid at|(?:in force|in effect|valid) since|in force|value date|inception(?: date)?|effective(?: (?:at|on|date|time))?|(?:goes|go) live(?: (?:at|on))?|takes effect(?: (?:at|on))?)"
)
# That it is written before.
_BEFORE_EFFECT = pattern(
    r"(?i)\b(?:before|until|ahead of when) (?:\w+ ){1,3}?(?:(?:is|are|becomes?|gets?) (?:valid|effective|active|due|applicable)|(?:takes?|comes? into|goes? into|has|have) (?:effect|force)|goes? live|applies|apply|holds?\b|counts?\b)"
)


def moved_said(model: ModelSchema) -> str | None:
    """The words of the description that say that a time to come, which is that of the cells, may be moved; empty where only its name says that it is to come, and None where it is not."""
    name = model.stamp.attribute
    if name is None or not model.stamp.stored or model.stamp.expires or called_end(name):
        return None
    if not called_ahead(name) and not ahead_said_of(model.doc, name):
        return None
    for sentence in sentences(model.doc):
        found = _MOVED.search(sentence)
        if found is not None and not denied(sentence[: found.end()]):
            return " ".join(found[0].split())
    return "" if called_ahead(name) else None


# A time of the past in a sentence: a year, so many years ago, or only words for a long time.
_YEAR = pattern(r"(?<![\w.#/-])(1[5-9]\d\d|20\d\d)(?P<decade>'?s\b)?(?![\w%/-]|\.\d)")
_AGO = pattern(rf"(?i)\b({COUNT})\s+(years?|months?|weeks?|days?)\s+(?:ago|old|back|earlier|before)\b")
_AGES = pattern(r"(?i)\b(?:decades|generations|centuries)\b")
_DECADES = timedelta(days=20 * 365)


def long_past_said(model: ModelSchema) -> tuple[str, timedelta] | None:
    """The words of the description that say that the time of the cells may be long past when they are written, and for how long; None of a time of which no sentence says so, nor of what is imported or typed in."""
    name = model.stamp.attribute
    if name is None or model.stamp.expires:
        return None
    of_it = re.compile(rf"(?i)\b{stem_of(name) or re.escape(name)}")
    speaking = (one for one in sentences(model.doc) if of_it.search(one) or IMPORTED.search(one))
    said = [found for one in speaking for found in _past_times(one)]
    return max(said, key=lambda each: each[1], default=None)


def _past_times(sentence: str) -> Iterator[tuple[str, timedelta]]:
    """What a sentence says of the past, and how long ago it is; a year, or a decade, is over at its end."""
    today = datetime.now(UTC).date()
    for found in _YEAR.finditer(sentence):
        ago = today - date(int(found[1]) + (9 if found["decade"] else 0), 12, 31)
        if ago > timedelta(0):
            yield found[0], ago
    for found in _AGO.finditer(sentence):
        count = number_said(found[1])
        length = None if count is None else length_said(str(count), found[2])
        if length is not None and not denied(sentence[: found.start()]):
            yield found[0], length
    for found in _AGES.finditer(sentence):
        yield found[0], _DECADES


def in_a_column(model: ModelSchema, name: str) -> tuple[str, ModelSchema]:
    """How the time of the cells is declared as a column, and the model with it, whose cells have the time of writing."""
    beside = (one for one in model.columns if one.stamped and model.clock(one) is Clock.EVENT)
    home = next(beside, model.columns[0]).family
    codec: Any = default_codec(datetime)
    column = Column(name, home, name.encode(), codec, required=model.stamp.required)
    kind, default = ("datetime", "") if column.required else ("datetime | None", ", default=None")
    declared = f'`{name}: {kind} = bt.column("{name}", {home}{default})`'
    return declared, evolve(model, stamp=WRITTEN, columns=(*model.columns, column))


# Older than any value that has to be there still.
_LONG = timedelta(days=36_500)


def effect_said(model: ModelSchema) -> bool | None:
    """Whether the description says that values are written before they hold, of cells whose time is that from which they do, and the ones that hold until then are not kept; None where it is another time."""
    name = model.stamp.attribute
    if name is None or not model.stamp.stored or model.stamp.expires:
        return None
    if not _EFFECT.fullmatch(" ".join(word.lower() for word in words(name))):
        return None
    timed = {one.family for one in model.columns if one.shape.plain and model.clock(one) is Clock.EVENT}
    if not timed:
        return None
    rules = (family.gc for family in model.families if family.id in timed)
    if not any(rule is not None and rule.deletes(age=_LONG, rank=2) for rule in rules):
        return False
    return ahead_said(model.doc) or any(
        found is not None and not denied(sentence[: found.end()])
        for sentence in sentences(model.doc)
        for found in (_BEFORE_EFFECT.search(sentence),)
    )


def in_the_key(model: ModelSchema, name: str) -> tuple[str, ModelSchema] | None:
    """How the time of the cells is declared as the end of the key, latest first, and the model with it; None where no field can stand behind the others."""
    from btmodel.codecs.key import ReversedMillis  # here: few models have such a time

    if not model.key.asked or model.key.fields[-1].optional or model.bucket is not None:
        return None
    part = KeyField(name, ReversedMillis(round=True))
    key = evolve(model.key, fields=(*model.key.fields, part))
    return f"`{name}: datetime = bt.key(bt.ReversedMillis(round=True))`: `{key.shape}`", evolve(
        model, key=key, stamp=WRITTEN
    )
