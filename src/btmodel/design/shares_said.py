"""What descriptions say of uneven values: "70 % of orders come from one country", "half of the traffic is one tenant".

It counts as the ``skew`` of the field, where the model declares none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
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
    "every second": 0.5,
    "every other": 0.5,
    "every third": 1 / 3,
}
_TENTHS = ("five", "six", "seven", "eight", "nine")
_PARTS |= {f"{number} tenths": (at + 5) / 10 for at, number in enumerate(_TENTHS)}
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(sorted((word for word in NUMBERS if len(word) > 2), key=len, reverse=True))}|hundred)"
_SHARE = (
    r"(?:(?:about|around|some|roughly|over|well|far|more than|close to|up to|at least|the|a|an|vast|clear)\s+)*"
    rf"(?:(?<![0-9][.,])(?<!\W[-\u2212])(?P<percent>\d{{1,3}}(?:\.\d+)?)\s?(?:%|percent\b|per\s+cent\b)|(?P<said>{_NUMBER})\s+(?:percent|per\s+cent)\b|(?<![\d.,/])(?P<some>{_NUMBER})\s+(?:out\s+of|in|of)\s+(?:every\s+|any\s+)?(?P<total>{_NUMBER})\b(?!\s?%)|(?:almost|nearly|practically|virtually)\s+(?P<whole>all|every)\b|(?P<part>{'|'.join(sorted((part for part in _PARTS if part not in ('all', 'every')), key=len, reverse=True))})\b)"
)
_SPEAKS = pattern(rf"(?i)(?<!\w){_SHARE}|\bas (?:much|many)\b")
_HAPPENS = r"traffic|load|volume|writes|rows|events|requests|messages|records|entries|inserts|updates|them|everything|it|(?:what|all that)\s+\w+\s+\w+"
_COUNT = "|".join(word for word in NUMBERS if len(word) > 2)
_MOST = r"(?:largest|biggest|busiest|top|main|heaviest|most\s+(?:active|popular)|strongest|hottest|leading|flagship|favou?rite|front)"
_WHO = (
    rf"(?P<who>(?:(?:only|just|the|our|its|a)\s+)*(?:(?P<count>{_COUNT}|single|same|few|handful\s+of|\d+)\s+)?(?:of\s+(?:the|our|its|these|those)\s+)?(?:{_MOST}\s+)?(?:(?P<behind>{_COUNT})\s+)?"
    r"(?:of\s+(?:the|our|its)\s+)?(?P<field>(?:[\w`'-]+\s+)?[\w`'-]+))"
)
_FROM = (
    r"\s+(?:(?!(?:of|in|at|by|from|for|with)\b)\w+\s+){0,2}?(?:comes?|are|is|go(?:es)?|belongs?|falls?|hits?|lands?|stems?|originates?|concerns?|was|were|arrives?|starts?|begins?|happens?|occurs?|takes?\s+place|ends?\s+up|concentrates?|clusters?|runs?)\s+"
    r"(?:(?:made|placed|written|sent|cast|given|sold|paid|caused|produced|bought|taken|filed|recorded|booked|opened|concentrated|started|in|only)\s+)*(?:(?:from|to|of|for|in|by|on|at|with|into|through|via|those\s+of|that\s+of|the\s+ones\s+of)\s+){0,2}"
)
# Verbs of who reads, pays or keeps what is there, and words that are no verbs.
_NO_ORIGIN = r"(?!(?:rejects?|refuses?|declines?|denies|accepts?|approves?|settles?|closes|disputes?|reviews?|audits?|taxes|returns?|cancels?|refunds?|misses|delays?|finishes|completes?|serves?|answers?|forgets?|archives?|over|about|around|almost|nearly|roughly|some|well|at\s+least|up|reads?|asks?|needs?|wants?|loses?|deletes?|drops?|skips?|ignores?|filters?|shows?|checks?|keeps?|wins?|pays?|sees?\s+only|in|on|at|of|with|for|by|from|than|and|or|the|an?|to)\s)"
# Any verb with a share of what happens says who has it, but those of readers and of what is done away with.
_HAS = (
    r"(?:,[^,;]{1,40},)?(?:\s+(?!and\b)[\w'-]+){0,6}?(?:\s+and)?\s+"
    rf"{_NO_ORIGIN}"
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
    if not model.doc or not _SPEAKS.search(model.doc):
        return {}
    known = attributes(model)
    keys = {part.name: known[part.name] for part in model.key.asked if part.codec.kind is not Kind.TIME}
    events = "|".join([_HAPPENS, *(rf"{re.escape(thing)}\w{{0,3}}" for thing in _happening(model))])
    # What somebody does with half of its own is no half of all.
    of, of_all = _of(events, "its|their|"), _of(events, "")
    forms = [*_forms(of, of_all, events, keys)]
    found: dict[str, Share] = {}
    for sentence in sentences(model.doc):
        if not _SPEAKS.search(sentence):
            continue
        for form in forms:
            said = re.search(form, sentence)
            if said is None or _part(said) < _LEAST or _PERHAPS.search(sentence[: said.end()]):
                continue
            name, count = _whose(model, keys, said.groupdict(), sentence[: said.start()])
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


# How notes call what is shared out, and sentences what is not even.
_BRINGS = r"(?:writes?|sends?|makes?|produces?|generates?|causes?|has|have|gets?|sells?|takes?|does|do|creates?|emits?|publish(?:es)?|posts?|collects?|places?|files?|delivers?|brings?|receives?|uploads?|orders?)"
_MIX = r"(?:mix|split|shares?|distribution|breakdown)"
_SPLITS = r"(?:dominated|concentrated|driven|caused|produced|uneven|skewed)"
_A_NAME = r"(?P<names>(?!(?:The|It|They|About|Over|Nearly)\b)[A-Z][\w.-]*)"


def _forms(of: str, of_all: str, events: str, keys: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The patterns of sentences that say who has which share, of what happens: sentences with verbs, and notes."""
    yield rf"(?i:{_SHARE}{of}{_FROM}{_WHO})"
    yield rf"(?i:(?<!\w){_WHO}{_HAS}{_SHARE}{of_all})"
    yield rf"(?i:\bof\s+(?:(?:all|the|our)\s+){{1,2}}(?:\w+\s+)?(?:{events}),\s+{_SHARE}{_FROM}{_WHO})"
    yield rf"(?i:\bthe\s+(?P<alone>[\w-]+))\s+(?:in|of|at|on|called|named)\s+(?:the\s+)?[A-Z][\w.-]+(?i:{_HAS}{_SHARE}{of_all})"
    yield rf"(?:^|[,:]\s+)(?:The\s+)?{_NAMED}(?i:{_HAS}{_SHARE}{of_all})"
    fields = "|".join(
        rf"{re.escape(name.removesuffix('y'))}(?:y|ies)"
        if name.endswith("y")
        else rf"{re.escape(name)}\w{{0,3}}"
        for name in (parts[-1] for parts in keys.values())
    )
    if fields:
        # Country mix: DE 55 %, FR 20 %; 20 % of tenants cause 80 % of events
        yield rf"(?i:(?<!\w)(?P<field>{fields})\s+{_MIX}):\s+{_A_NAME}\s+(?i:{_SHARE})"
        yield rf"(?i:(?<![\w.,])(?P<portion>\d{{1,2}})\s?(?:%|percent|per\s+cent)\s+of\s+(?:the\s+|our\s+|all\s+)?(?P<field>{fields}){_HAS}{_SHARE}{of_all})"
        # traffic is dominated by three tenants (85 %); bids are concentrated on two exchanges, which have 75 % of them
        yield rf"(?i:(?<!\w)(?:{events})\s+(?:are|is)\s+{_SPLITS}\s+(?:by|on|in|at)\s+{_WHO}(?:\s+\(|,?\s+(?:which|that|who|with)\s+(?:\w+\s+)?){_SHARE}(?:\s+of\s+them)?(?=[).,;]|$))"
        # one tenant writes as much as all others together
        yield rf"(?i:(?<!\w){_WHO}\s+{_BRINGS}\s+(?:almost\s+|about\s+)?as\s+(?:much|many(?:\s+(?:{events}))?)\s+as\s+(?P<others>(?:all\s+(?:of\s+)?(?:the\s+)?(?:others?|rest)|the\s+(?:rest|others))\b))"


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
    if groups.get("others"):
        return 0.5
    if groups["percent"]:
        return min(100.0, float(groups["percent"])) / 100
    if groups["said"]:
        return min(100, _number(groups["said"]) or 0) / 100
    if groups["some"]:
        some, total = _number(groups["some"]) or 0, _number(groups["total"]) or 1
        return some / total if some <= total else 0.0
    return _PARTS[" ".join((groups["whole"] or groups["part"]).lower().split())]


