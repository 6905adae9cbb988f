"""The studio in a real browser: nothing is asked for elsewhere, nothing is wrong, and it is used with the keyboard alone."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from btmodel.rows import Cell, Mutation
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.codegen.browser import Browser, browser, found
from tests.codegen.test_browser import FAINT, OUTSIDE
from tests.studio.conftest import Opened, Running
from tests.studio.test_editing_events import BEFORE, DAY, KEY, Kettle, at
from tests.studio.test_studio_pages import SCRIPT

SIZES = [(320, False), (390, True), (800, False), (1400, False), (1400, True)]
ROW = "key=NYSE%20%20%23IBM%20%20%231426535612406"
PAGES = {
    "home": "/",
    "rows": "/models/Quote",
    "query": "/models/Quote?query=by_symbol&is.exchange=NYSE&is.symbol=IBM&measure=yes",
    "key": "/models/Quote?query=key&key.exchange=NYSE",
    "row": f"/models/Quote/row?{ROW}",
    "schema": "/models/Quote/schema",
    "load": "/models/Quote/load?for=1h",
    "table": "/tables/QUOTE",
    "new": "/models/Quote/new",
    "edit": f"/models/Quote/edit?{ROW}",
    "delete": f"/models/Quote/delete?{ROW}",
    "migrations": "/migrations",
}
# A wide table has a region of its own, which scrolls.
BESIDE = OUTSIDE.replace("thead, .skip", "thead, .scroll, .skip")
# Inputs without a label, tables without a caption or headings, and pages without one heading of the first level.
UNNAMED = """
[...document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)")].filter(one => !one.labels.length).map(one => one.name)
  .concat([...document.querySelectorAll("table")].filter(one => !one.caption || !one.querySelector("th[scope=col]") || !one.querySelector("th[scope=row]")).map(one => one.outerHTML.slice(0, 80)))
  .concat(document.querySelectorAll("h1").length === 1 ? [] : ["h1"])
"""
# Of what takes the focus, whether it can be seen that it does.
FOCUSED = """
(() => {
  const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
  const label = one.nextElementSibling, other = one.id === "contents" ? getComputedStyle(label) : style;
  return [one.tagName + " " + (one.name || one.id || one.innerText || "").trim().slice(0, 40), other.outlineStyle !== "none" && box.height > 0];
})()
"""


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser."""
    program = found()
    if program is None:
        pytest.skip("no chromium is installed")
    with browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def studio(opened: Opened, window: Browser) -> Running:
    """A studio of quotes with hostile bytes among them, whose address was opened."""
    made = opened(Quote, edit=True)
    QuoteRepository(made.studio.db).put_many(made_up_quotes(60))
    cells = (Cell("MD", SCRIPT, 5_000, SCRIPT * 50), Cell("MD", b"A" * 300, 5_000, b"\0" * 3_000))
    for key in (b"NYSE  #IBM  #1426535612406", SCRIPT, b"k" * 900):
        made.studio.db.write(Mutation("QUOTE", key, cells=cells))
    window.open(f"{made.address}/?token={made.secrets.token}", width=1400)
    return made


def press(window: Browser, key: str, text: str = "", code: int = 0) -> None:
    for kind in ("keyDown", "keyUp"):
        typed = {"text": text} if kind == "keyDown" and text else {}
        window.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **typed)


def tab_to(window: Browser, name: str) -> None:
    """Press the key of tabulators until an element has the focus."""
    for _ in range(80):
        if window.evaluate("document.activeElement.name || document.activeElement.innerText") == name:
            return
        press(window, "Tab", code=9)
    raise AssertionError(f"{name} is not reached")


def enter(window: Browser) -> None:
    """Press the key that sends a form or follows a link, and wait for the page."""
    window.events.clear()
    press(window, "Enter", "\r", 13)
    window.loaded()


def write(window: Browser, text: str) -> None:
    window.send("Input.insertText", text=text)


@pytest.mark.parametrize("name", PAGES)
def test_each_page_is_sound_at_any_width(studio: Running, window: Browser, name: str) -> None:
    """No error in the console, no request elsewhere, no script of a cell; read in light and dark, narrow and wide."""
    for width, dark in SIZES:
        window.open(studio.address + PAGES[name], width=width, dark=dark)
        place = (name, width, dark)
        assert (*place, window.complaints) == (*place, [])
        assert [one for one in window.requests if not one.startswith(studio.address + "/")] == []
        assert window.evaluate("document.title").endswith("btmodel studio")
        assert (*place, window.evaluate(FAINT)) == (*place, [])
        assert (*place, window.evaluate(BESIDE)) == (*place, [])
        assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert window.evaluate(UNNAMED) == []


