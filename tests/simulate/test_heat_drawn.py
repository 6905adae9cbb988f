"""Heat maps on a terminal."""

import io
import re
from typing import Literal

import numpy as np
import pytest
from attrs import evolve
from rich.cells import cell_len
from rich.console import Console

from btmodel.cli.simulation.printing import print_sides
from btmodel.simulate.picture import Side, scale_of
from tests.simulate.loads import growing, heat_of, popular, side, spread

COLOURS = re.compile("\x1b\\[[0-9;]*m")


def shown(
    *sides: Side,
    width: int = 100,
    colours: bool = False,
    what: Literal["writes", "reads"] = "writes",
    against_even: bool = True,
) -> list[str]:
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colours,
        color_system="truecolor" if colours else None,
        highlight=False,
    )
    rates = [getattr(heat, what) for one in sides for heat in one.heats]
    print_sides(console, sides, what, scale_of(rates, against_even=against_even))
    return out.getvalue().splitlines()


def test_a_growing_key_is_a_diagonal() -> None:
    """The hottest character is further down the later it is, all else is empty; the axes name keys and times."""
    buckets = steps = 32
    lines = shown(Side("x", [heat_of(np.eye(buckets, steps) * 1000, "growing")]), width=80)
    assert lines[0] == "growing  rows written in ranges of keys"
    drawn = lines[1:17]
    assert [line.index("*") for line in drawn] == [19 + 2 * at for at in range(16)]
    assert {line.count("*") for line in drawn} == {2}
    assert drawn[0].startswith("user-00 2026-02-01 ")
    assert lines[17].split() == ["1", "Mar", "06:00", "06:15", "06:30"]
    assert lines[18].strip() == "0.1\u00d7 ·:-=+*#%@ 1,000\u00d7 an even share; seen: 1,000 to 1,000/s"
    assert " ".join(lines[19:]).startswith("Good is one calm colour: each range of keys takes about its even")


def test_colours_show_two_ranges_a_line() -> None:
    """The upper half of a character is one range, the lower half the next one."""
    lines = shown(Side("x", [heat_of(np.array([[100.0]] + [[1.0]] * 31))]), colours=True, against_even=False)
    assert "\x1b[38;2;255;255;240;48;2;20;11;52m▀" in lines[1]


def test_the_load_of_the_nodes_is_below() -> None:
    """The busiest node of each moment, the mean, and each node that did something, with their figures."""
    lines = shown(side(growing(100, 100), 30))
    at = lines.index("Load of the nodes  the mean, and the most")
    assert re.fullmatch(r"the busiest +█+ +100 % +100 %", lines[at + 1])
    assert re.fullmatch(r"the mean +▁+ +3 % +3 %", lines[at + 2])
    assert [line.split()[1] for line in lines[at + 3 : -1]] == ["28", "29", "30"]
    assert lines[-1] == "and 27 idle"


def test_nodes_beyond_the_busiest_are_counted() -> None:
    """A dozen have a line each; a single node has no mean beside it."""
    many = shown(side(popular(100, 10), 40))
    assert sum(line.startswith("node ") for line in many) == 12
    assert many[-1] == "and 28 less busy"
    assert [line.split()[:2] for line in shown(side(popular(10, 10), 1))][-1] == ["node", "1"]


def test_what_is_not_read_has_no_map() -> None:
    """One word instead of a black box; so has a table without any row."""
    lines = shown(Side("x", [growing(10, 10), heat_of(np.zeros((0, 0)))]), what="reads")
    assert lines[1::2] == ["  none", "  none"]


def test_alternatives_are_drawn_below_one_another() -> None:
    """Each has its map, in the same colours, and its load; the legend and what is good are said once."""
    lines = shown(Side("before", [growing(100, 60)], np.ones((60, 3))), side(spread(100, 60), 3))
    assert [line for line in lines if "rows written" in line] == [
        "before: growing  rows written in ranges of keys",
        "spread: spread  rows written in ranges of keys",
    ]
    assert sum("an even share; seen" in line for line in lines) == 1
    assert sum(line.startswith("Load of the nodes of ") for line in lines) == 2
    second = lines.index("spread: spread  rows written in ranges of keys")
    assert "#" in "".join(lines[:second])  # the growing end is bright
    assert "#" not in "".join(lines[second : second + 9])  # what is spread is not


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_lines_fit(width: int, colours: bool) -> None:
    """But for headings no line is wider than the terminal, or than the least map, whatever keys and sizes are."""
    wide = evolve(spread(7, 5), labels=[("日本" * 50, "\u202e\n" * 9)] * 3 + [("é", "x" * 300)] * 4)
    for one in (side(wide, 40), side(popular(1000, 300)), side(heat_of(np.ones((1, 1))), 1)):
        lines = [COLOURS.sub("", line) for line in shown(one, width=width, colours=colours)]
        drawn = [line for line in lines if not re.search("  rows written|^Load of", line)]
        assert max(map(cell_len, drawn)) <= max(width, 13 + 10 + 16)
        assert all(line.isprintable() for line in lines)
