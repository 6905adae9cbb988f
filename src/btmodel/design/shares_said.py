"""What descriptions say of uneven values: "70 % of orders come from one country", "half of the traffic is one tenant".

It counts as the ``skew`` of the field, where the model declares none.
"""

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import NamedTuple

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.design.attribute_words import SAME, attributes, named, singular, things
from btmodel.design.hints import NUMBERS, sentences, whole_said
from btmodel.design.keys import single
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema, Skew
from btmodel.schema.model import remembered
from btmodel.words import words


class Share(NamedTuple):
    """The skew of a field, and the words that say it."""

    skew: Skew
    words: str


_PARTS = {
    "half": 0.5,
    "most": 0.5,
    "majority": 0.5,
    "bulk": 0.5,
    "lion's share": 0.5,
    "all": 0.9,
    "every": 0.9,
    "two thirds": 2 / 3,
    "two-thirds": 2 / 3,
    "a third": 1 / 3,
    "a quarter": 0.25,
    "three quarters": 0.75,
    "three-quarters": 0.75,
    "four fifths": 0.8,
    "four out of five": 0.8,
}
_TENTHS = ("five", "six", "seven", "eight", "nine")
_PARTS |= {
    f"{number}{of}": (at + 5) / 10
    for at, number in enumerate(_TENTHS)
    for of in (" out of ten", " in ten", " of ten", " out of every ten", " tenths")
}
_SHARE = (
    r"(?:(?:about|around|some|roughly|over|well|far|more than|close to|up to|at least|the|a|an|vast|clear)\s+)*"
    rf"(?:(?<![0-9][.,])(?<!\W[-\u2212])(?P<percent>\d{{1,3}}(?:\.\d+)?)\s?(?:%|percent\b|per\s+cent\b)|(?:almost|nearly|practically|virtually)\s+(?P<whole>all|every)\b|(?P<part>{'|'.join(sorted((part for part in _PARTS if part not in ('all', 'every')), key=len, reverse=True))})\b)"
)
_IS_SHARE = pattern(rf"(?i)(?<!\w){_SHARE}")
_HAPPENS = r"traffic|load|volume|writes|rows|events|requests|messages|records|entries|inserts|updates|them|everything|it|(?:what|all that)\s+\w+\s+\w+"
_COUNT = "|".join(word for word in NUMBERS if len(word) > 2)
_MOST = r"(?:largest|biggest|busiest|top|main|heaviest|most\s+(?:active|popular)|strongest|hottest|leading|flagship|favou?rite|front)"
_WHO = (
    rf"(?P<who>(?:(?:only|just|the|our|its|a)\s+)*(?:(?P<count>{_COUNT}|single|few|handful\s+of|\d+)\s+)?(?:of\s+(?:the|our|its|these|those)\s+)?(?:{_MOST}\s+)?(?:(?P<behind>{_COUNT})\s+)?"
    r"(?:of\s+(?:the|our|its)\s+)?(?P<field>(?:[\w`'-]+\s+)?[\w`'-]+))"
)
_FROM = (
    r"\s+(?:(?!(?:of|in|at|by|from|for|with)\b)\w+\s+){0,2}?(?:comes?|are|is|go(?:es)?|belongs?|falls?|hits?|lands?|stems?|originates?|concerns?|was|were|arrives?)\s+"
    r"(?:(?:made|placed|written|sent|cast|given|sold|paid|caused|produced|bought|in|only)\s+)*(?:(?:from|to|of|for|in|by|on|at|with|into|through|via|those\s+of|that\s+of|the\s+ones\s+of)\s+){0,2}"
)
# Any verb with a share of what happens says who has it, but those of readers and of what is done away with.
_HAS = (
    r"(?:,[^,;]{1,40},)?(?:\s+(?!and\b)[\w'-]+){0,6}?(?:\s+and)?\s+"
    r"(?!(?:reads?|asks?|needs?|wants?|loses?|deletes?|drops?|skips?|ignores?|filters?|shows?|checks?|keeps?|wins?|pays?|sees?\s+only|in|on|at|of|with|for|by|from|than|and|or|the|an?|to)\s)"
    r"\w{2,}(?:\s+(?:up|for|in|out|responsible\s+for))?\s+"
)
# What is only possible, was so once, or is denied.
_PERHAPS = pattern(
    r"(?i)\b(?:no|never|not|nobody|none|may|might|could|can|cannot|at most|less than|fewer than|below|under|once|if|used to|would|evenly|by mistake|each|every tenant|per(?!\s+cent))\b"
)
# What is called by a name of its own, where a sentence or a part of one begins.
_NAMED = r"(?P<names>[A-Z][\w.-]+(?:(?:,\s+|\s+and\s+)[A-Z][\w.-]+)*)"
_NO_NAMES = frozenset(
    words(
        "The A An In Of At On By It They We Our Its All Half Most One Two Three Four Five Each Every This That These Those There Some Many No About Nearly Almost Only Up More"
    )
)
# A smaller share is nothing that one value is overloaded by.
_LEAST = 0.001
# Of so many values "a few" are a handful (this project's own figure).
_FEW = 3


