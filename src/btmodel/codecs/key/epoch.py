"""Times in a row key, counted from 1970, forwards or reversed."""

from datetime import UTC, datetime, timedelta
from typing import ClassVar

from attrs import frozen

from btmodel.codecs.key.base import DIGITS, KeyCodec, Length, Order, ascii_digits
from btmodel.codecs.time import EPOCH, micros_since_epoch
from btmodel.errors import ValueRefused
from btmodel.value import Value
from btmodel.words import counted


class _Epoch(KeyCodec[datetime], alphabet=DIGITS, order=Order.ASCENDING):
    """A count of units since 1970-01-01 UTC, with zeros on the left to a fixed number of digits."""

    micros: ClassVar[int]
    digits: ClassVar[int]

    @property
    def length(self) -> Length:
        """A fixed number of digits, enough up to the year 2286."""
        return Length(self.digits, self.digits)

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return f"{counted(self.digits, 'digit')}: {self.granularity}s since 1970"

    def encode(self, value: datetime) -> bytes:
        """The count. A finer time than the unit is refused: cutting it would merge rows in silence."""
        micros = micros_since_epoch(value)
        count, rest = divmod(micros, self.micros)
        if rest:
            raise ValueRefused(f"a time in whole {self.granularity}s (round it yourself)", value)
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


@frozen(eq=False, repr=False)
class EpochSeconds(Value, _Epoch, granularity="second"):
    """Seconds since 1970 as 10 digits."""

    micros = 1_000_000
    digits = 10


@frozen(eq=False, repr=False)
class EpochMillis(Value, _Epoch, granularity="millisecond"):
    """Milliseconds since 1970 as 13 digits."""

    micros = 1_000
    digits = 13


@frozen(eq=False, repr=False)
class EpochMicros(Value, _Epoch, granularity="microsecond"):
    """Microseconds since 1970 as 16 digits."""

    micros = 1
    digits = 16


GREATEST = 2**63 - 1
_DIGITS = 19
_LAST_MICRO = micros_since_epoch(datetime.max.replace(tzinfo=UTC))


class _ReversedEpoch(
    KeyCodec[datetime],
    length=Length(_DIGITS, _DIGITS),
    alphabet=DIGITS,
    order=Order.DESCENDING,
):
    """9223372036854775807 less a count of units since 1970-01-01 UTC, which always has 19 digits."""

    micros: ClassVar[int]

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return f"{_DIGITS} digits: {GREATEST} less the {self.granularity}s since 1970"

    def encode(self, value: datetime) -> bytes:
        """What is left. A finer time than the unit is refused: cutting it would merge rows in silence."""
        count, rest = divmod(micros_since_epoch(value), self.micros)
        if rest:
            raise ValueRefused(f"a time in whole {self.granularity}s (round it yourself)", value)
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
                f"wanted {GREATEST} less the {self.granularity}s from 1970 to a time up to 9999, got {raw!r}"
            )
        return EPOCH + timedelta(microseconds=count * self.micros)

    @property
    def _last(self) -> int:
        """The count of the last time that Python has."""
        return _LAST_MICRO // self.micros


@frozen(eq=False, repr=False)
class ReversedSeconds(Value, _ReversedEpoch, granularity="second"):
    """9223372036854775807 less the seconds since 1970, as 19 digits: the newest first."""

    micros = 1_000_000


@frozen(eq=False, repr=False)
class ReversedMillis(Value, _ReversedEpoch, granularity="millisecond"):
    """9223372036854775807 less the milliseconds since 1970, as 19 digits: the newest first."""

    micros = 1_000


@frozen(eq=False, repr=False)
class ReversedMicros(Value, _ReversedEpoch, granularity="microsecond"):
    """9223372036854775807 less the microseconds since 1970, as 19 digits: the newest first."""

    micros = 1
