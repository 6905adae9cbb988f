"""Times in a row key, counted from 1970, forwards or reversed."""

from datetime import UTC, datetime, timedelta
from typing import ClassVar, Literal

from attrs import field, frozen

from btmodel.codecs.key.base import DIGITS, KeyCodec, Length, Order, a_bool, ascii_digits, at_least_one
from btmodel.codecs.time import EPOCH, micros_since_epoch
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import counted


def _counted(value: datetime, micros: int, unit: str | None, *, cut: bool) -> int:
    """How many units ``value`` is after 1970; one that is finer is refused, or ``cut`` to the unit that it lies in."""
    count, rest = divmod(micros_since_epoch(value), micros)
    if rest and not cut:
        raise ValueRefused(
            f"a time in whole {unit}s (round it yourself, or declare the codec with round=True)", value
        )
    return count


def _least_count(count: int, unit: int, *, cut: bool) -> int:
    """How many units there are before the first that is not below ``count``; ``cut``, as what is stored is cut, down to whole ones."""
    return count // unit if cut else -(-count // unit)


# ``round`` is no part of what a codec is: the bytes of what need not be rounded are the same.


class _Epoch(KeyCodec[datetime], alphabet=DIGITS, order=Order.ASCENDING):
    """A count of units since 1970-01-01 UTC, with zeros on the left to a fixed number of digits."""

    micros: ClassVar[int]
    digits: ClassVar[int]
    round: bool = False  # of microseconds, no time of Python's is finer

    @property
    def length(self) -> Length:
        """A fixed number of digits, enough up to the year 2286."""
        return Length(self.digits, self.digits)

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return f"{counted(self.digits, 'digit')}: {self.granularity}s since 1970"

    def encode(self, value: datetime) -> bytes:
        """The count. A finer time than the unit is refused: cutting it would merge rows, so that has to be asked for."""
        return self._digits(_counted(value, self.micros, self.granularity, cut=self.round), value)

    def bound(self, value: datetime) -> bytes | None:
        """The count, rounded up, or as it is stored with ``round``; 0 for times before 1970, None after 2286."""
        count = max(_least_count(micros_since_epoch(value), self.micros, cut=self.round), 0)
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
    """Seconds since 1970 as 10 digits.

    With ``round`` a finer time is taken for the second that it lies in, instead of refused.
    """

    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)

    micros = 1_000_000
    digits = 10


@frozen(eq=False, repr=False)
class EpochMillis(Value, _Epoch, granularity="millisecond"):
    """Milliseconds since 1970 as 13 digits.

    With ``round`` a finer time is taken for the millisecond that it lies in, instead of refused.
    """

    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)

    micros = 1_000
    digits = 13


@frozen(eq=False, repr=False)
class EpochMicros(Value, _Epoch, granularity="microsecond"):
    """Microseconds since 1970 as 16 digits."""

    micros = 1
    digits = 16


