"""Numbers by which a write decides, such as a balance that must not go below zero: what is added to them cannot be refused, so no counter holds them."""

import re
from decimal import Decimal
from typing import NamedTuple

from btmodel.design.attribute_words import singular
from btmodel.design.denials import DENIALS
from btmodel.design.hints import sentences
from btmodel.lint.descriptions import ELSEWHERE, IN_ANOTHER
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, possible_edits
from btmodel.words import words

_NUMBERS = (int, float, Decimal)
# What is done instead, as a part of a sentence.
INSTEAD = (
    "read it, decide, and write by `put_if` that it is the one that was read, and read again where it is not"
)

# That a number is set under a condition, whatever that is.
_CONDITIONAL = pattern(
    r"(?i)\b((under|on) (a|the|one|that) condition|conditional(ly)?|(compare|check)[- ]and[- ](set|swap|mutate|put|write)|optimistic(ally)?)\b"
)
_NOT = rf"(?:{DENIALS}|avoids?|prevents?|(?:guards?|protects?)\s+against|forbid(?:s|den)?|forbidden|refus\w+)"
_MOVES = r"(?:go(?:es)?|fall(?:s|en)?|drop(?:s|ped)?|sinks?|get(?:s)?|run(?:s)?|be(?:come(?:s)?)?|is|are|pass(?:es)?|taken?|pushed)"
_OVER = r"over[- ]?(?:s[oe]l[dl]\w*|book\w*|dr[ae]wn?\w*|spen[dt]\w*|commit\w*|subscri\w*|allocate\w*|draft\w*|issued?)"
_BOUND = r"(?:limit|capacity|quota|cap|allowance|allotment|budget|credit|stock|supply|maximum)"
_LEFT = r"(?:left|remaining|free|available|in\s+stock|in\s+hand)"
_REFUSED = r"(?:refused|rejected|declined|denied|turned\s+(?:down|away)|fails?|accepted|allowed|granted|taken|let\s+through|succeeds?|counts?|goes\s+through)"
_IF = r"(?:only\s+)?(?:if|when|where|while|once|unless|as\s+long\s+as|so\s+long\s+as)"
_OLD = r"(?:(?:the|its)\s+)?(?:(?:current|present|last|latest|previous|old|highest|standing|stored|best)\b|one\s+(?:before|that\s+stands|that\s+is\s+there))"
# What the number may not become, or what is refused or accepted by it.
_DECIDES = (
    pattern(
        rf"(?i)\b{_NOT}\b[^.;]{{0,60}}?\b(?:(?:below|under|beneath|less\s+than|smaller\s+than)\s+(?:zero|0|nought|nil|its|the|an?|one|-?\d+|what)\b|negative\b(?=\W*$|\s*[,.;:)]|\s+(?:and|or|by|after|when|if)\b))"
    ),
    pattern(r"(?i)\b(?:stays?|remains?|is|are|kept|be)\s+(?:always\s+)?(?:at\s+or\s+above|>=|non-?negative)"),
    pattern(rf"(?i)\b{_NOT}\b[^.;]{{0,60}}?\b{_OVER}"),
    pattern(
        rf"(?i)\b{_NOT}\b[^.;]{{0,40}}?\b(?:sold|booked|spent|given|handed\s+out|used|taken|assigned|issued)\s+twice\b"
    ),
    pattern(
        rf"(?i)\b{_NOT}\b[^.;]{{0,40}}?\b(?:exceeds?|beyond|more\s+than|over|above|past)\s+(?:the|its|their|this|that|his|her)\s+(?:\w+\s+){{0,2}}?{_BOUND}\b"
    ),
    pattern(
        rf"(?i)\b{_REFUSED}\b[^.;]{{0,60}}?\b{_IF}\b[^.;]{{0,60}}?\b(?:enough|sufficient|insufficient|too\s+(?:low|high|small|little|few)|{_LEFT}|full|covers?|(?:higher|lower|larger|greater|smaller|more|less)\s+than|none|nothing|empty|zero|0|reached|used\s+up|exhausted)\b"
    ),
    pattern(
        rf"(?i)\b(?:if|unless|where|when)\b[^.;]{{0,40}}?\b(?:not\s+enough|too\s+(?:low|small|little|few)|insufficient|none|no\s+\w+|nothing)\b[^.;]{{0,40}}?\b{_REFUSED}"
    ),
    pattern(
        rf"(?i)\b(?:must|has\s+to|have\s+to|only)\b[^.;]{{0,40}}?\b(?:higher|greater|larger|more|lower|less|smaller)\s+than\s+{_OLD}"
    ),
    pattern(
        r"(?i)\bonly\s+an?\s+(?:higher|lower|larger|greater|smaller)\b[^.;]{0,40}?\b(?:replaces?|counts?|is|wins?|beats?)\b"
    ),
    pattern(rf"(?i)\bonly\b[^.;]{{0,40}}?\b{_IF}\s+(?:\w+\s+){{0,4}}(?:still\s+)?{_LEFT}\b"),
    pattern(
        r"(?i)\boptimistic\w*\s+(?:lock\w*|concurrency|control)|\b(?:the|that|same)\s+version\s+(?:that|which)\s+(?:it|was|they|he|she)\b|\b(?:compares?|checks?|expects?)\s+(?:it|the\s+(?:version|revision|sequence|number))\b"
    ),
    pattern(
        r"(?i)\b(?:hands?|gives?|deals?|handed|given)\s+out\s+(?:the\s+)?(?:next|numbers?|ids?|tickets?)\b|\b(?:takes?|draws?|assigns?|allocates?|gets?)\s+(?:the\s+)?next\s+(?:\w+\s+)?(?:number|id|ticket)\b|\bwithout\s+(?:a\s+)?gaps?\b"
    ),
)
# Of which the sentence itself says that the limit is none.
_NO_LIMIT = pattern(
    r"(?i)\b(?:may|can|could|might|is\s+allowed\s+to|are\s+allowed\s+to)\s+(?:well\s+|also\s+|even\s+)?(?:(?:go|fall|drop|be|become|get|run)\s+(?:\w+\s+)?(?:below|beneath|under|negative|over\w*)|exceed)\b|\boverdraft\w*\s+(?:is|are)\s+(?:allowed|permitted|fine)\b|\bnothing\s+is\s+(?:refused|rejected|declined)\b|\bnever\s+(?:refused|rejected|declined)\b"
)
# Names of what only a write under a condition changes, without a word of the description: what is compared, and what is left to be given out.
_COMPARED = frozenset(words("version revision etag"))
_LEFT_BEHIND = frozenset(words("left remaining"))
_GIVEN_OUT = frozenset(
    words(
        "seat place ticket room bed slot spot unit item piece licence license voucher coupon copy table stock inventory"
    )
)
# Words of a name that no sentence needs for it.
_FILLERS = frozenset(
    words("left remaining number count total current in on of the available free hand no now sum amount")
)


