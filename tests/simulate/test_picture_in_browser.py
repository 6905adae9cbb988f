"""The page of heat maps in a real browser: what is drawn, and what mouse, wheel and keys do."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from btmodel.simulate.picture import Side, page
from tests.codegen.browser import Browser, browser, found
from tests.codegen.test_browser import FAINT, OUTSIDE
from tests.simulate.loads import growing, heat_of, popular, side, spread
from tests.simulate.test_picture_page import NASTY

SIZES = [(360, False), (800, True), (1400, False), (1400, True)]
BOX = """
(({left, top, bottom, width, height}) => ({left, top, bottom, width, height}))(
  document.querySelector("%s canvas").getBoundingClientRect()
)
"""
# How many lines of a map's points, across and down, have the hottest colour for a hundred points.
WHITES = """
(canvas => {
  const {data, width, height} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const across = new Map(), down = new Map(), add = (counts, at) => counts.set(at, (counts.get(at) ?? 0) + 1);
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i += 4) {
    if (data[i] === 255 && data[i + 1] === 255 && data[i + 2] === 240) { add(across, y); add(down, x); }
  }
  return [across, down].map(counts => [...counts.values()].filter(one => one >= 100).length);
})(document.querySelector(".map canvas"))
"""


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser."""
    program = found()
    if program is None:
        pytest.skip("no chromium is installed")
    with browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def show(
    window: Browser,
    folder: Path,
    sides: Sequence[Side],
    *,
    width: int = 1400,
    dark: bool = False,
    title: str = "x",
    against_even: bool = True,
) -> Path:
    """Open the page of these sides, until it is drawn."""
    path = folder / "heat.html"
    path.write_text(page(sides, title=title, against_even=against_even), encoding="utf-8")
    window.open(path, width=width, dark=dark)
    end = time.monotonic() + 30
    while window.evaluate("document.documentElement.dataset.drawn") != "yes":
        assert time.monotonic() < end, window.complaints
        time.sleep(0.02)
    return path


def settled(window: Browser) -> None:
    """Wait until what was asked for is drawn."""
    window.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")


