"""Fewer steps and fewer cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.simulate.picture.heat import longer_steps, means, peaks
from tests.simulate.loads import growing, heat_of


@given(st.integers(1, 50), st.integers(1, 20))
def test_longer_steps_have_the_mean_rates(steps: int, most: int) -> None:
    """There are no more than expected, they cover the same time, and as many rows are written in them."""
    chance = np.random.default_rng(steps)
    heat = heat_of(chance.uniform(0, 100, (3, steps)), reads=2)
    longer = longer_steps(heat, most)
    assert longer.steps <= most
    together = round(longer.step_seconds / heat.step_seconds)
    assert (longer.steps - 1) * together < steps <= longer.steps * together
    lengths = np.minimum(together, steps - np.arange(longer.steps) * together)
    np.testing.assert_allclose((longer.writes * lengths).sum(axis=1), heat.writes.sum(axis=1), rtol=1e-4)
    np.testing.assert_allclose(longer.reads, 2 * longer.writes, rtol=1e-4)


def test_steps_that_are_few_enough_stay() -> None:
    """The heat is then the same one."""
    heat = growing(10, 30)
    assert longer_steps(heat, 30) is heat
    assert means(np.arange(5.0), 2).tolist() == [0.5, 2.5, 4.0]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 45), st.integers(1, 45))
def test_no_hot_cell_is_lost(lines: int, columns: int, most: int, wide: int) -> None:
    """The hottest cell is in the smaller picture, at its place, and there is nothing hotter."""
    cells = np.zeros((lines, columns))
    cells[lines // 2, columns // 3] = 7
    small = peaks(cells, most, wide)
    assert small.shape == (min(lines, most), min(columns, wide))
    assert (small.max(), small.sum()) == (7, 7)
    line, column = np.argwhere(small == 7)[0]
    assert line / small.shape[0] == pytest.approx((lines // 2) / lines, abs=1 / small.shape[0])
    assert column / small.shape[1] == pytest.approx((columns // 3) / columns, abs=1 / small.shape[1])
