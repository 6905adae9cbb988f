"""Weeks in a row key: ISO weeks, Mondays, weeks from an origin."""

from abc import abstractmethod
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from attrs import field, frozen

from btmodel.codecs.aware_times import taken_apart
from btmodel.codecs.key.base import DIGITS, KeyCodec, Length, Order, ascii_digits
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted

WEEK = timedelta(weeks=1)
# The week of the last day that there is begins with it. The first day of the year 1 is a Monday, too.
LAST_MONDAY = date(9999, 12, 27)


def monday_of(day: date) -> date:
    """The Monday of the week that ``day`` lies in."""
    return day - timedelta(days=day.weekday())


class Mondays(KeyCodec[date], granularity="week"):
    """What the codecs of weeks share: a week is the date of its Monday."""

    def encode(self, value: date) -> bytes:
        """The text of the week that begins with ``value``. Any day but a Monday is refused."""
        monday = monday_of(_plain(value))
        if monday != value:
            raise ValueRefused(f"the Monday that begins a week (of this one: {monday})", value)
        return self._write(value)

    def bound(self, value: date) -> bytes | None:
        """The text of the first storable Monday that is not before ``value``; None where there is none."""
        if _plain(value) > LAST_MONDAY:
            return None
        return self._bound(value + timedelta(days=-value.weekday() % 7))

    @abstractmethod
    def _write(self, monday: date) -> bytes:
        """The text of a week."""

    def _bound(self, monday: date) -> bytes | None:
        """The text of the first storable week from that of ``monday`` on; None where there is none."""
        return self._write(monday)


def _plain(value: object) -> date:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueRefused("a date (of a datetime, take .date() in the zone that you mean)", value)
    return value


_FORM = pattern(r"([^{}]*)\{n(?::0([1-9]))?\}([^{}]*)")


def _a_format(instance: "Week", attribute: object, value: object) -> None:
    if not (isinstance(value, str) and value.isascii() and value.isprintable() and _FORM.fullmatch(value)):
        raise DeclarationError(
            "Week: expected a format with one {n}, or {n:04} for 4 digits with zeros on the left "
            f"(up to 9), and ASCII text around it, got {value!r}"
        )


def _a_monday(instance: "Week", attribute: object, value: Any) -> None:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise DeclarationError(f"Week: expected a date as the origin, got {value!r}")
    monday = monday_of(value)
    if monday != value:
        after = f" or {monday + WEEK}" if monday < LAST_MONDAY else ""
        raise DeclarationError(f"Week: the origin must be a Monday: expected {monday}{after}, got {value}")


def _a_number(instance: "Week", attribute: object, value: object) -> None:
    if type(value) is not int or value < 0:
        raise DeclarationError(f"Week: expected a whole number from 0 on as the first week, got {value!r}")


@frozen(slots=False, eq=False, repr=False)
class Week(Value, Mondays):
    """A week, as the date of its Monday, counted from an origin.

    ``{n}`` in the format is the number of the week: ``first``, 1 by default,
    is that of the week that begins at ``origin``, a Monday. Weeks before it are refused.
    ``{n:04}`` puts zeros on the left to 4 digits; without them ``week10`` sorts below ``week9``.
    """

    format: str = field(default="week{n}", validator=_a_format)
    origin: date = field(kw_only=True, validator=_a_monday)
    first: int = field(default=1, kw_only=True, validator=_a_number)

    def __attrs_post_init__(self) -> None:
        if self.first > self.last:
            raise DeclarationError(
                f"{shown(self)}: the first week's number has more than {counted(self._width or 1, 'digit')}"
            )

    @cached_property
    def _affixes(self) -> tuple[str, str]:
        found = _FORM.fullmatch(self.format)
        assert found is not None
        return found[1], found[3]

    @cached_property
    def _width(self) -> int | None:
        """The digits of every number, or None where they are not padded."""
        found = _FORM.fullmatch(self.format)
        return int(found[2]) if found and found[2] else None

    @cached_property
    def last(self) -> int:
        """The number of the last week: the last that there is, or that fits into the digits."""
        last = self.first + (LAST_MONDAY - self.origin) // WEEK
        return min(last, 10**self._width - 1) if self._width else last

    @cached_property
    def _length(self) -> Length:
        around = sum(map(len, self._affixes))
        least, most = (self._width or len(str(number)) for number in (self.first, self.last))
        return Length(around + least, around + most)

    @property
    def length(self) -> Length:
        """The text around the number, and its digits."""
        return self._length

    @property
    def alphabet(self) -> frozenset[int]:
        """Digits and the format's literal text."""
        return DIGITS | frozenset("".join(self._affixes).encode())

    @property
    def order(self) -> Order:
        """Ascending where all numbers have as many digits, else none."""
        return Order.ASCENDING if self.length.fixed else Order.NONE

    @property
    def meaning(self) -> str:
        """The first week, and when it begins."""
        return f"{self._write(self.origin).decode()} and so on: weeks from {self.origin}"

    def _write(self, monday: date) -> bytes:
        number = self.first + (monday - self.origin) // WEEK
        if not self.first <= number <= self.last:
            end = self.origin + (self.last - self.first) * WEEK
            raise ValueRefused(f"a Monday from {self.origin} to {end}", monday)
        return self._text(number)

    def _text(self, number: int) -> bytes:
        before, behind = self._affixes
        return f"{before}{number:0{self._width or 1}d}{behind}".encode()

    def _bound(self, monday: date) -> bytes | None:
        number = self.first + (monday - self.origin) // WEEK
        return self._text(max(number, self.first)) if number <= self.last else None

    def decode(self, raw: bytes) -> date:
        """The Monday of the week; zeros on the left are refused where the format has none."""
        before, behind = (affix.encode() for affix in self._affixes)
        digits = raw[len(before) : len(raw) - len(behind)]
        number = ascii_digits(digits) if 0 < len(digits) <= self.length.most else -1
        if not self.first <= number <= self.last or self._text(number) != raw:
            raise ValueError(
                f"expected {self.format} with a number from {self.first} to {self.last}, got {shown(raw)}"
            )
        return self.origin + (number - self.first) * WEEK