def mouse(window: Browser, kind: str, x: float, y: float, **more: Any) -> None:
    window.send("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)
    settled(window)


def drag(window: Browser, first: tuple[float, float], last: tuple[float, float]) -> None:
    mouse(window, "Moved", *first)
    mouse(window, "Pressed", *first, button="left", clickCount=1)
    mouse(window, "Moved", *last, button="left", buttons=1)
    mouse(window, "Released", *last, button="left", clickCount=1)


def press(window: Browser, key: str, **more: Any) -> None:
    for kind in ("keyDown", "keyUp"):
        window.send("Input.dispatchKeyEvent", type=kind, key=key, **more)
    settled(window)


def tip(window: Browser) -> dict[str, str]:
    """The figures beside the pointer, by name; the time has none."""
    names = "Object.fromEntries([...document.querySelectorAll('#tip dt')].map(one => [one.textContent, one.nextSibling.textContent]))"
    facts: dict[str, str] = window.evaluate(
        f"Object.assign({{'': document.querySelector('#tip b')?.textContent}}, {names})"
    )
    return {} if window.evaluate("document.getElementById('tip').hidden") else facts


def zoomed(window: Browser) -> str:
    """The part of the map that is seen, in words; nothing where it is all."""
    text: str = window.evaluate("document.querySelector('.shown').textContent")
    return text


@pytest.mark.parametrize(("width", "dark"), SIZES, ids=str)
def test_the_page_is_read_anywhere(window: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    """It asks for no more than itself and logs nothing; nothing sticks out, and every text stands out."""
    two = evolve(side(popular(300, 200)), name="promoted", heats=[popular(300, 200), spread(50, 200)])
    path = show(window, tmp_path, [side(growing(300, 200)), two], width=width, dark=dark)
    assert window.requests == [path.as_uri()]
    assert window.complaints == []
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert window.evaluate(OUTSIDE) == []
    assert window.evaluate(FAINT) == []
    light = window.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 251, 250)"
    assert light is not dark


def test_text_and_sizes_of_any_kind_are_drawn(window: Browser, tmp_path: Path) -> None:
    """Markup in names, one cell, nothing at all, a single step, sixty nodes: drawn, and nothing runs that is not ours."""
    named = evolve(popular(40, 30), table=NASTY, labels=[(f"{at}{NASTY}" * 20, NASTY) for at in range(40)])
    none = Side("none", [heat_of(np.zeros((0, 0)))], np.zeros((0, 3)))
    one, idle = side(heat_of(np.ones((1, 1))), 1), side(heat_of(np.zeros((5, 5))))
    sides = [evolve(side(named, 60), name=NASTY), none, one, idle, Side("y", [spread(9, 1)])]
    show(window, tmp_path, sides, title=NASTY)
    assert window.complaints == []
    assert window.evaluate("document.scripts.length") == 2
    assert window.evaluate("document.querySelectorAll('canvas').length") == 7
    assert window.evaluate("document.documentElement.scrollWidth") <= 1400
    assert window.evaluate("document.getElementById('trouble').hidden")


def test_no_hot_range_or_moment_is_lost(window: Browser, tmp_path: Path) -> None:
    """Where several cells share a point, the hottest is drawn: each hot range and each hot step has its line."""
    hot = np.full((1000, 1440), 1.0)
    hot[[100, 223, 341, 456, 578, 690, 777, 905]] = 10_000
    hot[:, [200, 411, 633, 850, 1077, 1301]] = 10_000
    for width in (1400, 500):
        show(window, tmp_path, [Side("hot", [heat_of(hot)])], width=width, against_even=False)
        assert window.evaluate(WHITES) == [8, 6]


def test_pointing_shows_the_figures(window: Browser, tmp_path: Path) -> None:
    """Of the range and the time under the pointer: keys, fields, rates, shares and the nodes, as they were simulated."""
    rates = np.arange(1.0, 201).reshape(10, 20)
    heat = heat_of(rates, reads=2)
    show(window, tmp_path, [side(heat, 5)])
    box = window.evaluate(BOX % ".map")
    x, y = box["left"] + box["width"] * 0.55, box["top"] + box["height"] * 0.5
    mouse(window, "Moved", x, y)
    facts = tip(window)
    bucket = next(at for at in range(10) if facts["keys"].startswith(heat.low[at].decode()))
    step = int(facts[""][len("1 Mar 06:") :][:2])
    assert bucket in (4, 5)
    assert step in (9, 10, 11)
    assert facts[""] == f"1 Mar 06:{step:02} to 06:{step + 1:02} UTC"
    assert facts["keys"] == f"{heat.low[bucket].decode()} … {heat.low[bucket + 1].decode()}"
    assert (facts["user"], facts["day"]) == tuple(heat.labels[bucket])
    rate, total = rates[bucket, step], rates[:, step].sum()
    told, part, even = facts["writes"].split(", ")
    assert float(told.split()[0]) == pytest.approx(rate, rel=0.01)
    assert float(part.split()[0]) == pytest.approx(100 * rate / total, rel=0.01)
    assert float(even.split()[0]) == pytest.approx(rate / rates.mean(), rel=0.01)
    assert float(facts["reads"].split()[0]) == pytest.approx(2 * rate, rel=0.01)
    assert facts["rows"] == "1,000,000 in the end"
    assert facts["busiest"].startswith("node 5 at ")
    assert facts["p99 wait"].endswith(" ms")
    assert facts["tablets"] == "1 move"
    mouse(window, "Moved", 5, 5)
    assert tip(window) == {}


def test_pointing_at_the_nodes_shows_their_load(window: Browser, tmp_path: Path) -> None:
    """Of the node under the pointer and of the busiest one."""
    show(window, tmp_path, [side(growing(100, 100), 10)])
    window.evaluate("document.querySelector('.nodes').scrollIntoView({block: 'end'})")
    settled(window)
    box = window.evaluate(BOX % ".nodes")
    mouse(window, "Moved", box["left"] + box["width"] / 2, box["bottom"] - 28)
    facts = tip(window)
    assert facts["node 10"] == "at 100 %"
    assert facts["busiest"] == "node 10 at 100 %; the mean is 10 %"


def test_dragging_zooms_and_back_leads_back(window: Browser, tmp_path: Path) -> None:
    """Into the box in both directions; the wheel goes on once the map was clicked; buttons and keys go back."""
    show(window, tmp_path, [side(spread(100, 200))])
    box = window.evaluate(BOX % ".map")
    middle = (box["left"] + box["width"] * 0.5, box["top"] + box["height"] * 0.5)
    assert zoomed(window) == ""
    assert window.evaluate(
        "[...document.querySelectorAll('[data-do=back], [data-do=all]')].every(one => one.disabled)"
    )
    before = window.evaluate("document.querySelector('.nodes canvas').toDataURL()")
    drag(window, middle, (middle[0] + 200, middle[1] + 100))
    first = zoomed(window)
    assert "ranges 5" in first
    assert first.startswith("1 Mar 07:")
    mouse(window, "Wheel", middle[0], middle[1], deltaX=0, deltaY=-100)
    second = zoomed(window)
    assert second not in ("", first)
    press(window, "Backspace")
    assert zoomed(window) == first
    window.evaluate("document.querySelector('[data-do=back]').click()")
    settled(window)
    assert zoomed(window) == ""
    drag(window, middle, (middle[0] + 200, middle[1] + 100))
    press(window, "0")
    mouse(window, "Moved", 5, 5)
    assert zoomed(window) == ""
    assert window.evaluate("document.querySelector('.nodes canvas').toDataURL()") == before
    assert window.complaints == []


def test_the_wheel_is_the_pages_until_a_map_was_asked_for(window: Browser, tmp_path: Path) -> None:
    """A long page scrolls over a map that was not clicked; with Ctrl the map zooms all the same."""
    show(window, tmp_path, [side(spread(20, 20))] * 3, width=800)
    box = window.evaluate(BOX % ".map")
    x, y = box["left"] + box["width"] * 0.5, box["top"] + box["height"] * 0.5
    mouse(window, "Wheel", x, y, deltaX=0, deltaY=-100)
    assert zoomed(window) == ""
    mouse(window, "Wheel", x, y, deltaX=0, deltaY=-100, modifiers=2)
    assert zoomed(window) != ""


def test_keys_do_all_that_the_mouse_does(window: Browser, tmp_path: Path) -> None:
    """H finds the hottest range, arrows move and speak, plus zooms there, Escape hides the figures."""
    rates = np.ones((50, 40))
    rates[30, 20] = 500
    heat = heat_of(rates)
    show(window, tmp_path, [side(heat)])
    window.evaluate("document.querySelector('.map canvas').focus()")
    press(window, "h")
    assert tip(window)["writes"].startswith("500 rows/s, 91.1 % of the table's")
    press(window, "ArrowDown")
    assert tip(window)["keys"].startswith(heat.low[31].decode())
    press(window, "ArrowLeft", modifiers=8)
    spoken = window.evaluate("document.getElementById('said').textContent")
    assert spoken.startswith("1 Mar 06:10 to 06:11 UTC; keys: ")
    press(window, "h")
    press(window, "+")
    assert zoomed(window) == "1 Mar 06:10 to 06:31 UTC, ranges 16 to 41 of 50"
    press(window, "Escape")
    assert tip(window) == {}


def test_switches_change_what_is_drawn(window: Browser, tmp_path: Path) -> None:
    """Reads and writes, the three scales with their legend, and the theme against the system's."""
    heat = popular(50, 40)
    heat = evolve(heat, reads=heat.writes[::-1].copy())
    show(window, tmp_path, [side(heat)])
    legend = "document.querySelector('.legend').innerText"
    picture = "document.querySelector('.map canvas').toDataURL()"

    def switch(value: str) -> tuple[str, str]:
        window.evaluate(f"document.querySelector('[value={value}]').click()")
        settled(window)
        return window.evaluate(legend), window.evaluate(picture)

    assert "Times an even share of the table's writes: good is one calm colour" in window.evaluate(legend)
    switch("log")
    seen = [switch(one) for one in ("writes", "reads", "linear", "even")]
    assert len({drawn for _, drawn in seen}) == 4
    assert "Rows written a second in a range of keys: from " in seen[0][0]
    assert "Rows read a second" in seen[1][0]
    assert seen[2][0].startswith("0\n")
    assert "Times an even share of the table's reads" in seen[3][0]
    assert "1,000\u00d7" in seen[3][0]
    switch("dark")
    assert window.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 21, 24)"
    assert window.evaluate(FAINT) == []
    switch("light")
    assert window.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 251, 250)"
    assert window.complaints == []


