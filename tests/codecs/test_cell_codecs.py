"""The bytes of cells: what every cell codec promises, and the table of defaults, a contract on disk."""

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple, get_origin
from uuid import UUID

import attrs
import numpy as np
import pytest
from attrs import frozen
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from key_cases import cents, euros

import btmodel as bt
from btmodel.codecs import cell as cell_codecs
from btmodel.codecs.cell import (
    Base64Text,
    CellCodec,
    Compressed,
    DecimalNumber,
    DecimalText,
    Either,
    EnumValue,
    Flag,
    FlagText,
    Float64,
    FloatBytes,
    FloatText,
    HexText,
    Int64,
    IntBytes,
    IsoDate,
    IsoTime,
    Json,
    MappedCell,
    Micros,
    NumpyArray,
    Packed,
    PerEntry,
    Prefixed,
    Present,
    Protobuf,
    Raw,
    RawArray,
    TextBytes,
    Utf8,
    UuidBytes,
    default_codec,
)
from btmodel.codecs.key import AsInKey, EpochMillis, Joined, PaddedInt, Text, TimeBytes, VarInt
from btmodel.declare import Fields, codec_of
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema import Column
from btmodel.testing import values
from tests.examples_tried import examples


class Side(Enum):
    """An enum of text."""

    BUY = "B"
    SELL = "S"


class Length(Enum):
    """An enum of texts of different length."""

    SHORT = "s"
    LONG = "long"


class Level(Enum):
    """An enum of numbers."""

    LOW = 1
    HIGH = 2


class Mixed(Enum):
    """An enum that has no default codec."""

    ONE = 1
    TWO = "2"


@frozen
class Order:
    """A class of attrs with every kind of value that JSON can hold; it may hold itself."""

    at: datetime
    price: Decimal
    side: Side
    level: Level
    id: UUID
    day: date
    raw: bytes
    size: int
    ratio: float
    note: str | None = None
    parts: "tuple[Order, ...]" = ()
    pair: tuple[int, str] = (0, "")
    sides: dict[Side, list[bool]] = attrs.field(factory=dict)


@dataclass
class Point:
    """A dataclass."""

    x: int
    y: int = 0


class Span(NamedTuple):
    """A NamedTuple, to be packed."""

    start: int
    ratio: float
    open: bool
    tag: bytes


def drawn(codec: CellCodec[Any]) -> SearchStrategy[Any]:
    """The values that users' tests draw for a codec."""
    return values(Column("c", "f", b"c", codec, required=True))


