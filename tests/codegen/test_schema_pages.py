"""The pages of a schema: parsed back by parsers of their languages, whatever text is in the models."""

import html
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import html5lib
import pytest
from attrs import evolve
from btmodel_codegen import generate, markdown_text
from btmodel_codegen.grids import Grid, grid
from btmodel_codegen.prose import TextRun, code, paragraphs, printable, prose, words
from btmodel_codegen.schema_page import schema_page
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import btmodel as bt
from btmodel.codecs.cell import Utf8
from btmodel.codecs.key import Constant, Text
from btmodel.declare import twins_in
from btmodel.schema import Column, Family, ModelSchema, Query, TwinSchema, TwinsSchema
from tests.codegen.golden import case, load, load_twins
from tests.schemas import key_of, model_of

AWKWARD = "<script>alert(1)</script>&amp;\"'`|\\]*_#-~$@!:.()[]{}%0123 \n\r\t\0\u202e\u2028\x85\ufeffאبé😀x"
TEXTS = st.text() | st.text(AWKWARD) | st.text("`|\\ ")
NASTY = (
    "</style></title><script>alert(1)</script><!-- --> ]]> &lt; \"' {{ 7*7 }} {% raw %} ${HOME}\n\n"
    "# a | b\n- `c\u202e` \\| ![x](http://example.com) <http://example.com> | --- | \0\x0c"
)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = re.compile(r'<a id="[a-z]+-[a-z0-9-]*">|</a>|</?code>')


