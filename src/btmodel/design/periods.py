"""Times in disguise: numbers and texts that are called like a time, and functions of a time that climb with it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from btmodel.codecs.key import KeyCodec
from btmodel.schema import KeyField
from btmodel.words import words

# Spans that last: all that is written meanwhile has the same value.
_SPANS = frozenset(words("year quarter month week day date hour minute period yyyy yyyymm yyyymmdd"))
# What a clock shows: it climbs, and is another one for nearly every row.
_CLOCKS = frozenset(words("timestamp ts time at epoch"))
# Words beside them that leave them times of writing. Others do not: a year of birth does not climb.
_BESIDE = frozenset(
    words(
        "fiscal calendar billing accounting business trade event log report reporting created creation written "
        "write inserted insert start begin bucket utc unix number no of in the"
    )
)
# The moments at which a function of the time is tried: seconds to minutes apart, and of other microseconds each.
_MOMENTS = tuple(
    datetime(2031, 5, 14, 9, 26, 53, 589_793, UTC) + timedelta(seconds=seconds, microseconds=7_919 * at)
    for at, seconds in enumerate((0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233))
)


def named_time(part: KeyField) -> bool:
    """Whether ``part``, a number or a text, is called like a time, and not declared to be given in no order."""
    said = part.sequential is not False and part.asked and part.codec.python_type in (int, str)
    parts = _words(part.name)
    return said and bool(parts & (_SPANS | _CLOCKS)) and parts <= _SPANS | _CLOCKS | _BESIDE


def lasting(part: KeyField) -> bool:
    """Whether a time that ``part`` is called like stays the same for long."""
    return named_time(part) and bool(_words(part.name) & _SPANS)


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in words(name))


@lru_cache(maxsize=256)
def climbs(by: Callable[..., Any], codec: KeyCodec[Any], sources: int) -> bool:
    """Whether a function of times gives, of moments one after the other, values that lie one after the other, or one.

    It is tried; of one that refuses the times that it is given, nothing is known.
    """
    try:
        made = [codec.encode(by(*[moment] * sources)) for moment in _MOMENTS]
    except Exception:  # whatever the function of somebody else raises
        return False
    return made in (sorted(made), sorted(made, reverse=True))
