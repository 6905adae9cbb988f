"""A table of key codecs of every kind, with the values that each takes."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from btmodel.codecs.key import (
    Base58,
    Base64,
    BigEndian,
    Boolean,
    Bytes,
    Constant,
    DateText,
    Descending,
    EnumText,
    EpochBucket,
    EpochMicros,
    EpochMillis,
    EpochNanos,
    EpochSeconds,
    EscapedBytes,
    EscapedText,
    Hex,
    HexDigest,
    HexInt,
    Int,
    IsoTimeText,
    IsoWeek,
    Joined,
    KeyCodec,
    LengthPrefixed,
    LittleEndian,
    MappedKey,
    OrderedCode,
    OrderedInt,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedDomain,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeBytes,
    TimeText,
    UuidRaw,
    UuidText,
    VarInt,
    Week,
)
from btmodel.codecs.key.calendar import LAST_MONDAY

NEW_YORK = ZoneInfo("America/New_York")
ZONES = st.sampled_from([UTC, NEW_YORK, ZoneInfo("Asia/Kathmandu"), ZoneInfo("Australia/Lord_Howe")])
START = datetime(1970, 1, 1, tzinfo=UTC)
TWICE = [datetime(2013, 11, 3, 1, 30, tzinfo=NEW_YORK, fold=fold) for fold in (0, 1)]
CHARACTERS = st.sampled_from(list(' !"#$09:Aaz|~\u00a0éß€\uffff\U0001f600\U0010ffff'))


def texts(least: int, most: int, *, padded: bool = False) -> SearchStrategy[str]:
    """Text of so many bytes."""
    any_text = st.text(CHARACTERS, max_size=most)
    return any_text.filter(lambda t: least <= len(t.encode()) <= most and not (padded and t.endswith(" ")))


def times(first: datetime, last: datetime, unit: timedelta) -> SearchStrategy[datetime]:
    """Times in whole units, in several zones, the first and the last among them."""
    steps = (last - first) // unit
    counts = st.integers(0, steps) | st.sampled_from([0, 1, steps])
    spread = st.builds(lambda count, zone: (first + count * unit).astimezone(zone), counts, ZONES)
    return spread if unit > timedelta(minutes=30) else spread | st.sampled_from(TWICE)


def starts(every: timedelta, count: int) -> SearchStrategy[datetime]:
    """Times at which the first so many spans of a length begin."""
    first = datetime(1970, 1, 1, tzinfo=UTC)
    return times(first, first + (count - 1) * every, every)


def epochs(unit: timedelta) -> SearchStrategy[datetime]:
    """Times from 1970 to the last that ten digits of seconds can tell."""
    end = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=10**10)
    return times(datetime(1970, 1, 1, tzinfo=UTC), end - unit, unit)


@frozen
class Case:
    """A codec, the values that it takes, and, where it is not ordered, two values that show it.

    Such two are wrongly sorted by their bytes, or do not compare at all.
    """

    codec: KeyCodec[Any]
    values: SearchStrategy[Any]
    unordered: tuple[Any, Any] | None = None


class Side(StrEnum):
    """Members that compare as their values do."""

    SELL = "S"
    BUY = "B"
    BOTH = "BS"


class Colour(Enum):
    """Members that do not compare."""

    RED = "rouge"
    BLACK = "noir"
    CREAM = "cr\u00e8me"


class Rank(str, Enum):  # noqa: UP042 - a StrEnum cannot have another text than its value
    """Members that compare as other text than their values."""

    def __new__(cls, text: str, value: str) -> "Rank":
        rank = str.__new__(cls, text)
        rank._value_ = value
        return rank

    LOW = "1", "z"
    HIGH = "2", "a"


def whole(least: int, most: int) -> SearchStrategy[int]:
    """Whole numbers, the ends and their neighbours, 0 and such as need one byte more among them."""
    some = {least, least + 1, most - 1, most, 0, -1, 63, 64, -64, -65, 127, 128, 255, 256, 8191, 8192}
    return st.integers(least, most) | st.sampled_from(sorted(n for n in some if least <= n <= most))


def some_bytes(least: int, most: int) -> SearchStrategy[bytes]:
    """Bytes of such lengths, with many NULs, ones and bytes of 255."""
    edges = st.lists(st.sampled_from([0, 1, 0x2F, 0x61, 0xFE, 0xFF]), min_size=least, max_size=most)
    return st.binary(min_size=least, max_size=most) | edges.map(bytes)


def nul_texts(most: int) -> SearchStrategy[str]:
    """Text of up to so many bytes, in which anything may stand."""
    letters = st.sampled_from(["\0", "\x01", "\n", "/", "a", "\x7f", "\u0080", "\u00ff", "\U0010ffff"])
    return st.text(letters, max_size=most).filter(lambda text: len(text.encode()) <= most)


def reversed_epochs(unit: timedelta) -> SearchStrategy[datetime]:
    """Times from 1970 to the last one that there is."""
    zero = datetime(1970, 1, 1, tzinfo=UTC)
    last = datetime(9999, 12, 30, tzinfo=UTC)
    end = zero + (datetime.max.replace(tzinfo=UTC) - zero) // unit * unit
    return times(zero, last, unit) | st.just(end)


def domains(most: int) -> SearchStrategy[str]:
    """Domains of up to so many bytes."""
    labels = st.text("abz-\u00e9\U0001f600", min_size=1, max_size=3)
    return st.lists(labels, min_size=1, max_size=4).map(".".join).filter(lambda d: len(d.encode()) <= most)


def tuples(values: SearchStrategy[Any], least: int, most: int) -> SearchStrategy[tuple[Any, ...]]:
    """Tuples of such sizes."""
    return st.lists(values, min_size=least, max_size=most).map(tuple)


def hex_texts(digits: int) -> SearchStrategy[str]:
    """Text of so many hexadecimal digits."""
    return st.text("0189abef", min_size=digits, max_size=digits)


def shifted(bits: int) -> int:
    """The greatest number of so many bits: ordered code grows by a byte every seven."""
    return (1 << bits) - 1


UUIDS = st.uuids() | st.sampled_from([UUID(int=0), UUID(int=2**128 - 1)])
PARTS = st.text("ab0 \u00e9~", max_size=2).filter(lambda text: len(text.encode()) <= 3)


SECOND, MILLI, MICRO = timedelta(seconds=1), timedelta(milliseconds=1), timedelta(microseconds=1)
FIRST, LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
MONDAYS = st.integers(0, (LAST_MONDAY - date.min).days // 7).map(lambda n: date.min + timedelta(weeks=n))
SOME_MONDAY = date(2021, 3, 1)


def weeks_from(origin: date, most: int) -> SearchStrategy[date]:
    """Mondays from ``origin`` on."""
    return st.integers(0, most - 1).map(lambda n: origin + timedelta(weeks=n))


def euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def cents(euros: Decimal) -> int:
    return int(euros.scaleb(2))


def spoken(text: str) -> "Sku":
    return Sku(*text.split("-"))


class Sku(NamedTuple):
    """A value of the user's own class."""

    make: str
    model: str

    def __str__(self) -> str:
        return "-".join(self)


