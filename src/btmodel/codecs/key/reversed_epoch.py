"""Times in a row key, the newest first: what is left of the greatest 64-bit number."""

from datetime import UTC, datetime, timedelta
from typing import ClassVar

from attrs import frozen

from btmodel.codecs.key.base import DIGITS, KeyCodec, Kind, Length, Order, ascii_digits
from btmodel.codecs.time import EPOCH, micros_since_epoch
from btmodel.errors import ValueRefused

GREATEST = 2**63 - 1
_DIGITS = 19
_LAST_MICRO = micros_since_epoch(datetime.max.replace(tzinfo=UTC))


class _ReversedEpoch(KeyCodec[datetime]):
    """9223372036854775807 less a count of units since 1970-01-01 UTC, which always has 19 digits."""

    unit: ClassVar[str]
    micros: ClassVar[int]

    @property
    def python_type(self) -> type:
        """``datetime``, aware."""
        return datetime

    @property
    def kind(self) -> Kind:
        """A time."""
        return Kind.TIME

    @property
    def length(self) -> Length:
        """19 digits."""
        return Length(_DIGITS, _DIGITS)

    @property
    def alphabet(self) -> frozenset[int]:
        """The ten digits."""
        return DIGITS

    @property
    def order(self) -> Order:
        """Descending: the later, the less is left."""
        return Order.DESCENDING

    @property
    def granularity(self) -> str:
        """The unit."""
        return self.unit

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return f"{_DIGITS} digits: {GREATEST} less the {self.unit}s since 1970"

    def encode(self, value: datetime) -> bytes:
        """What is left. A finer time than the unit is refused: cutting it would merge rows in silence."""
        count, rest = divmod(micros_since_epoch(value), self.micros)
        if rest:
            raise ValueRefused(f"a time in whole {self.unit}s (round it yourself)", value)
        if not 0 <= count <= self._last:
            raise ValueRefused("a time from 1970 to 9999, in UTC", value)
        return b"%0*d" % (_DIGITS, GREATEST - count)

    def bound(self, value: datetime) -> bytes | None:
        """What is left of the count, rounded up; all for times before 1970, None after 9999."""
        count = max(-(-micros_since_epoch(value) // self.micros), 0)
        return b"%0*d" % (_DIGITS, GREATEST - count) if count <= self._last else None

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        count = GREATEST - ascii_digits(raw, _DIGITS)
        if not 0 <= count <= self._last:
            raise ValueError(
                f"wanted {GREATEST} less the {self.unit}s from 1970 to a time up to 9999, got {raw!r}"
            )
        return EPOCH + timedelta(microseconds=count * self.micros)

    @property
    def _last(self) -> int:
        """The count of the last time that Python has."""
        return _LAST_MICRO // self.micros


@frozen
class ReversedSeconds(_ReversedEpoch):
    """9223372036854775807 less the seconds since 1970, as 19 digits: the newest first."""

    unit = "second"
    micros = 1_000_000


@frozen
class ReversedMillis(_ReversedEpoch):
    """9223372036854775807 less the milliseconds since 1970, as 19 digits: the newest first."""

    unit = "millisecond"
    micros = 1_000


@frozen
class ReversedMicros(_ReversedEpoch):
    """9223372036854775807 less the microseconds since 1970, as 19 digits: the newest first."""

    unit = "microsecond"
    micros = 1
