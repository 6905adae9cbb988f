"""Times in a row key, counted from 1970, forwards or reversed."""

from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal

from attrs import Factory, field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.aware_times import EPOCH, LENGTHS, micros_since_epoch, start_of_span
from btmodel.codecs.key.base import DIGITS, KeyCodec, Length, Order, a_bool, ascii_digits, at_least_one
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import counted, duration_text


def _counted(value: datetime, micros: int, unit: str | timedelta | None, *, cut: bool) -> int:
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
            raise ValueError(f"expected whole microseconds, which Python's times have, got {shown(raw)}")
        return EPOCH + timedelta(microseconds=micros)


GREATEST = 2**63 - 1
_DIGITS = 19
LAST = datetime.max.replace(tzinfo=UTC)
_LAST_MICRO = micros_since_epoch(LAST)


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
                f"expected {GREATEST} less the {self.granularity}s from 1970 to a time up to 9999, got {shown(raw)}"
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


_FINEST = timedelta(microseconds=1)


@frozen(eq=False, repr=False)
class EpochBucket(Value, KeyCodec[datetime]):
    """The span of ``every`` that a time lies in, counted from 1970-01-01 in UTC; the value is the time that it begins at.

    ``codec`` writes that time, ``EpochBucket(TimeBytes("millisecond"), timedelta(milliseconds=2**32))``, or, where it is one of
    whole numbers, the number of the span: ``EpochBucket(PaddedInt(4), timedelta(days=28))`` has ``0000`` from 1970-01-01 on, and
    ``0001`` from 1970-01-29 on. A time between two starts is refused; with ``round`` it is taken for the start of its span.
    """

    codec: KeyCodec[datetime] | KeyCodec[int]
    every: timedelta
    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=a_bool)
    holds_delimiter: bool = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: getattr(self.codec, "holds_delimiter", False), takes_self=True),
    )
    self_ending: bool = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: getattr(self.codec, "self_ending", False), takes_self=True),
    )

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.codec, KeyCodec) or self.codec.python_type not in (datetime, int):
            raise DeclarationError(
                f"EpochBucket: expected a codec of times or of whole numbers, such as EpochSeconds() or PaddedInt(4), got {shown(self.codec)}"
            )
        if not isinstance(self.every, timedelta) or self.every <= timedelta(0):
            raise DeclarationError(
                f"EpochBucket: expected a length such as timedelta(days=28), got {self.every!r}"
            )
        unit = self.codec.granularity
        length = unit if isinstance(unit, timedelta) else LENGTHS.get(unit or "", _FINEST)
        if unit in ("week", "month", "year") or self.every % length:
            raise DeclarationError(
                f"{shown(self)}: expected a codec that can write the start of every span of {duration_text(self.every)}, "
                f"got one of whole {unit}s"
            )

    @property
    def _numbers(self) -> bool:
        """Whether ``codec`` writes the number of the span, and not its start."""
        return self.codec.python_type is int

    @property
    def length(self) -> Length:
        """That of ``codec``."""
        return self.codec.length

    @property
    def alphabet(self) -> frozenset[int]:
        """That of ``codec``."""
        return self.codec.alphabet

    @property
    def order(self) -> Order:
        """That of ``codec``: the later the span, the greater its number."""
        return self.codec.order

    @property
    def granularity(self) -> timedelta:
        """The length of a span."""
        return self.every

    @property
    def separators(self) -> tuple[bytes, ...]:
        """Those of ``codec``."""
        return self.codec.separators

    def end(self, raw: bytes, at: int) -> int:
        """That of ``codec``."""
        return self.codec.end(raw, at)

    @property
    def meaning(self) -> str:
        """What is written, how, and how long a span is."""
        what = "number" if self._numbers else "start"
        return f"{meaning_of(self.codec)} (the {what} of a span of {duration_text(self.every)} since 1970)"

    def encode(self, value: datetime) -> bytes:
        """The start or the number of the span. Any time between two starts is refused, as it would come back as another one."""
        start = start_of_span(value, self.every)
        if not self.round and start != value:
            raise ValueRefused(
                f"a time that begins a span of {duration_text(self.every)} (this one's begins at {start}; declare the codec "
                "with round=True to take that)",
                value,
            )
        return self.codec.encode(self._inner(start))

    def bound(self, value: datetime) -> bytes | None:
        """The bytes of the first span that does not begin before ``value``, or with ``round`` of the one that it lies in."""
        start = start_of_span(value, self.every)
        if start != value and not self.round:
            if start > LAST - self.every:
                return None
            start += self.every
        return self.codec.bound(self._inner(start))

    def _inner(self, start: datetime) -> Any:
        """What ``codec`` writes of the span that begins at ``start``."""
        return (start - EPOCH) // self.every if self._numbers else start

    def decode(self, raw: bytes) -> datetime:
        """The start of the span, in UTC. Bytes of a time between two starts are refused."""
        inner: Any = self.codec.decode(raw)
        try:
            start: datetime = EPOCH + inner * self.every if self._numbers else inner
        except OverflowError:
            raise ValueError(f"expected a span from the year 1 to 9999, got {shown(raw)}") from None
        if not self._numbers and (start - EPOCH) % self.every:
            raise ValueError(
                f"expected the start of a span of {duration_text(self.every)} since 1970, got {shown(raw)}: {start}"
            )
        return start


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
            raise ValueError(f"expected {counted(self.size, 'byte')}, got {shown(raw)}")
        count = int.from_bytes(raw, self.byteorder, signed=self.signed)
        micros, rest = divmod(count * 1_000_000, _UNITS[self.unit])
        try:
            time = EPOCH + timedelta(microseconds=micros)
        except OverflowError:
            raise ValueError(f"expected a time from the year 1 to 9999, got {shown(raw)}") from None
        if rest:
            raise ValueError(f"expected whole microseconds, which Python's times have, got {shown(raw)}")
        return time