@remembered
def shares_said(model: ModelSchema) -> Mapping[str, Share]:
    """The uneven fields of the key by the description, but those that declare how uneven they are."""
    if not model.doc or not _IS_SHARE.search(model.doc):
        return {}
    known = attributes(model)
    keys = {part.name: known[part.name] for part in model.key.asked if part.codec.kind is not Kind.TIME}
    events = "|".join([_HAPPENS, *(rf"{re.escape(thing)}\w{{0,3}}" for thing in _happening(model))])
    # What somebody does with half of its own is no half of all.
    of, of_all = _of(events, "its|their|"), _of(events, "")
    forms = [rf"(?i:{_SHARE}{of}{_FROM}{_WHO})", rf"(?i:(?<!\w){_WHO}{_HAS}{_SHARE}{of_all})"]
    forms.append(
        rf"(?i:\bof\s+(?:(?:all|the|our)\s+){{1,2}}(?:\w+\s+)?(?:{events}),\s+{_SHARE}{_FROM}{_WHO})"
    )
    forms.append(
        rf"(?i:\bthe\s+(?P<alone>[\w-]+))\s+(?:in|of|at|on|called|named)\s+(?:the\s+)?[A-Z][\w.-]+(?i:{_HAS}{_SHARE}{of_all})"
    )
    forms.append(rf"(?:^|[,:]\s+){_NAMED}(?i:{_HAS}{_SHARE}{of_all})")
    found: dict[str, Share] = {}
    for sentence in sentences(model.doc):
        if not _IS_SHARE.search(sentence):
            continue
        for form in forms:
            said = re.search(form, sentence)
            if said is None or _part(said) < _LEAST or _PERHAPS.search(sentence[: said.end()]):
                continue
            name, count = _whose(model, keys, said.groupdict())
            part = next((part for part in model.key.asked if part.name == name), None)
            if (
                part is not None
                and part.skew is None
                and (part.cardinality is None or count < part.cardinality)
            ):
                text = f"{100 * _part(said):.3g}%:{count}"
                found.setdefault(part.name, Share(Skew.parse(text), said[0].strip(" ,:")))
    return found


def with_shares_said(model: ModelSchema) -> ModelSchema:
    """The model whose fields are as uneven as its description says."""
    said = shares_said(model)
    if not said:
        return model
    fields = (
        evolve(part, skew=said[part.name].skew) if part.name in said else part for part in model.key.fields
    )
    return evolve(model, key=evolve(model.key, fields=tuple(fields)))


def _of(events: str, own: str) -> str:
    """The pattern of what a share is of, also of somebody's ``own``."""
    other = "" if own else r"(?!(?:its|their|his|her)\b)"
    return rf"\s+(?:of\s+)?(?:(?:{own}all|the|our|these|those)\s+){{0,2}}(?:{other}\w+\s+)?(?:{events})\b"


def _happening(model: ModelSchema) -> set[str]:
    """What the description may call that which is written: rows, and what they count or gather."""
    counted = (column.name for column in model.columns if column.shape.summed or column.shape.eventful)
    called = {*things(model), *(singular(words(name)[-1]) for name in counted)}
    return called | {word for word, same in SAME.items() if same in called}


def _part(said: re.Match[str]) -> float:
    groups = said.groupdict()
    if groups["percent"]:
        return min(100.0, float(groups["percent"])) / 100
    return _PARTS[" ".join((groups["whole"] or groups["part"]).lower().split())]


def _whose(
    model: ModelSchema, keys: Mapping[str, tuple[str, ...]], groups: Mapping[str, str | None]
) -> tuple[str | None, int]:
    """The field whose values have the share, and how many of them."""
    names = groups.get("names")
    if names:
        first = names.replace(",", " ").split()
        return (None if first[0] in _NO_NAMES else _only(model)), len([one for one in first if one != "and"])
    alone = groups.get("alone")
    if alone:
        return next(iter(named(keys, [alone])), None), 1
    said, count, behind = (groups.get(name) for name in ("field", "count", "behind"))
    who, field = (groups.get("who") or "").lower(), (said or "").lower().split()
    number = _number(count) or _number(behind)
    if field[-1:] == ["them"] and number == 1:
        return _only(model), 1
    for phrase in (field, field[:1], field[-1:]):
        name = next(iter(named(keys, phrase)), None) if phrase else None
        if name is not None:
            of = re.search(rf"\b{_MOST}\s+of\s", who) is not None
            plural = not of and singular(phrase[-1]) != phrase[-1].strip("`")
            largest = re.search(rf"\b{_MOST}\b", who) is not None
            if number is None and not largest:
                return None, 0
            return name, number or (_FEW if plural else 1)
    return None, 0


def _number(text: str | None) -> int | None:
    word = (text or "").lower().split()[:1]
    if not word:
        return None
    return {"single": 1, "few": _FEW, "handful": 5}.get(word[0]) or (
        whole_said(word[0]) or NUMBERS.get(word[0])
    )


def _only(model: ModelSchema) -> str | None:
    """The one field in front of the first time, where there is just one: of it are the values that are called by their names."""
    front = takewhile(lambda part: part.codec.kind is not Kind.TIME, model.key.fields)
    asked = [part.name for part in front if part.asked and not single(part)]
    return asked[0] if len(asked) == 1 else None