def _whose(
    model: ModelSchema, keys: Mapping[str, tuple[str, ...]], groups: Mapping[str, str | None], before: str
) -> tuple[str | None, int]:
    """The field whose values have the share, and how many of them."""
    portion, mixed = groups.get("portion"), groups.get("field")
    if portion or (mixed and groups.get("names")):
        name = next(iter(named(keys, [str(mixed).lower()])), None)
        part = next((part for part in model.key.asked if part.name == name), None)
        if part is None or not portion:
            return name, 1
        return (name, max(1, round(int(portion) * part.cardinality / 100))) if part.cardinality else (None, 0)
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
    if field[-1:] in (["one"], ["ones"]):  # tenants differ a lot: the top one has 30 %
        spoken = (named(keys, [word]) for word in reversed(re.findall(r"[a-z]+", before.lower())))
        name = next((names[0] for names in spoken if names), None)
        return (name, number or 1) if re.search(rf"\b{_MOST}\b", who) else (None, 0)
    for phrase in (field, field[:1], field[-1:]):
        name = next(iter(named(keys, phrase)), None) if phrase else None
        if name is not None:
            of = re.search(rf"\b{_MOST}\s+of\s", who) is not None
            plural = not of and singular(phrase[-1]) != phrase[-1].strip("`")
            largest = re.search(rf"\b{_MOST}\b", who) is not None or _one_of_its_kind(who, field, plural)
            if number is None and not largest:
                return None, 0
            return name, number or (_FEW if plural else 1)
    return None, 0


