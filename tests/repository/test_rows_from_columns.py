"""Rows that are put from columns: what a read gives as Arrow is written back as the same bytes."""

import asyncio
from collections.abc import Callable
from datetime import date, datetime
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
from btmodel.columnar import Fields, rows_of
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
    batch = Fields.of(bt.schema_of(model), None, None).of_rows(rows)
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
            ValueRefused,
            "Price.price: wanted a value as to_arrow",
        ),
        ({"item": [1.5], "note": ["n"]}, ValueRefused, "Price.item: wanted a column of int64 without loss"),
        ({"item": [1], "note": pa.array([None], pa.string())}, ValueRefused, "Price.note: wanted a value"),
    ]:
        with pytest.raises(error, match=message):
            prices.put_arrow(pa.table(wrong))
    with pytest.raises(QueryRefused, match=r"wanted a Table, a RecordBatch .*, got dict"):
        prices.put_arrow({"item": [1]})
    assert prices.every_price().count() == 0


def test_rows_of_columns_are_written_with_await_too(migrated: Callable[..., str]) -> None:
    """By the asynchronous repository."""

    async def main() -> None:
        async with bt.connect_async(migrated(Price)) as db:
            prices = PRICES.AsyncPriceRepository(db)
            assert await prices.put_arrow(pa.table({"item": [1], "note": ["n"], "price": ["1.50"]})) == 1
            assert [str(row.price) async for row in prices.every_price()] == ["1.50"]

    asyncio.run(main())
