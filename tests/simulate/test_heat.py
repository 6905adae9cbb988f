"""What a heat map is made of."""

from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve

from tests.simulate.loads import START, growing, heat_of


def test_a_heat_names_its_buckets_and_moments() -> None:
    """A bucket by the fields of its first key, also where that is a prefix; a step by when it begins."""
    heat = evolve(growing(10, 30), labels=[("user-00",)] + [("user-01", "2026-02-01")] * 9)
    assert (heat.buckets, heat.steps) == (10, 30)
    assert (heat.named(0), heat.named(1)) == ("user=user-00", "user=user-01 day=2026-02-01")
    assert heat.at(2) == START + timedelta(minutes=2)


@pytest.mark.parametrize("part", ["low", "labels", "reads", "rows"])
def test_parts_that_do_not_fit_are_refused(part: str) -> None:
    """Of a heat whose parts have other numbers of buckets, a wrong picture would be drawn."""
    heat = heat_of(np.ones((3, 4)))
    with pytest.raises(ValueError, match="expected labels, writes, reads and rows of"):
        evolve(heat, **{part: getattr(heat, part)[:2]})