def test_alternatives_are_seen_in_the_same_time(window: Browser, tmp_path: Path) -> None:
    """A zoom in one map changes the time of all of them, and only its own keys."""
    show(window, tmp_path, [side(growing(100, 200)), side(spread(100, 200))])
    box = window.evaluate(BOX % ".map")
    x, y = box["left"] + box["width"] * 0.5, box["top"] + box["height"] * 0.5
    drag(window, (x, y), (x + 100, y + 100))
    ours, theirs = window.evaluate("[...document.querySelectorAll('.shown')].map(one => one.textContent)")
    assert ours.partition(",")[0] == theirs.partition(",")[0]
    assert theirs.endswith("ranges 1 to 100 of 100")
    assert "1 to 100" not in ours


def test_it_is_printed_in_light_without_its_switches(window: Browser, tmp_path: Path) -> None:
    """On paper the words of the maps are dark, also where the screen's theme is dark."""
    show(window, tmp_path, [side(growing(50, 50))], dark=True)
    words = "document.querySelector('.map canvas').toDataURL()"
    before = window.evaluate(words)
    window.send("Emulation.setEmulatedMedia", media="print")
    settled(window)
    assert window.evaluate("getComputedStyle(document.body).color") == "rgb(28, 29, 31)"
    assert window.evaluate(words) != before
    assert not window.evaluate("document.querySelector('.bar fieldset').checkVisibility()")
    window.send("Emulation.setEmulatedMedia", media="")
