"""The colours of a heat map, and what they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.simulate.picture.heat import NOTHING, STOPS, colour, scale_of
from tests.simulate.loads import growing, popular, spread

RATES = st.lists(st.just(0.0) | st.floats(1e-12, 1e12), min_size=1, max_size=30).map(np.array)


@given(RATES, RATES)
def test_every_rate_has_its_place(one: np.ndarray, two: np.ndarray) -> None:
    """From 0 to 1, in the order of the rates; nothing has none; the legend's figures are what was seen."""
    scale = scale_of([one, two])
    rates = np.sort(np.concatenate([one, two]))
    places = scale.place(rates)
    assert (places[rates > 0] >= 0).all()
    assert (places <= 1).all()
    assert (places[rates == 0] < 0).all()
    assert (np.diff(places) >= 0).all()
    assert scale.low < scale.high
    if rates.any():
        assert (scale.least, scale.most) == (rates[rates > 0].min(), rates.max())


def test_an_even_load_is_not_drawn_like_a_hotspot() -> None:
    """Of a load that is spread all colours lie near the middle; a hot range among others, or alone, is white."""
    even = spread(100, 60).writes
    places = scale_of([even]).place(even)
    assert 0.25 < places.min() < places.max() < 0.75
    for heat in (growing(30, 60), growing(1000, 60), popular(1000, 60)):
        assert scale_of([heat.writes]).place(heat.writes).max() == pytest.approx(1)


def test_alternatives_share_their_colours() -> None:
    """An even load beside a hotspot is dark, for each of its ranges has little."""
    hot, even = growing().writes, spread().writes
    scale = scale_of([hot, even])
    assert scale.place(hot).max() == 1
    assert scale.place(even).max() < 0.3


def test_hotter_is_brighter() -> None:
    """Each colour is brighter than all colder ones, also in grey, and nothing is the darkest."""
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(colour, np.linspace(0, 1, 60))]
    assert light == sorted(light)
    assert 0.2126 * NOTHING[0] + 0.7152 * NOTHING[1] + 0.0722 * NOTHING[2] < light[0]
    assert (colour(-1), colour(0), colour(1), colour(2)) == (STOPS[0], STOPS[0], STOPS[-1], STOPS[-1])