@frozen(eq=False, repr=False)
class EpochNanos(Value, _Epoch, granularity="microsecond"):
    """Nanoseconds since 1970 as 19 digits, of which the last three are 0: Python's times have whole microseconds."""

    micros = 1
    digits = 16

    @property
    def length(self) -> Length:
        """19 digits."""
        return Length(self.digits + 3, self.digits + 3)

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return "19 digits: nanoseconds since 1970"

    def _digits(self, count: int, value: datetime) -> bytes:
        return super()._digits(count, value) + b"000"

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC. Bytes of a finer one are refused."""
        micros = ascii_digits(raw, self.digits + 3) // 1_000
        if not raw.endswith(b"000"):
            raise ValueError(f"expected whole microseconds, which Python's times have, got {raw!r}")
        return EPOCH + timedelta(microseconds=micros)


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
    round: bool = False  # of microseconds, no time of Python's is finer

    @property
    def meaning(self) -> str:
        """Digits and unit, in words."""
        return f"{_DIGITS} digits: {GREATEST} less the {self.granularity}s since 1970"

    def encode(self, value: datetime) -> bytes:
        """What is left. A finer time than the unit is refused: cutting it would merge rows, so that has to be asked for."""
        count = _counted(value, self.micros, self.granularity, cut=self.round)
        if not 0 <= count <= self._last:
            raise ValueRefused("a time from 1970 to 9999, in UTC", value)
        return b"%0*d" % (_DIGITS, GREATEST - count)

    def bound(self, value: datetime) -> bytes | None:
        """What is left of the count, rounded as for ``EpochMillis``; all for times before 1970, None after 9999."""
        count = max(_least_count(micros_since_epoch(value), self.micros, cut=self.round), 0)
        return b"%0*d" % (_DIGITS, GREATEST - count) if count <= self._last else None

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        count = GREATEST - ascii_digits(raw, _DIGITS)
        if not 0 <= count <= self._last:
            raise ValueError(
                f"expected {GREATEST} less the {self.granularity}s from 1970 to a time up to 9999, got {raw!r}"
            )
        return EPOCH + timedelta(microseconds=count * self.micros)

    @property
    def _last(self) -> int:
        """The count of the last time that Python has."""
        return _LAST_MICRO // self.micros


@frozen(eq=False, repr=False)
class ReversedSeconds(Value, _ReversedEpoch, granularity="second"):
    """9223372036854775807 less the seconds since 1970, as 19 digits: the newest first.

    With ``round`` a finer time is taken for the second that it lies in, instead of refused.
    """

    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)

    micros = 1_000_000


@frozen(eq=False, repr=False)
class ReversedMillis(Value, _ReversedEpoch, granularity="millisecond"):
    """9223372036854775807 less the milliseconds since 1970, as 19 digits: the newest first.

    With ``round`` a finer time is taken for the millisecond that it lies in, instead of refused.
    """

    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)

    micros = 1_000


@frozen(eq=False, repr=False)
class ReversedMicros(Value, _ReversedEpoch, granularity="microsecond"):
    """9223372036854775807 less the microseconds since 1970, as 19 digits: the newest first."""

    micros = 1


# How many of each unit there are in a second.
_UNITS = {"second": 1, "millisecond": 1_000, "microsecond": 1_000_000, "nanosecond": 1_000_000_000}


@frozen(eq=False, repr=False)
class TimeBytes(Value, KeyCodec[datetime]):
    """A count of ``unit`` since 1970-01-01 UTC as ``size`` bytes: ``TimeBytes("second", 4)``, ``TimeBytes("millisecond")``.

    ``unit`` is "second", "millisecond", "microsecond" or "nanosecond". Big-endian counts without a sign sort as the times do; with
    ``signed=True`` times before 1970 are taken, too, which sort behind the others. ``Descending`` has the newest first.
    With ``round`` a finer time is taken for the unit that it lies in, instead of refused.
    """

    unit: Literal["second", "millisecond", "microsecond", "nanosecond"]
    size: int = field(default=8, validator=at_least_one("byte"))
    byteorder: Literal["big", "little"] = field(default="big")
    signed: bool = field(default=False, kw_only=True, validator=a_bool)
    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)

    def __attrs_post_init__(self) -> None:
        if self.unit not in _UNITS or self.size > 8 or self.byteorder not in ("big", "little"):
            raise DeclarationError(
                f"{shown(self)}: expected the unit {', '.join(_UNITS)}, up to 8 bytes, and the byte order 'big' or 'little'"
            )

    @property
    def length(self) -> Length:
        """The size."""
        return Length(self.size, self.size)

    @property
    def order(self) -> Order:
        """Ascending where it is big-endian and has no sign."""
        return Order.NONE if self.signed or self.byteorder == "little" else Order.ASCENDING

    @property
    def granularity(self) -> str:
        """The unit."""
        return self.unit

    @property
    def meaning(self) -> str:
        """Unit, size and order of bytes, in words."""
        sign = ", signed" if self.signed else ""
        return f"{self.unit}s since 1970 in {counted(self.size, 'byte')}{sign}, {self.byteorder}-endian"

    def encode(self, value: datetime) -> bytes:
        """The count. A finer time than the unit is refused, unless it is to be rounded: that would change the value in silence."""
        count, rest = divmod(micros_since_epoch(value) * _UNITS[self.unit], 1_000_000)
        if rest and not self.round:
            raise ValueRefused(
                f"a time in whole {self.unit}s (round it yourself, or declare the codec with round=True)",
                value,
            )
        return self._bytes(count, value)

    def bound(self, value: datetime) -> bytes | None:
        """The count, rounded up, or as it is stored with ``round``; None behind the last one that fits."""
        count = _least_count(micros_since_epoch(value) * _UNITS[self.unit], 1_000_000, cut=self.round)
        if count >= 1 << 8 * self.size - self.signed:
            return None
        return self._bytes(count if self.signed else max(count, 0), value)

    def _bytes(self, count: int, value: datetime) -> bytes:
        try:
            return count.to_bytes(self.size, self.byteorder, signed=self.signed)
        except OverflowError:
            raise ValueRefused(
                f"a time whose {self.unit}s since 1970 fit {counted(self.size, 'byte')}", value
            ) from None

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        if len(raw) != self.size:
            raise ValueError(f"expected {counted(self.size, 'byte')}, got {raw!r}")
        count = int.from_bytes(raw, self.byteorder, signed=self.signed)
        micros, rest = divmod(count * 1_000_000, _UNITS[self.unit])
        try:
            time = EPOCH + timedelta(microseconds=micros)
        except OverflowError:
            raise ValueError(f"expected a time from the year 1 to 9999, got {raw!r}") from None
        if rest:
            raise ValueError(f"expected whole microseconds, which Python's times have, got {raw!r}")
        return time
