"""The times of plans as timestamps of cells: a plan that is moved to an earlier time is hidden by the one before it."""

from datetime import datetime, timedelta
from typing import Any

from attrs import evolve

from btmodel.codecs.cell import default_codec
from btmodel.design.hints import called_ahead, called_end, sentences
from btmodel.lint.descriptions import ahead_said, ahead_said_of
from btmodel.on_demand import pattern
from btmodel.schema import Column, KeyField, ModelSchema
from btmodel.schema.model import WRITTEN, Clock
from btmodel.words import words

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
_DENIED = pattern(r"(?i)\b(?:never|not|nothing|nobody|no|cannot|can't|isn't|aren't|without)\b")


def moved_said(model: ModelSchema) -> str | None:
    """The words of the description that say that a time to come, which is that of the cells, may be moved; empty where only its name says that it is to come, and None where it is not."""
    name = model.stamp.attribute
    if name is None or not model.stamp.stored or model.stamp.expires or called_end(name):
        return None
    if not called_ahead(name) and not ahead_said_of(model.doc, name):
        return None
    for sentence in sentences(model.doc):
        found = _MOVED.search(sentence)
        if found is not None and not _DENIED.search(sentence[: found.end()]):
            return " ".join(found[0].split())
    return "" if called_ahead(name) else None


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
        found is not None and not _DENIED.search(sentence[: found.end()])
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
