"""Rows of models as rows of Beam's schemas, which name and type their fields, and back."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from textwrap import indent
from typing import Any
from uuid import UUID

import apache_beam as beam
import pytest
from apache_beam.coders import RowCoder
from apache_beam.testing.util import assert_that, equal_to
from pipelines import IN_MEMORY, PROCESSES, Parcel, pipeline

import btmodel as bt
from btmodel.beam import AsRows, FromRows, ReadRows
from btmodel.errors import QueryRefused
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

PAGE = Path(__file__).parents[2] / "docs" / "beam.md"
ROWS = sorted(made_up_quotes(300), key=bt.key_of)
NOON = datetime(2026, 1, 5, 12, 0, 0, 123_456, tzinfo=UTC)
FULL = Parcel(
    number=1,
    sender=UUID(int=5),
    label=b"\x00\xff",
    weight=1.5,
    fragile=False,
    due=date(2026, 1, 5),
    seen=NOON,
    tags={"a", "b"},
    places=bt.History({NOON.replace(microsecond=5_000): "here"}),
)
PLAIN = Parcel(number=2, sender=UUID(int=6), label=b"")


def kind_of(row: Any) -> tuple[str, ...]:
    """What a step behind a shuffle gets."""
    return tuple(type(value).__name__ for value in (row.number, row.sender, row.seen, row.tags, row.due))


def same(rows: Any) -> None:
    """The parcels, whatever their order."""
    found = sorted(rows, key=lambda row: row.number)
    assert found == [FULL, PLAIN], found


@pytest.mark.parametrize("flags", [IN_MEMORY, PROCESSES], ids=["in memory", "processes"])
def test_rows_of_every_kind_come_back(flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two steps of Beam they are its own rows, and all values are the same afterwards."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))  # where workers find the model
    made = pipeline(flags)
    rows = made | beam.Create([FULL, PLAIN]) | AsRows(Parcel) | beam.Reshuffle()
    assert_that(rows | beam.Map(kind_of), equal_to(KINDS), label="kinds")
    assert_that(rows | FromRows(Parcel), same)
    made.run().wait_until_finish()


KINDS = [("int", "str", "Timestamp", "str", "date"), ("int", "str", "NoneType", "str", "NoneType")]


def test_their_fields_are_named_and_typed(bigtable: Callable[..., bt.Database]) -> None:
    """Beam chooses its own coder of rows, and groups by the names of fields."""
    quotes = QuoteRepository(bigtable(Quote))
    quotes.put_many(ROWS)
    made = pipeline()
    read = quotes.by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])
    rows = made | ReadRows(read.only("bid_size")) | AsRows(Quote, ["bid_size"])
    coder = beam.coders.registry.get_coder(rows.element_type)
    assert isinstance(coder, RowCoder)
    assert [field.name for field in coder.schema.fields] == ["exchange", "symbol", "quote_time", "bid_size"]
    assert [field.type.nullable for field in coder.schema.fields] == [False, False, False, True]
    sums = rows | beam.GroupBy("exchange").aggregate_field("bid_size", sum, "size")
    wanted = {
        name: sum(row.bid_size or 0 for row in ROWS if row.exchange == name) for name in ("NASDAQ", "NYSE")
    }
    assert_that(sums | beam.Map(tuple), equal_to(list(wanted.items())))
    made.run().wait_until_finish()


def test_what_has_no_rows_is_refused() -> None:
    """Models alone, with attributes that they have."""
    with pytest.raises(
        QueryRefused, match=r"AsRows: Quote has no attribute 'bid_sise' .did you mean bid_size"
    ):
        AsRows(Quote, ["bid_sise"])
    for transform in (AsRows, FromRows):
        with pytest.raises(
            QueryRefused, match=f"{transform.__name__}: expected a model with a table, got <class 'int'>"
        ):
            transform(int)  # type: ignore[type-var]


def test_the_code_of_the_page_runs(bigtable: Callable[..., bt.Database]) -> None:
    """What docs/beam.md shows, on a table with quotes: it reads, changes, writes and sums them."""
    quotes = QuoteRepository(bigtable(Quote))
    quotes.put_many(ROWS)
    first, second = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    place = f'bt.connect("{quotes._db.target.instance}")'
    code = first.replace('bt.connect("projects/P/instances/I", app_profile="batch")', place)
    names: dict[str, Any] = {
        "QuoteRepository": QuoteRepository,
        "Quote": Quote,
        "changed": lambda row: bt.replace(row, bid_size=7),
    }
    exec(compile(code + indent(second, "    "), str(PAGE), "exec"), names)
    assert {row.bid_size for row in quotes.by_symbol("NYSE", "IBM")} == {7}
    assert names["newest"].pipeline is names["pipeline"]
