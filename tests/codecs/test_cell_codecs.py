"""The bytes of cells: what every cell codec promises, and the table of defaults, a contract on disk."""

import math
import struct
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from btmodel.codecs import cell as cell_codecs
from btmodel.codecs.cell import (
    CellCodec,
    DecimalNumber,
    DecimalText,
    EnumValue,
    Flag,
    Float64,
    FloatText,
    Int64,
    IsoDate,
    Micros,
    Raw,
    Utf8,
    UuidBytes,
    default_codec,
)
from btmodel.errors import ValueRefused


class Side(Enum):
    """An enum of text."""

    BUY = "B"
    SELL = "S"


class Level(Enum):
    """An enum of numbers."""

    LOW = 1
    HIGH = 2


class Mixed(Enum):
    """An enum that has no default codec."""

    ONE = 1
    TWO = "2"


EAST = timezone(timedelta(hours=5, minutes=45))
FLOATS = st.floats(allow_nan=False)
CASES: dict[str, tuple[CellCodec[Any], SearchStrategy[Any]]] = {
    "text": (Utf8(), st.text(st.characters(exclude_categories=["Cs"]))),
    "bytes": (Raw(), st.binary()),
    "int": (Int64(), st.integers(-(2**63), 2**63 - 1)),
    "float": (Float64(), FLOATS | st.integers(-(2**53), 2**53)),
    "flag": (Flag(), st.booleans()),
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
}
STRICT = [name for name in CASES if name not in ("int text", "float text", "decimal")]


def test_every_cell_codec_is_held_here() -> None:
    """A codec that the package shows has a case in this table."""
    shown = [getattr(cell_codecs, name) for name in cell_codecs.__all__]
    codecs = {one for one in shown if isinstance(one, type) and issubclass(one, CellCodec)}
    assert codecs - {CellCodec} == {type(codec) for codec, _ in CASES.values()}


@pytest.mark.parametrize(("codec", "values"), CASES.values(), ids=CASES)
@given(data=st.data())
def test_a_value_comes_back(codec: CellCodec[Any], values: SearchStrategy[Any], data: st.DataObject) -> None:
    """Decoding an encoded value gives the value, of the type that the codec names."""
    value = data.draw(values)
    back = codec.decode(codec.encode(value))
    assert back == value
    assert isinstance(back, codec.python_type)
    assert repr(back) == repr(value) or not isinstance(value, Decimal), "digits are kept as they are"


@pytest.mark.parametrize("name", STRICT)
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


@pytest.mark.parametrize("name", ["int text", "float text", "decimal"])
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
    for other in (Mixed, list[int], object, complex, "int", None, type("Text", (str,), {})):
        assert default_codec(other) is None


REFUSED: list[tuple[CellCodec[Any], list[Any]]] = [
    (Utf8(), [b"a", 1, None, "\ud800"]),
    (Raw(), ["a", None, [1], 1]),
    (Int64(), [2**63, -(2**63) - 1, 1.0, True, "1", None, Decimal(1)]),
    (Float64(), ["1", True, None, Decimal(1), 10**400, 2**53 + 1]),
    (Flag(), [1, 0, None, "True"]),
    (DecimalNumber(), [Decimal("NaN"), Decimal("Infinity"), 1, 1.5, "1", None]),
    (DecimalText(), [1.0, True, "1", None]),
    (FloatText(), [float("nan"), float("inf"), -float("inf"), True, "1", None, 10**400, 2**53 + 1]),
    (Micros(), [datetime(2020, 1, 1), date(2020, 1, 1), 0, None]),
    (IsoDate(), [TIME, "2020-01-01", None, 0]),
    (UuidBytes(), [str(UUID(int=1)), b"", None]),
    (EnumValue(Side, Utf8()), ["B", Level.LOW, None]),
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
    (DecimalNumber(), [b"", b"NaN", b"Infinity", b" 1", b"1_000", "\u0661".encode(), b"\xff", b"1.2.3"]),
    (DecimalText(), [b"", b"+1", b" 1", b"1_0", b"01", b"1.0", "\u0661".encode()]),
    (FloatText(), [b"", b"nan", b"inf", b"1_0", b" 1", b"1e999", b"0x1", b"."]),
    (Micros(), [b"", b"\x7f" + b"\xff" * 7, b"\x80" + bytes(7)]),
    (IsoDate(), [b"", b"20130131", b"2013-W05-4", b"2013-02-30", b"2013-1-031", b"2013-01-3x"]),
    (UuidBytes(), [b"", bytes(15), bytes(17)]),
    (EnumValue(Side, Utf8()), [b"", b"X", b"\xff"]),
    (EnumValue(Level, Int64()), [bytes(8), b"1"]),
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
