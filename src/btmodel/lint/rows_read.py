"""How many rows a query reads, and the share of them that it keeps: as declared, or as the description says."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from math import prod

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind
from btmodel.design.hints import NUMBERS, UNIT, sentences
from btmodel.design.series import unit
from btmodel.estimates import distinct, rows_of_one, stored_rows, timed
from btmodel.on_demand import pattern
from btmodel.schema import Access, Column, KeyField, ModelSchema, Query
from btmodel.words import words

# Rows of a query of which nothing is declared.
_SOME = 100
# Values that a time has at least.
_TIMES = 1_000
# A smaller share than this, and more rows than this, are slips of the pen.
_NONE, _COUNTLESS = 1e-12, 1e15
# Fewer rows than this are no number of all, as "a round" is one.
_FEW = 10
_TENS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
NUMBER = rf"(?:[0-9][0-9,]*(?:\.[0-9]+)?|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})?(?:\s*(?:{'|'.join(_TENS)})s?)?"
_ONE_IN = pattern(
    rf"(?i)\b({NUMBER})\s+(?:in|of|out of|per|among|from)\s+(?:(?:every|each|about|some)\s+)?({NUMBER})"
)
_PER_CENT = pattern(r"(?i)\b([0-9]+(?:\.[0-9]+)?)\s*(%|percent\b|per cent\b|per mille\b|‰|ppm\b)")
_EVERY = pattern(r"(?i)\bevery ([0-9][0-9,]*)(?:[nr]d|st|th)\b")
_OF_TIME = re.compile(
    rf"(?i)\s*(?:\w+\s+){{0,3}}?(?:an?|per|each|every|in an?|in one|/)\s*(?:{UNIT}|s|h|min)\b"
)
_TIME_BEHIND = re.compile(rf"(?i)\s*{UNIT}\b")
_PARTS = {"%": 100, "percent": 100, "per cent": 100, "per mille": 1_000, "‰": 1_000, "ppm": 1_000_000}


def values_of(one: KeyField | Column) -> int | None:
    """How many values there are, as declared, or as the type has."""
    declared = one.cardinality if isinstance(one, KeyField) else one.expected.cardinality
    if declared is not None:
        return declared
    if isinstance(one, KeyField) and one.codec.kind is Kind.TIME:
        return _TIMES  # a query that picks by a time wants a small part of all times
    type_ = one.codec.python_type
    if is_class(type_, bool):
        return 2
    return len(type_) if is_class(type_, Enum) else None


def kept_share(picked: Sequence[KeyField | Column]) -> float | None:
    """The share of the rows that is kept, as if all values were alike in number; None where it is not known."""
    counts = [values_of(part) for part in picked]
    return None if None in counts else 1 / prod(count for count in counts if count)


def share_said(model: ModelSchema, picked: Sequence[KeyField | Column]) -> tuple[str, Column, float] | None:
    """What the description says of how rare the rows are for which the one flag that a query picks by is true: its words, the flag, and the share of the rows that the query then keeps."""
    flags = [part for part in picked if is_class(part.codec.python_type, bool) and isinstance(part, Column)]
    others = kept_share([part for part in picked if part not in flags])
    if len(flags) != 1 or others is None:
        return None
    flag = flags[0]
    assert isinstance(flag, Column)
    own = _stems(flag.name) - _stems("is was has")
    for sentence in sentences(model.doc):
        if own and own <= _stems(sentence):
            said = next((each for each in _shares_in(sentence) if _NONE < each[1] < 1 / 2), None)
            if said is not None:
                return said[0], flag, said[1] * others
    return None


def _shares_in(sentence: str) -> Iterator[tuple[str, float]]:
    for found in _PER_CENT.finditer(sentence):
        yield found[0], float(found[1]) / _PARTS[found[2].lower()]
    for found in _EVERY.finditer(sentence):
        if every := number_said(found[1]):
            yield found[0], 1 / every
    for found in _ONE_IN.finditer(sentence):
        few, many = number_said(found[1]), number_said(found[2])
        if few and many > few and not _TIME_BEHIND.match(sentence[found.end() :]):
            yield found[0], few / many


def rows_said(model: ModelSchema, found: Access) -> float | None:
    """How many rows there are of one value that a query gives, by the description: "a player has up to 60,000 rounds"; rows are called like the model, its table, or what the key has beside."""
    given = [part for part in found.prefix if part.constant is None and part.asked]
    if len(given) != 1:
        return None
    owner = "|".join(re.escape(word) for word in sorted(_stems(given[0].name)) if len(word) > 1)
    own = [
        part.name for part in model.key.asked if part not in found.prefix and part.codec.kind is not Kind.TIME
    ]
    rows = "|".join(
        sorted({re.escape(stem) for name in (model.name, model.table, *own) for stem in _in_order(name)[-1:]})
    )
    if not owner or not rows:
        return None
    count = rf"\b(?=\S)({NUMBER})\s+(?:\w+\s+)?(?:{rows}|row|record|entry|entries)s?\b"
    one = rf"\b(?:an?|each|every|one|per|single|some|most|busy|any)\s+(?:\w+\s+)?(?:{owner})\b"
    most: list[float] = []
    for sentence in sentences(model.doc):
        if not re.search(rf"(?i){one}", sentence):
            continue
        for each in re.finditer(rf"(?i){count}", sentence):
            if not _OF_TIME.match(sentence[each.end() :]):
                most.append(number_said(each[1]))
    return max((rows for rows in most if _FEW <= rows <= _COUNTLESS), default=None)


def number_said(text: str) -> float:
    """The number of digits or words such as "sixty thousand"; 0 of none."""
    number, seen = 1.0, False
    for part in text.lower().split():
        if part.replace(",", "").replace(".", "").isdigit():
            number, seen = number * float(part.replace(",", "")), True
        elif part.removesuffix("s") in _TENS:
            number, seen = number * _TENS[part.removesuffix("s")], True
        elif part in NUMBERS:
            number, seen = number * NUMBERS[part], True
    return number if seen else 0


def _in_order(text: str) -> list[str]:
    return [word.lower().removesuffix("s") for word in words(text)]


def _stems(text: str) -> set[str]:
    return {*_in_order(text)}


def rows_read(model: ModelSchema, query: Query, found: Access) -> float:
    """About how many rows a query reads: by the rate and its span, or the unit of the time that it gives, by the description, or by the field of the most values."""
    given = distinct(found.prefix) or 1
    if query.span is not None and model.events is not None:
        return model.events.per_second * query.span.total_seconds() / given
    said = None if query.between or query.starting else rows_said(model, found)
    if said is not None:
        return said
    lasting = next((span for part in found.prefix if (span := unit(part)) is not None), None)
    if lasting is not None and model.events is not None and model.bucket is None:
        others = distinct(part for part in found.prefix if unit(part) is None) or 1
        return model.events.per_second * lasting.total_seconds() / others
    stored = stored_rows(model) if timed(model) else None
    if stored is not None:
        return rows_of_one(stored, found.prefix) or stored
    rest = [part.cardinality for part in model.key.asked if part not in found.prefix]
    most = max((count for count in rest if count is not None), default=None)
    return _SOME if most is None else max(_SOME, rows_of_one(most, found.prefix) or most)
