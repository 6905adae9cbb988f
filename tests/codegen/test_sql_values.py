"""What SQL reads of each codec's bytes, as Google's implementation of GoogleSQL runs it."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs import cell as cells
from btmodel.codecs import key as keys
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec, Text
from btmodel.schema import KeyField, RowKey
from btmodel.sql.readings import of_cell, of_key
from tests.codegen.googlesql_engine import in_bigquery, in_bigtable, run
from tests.codegen.sql_files import as_sql_has_it, column_of, fields_of, options, text_of, view_of
from tests.examples_tried import examples
from tests.schemas import model_of

FIRST = datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
SPAN = datetime(2015, 2, 26, tzinfo=UTC)  # 589 * 28 days
AT = datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)


class Side(Enum):
    """Of a trade."""

    BUY = "buy"


class Quoted(Enum):
    """Texts that SQL and its patterns write in a way of their own."""

    ITS = "it's"
    BACK = "no\\"
    ANY = "b.*|x"
    SHORT = "b."


class Digit(StrEnum):
    """Texts that sort downwards digit by digit."""

    ELEVEN = "11"
    TEN = "10"


class Lax(Enum):
    """Finds a member for any text."""

    ANY = "any"

    @classmethod
    def _missing_(cls, value: object) -> "Lax":
        return cls.ANY


class Size(Enum):
    """Numbers, one of them negative."""

    SMALL = 7
    LARGE = 2**40
    NONE = -1


KEYS: list[tuple[KeyCodec[Any], Any, Any]] = [
    (keys.Text(width=6), "NYSE", "NYSE"),
    (keys.Text(max_length=6), "é", "é"),
    (keys.PaddedInt(4), 7, 7),
    (keys.Int(max_digits=18), 7, 7),
    (keys.DateText(), date(2020, 2, 29), date(2020, 2, 29)),
    (keys.DateText("%d.%m.%Y"), date(2020, 2, 29), date(2020, 2, 29)),
    (keys.DateText("%Y-%m"), date(2020, 2, 1), date(2020, 2, 1)),
    (keys.TimeText("%Y%m%d-%H%M"), AT.replace(second=0, microsecond=0), AT.replace(second=0, microsecond=0)),
    (keys.EpochSeconds(), AT.replace(microsecond=0), AT.replace(microsecond=0)),
    (keys.EpochMillis(), AT, AT),
    (keys.EpochMicros(), AT, AT),
    (keys.ReversedSeconds(), AT.replace(microsecond=0), AT.replace(microsecond=0)),
    (keys.ReversedMillis(), AT, AT),
    (keys.ReversedMicros(), AT, AT),
    (keys.Descending(keys.PaddedInt(4)), 7, 7),
    (keys.Descending(keys.EpochMillis()), AT, AT),
    (keys.Hex(2), b"\x00\xff", b"\x00\xff"),
    (keys.HexDigest(4), "00ff", "00ff"),
    (keys.Boolean(), True, True),
    (keys.Boolean(), False, False),
    (keys.EnumText(Side), Side.BUY, "buy"),
    (keys.UuidText(), UUID(int=7), str(UUID(int=7))),
    (keys.BigEndian(8, signed=True), -7, -7),
    (keys.BigEndian(8), 7, 7),
    (keys.BigEndian(8), 2**63, None),
    (keys.BigEndian(4), 7, 7),
    (keys.BigEndian(4), 2**32 - 1, 2**32 - 1),
    (keys.BigEndian(4, signed=True), -(2**31), -(2**31)),
    (keys.BigEndian(4, signed=True), 2**31 - 1, 2**31 - 1),
    (keys.LittleEndian(2), 7, 7),
    (keys.LittleEndian(2, signed=True), -7, -7),
    (keys.LittleEndian(8, signed=True), -7, -7),
    (keys.LittleEndian(8, signed=True), -(2**63), -(2**63)),
    (keys.BigEndian(8, signed=True), 2**63 - 1, 2**63 - 1),
    (keys.BigEndian(8, signed=True), 2**31, 2**31),
    (keys.ReversedDigits(3), 120, 120),
    (keys.HexInt(4), 255, 255),
    (keys.HexInt(16), 2**64 - 1, None),
    (keys.PaddedInt(19), 2**63 - 1, 2**63 - 1),
    (keys.Base64(size=2), b"\xff\xef", b"\xff\xef"),
    (keys.Base64(size=3), b"\xff\xef\xbf", b"\xff\xef\xbf"),
    (keys.Base64(size=4), b"\xff\xef\xbf\0", b"\xff\xef\xbf\0"),
    (keys.ReversedDomain(max_length=30), "drive.google.com", "drive.google.com"),
    (keys.UuidRaw(), UUID(int=7), str(UUID(int=7))),
    (keys.TimeText("%Y%m%d%H%M%S%3f"), AT, AT),
    (keys.TimeText("%Y-%m-%d %H:%M:%S.%f"), AT.replace(microsecond=1), AT.replace(microsecond=1)),
    (keys.Week(origin=date(2020, 1, 6)), date(2020, 3, 9), date(2020, 3, 9)),
    (keys.Week("w.{n:03}+", origin=date(2020, 1, 6), first=0), date(2020, 3, 9), date(2020, 3, 9)),
    (keys.Descending(keys.DateText()), date(2020, 2, 29), date(2020, 2, 29)),
    (keys.Descending(keys.DateText("%Y-%m-%d")), date(2020, 2, 29), date(2020, 2, 29)),
    (keys.Descending(keys.HexInt(4)), 255, 255),
    (keys.Descending(keys.HexDigest(4)), "00ff", "00ff"),
    (keys.Descending(keys.BigEndian(4)), 7, 7),
    (keys.Descending(keys.UuidRaw()), UUID(int=7), str(UUID(int=7))),
    (keys.LengthPrefixed(keys.Text(max_length=9)), "\u00e9", "\u00e9"),
    (keys.Bytes(width=2), b"\x00\xff", b"\x00\xff"),
    (keys.TimeBytes("second", 4), AT.replace(microsecond=0), AT.replace(microsecond=0)),
    (keys.TimeBytes("second", 4, signed=True), FIRST, FIRST),
    (keys.TimeBytes("millisecond"), AT, AT),
    (keys.TimeBytes("microsecond", 8, "little"), AT, AT),
    (keys.Descending(keys.PaddedInt(4), greatest=5_000), 7, 7),
    (keys.EpochBucket(keys.EpochSeconds(), timedelta(days=28)), SPAN, SPAN),
    (keys.EpochBucket(keys.TimeBytes("second", 4), timedelta(days=28)), SPAN, SPAN),
    (keys.EpochBucket(keys.PaddedInt(4), timedelta(days=28)), SPAN, 589),
    (keys.Text(max_length=6, encoding="ascii"), "a", "a"),
    # What SQL does not decode is the stored text or bytes.
    (keys.Descending(keys.TimeBytes("millisecond")), AT, b"\xff\xff\xfe\xb3\xdb\xda\x01\x03"),
    (keys.IsoTimeText(3), AT, "2015-03-16T19:53:32.156Z"),
    (keys.TimeBytes("nanosecond"), AT, (1_426_535_612_156_000_000).to_bytes(8)),
    (keys.HexInt(4, padded=False), 255, "ff"),
    (keys.Text(max_length=6, encoding="latin-1"), "é", b"\xe9"),
    (keys.OrderedCode(keys.OrderedInt()), 64, b"\xc0\x40"),
    (keys.VarInt(), 300, b"\xac\x02"),
    (keys.PaddedInt(30), 7, "7".zfill(30)),
    (keys.ReversedDigits(30), 7, "7".ljust(30, "0")),
    (keys.TimeText("%f %Y%m%d%H%M%S"), AT, "156000 20150316195332"),
    (keys.IsoWeek(), date(2020, 3, 9), "2020-W11"),
    (keys.Repeated(keys.Text(max_length=3), separator=b"/", most=3), ("a", "b"), "a/b"),
]
CELLS: list[tuple[CellCodec[Any], Any, Any]] = [
    (cells.Utf8(), "é", "é"),
    (cells.Raw(), b"\xff", b"\xff"),
    (cells.Int64(), -7, -7),
    (cells.IntBytes(8), -7, -7),
    (cells.Float64(), 0.1, 0.1),
    (cells.FloatBytes(8), 0.1, 0.1),
    (cells.Flag(), True, True),
    (cells.Flag(), False, False),
    (cells.FlagText("it's", "no\\"), True, True),
    (cells.FlagText("it's", "no\\"), False, False),
    (cells.Present(), True, True),
    (cells.DecimalText(), -7, -7),
    (cells.DecimalText(), 2**64, None),
    (cells.FloatText(), 1e300, 1e300),
    (cells.Micros(), AT, AT),
    (cells.Micros(), AT.replace(year=1960), AT.replace(year=1960)),
    (cells.IsoDate(), date(2020, 2, 29), date(2020, 2, 29)),
    (cells.HexText(), b"\xff", b"\xff"),
    (cells.Base64Text(), b"\xff", b"\xff"),
    (cells.EnumValue(Side, cells.Utf8()), Side.BUY, "buy"),
    (keys.AsInKey(keys.PaddedInt(4)), 7, 7),
    (cells.UuidBytes(), UUID(int=7), str(UUID(int=7))),
    (cells.IntBytes(8, signed=False), 7, 7),
    (cells.IntBytes(8, "little", signed=False), 2**63, None),
    (cells.IntBytes(4, "little"), -7, -7),
    (cells.IntBytes(1, signed=False), 255, 255),
    (cells.IntBytes(8, "little"), 7, 7),
    (cells.IntBytes(8, "little"), -7, -7),
    (cells.IntBytes(8, "little"), -(2**63), -(2**63)),
    (cells.IntBytes(8, "little"), 2**63 - 1, 2**63 - 1),
    (keys.AsInKey(keys.LittleEndian(8, signed=True)), -(2**32), -(2**32)),
    (keys.AsInKey(keys.TimeBytes("millisecond")), AT, AT),
    (keys.AsInKey(keys.EpochBucket(keys.EpochSeconds(), timedelta(days=28))), SPAN, SPAN),
    # What SQL does not decode is the stored text or bytes.
    (cells.IsoTime(), AT, "2015-03-16T19:53:32.156Z"),
    (keys.AsInKey(keys.IsoTimeText(3)), AT, "2015-03-16T19:53:32.156Z"),
    (cells.TextBytes("latin-1"), "é", b"\xe9"),
    (cells.Prefixed(b"\x00", cells.Utf8()), "a", b"\x00a"),
    (cells.FloatBytes(4), 0.5, b"\x3f\0\0\0"),
    (cells.Json(list[int]), [1], "[1]"),
    (cells.EnumValue(Side, cells.Json(str)), Side.BUY, '"buy"'),
    (cells.EnumValue(Size, cells.IntBytes(16)), Size.SMALL, b"\x07".rjust(16, b"\0")),
    # A member may be found for other values.
    (cells.EnumValue(Lax, cells.Utf8()), Lax.ANY, "any"),
]


@pytest.mark.parametrize(("codec", "given", "wanted"), KEYS)
def test_fields_of_a_key_are_decoded(codec: KeyCodec[Any], given: Any, wanted: Any) -> None:
    """What SQL reads of an encoded field is the value, or what is stored, and then it says so; in both engines."""
    model = model_of(RowKey((KeyField("k", codec),), b"#"))
    raw = codec.encode(given)
    [row] = run(in_bigtable("t", {raw: {}}, (), text_of(model)))
    found = row["k"]
    assert found == wanted
    assert type(found) is type(wanted)
    if found != as_sql_has_it(found, given):
        assert of_key(codec).note
    external, view = view_of(model)
    [viewed] = run(in_bigquery(external, {raw: {}}, fields_of(model), view))
    # A number that is longer than Bigtable's is one there.
    assert viewed["k"] in (wanted, given)


LONG: list[tuple[KeyCodec[Any], int]] = [
    (keys.PaddedInt(30), 7),
    (keys.PaddedInt(19), 10**19 - 1),
    (keys.Int(max_digits=38), 10**38 - 1),
    (keys.ReversedDigits(19), 10**19 - 1),
    (keys.Descending(keys.PaddedInt(30)), 7),
]


@pytest.mark.parametrize(("codec", "given"), LONG)
def test_long_numbers_of_a_key_are_numbers_in_bigquery(codec: KeyCodec[Any], given: int) -> None:
    """Up to 38 digits fit into BIGNUMERIC, and so nothing needs to be said."""
    assert of_key(codec, bignumeric=True).note == ""
    external, view = view_of(model := model_of(RowKey((KeyField("k", codec),), b"#")))
    [row] = run(in_bigquery(external, {codec.encode(given): {}}, fields_of(model), view))
    assert row["k"] == Decimal(given)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("600.50", Decimal("600.5")),
        ("-0.1", Decimal("-0.1")),
        ("1E+2", Decimal(100)),
        ("9" * 38 + "." + "9" * 38, Decimal("9" * 38 + "." + "9" * 38)),
        # What is said to be lost.
        ("0." + "0" * 38 + "4", Decimal(0)),
        ("1." + "0" * 38 + "6", Decimal("1." + "0" * 37 + "1")),
        ("1" + "0" * 39, None),
    ],
)
def test_decimals_are_numbers_in_bigquery(text: str, wanted: Decimal | None) -> None:
    """A Decimal is a BIGNUMERIC there, digit for digit as far as its comment says; in Bigtable it is its text."""
    codec = cells.DecimalNumber()
    model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
    raw = codec.encode(Decimal(text))
    external, view = view_of(model)
    [row] = run(in_bigquery(external, {b"k": {"f": {"c": raw.decode()}}}, fields_of(model), view))
    assert row["c"] == wanted
    [row] = run(in_bigtable("t", {b"k": {"f": {b"q": raw}}}, ["f"], text_of(model)))
    assert row["c"] == raw.decode()
    assert "AS FLOAT64" in of_cell(codec).note


def test_decimals_can_be_summed() -> None:
    """A tenth thrice is three tenths, over the view as it is written."""
    codec = cells.DecimalNumber()
    model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
    external, view = view_of(model)
    rows = {b"k%d" % at: {"f": {"c": "0.1"}} for at in range(3)}
    total = f"SELECT SUM(c) AS total FROM ({view.rstrip().removesuffix(';')}\n)"
    [row] = run(in_bigquery(external, rows, fields_of(model), total))
    assert row["total"] == Decimal("0.3")


@pytest.mark.parametrize(("codec", "given", "wanted"), CELLS)
def test_cells_are_decoded(codec: CellCodec[Any], given: Any, wanted: Any) -> None:
    """The same of a cell, in both engines: in BigQuery over what the external table makes of the bytes."""
    raw = codec.encode(given)
    model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
    [row] = run(in_bigtable("t", {b"k": {"f": {b"q": raw}}}, ["f"], text_of(model)))
    found = row["c"]
    assert found == wanted
    assert type(found) is type(wanted)
    [option] = options(model)["columnFamilies"][0]["columns"]
    external, view = view_of(model)
    cells_of_row = {"f": {"c": converted(option, raw)}}
    [viewed] = run(in_bigquery(external, {b"k": cells_of_row}, fields_of(model), view))
    assert viewed["c"] == wanted
    if found != as_sql_has_it(found, given):
        assert of_cell(codec).note


def test_an_absent_cell_is_null() -> None:
    """A cell that is not there is NULL, whatever its codec; of a mark, FALSE."""
    for codec, _, _ in CELLS:
        model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
        wanted = False if codec == cells.Present() else None
        [row] = run(in_bigtable("t", {b"k": {}}, ["f"], text_of(model)))
        assert row["c"] is wanted
        external, view = view_of(model)
        [row] = run(in_bigquery(external, {b"k": {}}, fields_of(model), view))
        assert row["c"] is wanted


def test_floats_from_the_last_byte_on_are_floats_in_bigtable() -> None:
    """BigQuery has no function for the bytes of a float, and shows them, and says so."""
    codec = cells.FloatBytes(8, "little")
    raw = codec.encode(-0.1)
    model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
    [row] = run(in_bigtable("t", {b"k": {"f": {b"q": raw}}}, ["f"], text_of(model)))
    assert row["c"] == -0.1
    external, view = view_of(model)
    [viewed] = run(in_bigquery(external, {b"k": {"f": {"c": raw}}}, fields_of(model), view))
    assert viewed["c"] == raw
    assert of_cell(codec, bignumeric=True).note


@pytest.mark.parametrize(("codec", "given", "wanted"), CELLS)
def test_bytes_that_are_no_value_are_null_or_shown(codec: CellCodec[Any], given: Any, wanted: Any) -> None:
    """Whatever lies in a cell, the query is answered: with NULL, or with what may be a value."""
    model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
    wrong = [
        b"",
        b"\xff",
        b"x",
        b"-5",
        b"99999999999999999999",
        b"2020-13-01",
        b"7" * 8,
        b"\x7f" + b"\xff" * 7,
    ]
    rows = {b"k%d" % at: {"f": {b"q": raw}} for at, raw in enumerate(wrong)}
    assert len(run(in_bigtable("t", rows, ["f"], text_of(model)))) == len(wrong)


@pytest.mark.parametrize(("codec", "given", "wanted"), KEYS)
def test_fields_that_are_no_value_are_null_or_shown(codec: KeyCodec[Any], given: Any, wanted: Any) -> None:
    """The same of keys."""
    model = model_of(RowKey((KeyField("k", codec),), b"#"))
    wrong = [b"\xff", b"x", b"-5", b"-9223372036854775808", b"9" * 30, b"20201301", b"zz", b"7" * 8]
    assert len(run(in_bigtable("t", {raw: {} for raw in wrong}, (), text_of(model)))) == len(wrong)


FIXED: list[CellCodec[Any] | KeyCodec[Any]] = [
    *(
        cells.IntBytes(size, order, signed=signed)
        for size in (1, 2, 4, 8)
        for order in ("big", "little")
        for signed in (True, False)
    ),
    keys.BigEndian(4),
    keys.BigEndian(8, signed=True),
    keys.LittleEndian(2, signed=True),
    keys.Descending(keys.BigEndian(4)),
    keys.UuidRaw(),
    keys.Boolean(),
    keys.PaddedInt(4),
    keys.PaddedInt(8),
    keys.Int(max_digits=18),
    keys.ReversedDigits(3),
    keys.HexInt(2),
    keys.Hex(1),
    keys.HexDigest(2),
    keys.Base64(size=2),
    keys.UuidText(),
    keys.EpochSeconds(),
    keys.EpochMillis(),
    keys.EpochMicros(),
    keys.ReversedSeconds(),
    keys.ReversedMillis(),
    keys.ReversedMicros(),
    keys.DateText(),
    keys.DateText("%Y-%m"),
    keys.DateText("%d.%m.%Y"),
    keys.TimeText("%Y%m%d-%H%M"),
    keys.TimeText("%Y%m%d%H%M%S%3f"),
    keys.Week(origin=date(2020, 1, 6)),
    keys.Week("w.{n:03}+", origin=date(2020, 1, 6), first=0),
    keys.Descending(keys.PaddedInt(4)),
    keys.Descending(keys.EpochMillis()),
    keys.Descending(keys.DateText()),
    keys.Descending(keys.HexInt(2)),
    keys.Week(origin=date(2020, 1, 6), first=9),
    keys.Week("{n:02}", origin=date(2020, 1, 6), first=12),
    keys.Week("{n:04}", origin=date(9999, 1, 4)),
    keys.EnumText(Side),
    keys.EnumText(Quoted),
    keys.Descending(keys.HexDigest(2)),
    keys.Descending(keys.UuidRaw()),
    keys.Descending(keys.EnumText(Digit)),
    keys.AsInKey(keys.PaddedInt(4)),
    keys.AsInKey(keys.EnumText(Quoted)),
    cells.EnumValue(Side, cells.Utf8()),
    cells.EnumValue(Quoted, cells.Utf8()),
    cells.EnumValue(Size, cells.Int64()),
    cells.EnumValue(Size, cells.IntBytes(2)),
    cells.EnumValue(Size, cells.DecimalText()),
    cells.FlagText("it's", "no\\"),
    cells.Base64Text(),
    cells.Utf8(),
    cells.Int64(),
    cells.Float64(),
    cells.FloatBytes(8, "little"),
    cells.Micros(),
    cells.Flag(),
    cells.UuidBytes(),
    cells.IsoDate(),
    cells.HexText(),
    cells.DecimalText(),
    cells.FloatText(),
]
RAWS = st.lists(
    st.binary(min_size=1, max_size=17)
    | st.sampled_from([1, 2, 4, 8, 16]).flatmap(lambda size: st.binary(min_size=size, max_size=size))
    | st.from_regex("[0-9+. xeE_-]{1,10}", fullmatch=True).map(str.encode),
    max_size=8,
    unique=True,
)
AMISS = [
    b"\0\5", b"\5\0", b"\0" * 7 + b"\5", b"\x80", b"0", b"1", b"\0", b"\1", b"\2", b"a" * 16, b"2020-02-29", b"2020-2-29",
    b"20200229", b"2020-02-29 ", b"0x10", b" 7", b"+7", b"007", b"inf", b"nan", b"1e5", b"1.", b"F", b"FF", b"f0", b"7\n",
    b"0007", b"+007", b"-007", b" 007", b"7", b"00007", b"0 07", b"0x07", b"120", b"021", b"AB", b"ff", b"fF", b"00FF", b"00ff",
    b"20200229", b"2020229", b"20200230", b"2020-02", b"2020-2", b"29.02.2020", b"29.2.2020", b"20150316-1953", b"20150316-195",
    b"20150316195332156", b"2015031619533215", b"1426535612156", b"+426535612156", b"1426535612", b"0142653561", b"1426535612156000",
    b"9223370610319163651", b"9223372036854775807", b"9999999999999", b"w.010+", b"w.10+", b"0010", b"10", b"010", b"_-8", b"+/8", b"_-9", b"_-8=",
    b"week0", b"week8", b"week9", b"week09", b"week416366", b"week416367", b"week417000", b"11", b"12", b"99", b"0052", b"0053", b"0051",
    b"buy", b"BUY", b"buy ", b"it's", b"its", b"no\\", b"no\\\\", b"b.*|x", b"b.", b"bu", b"bx", b"it's\n", b"89", b"8",
    b"\0\0\0\x04it's", b"\x04it's", b"\x05it's", b"\x03its", b"\x02b.", b"\x02bu", b"\x01a", b"\x02a",
    b"ab  ", b" ab ", b"ab", b"abcd", b"abcde", b"com.a", b"com..a", b".com", b"com.", b"c d", b"YQ==", b"YQ", b"YR==", b"Y Q==",
    b"\0\0\0\0\0\0\0\x07", b"\xff" * 8, b"\0\x07", b"\0\x08", b"\0\0\1\0\0\0\0\0", b"-1", b"1099511627776",
    b"00000000-0000-0000-0000-000000000007", b"0000000000000000000000000000000g", b"00000000-0000-0000-0000-00000000000A",
]  # fmt: skip


@pytest.mark.parametrize("codec", FIXED, ids=repr)
# The simplest lists, which are tried first, hold nothing that is not tried anyway.
@given(drawn=RAWS.filter(lambda drawn: not set(drawn) <= set(AMISS)))
@examples(1)
def test_sql_reads_a_value_where_python_does_and_null_elsewhere(
    codec: CellCodec[Any] | KeyCodec[Any], drawn: list[bytes]
) -> None:
    """Of any bytes, of other lengths too: no number is made of what raises in Python; in both engines."""
    raws = list(dict.fromkeys(AMISS + drawn))
    if isinstance(codec, KeyCodec):
        model = model_of(RowKey((KeyField("c", codec),), b"#"))
        rows = [run(in_bigtable("t", {raw: {} for raw in raws}, (), text_of(model)))]
        external, view = view_of(model)
        rows.append(run(in_bigquery(external, {raw: {} for raw in raws}, fields_of(model), view)))
    else:
        model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(codec),))
        of = {b"k%02d" % at: raw for at, raw in enumerate(raws)}
        rows = [
            run(in_bigtable("t", {k: {"f": {b"q": raw}} for k, raw in of.items()}, ["f"], text_of(model)))
        ]
        # What BigQuery itself makes of bytes, it makes in front of the view.
        [option] = options(model)["columnFamilies"][0]["columns"]
        if option["type"] == "BYTES" and not of_cell(codec, bignumeric=True).note.startswith("SQL cannot"):
            external, view = view_of(model)
            rows.append(
                run(
                    in_bigquery(
                        external, {k: {"f": {"c": raw}} for k, raw in of.items()}, fields_of(model), view
                    )
                )
            )
    for found in rows:
        assert [shown(row["c"]) for row in found] == [shown(decoded(codec, raw)) for raw in raws]


def decoded(codec: CellCodec[Any] | KeyCodec[Any], raw: bytes) -> Any:
    """What Python reads, as SQL has it; None where it raises, or where SQL has no number so great."""
    try:
        value = codec.decode(raw)
    except ValueError:
        return None
    return None if isinstance(value, int) and not -(2**63) <= value < 2**63 else as_sql_has_it("", value)


def shown(value: Any) -> Any:
    """The value, so that NaN is itself, and True is not 1."""
    return repr(value)


def converted(option: dict[str, Any], raw: bytes) -> Any:
    """What BigQuery makes of a cell, by the type and the encoding of its column."""
    match option["type"], option["encoding"]:
        case "STRING", "TEXT":
            return raw.decode()
        case "BYTES", "BINARY":
            return raw
        case "INTEGER", "BINARY":
            return cells.Int64().decode(raw)
        case "FLOAT", "BINARY":
            return cells.Float64().decode(raw)
    raise AssertionError(option)
