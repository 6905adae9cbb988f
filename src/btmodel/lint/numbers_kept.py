"""How many of the newest values of a column are kept, and that there are never more than so many, by the description."""

import re
from collections.abc import Iterator

from btmodel.design.denials import denied
from btmodel.design.hints import NUMBERS, UNIT
from btmodel.lint.lifetimes import COUNT, number_said
from btmodel.schema import Column, ModelSchema
from btmodel.words import words

# What the values of any column are called.
_VALUES = r"versions?|revisions?|values?|states?|changes?|edits?|saves?|ones"
_NEW = r"(?:last|newest|latest|most\s+recent|final)"
_OLD = r"(?:previous|earlier|former|preceding|prior|older|old|past)"
_KEEPS = r"(?:needs?|wants?|shows?|keeps?|holds?|stores?|remembers?|retains?|preserves?|saves?)"
_KEPT = r"(?:kept|held|stored|remembered|retained|preserved|saved)"
_BOUND = r"(?:(?:never|no|not)\s+more\s+than|at\s+(?:the\s+)?most|up\s+to|only|just|a\s+maximum\s+of|exactly|capped\s+at|room\s+for|limited\s+to)"
# Behind what comes so often, which is no number that is kept.
_NO_RATE = rf"(?!\s+(?:an?|per|each|every|within)\s+{UNIT}\b)"
_BACK = rf"\b(?:undo|undone|revert(?:s|ed)?|(?:roll(?:s|ed)?|go(?:es)?)\s+back)\b[^.;!?]{{0,30}}?\b(?P<number>{COUNT})\s+(?:steps?|times|{_VALUES})\b"


def number_kept(model: ModelSchema, column: Column) -> tuple[str, int] | None:
    """The words of the description that say how many of the newest values of a column are kept, by its name or as values, and the largest such number; None without any.

    Of those that are previous ones, the newest is kept beside them.
    """
    doc, called = " ".join(model.doc.split()), words(column.name)
    name = called[-1].lower() if called else ""
    said = _said(doc, name if name.endswith("ss") else name.removesuffix("s")) if doc and name else ()
    return max(said, key=lambda one: one[1], default=None)


def _said(doc: str, stem: str) -> Iterator[tuple[str, int]]:
    own = rf"(?:{re.escape(stem)}(?:e?s)?|{_VALUES})\b"
    name = rf"(?:(?!(?:{UNIT}|and|or|of)\b)[\w-]+\s+){{0,2}}?{own}{_NO_RATE}"
    number = rf"(?P<number>{COUNT})"
    new = rf"{number}\s+(?!{_OLD}\b){name}"
    newest = (
        rf"\b{_NEW}\s+{number}\s+{name}",
        rf"\b{number}\s+{_NEW}\s+{name}",
        rf"\b(?:{_BOUND}|{_KEEPS}(?:\s+\w+ly)?)\s+{new}",
        rf"\b{own}[^.;!?]{{0,30}}?\b{_NEW}\s+{number}(?=\s*(?:$|[.,;:)]))",
        rf"\b{new}\s+(?:(?:of|for|per)\s+(?:\w+\s+){{1,3}})?(?:(?:are|must\s+be)\s+{_KEPT}|at\s+(?:the\s+)?most)\b",
    )
    older = (
        rf"\b{_OLD}\s+{number}\s+{name}",
        rf"\b{number}\s+{_OLD}\s+{name}",
        _BACK,
        rf"\bthe\s+{number}\s+before\s+(?:it|that|them)\b",
        rf"\b{number}\s+predecessors\b",
    )
    for patterns, more in ((newest, 0), (older, 1)):
        for found in (found for each in patterns for found in re.finditer(f"(?i){each}", doc)):
            count = number_said(found["number"])
            if count is not None and not denied(doc[: found.start()].rpartition(". ")[2]):
                yield found[0], count + more
    one = re.search(rf"(?i)\b(?:the|its|their|his|her)\s+(?:previous|last\s+but\s+one)\s+{own}", doc)
    if one:
        yield one[0], 2


# What is counted or measured, and no versions.
_AMOUNT = (
    "hundred|thousand|million|percent|times|degrees?|points?|[munk]?[gmlwva]|mm|cm|km|kg|kwh?|hz|mb|kb|gb|bytes|euros?|dollars?|cents|"
    "(?:milli)?litres?|(?:kilo|centi|milli)?met(?:re|er)s?|(?:kilo|milli)?grams?|volts?|amps?|watts?"
)
_NO_MORE = r"(?:(?:never|no|not|nor)\s+(?:(?!more\b)\w+\s+){0,2}more\s+than|at\s+most|up\s+to|only|just|(?:the|its|their)\s+(?:last|newest|latest)|a\s+maximum\s+of|no\s+more\s+than)"


def no_more_said(model: ModelSchema, count: int) -> str | None:
    """The words of the description that say that there are never more than so many; None without any."""
    number = "|".join([str(count), f"{count:,}", *(word for word, of in NUMBERS.items() if of == count)])
    of_time = rf"(?![.,]?\d|\s*%|\s+(?:{_AMOUNT})\b|\s+(?:[a-z]+\s+)?{UNIT}\b)"
    for said in (
        rf"\b{_NO_MORE}\s+(?:{number})\b{of_time}",
        rf"\b(?:{number})(?:\s+\w+)?\s+at\s+(?:the\s+)?most\b",
    ):
        found = re.search(rf"(?i){said}", " ".join(model.doc.split()))
        if found is not None:
            return found[0]
    return None
