"""The colours of a heat map, and what they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.simulate.picture.heat import NOTHING, STOPS, colour, scale_of
from tests.simulate.loads import growing, popular, spread

RATES = st.lists(st.just(0.0) | st.floats(1e-12, 1e12), min_size=1, max_size=30).map(np.array)


@given(RATES, RATES, st.booleans(), st.floats(1, 86_400))
def test_every_rate_has_its_place(one: np.ndarray, two: np.ndarray, against_even: bool, step: float) -> None:
    """From 0 to 1, in the order of the rates; nothing has none; the legend's figures are what was seen."""
    scale = scale_of([one, two], against_even=against_even)
    rates = np.sort(np.concatenate([one, two]))
    places = scale.place(rates, step)
    assert (places[rates > 0] >= 0).all()
    assert (places <= 1).all()
    assert (places[rates == 0] < 0).all()
    assert (np.diff(places) >= 0).all()
    assert scale.low < scale.high
    if rates.any():
        assert (scale.least, scale.most) == (rates[rates > 0].min(), rates.max())


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e6])
def test_an_even_load_is_calm_and_a_hotspot_is_bright(factor: float) -> None:
    """An even load is a quarter of the way up, whatever its rate; a range with a hundred times its share is far above."""
    even = spread(100, 60).writes * factor
    places = scale_of([even]).place(even, 60 / factor)
    assert places.mean() == pytest.approx(0.25, abs=0.02)
    assert places.max() < 0.4
    hot = growing(100, 60).writes * factor
    assert scale_of([hot]).place(hot, 60 / factor).max() > 0.7


def test_single_rows_are_no_hotspots() -> None:
    """Of a table with a row now and then, each row is in one range: that is no more than an even share."""
    rates = np.zeros((200, 600))
    rates[::7, ::50] = 1 / 60  # one row in a step of a minute
    assert scale_of([rates]).place(rates, 60).max() == pytest.approx(0.25)


def test_a_peak_of_the_day_is_seen() -> None:
    """The even share is that of the whole time, so a minute in which all ranges have much is brighter than the rest."""
    rates = np.ones((50, 60))
    rates[:, 30] = 40
    places = scale_of([rates]).place(rates, 60)
    assert (places[:, 30] > places[:, 0] + 0.3).all()


def test_an_even_rate_is_not_drawn_like_a_hotspot() -> None:
    """Coloured by rates: of a load that is spread all lie near the middle; a hot range among others, or alone, is white."""
    even = spread(100, 60).writes
    places = scale_of([even], against_even=False).place(even, 60)
    assert 0.25 < places.min() < places.max() < 0.75
    for heat in (growing(30, 60), growing(1000, 60), popular(1000, 60)):
        scale = scale_of([heat.writes], against_even=False)
        assert scale.place(heat.writes, 60).max() == pytest.approx(1)


def test_alternatives_share_their_colours() -> None:
    """An even load beside a hotspot is dark, for each of its ranges has little, by rates too."""
    hot, even = growing().writes, spread().writes
    scale = scale_of([hot, even], against_even=False)
    assert scale.place(hot, 60).max() == 1
    assert scale.place(even, 60).max() < 0.3


def test_hotter_is_brighter() -> None:
    """Each colour is brighter than all colder ones, also in grey, and nothing is the darkest."""
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(colour, np.linspace(0, 1, 60))]
    assert light == sorted(light)
    assert 0.2126 * NOTHING[0] + 0.7152 * NOTHING[1] + 0.0722 * NOTHING[2] < light[0]
    assert (colour(-1), colour(0), colour(1), colour(2)) == (STOPS[0], STOPS[0], STOPS[-1], STOPS[-1])