def elements(page: str) -> list[Any]:
    """The elements of a page, by a parser that fails on whatever HTML calls an error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return [one for one in parser.parse(page).iter() if isinstance(one.tag, str)]


def said(element: Any) -> str:
    return "".join(element.itertext())


def inlines(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


def plain(tokens: list[Token]) -> str:
    """The text of inline tokens: words and code, what stands between tags of code included."""
    return "".join(
        " " if token.type == "softbreak" else token.content for token in tokens if token.type != "html_inline"
    )


def model_with(text: str) -> ModelSchema:
    """A model with this text wherever text can be."""
    family, column = (
        Family(text, bt.max_versions(1)),
        Column(text, text, text.encode(errors="replace"), Utf8(), True),
    )
    shown = text if text and text.isprintable() else "k"
    key = key_of(Constant(shown), Text(max_length=9))
    queries = (Query(text, (), scan=text), Query("q", ("k1",), only=(text,)))
    allow = {text: text, "KEY001": text}
    model = model_of(key, families=(family,), columns=(column,))
    return evolve(model, name=text, module=text, doc=text, table=text, queries=queries, allow=allow)


def twins_with(text: str) -> TwinsSchema:
    """Twins with this text wherever text can be."""
    model = model_with(text)
    return TwinsSchema(text, text, model, (TwinSchema(model, text), TwinSchema(model)))


def checked_html(page: str) -> list[Any]:
    """The elements of a page, none of which does anything, loads anything, or leads out of the page."""
    found = elements(page)
    assert not {one.tag for one in found} & {"script", "link", "img", "iframe", "object", "form", "base"}
    assert not [
        name for one in found for name in one.attrib if name.startswith("on") or name in ("src", "action")
    ]
    ids = [one.attrib["id"] for one in found if "id" in one.attrib]
    assert len(set(ids)) == len(ids)
    assert {one.attrib["href"] for one in found if "href" in one.attrib} <= {f"#{id}" for id in ids}
    policies = [one.attrib["content"] for one in found if one.attrib.get("http-equiv")]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]
    return found


def checked_markdown(page: str) -> list[Token]:
    """The tokens of a page, in which only what we mean is HTML, and no link leads out of it."""
    tokens = MARKDOWN.parse(page)
    [comment] = [token for token in tokens if token.type == "html_block"]
    assert comment is tokens[0]
    found = inlines(tokens)
    tags = [token.content for token in found if token.type == "html_inline"]
    assert [tag for tag in tags if not OURS.fullmatch(tag)] == []
    assert not [token for token in found if token.type == "image"]
    anchors = {f"#{name}" for tag in tags for name in re.findall('id="(.*)"', tag)}
    assert {str(token.attrs["href"]) for token in found if token.type == "link_open"} <= anchors
    return tokens


@case
def test_the_html_is_valid_and_has_it_all(folder: Path) -> None:
    """Every table, model, field, family, column, query and reason of the models is in the page, under headings."""
    models = load(folder)
    found = checked_html(generate(models, ["html"], twins=load_twins(folder))["schema.html"])
    text = said(found[0])
    for model in models:
        names = [model.table, model.name, *(one.id for one in model.families), *model.allow]
        names += [one.name for one in (*model.key.fields, *model.columns, *model.queries)]
        assert [name for name in names if name not in text] == []
    headings = {said(one) for one in found if one.tag == "h2"}
    headings |= {one.text.strip() for one in found if one.tag == "h3"}
    in_tables = {model.view.of_table if model.view else model.table for model in models}
    assert headings == {f"table {table}" for table in in_tables} | {model.name for model in models}
    grids = [one for one in found if one.tag == "table"]
    assert all(one[0].tag == "caption" for one in grids)
    assert {one.attrib["scope"] for one in found if one.tag == "th"} == {"row", "col"}


@case
def test_both_pages_say_the_same(folder: Path) -> None:
    """The rows of all tables, read back from either page, are those of the facts."""
    models = load(folder)
    pages = generate(models, ["html", "markdown"], twins=load_twins(folder))
    found = elements(pages["schema.html"])
    of_html = [[said(cell).strip() for cell in row] for row in found if row.tag == "tr"]
    numbered = {str(number) for number in range(1, 20)}
    of_html = [
        [re.sub(r"^\d+ ", "", row[0]) if row[0].split(" ")[0] in numbered else row[0], *row[1:]]
        for row in of_html
    ]
    tokens = checked_markdown(pages["schema.md"])
    of_markdown: list[list[str]] = []
    for number, token in enumerate(tokens):
        if token.type == "tr_open":
            of_markdown.append([])
        elif token.type in ("th_open", "td_open"):
            of_markdown[-1].append(plain(tokens[number + 1].children or []))
    assert sorted(of_markdown) == sorted(of_html)


@given(text=TEXTS)
@example(text=NASTY)
@settings(max_examples=60)
def test_no_text_breaks_out_of_the_html(text: str) -> None:
    """Whatever text a model holds, the page is valid, says it, and does nothing."""
    found = checked_html(generate([model_with(text)], ["html"], twins=[twins_with(text)])["schema.html"])
    told = [said(one) for one in found if one.attrib.get("class") == "doc"]
    assert told == [printable("".join(run.text for run in part)) for part in paragraphs(text)]


@given(text=TEXTS)
@example(text=NASTY)
@settings(max_examples=60)
def test_no_text_breaks_out_of_the_markdown(text: str) -> None:
    """Whatever text a model holds, nothing of it is markup, and the blocks of the page stay those that they are."""
    pages = generate([model_with(text)], ["markdown"], twins=[twins_with(text)])
    tokens = checked_markdown(pages["schema.md"])
    assert [token.tag for token in tokens if token.type == "heading_open"][:4] == ["h1", "h2", "h2", "h3"]
    for grid_ in (schema_page([model_with(text)]).summary,):
        start = next(number for number, token in enumerate(tokens) if token.type == "tbody_open")
        cells = [number for number, token in enumerate(tokens) if token.type == "td_open" and number > start]
        assert len(cells) >= len(grid_.headings)


@given(text=TEXTS)
@example(text="1) x")
@example(text="--- x")
@example(text="+ x")
@example(text="a\\|b")
def test_markdown_reads_text_and_code_as_they_are(text: str) -> None:
    """Words are one paragraph that says them; code says itself, in a paragraph as in a cell of a table."""
    text = printable(text)
    wanted = " ".join(text.split())
    tokens = MARKDOWN.parse(markdown_text.inline(words(text)))
    assert [token.type for token in tokens] == (
        ["paragraph_open", "inline", "paragraph_close"] if wanted else []
    )
    assert plain(inlines(tokens)) == wanted
    one = Grid("", *_row(words(text), code(text)))
    tokens = MARKDOWN.parse(markdown_text.table(one))
    cells = [plain(token.children or []) for token in tokens if token.type == "inline"]
    assert [cells[0], cells[1], cells[2]] == ["a", "b", wanted]
    assert cells[3].strip() == text.replace("\n", "\\n").strip()


def _row(*texts: tuple[TextRun, ...]) -> tuple[Any, Any]:
    one = grid("", ("a", "b"), [texts])
    return one.headings, one.rows


@given(lines=st.lists(st.text("`~ #|x", max_size=12), min_size=1, max_size=3))
def test_fences_hold_any_line(lines: list[str]) -> None:
    """Code of several lines is one block, with those lines."""
    [token] = MARKDOWN.parse(markdown_text.fenced(lines))
    assert (token.type, token.content) == ("fence", "\n".join(lines) + "\n")


@given(text=st.text())
def test_printable_text_can_be_in_a_page(text: str) -> None:
    """It can be encoded, nothing in it is hidden or turns the direction of the rest, and it says no less."""
    shown = printable(text)
    shown.encode()
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert printable(shown) == shown
    elements(f"<!doctype html><title>t</title><p>{html.escape(shown)}</p>")


def test_backticks_are_code() -> None:
    """One or two backticks on either side are code; a lone one is a character."""
    assert prose("a `b` ``c`` d` e") == (
        TextRun("a "),
        TextRun("b", True),
        TextRun(" "),
        TextRun("c", True),
        TextRun(" d` e"),
    )


def test_two_models_of_one_name_have_places_of_their_own() -> None:
    """Names that differ in case or module alone, and tables whose ids differ in signs alone, have different ids."""
    models = [
        evolve(model_with("a"), name=name, module=module, table=table)
        for name, module, table in (("Row", "one", "t.1"), ("Row", "two", "t-1"), ("ROW", "one", "T_1"))
    ]
    page = generate(models, ["html"])["schema.html"]
    checked_html(page)
    assert {"model-row", "model-row-2", "model-row-3", "table-t-1-3"} <= set(re.findall('id="(.*?)"', page))


def test_models_that_are_written_together_lead_to_one_another() -> None:
    """Both models say the order of writing, with a link to the other; one that is on no page has no link."""
    from examples import flights

    models = [bt.schema_of(flights.AirportDeparture), bt.schema_of(flights.AircraftFlight)]
    twins = twins_in([flights.__name__])
    pages = generate(models, ["html", "markdown"], twins=twins)
    found = checked_html(pages["schema.html"])
    facts = [one for one in found if one.tag == "div" and one[0].text == "twins FLIGHTS"]
    assert [said(fact[1]) for fact in facts] == ["written to AirportDeparture, then to AircraftFlight"] * 2
    links = [[one.attrib["href"] for one in fact.iter() if one.tag == "a"] for fact in facts]
    assert links == [["#model-airportdeparture"], ["#model-aircraftflight"]]
    [together] = [one for one in found if one.tag == "table" and "together" in said(one[0])]
    assert [said(cell) for cell in together[2][0]] == [
        "examples.flights.FLIGHTS",
        "AirportDeparture",
        "AircraftFlight",
        "aircraft_flight",
        "made by aircraft_flight; none where that gives None",
    ]
    line = "written to [`AirportDeparture`](#model-airportdeparture), then to `AircraftFlight`\n"
    assert line in pages["schema.md"]
    alone = generate(models[:1], ["html", "markdown"], twins=twins)
    checked_html(alone["schema.html"])
    assert "then to `AircraftFlight`\n" in alone["schema.md"]
    assert "together" not in generate(models, ["html"])["schema.html"]


def test_findings_and_suppressions_are_told_with_their_reasons() -> None:
    """What the review finds has its level, why and fix; what a model allows has the reason, and what passes."""
    folder = Path(__file__).parent / "cases" / "tables_of_all_kinds"
    model = load(folder)[0]
    from examples.battery import SaltedBattery

    for text in generate([model, bt.schema_of(SaltedBattery)], ["html", "markdown"]).values():
        assert "QRY004" in text
        assert "It costs as many reads as there are salts" in text
        assert "The documented key, without the user" in text
        assert "colliding-events" in text


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_pages_do_not_depend_on_the_run(seed: str) -> None:
    """The bytes do not depend on hashes, the working folder or the time."""
    program = (
        "import hashlib, btmodel as bt; from examples.battery import *; from examples.market import Quote;"
        "from btmodel_codegen import generate;"
        "text = generate([bt.schema_of(SaltedBattery), bt.schema_of(Quote)], ['html', 'markdown']);"
        "print(hashlib.sha256(repr(sorted(text.items())).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": each, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for each, folder in (("0", "/"), (seed, "/tmp"))
    }
    assert len(digests) == 1


@case
def test_the_markdown_has_no_two_blank_lines(folder: Path) -> None:
    """One blank line stands between paragraphs, as formatters of Markdown leave it."""
    [text] = generate(load(folder), ["markdown"]).values()
    assert "\n\n\n" not in text
    assert text.endswith("\n")
