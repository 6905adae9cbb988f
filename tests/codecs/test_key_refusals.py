"""What key codecs refuse: values that do not fit, and declarations that mean nothing."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

import pytest
from key_cases import CASES, Side

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
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    EscapedBytes,
    EscapedText,
    Hex,
    HexDigest,
    HexInt,
    Int,
    IsoWeek,
    KeyCodec,
    LengthPrefixed,
    LittleEndian,
    OrderedInt,
    PaddedInt,
    Repeated,
    ReversedDigits,
    ReversedDomain,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    Text,
    TimeText,
    UuidRaw,
    UuidText,
    Week,
)
from btmodel.errors import ValueRefused, shown

EAST = timezone(timedelta(hours=14))
WEST = timezone(timedelta(hours=-12))
NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)


class Other(StrEnum):
    """A member of the same value."""

    BUY = "B"


PATH = Repeated(Text(max_length=2), most=2)
LATE = datetime(9999, 12, 31, 23, tzinfo=WEST)

REFUSED: list[tuple[KeyCodec[Any], list[Any]]] = [
    (Constant("LoL"), ["lol", "", b"LoL", None, 0]),
    (
        Text(width=3),
        ["", "abcd", "éé", "a ", " ", "a\n", "\0", "\x1f", "\x7f", "\ud800", "a\ud800", b"abc", None, 1],
    ),
    (Text(max_length=3), ["", "abcd", "éé", "\t", "\x7f", "\udfff", 3, ["a"]]),
    (Text(max_length=4, min_length=2), ["a", "abcde"]),
    (PaddedInt(3), [-1, 1000, True, False, 1.0, float("nan"), Decimal(1), "1", None]),
    (Int(3), [-1, 1000, True, 0.0, float("inf"), "12", None]),
    (DateText(), [NOON, NOON.replace(tzinfo=None), "20200101", 20200101, None]),
    (DateText("%Y%m"), [date(2020, 1, 2), date(2020, 12, 31)]),
    (IsoWeek(), [date(2020, 12, 29), date(2021, 1, 3), date.max, NOON, "2020-W53", None]),
    (Week("{n:02}", origin=date(2021, 3, 1)), [date(2021, 2, 22), date(2023, 1, 23), date(2021, 3, 2), 1]),
    (TimeText("%Y%m%d%H%M%S%3f"), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1)]),
    (TimeText("%Y%m%d%H%M%S%f"), [NOON.replace(tzinfo=None), date(2020, 1, 1)]),
    (
        TimeText("%Y%m%d%H%M"),
        [NOON.replace(tzinfo=None), NOON.replace(second=1), NOON.replace(microsecond=1)],
    ),
    (TimeText("%Y%m%d%H%M"), [date(2020, 1, 1), "202001011200", 0, None]),
    (TimeText("%Y"), [datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=WEST)]),
    (TimeText("%Y%m%d%H"), [datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=WEST)]),
    *(
        (
            codec,
            [datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(2286, 11, 20, 17, 46, 40, tzinfo=UTC)],
        )
        for codec in (EpochSeconds(), EpochMillis(), EpochMicros())
    ),
    (EpochSeconds(), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1), 1.0, None, date(2020, 1, 1)]),
    (EpochMillis(), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1), 1426535612156, "1", True]),
    *((codec(2), [b"a", b"abc", b"", "ab", bytearray(b"ab"), None, 1]) for codec in (Base58, Base64, Hex)),
    (Bytes(width=2), [b"", b"a", b"abc", "ab", bytearray(b"ab"), None]),
    (Bytes(max_length=2), [b"", b"abc", "a", [1]]),
    (Bytes(max_length=3, min_length=2), [b"a", b"abcd"]),
    (EnumText(Side), ["B", Other.BUY, "BUY", None, 0]),
    (Boolean(), [0, 1, "1", b"1", None]),
    (Descending(PaddedInt(2)), [-1, 100, True, "1", None]),
    (Descending(EpochSeconds()), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1), None]),
    (ReversedDomain(5), ["", ".", "a.", ".a", "a..b", "abcdef", "a\n", "\ud800", b"a.b", None]),
    (EscapedText(3), ["abcd", "éé", "\0" * 4, "\ud800", b"a", None, 1]),
    (EscapedText(3, min_length=1), [""]),
    (EscapedBytes(3), [b"abcd", "a", bytearray(b"a"), None]),
    (EscapedBytes(3, min_length=2), [b"", b"a"]),
    (HexDigest(4), ["", "0a1", "0a1b2", "0A1B", "0a1g", " 0a1", "\u0660" * 4, b"0a1b", 0x0A1B, None]),
    (HexInt(2), [-1, 256, True, 1.0, "ff", None]),
    (LengthPrefixed(Text(max_length=3)), ["", "abcd", "\n", b"a", None]),
    (LengthPrefixed(Int(2)), [-1, 100, True, "1"]),
    (BigEndian(1), [-1, 256, False, 1.0, b"1", None]),
    (BigEndian(2, signed=True), [-(2**15) - 1, 2**15, Decimal(1)]),
    (LittleEndian(1), [-1, 256, True, None]),
    (LittleEndian(8, signed=True), [-(2**63) - 1, 2**63, "1"]),
    (OrderedInt(), [-(2**63) - 1, 2**63, True, 1.0, None]),
    (
        PATH,
        [(), ("a", "b", "c"), ("",), ("abc",), ("a/",), ("a", "/"), ["a"], "ab", None, ("a", 1), ("a", None)],
    ),
    (Repeated(Text(max_length=3), "aba", most=2), [("ab",), ("aba",), ("a", "xab")]),
    (Repeated(PATH, "//", most=2), [(("a", "/"),), ("a",), ((),)]),
    (ReversedDigits(2), [-1, 100, True, "1", None]),
    *(
        (codec, [datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), LATE, NOON.replace(tzinfo=None), 1, None])
        for codec in (ReversedSeconds(), ReversedMillis(), ReversedMicros())
    ),
    (ReversedSeconds(), [NOON.replace(microsecond=1000), date(2020, 1, 1)]),
    (ReversedMillis(), [NOON.replace(microsecond=1), 1425330757685]),
    *((codec, [str(UUID(int=1)), b"\0" * 16, 1, None]) for codec in (UuidText(), UuidRaw())),
]


@pytest.mark.parametrize(
    ("codec", "value"),
    [
        pytest.param(codec, value, id=f"{type(codec).__name__}-{value!a}")
        for codec, values in REFUSED
        for value in values
    ],
)
def test_a_value_that_does_not_fit_is_refused(codec: KeyCodec[Any], value: Any) -> None:
    """A key codec refuses what it cannot bring back, and says what it expected and what came."""
    with pytest.raises(ValueRefused) as refusal:
        codec.encode(value)
    assert refusal.value.wanted
    assert refusal.value.got is value
    assert str(refusal.value).startswith("expected ")


SAID: list[tuple[Callable[[], object], str]] = [
    (lambda: Base58(2).encode(b"abc"), "expected 2 bytes, got b'abc'"),
    (lambda: Bytes(max_length=2).encode(b""), "expected 1 to 2 bytes, got b''"),
    (lambda: EnumText(Side).encode("B"), "expected a member of Side, got 'B'"),  # type: ignore[arg-type]
    (lambda: Boolean().encode(1), "expected True or False, got 1"),  # type: ignore[arg-type]
    (lambda: Descending(PaddedInt(2)).encode(100), "expected a whole number from 0 to 99, got 100"),
    (lambda: ReversedDomain(9).encode("a..b"), "expected a domain without empty labels, got 'a..b'"),
    (lambda: EscapedText(2).encode("abc"), "expected 0 to 2 bytes, got 'abc'"),
    (lambda: HexDigest(2).encode("AB"), "expected text of 2 lower-case hexadecimal digits, got 'AB'"),
    (lambda: BigEndian(1, signed=True).encode(128), "expected a whole number from -128 to 127, got 128"),
    (lambda: PATH.encode(("a/",)), "expected values without the separator '/', got ('a/',)"),
    (
        lambda: PATH.encode(("a", "")),
        "expected text of 1 to 2 bytes in UTF-8 at index 1, got ('a', '')",
    ),
    (lambda: PATH.encode(()), "expected a tuple of 1 to 2 values, got ()"),
    (lambda: ReversedSeconds().encode(LATE), f"expected a time from 1970 to 9999, in UTC, got {shown(LATE)}"),
    (lambda: UuidRaw().encode("1"), "expected a UUID, got '1'"),  # type: ignore[arg-type]
    (lambda: UuidText().decode(b"A" * 36), f"expected the text of a UUID, lower-case, got {b'A' * 36!r}"),
    (
        lambda: Base64(1).decode(b"AB"),
        "expected 1 byte in base 64, URL-safe, not padded, no bit set after the last byte, got b'AB'",
    ),
    (lambda: Base58(1).decode(b"zz"), "expected 1 byte in base 58, got b'zz', which is 2 bytes"),
    (lambda: EnumText(Side).decode(b"b"), "expected the value of a Side, got b'b'"),
    (lambda: Boolean().decode(b"2"), "expected 0 or 1, got b'2'"),
    (lambda: PATH.decode(b"a/b/c"), "expected 1 to 2 values, got 3: b'a/b/c'"),
    (
        lambda: Repeated(PaddedInt(2), most=2).decode(b"01-2"),
        "expected the separator '/' at byte 2, got b'01-2'",
    ),
    (lambda: Repeated(PaddedInt(2), most=2).decode(b"01/2"), "expected 2 bytes at byte 3, got b'01/2'"),
]


@pytest.mark.parametrize(("wrong", "message"), SAID, ids=[message for _, message in SAID])
def test_a_refusal_says_what_was_wanted_and_what_came(wrong: Callable[[], object], message: str) -> None:
    """The message alone tells what to fix."""
    with pytest.raises(ValueError, match=rf"^{re.escape(message)}$"):
        wrong()


@pytest.mark.parametrize("raw", [b"\xff" * 4_000, b"0" * 4_000, b"a#\0\x01" * 1_000])
@pytest.mark.parametrize("name", CASES)
def test_a_long_key_is_cut_in_its_error(name: str, raw: bytes) -> None:
    """A message stays a line that people read, however long the bytes are that it is about."""
    said = ""
    try:
        CASES[name].codec.decode(raw)
    except ValueError as error:
        said = str(error)
    assert len(said) < 600
