"""The page in a real browser: nothing is asked for, nothing is wrong, and it is read at any width, in light and in dark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel import schema_of
from btmodel.codecs.key import Text
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.settings import read
from examples.battery import SaltedBattery
from tests.codegen.browser import Browser, browser, found
from tests.codegen.test_schema_pages import NASTY, model_with
from tests.schemas import model_of

SIZES = [(360, False), (360, True), (800, False), (1100, False), (1400, False), (1400, True)]
seen = pytest.mark.parametrize(("width", "dark"), SIZES, ids=str)

# Text whose colours are too near each other to be read: a contrast below 4.5, as WCAG 2 computes it for AA.
FAINT = """
(() => {
  const parsed = text => { const [r, g, b, a = 1] = text.match(/[0-9.]+/g).map(Number); return {rgb: [r, g, b], a}; };
  const light = ({rgb}) => rgb.map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
  const behind = one => {
    for (; one; one = one.parentElement) {
      const colour = parsed(getComputedStyle(one).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return parsed("rgb(255,255,255)");
  };
  const faint = new Set();
  for (const one of document.body.querySelectorAll("*")) {
    if (![...one.childNodes].some(child => child.nodeType === 3 && child.data.trim()) || !one.checkVisibility()) continue;
    const [a, b] = [light(parsed(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) faint.add(one.tagName + "." + one.className);
  }
  return [...faint];
})()
"""
# Elements that stick out of the page at either side.
OUTSIDE = """
[...document.body.querySelectorAll("main *, nav *")].filter(one => {
  const box = one.getBoundingClientRect();
  return one.checkVisibility() && box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !one.closest("thead, .skip, input");
}).slice(0, 5).map(one => one.outerHTML.slice(0, 120))
"""

# Cells of tables and boxes of keys whose text runs out of them, over their neighbours.
SPILLED = """
[...document.querySelectorAll("th, td, .part")].filter(one => one.checkVisibility() && !one.closest("thead")
  && one.scrollWidth > one.clientWidth + 1).map(one => one.outerHTML.slice(0, 120))
"""
# Names of up to 16 letters that stand on more than one line.
BROKEN = """
[...document.querySelectorAll(".grid code:not(.long)")].filter(one => one.getClientRects().length > 1)
  .map(one => one.innerText)
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser."""
    program = found()
    if program is None:
        pytest.skip("no chromium is installed")
    with browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of all examples."""
    from importlib import import_module

    models = {}
    for name in read(Path(__file__)).models:
        for value in vars(import_module(name)).values():
            if isinstance(value, type) and issubclass(value, bt.Model) and "__schema__" in vars(value):
                models[value] = schema_of(value)
    return written(tmp_path_factory.mktemp("pages"), list(models.values()))


def written(folder: Path, models: list[ModelSchema]) -> Path:
    path = folder / "schema.html"
    path.write_text(generate(models, ["html"])["schema.html"], encoding="utf-8")
    return path


@seen
def test_the_page_of_the_examples_is_read_anywhere(
    page: Browser, examples: Path, width: int, dark: bool
) -> None:
    """It asks for no more than itself and logs nothing; nothing sticks out, and every text stands out."""
    page.open(examples, width=width, dark=dark)
    assert page.requests == [examples.as_uri()]
    assert page.complaints == []
    assert page.evaluate("document.compatMode") == "CSS1Compat"
    assert page.evaluate("innerWidth") == width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SPILLED) == []
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(FAINT) == []
    light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 251, 250)"
    assert light is not dark


@seen
def test_no_text_breaks_the_page(page: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    """Names without end and text that would be markup stay within the page, and do nothing."""
    page.open(
        written(tmp_path, [model_with(NASTY), model_with("x" * 2000), model_with("אבג ")]),
        width=width,
        dark=dark,
    )
    assert page.complaints == []
    assert len(page.requests) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SPILLED) == []
    assert page.evaluate("document.scripts.length + document.images.length") == 0


def test_the_contents_fold_where_there_is_no_room(page: Browser, examples: Path) -> None:
    """A wide page shows its contents at the side, which stay; a narrow one when they are asked for, by key or mouse."""
    shown = "document.querySelector('nav > ul').checkVisibility()"
    page.open(examples, width=1400)
    assert page.evaluate(shown)
    page.evaluate("scrollTo(0, 5000)")
    assert page.evaluate("document.querySelector('nav').getBoundingClientRect().top") == 0
    page.open(examples, width=360)
    assert not page.evaluate(shown)
    page.evaluate("document.querySelector('nav input').focus()")
    for kind in ("keyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent", type=kind, key=" ", code="Space", text=" ", windowsVirtualKeyCode=32
        )
    assert page.evaluate(shown)


def test_a_link_leads_to_its_place(page: Browser, examples: Path) -> None:
    """A model's link brings its heading to the top."""
    page.open(examples, width=1400)
    page.evaluate("document.querySelector('main a[href=\"#model-quote\"]').click()")
    assert page.evaluate("document.getElementById('model-quote').getBoundingClientRect().top") < 60


def test_the_key_is_drawn_in_the_order_of_its_parts(page: Browser, tmp_path: Path) -> None:
    """The boxes stand side by side as the fields do, longer ones wider, each with its number, name and width."""
    page.open(written(tmp_path, [schema_of(SaltedBattery)]), width=1400)
    boxes = page.evaluate(
        "[...document.querySelectorAll('.part')].map(one => [one.getBoundingClientRect().left, "
        "one.getBoundingClientRect().width, one.innerText.split(/\\s+/).join(' ')])"
    )
    assert [text for _, _, text in boxes] == ["1 battery 7 bytes", "2 salt 1 byte", "3 at 17 bytes"]
    assert boxes == sorted(boxes)
    assert boxes[2][1] > boxes[0][1] > boxes[1][1]
    assert page.evaluate("document.querySelector('.example').innerText") == "BATTERY#1#20210531123456789"


def test_a_box_is_as_wide_as_its_bytes_and_not_as_its_name(page: Browser, tmp_path: Path) -> None:
    """A field of more bytes has the wider box, a field of as many an equal one, whatever they are called."""
    key = RowKey(
        (
            KeyField("workspace", Text(max_length=20)),
            KeyField("user", Text(max_length=30)),
            KeyField("room", Text(max_length=30)),
        ),
        b"#",
    )
    page.open(written(tmp_path, [model_of(key)]), width=1400)
    workspace, user, room = page.evaluate(
        "[...document.querySelectorAll('.part')].map(one => Math.round(one.getBoundingClientRect().width))"
    )
    assert workspace < user == room
    assert page.evaluate("document.querySelector('.example').innerText") == "amber#birch#cedar"


def test_every_link_of_the_page_is_underlined_alike(page: Browser, examples: Path) -> None:
    """The model's and the table's, in the same list."""
    page.open(examples, width=1100)
    lines = "[...new Set([...document.querySelectorAll('main a code')].map(one => getComputedStyle(one).textDecorationLine))]"
    assert page.evaluate(lines) == ["underline"]


def test_it_is_printed_without_the_contents(page: Browser, examples: Path) -> None:
    """On paper there is no navigation, and the page is light."""
    page.open(examples, width=1400, dark=True)
    page.send("Emulation.setEmulatedMedia", media="print")
    assert not page.evaluate("document.querySelector('nav').checkVisibility()")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.send("Emulation.setEmulatedMedia", media="")
