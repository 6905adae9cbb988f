"""Values of the key of which a description says that they change: what is raised and lowered, and where a thing is moved to."""

import re
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from btmodel.codecs.key import Kind
from btmodel.design.denials import denies
from btmodel.design.hints import NUMBERS
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

_CLAUSE = pattern(r"(?i)[.,;:!?()\n]\s+|\bwhether\b|\band (?:what|which|who|where|how)\b")
# A thing behind these is where something is, or whose, and not what is spoken of.
_ASIDE = pattern(
    r"(?i)\b(?:of|in|on|at|for|with|by|from|to)(?: (?:an?|the|its|their|his|her|each|every))?\s*`?$"
)
# What stands behind these is the owner of what is spoken of.
_OF = pattern(r"(?i)\b(?:of|in|on|for)(?: (?:an?|the|its|each|every))?\s*`?$")
_NOW = pattern(r"(?i)\b(now|currently|at present|at the moment)\b")
# What counts things: there are more of them later, and each stays what it is.
_COUNTED = pattern(
    rf"(?i)(\b\d[\d,._]*|\b({'|'.join(word for word in NUMBERS if len(word) > 2)}|few|several|many|hundreds?|thousands?|millions?)(?: of)?) $"
)
# What stands behind a change of the thing itself, and not of another thing: how often, when, and nothing more.
_HOW_OFTEN = (
    r"(?:$|[`.,;:)]| (?:often|daily|weekly|later|every|each|once|twice|again|several|\w+ times|with|when|whenever|as|after|by|during|over|until|while|and|or|"
    r"at (?:most|least)|in (?:its|their|the) (?:\w+ )?(?:life|course)|from|to)\b)"
)
# What is done to a number, and what it does, that is another afterwards: an alarm that is raised is a new one, and no number.
_DONE_TO = (
    r"(?:raised|lowered|increased|decreased|adjusted|recomputed|recalculated|updated|rewritten|overwritten|(?:written|set|computed) anew|counted (?:up|down)|moved (?:up|down)|"
    r"rises?|falls?|climbs?|drops?|sinks?|grows?|shrinks?|increases?|decreases?|moves?|goes (?:up|down)|go (?:up|down))"
)
# What is done to a thing that is elsewhere, or of somebody else, afterwards.
_HANDED = (
    r"(?:moves?|moved|moving|reassign(?:s|ed|ing)?|hand(?:s|ed|ing)?(?: over| on)?|pass(?:es|ed)?(?: on)?|transfer(?:s|red|ring)?|shift(?:s|ed|ing)?|"
    r"switch(?:es|ed)?|swap(?:s|ped)?|rerout(?:es?|ed)|relocat(?:es?|ed)|migrat(?:es?|ed)|goes(?: over)?|go(?: over)?|taken|brought)"
)
# What stands for the thing that was spoken of before.
_PRONOUN = pattern(r"(?i)\s*(?:which|that|it|they|these)\b")
# And a clause that goes on about it: "or moved to another day".
_GOES_ON_SAYING = pattern(
    r"(?i)\s*(?:or|and|but)(?: (?:also|even|then|later|is|be|gets?))* (?:moved|swapped|shifted|transferred|handed)\b"
)
_DOES_TO = r"(?:raises?|lowers?|increases?|decreases?|adjusts?|recomputes?|recalculates?|updates?|rewrites?|gains?|earns?|loses?)"
# What a thing is in, one after the other: it goes on from each to the next, and no road does so that "goes from the port to the mine".
_PASSED = frozenset({"state", "status", "stage", "phase", "step", "condition", "grade", "rank", "tier"})
_GOES_ON = r"(?:moves|goes|passes|advances|progresses|proceeds|turns|switches|flips|cycles|runs)(?: on| over)? (?:from|through|between)\b(?! \d)"
_STAYS = pattern(r"(?i)\bstays?\b")
# Shorter words are those of the language: "at" is no thing.
_SHORTEST_NAME = 3
_NUMERIC = (int, float, Decimal)


def described_changing(model: ModelSchema, part: KeyField) -> bool:
    """Whether a clause in the description of the model says of a field that it changes, or of its value now."""
    own = words(part.name)[-1].casefold()
    if len(own) < _SHORTEST_NAME or not model.doc:
        return False
    spoken = _CLAUSE.split(model.doc)
    if part.codec.kind is Kind.TIME and _rescheduled(model, spoken):
        return True
    clauses = [one for one in spoken if own in one.casefold() and not (denies(one) or _STAYS.search(one))]
    if not clauses:
        return False  # before patterns are compiled, which takes longer than all of this
    if re.search(rf"(?i)\bkeeps? (?:the|its|their|his|her) (?:\w+ )?{re.escape(own)}s?\b", model.doc):
        return False  # what changes is that of another thing, of which this one keeps a copy
    name, said = re.escape(own), _changes_of(own, part.codec.python_type in _NUMERIC)
    return any(
        said.moves.search(one)
        or _of_itself(said.itself, one)
        or (own in _PASSED and _of_itself(said.passed, one))
        or _at_present(name, one)
        or _handed_on(model, rf"(?:\w+ )?{name}", one)
        for one in clauses
    )


