"""Dates, times and weeks in a row key as calendar text: ``20170726``, ``2021-03-05-1200``, ``2021-W09``, and weeks from an origin."""

from abc import abstractmethod
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, TypeVar

from attrs import field, frozen

from btmodel.codecs.aware_times import UNITS, in_utc, taken_apart, template
from btmodel.codecs.cell.time import IsoTime
from btmodel.codecs.key.base import DIGITS, KeyCodec, Length, Order, a_bool, ascii_digits
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")

_COARSE_TO_FINE = tuple(UNITS)
_WHOLE = ("%Y", "%m", "%d", "%H", "%M", "%S")
_ORIGIN = (1, 1, 1, 0, 0, 0)
# The units that a text may be made of: a fraction of a second occurs once, if at all.
_LADDERS = {*(_WHOLE[:count] for count in range(1, 7)), (*_WHOLE, "%3f"), (*_WHOLE, "%f"), (*_WHOLE, "%9f")}
# Microseconds of the finest unit, of those that are finer than a second.
_FRACTIONS = {"%3f": 1000, "%f": 1, "%9f": 1}
_DAYS = ("year", "month", "day")
_EXAMPLE = datetime(2021, 5, 31, 12, 34, 56, 789_000, tzinfo=UTC)


@frozen(slots=False, eq=False, repr=False)
class CalendarFormat(Value):
    """A format of the directives ``%Y %m %d %H %M %S``, a fraction of the second, and literal ASCII text.

    The fraction is ``%3f``, milliseconds as 3 digits, ``%f``, microseconds as 6, or ``%9f``, nanoseconds as 9, of which the last
    three are 0, as Python's times end at microseconds.
    """

    text: str

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Directives and literals, in the order of the text."""
        parts = taken_apart(self.text, UNITS, "calendar format")
        units = sorted((part for part in parts if part in UNITS), key=_COARSE_TO_FINE.index)
        if tuple(units) not in _LADDERS:
            raise DeclarationError(
                f"calendar format {self.text!r}: expected each unit once, from the year down to the finest"
            )
        return parts

    @cached_property
    def directives(self) -> tuple[str, ...]:
        """The directives, in the order of the text."""
        return tuple(part for part in self.parts if part in UNITS)

    @cached_property
    def _finest(self) -> str:
        return max(self.directives, key=_COARSE_TO_FINE.index)

    @property
    def granularity(self) -> str:
        """The finest unit."""
        return UNITS[self._finest].name

    @property
    def ordered(self) -> bool:
        """Whether the text sorts as the time does: units from coarse to fine."""
        places = map(_COARSE_TO_FINE.index, self.directives)
        return all(a < b for a, b in pairwise(places))

    @cached_property
    def alphabet(self) -> frozenset[int]:
        """Digits, and the bytes of the literals."""
        literals = "".join(part for part in self.parts if part not in UNITS)
        return DIGITS | frozenset(literals.encode())

    @cached_property
    def sized(self) -> tuple[tuple[str, int], ...]:
        """The parts, and how many bytes each has."""
        return tuple((part, UNITS[part].digits if part in UNITS else len(part)) for part in self.parts)

    @cached_property
    def width(self) -> int:
        """Bytes of every text."""
        return sum(size for _, size in self.sized)

    @cached_property
    def _template(self) -> str:
        return template(self.parts)

    def write(self, value: date) -> bytes:
        """The text of ``value``, finer units left out."""
        millis = value.microsecond // 1000 if isinstance(value, datetime) else 0
        return self._template.format(value, millis).encode()

    def read(self, raw: bytes) -> datetime:
        """The time that ``raw`` spells, in UTC."""
        if len(raw) != self.width:
            raise ValueError(
                f"expected {counted(self.width, 'byte')} of the form {self.text}, got {shown(raw)}"
            )
        values: dict[str, int] = dict(zip(_WHOLE, _ORIGIN, strict=True))
        at = micros = 0
        for part, size in self.sized:
            chunk = raw[at : at + size]
            at += size
            if part in _FRACTIONS:
                if size == 9 and not chunk.endswith(b"000"):
                    raise ValueError(
                        f"expected whole microseconds, which Python's times have, got {shown(raw)}"
                    )
                micros = ascii_digits(chunk[:6]) * _FRACTIONS[part]
            elif part in UNITS:
                values[part] = ascii_digits(chunk)
            elif chunk != part.encode():
                raise ValueError(f"expected {part!r} in the form {self.text}, got {shown(raw)}")
        return _time(*values.values(), micros)

    def bound(self, value: datetime) -> bytes | None:
        """The text of the first storable time that is not before ``value``; None where there is none."""
        cut = self.cut(value)
        if cut == in_utc(value):
            return self.write(cut)
        try:
            return self.write(self.cut(cut + UNITS[self._finest].longest))
        except OverflowError:
            return None

    def cut(self, value: datetime) -> datetime:
        """``value`` in UTC without the units finer than the format's."""
        value = in_utc(value)
        keep = _COARSE_TO_FINE.index(self._finest) + 1
        fields = (value.year, value.month, value.day, value.hour, value.minute, value.second)
        rest = value.microsecond % _FRACTIONS.get(self._finest, 1_000_000)
        return _time(*fields[:keep], *_ORIGIN[keep:], value.microsecond - rest)