OTHERS: list[CellCodec[Any]] = [
    AsInKey(PaddedInt(10)),
    AsInKey(EpochMillis()),
    IntBytes(3, "little"),
    IntBytes(16, signed=False),
    FloatBytes(4, "little"),
    FloatBytes(8),
    MappedCell(IntBytes(4), cents, euros, Decimal),
    *(
        Compressed(Json(list[str]), method, framed=False)
        for method in ("zlib", "bz2", "lzma", "gzip", "zstd")
    ),
    Compressed(Utf8(), "gzip"),
    Compressed(Utf8(), "zstd"),
    Prefixed(b"\0J", Json(list[str])),
    Base64Text(Compressed(Utf8(), framed=False)),
    Base64Text(urlsafe=True, padded=False),
    HexText(Int64()),
    AsInKey(Joined((PaddedInt(2), Text(max_length=5)))),
    TextBytes("ascii"),
    TextBytes("latin-1"),
    TextBytes("utf-16-be"),
    TextBytes("utf-16-le"),
    IsoTime(),
    IsoTime(0),
    IsoTime(3),
    IsoTime(9),
    AsInKey(TimeBytes("millisecond", signed=True)),
    AsInKey(VarInt(zigzag=True)),
    Compressed(MappedCell(Json(list[str]), sorted, set, set)),
    Present(),
    HexText(),
    Base64Text(),
    Json(dict[str, int]),
    Json(list[Any]),
    Json(Order),
    Json(Point),
    Protobuf(Timestamp),
    Packed(Span, "<if?3s"),
    Compressed(Utf8()),
    Compressed(Raw(), "bz2"),
    Compressed(Raw(), "lzma"),
    Either(Int64(), DecimalText()),
    NumpyArray(),
    NumpyArray("<f8", (2, None)),
    RawArray(">i4", (None, 3)),
]
EAST = timezone(timedelta(hours=5, minutes=45))
FLOATS = st.floats(allow_nan=False)
CASES: dict[str, tuple[CellCodec[Any], SearchStrategy[Any]]] = {
    "text": (Utf8(), st.text(st.characters(exclude_categories=["Cs"]))),
    "bytes": (Raw(), st.binary()),
    "int": (Int64(), st.integers(-(2**63), 2**63 - 1)),
    "float": (Float64(), FLOATS | st.integers(-(2**53), 2**53)),
    "flag": (Flag(), st.booleans()),
    "flag as a word": (FlagText(), st.booleans()),
    "decimal": (DecimalNumber(), st.decimals(allow_nan=False, allow_infinity=False)),
    "int text": (DecimalText(), st.integers(-(10**30), 10**30)),
    "float text": (FloatText(), st.floats(allow_nan=False, allow_infinity=False)),
    "time": (
        Micros(),
        st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.sampled_from([UTC, EAST])),
    ),
    "date": (IsoDate(), st.dates()),
    "uuid": (UuidBytes(), st.uuids()),
    "enum of text": (EnumValue(Side, Utf8()), st.sampled_from(Side)),
    "enum of numbers": (EnumValue(Level, Int64()), st.sampled_from(Level)),
    **{f"{type(codec).__name__} {index}": (codec, drawn(codec)) for index, codec in enumerate(OTHERS)},
}
# Codecs that read what other writers may spell in another way.
LOOSE = (Json, Protobuf, Compressed, Either, NumpyArray)
SPELLED = [name for name, (codec, _) in CASES.items() if isinstance(codec, LOOSE)]
STRICT = [name for name in CASES if name not in ("int text", "float text", "decimal", *SPELLED)]


def test_every_cell_codec_is_held_here() -> None:
    """A codec that the package shows has a case in this table, but for that of mappings, whose values need the key of an entry."""
    shown = [getattr(cell_codecs, name) for name in cell_codecs.__all__]
    codecs = {one for one in shown if isinstance(one, type) and issubclass(one, CellCodec)}
    assert codecs - {CellCodec, cell_codecs.PerEntry} == {type(codec) for codec, _ in CASES.values()} - {
        AsInKey
    }


@pytest.mark.parametrize(("codec", "values"), CASES.values(), ids=CASES)
@examples(10)
@given(data=st.data())
def test_a_value_comes_back(codec: CellCodec[Any], values: SearchStrategy[Any], data: st.DataObject) -> None:
    """Decoding an encoded value gives the value, of the type that the codec names."""
    value = data.draw(values)
    back = codec.decode(codec.encode(value))
    assert np.array_equal(back, value) if isinstance(value, np.ndarray) else back == value
    assert getattr(back, "dtype", None) == getattr(value, "dtype", None)
    assert isinstance(back, get_origin(codec.python_type) or codec.python_type)
    assert repr(back) == repr(value) or not isinstance(value, Decimal), "digits are kept as they are"


@pytest.mark.parametrize(("codec", "values"), CASES.values(), ids=CASES)
@examples(10)
@given(data=st.data())
def test_no_value_is_larger_than_the_codec_says(
    codec: CellCodec[Any], values: SearchStrategy[Any], data: st.DataObject
) -> None:
    """The bytes of a value stay within the largest size, and so does the typical one."""
    if codec.max_size is not None:
        assert len(codec.encode(data.draw(values))) <= codec.max_size
        assert codec.typical_size <= codec.max_size


@pytest.mark.parametrize(
    ("codec", "value", "most"),
    [
        (DecimalText(), 1 - 2**13_287, 4001),
        (FloatText(), -2.2250738585072014e-308, 24),
        (FlagText("on", "off"), False, 3),
        (EnumValue(Length, Utf8()), Length.LONG, 4),
        (AsInKey(PaddedInt(7)), 1, 7),
        (Compressed(UuidBytes()), UUID(int=2**127 + 5**40), 17),
        (RawArray(">i4", (2, 3)), np.zeros((2, 3), ">i4"), 24),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, CellCodec) else "",
)
def test_the_largest_size_is_that_of_a_value(codec: CellCodec[Any], value: Any, most: int) -> None:
    """Where a codec bounds its values, there is one of that size."""
    assert codec.max_size == len(codec.encode(value)) == most