# What a time of a thing is called where it is moved to another.
_TIMES = r"(?:\w+ )?(?:day|date|time|week|hour|slot)"
_TO_WHICH = ("other", "different", "new", "next", "between", "among")


def _rescheduled(model: ModelSchema, clauses: list[str]) -> bool:
    """Whether the thing of a row is moved to another day, by a description: of one with a single time, that is the one in its key."""
    if sum(part.codec.kind is Kind.TIME for part in model.key.asked) != 1:
        return False
    # Before a pattern is compiled: each of its ways has one of these words.
    clauses = [one for one in clauses if any(word in one.casefold() for word in _TO_WHICH)]
    return any(_handed_on(model, _TIMES, one) and not (denies(one) or _STAYS.search(one)) for one in clauses)


class _Changes(NamedTuple):
    """How a clause says that what has a name changes, is set to its next value, or goes on to it."""

    moves: re.Pattern[str]
    itself: re.Pattern[str]
    passed: re.Pattern[str]


@cache
def _changes_of(own: str, measured: bool) -> _Changes:
    """The patterns for a name, made once: to compile them takes longer than all that is read with them."""
    name = re.escape(own)
    done = f"|{_DONE_TO}" if measured else ""
    does = (
        rf"|\b{_DOES_TO} (?:(?:and|or) \w+ )?(?:(?:the|its|their|his|her|an?|some) )?(?:\w+'s? )?{name}s?\b"
        if measured
        else ""
    )
    return _Changes(
        moves=re.compile(
            rf"(?i)\b(?:goes|go|going|passes|pass|moves?|moving|advances|steps) (?:through|from)\b(?: \w+){{0,4}} {name}e?s\b|\bfrom {name} to {name}\b"
            rf"|\bchanges? (?:its|their|his|her) (?:\w+ )?{name}\b"
            rf"{does}"
        ),
        itself=re.compile(
            rf"(?i)\b{name}s?\b`?(?: of (?:\w+ ){{1,2}}\w+(?= (?:is|are|gets?) ))?(?: \w+){{0,3}}? (?:changes?|changed|changing|reassigned{done}){_HOW_OFTEN}"
        ),
        passed=re.compile(rf"(?i)\b{name}\b(?: of(?: \w+){{1,3}}?)?(?: \w+){{0,2}}? {_GOES_ON}"),
    )


def described_assigned(model: ModelSchema, name: str) -> bool:
    """Whether a clause says that the thing of a row is assigned to somebody, by the name of an attribute, who may be another one later."""
    own = re.escape(words(name)[-1].casefold())
    to = rf"\bassigned to (?:(?:her|him|them|whom)\b|(?:an? |another |some )?{own}s?\b)|\b(?:assigned {own}|{own}s?(?: \w+)? in charge)\b"
    return any(
        own in one.casefold() and re.search(rf"(?i){to}", one) is not None and not denies(one)
        for one in _CLAUSE.split(model.doc)
    )


def _handed_on(model: ModelSchema, name: str, clause: str) -> bool:
    """Whether a clause says that the thing of a row, by the name of the model, its table or the last of its key, is moved from one of ``name``, a pattern, to another."""
    found = re.search(
        rf"(?i)\b{_HANDED}\b(?: \w+){{0,4}}? (?:(?:between|among) (?:the |several |different |other )?{name}e?s|(?:from one {name} )?(?:in|on)?to (?:another|a different|a new|the next|some other) {name}"
        rf"|from one {name} to (?:another|the (?:next|other))|(?:in|on)?to (?:other|different) {name}e?s|with (?:another|a different|some other) {name})\b",
        clause,
    )
    if found is None or _PRONOUN.match(clause) or _GOES_ON_SAYING.match(clause):
        return found is not None
    names = (model.name, model.table, *(part.name for part in model.key.asked[-1:]))
    things = {word.lower().removesuffix("s") for one in names for word in words(one)}
    things = {one for one in things if not re.fullmatch(name, one)}
    return not things.isdisjoint(word.lower().removesuffix("s") for word in words(clause[: found.end()]))


def _of_itself(changes: re.Pattern[str], clause: str) -> bool:
    """Whether a thing is what changes in a clause."""
    return any(not _ASIDE.search(clause[: found.start()]) for found in changes.finditer(clause))


def _at_present(name: str, clause: str) -> bool:
    """Whether a clause speaks of the value that a thing has now."""
    now = _NOW.search(clause)
    named = (
        found
        for found in re.finditer(rf"(?i)\b{name}s?\b", clause)
        if not _OF.search(clause[: found.start()]) and not _COUNTED.search(clause[: found.start()])
    )
    return now is not None and any(named)