_DIGITS = {"%G": 4, "%V": 2}
_EXAMPLE = date(2021, 5, 31)


def _taken_apart(instance: "IsoWeek", attribute: object, value: object) -> None:
    if not isinstance(value, str):
        raise DeclarationError(f"IsoWeek: expected a format such as '%G-W%V', got {value!r}")
    parts = taken_apart(value, _DIGITS, "format of weeks")
    if sorted(part for part in parts if part in _DIGITS) != ["%G", "%V"]:
        raise DeclarationError(f"format of weeks {value!r}: expected the year %G and the week %V, each once")


@frozen(slots=False, eq=False, repr=False)
class IsoWeek(Value, Mondays):
    """A week, as the date of its Monday, in the year and the number that the ISO calendar gives it.

    The directives are ``%G``, the year, and ``%V``, the week from 01 to 53. Around New
    Year the year is the one that most days of the week lie in: the week of 2018-12-31
    is ``2019-W01``.
    """

    format: str = field(default="%G-W%V", validator=_taken_apart)

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return taken_apart(self.format, _DIGITS, "format of weeks")

    @cached_property
    def _width(self) -> int:
        return sum(_DIGITS.get(part, len(part)) for part in self._parts)

    @property
    def length(self) -> Length:
        """The width of the format."""
        return Length(self._width, self._width)

    @property
    def alphabet(self) -> frozenset[int]:
        """Digits and the format's literal text."""
        literals = "".join(part for part in self._parts if part not in _DIGITS)
        return DIGITS | frozenset(literals.encode())

    @property
    def order(self) -> Order:
        """Ascending where the year stands in front of the week."""
        return Order.ASCENDING if self.format.index("%G") < self.format.index("%V") else Order.NONE

    @property
    def meaning(self) -> str:
        """An example, and what it means."""
        return f"{counted(self._width, 'byte')} such as {self._write(_EXAMPLE).decode()}: ISO year and week"

    def _write(self, monday: date) -> bytes:
        year, week, _ = monday.isocalendar()
        return self.format.replace("%G", f"{year:04d}").replace("%V", f"{week:02d}").encode()

    def decode(self, raw: bytes) -> date:
        """The Monday of the week."""
        if len(raw) != self._width:
            raise ValueError(
                f"expected {counted(self._width, 'byte')} of the form {self.format}, got {shown(raw)}"
            )
        values = {}
        at = 0
        for part in self._parts:
            chunk = raw[at : at + _DIGITS.get(part, len(part))]
            at += len(chunk)
            if part in _DIGITS:
                values[part] = ascii_digits(chunk)
            elif chunk != part.encode():
                raise ValueError(f"expected {part!r} in the form {self.format}, got {shown(raw)}")
        try:
            return date.fromisocalendar(values["%G"], values["%V"], 1)
        except ValueError:
            raise ValueError(f"expected a week of the ISO calendar, got {shown(raw)}") from None