class Decided(NamedTuple):
    """The words by which a write decides by a number, and whether they say that it is written under a condition already."""

    said: str
    safe: bool


def decided(model: ModelSchema, column: Column) -> Decided | None:
    """That a write decides by the number of the column, by the description or, where nothing else is meant by such a name, by that; None of others."""
    for sentence in sentences(model.doc) if model.doc else ():
        under = _CONDITIONAL.search(sentence)
        said = under or _limited(sentence)
        if said is not None and _meant(model, sentence, column, others=under is not None):
            return Decided(said[0], safe=_CONDITIONAL.search(model.doc) is not None)
    return Decided(column.name, safe=True) if _called(column.name) else None


def _limited(sentence: str) -> re.Match[str] | None:
    if ELSEWHERE.search(sentence) or IN_ANOTHER.search(sentence) or _NO_LIMIT.search(sentence):
        return None
    return next(filter(None, (one.search(sentence) for one in _DECIDES)), None)


def _meant(model: ModelSchema, sentence: str, column: Column, *, others: bool) -> bool:
    """Whether a sentence is about the column: it names that, or no number of the model, and the column is the only one that is added to; or it speaks of all ``others``."""
    spoken = {singular(word) for word in words(sentence)}
    numbers = [one for one in model.columns if one.codec.python_type in _NUMBERS]
    named = [one for one in numbers if not _core(one.name).isdisjoint(spoken)]
    if named:
        return column in named
    return others or [one for one in numbers if possible_edits.added_to(one)] in ([], [column])


def _core(name: str) -> set[str]:
    parts = [singular(word) for word in words(name)]
    return {*parts} - _FILLERS or {*parts}


def _called(name: str) -> bool:
    parts = [singular(word) for word in words(name)]
    left = not _LEFT_BEHIND.isdisjoint((parts[0], parts[-1])) and not _GIVEN_OUT.isdisjoint(parts)
    return parts[-1] in _COMPARED or left