def test_what_nothing_bounds_has_no_largest_size() -> None:
    """Text and documents may have any size; so may what is compressed, unless it is told how much may come out."""
    assert Utf8().max_size is None
    assert Compressed(Utf8()).max_size is None
    assert Compressed(Utf8(), most=100).max_size == 101
    assert Either(Int64(), DecimalText()).max_size == 4001
    assert Either(Json(dict[str, int]), Json(dict[str, int | None])).max_size is None
    assert RawArray(">i4", (None, 3)).max_size is None


@pytest.mark.parametrize("name", STRICT)
@examples(10)
@given(data=st.data())
def test_one_value_has_one_encoding(name: str, data: st.DataObject) -> None:
    """Arbitrary bytes raise ValueError, or are the one encoding of the value that they decode to."""
    codec, values = CASES[name]
    raw = data.draw(st.binary(max_size=20) | st.binary(min_size=8, max_size=8))
    raw = data.draw(
        st.sampled_from([raw, codec.encode(data.draw(values)) + raw[:1], b"2013-W05-4", b"20130131"])
    )
    try:
        value = codec.decode(raw)
    except ValueError:
        return
    again = codec.encode(value)
    assert again == raw or (isinstance(value, float) and math.isnan(value))


@pytest.mark.parametrize("name", SPELLED)
@examples(10)
@given(data=st.data())
def test_other_bytes_are_refused_or_read_as_a_stable_value(name: str, data: st.DataObject) -> None:
    """Bytes cut, changed or made up raise ValueError, or give a value that is written and read as itself."""
    codec, values = CASES[name]
    raw = bytearray(codec.encode(data.draw(values)))
    for at in data.draw(st.lists(st.integers(0, max(len(raw) - 1, 0)), max_size=2)):
        raw[at : at + 1] = data.draw(st.binary(max_size=2))
    try:
        value = codec.decode(data.draw(st.sampled_from([bytes(raw), data.draw(st.binary())])))
    except ValueError:
        return
    raw_again = codec.encode(value)
    assert codec.encode(codec.decode(raw_again)) == raw_again


@pytest.mark.parametrize("name", ["int text", "float text", "decimal"])
@examples(10)
@given(raw=st.from_regex(rb"[-+ ]?[0-9_]{0,4}(\.[0-9_]{0,3})?([eE][-+]?[0-9]{1,3})?[ \n]?", fullmatch=True))
def test_other_spellings_of_a_number_keep_their_value(name: str, raw: bytes) -> None:
    """Text that other writers spelled another way is refused, or read as a value that is stable."""
    codec, _ = CASES[name]
    try:
        value = codec.decode(raw)
    except ValueError:
        return
    assert codec.decode(codec.encode(value)) == value
    assert not set(raw) & set(b" _\n"), "neither spaces nor underscores are part of a number"


TIME = datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)
DEFAULTS: list[tuple[type, Any, bytes]] = [
    (str, "Grüße", "Grüße".encode()),
    (str, "", b""),
    (bytes, b"\x00\xff", b"\x00\xff"),
    (int, 500, b"\x00\x00\x00\x00\x00\x00\x01\xf4"),
    (int, -1, b"\xff" * 8),
    (int, 2**63 - 1, b"\x7f" + b"\xff" * 7),
    (float, 9.5, b"\x40\x23\x00\x00\x00\x00\x00\x00"),
    (float, -0.0, b"\x80" + bytes(7)),
    (bool, True, b"\x01"),
    (bool, False, b"\x00"),
    (Decimal, Decimal("600.50"), b"600.50"),
    (Decimal, Decimal("1E+5"), b"1E+5"),
    (datetime, TIME, struct.pack(">q", 1426535612156000)),
    (datetime, datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), b"\xff" * 8),
    (date, date(2013, 1, 31), b"2013-01-31"),
    (UUID, UUID(int=1), bytes(15) + b"\x01"),
    (Side, Side.SELL, b"S"),
    (Level, Level.HIGH, bytes(7) + b"\x02"),
]


