"""What SQL reads of each codec's bytes, as Google's implementation of GoogleSQL runs it."""

from datetime import UTC, date, datetime
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from btmodel_codegen.sql_readings import of_cell, of_key

from btmodel.codecs import cell as cells
from btmodel.codecs import key as keys
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec, Text
from btmodel.schema import KeyField, RowKey
from tests.codegen.googlesql_engine import in_bigquery, in_bigtable, run
from tests.codegen.sql_files import as_sql_has_it, column_of, fields_of, options, text_of, view_of
from tests.schemas import model_of

AT = datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC)


class Side(Enum):
    """Of a trade."""

    BUY = "buy"


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
    (keys.Bytes(width=2), b"\x00\xff", b"\x00\xff"),
    # What SQL does not decode is the stored text or bytes.
    (keys.UuidRaw(), UUID(int=7), UUID(int=7).bytes),
    (keys.BigEndian(4), 7, b"\0\0\0\x07"),
    (keys.PaddedInt(30), 7, "7".zfill(30)),
    (keys.ReversedDigits(3), 120, "021"),
    (keys.Descending(keys.DateText()), date(2020, 2, 29), b"79799770"),
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
    # What SQL does not decode is the stored text or bytes.
    (cells.UuidBytes(), UUID(int=7), UUID(int=7).bytes),
    (cells.IntBytes(8, "little"), 7, b"\x07" + bytes(7)),
    (cells.IntBytes(8, signed=False), 7, bytes(7) + b"\x07"),
    (cells.Json(list[int]), [1], "[1]"),
]


@pytest.mark.parametrize(("codec", "given", "wanted"), KEYS)
def test_fields_of_a_key_are_decoded(codec: KeyCodec[Any], given: Any, wanted: Any) -> None:
    """What SQL reads of an encoded field is the value, or what is stored, and then it says so."""
    model = model_of(RowKey((KeyField("k", codec),), b"#"))
    [row] = run(in_bigtable("t", {codec.encode(given): {}}, (), text_of(model)))
    found = row["k"]
    assert found == wanted
    assert type(found) is type(wanted)
    assert (of_key(codec).note == "") == (found == as_sql_has_it(found, given) or wanted == "buy") or (
        codec == keys.BigEndian(8)
    )


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
