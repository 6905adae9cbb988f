"""Read plans: what they refuse, and how they print."""

from datetime import UTC, datetime
from typing import Any

import pytest
from schemas import key_of, model_of

from btmodel.codecs.key import EpochMillis, Int, Text
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Planner, RowRange
from btmodel.schema import Query

PLANNER = Planner(model_of(key_of(Text(max_length=4), EpochMillis())))
NAMES = Planner(model_of(key_of(Int(2), Text(max_length=4))))
BETWEEN = Query("by_time", ("k0",), "k1")
START, END = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)


def test_a_range_is_half_open() -> None:
    """The start of a range is in it, its end is not."""
    (span,) = PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, END)}).ranges
    assert span == RowRange(b"a#1577836800000", b"a#1577923200000")
    assert span.holds(span.start)
    assert not span.holds(span.end)


def test_an_open_end_stops_at_the_prefix() -> None:
    """A range without an end reads to the end of its prefix, not of the table."""
    for ends in ((None, None), None):
        (span,) = PLANNER.query(BETWEEN, {"k0": "a", "k1": ends}).ranges
        assert span == RowRange(b"a#", b"a$")


@pytest.mark.parametrize("ends", [(START, START), (END, START)])
def test_an_empty_range_asks_nothing(ends: tuple[datetime, datetime]) -> None:
    """Where no time lies between the ends, no range is asked."""
    plan = PLANNER.query(BETWEEN, {"k0": "a", "k1": ends})
    assert plan.ranges == ()
    assert "none: the range is empty" in str(plan)


@pytest.mark.parametrize(
    "values",
    [{}, {"k1": (START, END)}, {"k0": "a", "k1": (START, END), "kk": 1}, {"kk": "a"}],
)
def test_wrong_fields_are_refused(values: dict[str, Any]) -> None:
    """A query with a missing or an unknown field is refused, with the fields that it takes."""
    with pytest.raises(QueryRefused, match=r"Row\.by_time takes k0"):
        PLANNER.query(BETWEEN, values)


@pytest.mark.parametrize("ends", [START, (START,), (START, END, END), 5])
def test_ends_that_are_no_pair_are_refused(ends: Any) -> None:
    """A bounded field wants a pair of ends, and says so."""
    with pytest.raises(QueryRefused, match="k1"):
        PLANNER.query(BETWEEN, {"k0": "a", "k1": ends})


def test_text_is_no_pair_of_letters() -> None:
    """A text of two letters given for a range is not taken apart into two ends."""
    with pytest.raises(QueryRefused, match="k1"):
        NAMES.query(Query("by_name", ("k0",), "k1"), {"k0": 1, "k1": "ab"})


def test_a_value_that_does_not_fit_is_refused_with_its_field() -> None:
    """A naive end of a range is refused, and the message names model and field."""
    with pytest.raises(ValueRefused, match=r"Row\.k1: wanted an aware datetime"):
        PLANNER.query(BETWEEN, {"k0": "a", "k1": (START.replace(tzinfo=None), END)})


def test_an_unserved_query_is_refused() -> None:
    """A query that no key serves is no plan, and the message says what is in the way."""
    with pytest.raises(QueryRefused, match=r"Row\.q: no key serves it: 'k0' stands in front"):
        PLANNER.query(Query("q", ("k1",)), {"k1": START})


@pytest.mark.parametrize("limit", [0, -1, True, 1.0, "1"])
def test_a_limit_that_is_no_number_of_rows_is_refused(limit: Any) -> None:
    """A limit is a whole number from 1 on."""
    with pytest.raises(QueryRefused, match="limit"):
        PLANNER.row({"k0": "a", "k1": START}).limited(limit)


def test_a_plan_prints_its_ranges_filter_and_limit() -> None:
    """A plan reads without a server: table, rows, filter and limit."""
    plan = PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, None)}).limited(5)
    assert str(plan).splitlines() == [
        "table   t",
        "rows    [b'a#1577836800000', b'a$')",
        "filter  families f > newest 1 of a column",
        "limit   5 rows",
    ]
