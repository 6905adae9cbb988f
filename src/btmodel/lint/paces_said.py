"""How often each thing is written by the description or by slots, and the rate of the table that follows from it at least."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

from btmodel.codecs.key import Kind
from btmodel.design.attribute_words import attributes, named
from btmodel.design.hints import DIGITS, NUMBERS, UNIT, length_said, sentences
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema, Rate
from btmodel.schema.rate import every_text


class Pace(NamedTuple):
    """How often each value of a field of the key is written, how that is known, and the rate of the table that follows from it at least."""

    part: KeyField
    how: str
    least: Rate


# A declared rate that is so many times lower contradicts it: not all values are always there (this project's own figure).
FAR = 10
_SENDS = (
    r"(?:sends?|reports?|reported|measures?|measured|writes?|records?|emits?|transmits?|publish(?:es)?|logs?|posts?|uploads?|gives?|tells?|delivers?|gets?"
    r"|(?:is|are)\s+(?:polled|sampled|measured|written))"
)
_COUNT = rf"{DIGITS}|{'|'.join(word for word in NUMBERS if len(word) > 2)}"
_EVERY = rf"(?:every|each|once\s+an?|once\s+(?:every|each)|(?:one|a)\s+\w+\s+(?:an?|per))\s+(?:(?P<count>{_COUNT})\s+)?(?P<unit>{UNIT}|s|min)\b(?!\s+(?:of|{UNIT})\b)"
_SAID = pattern(
    rf"(?i)(?:^|\b(?:an?|each|every|all|the)\s+)(?:of\s+(?:the|our)\s+)?(?P<who>(?:[a-z_]+\s+)?[a-z_]+)\s+(?:\w+\s+)?{_SENDS}\b(?P<what>(?:\s+[^\W\d]+){{0,7}}?)\s+{_EVERY}"
)
_FROM_EACH = pattern(
    rf"(?i)\b(?:{_SENDS}|comes?|arrives?|come in)\s+(?:from\s+)?(?:each|every|all)\s+(?:of\s+)?(?:the\s+)?(?P<who>(?:[a-z_]+\s+)?[a-z_]+)\s+{_EVERY}"
)
# What is so for a while, of some of them, or at most.
_PERHAPS = pattern(
    r"(?i)^(?:in|at|on|during|after|before|under)\b[^,]*,|\b(?:while|when|whenever|during|if|as long as|until|unless|only|some|few|most|many|may|can|could|might|at most|at least|up to|not|never|no|or|hundred|thousand|times|by a)\b"
)
_SECONDS = {"s": "second", "min": "minute"}


def least_rate(model: ModelSchema) -> Pace | None:
    """The highest rate that follows from what the description says of all values of a field, always, or from the slots of their rows; None where nothing says it."""
    known = attributes(model)
    fields = {
        part.name: part for part in model.key.asked if part.codec.kind is not Kind.TIME and part.cardinality
    }
    keys = {name: known[name] for name in fields}
    paces = [*_by_slots(model, fields.values())]
    for sentence in sentences(model.doc):
        if _PERHAPS.search(sentence):
            continue
        for said in filter(None, (form.search(sentence) for form in (_SAID, _FROM_EACH))):
            who = said["who"].split()
            found = next(filter(None, (named(keys, phrase) for phrase in (who, who[-1:], who[:1]))), ())
            every = _every(said)
            if found and every is not None and fields[found[0]] == _finest(fields.values()):
                paces.append(_pace(fields[found[0]], f"by the description ({said[0].strip()!r})", every))
    return max(paces, key=lambda pace: pace.least.per_second, default=None)


def _by_slots(model: ModelSchema, fields: Iterable[KeyField]) -> Iterator[Pace]:
    """What the slots of a row come to, each of which is written once."""
    part = _finest(fields)
    if part is not None:
        for column in model.columns:
            if column.slots is not None:
                yield _pace(
                    part,
                    f"as `{column.name}` has a slot every {every_text(column.slots.every)}",
                    column.slots.every,
                )


def _finest(fields: Iterable[KeyField]) -> KeyField | None:
    """The field of the most values, of which there are at least so many rows."""
    return max(fields, key=lambda field: field.cardinality or 0, default=None)


def _pace(part: KeyField, how: str, every: timedelta) -> Pace:
    return Pace(part, how, Rate((part.cardinality or 0) / every.total_seconds()))


def _every(said: re.Match[str]) -> timedelta | None:
    unit = said["unit"].lower()
    return length_said((said["count"] or "one").lower(), _SECONDS.get(unit, unit))