def test_a_row_is_found_and_changed_with_the_keyboard(studio: Running, window: Browser) -> None:
    """From the first page by links and forms to a changed row, without a mouse."""
    window.open(studio.address, width=1400)
    tab_to(window, "Quote")
    enter(window)
    tab_to(window, "by_symbol")
    enter(window)
    tab_to(window, "is.exchange")
    write(window, "NASDAQ")
    tab_to(window, "is.symbol")
    write(window, "ZXZZT")
    enter(window)
    assert window.evaluate("document.querySelectorAll('.rows tbody tr').length") == 25
    tab_to(window, "NASDAQ#ZXZZT#1426535612156")
    enter(window)
    tab_to(window, "Edit")
    enter(window)
    tab_to(window, "value.bid_size")
    window.evaluate("document.activeElement.select()")
    write(window, "many")
    enter(window)
    assert window.evaluate("document.activeElement.name") == "value.bid_size"  # where the error is
    assert window.evaluate("document.activeElement.ariaInvalid") == "true"
    window.evaluate("document.activeElement.select()")
    write(window, "4242")
    enter(window)
    assert "Written: bid_size" in window.evaluate("document.querySelector('[role=status]').innerText")
    quotes = QuoteRepository(studio.studio.db)
    changed = quotes.by_symbol("NASDAQ", "ZXZZT").first()
    assert changed is not None
    assert changed.bid_size == 4242
    tab_to(window, "Delete…")
    enter(window)
    tab_to(window, "Delete the row")
    enter(window)
    assert "is deleted" in window.evaluate("document.querySelector('[role=status]').innerText")
    first = quotes.by_symbol("NASDAQ", "ZXZZT").first()
    assert first is not None
    assert first.quote_time > changed.quote_time


def test_a_history_and_a_counter_are_changed_with_the_keyboard(opened: Opened, window: Browser) -> None:
    """A line of a history is changed, and an amount added, by a browser whose lines end with two characters; the page has no fault."""
    studio = opened(Kettle, edit=True)
    rows = studio.studio.repository(Kettle, {})
    rows.put(Kettle(id="k", day=DAY, **BEFORE))
    rows.edit(KEY.encode(), [])._add({"clicks": 7}).apply()
    window.open(f"{studio.address}/?token={studio.secrets.token}", width=390)
    window.open(f"{studio.address}/models/Kettle/edit?key=k%2320260105", width=390, dark=True)
    assert window.evaluate(UNNAMED) == []
    assert window.evaluate(FAINT) == []
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab_to(window, "value.heat")
    assert window.evaluate("document.activeElement.value.split('\\n').length") == 5
    window.evaluate("document.activeElement.value = document.activeElement.value.replace(': 20', ': 25')")
    tab_to(window, "value.clicks")
    write(window, "3")
    enter(window)
    done = window.evaluate("document.querySelector('[role=status]').innerText")
    assert "Written: heat, clicks" in done
    row: Any = rows.of_key(KEY.encode())
    assert row.heat == {**BEFORE["heat"], at(2): 25}
    assert row.clicks == 10
    assert row.prices == BEFORE["prices"]
    assert window.complaints == []


def test_the_focus_is_seen_and_the_navigation_can_be_skipped(studio: Running, window: Browser) -> None:
    """The first stop leads past the navigation; each stop is visible when it has the focus, on a wide and a narrow page."""
    for width in (390, 1400):
        window.open(studio.address + PAGES["query"], width=width)
        press(window, "Tab", code=9)
        assert window.evaluate("document.activeElement.className") == "skip"
        press(window, "Enter", "\r", 13)
        assert window.evaluate("document.activeElement.id") == "main"
        window.open(studio.address + PAGES["query"], width=width)
        for _ in range(24):
            press(window, "Tab", code=9)
            name, seen = window.evaluate(FOCUSED)
            assert seen, (width, name)


def test_the_heat_map_is_drawn_in_its_frame(studio: Running, window: Browser) -> None:
    """The script of the picture runs in the frame, though no other may."""
    window.open(studio.address + PAGES["load"], width=1400)
    drawn = "document.querySelector('iframe').contentDocument?.documentElement.dataset.drawn"
    end = time.monotonic() + 30
    while window.evaluate(drawn) != "yes":
        assert time.monotonic() < end, window.complaints
        time.sleep(0.05)
    assert window.complaints == []


def test_a_page_of_another_site_gets_nothing(studio: Running, window: Browser, tmp_path: Path) -> None:
    """A form that another page sends has no cookie with it, and its frame stays empty."""
    key = "NASDAQ#ZXZZT#1426535612156"
    page = tmp_path / "evil.html"
    page.write_text(
        f'<form method="post" action="{studio.address}/models/Quote/delete?key={key.replace("#", "%23")}">'
        f'<input name="token" value="{studio.studio.form}"></form>'
    )
    window.open(page, width=800)
    window.events.clear()
    window.evaluate("document.querySelector('form').submit()")
    window.loaded()
    assert "No token" in window.evaluate("document.body.innerText")
    assert len(list(studio.studio.db.cells("QUOTE", key.encode()))) == 1
