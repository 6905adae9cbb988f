"""Cursors of pages: where a read goes on, and which texts are none of it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from attrs import evolve

from btmodel.errors import QueryRefused
from btmodel.rows import ReadPlan, RowRange
from btmodel.rows.read import RangeOrder, cursor_of, resumed

PLAN = ReadPlan("T", (RowRange(b"a", b"c"), RowRange(b"d", b"f")), None)
LIMITED = evolve(PLAN, limit=5)


def test_a_read_goes_on_behind_the_row_of_its_cursor() -> None:
    """In both directions; a range that has come is left out, with what leads its keys."""
    assert resumed(PLAN, cursor_of(PLAN, b"b")).ranges == (RowRange(b"b\0", b"c"), RowRange(b"d", b"f"))
    assert resumed(PLAN, cursor_of(PLAN, b"e")).ranges == (RowRange(b"e\0", b"f"),)
    turned = PLAN.turned()
    assert (turned.backwards, turned.turned()) == (True, PLAN)
    assert resumed(turned, cursor_of(turned, b"b")).ranges == (RowRange(b"a", b"b"),)
    assert resumed(turned, cursor_of(turned, b"a")).ranges == ()
    in_turn = evolve(PLAN, joined=RangeOrder.IN_TURN)
    assert in_turn.after(b"e").ranges == (RowRange(b"e\0", b"f"),)
    assert in_turn.turned().after(b"b").ranges == (RowRange(b"a", b"b"),)
    merged = ReadPlan(
        "T", (RowRange(b"0a", b"0b"), RowRange(b"1a", b"1c")), None, joined=RangeOrder.MERGED, leads=(1, 1)
    )
    left = merged.after(b"1b")
    assert (left.ranges, left.leads) == ((RowRange(b"1b\0", b"1c"),), (1,))
    both = merged.after(b"0ab")
    assert (both.ranges, both.leads) == ((RowRange(b"0ab\0", b"0b"), RowRange(b"1ab", b"1c")), (1, 1))


def test_a_range_that_has_come_to_its_end_is_left_out() -> None:
    """Behind its last key nothing can be asked for."""
    single = ReadPlan("T", (RowRange.of_key(b"a"), RowRange.of_key(b"b")), None)
    assert single.after(b"a").ranges == (RowRange.of_key(b"b"),)
    assert single.after(b"b").ranges == ()


@pytest.mark.parametrize("left", [1, 4])
def test_a_limited_read_goes_on_to_its_limit(left: int) -> None:
    """With as many rows as are left of it."""
    assert resumed(LIMITED, cursor_of(LIMITED, b"b", left)).limit == left


@pytest.mark.parametrize("left", [0, 5, 6, None])
def test_a_cursor_leaves_less_than_the_limit(left: int | None) -> None:
    """And at least one row: one that was made up for more, or for none, is refused."""
    with pytest.raises(QueryRefused, match="cursor: expected the one of a page of this read"):
        resumed(LIMITED, cursor_of(LIMITED, b"b", left))


def test_a_limited_read_is_not_turned() -> None:
    """It would give the rows of the other end."""
    with pytest.raises(QueryRefused, match="got one of at most 5 rows"):
        LIMITED.turned()


@pytest.mark.parametrize("plan", [PLAN, LIMITED])
def test_a_changed_cursor_is_refused(plan: ReadPlan) -> None:
    """Whichever byte of it that is, also one that base64 leaves out of account; and one of another read."""
    text = cursor_of(plan, b"bb", 3)
    raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    for at in range(len(raw)):
        changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        with pytest.raises(QueryRefused, match="or was changed"):
            resumed(plan, urlsafe_b64encode(changed).decode().rstrip("="))
    others = (f"{text}=", f"{text}\n", f" {text}", "", "é", None, 4, text[:-1])
    for other in others:
        with pytest.raises(QueryRefused, match="or was changed"):
            resumed(plan, other)  # type: ignore[arg-type]
    with pytest.raises(QueryRefused, match="of another read"):
        resumed(evolve(plan, table="U"), text)
