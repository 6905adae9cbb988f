"""How often something happens, by one word: "nightly", "quarterly". It is the one table of these words; each of its readers takes those that it can hear."""

from collections.abc import Iterable
from datetime import timedelta

# The time between two; "yearly" with no leap day, as a year of other words.
ADVERBS = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "nightly": timedelta(days=1),
    "weekly": timedelta(days=7),
    "fortnightly": timedelta(days=14),
    "biweekly": timedelta(days=14),
    "monthly": timedelta(days=31),
    "quarterly": timedelta(days=92),
    "half-yearly": timedelta(days=183),
    "yearly": timedelta(days=365),
    "annually": timedelta(days=365),
}
_UNITS = {
    timedelta(hours=1): "hour",
    timedelta(days=1): "day",
    timedelta(days=7): "week",
    timedelta(days=31): "month",
    timedelta(days=92): "quarter",
    timedelta(days=365): "year",
}
# The units of the calendar that one of these words is of, as an adverb or in front of a noun; a fortnight is no unit.
UNITS_OF = {word: _UNITS[each] for word, each in ADVERBS.items() if each in _UNITS} | {"annual": "year"}
# Those between which a day passes at least.
RARE = tuple(word for word, each in ADVERBS.items() if each >= timedelta(days=1))


def either(known: Iterable[str]) -> str:
    """A pattern of one of these words, and of no part of another: "yearly" is none in "half-yearly" and "bi-yearly"."""
    return rf"(?<![\w-])(?:{'|'.join(sorted(known, key=len, reverse=True))})"
