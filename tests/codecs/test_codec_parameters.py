"""The bytes that parameters of codecs choose, computed by hand, and what such codecs refuse."""

import bz2
import gzip
import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import zstandard
from attrs import frozen

import btmodel as bt
from btmodel.codecs.byte_set import common_bytes, literal
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema.key_schema import row_key_schema

MARCH = datetime(2015, 3, 2, 21, 12, 37, 685_000, tzinfo=UTC)  # 1,425,330,757,685 ms
SPAN = datetime(2015, 1, 19, 2, 22, 54, 976_000, tzinfo=UTC)  # 331 * 2**32 ms, 0x14b_0000_0000
MOON = datetime(2015, 2, 26, tzinfo=UTC)  # 589 * 28 days, 1,424,908,800 s

KEYS: list[tuple[KeyCodec[Any], Any, bytes]] = [
    (bt.Base64(3, urlsafe=False), b"\xfb\xff\xfe", b"+//+"),
    (bt.Base64(4, padded=True), b"\xff\xff\xff\xff", b"_____w=="),
    (bt.Base64(1, urlsafe=False, padded=True), b"\xff", b"/w=="),
    (bt.HexInt(16, padded=False), 255, b"ff"),
    (bt.HexInt(16, padded=False), 0, b"0"),
    (bt.ReversedDigits(10, padded=False), 120, b"021"),
    (bt.ReversedDigits(10, padded=False), 0, b"0"),
    (bt.Descending(bt.PaddedInt(19), greatest=2**63 - 1), 7, b"9223372036854775800"),
    (bt.Descending(bt.BigEndian(8), greatest=2**63 - 1), 1, b"\x7f" + b"\xff" * 6 + b"\xfe"),
    (bt.Descending(bt.EpochMillis(), greatest=9_999_999_999_998), MARCH, b"8574669242313"),
    (bt.Descending(bt.HexInt(4), greatest=0x0FFF), 1, b"0ffe"),
    (bt.VarInt(), 300, b"\xac\x02"),
    (bt.VarInt(), 2**64 - 1, b"\xff" * 9 + b"\x01"),
    (bt.VarInt(zigzag=True), -1, b"\x01"),
    (bt.VarInt(zigzag=True), -(2**63), b"\xff" * 9 + b"\x01"),
    (bt.Repeated(bt.PaddedInt(2), b"", most=3), (1, 23), b"0123"),
    (bt.Joined((bt.DateText(), bt.Text(max_length=9)), ":"), (date(2020, 5, 1), "a:b"), b"20200501:a:b"),
    (bt.Joined((bt.PaddedInt(2), bt.PaddedInt(1)), b""), (1, 2), b"012"),
    (bt.OrderedCode(bt.Text(max_length=9, controls=True)), "a\0", b"a\0\xff"),
    (bt.OrderedCode(bt.OrderedInt()), 64, b"\xc0\x40"),
    (bt.OrderedCode(bt.OrderedInt()), 2**14, b"\xe0\x40\0\xff"),
    (bt.Text(max_length=9, encoding="latin-1"), "é", b"\xe9"),
    (bt.Text(max_length=9, encoding="utf-16-be"), "a\U0001f600", b"\0a\xd8\x3d\xde\x00"),
    (bt.Text(max_length=9, encoding="utf-16-le"), "a", b"a\0"),
    (bt.Text(width=4, encoding="ascii"), "ab", b"ab  "),
    (bt.Text(max_length=9, controls=True), "a\nb\0", b"a\nb\0"),
    (bt.TimeBytes("second", 4), MARCH.replace(microsecond=0), b"\x54\xf4\xd2\x45"),
    (bt.TimeBytes("millisecond"), MARCH, (1_425_330_757_685).to_bytes(8, "big")),
    (bt.TimeBytes("microsecond", 8, "little"), MARCH, (1_425_330_757_685_000).to_bytes(8, "little")),
    (bt.TimeBytes("nanosecond"), MARCH, (1_425_330_757_685_000_000).to_bytes(8, "big")),
    (bt.TimeBytes("second", 4, signed=True), datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), b"\xff" * 4),
    (bt.Descending(bt.TimeBytes("second", 4)), datetime(1970, 1, 1, tzinfo=UTC), b"\xff" * 4),
    (
        bt.EpochBucket(bt.TimeBytes("millisecond"), timedelta(milliseconds=2**32)),
        SPAN,
        b"\0\0\x01\x4b\0\0\0\0",
    ),
    (bt.EpochBucket(bt.BigEndian(4), timedelta(milliseconds=2**32)), SPAN, b"\0\0\x01\x4b"),
    (bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28)), MOON, b"0589"),
    (bt.EpochBucket(bt.EpochSeconds(), timedelta(days=28)), MOON, b"1424908800"),
    (bt.Descending(bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28))), MOON, b"9410"),
    (bt.IsoTimeText(), MARCH, b"2015-03-02T21:12:37.685Z"),
    (bt.IsoTimeText(), MARCH.replace(microsecond=500_000), b"2015-03-02T21:12:37.5Z"),
    (bt.IsoTimeText(3), MARCH.replace(microsecond=500_000), b"2015-03-02T21:12:37.500Z"),
    (bt.IsoTimeText(3), MARCH.replace(microsecond=10), b"2015-03-02T21:12:37.000010Z"),
    (bt.IsoTimeText(3), MARCH.replace(microsecond=0), b"2015-03-02T21:12:37Z"),
    (bt.TimeText("%Y%m%d%H%M%S%9f"), MARCH, b"20150302211237685000000"),
    (bt.Repeated(bt.EscapedText(9), b"", least=0, most=3), ("a", ""), b"a\x00\x01\x00\x01"),
    (bt.Repeated(bt.Text(max_length=9), least=0, most=3), (), b""),
]


