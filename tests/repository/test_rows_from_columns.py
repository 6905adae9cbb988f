"""Rows that are put from columns: what a read gives as Arrow is written back as the same bytes."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notes import Note, Seen, generated

import btmodel as bt
from btmodel.columnar import ArrowFields, rows_of
from btmodel.declare import Fields as Values
from btmodel.declare import codec_of
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.testing import instances

Open = Callable[..., bt.Database]


class Colour(Enum):
    """Some words."""

    RED = "r"
    GREEN = "green"


class Held(bt.Model, table="held", events="1/s", allow={"KEY006": "every kind of field"}):
    """Every kind of value that passes through Arrow, in the key, in cells and in columns of many."""

    owner: UUID = bt.key(bt.UuidText())
    colour: Colour = bt.key(bt.EnumText(Colour))
    parts: tuple[str, ...] = bt.key(bt.Repeated(bt.Text(max_length=3), most=3), ends="$")
    day: date = bt.key(bt.DateText("%Y%m%d"))

    f = bt.family("f", gc=bt.max_versions(1))
    exact: Decimal = bt.column("a", f)
    old: Decimal | None = bt.column("b", f, codec=bt.Compressed(bt.DecimalNumber()), default=None)
    id: UUID | None = bt.column("c", f, default=None)
    shade: Colour | None = bt.column("d", f, default=None)
    real: float | None = bt.column("e", f, codec=bt.FloatText(), default=None)
    small: float | None = bt.column("g", f, codec=bt.FloatBytes(4), default=None)
    time: datetime | None = bt.column("h", f, default=None)
    told: dict[str, Decimal] | None = bt.column("i", f, default=None)
    e = bt.family("e", gc=bt.keep_all())
    prices: bt.History[Decimal] = bt.history("p", e)
    m = bt.family("m", gc=bt.max_versions(1))
    amounts: dict[Colour, Decimal] = bt.mapping(m, bt.EnumText(Colour))
    s = bt.family("s", gc=bt.max_versions(1))
    seen: set[date] = bt.members(s, bt.DateText("%Y%m%d"))


def written(row: bt.Model) -> Any:
    """What a put sends of a row."""
    return codec_of(type(row)).encode(Values(row), 0)


@pytest.mark.parametrize("model", [Held, Note, Seen])
@given(data=st.data())
@settings(max_examples=20)
def test_every_value_comes_back_as_the_same_bytes(model: type[bt.Model], data: st.DataObject) -> None:
    """Whatever its codec and the shape of its column are."""
    own = {"version": st.integers(-(2**63), 2**63 - 1)} if model is Note else {}
    rows = data.draw(st.lists(instances(model, **own), max_size=3))
    batch = ArrowFields.of(bt.schema_of(model), None, None).of_rows(rows)
    back = [model(**values) for values in rows_of(bt.schema_of(model), batch)]
    assert [written(row) for row in back] == [written(row) for row in rows]


TEXTS = ["10", "10.00", "1E+3", "-0", "1E-10", "123456789012345678901234567890.5", None]


class Price(bt.Model, table="prices"):
    """A price, in just the digits that somebody gave."""

    item: int = bt.key(bt.PaddedInt(2))

    d = bt.family("d", gc=bt.max_versions(1))
    note: str = bt.column("n", d)
    price: Decimal | None = bt.column("p", d, default=None)

    every_price = bt.query(scan="the tests")


PRICES = generated(Price)


def test_a_table_that_is_put_is_the_table_that_was_read(database: Open) -> None:
    """Digits behind the point stay as they are, by way of Arrow and of polars; the server's cells are compared."""
    db = database(Price)
    prices = PRICES.PriceRepository(db)
    prices.put_many(
        Price(item=item, note="n", price=None if text is None else Decimal(text))
        for item, text in enumerate(TEXTS)
    )

    def stored() -> list[Any]:
        return [
            (key, [(one.family, one.qualifier, one.value) for one in cells])
            for key, cells in db.cells("prices")
        ]

    before = stored()
    table = prices.every_price().to_arrow()
    assert table["price"].to_pylist() == TEXTS
    frame = prices.every_price().to_polars()
    for columns in (
        table,
        frame.to_arrow(),
        table.to_reader(max_chunksize=2),
        table.combine_chunks().to_batches()[0],
    ):
        assert prices.every_price().delete() == len(TEXTS)
        assert prices.put_arrow(columns) == len(TEXTS)
        assert stored() == before


def test_decimals_are_cast_where_they_are_summed(database: Open) -> None:
    """As the documentation says: with the digits that the sum needs."""
    prices = PRICES.PriceRepository(database(Price))
    prices.put_many(
        Price(item=item, note="n", price=Decimal(text)) for item, text in enumerate(["1.50", "2"])
    )
    exact = pa.decimal128(38, 9)
    assert pa.compute.sum(prices.every_price().to_arrow()["price"].cast(exact)).as_py() == Decimal("3.5")
    assert prices.every_price().to_pandas()["price"].astype(pd.ArrowDtype(exact)).sum() == Decimal("3.5")
    assert prices.every_price().to_polars()["price"].cast(pl.Decimal(38, 9)).sum() == Decimal("3.5")


