"""Times and dates in cells."""

from datetime import UTC, date, datetime

from attrs import frozen

from btmodel.codecs.byte_set import DIGIT, literal, sequence
from btmodel.codecs.cell.base import SORTED, CellCodec, SortedRun
from btmodel.codecs.cell.number import Int64
from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import ValueRefused
from btmodel.value import Value

_INT64 = Int64()
_HYPHEN = literal(b"-")
_LEAST = micros_since_epoch(datetime.min.replace(tzinfo=UTC))
_MOST = micros_since_epoch(datetime.max.replace(tzinfo=UTC))
_RUNS = (SortedRun(from_micros(_LEAST), from_micros(-1)), SortedRun(from_micros(0), from_micros(_MOST)))


@frozen(eq=False, repr=False)
class Micros(
    Value,
    CellCodec[datetime],
    fixed_size=8,
    meaning="microseconds since 1970 as a 64-bit integer, big-endian",
    runs=_RUNS,
):
    """An aware time as microseconds since 1970: 8 bytes, signed, big-endian."""

    def encode(self, value: datetime) -> bytes:
        """8 bytes."""
        micros = micros_since_epoch(value)
        if not _LEAST <= micros <= _MOST:
            raise ValueRefused("a time from the year 1 to 9999, in UTC", value)
        return _INT64.encode(micros)

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        try:
            return from_micros(_INT64.decode(raw))
        except OverflowError:
            raise ValueError("wanted a time from the year 1 to 9999") from None


@frozen(eq=False, repr=False)
class IsoDate(
    Value,
    CellCodec[date],
    fixed_size=10,
    reads=sequence(*[DIGIT] * 4, _HYPHEN, *[DIGIT] * 2, _HYPHEN, *[DIGIT] * 2),
    meaning="ISO date as text",
    runs=SORTED,
):
    """A date as ISO text: ``2013-01-31``."""

    def encode(self, value: date) -> bytes:
        """``YYYY-MM-DD``. A datetime is refused: its day depends on the zone."""
        if not isinstance(value, date) or isinstance(value, datetime):
            raise ValueRefused("a date (of a datetime, take .date() in the zone that you mean)", value)
        return value.isoformat().encode()

    def decode(self, raw: bytes) -> date:
        """The date."""
        if len(raw) != 10:
            raise ValueError(f"wanted YYYY-MM-DD, got {raw!r}")
        text = raw.decode("ascii")
        value = date.fromisoformat(text)
        if value.isoformat() != text:  # a week date has ten characters too
            raise ValueError(f"wanted YYYY-MM-DD, got {raw!r}")
        return value
