"""Heat maps as PNG."""

import io
import subprocess
import sys
from typing import Literal

import numpy as np
import pytest
from attrs import evolve

from btmodel.simulate.picture import Side, png
from tests.simulate.loads import growing, heat_of, popular, side, spread


def pixels(raw: bytes) -> np.ndarray:
    """The colours of a PNG, from 0 to 255."""
    from matplotlib.image import imread

    assert raw.startswith(b"\x89PNG\r\n\x1a\n")
    return np.asarray(imread(io.BytesIO(raw)) * 255).round().astype(int)[:, :, :3]


def whites(raw: bytes, left: float, right: float) -> int:
    """How many points of the hottest colour are in a part of the picture, by the share of its width."""
    found = pixels(raw)
    part = found[:, int(left * found.shape[1]) : int(right * found.shape[1])]
    return int((part == [255, 255, 240]).all(axis=2).sum())


def test_one_hot_range_is_seen() -> None:
    """A single range with a thousand times its share is drawn in the hottest colour, also where points are fewer."""
    hot = np.full((2500, 1440), 1.0)
    hot[1777] = 10_000
    raw = png([Side("hot", [heat_of(hot)])], title="Hot")
    assert whites(raw, 0.05, 0.85) > 500


@pytest.mark.parametrize(("ranges", "against_even"), [(1200, True), (200, False)])
def test_alternatives_stand_side_by_side_in_the_same_colours(ranges: int, against_even: bool) -> None:
    """The hotspot is white, and the load that is spread beside it is not, in either kind of colours."""
    hot = side(growing(ranges, 300))
    raw = png([hot, side(spread(ranges, 300))], title="Both", against_even=against_even)
    assert pixels(raw).shape[1] > pixels(png([hot], title="One")).shape[1]
    assert whites(raw, 0.05, 0.45) > 100
    assert whites(raw, 0.5, 0.88) == 0


@pytest.mark.parametrize("what", ["writes", "reads"])
def test_any_text_and_any_size_is_drawn(what: Literal["writes", "reads"]) -> None:
    """Text that looks like mathematics, letters that no font has, no rows, one row, and several tables."""
    nasty = "$x^{2$ \\frac \u202e \0 日本 😀 " + "x" * 500
    named = evolve(popular(40, 30), table=nasty, labels=[(f"{at}{nasty}", nasty) for at in range(40)])
    none, one = heat_of(np.zeros((0, 0))), heat_of(np.ones((1, 1)))
    sides = [Side(nasty, [named, spread(5, 5)], np.ones((30, 3)) * 1.5), Side("none", [none]), side(one, 1)]
    assert pixels(png(sides, title=nasty, what=what)).size


def test_many_alternatives_stand_in_lines() -> None:
    """Of more than three the others stand below, so that none is too small to be read."""
    three, five = (pixels(png([side(growing(20, 30))] * count, title="x")).shape for count in (3, 5))
    assert five[1] == three[1]
    assert five[0] > 1.8 * three[0]


def test_a_missing_library_is_named_with_its_command() -> None:
    """It is an extra, and the page of HTML needs none."""
    code = """
import sys
sys.modules["matplotlib"] = None
from btmodel.errors import SimulationRefused
from btmodel.simulate.picture import page, png
from tests.simulate.loads import growing, side
page([side(growing(5, 5))], title="x")
try:
    png([side(growing(5, 5))], title="x")
except SimulationRefused as error:
    print(error)
"""
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == 'a picture needs matplotlib: pip install "btmodel[plot]"', done.stderr