def test_what_is_no_row_is_refused(database: Open) -> None:
    """Unknown and lacking columns before anything is sent; wrong types, wrong values and nulls with their place."""
    prices = PRICES.PriceRepository(database(Price))
    for wrong, error, message in [
        ({"item": [1], "note": ["n"], "cost": [1]}, QueryRefused, "unknown: cost"),
        ({"item": [1]}, QueryRefused, "there is none for note"),
        (
            {"item": [1], "note": ["n"], "price": ["one"]},
            bt.WriteFailed,
            "Price.price: expected a value of string",
        ),
        (
            {"item": [1.5], "note": ["n"]},
            ValueRefused,
            "Price.item: expected a column of int64, as exports of the model have it, got 'double'",
        ),
        (
            {"item": [1], "note": pa.array([None], pa.string())},
            bt.WriteFailed,
            "Price.note: expected a value, for",
        ),
    ]:
        with pytest.raises(error, match=message):
            prices.put_arrow(pa.table(wrong))
    with pytest.raises(QueryRefused, match=r"expected a Table, a RecordBatch .*, got dict"):
        prices.put_arrow({"item": [1]})
    assert prices.every_price().count() == 0


class Wide(bt.Model, table="wide"):
    """A value of each kind that Arrow could take for another."""

    k: str = bt.key(bt.Text(max_length=3))

    d = bt.family("d", gc=bt.max_versions(1))
    exact: Decimal | None = bt.column("e", d, default=None)
    whole: int | None = bt.column("w", d, default=None)
    real: float | None = bt.column("r", d, default=None)
    time: datetime | None = bt.column("t", d, default=None)
    day: date | None = bt.column("y", d, default=None)
    text: str | None = bt.column("x", d, default=None)
    raw: bytes | None = bt.column("b", d, default=None)
    yes: bool | None = bt.column("f", d, default=None)
    id: UUID | None = bt.column("u", d, default=None)

    every = bt.query(scan="the tests")


class Many(bt.Model, table="many"):
    """Columns that are many."""

    k: str = bt.key(bt.Text(max_length=3))

    m = bt.family("m", gc=bt.max_versions(1))
    entries: dict[str, int] = bt.mapping(m, bt.Text(max_length=3))
    h = bt.family("h", gc=bt.max_versions(9))
    prices: bt.History[int] = bt.history("p", h)

    every = bt.query(scan="the tests")


WIDE, MANY = generated(Wide), generated(Many)
NAIVE, AWARE = datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)
ANOTHER_TYPE = [
    ("exact", pa.array([Decimal(10)], pa.decimal128(38, 9))),
    ("exact", pa.array([Decimal(10)], pa.decimal256(50, 9))),
    ("exact", pa.array([1.5])),
    ("exact", pa.array([10])),
    ("whole", pa.array([True])),
    ("whole", pa.array(["1"])),
    ("whole", pa.array([1.0])),
    ("real", pa.array([1])),
    ("real", pa.array(["1"])),
    ("time", pa.array([NAIVE], pa.timestamp("us"))),
    ("time", pa.array([1])),
    ("day", pa.array([AWARE], pa.timestamp("us", "UTC"))),
    ("text", pa.array([b"x"])),
    ("text", pa.array([1])),
    ("raw", pa.array(["x"])),
    ("yes", pa.array([1])),
    ("yes", pa.array(["true"])),
    ("id", pa.array([str(UUID(int=1))])),
]


def test_a_column_of_another_type_is_refused_before_anything_is_sent(database: Open) -> None:
    """Arrow would cast it, to what nobody wrote: 10 to 10.000000000, True to 1, a time without a zone to one of UTC."""
    wide = WIDE.WideRepository(database(Wide))
    for name, array in ANOTHER_TYPE:
        with pytest.raises(ValueRefused, match=f"Wide.{name}: expected a column of .*as exports"):
            wide.put_arrow(pa.table({"k": ["a"], name: array}))
        with pytest.raises(ValueRefused, match=f"Wide.{name}: expected a column of .*as exports"):
            wide.put_arrow(pa.table({"k": pa.array([], pa.string()), name: array[:0]}))
    with pytest.raises(ValueRefused, match="put the text of each number"):
        wide.put_arrow(pa.table({"k": ["a"], "exact": pa.array([Decimal(10)], pa.decimal128(38, 9))}))
    assert wide.every().count() == 0


