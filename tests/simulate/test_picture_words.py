"""Figures, keys, moments and the axis of keys, in words."""

from datetime import UTC, datetime

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from btmodel.simulate import measures
from btmodel.simulate.picture import heat_sentences, node_sentences
from btmodel.simulate.picture.files import hottest, ticks
from btmodel.simulate.picture.heat import BucketRun, runs, shown_fields
from tests.simulate.loads import growing, heat_of, popular, side, spread

FIGURES = {
    0: "0",
    14_000: "14,000",
    13_333: "13,300",
    3.789: "3.79",
    999.6: "1,000",
    0.0041: "0.0041",
    3.2e-7: "3.2e-07",
    5e12: "5e+12",
    -0.5: "-0.5",
}


@pytest.mark.parametrize(("value", "text"), FIGURES.items())
def test_a_figure_has_three_digits(value: float, text: str) -> None:
    """Large ones have their commas, and only the very large and small ones an exponent."""
    assert measures.figure(value) == text


@given(st.floats(1e-9, 1e15))
def test_a_figure_is_near_its_value(value: float) -> None:
    """Within half a percent, whatever the size."""
    assert float(measures.figure(value).replace(",", "")) == pytest.approx(value, rel=0.006)


@given(st.text())
def test_names_are_printable_and_short(text: str) -> None:
    """No hidden character is left, and what is long is cut in the middle, with its ends kept."""
    shown = measures.name(text)
    assert shown.isprintable()
    assert len(shown) <= 96
    if text.isprintable() and len(text) <= 96:
        assert shown == text


def test_keys_are_told() -> None:
    """Bytes as `explain` reads them, long ones cut in the middle."""
    assert measures.key(b"user#\x00\xff") == "user#\\x00\\xff"
    assert measures.key(b"") == "(the first key)"
    assert measures.cut("abcdefghij", 7) == "abcd…ij"


def test_ticks_are_round_moments() -> None:
    """The first one names its day, and so do midnights."""
    assert [one.text for one in ticks(growing(10, 1440), 6)] == [
        *("1 Mar 06:00", "12:00", "18:00", "2 Mar", "06:00"),
    ]
    late = evolve(growing(10, 4), start=datetime(2026, 12, 31, 23, 58, 30, tzinfo=UTC), step_seconds=60)
    assert [(round(one.place, 3), one.text) for one in ticks(late, 4)] == [
        *((0.125, "31 Dec 23:59"), (0.375, "1 Jan"), (0.625, "00:01"), (0.875, "00:02")),
    ]
    assert ticks(heat_of(np.zeros((0, 0))), 6) == []


@given(st.integers(1, 20_000), st.sampled_from([1, 60, 600, 3600]), st.integers(1, 12))
def test_ticks_are_few_and_in_order(steps: int, seconds: float, most: int) -> None:
    """However long the time is, at most one more than expected, all within it."""
    heat = evolve(heat_of(np.zeros((1, steps))), step_seconds=seconds)
    places = [one.place for one in ticks(heat, most)]
    assert len(places) <= most + 1
    assert places == sorted(set(places))
    assert all(0 <= one <= 1 for one in places)


def test_runs_end_where_a_field_in_front_changes() -> None:
    """The axis shows the fields that vary, and a run ends also where one in front of it changes."""
    labels = [("eu", "a", "1"), ("eu", "a", "2"), ("eu", "b", "2"), ("eu", "b"), ("eu", "c", "2")]
    heat = evolve(heat_of(np.ones((5, 1))), labels=labels, fields=("zone", "user", "day"))
    assert shown_fields(heat) == [1, 2]
    assert runs(heat, 1) == [BucketRun(0, 2, "a"), BucketRun(2, 4, "b"), BucketRun(4, 5, "c")]
    assert [one.text for one in runs(heat, 2)] == ["1", "2", "2", "", "2"]
    assert shown_fields(heat_of(np.ones((1, 1)))) == [0, 1]


def test_the_hottest_ranges_are_named() -> None:
    """With their keys, share of the whole, highest rate and its moment; nothing that was idle is among them."""
    heat = heat_of(np.array([[1.0, 1], [0, 0], [1, 5]]))
    first, second = hottest(heat, heat.writes)
    assert (first.first, first.end) == ("user-13#2026-02-03#00002", "(the last key)")
    assert (first.share, first.most, first.at) == (0.75, 5.0, "2026-03-01 06:01")
    assert (second.fields, second.share) == ("user=user-00 day=2026-02-01", 0.25)


def test_the_load_is_told() -> None:
    """How much the hottest range has at a time and in all, how busy the nodes are, and that nothing is read."""
    [size, writes, reads] = heat_sentences(growing(100, 50))
    assert size == "100 ranges of keys by 50 steps of 1 minute, from 2026-03-01 06:00 on."
    assert "has 100 % in the usual step, 100 % at most, and 10 % of the whole time's" in writes
    assert reads == "Nothing is read."
    assert node_sentences(side(growing(100, 50))) == [
        "Of 10 nodes the busiest is at 100 % in the mean and 100 % at most; all together at 10 %."
    ]
    assert node_sentences(side(spread(10, 10), 1))[0].startswith("The one node is busy to ")
    assert "43,000 rows/s are read" in heat_sentences(popular())[2]