CASES = {
    "constant": Case(Constant("LoL"), st.just("LoL")),
    "padded text": Case(Text(width=5), texts(1, 5, padded=True)),
    "padded text, empty too": Case(Text(width=3, min_length=0), texts(0, 3, padded=True)),
    "bounded text": Case(Text(max_length=6), texts(1, 6)),
    "bounded text, empty too": Case(Text(max_length=4, min_length=0), texts(0, 4)),
    "text that holds the delimiter": Case(Text(max_length=6, holds_delimiter=True), texts(1, 6)),
    "text in ASCII": Case(
        Text(width=4, encoding="ascii"),
        st.text("a !~", min_size=1, max_size=3).map("x".__add__).map(str.rstrip),
    ),
    "text in Latin-1": Case(
        Text(max_length=4, encoding="latin-1"), st.text("aÿ \u00a0é", min_size=1, max_size=4)
    ),
    "text in UTF-16": Case(
        Text(max_length=8, encoding="utf-16-be"),
        st.text("a\uffff\U0001f600", min_size=1, max_size=2),
        ("\uffff", "\U0001f600"),
    ),
    "text in little-endian UTF-16": Case(
        Text(max_length=8, encoding="utf-16-le"), st.text("aĀ", min_size=1, max_size=2), ("a", "Ā")
    ),
    "text with control characters": Case(
        Text(max_length=4, controls=True), st.text("\0\n\x7f a", min_size=1, max_size=4)
    ),
    "padded text with control characters": Case(
        Text(width=3, controls=True), st.text("\0\na", min_size=1, max_size=3), ("a", "a\0")
    ),
    "a constant of bytes": Case(Constant(b"\x01\xff"), st.just(b"\x01\xff")),
    "seconds in 4 bytes": Case(
        TimeBytes("second", 4),
        times(datetime(1970, 1, 1, tzinfo=UTC), datetime(2106, 2, 7, 6, 28, 15, tzinfo=UTC), SECOND),
    ),
    "milliseconds in 8 bytes, newest first": Case(
        Descending(TimeBytes("millisecond")), reversed_epochs(MILLI)
    ),
    "microseconds with a sign": Case(
        TimeBytes("microsecond", signed=True),
        times(FIRST, LAST, MICRO),
        (datetime(1969, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)),
    ),
    "nanoseconds, little-endian": Case(
        TimeBytes("nanosecond", 8, "little"),
        times(datetime(1970, 1, 1, tzinfo=UTC), datetime(2500, 1, 1, tzinfo=UTC), MICRO),
        (datetime(1970, 1, 1, 0, 0, 0, 1, tzinfo=UTC), datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)),
    ),
    "spans of 28 days, by number": Case(
        EpochBucket(PaddedInt(4), timedelta(days=28)), starts(timedelta(days=28), 2000)
    ),
    "spans of 2**32 milliseconds, by their starts": Case(
        EpochBucket(TimeBytes("millisecond"), timedelta(milliseconds=2**32)),
        starts(timedelta(milliseconds=2**32), 5000),
    ),
    "spans of 36 hours, the newest first": Case(
        Descending(EpochBucket(BigEndian(2), timedelta(hours=36))), starts(timedelta(hours=36), 2**16)
    ),
    "spans by numbers with a sign": Case(
        EpochBucket(OrderedInt(), timedelta(days=7)),
        st.integers(-3000, 3000).map(lambda n: datetime(1970, 1, 1, tzinfo=UTC) + n * timedelta(days=7)),
    ),
    "ISO times with the fraction that they have": Case(
        IsoTimeText(), times(FIRST, LAST, MICRO), (START, START + timedelta(microseconds=500_000))
    ),
    "ISO times with a fraction in groups of three": Case(
        IsoTimeText(3), times(FIRST, LAST, MICRO), (START, START + timedelta(microseconds=500_000))
    ),
    "nanoseconds as text": Case(TimeText("%Y-%m-%dT%H:%M:%S.%9fZ"), times(FIRST, LAST, MICRO)),
    "one digit": Case(Int(1), st.integers(0, 9)),
    "digits": Case(Int(max_digits=4), st.integers(0, 9999), (9, 10)),
    "padded digits": Case(PaddedInt(10), st.integers(0, 10**10 - 1) | st.sampled_from([0, 10**10 - 1])),
    "seconds": Case(EpochSeconds(), epochs(SECOND)),
    "milliseconds": Case(EpochMillis(), epochs(MILLI)),
    "microseconds": Case(EpochMicros(), epochs(MICRO)),
    "nanoseconds": Case(EpochNanos(), epochs(MICRO)),
    "dates": Case(DateText(), st.dates() | st.sampled_from([date.min, date.max])),
    "dates in words": Case(DateText("on %Y-%m-%d!"), st.dates()),
    "months": Case(DateText("%Y%m"), st.dates().map(lambda day: day.replace(day=1))),
    "day first": Case(DateText("%d%m%Y"), st.dates(), (date(2020, 2, 1), date(2020, 1, 2))),
    "minutes": Case(TimeText("%Y%m%d%H%M"), times(FIRST, LAST, timedelta(minutes=1))),
    "seconds as text": Case(TimeText("%Y-%m-%dT%H:%M:%SZ"), times(FIRST, LAST, SECOND)),
    "hours": Case(TimeText("%Y%m%d%H"), times(FIRST, LAST, timedelta(hours=1))),
    "minute first": Case(
        TimeText("%M%H%d%m%Y"),
        times(FIRST, LAST, timedelta(minutes=1)),
        (datetime(2020, 1, 1, 0, 59, tzinfo=UTC), datetime(2020, 1, 1, 1, 0, tzinfo=UTC)),
    ),
    "milliseconds as text": Case(TimeText("%Y%m%d%H%M%S%3f"), times(FIRST, LAST, MILLI)),
    "microseconds as text": Case(TimeText("%Y-%m-%dT%H:%M:%S.%fZ"), times(FIRST, LAST, MICRO)),
    "milliseconds first": Case(
        TimeText("%3f%Y%m%d%H%M%S"),
        times(FIRST, LAST, MILLI),
        (datetime(2020, 1, 1, 0, 0, 0, 1000, tzinfo=UTC), datetime(2020, 1, 1, 0, 0, 1, tzinfo=UTC)),
    ),
    "weeks of the calendar": Case(IsoWeek(), MONDAYS | st.sampled_from([date.min, LAST_MONDAY])),
    "weeks of the calendar, week first": Case(
        IsoWeek("%V/%G"), MONDAYS, (date(2020, 12, 28), date(2021, 1, 4))
    ),
    "weeks": Case(
        Week("week{n}", origin=SOME_MONDAY),
        weeks_from(SOME_MONDAY, 2000),
        (date(2021, 4, 26), date(2021, 5, 3)),
    ),
    "padded weeks": Case(Week("w{n:04}.", origin=SOME_MONDAY), weeks_from(SOME_MONDAY, 9999)),
    "weeks from 0": Case(Week("{n:02}", origin=date.min, first=0), weeks_from(date.min, 100)),
    "weeks of as many digits": Case(
        Week("{n}", origin=date(9999, 11, 1), first=10), weeks_from(date(9999, 11, 1), 9)
    ),
    "base 64 of 1": Case(Base64(1), some_bytes(1, 1), (b"\x00", b"\xf8")),
    "base 64 of 2": Case(Base64(2), some_bytes(2, 2), (b"\x00\x00", b"\xf8\x00")),
    "base 64 of 6": Case(Base64(6), some_bytes(6, 6), (b"\x00" * 6, b"\xf8" * 6)),
    "standard base 64 of 2, padded": Case(
        Base64(2, urlsafe=False, padded=True), some_bytes(2, 2), (b"\x00\x00", b"\xf8\x00")
    ),
    "URL-safe base 64 of 3, padded": Case(
        Base64(3, padded=True), some_bytes(3, 3), (b"\x00" * 3, b"\xf8" * 3)
    ),
    "base 58 of 1": Case(Base58(1), some_bytes(1, 1), (b"\x06", b"\x3a")),
    "base 58 of 20": Case(Base58(20), some_bytes(20, 20), (b"\0" * 19 + b"\x06", b"\0" * 19 + b"\x3a")),
    "bytes of a width": Case(Bytes(width=3), some_bytes(3, 3)),
    "bounded bytes": Case(Bytes(max_length=4), some_bytes(1, 4)),
    "bounded bytes, empty too": Case(
        Bytes(max_length=3, min_length=0, holds_delimiter=True), some_bytes(0, 3)
    ),
    "members that compare as text": Case(EnumText(Side), st.sampled_from(Side)),
    "members that do not compare": Case(
        EnumText(Colour), st.sampled_from(Colour), (Colour.RED, Colour.BLACK)
    ),
    "members that compare otherwise": Case(EnumText(Rank), st.sampled_from(Rank), (Rank.LOW, Rank.HIGH)),
    "booleans": Case(Boolean(), st.booleans()),
    "padded digits, descending": Case(Descending(PaddedInt(10)), whole(0, 10**10 - 1)),
    "hexadecimal, descending": Case(Descending(HexInt(16)), whole(0, 2**64 - 1)),
    "8 bytes, descending": Case(Descending(BigEndian(8)), whole(0, 2**64 - 1)),
    "padded text, descending": Case(Descending(Text(width=3, min_length=0)), texts(0, 3, padded=True)),
    "dates, descending": Case(Descending(DateText("%Y-%m-%d")), st.dates()),
    "booleans, descending": Case(Descending(Boolean()), st.booleans()),
    "UUIDs, descending": Case(Descending(UuidText(dashes=False)), UUIDS),
    "a pair of numbers, descending": Case(
        Descending(Repeated(PaddedInt(2), least=2, most=2)), tuples(whole(0, 99), 2, 2)
    ),
    "domains": Case(ReversedDomain(16), domains(16), ("a.z", "b.a")),
    "escaped text": Case(EscapedText(6), nul_texts(6)),
    "escaped text, not empty": Case(EscapedText(3, min_length=1), nul_texts(3).filter(bool)),
    "escaped bytes": Case(EscapedBytes(5), some_bytes(0, 5)),
    "hexadecimal bytes": Case(Hex(3), some_bytes(3, 3)),
    "a digest": Case(HexDigest(7), hex_texts(7)),
    "hexadecimal numbers": Case(HexInt(3), whole(0, 16**3 - 1)),
    "hexadecimal numbers, not padded": Case(HexInt(3, padded=False), whole(0, 16**3 - 1), (15, 16)),
    "one hexadecimal digit": Case(HexInt(1, padded=False), whole(0, 15)),
    "what is left to the greatest number": Case(
        Descending(PaddedInt(19), greatest=2**63 - 1), whole(0, 2**63 - 1)
    ),
    "what is left to a time": Case(
        Descending(EpochMillis(), greatest=2**43), epochs(MILLI).filter(lambda time: time.year < 2248)
    ),
    "what is left to a number of bytes": Case(
        Descending(BigEndian(8), greatest=2**63 - 1), whole(0, 2**63 - 1)
    ),
    "what is left of hexadecimal digits": Case(Descending(HexInt(4), greatest=0x7FFF), whole(0, 0x7FFF)),
    "varints": Case(VarInt(), whole(0, 2**64 - 1) | st.builds(shifted, st.integers(0, 64)), (255, 256)),
    "zigzag varints": Case(VarInt(zigzag=True), whole(-(2**63), 2**63 - 1), (-1, 0)),
    "numbers without a separator": Case(
        Repeated(PaddedInt(2), b"", least=0, most=3), tuples(whole(0, 99), 0, 3)
    ),
    "self-ending texts without a separator": Case(
        Repeated(EscapedText(3), b"", least=0, most=3), tuples(nul_texts(3), 0, 3)
    ),
    "a path that may be empty": Case(
        Repeated(Text(max_length=3), least=0, most=3),
        tuples(texts(1, 3).filter(lambda text: "/" not in text), 0, 3),
        (("a", "b"), ("a!",)),
    ),
    "a date and a name": Case(
        Joined((DateText(), Text(max_length=3)), ":"),
        st.tuples(st.dates(), texts(1, 3)),
    ),
    "a named pair of texts": Case(
        Joined((Text(max_length=3), Text(max_length=3)), "-", Sku),
        st.builds(Sku, texts(1, 3).filter(lambda text: "-" not in text), texts(1, 3)),
        (Sku("a", "b"), Sku("a!", "b")),
    ),
    "self-ending items without a separator": Case(
        Joined((OrderedInt(), EscapedText(2), PaddedInt(2)), b""),
        st.tuples(whole(-(2**63), 2**63 - 1), nul_texts(2), whole(0, 99)),
    ),
    "ordered code of text": Case(
        OrderedCode(Text(max_length=3, controls=True)),
        st.text("\0\x01\xfea", min_size=1, max_size=3).filter(lambda text: len(text.encode()) <= 3),
    ),
    "ordered code of numbers": Case(OrderedCode(OrderedInt()), whole(-(2**63), 2**63 - 1)),
    "ordered code of bytes": Case(OrderedCode(BigEndian(2)), whole(0, 2**16 - 1)),
    "text behind its length": Case(
        LengthPrefixed(Text(max_length=5, min_length=0)), texts(0, 5), ("b", "aa")
    ),
    "bytes behind 2 bytes of length": Case(
        LengthPrefixed(Bytes(max_length=300), 2), some_bytes(1, 4) | some_bytes(254, 300), (b"b", b"aa")
    ),
    "digits behind their length": Case(LengthPrefixed(Int(20), 4), whole(0, 10**20 - 1)),
    "ordered code behind its length": Case(
        LengthPrefixed(OrderedInt()), whole(-(2**63), 2**63 - 1), (-65, 0)
    ),
    "1 byte": Case(BigEndian(1), whole(0, 255)),
    "8 bytes": Case(BigEndian(), whole(0, 2**64 - 1)),
    "signed bytes": Case(BigEndian(3, signed=True), whole(-(2**23), 2**23 - 1), (-1, 0)),
    "1 byte of a little-endian": Case(LittleEndian(1), whole(0, 255)),
    "1 signed byte of a little-endian": Case(LittleEndian(1, signed=True), whole(-128, 127), (-1, 0)),
    "little-endian": Case(LittleEndian(), whole(0, 2**64 - 1), (1, 256)),
    "signed little-endian": Case(LittleEndian(2, signed=True), whole(-(2**15), 2**15 - 1), (1, 256)),
    "ordered code": Case(OrderedInt(), whole(-(2**63), 2**63 - 1) | st.builds(shifted, st.integers(0, 63))),
    "a path": Case(
        Repeated(Text(max_length=3), most=3),
        tuples(texts(1, 3).filter(lambda text: "/" not in text), 1, 3),
        (("a", "b"), ("a!",)),
    ),
    "a path of sorted parts": Case(
        Repeated(Text(max_length=3, min_length=0), b"\x1f", least=2, most=4), tuples(PARTS, 2, 4)
    ),
    "a path of fixed parts": Case(Repeated(PaddedInt(2), "5", most=3), tuples(whole(0, 99), 1, 3)),
    "as many fixed parts": Case(
        Repeated(Bytes(width=2), b"\xff", least=2, most=2), tuples(some_bytes(2, 2), 2, 2)
    ),
    "a path of self-ending parts": Case(Repeated(EscapedText(3), "\0", most=3), tuples(nul_texts(3), 1, 3)),
    "a path of numbers": Case(Repeated(OrderedInt(), "::", most=3), tuples(whole(-(2**63), 2**63 - 1), 1, 3)),
    "a path with a separator that overlaps itself": Case(
        Repeated(Text(max_length=4), "aba", most=3),
        tuples(
            st.text("abc", min_size=1, max_size=4).filter(lambda t: (t + "aba").find("aba") == len(t)), 1, 3
        ),
        (("a", "c"), ("aaa",)),
    ),
    "paths of paths": Case(
        Repeated(Repeated(Text(max_length=2), ",", most=2), "; ", most=2),
        tuples(tuples(st.text("ab", min_size=1, max_size=2), 1, 2), 1, 2),
        ((("a",), ("a",)), (("a", "a"),)),
    ),
    "reversed digits": Case(ReversedDigits(4), whole(0, 9999), (9, 10)),
    "reversed digits, not padded": Case(ReversedDigits(4, padded=False), whole(0, 9999), (9, 10)),
    "one reversed digit": Case(ReversedDigits(1), whole(0, 9)),
    "reversed seconds": Case(ReversedSeconds(), reversed_epochs(SECOND)),
    "reversed milliseconds": Case(ReversedMillis(), reversed_epochs(MILLI)),
    "reversed microseconds": Case(ReversedMicros(), reversed_epochs(MICRO)),
    "amounts, mapped to padded digits": Case(
        MappedKey(PaddedInt(6), cents, euros, Decimal, True), whole(0, 10**6 - 1).map(euros)
    ),
    "amounts, mapped and descending": Case(
        Descending(MappedKey(PaddedInt(6), cents, euros, Decimal, True)), whole(0, 10**6 - 1).map(euros)
    ),
    "objects, mapped to text": Case(
        MappedKey(Text(max_length=7), str, spoken, Sku),
        st.builds(Sku, st.text("ab", min_size=1, max_size=3), st.text("ab", min_size=1, max_size=3)),
        (Sku("a", "b"), Sku("a!", "a")),
    ),
    "objects, mapped to self-ending text": Case(
        LengthPrefixed(MappedKey(EscapedText(7), str, spoken, Sku)),
        st.builds(Sku, st.text("ab", min_size=1, max_size=3), st.text("ab", min_size=1, max_size=3)),
        (Sku("aaa", "a"), Sku("b", "a")),
    ),
    "UUIDs": Case(UuidText(), UUIDS),
    "UUIDs without dashes": Case(UuidText(dashes=False), UUIDS),
    "UUIDs as bytes": Case(UuidRaw(), UUIDS),
}


def plain(value: Any) -> Any:
    """A time in UTC: times in two zones are never equal where one of them occurs twice."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value