def test_the_same_values_in_another_layout_are_put(database: Open) -> None:
    """Sizes, units, zones and dictionaries are converted, and what would change in it is refused."""
    wide = WIDE.WideRepository(database(Wide))
    for name, array, wanted in [
        ("exact", pa.array(["1.50"], pa.large_string()), Decimal("1.50")),
        ("exact", pa.array(["1.50"]).dictionary_encode(), Decimal("1.50")),
        ("whole", pa.array([7], pa.uint8()), 7),
        ("real", pa.array([0.5], pa.float32()), 0.5),
        ("time", pa.array([AWARE], pa.timestamp("ms", "Europe/Berlin")), AWARE),
        ("text", pa.array(["x"], pa.string_view()), "x"),
        ("id", pa.array([UUID(int=1).bytes], pa.large_binary()), UUID(int=1)),
    ]:
        assert wide.put_arrow(pa.table({"k": ["a"], "yes": pa.nulls(1), name: array})) == 1
        assert getattr(wide.get("a"), name) == wanted
    for name, array in [
        ("whole", pa.array([2**63], pa.uint64())),
        ("time", pa.array([1], pa.timestamp("ns", "UTC"))),
        ("id", pa.array([b"x"])),
        *(("exact", pa.array([text])) for text in ("1_0", "\uff11\uff10", " 10 ", "", "one")),
    ]:
        with pytest.raises(bt.WriteFailed, match=f"{name}: expected"):
            wide.put_arrow(pa.table({"k": ["b"], name: array}))
    assert wide.get("b") is None


def test_columns_of_many_cells_are_given_once_and_whole(database: Open) -> None:
    """A lacking column, a null, a column twice, and a name or time twice in one row are refused in one sentence."""
    many = MANY.ManyRepository(database(Many))
    entries = pa.map_(pa.string(), pa.int64())
    event = pa.struct([("time", pa.timestamp("us", "UTC")), ("value", pa.int64())])
    columns = {
        "k": pa.array(["a"]),
        "entries": pa.array([[("x", 1)]], entries),
        "prices": pa.array([[{"time": AWARE, "value": 1}]], pa.list_(event)),
    }
    assert many.put_arrow(pa.table(columns)) == 1
    for name in ("entries", "prices"):
        with pytest.raises(QueryRefused, match=f"there is none for {name}"):
            many.put_arrow(pa.table({one: array for one, array in columns.items() if one != name}))
    twice = pa.table([*columns.values(), columns["k"]], names=[*columns, "k"])
    with pytest.raises(QueryRefused, match="expected each column once; given twice: k"):
        many.put_arrow(twice)
    both = [{"time": AWARE, "value": 1}, {"time": AWARE, "value": 2}]
    for name, array in [
        ("entries", pa.nulls(1)),
        ("entries", pa.array([[("x", 1), ("x", 2)]], entries)),
        ("entries", pa.array([[("x", True)]], pa.map_(pa.string(), pa.bool_()))),
        ("prices", pa.array([both], pa.list_(event))),
        ("prices", pa.array([[{"time": NAIVE, "value": 1}]])),
        ("prices", pa.array([[{"time": AWARE}]])),
    ]:
        with pytest.raises((ValueRefused, bt.WriteFailed), match=f"Many.{name}: expected"):
            many.put_arrow(pa.table({**columns, name: array}))
    assert many.every().count() == 1


def test_rows_of_columns_are_written_with_await_too(migrated: Callable[..., str]) -> None:
    """By the asynchronous repository."""

    async def main() -> None:
        async with bt.connect_async(migrated(Price)) as db:
            prices = PRICES.AsyncPriceRepository(db)
            assert await prices.put_arrow(pa.table({"item": [1], "note": ["n"], "price": ["1.50"]})) == 1
            assert [str(row.price) async for row in prices.every_price()] == ["1.50"]

    asyncio.run(main())


class Counted(bt.Model, table="counted", events="1/s"):
    """A page, and how often it was seen, by the hour and in all."""

    page: str = bt.key(bt.Text(max_length=5))

    d = bt.family("d", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
    h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
    title: str = bt.column("t", d)
    hours: bt.History[int] = bt.counter("h", h, every="1h")
    total: int | None = bt.counter("n", c)

    all = bt.query(scan="the tests")


def test_counters_are_left_out_of_what_is_put(database: Open) -> None:
    """With their columns in the table, as a read gives them, and without."""
    repository = generated(Counted).CountedRepository(database(Counted))
    repository.put(Counted(page="a", title="A"))
    repository.edit("a").add(hours=2, total=2).apply()
    table = repository.all().to_arrow()
    assert repository.put_arrow(table) == 1
    assert repository.put_arrow(pa.table({"page": ["b"], "title": ["B"]})) == 1
    assert [(one.page, one.hours.total, one.total) for one in repository.all()] == [
        ("a", 2, 2),
        ("b", 0, None),
    ]
