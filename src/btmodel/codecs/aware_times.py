"""Aware times as exact counts since 1970, and as ``strftime`` text."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from btmodel.errors import DeclarationError, ValueRefused
from btmodel.on_demand import pattern

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_WHOLE = "a time in whole microseconds (times in Python have no finer ones)"


def aware(value: datetime) -> datetime:
    """``value`` itself, where it is a datetime that knows its offset; else it is refused, and so is one of pandas with nanoseconds, which a count of microseconds would cut."""
    if not isinstance(value, datetime):
        raise ValueRefused("an aware datetime", value)
    if value.utcoffset() is None:
        raise ValueRefused("an aware datetime (give it a time zone, such as tzinfo=UTC)", value)
    if type(value) is not datetime and getattr(value, "nanosecond", None):
        raise ValueRefused(f"{_WHOLE}: of a Timestamp of pandas, take .floor('us')", value)
    return value


def in_utc(value: datetime) -> datetime:
    """``value`` in UTC, where it is aware; a time that falls out of the years there is refused.

    Times of one zone are compared by its clock alone, and a time that its clock shows
    twice equals no time of another zone: compare in UTC.
    """
    try:
        return aware(value).astimezone(UTC)
    except OverflowError:
        raise ValueRefused("a time from the year 1 to 9999, in UTC", value) from None


def micros_since_epoch(value: datetime) -> int:
    """Microseconds from 1970-01-01 UTC to ``value``; negative before."""
    return (aware(value) - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The time that lies ``micros`` microseconds after 1970-01-01, in UTC."""
    return EPOCH + timedelta(microseconds=micros)


def start_of_span(value: datetime, every: timedelta) -> datetime:
    """The start of the span of this length, counted from 1970 in UTC, that ``value`` lies in; one before the year 1 is refused."""
    count = (aware(value) - EPOCH) // every
    try:
        return EPOCH + count * every
    except OverflowError:
        raise ValueRefused("a time whose span begins in the year 1 or later, in UTC", value) from None


# A fraction with a digit behind the sixth that is not 0; also that of an offset.
_FINER = pattern("[.,][0-9]{6}[0-9]*[1-9]")


def in_whole_micros(text: str) -> str:
    """``text`` itself, where the time in it is not finer than a microsecond; else it is refused: Python would cut it, and several times would become one."""
    if _FINER.search(text):
        raise ValueRefused(_WHOLE, text)
    return text


def time_of(text: str) -> datetime:
    """The time of a text in ISO form, with its offset or without one.

    Raises ``ValueError`` for what is none, and :class:`ValueRefused` for one that is finer than a microsecond.
    """
    return datetime.fromisoformat(in_whole_micros(text))


_DIRECTIVE = pattern("(%(?:[39]f|-?.))")


class Unit(NamedTuple):
    """A unit of the calendar: its name, its digits, and the longest that there is of its kind."""

    name: str
    digits: int
    longest: timedelta


# From coarse to fine.
UNITS = {
    "%Y": Unit("year", 4, timedelta(days=366)),
    "%m": Unit("month", 2, timedelta(days=31)),
    "%d": Unit("day", 2, timedelta(days=1)),
    "%H": Unit("hour", 2, timedelta(hours=1)),
    "%M": Unit("minute", 2, timedelta(minutes=1)),
    "%S": Unit("second", 2, timedelta(seconds=1)),
    "%3f": Unit("millisecond", 3, timedelta(milliseconds=1)),
    "%f": Unit("microsecond", 6, timedelta(microseconds=1)),
    "%9f": Unit(
        "nanosecond", 9, timedelta(microseconds=1)
    ),  # the last three are 0: Python has no finer times
}
# The longest that there is of each, and of a week, by its name.
LENGTHS = {unit.name: unit.longest for unit in UNITS.values()} | {"week": timedelta(weeks=1)}


def taken_apart(text: str, directives: Collection[str], what: str) -> tuple[str, ...]:
    """The directives of ``text`` and the ASCII text between them, in order.

    Raises :class:`DeclarationError`, about ``what``, where there is anything else.
    """
    parts = tuple(part for part in _DIRECTIVE.split(text) if part)
    strange = any("%" in part and part not in directives for part in parts)
    if strange or not (text.isascii() and text.isprintable()):
        raise DeclarationError(f"{what} {text!r}: expected {' '.join(directives)} and ASCII text")
    return parts


def template(parts: Iterable[str]) -> str:
    """What ``str.format`` makes the text of: of a time as 0, and its milliseconds as 1.

    ``%-d`` writes the number of ``%d`` without zeros on the left.
    """
    return "".join(_field(part) if part.startswith("%") else _braced(part) for part in parts)


def _field(directive: str) -> str:
    unit = UNITS[directive.replace("-", "")]
    if unit.name == "nanosecond":
        return "{0.microsecond:06d}000"
    # A time holds microseconds only.
    place = "1" if unit.name == "millisecond" else f"0.{unit.name}"
    return f"{{{place}:d}}" if "-" in directive else f"{{{place}:0{unit.digits}d}}"


def _braced(literal: str) -> str:
    return literal.replace("{", "{{").replace("}", "}}")