@pytest.mark.parametrize(("codec", "value", "raw"), KEYS, ids=lambda one: repr(one)[:60])
def test_keys_have_these_bytes(codec: KeyCodec[Any], value: Any, raw: bytes) -> None:
    """Both ways."""
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value


REFUSED: dict[str, Callable[[], object]] = {
    "letters of the other base 64": lambda: bt.Base64(3, urlsafe=False).decode(b"-__-"),
    "base 64 without its padding": lambda: bt.Base64(1, padded=True).decode(b"_w"),
    "base 64 with padding within": lambda: bt.Base64(4, padded=True).decode(b"_w==_w=="),
    "zeros in front of hexadecimal digits": lambda: bt.HexInt(4, padded=False).decode(b"0f"),
    "capitals": lambda: bt.HexInt(4, padded=False).decode(b"F"),
    "no digits": lambda: bt.HexInt(4, padded=False).decode(b""),
    "zeros behind reversed digits": lambda: bt.ReversedDigits(4, padded=False).decode(b"210"),
    "too many reversed digits": lambda: bt.ReversedDigits(4, padded=False).decode(b"12345"),
    "what is no Latin-1": lambda: bt.Text(max_length=9, encoding="ascii").decode(b"\xe9"),
    "half a character": lambda: bt.Text(max_length=9, encoding="utf-16-be").decode(b"a"),
    "a control character of Latin-1": lambda: bt.Text(max_length=9, encoding="latin-1").decode(b"\x9f"),
    "parts of microseconds": lambda: bt.TimeBytes("nanosecond").decode(b"\0" * 7 + b"\x01"),
    "parts of microseconds in digits": lambda: bt.EpochNanos().decode(b"1426535612156001001"),
    "a time within a span": lambda: bt.EpochBucket(bt.EpochSeconds(), timedelta(days=28)).decode(
        b"1424908801"
    ),
    "a span behind the year 9999": lambda: bt.EpochBucket(bt.BigEndian(8), timedelta(days=28)).decode(
        b"\xff" * 8
    ),
    "a zero to spare behind a fraction": lambda: bt.IsoTimeText().decode(b"2015-03-02T21:12:37.50Z"),
    "a fraction of nothing": lambda: bt.IsoTimeText().decode(b"2015-03-02T21:12:37.000Z"),
    "a fraction without its group": lambda: bt.IsoTimeText(3).decode(b"2015-03-02T21:12:37.5Z"),
    "an offset in a key": lambda: bt.IsoTimeText().decode(b"2015-03-02T21:12:37+00:00"),
    "digits of microseconds": lambda: bt.EpochNanos().decode(b"1426535612156000"),
    "the year 584,556,019": lambda: bt.TimeBytes("millisecond").decode(b"\xff" * 8),
    "too few bytes of a time": lambda: bt.TimeBytes("second", 4).decode(b"\0"),
    "parts of microseconds as text": lambda: bt.TimeText("%Y%m%d%H%M%S%9f").decode(
        b"20150302211237685000001"
    ),
    "a varint with a byte to spare": lambda: bt.VarInt().decode(b"\x81\x00"),
    "a varint without an end": lambda: bt.VarInt().decode(b"\x81"),
    "a varint of 70 bits": lambda: bt.VarInt().decode(b"\xff" * 9 + b"\x7f"),
    "a varint of 11 bytes": lambda: bt.VarInt().decode(b"\x80" * 10 + b"\x01"),
    "more than is left": lambda: bt.Descending(bt.PaddedInt(2), greatest=50).decode(b"51"),
    "a pair without its separator": lambda: bt.Joined((bt.Text(max_length=2), bt.Text(max_length=2))).decode(
        b"a"
    ),
    "too much behind fixed items": lambda: bt.Joined((bt.PaddedInt(1), bt.PaddedInt(1)), b"").decode(b"123"),
    "a byte 00 that is not escaped": lambda: bt.OrderedCode(bt.BigEndian(1)).decode(b"\0"),
    "a cell without its prefix": lambda: bt.Prefixed(b"x", bt.Utf8()).decode(b"y"),
    "base 64 with padding where there is none": lambda: bt.Base64Text(padded=False).decode(b"__4="),
    "standard letters in URL-safe base 64": lambda: bt.Base64Text(urlsafe=True).decode(b"/w=="),
    "half a stream": lambda: bt.Compressed(bt.Utf8(), "zstd").decode(
        b"\x05" + zstandard.compress(b"a" * 999)[:-3]
    ),
    "two streams": lambda: bt.Compressed(bt.Utf8(), "gzip", framed=False).decode(2 * gzip.compress(b"a")),
    "two streams of zstd": lambda: bt.Compressed(bt.Utf8(), "zstd", framed=False).decode(
        2 * zstandard.compress(b"a")
    ),
    "no stream of zstd": lambda: bt.Compressed(bt.Utf8(), "zstd", framed=False).decode(b"abc"),
    "more than may come out": lambda: bt.Compressed(bt.Utf8(), "zstd", 10, framed=False).decode(
        zstandard.compress(b"a" * 9_999_999)
    ),
    "half an item": lambda: bt.Repeated(bt.PaddedInt(2), b"", most=3).decode(b"012"),
}