def _time(*fields: int) -> datetime:
    year, month, day, hour, minute, second, micros = fields
    return datetime(year, month, day, hour, minute, second, micros, tzinfo=UTC)


def _formatted(text: str | CalendarFormat) -> CalendarFormat:
    if not isinstance(text, (str, CalendarFormat)):
        raise DeclarationError(f"calendar format: expected text such as '%Y%m%d', got {text!r}")
    form = text if isinstance(text, CalendarFormat) else CalendarFormat(text)
    _ = form.parts  # refuses a wrong format where it is declared
    return form


class _Calendar(KeyCodec[T]):
    """What dates and times as text share."""

    format: CalendarFormat

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
        """Digits and units, in words; with an example, where other text stands between them."""
        units = ", ".join(UNITS[part].name for part in self.format.directives)
        zone = "" if self.granularity in _DAYS else ", in UTC"
        if self.format.directives == self.format.parts:
            return f"{self.format.width} digits: {units}{zone}"
        example = self.format.write(_EXAMPLE).decode()
        return f"{self.format.width} bytes such as {example}: {units}{zone}"


@frozen(eq=False, repr=False)
class DateText(Value, _Calendar[date]):
    """A date as text, by default ``%Y%m%d``."""

    format: CalendarFormat = field(default=CalendarFormat("%Y%m%d"), converter=_formatted)

    def __attrs_post_init__(self) -> None:
        if self.granularity not in _DAYS:
            raise DeclarationError(f"{shown(self)}: a date has no {self.granularity}; use TimeText")

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


@frozen(eq=False, repr=False)
class TimeText(Value, _Calendar[datetime]):
    """A time in UTC as text, such as ``%Y%m%d%H%M``, or ``%Y%m%d%H%M%S%3f`` to the millisecond.

    With ``round`` a finer time is taken for the unit that it lies in, instead of refused.
    """

    format: CalendarFormat = field(converter=_formatted)
    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)

    def encode(self, value: datetime) -> bytes:
        """The text. A finer time than the format's is refused, unless it is to be rounded."""
        cut = self.format.cut(value)
        if not self.round and cut != in_utc(value):
            raise ValueRefused(
                f"a time in whole {self.granularity}s, in UTC (round it yourself, or declare the codec with round=True)",
                value,
            )
        return self.format.write(cut)

    def bound(self, value: datetime) -> bytes | None:
        """The text of the first storable time that is not before ``value``, or, with ``round``, of that which is stored of it."""
        return self.encode(value) if self.round else self.format.bound(value)

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        return self.format.read(raw)


_ISO = IsoTime()


def _one_or_three(instance: object, attribute: object, value: object) -> None:
    if type(value) is not int or value not in (1, 3):
        raise DeclarationError(f"IsoTimeText: expected a fraction in steps of 1 or 3 digits, got {value!r}")


@frozen(eq=False, repr=False)
class IsoTimeText(
    Value,
    KeyCodec[datetime],
    length=Length(20, 27),
    alphabet=DIGITS | frozenset(b"-:.TZ"),
    granularity="microsecond",
):
    """A time in UTC as ISO text whose fraction of a second is left out where it is 0: ``2024-05-01T10:00:00Z``, ``2024-05-01T10:00:00.5Z``.

    The fraction has as many digits as it takes, in steps of ``step``: 1, as Go writes them, or 3, as Java does
    (``2024-05-01T10:00:00.500Z``). Any other text of the same time is refused, because it would be another key. These texts do not
    sort as the times do: ``10:00:00.5Z`` lies before ``10:00:00Z``. Where no other program chose the form, take
    ``TimeText("%Y-%m-%dT%H:%M:%S.%fZ")``, which sorts.
    """

    self_ending = True
    holds_delimiter = True

    step: Literal[1, 3] = field(default=1, validator=_one_or_three)

    @property
    def meaning(self) -> str:
        """The fraction, in words."""
        return f"ISO time in UTC, with a fraction in steps of {counted(self.step, 'digit')} where it is not 0"

    def encode(self, value: datetime) -> bytes:
        """The text."""
        whole, point, fraction = _ISO.encode(value)[:-1].partition(b".")
        return whole + point + fraction + b"0" * (-len(fraction) % self.step) + b"Z"

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC. Texts of other forms are refused, those with zeros or an offset to spare as well."""
        time = _ISO.decode(raw)
        text = self.encode(time)
        if text != raw:
            raise ValueError(f"expected {text.decode()}, the one text of this time, got {shown(raw)}")
        return time

    def end(self, raw: bytes, at: int) -> int:
        """Behind the Z, of which there is one, at the end."""
        found = raw.find(b"Z", at)
        if found < 0:
            raise ValueError(f"expected an ISO time that ends with Z, got {shown(raw[at:])}")
        return found + 1


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
_WEEK_EXAMPLE = date(2021, 5, 31)


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
        return (
            f"{counted(self._width, 'byte')} such as {self._write(_WEEK_EXAMPLE).decode()}: ISO year and week"
        )

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
