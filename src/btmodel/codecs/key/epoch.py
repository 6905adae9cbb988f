"""Times in a row key, counted from 1970."""

from datetime import datetime, timedelta
from typing import ClassVar

from attrs import frozen

from btmodel.codecs.key.base import DIGITS, KeyCodec, Kind, Length, Order, ascii_digits
from btmodel.codecs.time import EPOCH, micros_since_epoch
from btmodel.counted import counted
from btmodel.errors import ValueRefused


class _Epoch(KeyCodec[datetime]):
    """A count of units since 1970-01-01 UTC, with zeros on the left to a fixed number of digits."""

    unit: ClassVar[str]
    micros: ClassVar[int]
    digits: ClassVar[int]

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
        """A fixed number of digits, enough up to the year 2286."""
        return Length(self.digits, self.digits)

    @property
    def alphabet(self) -> frozenset[int]:
        """The ten digits."""
        return DIGITS

    @property
    def order(self) -> Order:
        """Ascending: the width is fixed."""
        return Order.ASCENDING

    @property
    def granularity(self) -> str:
        """The unit."""
        return self.unit

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return f"{counted(self.digits, 'digit')}: {self.unit}s since 1970"

    def encode(self, value: datetime) -> bytes:
        """The count. A finer time than the unit is refused: cutting it would merge rows in silence."""
        micros = micros_since_epoch(value)
        count, rest = divmod(micros, self.micros)
        if rest:
            raise ValueRefused(f"a time in whole {self.unit}s (round it yourself)", value)
        return self._digits(count, value)

    def bound(self, value: datetime) -> bytes | None:
        """The count, rounded up; 0 for times before 1970, None after 2286."""
        count = max(-(-micros_since_epoch(value) // self.micros), 0)
        return self._digits(count, value) if count < 10**self.digits else None

    def _digits(self, count: int, value: datetime) -> bytes:
        if not 0 <= count < 10**self.digits:
            raise ValueRefused("a time from 1970 to 2286", value)
        return b"%0*d" % (self.digits, count)

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        return EPOCH + timedelta(microseconds=ascii_digits(raw, self.digits) * self.micros)


@frozen
class EpochSeconds(_Epoch):
    """Seconds since 1970 as 10 digits."""

    unit = "second"
    micros = 1_000_000
    digits = 10


@frozen
class EpochMillis(_Epoch):
    """Milliseconds since 1970 as 13 digits."""

    unit = "millisecond"
    micros = 1_000
    digits = 13


@frozen
class EpochMicros(_Epoch):
    """Microseconds since 1970 as 16 digits."""

    unit = "microsecond"
    micros = 1
    digits = 16
