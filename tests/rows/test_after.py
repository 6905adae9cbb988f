"""What is left of a read behind a row, and the cursors that tell it."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from btmodel.errors import QueryRefused
from btmodel.rows import RangeOrder, ReadPlan, RowRange, cursor_of, resumed

# Keys of few bytes, so that equal ones, neighbours and ends of ranges meet often.
KEYS = st.binary(max_size=3).map(lambda raw: bytes(byte % 4 for byte in raw)).filter(bool)


def rows_of(plan: ReadPlan, table: list[bytes]) -> list[bytes]:
    """The rows of ``table`` that ``plan`` asks for, in its order, as its documentation says."""
    found = [
        (index, key) for index, span in enumerate(plan.ranges) for key in sorted(table) if span.holds(key)
    ]
    if plan.joined is RangeOrder.KEY_ORDER:
        ordered = sorted({key for _, key in found})
    elif plan.joined is RangeOrder.IN_TURN:
        ordered = [key for _, key in found]
    else:
        ordered = [key for _, key in sorted(found, key=lambda one: (one[1][plan.leads[one[0]] :], one[0]))]
    return ordered[::-1] if plan.backwards else ordered


@st.composite
def plans(draw: st.DrawFn) -> ReadPlan:
    """Plans of every kind; ranges that are not in key order do not overlap."""
    joined = draw(st.sampled_from(RangeOrder))
    if joined is RangeOrder.MERGED:
        salts = draw(st.lists(st.sampled_from([b"\0", b"\1", b"\2", b"\3\3"]), unique=True, max_size=4))
        starts = [draw(st.sampled_from([b"", b"\0", b"\1\1"])) for _ in salts]
        ranges = [
            RowRange(salt + start, RowRange.of_prefix(salt).end)
            for salt, start in zip(salts, starts, strict=True)
        ]
        leads = tuple(map(len, salts))
    elif joined is RangeOrder.IN_TURN:
        cuts = sorted(draw(st.lists(KEYS, unique=True, min_size=2, max_size=6)))
        spans = [RowRange(start, end) for start, end in zip(cuts, [*cuts[1:], b""], strict=True)]
        ranges, leads = draw(st.permutations(spans)), ()
    else:
        pairs = draw(st.lists(st.tuples(KEYS, KEYS | st.just(b"")), max_size=4))
        ranges, leads = [RowRange(start, end) for start, end in pairs], ()
    return ReadPlan("t", tuple(ranges), None, joined=joined, leads=leads, backwards=draw(st.booleans()))


@given(plans(), st.lists(KEYS, unique=True, max_size=25))
def test_what_is_left_behind_a_row_is_what_would_have_come(plan: ReadPlan, table: list[bytes]) -> None:
    """Behind every row of a read, what is left gives just the rows that follow it."""
    rows = rows_of(plan, table)
    for at, key in enumerate(rows):
        assert rows_of(plan.after(key), table) == rows[at + 1 :]


@given(plans(), st.lists(KEYS, unique=True, max_size=15))
def test_a_read_can_be_left_and_taken_up_any_number_of_times(plan: ReadPlan, table: list[bytes]) -> None:
    """Row by row, each time from what was left, a read gives the rows of the whole."""
    rows, left = [], plan
    while some := rows_of(left, table):
        rows.append(some[0])
        left = left.after(some[0])
    assert rows == rows_of(plan, table)


@given(plans(), KEYS)
def test_what_is_left_never_reaches_out(plan: ReadPlan, key: bytes) -> None:
    """Behind any key whatever, a read stays in its ranges; a key that lies in none of them is refused."""
    if not any(span.holds(key) for span in plan.ranges):
        with pytest.raises(QueryRefused, match="expected a key in the ranges of the read"):
            plan.after(key)
        return
    assert reaches_no_further(plan.after(key), plan)


def reaches_no_further(left: ReadPlan, whole: ReadPlan) -> bool:
    """Whether every range of one read lies in one of another's."""
    return all(
        any(
            span.start >= one.start and (not one.end or (span.end and span.end <= one.end))
            for one in whole.ranges
        )
        for span in left.ranges
    )