# What says of which kind some are, and not which one is meant.
_ANY = frozenset(
    words(
        "average typical usual normal ordinary median respective other whole given old new next same first last previous current different small smaller smallest empty"
    )
)


def _one_of_its_kind(who: str, field: Sequence[str], plural: bool) -> bool:
    """Whether one value is meant by an adjective, as in "the hub depot"; not "the depot", and not "the average depot"."""
    adjectives = field[:-1]
    return (
        not plural
        and re.match(r"\s*(?:the|our)\s", who) is not None
        and bool(adjectives)
        and _ANY.isdisjoint(re.findall(r"[a-z]+", who))
    )


def _number(text: str | None) -> int | None:
    word = (text or "").lower().split()[:1]
    if not word:
        return None
    return {"single": 1, "same": 1, "few": _FEW, "handful": 5, "hundred": 100}.get(word[0]) or (
        whole_said(word[0]) or NUMBERS.get(word[0])
    )


def _only(model: ModelSchema) -> str | None:
    """The one field in front of the first time, where there is just one: of it are the values that are called by their names."""
    front = takewhile(lambda part: part.codec.kind is not Kind.TIME, model.key.fields)
    known, called = attributes(model), things(model)
    asked = [
        part.name
        for part in front
        # the number of a row itself is no value that many rows have
        if part.asked
        and not single(part)
        and (known[part.name][-1] not in called or part == model.key.asked[0])
    ]
    return asked[0] if len(asked) == 1 else None
