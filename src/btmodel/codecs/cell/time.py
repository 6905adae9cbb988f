"""Times and dates in cells."""

from datetime import UTC, date, datetime
from typing import Literal

from attrs import field, frozen

from btmodel.codecs.aware_times import from_micros, in_utc, micros_since_epoch
from btmodel.codecs.byte_set import DIGIT, choice, literal, many, one_of, sequence
from btmodel.codecs.cell.base import SORTED, CellCodec, SortedRun
from btmodel.codecs.cell.number import Int64
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted

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
            raise ValueError("expected a time from the year 1 to 9999") from None


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
            raise ValueError(f"expected YYYY-MM-DD, got {shown(raw)}")
        text = raw.decode("ascii")
        value = date.fromisoformat(text)
        if value.isoformat() != text:  # a week date has ten characters too
            raise ValueError(f"expected YYYY-MM-DD, got {shown(raw)}")
        return value


_ISO_TIME = pattern(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)")
_SIGN = one_of(b"+-")


@frozen(eq=False, repr=False)
class IsoTime(
    Value,
    CellCodec[datetime],
    typical_size=24,
    max_size=35,
    reads=sequence(
        many(one_of("09", b"-:T."), 19, 29),
        choice(literal(b"Z"), sequence(_SIGN, *[DIGIT] * 2, literal(b":"), *[DIGIT] * 2)),
    ),
):
    """An aware time as ISO text in UTC: ``2013-01-31T12:00:00Z``, ``2013-01-31T12:00:00.5Z``.

    The fraction of the second has ``digits`` digits, 0, 3, 6 or 9, or as many as it takes, none where it is 0. Any fraction and any offset
    from UTC is read. Nanoseconds are written as 0, and refused where they are not. A time that is finer than the digits is refused;
    with ``round`` it is taken for the time to which they reach.
    """

    digits: Literal[0, 3, 6, 9] | None = None
    round: bool = field(default=False, eq=False, repr=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.digits not in (None, 0, 3, 6, 9):
            raise DeclarationError(f"IsoTime: expected 0, 3, 6 or 9 digits, or None, got {self.digits!r}")
        if type(self.round) is not bool:
            raise DeclarationError(f"IsoTime: expected round=True or round=False, got {self.round!r}")

    @property
    def meaning(self) -> str:
        """The fraction, in words."""
        many = "as many digits as it takes" if self.digits is None else counted(self.digits, "digit")
        return f"ISO time in UTC as text, {many} of a second"

    def encode(self, value: datetime) -> bytes:
        """The text. A time that is finer than the digits is refused, unless it is to be rounded."""
        time = in_utc(value)
        fraction = f"{time.microsecond:06}000"
        digits = fraction.rstrip("0") if self.digits is None else fraction[: self.digits]
        if self.digits is not None and fraction[self.digits :].strip("0") and not self.round:
            raise ValueRefused(
                f"a time with {counted(self.digits, 'digit')} of a second (round it yourself, or declare the codec with "
                "round=True)",
                value,
            )
        return f"{time.year:04}-{time:%m-%dT%H:%M:%S}{'.' * bool(digits)}{digits}Z".encode()

    def decode(self, raw: bytes) -> datetime:
        """The time, in UTC."""
        found = _ISO_TIME.fullmatch(raw)
        if not found:
            raise ValueError(f"expected an ISO time with its offset from UTC, got {shown(raw)}")
        whole, fraction, zone = found.groups()
        digits = (fraction or b"").ljust(9, b"0").decode()
        if digits[6:] != "000":
            raise ValueError(f"expected whole microseconds, which Python's times have, got {shown(raw)}")
        try:
            return datetime.fromisoformat(f"{whole.decode()}.{digits[:6]}{zone.decode()}").astimezone(UTC)
        except OverflowError:
            raise ValueError(f"expected a time from the year 1 to 9999, in UTC, got {shown(raw)}") from None