@pytest.mark.parametrize(("annotation", "value", "raw"), DEFAULTS)
def test_the_default_encoding_of_a_type_is_pinned(annotation: type, value: Any, raw: bytes) -> None:
    """An annotation always gives these bytes: a change would misread every cell that is written."""
    codec = default_codec(annotation)
    assert codec is not None
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value


def test_the_table_of_defaults_is_pinned() -> None:
    """The types that have a default codec are these and no others."""
    assert set(cell_codecs.DEFAULTS) == {str, bytes, int, float, bool, Decimal, datetime, date, UUID}
    for other in (Mixed, set[int], object, complex, "int", None, type("Text", (str,), {})):
        assert default_codec(other) is None


def test_classes_and_containers_are_json_and_messages_are_protobuf() -> None:
    """What can hold others has a default codec, too, by what it is."""
    for annotation in (dict, list, dict[str, int], list[Point], tuple[int, ...], Order, Point, Span):
        assert default_codec(annotation) == Json(annotation)
    assert default_codec(Timestamp) == Protobuf(Timestamp)


PINNED: list[tuple[CellCodec[Any], Any, bytes]] = [
    (AsInKey(PaddedInt(4)), 7, b"0007"),
    (IntBytes(2, "little"), -2, b"\xfe\xff"),
    (IntBytes(3, signed=False), 2**24 - 1, b"\xff\xff\xff"),
    (FloatBytes(4, "little"), 9.5, b"\x00\x00\x18\x41"),
    (FloatBytes(8, "little"), 9.5, b"\x00\x00\x00\x00\x00\x00\x23\x40"),
    (Present(), True, b""),
    (HexText(), b"\x00\xff", b"00ff"),
    (Base64Text(), b"\x00\xff", b"AP8="),
    (Json(dict[str, float]), {"b": 1.0, "ü": 0.5}, '{"b":1.0,"ü":0.5}'.encode()),
    (Json(list[datetime]), [datetime(2020, 1, 1, tzinfo=UTC)], b'["2020-01-01T00:00:00+00:00"]'),
    (Json(list[Decimal]), [Decimal("600.50")], b'["600.50"]'),
    (
        Json(tuple[Side, UUID, date, None]),
        (Side.BUY, UUID(int=1), date(2020, 1, 2), None),
        b'["B","00000000-0000-0000-0000-000000000001","2020-01-02",null]',
    ),
    (Json(Point), Point(1), b'{"x":1,"y":0}'),
    (Protobuf(Timestamp), Timestamp(seconds=5, nanos=1), b"\x08\x05\x10\x01"),
    (Packed(Span, "<hf?3s"), Span(-1, 0.5, True, b"abc"), b"\xff\xff\x00\x00\x00\x3f\x01abc"),
    (Compressed(Utf8()), "abc", b"\x00abc"),
    (Compressed(Utf8()), "a" * 100, b"\x01x\x9cKL\xa4=\x00\x00zG%\xe5"),
    (Either(Int64(), DecimalText()), 5, bytes(7) + b"\x05"),
]


@pytest.mark.parametrize(("codec", "value", "raw"), PINNED)
def test_the_bytes_of_a_codec_are_pinned(codec: CellCodec[Any], value: Any, raw: bytes) -> None:
    """A codec always gives these bytes, and reads them."""
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value


def test_the_bytes_of_arrays_are_pinned() -> None:
    """A raw array is its items in C order; the other is what ``numpy.save`` writes."""
    array = np.array([[1, 2], [3, 4]], dtype=">u2")
    assert RawArray(">u2", (None, 2)).encode(array.copy("F")) == b"\0\1\0\2\0\3\0\4"
    raw = NumpyArray().encode(array)
    assert raw.startswith(b"\x93NUMPY\x01\x00")
    assert raw.endswith(b"\0\1\0\2\0\3\0\4")


def test_cells_are_read_whatever_method_compressed_them() -> None:
    """The method can be changed: the first byte of each cell says which one wrote it."""
    text = "a" * 500
    for method in ("zlib", "bz2", "lzma"):
        raw = Compressed(Utf8(), method).encode(text)  # type: ignore[arg-type]
        assert len(raw) < 100
        assert Compressed(Utf8()).decode(raw) == text
        for wrong in (raw + b"x", raw[:-1], b"\x09" + raw[1:]):
            with pytest.raises(ValueError, match="expected"):
                Compressed(Utf8()).decode(wrong)
        with pytest.raises(ValueError, match="expected up to 499 bytes when decompressed, got more"):
            Compressed(Utf8(), most=499).decode(raw)


