"""The parts of a sentence around a verb: conditions in front of it and behind it, and what it is limited to, as "in Germany"."""

from collections.abc import Set

from btmodel.design.attribute_words import singular
from btmodel.lint.lifetimes import LENGTH, Lifetime, by_law
from btmodel.on_demand import pattern
from btmodel.words import words

# What is done to a row when it is written: each row has got so far.
WRITING = (
    "written|created|stored|recorded|received|sent|made|added|placed|posted|uploaded|issued|taken|saved|inserted|"
    "ingested|logged|captured|measured|reported|collected|entered|registered"
)
_OPENER = (
    r"(?:if|when|whenever|once|as\s+soon\s+as|where|wherever|unless|provided(?:\s+that)?|providing|assuming|supposing|should|in\s+case|in\s+the\s+event|"
    r"as\s+long\s+as|so\s+long\s+as|until)\b"
)
AGE = pattern(rf"(?i)\b{LENGTH}\b")
# Where another main clause begins.
_BOUNDARY = pattern(r"(?i)[;:]\s+|\s[-\N{EN DASH}\N{EM DASH}]\s|,\s+(?:and|but|so|while|whereas|yet)\s+")
_LEADING = pattern(rf"(?i)^\W*(?:(?:only|and|but|then)\s+)?{_OPENER}")
_ASIDE = pattern(rf"(?i),\s+(?:only\s+)?{_OPENER}")
_TRAILING = pattern(
    rf"(?i)^(?:\s+at\s+the\s+\w+)?(?:\s*,)?\s*(?:(?:but|and)\s+only\s+|only\s+)?(?:(?!(?:in\s+case\b|until\b|should\b|as\s+long|so\s+long)){_OPENER})"
)
# Behind a comma, what says more of the time.
_TELLS_MORE = pattern(r"(?i)^\s*,\s*(?:when|where)\b")
_STATE = pattern(r"(?i)\b(?:is|are|was|were|has\s+been|have\s+been|been)\s+(?!not\b)(\w+(?:ed|en|wn))\b")
_WRITTEN = pattern(
    rf"(?i)^\W*\w+(?:\s+soon\s+as)?\s+((?:(?:an?|the|each|every|all)\s+)?\w+\s+(?:is|are|was|were|has\s+been|have\s+been)\s+)?(?:{WRITING})\b"
)
_ARTICLE = pattern(r"(?i)^(?:an?|the|each|every|all)\s+")
# At the head of a sentence, what its verb is limited to.
_SCOPE = pattern(
    r"(?i)^\W*(?P<how>in|on|upon|for|at|under|during|after|with|without|from|following)\s+(?P<what>[^,;:]*),\s"
)
_EVERYWHERE = frozenset(
    words(
        "all any every each this these our that which order present moment first last least addition short principle total practice turn fact end effect reasons reason purposes example instance now "
        "table tables database system bigtable privacy sake audits compliance cost costs"
    )
)


def led_by_condition(sentence: str, said: Lifetime, own: Set[str]) -> bool:
    """Whether a condition stands in front of the verb: "once a ticket is closed it is kept"; not that a row is written, or how old it is."""
    begin = max((cut.end() for cut in _BOUNDARY.finditer(sentence, 0, said.start)), default=0)
    led = _LEADING.match(sentence[begin:])
    aside = None if led else _ASIDE.search(sentence, begin, said.start)
    if led is None and aside is None:
        return False
    opened = begin if aside is None else aside.start() + 1
    comma = sentence.find(",", opened)
    end = comma if 0 <= comma < said.end else max(said.start, opened + 1)
    return not _of_each(sentence[opened:end], own)


def with_condition(behind: str, own: Set[str]) -> bool:
    """Whether a condition stands behind a time; what says more of it, behind a comma, is none."""
    found = _TRAILING.match(behind)
    return found is not None and not _TELLS_MORE.match(behind) and not _of_each(behind.lstrip(" ,"), own)


def _of_each(condition: str, own: Set[str]) -> bool:
    """Whether a condition comes true of each row: that it is written, or grows old."""
    written = _WRITTEN.match(condition)
    if written is not None:
        thing = _ARTICLE.sub("", written[1] or "it").split()[0].lower()
        return bool({thing, singular(thing), thing.removesuffix("s")} & (own | {"it", "they"}))
    if AGE.search(condition) is None:
        return False
    return _STATE.search(condition) is None


def scoped(sentence: str, said: Lifetime, known: Set[str]) -> bool:
    """Whether the head of a sentence limits what it says: "in Germany, photos are deleted"; not by a time, a law or a reason, or to all of them."""
    found = _SCOPE.match(sentence)
    if found is None or found.end() > said.start:
        return False
    what = found["what"].lower()
    spoken = {*words(what)}
    if AGE.search(what) or by_law(what) or not _EVERYWHERE.isdisjoint(spoken):
        return False
    return known.isdisjoint(map(singular, spoken))
