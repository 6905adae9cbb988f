"""Dates and times in a row key as calendar text: ``20170726``, ``2021-03-05-1200``."""

import re
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import pairwise

from attrs import field, frozen

from btmodel.codecs.key.base import DIGITS, KeyCodec, Kind, Length, Order, ascii_digits
from btmodel.codecs.time import aware
from btmodel.errors import DeclarationError, ValueRefused

_UNITS = ("year", "month", "day", "hour", "minute", "second")
_DIRECTIVES: dict[str, str] = dict(zip("YmdHMS", _UNITS, strict=True))
_WIDTHS: dict[str, int] = dict(zip(_UNITS, (4, 2, 2, 2, 2, 2), strict=True))
_ORIGIN = (1, 1, 1, 0, 0, 0)


@frozen(slots=False)
class CalendarFormat:
    """A format of the directives ``%Y %m %d %H %M %S`` and literal ASCII text."""

    text: str

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Unit names and literals, in the order of the text."""
        found = re.split("%(.)", self.text)
        literals, directives = found[::2], found[1::2]
        plain = self.text.isascii() and self.text.isprintable() and "%" not in "".join(literals)
        if set(directives) - set(_DIRECTIVES) or not plain:
            raise DeclarationError(f"calendar format {self.text!r}: wanted %Y %m %d %H %M %S and ASCII text")
        if set(literals) & set(_UNITS):
            raise DeclarationError(f"calendar format {self.text!r}: a unit's name cannot stand as text")
        units = [_DIRECTIVES[letter] for letter in directives]
        if not units or set(units) != set(_UNITS[: len(units)]) or len(set(units)) != len(units):
            raise DeclarationError(
                f"calendar format {self.text!r}: wanted each unit once, from the year down to the finest"
            )
        return tuple(part for pair in zip(literals, [*units, ""], strict=True) for part in pair if part)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units, in the order of the text."""
        return tuple(part for part in self.parts if part in _WIDTHS)

    @property
    def granularity(self) -> str:
        """The finest unit."""
        return max(self.units, key=_UNITS.index)

    @property
    def ordered(self) -> bool:
        """Whether the text sorts as the time does: units from coarse to fine."""
        return all(_UNITS.index(a) < _UNITS.index(b) for a, b in pairwise(self.units))

    @cached_property
    def alphabet(self) -> frozenset[int]:
        """Digits, and the bytes of the literals."""
        literals = "".join(part for part in self.parts if part not in _WIDTHS)
        return DIGITS | frozenset(literals.encode())

    @cached_property
    def width(self) -> int:
        """Bytes of every text."""
        return sum(_WIDTHS.get(part, len(part)) for part in self.parts)

    @cached_property
    def _template(self) -> str:
        return "".join(
            f"{{0.{part}:0{_WIDTHS[part]}d}}" if part in _WIDTHS else _braced(part) for part in self.parts
        )

    def write(self, value: date) -> bytes:
        """The text of ``value``, finer units left out."""
        return self._template.format(value).encode()

    def read(self, raw: bytes) -> datetime:
        """The time that ``raw`` spells, in UTC."""
        if len(raw) != self.width:
            raise ValueError(f"wanted {self.width} bytes of the form {self.text}, got {raw!r}")
        values: dict[str, int] = dict(zip(_UNITS, _ORIGIN, strict=True))
        at = 0
        for part in self.parts:
            chunk = raw[at : at + _WIDTHS.get(part, len(part))]
            at += len(chunk)
            if part in _WIDTHS:
                values[part] = ascii_digits(chunk)
            elif chunk != part.encode():
                raise ValueError(f"wanted {part!r} in the form {self.text}, got {raw!r}")
        return _time(*values.values())

    def bound(self, value: datetime) -> bytes | None:
        """The text of the first storable time that is not before ``value``; None where there is none."""
        cut = self.cut(value)
        # In UTC on both sides: a local time that occurs twice equals no time of another zone.
        if cut == value.astimezone(UTC):
            return self.write(cut)
        try:
            return self.write(self.cut(cut + _STEPS[self.granularity]))
        except OverflowError:
            return None

    def cut(self, value: datetime) -> datetime:
        """``value`` in UTC without the units finer than the format's."""
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            raise ValueRefused("a time from the year 1 to 9999, in UTC", value) from None
        keep = _UNITS.index(self.granularity) + 1
        fields = (value.year, value.month, value.day, value.hour, value.minute, value.second)
        return _time(*fields[:keep], *_ORIGIN[keep:])


