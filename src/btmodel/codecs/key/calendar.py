"""Dates and times in a row key as calendar text: ``20170726``, ``2021-03-05-1200``, ``20150301124501001``."""

from datetime import UTC, date, datetime
from functools import cached_property
from itertools import pairwise
from typing import Literal, TypeVar

from attrs import field, frozen

from btmodel.codecs.aware_times import UNITS, in_utc, taken_apart, template
from btmodel.codecs.cell.time import IsoTime
from btmodel.codecs.key.base import DIGITS, KeyCodec, Length, Order, a_bool, ascii_digits
from btmodel.errors import DeclarationError, ValueRefused, shown
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
