"""Weeks in a row key, counted from an origin: ``week1``, ``week2``."""

import re
from datetime import date, datetime
from functools import cached_property
from typing import Any

from attrs import field, frozen

from btmodel.codecs.key.base import DIGITS, Length, Order, ascii_digits
from btmodel.codecs.key.monday import LAST_MONDAY, WEEK, Mondays, monday_of
from btmodel.counted import counted
from btmodel.errors import DeclarationError, ValueRefused

_FORM = re.compile(r"([^{}]*)\{n(?::0([1-9]))?\}([^{}]*)")


def _a_format(instance: "Week", attribute: object, value: object) -> None:
    if not (isinstance(value, str) and value.isascii() and value.isprintable() and _FORM.fullmatch(value)):
        raise DeclarationError(
            "Week: wanted a format with one {n}, or {n:04} for 4 digits with zeros on the left "
            f"(up to 9), and ASCII text around it, got {value!r}"
        )


def _a_monday(instance: "Week", attribute: object, value: Any) -> None:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise DeclarationError(f"Week: wanted a date as the origin, got {value!r}")
    monday = monday_of(value)
    if monday != value:
        after = f" or {monday + WEEK}" if monday < LAST_MONDAY else ""
        raise DeclarationError(f"Week: the origin must be a Monday: wanted {monday}{after}, got {value}")


def _a_number(instance: "Week", attribute: object, value: object) -> None:
    if type(value) is not int or value < 0:
        raise DeclarationError(f"Week: wanted a whole number from 0 on as the first week, got {value!r}")


@frozen(slots=False)
class Week(Mondays):
    """A week, as the date of its Monday, counted from an origin.

    ``{n}`` in the format is the number of the week: ``first``, 1 unless told otherwise,
    is that of the week that begins at ``origin``, a Monday. Weeks before it are refused.
    ``{n:04}`` puts zeros on the left to 4 digits; without them ``week10`` sorts below ``week9``.
    """

    format: str = field(default="week{n}", validator=_a_format)
    origin: date = field(kw_only=True, validator=_a_monday)
    first: int = field(default=1, kw_only=True, validator=_a_number)

    def __attrs_post_init__(self) -> None:
        if self.first > self.last:
            raise DeclarationError(
                f"{self!r}: the first week's number has more than {counted(self._width or 1, 'digit')}"
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
        """The number of the last week: the last that there is, or that the digits can tell."""
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
                f"wanted {self.format} with a number from {self.first} to {self.last}, got {raw!r}"
            )
        return self.origin + (number - self.first) * WEEK