# The least step that leaves a unit, whichever of its kind it is.
_STEPS = {
    "year": timedelta(days=366),
    "month": timedelta(days=31),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}


def _braced(literal: str) -> str:
    return literal.replace("{", "{{").replace("}", "}}")


def _time(*fields: int) -> datetime:
    year, month, day, hour, minute, second = fields
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


def _formatted(text: str | CalendarFormat) -> CalendarFormat:
    if not isinstance(text, (str, CalendarFormat)):
        raise DeclarationError(f"calendar format: wanted text such as '%Y%m%d', got {text!r}")
    form = text if isinstance(text, CalendarFormat) else CalendarFormat(text)
    _ = form.parts  # refuses a wrong format where it is declared
    return form


class _Calendar:
    """What dates and times as text share."""

    format: CalendarFormat

    @property
    def kind(self) -> Kind:
        """A time."""
        return Kind.TIME

    @property
    def length(self) -> Length:
        """The width of the format."""
        return Length(self.format.width, self.format.width)

    @property
    def alphabet(self) -> frozenset[int]:
        """Digits and the format's literal text."""
        return self.format.alphabet

    @property
    def order(self) -> Order:
        """Ascending where the format goes from coarse to fine."""
        return Order.ASCENDING if self.format.ordered else Order.NONE

    @property
    def granularity(self) -> str:
        """The finest unit of the format."""
        return self.format.granularity

    @property
    def meaning(self) -> str:
        """The format."""
        return f"{self.format.text}, UTC" if self.granularity in _UNITS[3:] else self.format.text


@frozen
class DateText(_Calendar, KeyCodec[date]):
    """A date as text, ``%Y%m%d`` unless told otherwise."""

    format: CalendarFormat = field(default=CalendarFormat("%Y%m%d"), converter=_formatted)

    def __attrs_post_init__(self) -> None:
        if self.granularity not in ("year", "month", "day"):
            raise DeclarationError(f"{self!r}: a date has no {self.granularity}; use TimeText")

    @property
    def python_type(self) -> type:
        """``date``."""
        return date

    def encode(self, value: date) -> bytes:
        """The text. A datetime is refused: which day it falls on depends on the zone."""
        if not isinstance(value, date) or isinstance(value, datetime):
            raise ValueRefused("a date (of a datetime, take .date() in the zone that you mean)", value)
        if self.format.cut(datetime(value.year, value.month, value.day, tzinfo=UTC)).date() != value:
            raise ValueRefused(f"the first day of a {self.granularity}", value)
        return self.format.write(value)

    def bound(self, value: date) -> bytes | None:
        """The text of the first storable date that is not before ``value``; None where there is none."""
        if not isinstance(value, date) or isinstance(value, datetime):
            return self.encode(value)
        return self.format.bound(datetime(value.year, value.month, value.day, tzinfo=UTC))

    def decode(self, raw: bytes) -> date:
        """The date."""
        return self.format.read(raw).date()


@frozen
class TimeText(_Calendar, KeyCodec[datetime]):
    """A time in UTC as text, such as ``%Y%m%d%H%M``."""

    format: CalendarFormat = field(converter=_formatted)

    @property
    def python_type(self) -> type:
        """``datetime``, aware."""
        return datetime

    def encode(self, value: datetime) -> bytes:
        """The text. A finer time than the format's is refused."""
        cut = self.format.cut(aware(value))
        # In UTC on both sides: a local time that occurs twice equals no time of another zone.
        if cut != value.astimezone(UTC):
            raise ValueRefused(f"a time in whole {self.granularity}s, in UTC (round it yourself)", value)
        return self.format.write(cut)

    def bound(self, value: datetime) -> bytes | None:
        """The text of the first storable time that is not before ``value``; None where there is none."""
        return self.format.bound(aware(value))

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        return self.format.read(raw)