def test_old_cells_are_read_by_the_old_codec() -> None:
    """While an encoding changes, both are read."""
    assert Either(Int64(), DecimalText()).decode(b"500") == 500


def test_unknown_fields_of_a_message_survive() -> None:
    """What a newer writer added is not lost by reading and writing."""
    codec = Protobuf(Timestamp)
    assert codec.encode(codec.decode(b"\x08\x05\x78\x07")) == b"\x08\x05\x78\x07"


def test_a_misfit_in_a_document_is_told_with_its_place() -> None:
    """The error leads to the part of the document that is wrong."""
    codec = Json(list[Point])
    with pytest.raises(ValueError, match=r"^expected a whole number at \$\[1\]\.x, got 1\.5$"):
        codec.decode(b'[{"x":1},{"x":1.5}]')
    with pytest.raises(ValueRefused, match=r"^expected a whole number at \$\[0\]\.y \(not True\), got"):
        codec.encode([Point(1, True)])


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: IntBytes(9), "a size of 1 to 8 or of 16"),
    (lambda: FloatBytes(2), "4 or 8"),  # type: ignore[arg-type]
    (lambda: Json(set[int]), "has no form in JSON"),
    (lambda: Json(dict[int, int]), "keys of JSON are text"),
    (lambda: Protobuf(int), "class of a message"),
    (lambda: Packed(Span, "if?3s"), "byte order"),
    (lambda: Packed(Span, "<if"), "has 4 fields, but '<if' has 2 items"),
    (lambda: Compressed(Raw(), "zip"), "expected the method"),  # type: ignore[arg-type]
    (lambda: Either(Int64()), "two cell codecs"),
    (lambda: Either(Int64(), Float64()), "one type"),
    (lambda: Either(Raw(), HexText()), "almost any bytes"),
    (lambda: NumpyArray(object), "Python objects"),
    (lambda: RawArray("f8", (2,)), "byte order"),
    (lambda: RawArray("<f8", (None, None)), "one None"),
]


@pytest.mark.parametrize(("declare", "wanted"), WRONG)
def test_a_wrong_declaration_is_refused(declare: Callable[[], object], wanted: str) -> None:
    """A codec that cannot be is refused where it is declared."""
    with pytest.raises(DeclarationError, match=wanted):
        declare()


REFUSED: list[tuple[CellCodec[Any], list[Any]]] = [
    (Utf8(), [b"a", 1, None, "\ud800"]),
    (Raw(), ["a", None, [1], 1]),
    (Int64(), [2**63, -(2**63) - 1, 1.0, True, "1", None, Decimal(1)]),
    (Float64(), ["1", True, None, Decimal(1), 10**400, 2**53 + 1]),
    (Flag(), [1, 0, None, "True"]),
    (FlagText(), [1, 0, None, "true"]),
    (DecimalNumber(), [Decimal("NaN"), Decimal("Infinity"), 1, 1.5, "1", None]),
    (DecimalText(), [1.0, True, "1", None]),
    (FloatText(), [float("nan"), float("inf"), -float("inf"), True, "1", None, 10**400, 2**53 + 1]),
    (Micros(), [datetime(2020, 1, 1), date(2020, 1, 1), 0, None]),
    (IsoDate(), [TIME, "2020-01-01", None, 0]),
    (UuidBytes(), [str(UUID(int=1)), b"", None]),
    (EnumValue(Side, Utf8()), ["B", Level.LOW, None]),
    (IntBytes(1), [128, -129, 1.0, True, None]),
    (IntBytes(1, signed=False), [-1, 256]),
    (FloatBytes(4), [0.1, 1e300, 2**24 + 1, True, None]),
    (Present(), [False, 1, None]),
    (HexText(), ["00", None]),
    (Base64Text(), ["AP8=", None]),
    (Json(dict[str, int]), [{"a": 1.5}, {"a": True}, {1: 1}, {"a": "1"}, {"\ud800": 1}, [], None]),
    (Json(list[float]), [[math.nan], [math.inf], (1.0,), ["1"], [10**400]]),
    (Json(Point), [Point(1.5), {"x": 1}, None]),  # type: ignore[arg-type]
    (Json(list[datetime]), [[datetime(2020, 1, 1)]]),
    (Protobuf(Timestamp), [Struct(), b"", None]),
    (
        Packed(Span, "<hf?3s"),
        [
            Span(2**15, 0.5, True, b"abc"),
            Span(1, 0.1, True, b"abc"),
            Span(1, 1.0, 1, b"abc"),
            Span(1, 1.0, True, b"ab"),
            (1, 1.0, True, b"abc"),
            None,
        ],
    ),  # type: ignore[arg-type]
    (Compressed(Utf8(), most=3), ["abcd", b"a", None]),
    (NumpyArray("<f8", (2, None)), [np.zeros((3, 1)), np.zeros((2, 1), "<f4"), [1.0], None]),
    (NumpyArray(), [np.array([None])]),
    (RawArray("<f8", (2,)), [np.zeros(3), np.zeros(2, ">f8"), None]),
]