PLAN = ReadPlan("t", (RowRange(b"acme#", b"acme$"),), None)


def test_a_cursor_is_text_for_an_address_and_leads_on() -> None:
    """A cursor needs no escaping in an address, and what it leads to begins behind its key."""
    text = cursor_of(PLAN, b"acme#\xff\xfe?&")
    assert text.replace("-", "").replace("_", "").isalnum()
    assert resumed(PLAN, text).ranges == (RowRange(b"acme#\xff\xfe?&\0", b"acme$"),)


@pytest.mark.parametrize(
    "other",
    [
        evolve(PLAN, table="u"),
        evolve(PLAN, ranges=(RowRange(b"acme#", b"acme%"),)),
        evolve(PLAN, backwards=True),
        evolve(PLAN, ranges=(RowRange(b"acme2#", b"acme2$"),)),
        evolve(PLAN, limit=5),
    ],
)
def test_a_cursor_of_another_read_is_refused(other: ReadPlan) -> None:
    """Table, ranges, direction and limit must be those of the read that gave the cursor."""
    with pytest.raises(QueryRefused, match="cursor: expected the one of a page of this read"):
        resumed(other, cursor_of(PLAN, b"acme#1"))


@given(st.text() | st.from_regex(r"[-_0-9A-Za-z]*", fullmatch=True))
def test_no_text_makes_a_read_reach_out(text: str) -> None:
    """Text that somebody made up is refused."""
    with pytest.raises(QueryRefused):
        resumed(PLAN, text)


LIMITS = st.none() | st.integers(1, 2**63 - 1)


@given(plans(), LIMITS, KEYS, st.integers(0, 2**64 - 1))
def test_a_forged_cursor_stays_in_the_read(plan: ReadPlan, limit: int | None, key: bytes, left: int) -> None:
    """With the right digest and any key and rest, a cursor is refused, or leads to less of the same read."""
    plan = plan.limited(limit)
    fits = any(span.holds(key) for span in plan.ranges) and (limit is None or 0 < left < limit)
    text = cursor_of(plan, key, left)
    if not fits:
        with pytest.raises(QueryRefused):
            resumed(plan, text)
        return
    found = resumed(plan, text)
    assert reaches_no_further(found, plan)
    assert found.limit == (None if limit is None else left)
    assert evolve(found, ranges=plan.ranges, leads=plan.leads, limit=plan.limit) == plan


@given(LIMITS, st.binary(max_size=12), st.data())
def test_a_changed_cursor_is_refused(limit: int | None, more: bytes, data: st.DataObject) -> None:
    """No other letter anywhere, none more and none less: a key in the range does not help."""
    plan = PLAN.limited(limit)
    text = cursor_of(plan, b"acme#" + more, 1)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("AZaz09-_").filter(lambda one: one != text[at]))
    for changed in (text[:at] + other + text[at + 1 :], text[:-1], text + "A"):
        with pytest.raises(QueryRefused, match="cursor: expected the one of a page of this read, as it was"):
            resumed(plan, changed)


@given(plans(), st.integers(1, 30), st.integers(1, 4), st.lists(KEYS, unique=True, max_size=25))
def test_the_pages_of_a_limited_read_end_with_it(
    plan: ReadPlan, limit: int, size: int, table: list[bytes]
) -> None:
    """Page by page, each behind the cursor of the one before, the first rows come up to the limit."""
    whole, pages, left = plan.limited(limit), [], plan.limited(limit)
    while True:
        rows = rows_of(left, table)[: left.limit]
        pages += rows[:size]
        if len(rows) <= size:
            break
        assert left.limit is not None
        left = resumed(whole, cursor_of(whole, rows[size - 1], left.limit - size))
    assert pages == rows_of(plan, table)[:limit]
