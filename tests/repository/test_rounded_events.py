"""Events whose times are finer than a millisecond: refused with the way out, or rounded down where the column says so."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.schema import layout_of

Open = Callable[..., bt.Database]
FINE = datetime(2024, 5, 6, 7, 8, 9, 123_456, tzinfo=UTC)
CUT = FINE.replace(microsecond=123_000)


class Exact(bt.Model, table="exact"):
    """Events of a thing, of each shape."""

    thing: str = bt.key(bt.Text(max_length=5))
    h = bt.family("h", gc=bt.max_age(days=9_999))
    prices: bt.History[int] = bt.history("p", h)
    m = bt.family("m", gc=bt.max_age(days=9_999))
    marks: bt.History[int] = bt.marks(m, bt.Int(7))
    e = bt.family("e", gc=bt.max_age(days=9_999))
    entries: dict[str, bt.History[int]] = bt.histories(e, bt.Text(max_length=5))
    t = bt.family("t", gc=bt.max_versions(1))
    timed: dict[str, bt.Timed[int]] = bt.timed(t, bt.Text(max_length=5))


class Rounded(bt.Model, table="rounded"):
    """The same, whose times are rounded."""

    thing: str = bt.key(bt.Text(max_length=5))
    h = bt.family("h", gc=bt.max_age(days=9_999))
    prices: bt.History[int] = bt.history("p", h, round=True)
    m = bt.family("m", gc=bt.max_age(days=9_999))
    marks: bt.History[int] = bt.marks(m, bt.Int(7), round=True)
    e = bt.family("e", gc=bt.max_age(days=9_999))
    entries: dict[str, bt.History[int]] = bt.histories(e, bt.Text(max_length=5), round=True)
    t = bt.family("t", gc=bt.max_versions(1))
    timed: dict[str, bt.Timed[int]] = bt.timed(t, bt.Text(max_length=5), round=True)

    every = bt.query(scan="the tests")


class TickDay(bt.Model, table="tick_day", bucket="day", events="72/day"):
    """Events of a day; a fine time is rounded for one series, and refused for the other."""

    thing: str = bt.key(bt.Text(max_length=5))
    day: datetime = bt.key(bt.TimeText("%Y%m%d"))
    h = bt.family("h", gc=bt.max_age(days=9_999))
    price: bt.History[int] = bt.history("p", h, round=True)
    exact: bt.History[int] = bt.history("e", h)


FIELDS: dict[str, Any] = {
    "prices": bt.History({FINE: 1}),
    "marks": bt.History({FINE: 1}),
    "entries": {"a": bt.History({FINE: 1})},
    "timed": {"a": bt.Timed(1, FINE)},
}


@pytest.mark.parametrize("name", FIELDS)
def test_fine_times_are_refused_or_rounded(name: str, database: Open) -> None:
    """In each shape; the message says how, and the layout is the same."""
    given: dict[str, Any] = {
        "prices": bt.History(),
        "marks": bt.History(),
        "entries": {},
        "timed": {},
        name: FIELDS[name],
    }
    with pytest.raises(
        bt.ValueRefused,
        match=r"in whole milliseconds \(round it yourself, or declare it with round=True\)",
    ):
        bt.mutation_of(Exact(thing="x", **given))
    assert layout_of(bt.schema_of(Exact)).cells == layout_of(bt.schema_of(Rounded)).cells
    ticks = generated(Rounded).RoundedRepository(database(Rounded))
    ticks.put_many([Rounded(thing="x", **given)])
    [row] = ticks.every()
    assert repr(getattr(row, name)) == repr(FIELDS[name]).replace("123456", "123000")


def test_events_of_buckets_are_rounded(database: Open) -> None:
    """Appended one by one and together."""
    module = generated(TickDay)
    days = module.TickDayRepository(database(TickDay))
    days.append(thing="x", at=FINE, price=1)
    days.append_many([module.TickDayEvent(thing="y", at=FINE, price=2)])
    for thing in ("x", "y"):
        [event] = days.events(thing, CUT, FINE)
        assert event.at == CUT
    with pytest.raises(bt.ValueRefused, match="round=True"):
        days.append(thing="x", at=FINE, exact=1)


def test_round_is_true_or_false() -> None:
    """Nothing else."""
    with pytest.raises(bt.DeclarationError, match="round: expected True or False, got 1"):
        bt.history("p", bt.family("h", gc=bt.max_versions(1)), round=1)  # type: ignore[arg-type]