@pytest.mark.parametrize(("codec", "values"), REFUSED, ids=lambda one: type(one).__name__)
def test_a_value_that_does_not_fit_is_refused(codec: CellCodec[Any], values: list[Any]) -> None:
    """A cell codec refuses what it could not give back, rather than round or convert it."""
    for value in values:
        with pytest.raises(ValueRefused) as refusal:
            codec.encode(value)
        assert refusal.value.got is value


UNREADABLE: list[tuple[CellCodec[Any], list[bytes]]] = [
    (Utf8(), [b"\xff", b"\xed\xa0\x80"]),
    (Int64(), [b"", b"1", bytes(7), bytes(9)]),
    (Float64(), [b"", bytes(9)]),
    (Flag(), [b"", b"\x02", b"1", b"\x00\x00"]),
    (FlagText("J", "N"), [b"", b"j", b"true", b"JN"]),
    (DecimalNumber(), [b"", b"NaN", b"Infinity", b" 1", b"1_000", "\u0661".encode(), b"\xff", b"1.2.3"]),
    (DecimalText(), [b"", b"+1", b" 1", b"1_0", b"01", b"1.0", "\u0661".encode()]),
    (FloatText(), [b"", b"nan", b"inf", b"1_0", b" 1", b"1e999", b"0x1", b"."]),
    (Micros(), [b"", b"\x7f" + b"\xff" * 7, b"\x80" + bytes(7)]),
    (IsoDate(), [b"", b"20130131", b"2013-W05-4", b"2013-02-30", b"2013-1-031", b"2013-01-3x"]),
    (UuidBytes(), [b"", bytes(15), bytes(17)]),
    (EnumValue(Side, Utf8()), [b"", b"X", b"\xff"]),
    (EnumValue(Level, Int64()), [bytes(8), b"1"]),
    (IntBytes(3), [b"", bytes(4)]),
    (FloatBytes(4), [b"", bytes(8)]),
    (Present(), [b"\x01"]),
    (HexText(), [b"0", b"0G", b"FF", b" 00", b"\xff"]),
    (Base64Text(), [b"AP9=", b"AP8", b"AP8=\n", b"A", b"\xff"]),
    (
        Json(dict[str, int]),
        [b"", b"[]", b'{"a":1.0}', b'{"a":true}', b'{"a":1,"a":2}', b'{"a":NaN}', b"\xff"],
    ),
    (Json(list[float]), [b"[1e999]", b"[NaN]", b"[" * 100_000, b'["1"]', b"[1" + b"0" * 400 + b"]"]),
    (Json(list[Any]), [b"[1e999]", b"[[Infinity]]", b'["\\ud800"]']),
    (Json(Point), [b"{}", b'{"x":1,"z":1}', b"[1]"]),
    (Json(list[Side]), [b'["X"]', b"[[]]"]),
    (Protobuf(Timestamp), [b"\xff", b"\x08"]),
    (Packed(Span, "<hf?3s"), [b"", b"\xff\xff\x00\x00\x00\x3f\x02abc"]),
    (Compressed(Utf8()), [b"", b"\x04", b"\x01", b"\x02", b"\x03", b"\x01abc", b"\x02abc", b"\x03abc"]),
    (Either(Int64(), DecimalText()), [b"", b"x"]),
    (NumpyArray(), [b"", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x09\x00abc"]),
    (RawArray("<f8", (2,)), [b"", bytes(8), bytes(24)]),
]


@pytest.mark.parametrize(("codec", "raws"), UNREADABLE, ids=lambda one: type(one).__name__)
def test_bytes_that_are_no_value_are_a_value_error(codec: CellCodec[Any], raws: list[bytes]) -> None:
    """Bytes that no value has are a ValueError, never a guess."""
    for raw in raws:
        with pytest.raises(ValueError, match=r"."):
            codec.decode(raw)


def test_not_a_number_stays_not_a_number() -> None:
    """A float cell can hold NaN, which comes back as NaN."""
    assert math.isnan(Float64().decode(Float64().encode(math.nan)))


@frozen
class Celsius(CellCodec[float]):
    """A codec as a user writes one: tenths of a degree as text."""

    python_type = float
    typical_size = 4
    meaning = "tenths of a degree"

    def encode(self, value: float) -> bytes:
        if round(value * 10) / 10 != value:
            raise ValueRefused("whole tenths of a degree", value)
        return b"%d" % round(value * 10)

    def decode(self, raw: bytes) -> float:
        return int(raw) / 10


def test_a_codec_of_ones_own_serves_a_column() -> None:
    """A codec that a user writes, or a default one by annotation, is what the column is written with."""

    class Station(bt.Model, table="station"):
        name: str = bt.key(bt.Text(width=3), cardinality=1000)

        w = bt.family("w", gc=bt.max_versions(1))
        heat: float = bt.column("heat", w, codec=Celsius())
        limits: dict[str, int] = bt.column("limits", w)
        place: Point | None = bt.column("place", w, default=None)

    row = Station(name="JFK", heat=35.6, limits={"most": 5}, place=Point(1, 2))
    cells = codec_of(Station).encode(Fields(row), 0).cells
    assert [cell.value for cell in cells] == [b"356", b'{"most":5}', b'{"x":1,"y":2}']
    assert codec_of(Station).decode(b"JFK", list(cells)) == row


def test_a_default_that_cannot_be_is_told_with_its_place() -> None:
    """An annotation that JSON has no form for is refused with the line that declares it."""
    with pytest.raises(
        DeclarationError, match=r"test_cell_codecs\.py:\d+: Wrong\.limits: Json: .* keys of JSON"
    ):

        class Wrong(bt.Model, table="wrong"):
            name: str = bt.key(bt.Text(width=3), cardinality=1000)

            w = bt.family("w", gc=bt.max_versions(1))
            limits: dict[int, int] = bt.column("limits", w)


def test_a_codec_of_entries_says_what_all_of_them_say() -> None:
    """Sizes, bytes and words are those of the codecs of its entries."""
    codec = PerEntry({"a": Int64(), "b": Flag()})
    assert (codec.max_size, codec.typical_size) == (8, 8)
    assert codec.of("b").encode(True) == b"\1"
    assert PerEntry({"a": Int64()}, Utf8()).max_size is None
    assert codec.meaning == "'a': signed 64-bit integer, big-endian; 'b': one byte, 0 or 1"
    with pytest.raises(ValueError, match="the entry of a mapping"):
        codec.decode(b"")


@pytest.mark.parametrize("raw", [b"\xff" * 4_000, b"0" * 4_000, b"[" * 4_000])
@pytest.mark.parametrize("name", CASES)
def test_a_long_cell_is_cut_in_its_error(name: str, raw: bytes) -> None:
    """A message stays a line that people read, however long the bytes are that it is about."""
    said = ""
    try:
        CASES[name][0].decode(raw)
    except ValueError as error:
        said = str(error)
    assert len(said) < 600


def test_a_value_that_is_none_of_an_enum_is_refused_with_those_that_are() -> None:
    """Files of Parquet name members, and JSON has their values: the message shows which are meant."""
    codec = Json(list[Level])
    with pytest.raises(
        ValueError, match=re.escape("a value of Level (" + ", ".join(repr(one.value) for one in Level) + ")")
    ):
        codec.decode(b'["NONE"]')