@pytest.mark.parametrize("decode", REFUSED.values(), ids=REFUSED)
def test_other_bytes_are_refused(decode: Callable[[], object]) -> None:
    """There is one encoding of each value."""
    with pytest.raises(ValueError, match=r"expected|can't decode|truncated"):
        decode()


def test_more_than_the_greatest_is_refused() -> None:
    """And a range up to there is open."""
    codec = bt.Descending(bt.PaddedInt(2), greatest=50)
    assert (codec.encode(50), codec.bound(50), codec.bound(51)) == (b"00", b"00", None)
    with pytest.raises(ValueRefused, match="a number of up to 50"):
        codec.encode(51)


WRONG: dict[str, Callable[[], object]] = {
    "greatest: expected a number": lambda: bt.Descending(bt.PaddedInt(2), greatest=100),
    "greatest: expected a number that 5": lambda: bt.Descending(bt.Text(width=5), greatest=3),
    "without a separator expected a codec of fixed width": lambda: bt.Repeated(
        bt.Text(max_length=3), b"", most=2
    ),
    "least=0: expected a codec without empty": lambda: bt.Repeated(
        bt.Text(max_length=3, min_length=0), least=0, most=2
    ),
    "expected a tuple of two key codecs": lambda: bt.Joined((bt.Int(2),)),
    "record: expected a NamedTuple of 2 fields": lambda: bt.Joined((bt.Int(2), bt.Int(2)), record=tuple),
    "without a separator expected fixed widths": lambda: bt.Joined((bt.Int(2), bt.Int(2)), b""),
    "OrderedCode: expected a key codec": lambda: bt.OrderedCode(bt.Utf8()),  # type: ignore[arg-type]
    "expected at least 1 byte as the prefix": lambda: bt.Prefixed(b"", bt.Utf8()),
    "Prefixed: expected a cell codec": lambda: bt.Prefixed(b"x", bt.Int(3)),  # type: ignore[arg-type]
    "HexText: expected a cell codec": lambda: bt.HexText(bt.Int(3)),  # type: ignore[arg-type]
    "expected framed=True or": lambda: bt.Compressed(bt.Utf8(), framed=1),  # type: ignore[arg-type]
    "expected the encoding utf-8, ascii": lambda: bt.Text(max_length=3, encoding="cp1252"),  # type: ignore[arg-type]
    "expected max_length=, as no byte pads utf-16-be": lambda: bt.Text(width=4, encoding="utf-16-be"),
    "expected controls=True or": lambda: bt.Text(width=4, controls=3),  # type: ignore[arg-type]
    "expected the unit second": lambda: bt.TimeBytes("day"),  # type: ignore[arg-type]
    "EpochBucket: expected a codec of times or": lambda: bt.EpochBucket(bt.Text(width=4), timedelta(1)),  # type: ignore[arg-type]
    "EpochBucket: expected a length such as": lambda: bt.EpochBucket(bt.EpochSeconds(), timedelta(0)),
    "start of every span of 500 milliseconds, got one of whole seconds": lambda: bt.EpochBucket(
        bt.EpochSeconds(), timedelta(milliseconds=500)
    ),
    "start of every span of 31 days, got one of whole months": lambda: bt.EpochBucket(
        bt.TimeText("%Y%m"), timedelta(days=31)
    ),
    "in steps of 1 or 3 digits": lambda: bt.IsoTimeText(2),  # type: ignore[arg-type]
    "up to 8 bytes": lambda: bt.TimeBytes("second", 9),
    "expected 0, 3, 6 or 9 digits": lambda: bt.IsoTime(4),  # type: ignore[arg-type]
    "expected text without control characters, or some bytes": lambda: bt.constant(b""),
    "expected padded=True or padded=False": lambda: bt.HexInt(3, padded=1),  # type: ignore[arg-type]
    "expected urlsafe=True or urlsafe=False": lambda: bt.Base64(3, urlsafe="no"),  # type: ignore[arg-type]
    "expected zigzag=True or zigzag=False": lambda: bt.VarInt(zigzag=None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("why", "declare"), WRONG.items(), ids=WRONG)
def test_declarations_that_cannot_work_are_refused(why: str, declare: Callable[[], object]) -> None:
    """With what was expected."""
    with pytest.raises(DeclarationError, match=why):
        declare()


CELLS: list[tuple[CellCodec[Any], Any, bytes]] = [
    (bt.TextBytes("latin-1"), "é", b"\xe9"),
    (bt.Prefixed(b"\0\x07", bt.Utf8()), "a", b"\0\x07a"),
    (bt.Base64Text(bt.Json(list[int])), [1], b"WzFd"),
    (bt.Base64Text(urlsafe=True, padded=False), b"\xff\xfe", b"__4"),
    (bt.HexText(bt.Utf8()), "a", b"61"),
    (bt.Compressed(bt.Utf8(), framed=False), "a" * 9, zlib.compress(b"a" * 9)),
    (bt.Compressed(bt.Utf8(), "bz2", framed=False), "a", bz2.compress(b"a")),
    (bt.Compressed(bt.Utf8(), "gzip"), "a" * 99, b"\x04" + zlib.compress(b"a" * 99, wbits=31)),
    (bt.TextBytes("utf-16-le"), "a", b"a\0"),
    (bt.IsoTime(), MARCH, b"2015-03-02T21:12:37.685Z"),
    (bt.IsoTime(), MARCH.replace(microsecond=0), b"2015-03-02T21:12:37Z"),
    (bt.IsoTime(6), MARCH, b"2015-03-02T21:12:37.685000Z"),
    (bt.IsoTime(9), MARCH, b"2015-03-02T21:12:37.685000000Z"),
    (bt.IsoTime(), datetime(1, 1, 1, tzinfo=UTC), b"0001-01-01T00:00:00Z"),
]


@pytest.mark.parametrize(("codec", "value", "raw"), CELLS, ids=lambda one: repr(one)[:60])
def test_cells_have_these_bytes(codec: CellCodec[Any], value: Any, raw: bytes) -> None:
    """Both ways, and within what the codec says that it writes."""
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value
    assert any(True for _ in common_bytes(codec.writes, literal(raw)))


def test_iso_times_of_others_are_read() -> None:
    """With any fraction and offset; what Python's times cannot hold is refused, as is what they would lose."""
    for text in (
        b"2015-03-02T22:12:37.685+01:00",
        b"2015-03-02T21:12:37.685000000Z",
        b"2015-03-02T21:12:37.6850Z",
    ):
        assert bt.IsoTime().decode(text) == MARCH
    for text in (
        b"2015-03-02T21:12:37",
        b"2015-03-02 21:12:37Z",
        b"2015-03-02T21:12:37.0000000001Z",
        b"2015-02-30T21:12:37Z",
    ):
        with pytest.raises(ValueError, match=r"expected an ISO time|day is out of range"):
            bt.IsoTime().decode(text)
    with pytest.raises(ValueError, match="expected whole microseconds"):
        bt.IsoTime().decode(b"2015-03-02T21:12:37.000000001Z")
    with pytest.raises(ValueRefused, match="3 digits of a second"):
        bt.IsoTime(3).encode(MARCH.replace(microsecond=1))


def test_constants_stand_anywhere_and_may_be_bytes() -> None:
    """In front of a key, and at its end, as text or as bytes, which are shown escaped."""

    class Row(bt.Model, table="ROW"):
        kind = bt.constant(b"\x01\xff")
        name: str = bt.key(bt.Text(max_length=9), cardinality=10)
        tail = bt.constant("end")
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

        of_name = bt.query("name")

    assert Row.row_key(name="a") == b"\x01\xff#a#end"
    assert Row.read_key(b"\x01\xff#a#end") == ("a",)
    assert bt.schema_of(Row).key.shape == "\\x01\\xff#{name}#end"
    with pytest.raises(bt.UndecodableKey):
        Row.read_key(b"\x01\xff#a#no")
    with pytest.raises(bt.UndecodableKey):
        Row.read_key(b"\x02\xff#a#end")


def test_the_first_bytes_choose_the_codec() -> None:
    """Either of several with prefixes writes the new one, and reads each by its prefix."""
    codec = bt.Either(
        bt.Prefixed(b"Z", bt.Compressed(bt.Json(list[str]), "zstd", framed=False)),
        bt.Prefixed(b"J", bt.Json(list[str])),
    )
    assert codec.encode(["a"])[:5] == b"Z\x28\xb5\x2f\xfd"
    assert codec.decode(b'J["a"]') == codec.decode(codec.encode(["a"])) == ["a"]
    assert not list(common_bytes(codec.new.writes, codec.old[0].writes))


def test_keys_in_ordered_code_have_the_service_s_schema() -> None:
    """Every field escaped, 00 01 between them: text, numbers, bytes, and the last one without an end."""

    class Row(bt.Model, table=bt.table("ROW", row_key_schema=True), delimiter=b"\0\x01"):
        name: str = bt.key(bt.OrderedCode(bt.Text(max_length=9, controls=True)), cardinality=10)
        number: int = bt.key(bt.OrderedCode(bt.OrderedInt()), cardinality=10)
        raw: bytes = bt.key(bt.OrderedCode(bt.Bytes(max_length=9)), cardinality=10)
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

        of_name = bt.query("name")

    assert (
        Row.row_key(name="a\0", number=2**14, raw=b"\0\x01") == b"a\0\xff\0\x01\xe0\x40\0\xff\0\x01\0\xff\x01"
    )
    assert Row.read_key(b"a\0\xff\0\x01\xe0\x40\0\xff\0\x01\0\xff\x01") == ("a\0", 2**14, b"\0\x01")
    schema, reasons = row_key_schema([bt.schema_of(Row)])
    assert reasons == []
    assert schema is not None
    assert schema["encoding"] == {"orderedCodeBytes": {}}
    assert [list(one["type"]) for one in schema["fields"]] == [["stringType"], ["int64Type"], ["bytesType"]]


def test_a_pair_is_a_qualifier() -> None:
    """Of a mapping, and one can ask for the entries from one pair to another."""

    class Row(bt.Model, table="ROW"):
        name: str = bt.key(bt.Text(max_length=9), cardinality=10)
        f = bt.family("f", gc=bt.max_versions(1))
        read: dict[tuple[date, str], int] = bt.mapping(
            f, bt.Joined((bt.DateText(), bt.Text(max_length=9)), ":"), entries=9
        )

    row = Row(name="a", read={(date(2020, 5, 1), "temp"): 3})
    assert "f:20200501:temp @" in str(bt.mutation_of(row))


def test_an_optional_last_field_may_follow_without_a_delimiter() -> None:
    """Where the field in front of it tells where it ends: of fixed width, or by itself."""

    class Row(bt.Model, table="ROW", events="10/s"):
        day: date = bt.key(bt.DateText(), cardinality=10, ends=b"")
        name: str | None = bt.key(bt.Text(max_length=9), default=None)
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

        of_day = bt.query("day")
        names = bt.query("day", between="name")

    assert str(Row.of_day.plan(day=date(2020, 5, 1)).ranges[0]) == "[b'20200501', b'20200502')"
    assert (
        str(Row.names.plan(day=date(2020, 5, 1), name=(None, "b")).ranges[0])
        == "[b'20200501\\x00', b'20200501b')"
    )
    assert Row.row_key(day=date(2020, 5, 1), name=None) == b"20200501"
    assert Row.row_key(day=date(2020, 5, 1), name="ab") == b"20200501ab"
    assert Row.read_key(b"20200501") == (date(2020, 5, 1), None)
    assert Row.read_key(b"20200501ab") == (date(2020, 5, 1), "ab")

    class Ended(bt.Model, table="ROW", delimiter=b""):
        user: str = bt.key(bt.EscapedText(9), cardinality=10)
        name: str | None = bt.key(bt.Text(max_length=9), default=None)
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

    with pytest.raises(DeclarationError, match="may not be empty itself"):

        class Blurred(bt.Model, table="ROW", delimiter=b""):
            user: str = bt.key(bt.EscapedText(9), cardinality=10)
            name: str | None = bt.key(bt.Text(max_length=9, min_length=0), default=None)
            f = bt.family("f", gc=bt.max_versions(1))
            text: str = bt.column("t", f)

    for name in (None, "ab"):
        assert Ended.read_key(Ended.row_key(user="jo", name=name)) == ("jo", name)


@frozen
class Order:
    """A record of one number."""

    items: int


@pytest.mark.parametrize(
    ("codec", "value", "message"),
    [
        (bt.Json(dict[str, int]), 5, "expected a dict, got 5"),
        (bt.Json(dict[str, int]), {"a": "x"}, r"expected a whole number at \$\['a'\] \(not 'x'\)"),
        (bt.Json(Order), 5, "expected an Order, got 5"),
        (bt.Packed(Order, ">B"), 5, "expected an Order, got 5"),
        (bt.Packed(Order, ">f"), Order(2**25 + 1), "expected an Order whose 'items' comes back as it was"),
    ],
)
def test_what_is_refused_is_named_as_people_say_it(codec: CellCodec[Any], value: Any, message: str) -> None:
    """With the right article, and a place only within a document."""
    with pytest.raises(ValueRefused, match=message):
        codec.encode(value)
