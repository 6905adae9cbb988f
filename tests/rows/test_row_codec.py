"""Rows: values to cells and back, unknown cells kept, unreadable ones told."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from filter_interpreter import stored
from hypothesis import given
from hypothesis import strategies as st
from schemas import key_of, model_of

from btmodel.codecs.cell import DecimalNumber, DecimalText, Int64, Utf8
from btmodel.codecs.key import DateText, PaddedInt, Text
from btmodel.errors import UndecodableCell, UndecodableKey, ValueRefused
from btmodel.rows import Cell, RowCodec
from btmodel.rows.collections import History
from btmodel.schema import Bucket, Column, Family, KeepAll, KeyField, Mirror, ModelSchema, RowKey, Shape

Row = tuple[dict[str, Any], tuple[Cell, ...]]
NOW = 1_577_836_800_000_000
KEY = RowKey(
    (
        KeyField("name", Text(width=4), mirror=Mirror("f", b"NAME", Utf8())),
        KeyField("meter", PaddedInt(10), mirror=Mirror("f", b"ID", DecimalText())),
    ),
    b"#",
)
COLUMNS = (
    Column("price", "f", b"p", DecimalNumber(), required=True),
    Column("size", "f", b"s", Int64(), required=False),
    Column("temp", "h", b"t", Int64(), required=False, shape=Shape.HISTORY),
)
MODEL = ModelSchema("Row", "tests", "", "t", KEY, (Family("f", KeepAll()), Family("h", KeepAll())), COLUMNS)
CODEC: RowCodec[Row] = RowCodec(MODEL, lambda values, unknown: (values, unknown))
VALUES: dict[str, Any] = {
    "name": "ab",
    "meter": 987654,
    "price": Decimal("600.50"),
    "size": None,
    "temp": History(),
}
RAW = b"ab  #0000987654"
MILLIS = st.integers(0, 10**12).map(
    lambda count: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=count)
)


@given(
    price=st.decimals(allow_nan=False, allow_infinity=False),
    size=st.none() | st.integers(-(2**63), 2**63 - 1),
    temp=st.dictionaries(MILLIS, st.integers(-5, 5), max_size=5),
)
def test_a_row_comes_back(price: Decimal, size: int | None, temp: dict[datetime, int]) -> None:
    """Decoding the cells that a row was written as gives the row: absent cells as None, histories newest first."""
    values = {**VALUES, "price": price, "size": size, "temp": History(temp)}
    mutation = CODEC.encode(values, NOW)
    back, unknown = CODEC.decode(mutation.key, stored(mutation.cells))
    assert back == values
    assert list(back["temp"]) == sorted(temp, reverse=True)
    assert unknown == ()


def test_the_cells_of_a_row_are_pinned() -> None:
    """A row is its mirrored key fields, its columns at the time of writing, and its versions at their own."""
    at = datetime(2020, 1, 2, tzinfo=UTC)
    mutation = CODEC.encode({**VALUES, "temp": History({at: 7})}, NOW)
    assert (mutation.table, mutation.key) == ("t", RAW)
    assert list(mutation.cells) == [
        Cell("f", b"NAME", NOW, b"ab"),
        Cell("f", b"ID", NOW, b"987654"),
        Cell("f", b"p", NOW, b"600.50"),
        Cell("h", b"t", 1_577_923_200_000_000, bytes(7) + b"\x07"),
    ]
    assert "set h:t @ 2020-01-02T00:00:00.000000Z" in str(mutation)
    assert mutation.size > len(RAW)


def test_cells_that_the_model_does_not_know_are_kept() -> None:
    """Cells of other columns and families come back with the row, in order; mirrored ones do not."""
    strangers = [
        Cell("f", b"zz", NOW, b"1"),
        Cell("f", b"zz", NOW - 1000, b"0"),
        Cell("other", b"p", NOW, b"\xff"),
    ]
    mutation = CODEC.encode(VALUES, NOW)
    _, unknown = CODEC.decode(RAW, stored([*mutation.cells, *strangers]))
    assert unknown == tuple(strangers)


def test_a_cell_that_comes_twice_is_one_cell() -> None:
    """Copies of a cell, which some filters give, change nothing of the row or of what is unknown."""
    at = datetime(2020, 1, 2, tzinfo=UTC)
    stranger = Cell("f", b"zz", NOW, b"1")
    cells = stored([*CODEC.encode({**VALUES, "temp": History({at: 7})}, NOW).cells, stranger])
    twice = [cell for cell in cells for _ in range(2)]
    assert CODEC.decode(RAW, twice) == CODEC.decode(RAW, cells)


def test_the_newest_cell_of_a_column_is_its_value() -> None:
    """Of several versions of a plain column the newest is read, and an older one need not even parse."""
    cells = [Cell("f", b"p", NOW, b"2"), Cell("f", b"p", NOW - 1000, b"x")]
    assert CODEC.decode(RAW, cells)[0]["price"] == Decimal(2)


def test_an_unreadable_cell_is_told_with_its_place() -> None:
    """The error names table, row and cell, the bytes that came and what was expected."""
    cells = [Cell("f", b"p", NOW, b"1"), Cell("f", b"s", NOW, b"\x01\x02")]
    with pytest.raises(UndecodableCell) as refusal:
        CODEC.decode(RAW, cells)
    for part in ("table t", repr(RAW), "f:s", r"b'\x01\x02'", "signed 64-bit integer"):
        assert part in str(refusal.value)
    assert (refusal.value.table, refusal.value.key, refusal.value.value) == ("t", RAW, b"\x01\x02")


def test_an_unreadable_version_is_told_too() -> None:
    """A version of a history that does not parse is no less an error than a plain cell."""
    with pytest.raises(UndecodableCell, match="h:t"):
        CODEC.decode(RAW, [Cell("f", b"p", NOW, b"1"), Cell("h", b"t", NOW, b"x")])


def test_a_missing_required_cell_is_told_with_the_way_out() -> None:
    """A row that lacks a required cell is an error that names the cell and says how to allow it."""
    with pytest.raises(
        UndecodableCell, match=r"row .* cell f:p: expected a cell .*'price' as optional.* got none"
    ) as refusal:
        CODEC.decode(RAW, [Cell("f", b"s", NOW, bytes(8))])
    assert refusal.value.value is None


def test_a_row_of_a_foreign_key_is_refused() -> None:
    """A row whose key is none of the model's is not read as one."""
    with pytest.raises(UndecodableKey):
        CODEC.decode(b"ab#1", [Cell("f", b"p", NOW, b"1")])


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"name": "abcde"}, r"Row\.name"),
        ({"meter": -1}, r"Row\.meter"),
        ({"price": None}, r"Row\.price"),
        ({"price": 1.5}, r"Row\.price"),
        ({"size": 2**63}, r"Row\.size"),
        ({"temp": {datetime(2020, 1, 1): 1}}, r"Row\.temp"),
        ({"temp": {datetime(2020, 1, 1, microsecond=1, tzinfo=UTC): 1}}, r"Row\.temp"),
        ({"temp": {datetime(1969, 1, 1, tzinfo=UTC): 1}}, r"Row\.temp"),
        ({"temp": {datetime(2020, 1, 1, tzinfo=UTC): "1"}}, r"Row\.temp"),
        ({"temp": {datetime(2020, 1, 1, tzinfo=UTC): None}}, r"Row\.temp"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_field(values: Mapping[str, Any], where: str) -> None:
    """No mutation is made of a row with a value that does not fit; model and field are named."""
    with pytest.raises(ValueRefused, match=f"^{where}: expected "):
        CODEC.encode({**VALUES, **values}, NOW)


def test_a_row_without_cells_is_refused() -> None:
    """A row of nothing but a key would not exist, so it is not written."""
    codec: RowCodec[Row] = RowCodec(model_of(key_of(PaddedInt(1)), columns=(COLUMNS[1],)), lambda *row: row)
    with pytest.raises(ValueRefused, match="at least one value"):
        codec.encode({"k0": 1, "size": None}, NOW)


DAY_MODEL = model_of(
    key_of(DateText()),
    columns=(Column("temp", "f", b"t", Int64(), required=False, shape=Shape.HISTORY),),
    bucket=Bucket.DAY,
)
DAYS: RowCodec[Row] = RowCodec(DAY_MODEL, lambda *row: row)


def test_an_event_of_another_bucket_is_refused() -> None:
    """A row takes the events of its own day, its first and last millisecond included, and no others."""
    start, end = datetime(2020, 2, 29, tzinfo=UTC), datetime(2020, 3, 1, tzinfo=UTC)
    inside = {start: 1, end - timedelta(milliseconds=1): 2}
    assert len(DAYS.encode({"k0": date(2020, 2, 29), "temp": inside}, NOW).cells) == 2
    for time in (start - timedelta(milliseconds=1), end):
        with pytest.raises(ValueRefused, match=r"Row\.temp: expected times of the row's day"):
            DAYS.encode({"k0": date(2020, 2, 29), "temp": {time: 1}}, NOW)


@pytest.mark.parametrize(
    "label", ["20200229", None, 20200229, datetime(2020, 2, 29), datetime(2020, 2, 29, tzinfo=UTC)]
)
def test_a_bucket_that_is_no_value_of_its_field_is_refused(label: Any) -> None:
    """A wrong value of the bucket's field is refused like that of any other field."""
    with pytest.raises(ValueRefused, match=r"^Row\.k0: expected a date"):
        DAYS.encode({"k0": label, "temp": {datetime(2020, 2, 29, 1, tzinfo=UTC): 1}}, NOW)


def test_the_last_day_of_time_is_a_bucket() -> None:
    """The last day that a date can tell can be written, though no day follows it."""
    last = datetime(9999, 12, 31, 12, tzinfo=UTC)
    assert DAYS.encode({"k0": last.date(), "temp": {last: 1}}, NOW).key == b"99991231"


def test_a_history_knows_its_newest_and_what_lies_between() -> None:
    """A history is a dict of times; its newest is by time, whatever the order, and ranges are half-open."""
    start, end = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)
    history: History[int] = History({start: 1, end: 2, start + timedelta(hours=1): 3})
    assert history.newest == 2
    assert history.between(start, end) == {start: 1, start + timedelta(hours=1): 3}
    assert isinstance(history.between(start, end), History)
    assert History().newest is None
    assert repr(History({start: 1})).startswith("History({datetime")
