"""The bytes of row keys that lie in tables: they are a contract."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from key_cases import CASES, Colour, Side

from btmodel.codecs.key import (
    Base58,
    Base64,
    BigEndian,
    Boolean,
    Bytes,
    DateText,
    Descending,
    EnumText,
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

MARCH = datetime(2015, 3, 2, 21, 12, 37, 685_000, tzinfo=UTC)  # 1,425,330,757,685 ms
ID = UUID("12345678-9abc-def0-0123-456789abcdef")

EXACT: list[tuple[KeyCodec[Any], Any, bytes]] = [
    (Text(width=6), "NYSE", b"NYSE  "),
    (Text(width=5), "ZXZZT", b"ZXZZT"),
    (Text(max_length=20), "us-west2", b"us-west2"),
    (EpochMillis(), datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC), b"1426535612156"),
    (EpochSeconds(), datetime(2015, 3, 16, 19, 53, 32, tzinfo=UTC), b"1426535612"),
    (EpochMicros(), datetime(1970, 1, 1, tzinfo=UTC), b"0000000000000000"),
    (EpochNanos(), datetime(1970, 1, 1, tzinfo=UTC), b"0000000000000000000"),
    (EpochNanos(), datetime(2015, 3, 16, 19, 53, 32, 156_001, tzinfo=UTC), b"1426535612156001000"),
    (PaddedInt(10), 987654, b"0000987654"),
    (Int(6), 3698, b"3698"),
    (DateText("%Y%m%d"), date(2017, 7, 26), b"20170726"),
    (DateText("%Y%m%d"), date(1, 1, 1), b"00010101"),
    (TimeText("%Y-%m-%d-%H%M"), datetime(2021, 3, 5, 12, 4, tzinfo=UTC), b"2021-03-05-1204"),
    (
        TimeText("%Y%m%d%H%M%S%3f"),
        datetime(2015, 3, 1, 12, 45, 1, 1000, tzinfo=UTC),
        b"20150301124501001",
    ),
    (
        TimeText("%Y%m%d%H%M%S.%f"),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        b"19691231235959.999999",
    ),
    (IsoWeek(), date(2020, 12, 28), b"2020-W53"),
    (IsoWeek("%G%V"), date(2018, 12, 31), b"201901"),
    (Week("week{n}", origin=date(2021, 3, 1)), date(2021, 3, 1), b"week1"),
    (Week("week{n}", origin=date(2021, 3, 1)), date(2021, 3, 8), b"week2"),
    (Week("week{n:04}", origin=date(2021, 3, 1), first=0), date(2021, 3, 8), b"week0001"),
    (ReversedMillis(), MARCH, b"9223370611524018122"),
    (ReversedSeconds(), datetime(1970, 1, 1, tzinfo=UTC), b"9223372036854775807"),
    (ReversedMicros(), datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), b"9223372036853775807"),
    (ReversedDomain(30), "drive.google.com", b"com.google.drive"),
    (ReversedDomain(30), "localhost", b"localhost"),
    (Descending(HexInt(16)), 1, b"fffffffffffffffe"),
    (Descending(PaddedInt(10)), 1, b"9999999998"),
    (Descending(BigEndian(8)), 1, b"\xff\xff\xff\xff\xff\xff\xff\xfe"),
    (Descending(Text(width=2)), "a", b"\x9e\xdf"),
    (Descending(Boolean()), True, b"8"),
    (Descending(DateText("%Y%m%d")), date(2020, 2, 29), b"79799770"),
    (Descending(DateText("%Y-%m")), date(2020, 2, 1), bytes(255 - byte for byte in b"2020-02")),
    # The sign is the first bit; then come as many ones as there are more bytes, a zero and the number.
    (OrderedInt(), 0, bytes([0b1_0_000000])),
    (OrderedInt(), 63, bytes([0b1_0_111111])),
    (OrderedInt(), 64, bytes([0b1_10_00000, 0b01000000])),
    (OrderedInt(), 8191, bytes([0b1_10_11111, 0b11111111])),
    (OrderedInt(), 8192, bytes([0b1_110_0000, 0b00100000, 0])),
    (OrderedInt(), -1, bytes([0b0_1_111111])),
    (OrderedInt(), -64, bytes([0b0_1_000000])),
    (OrderedInt(), -65, bytes([0b0_01_11111, 0b10111111])),
    (OrderedInt(), 2**62 - 1, b"\xff\xbf" + b"\xff" * 7),
    (OrderedInt(), 2**62, b"\xff\xc0\x40" + bytes(7)),
    (OrderedInt(), 2**63 - 1, b"\xff\xc0\x7f" + b"\xff" * 7),
    (OrderedInt(), -(2**63), b"\x00\x3f\x80" + bytes(7)),
    (EscapedText(9), "", b"\0\x01"),
    (EscapedText(9), "a\0b", b"a\0\xffb\0\x01"),
    (EscapedBytes(9), b"\xff\0\xff\x01", b"\xff\0\xff\xff\x01\0\x01"),
    (Base58(32), bytes(32), b"1" * 32),
    (Base58(12), b"Hello World!", b"2NEpo7TZRRrLZSi2U"),
    (Base58(6), bytes.fromhex("0000287fb4cd"), b"11233QC4"),
    (Base64(3), b"\xfb\xff\xfe", b"-__-"),
    (Base64(4), b"\xff\xff\xff\xff", b"_____w"),
    (Hex(2), b"\x0a\xff", b"0aff"),
    (HexInt(4), 255, b"00ff"),
    (HexDigest(8), "d41d8cd9", b"d41d8cd9"),
    (UuidText(), ID, b"12345678-9abc-def0-0123-456789abcdef"),
    (UuidText(dashes=False), ID, b"123456789abcdef00123456789abcdef"),
    (UuidRaw(), ID, bytes.fromhex("123456789abcdef00123456789abcdef")),
    (LengthPrefixed(Text(max_length=9)), "é#", b"\x03\xc3\xa9#"),
    (LengthPrefixed(Bytes(max_length=300), 2), bytes(258), b"\x01\x02" + bytes(258)),
    (LengthPrefixed(Int(9), 4), 42, b"\0\0\0\x0242"),
    (Repeated(Text(max_length=9), most=3), ("usr", "lib", "a#"), b"usr/lib/a#"),
    (Repeated(PaddedInt(2), "::", most=3), (1, 23), b"01::23"),
    (Repeated(EscapedText(3), "/", most=2), ("/", ""), b"/\0\x01/\0\x01"),
    (EnumText(Side), Side.SELL, b"S"),
    (EnumText(Colour), Colour.CREAM, "crème".encode()),
    (Boolean(), False, b"0"),
    (Boolean(), True, b"1"),
    (Bytes(width=2), b"\0#", b"\0#"),
    (BigEndian(), 1, b"\0\0\0\0\0\0\0\x01"),
    (BigEndian(2), 0xFFFE, b"\xff\xfe"),
    (BigEndian(2, signed=True), -2, b"\xff\xfe"),
    (LittleEndian(), 1, b"\x01\0\0\0\0\0\0\0"),
    (LittleEndian(2), 0xFFFE, b"\xfe\xff"),
    (LittleEndian(2, signed=True), -2, b"\xfe\xff"),
    (ReversedDigits(4), 12, b"2100"),
]


@pytest.mark.parametrize(("codec", "value", "raw"), EXACT)
def test_the_bytes_of_a_key_are_pinned(codec: KeyCodec[Any], value: Any, raw: bytes) -> None:
    """The bytes of a key are a contract: these never change."""
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value


def test_what_is_left_of_the_greatest_number_is_pinned() -> None:
    """A reversed time is 2**63-1 less the count of its units."""
    assert ReversedMillis().encode(MARCH) == b"%019d" % (9223372036854775807 - 1425330757685)


@pytest.mark.parametrize("codec", [case.codec for case in CASES.values()], ids=CASES)
def test_a_cell_repeats_a_field(codec: KeyCodec[Any]) -> None:
    """The codec of a cell that repeats a field takes values of the field's type."""
    assert codec.mirror().python_type == codec.python_type
    assert codec.meaning
