"""Read plans: what they refuse, and how they print."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from schemas import key_of, model_of

from btmodel.codecs.key import Constant, Descending, EpochMillis, Int, PaddedInt, Text
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Planner, RowRange
from btmodel.rows import planner as planner_module
from btmodel.rows.read import RangeOrder
from btmodel.schema import Derived, KeyField, Query, RowKey, access

PLANNER = Planner(model_of(key_of(Text(max_length=4), EpochMillis())))
FALLING = Planner(model_of(key_of(Text(max_length=4), Descending(EpochMillis()))))
NAMES = Planner(model_of(key_of(Int(2), Text(max_length=4))))
BETWEEN = Query("by_time", ("k0",), "k1")
START, END = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)


def test_a_range_is_half_open() -> None:
    """The start of a range is in it, its end is not."""
    (span,) = PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, END)}).ranges
    assert span == RowRange(b"a#1577836800000", b"a#1577923200000")
    assert span.holds(span.start)
    assert not span.holds(span.end)


def test_an_open_end_stops_where_no_value_goes_on() -> None:
    """A range without an end reads as far as values of its field can be, not to the end of the prefix, nor of the table."""
    for ends in ((None, None), None):
        (span,) = PLANNER.query(BETWEEN, {"k0": "a", "k1": ends}).ranges
        assert span == RowRange(b"a#0", b"a#:")


def test_an_empty_range_asks_nothing() -> None:
    """Where no time lies between the ends, no range is asked."""
    plan = PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, START)})
    assert plan.ranges == ()
    assert "none: the range is empty" in str(plan)


def test_a_query_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof that the key serves a query, and its filter, are built with the first call, not with each."""
    proofs: list[Query] = []
    monkeypatch.setattr(
        planner_module, "access", lambda key, query: proofs.append(query) or access(key, query)
    )
    planner = Planner(model_of(key_of(Text(max_length=4), EpochMillis())))
    plans = [planner.query(BETWEEN, {"k0": name, "k1": (START, END)}) for name in "abc"]
    assert proofs == [BETWEEN]
    assert len({one.ranges for one in plans}) == 3
    assert all(one.filter is plans[0].filter for one in plans)
    with pytest.raises(QueryRefused, match="the key does not serve this query"):
        planner.query(Query("late", ("k1",)), {"k1": START})


@pytest.mark.parametrize("closed", ["[)", "[]", "()", "(]"])
def test_a_range_from_its_end_to_its_start_is_refused(closed: str) -> None:
    """A start after the end is a mistake, in rising and falling fields; equal ends are none, whichever belong to it."""
    for planner in (PLANNER, FALLING):
        with pytest.raises(
            QueryRefused, match=r"Row\.k1: expected a start that is not after the end, got from "
        ):
            planner.query(BETWEEN, {"k0": "a", "k1": (END, START, closed)})
        assert len(planner.query(BETWEEN, {"k0": "a", "k1": (START, START, closed)}).ranges) == (
            closed == "[]"
        )


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
    with pytest.raises(ValueRefused, match=r"Row\.k1: expected an aware datetime"):
        PLANNER.query(BETWEEN, {"k0": "a", "k1": (START.replace(tzinfo=None), END)})


def test_an_unserved_query_is_refused() -> None:
    """A query that no key serves is no plan, and the message says what is in the way."""
    with pytest.raises(
        QueryRefused, match=r"Row\.q: the key does not serve this query: 'k0' stands in front"
    ):
        PLANNER.query(Query("q", ("k1",)), {"k1": START})


@pytest.mark.parametrize("limit", [0, -1, True, 1.0, "1"])
def test_a_limit_that_is_no_number_of_rows_is_refused(limit: Any) -> None:
    """A limit is a whole number from 1 on."""
    with pytest.raises(QueryRefused, match="limit"):
        PLANNER.row(b"a").limited(limit)


def test_a_plan_prints_its_ranges_filter_and_limit() -> None:
    """A plan reads without a server: table, rows, filter and limit."""
    plan = PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, None)}).limited(5)
    assert str(plan).splitlines() == [
        "table   t",
        "rows    [b'a#1577836800000', b'a#:')",
        "filter  families f > newest 1 of a column",
        "limit   5 rows",
    ]


SALTED = Planner(
    model_of(
        RowKey(
            (
                KeyField("game", Constant("g")),
                KeyField("salt", PaddedInt(1), derived=Derived(("k1",), lambda name: len(name) % 2, (0, 1))),
                KeyField("k0", Text(max_length=4)),
                KeyField("k1", Text(max_length=4)),
            ),
            b"#",
        )
    )
)


def test_a_salt_that_is_not_told_is_a_read_for_each_of_its_values() -> None:
    """The reads are merged in the order of what follows the salt: its bytes, and those before it, do not count."""
    plan = SALTED.query(Query("q", ("k0",)), {"k0": "a"})
    assert plan.ranges == (RowRange(b"g#0#a#", b"g#0#a$"), RowRange(b"g#1#a#", b"g#1#a$"))
    assert (plan.joined, plan.leads) == (RangeOrder.MERGED, (4, 4))
    assert [part.ranges for part in plan.parts] == [(span,) for span in plan.ranges]
    assert all((part.joined, part.leads) == (RangeOrder.KEY_ORDER, ()) for part in plan.parts)
    assert "joined  merged in the order of their keys, the salt left out" in str(plan)


def test_a_salt_that_follows_from_what_is_given_is_one_read() -> None:
    """Where all that the salt is made from is given, one row is read."""
    plan = SALTED.query(Query("q", ("k0", "k1")), {"k0": "a", "k1": "bcd"})
    assert plan.ranges == (RowRange.of_key(b"g#1#a#bcd"),)
    assert (plan.joined, plan.leads) == (RangeOrder.KEY_ORDER, ())


@pytest.mark.parametrize(
    ("closed", "rows"),
    [
        ("[)", RowRange(b"a#1577836800000", b"a#1577923200000")),
        ("[]", RowRange(b"a#1577836800000", b"a#1577923200001")),
        ("(]", RowRange(b"a#1577836800001", b"a#1577923200001")),
        ("()", RowRange(b"a#1577836800001", b"a#1577923200000")),
    ],
)
def test_the_ends_of_a_range_belong_to_it_as_told(closed: str, rows: RowRange) -> None:
    """Brackets say, as in mathematics, which ends belong to a range."""
    assert PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, END, closed)}).ranges == (rows,)


def test_an_end_between_two_values_is_in_no_value_whatever_the_brackets() -> None:
    """An end finer than the field is rounded to the next value, which belongs to what lies behind it."""
    low, high = (time + timedelta(microseconds=1) for time in (START, END))
    plans = {
        PLANNER.query(BETWEEN, {"k0": "a", "k1": (low, high, closed)}).ranges
        for closed in ("[)", "[]", "(]", "()")
    }
    assert plans == {(RowRange(b"a#1577836800001", b"a#1577923200001"),)}


def test_a_range_that_lies_above_all_values_of_a_falling_field_is_empty() -> None:
    """No key is in front of the first one: such a range asks nothing, and never the whole table."""
    planner = Planner(model_of(key_of(Descending(PaddedInt(2)))))
    assert planner.query(Query("q", (), "k0"), {"k0": (100, None)}).ranges == ()
    assert planner.query(Query("q", (), "k0"), {"k0": (100, 200, "(]")}).ranges == ()
    assert planner.query(Query("q", (), "k0"), {"k0": (90, 200)}).ranges == (RowRange(b"0", b"0:"),)


def test_rows_without_the_last_field_are_read_with_their_prefix() -> None:
    """A row that lacks its last field is one of its prefix, of no range over the field, and asked for by None."""
    key = RowKey((KeyField("k0", Text(max_length=4)), KeyField("k1", PaddedInt(1), optional=True)), b"#")
    planner = Planner(model_of(key))
    short, long = RowRange.of_key(b"a"), RowRange(b"a#0", b"a#:")
    assert planner.query(Query("q", ("k0",)), {"k0": "a"}).ranges == (short, long)
    assert planner.query(Query("q", ("k0",), "k1"), {"k0": "a", "k1": None}).ranges == (long,)
    assert planner.query(Query("q", ("k0", "k1")), {"k0": "a", "k1": None}).ranges == (short,)


@pytest.mark.parametrize("stem", ["abcde", "a#"])
def test_a_beginning_that_no_value_has_is_refused(stem: str) -> None:
    """A beginning that is longer than the field, or holds its delimiter, would reach into the next field."""
    with pytest.raises(ValueRefused, match=r"Row\.k0: expected "):
        PLANNER.query(Query("q", (), starting="k0"), {"k0": stem})
    fixed = Planner(model_of(key_of(Text(width=2), Text(width=2))))
    with pytest.raises(ValueRefused, match=r"Row\.k0: expected the beginning of a value, of at most 2 bytes"):
        fixed.query(Query("q", (), starting="k0"), {"k0": "ab#"})


def test_an_asked_query_says_what_the_fields_of_a_pair_may_be() -> None:
    """Brackets that are none are refused with those that there are."""
    with pytest.raises(QueryRefused, match=r"with one of '\[\)', '\[\]', '\(\)', '\(\]'"):
        PLANNER.query(BETWEEN, {"k0": "a", "k1": (START, END, "<>")})
