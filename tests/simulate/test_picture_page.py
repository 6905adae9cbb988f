"""The page of heat maps: parsed back, whatever text is in it."""

import base64
import hashlib
import json
import re
import struct
import zlib
from typing import Any

import html5lib
import numpy as np
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from btmodel.simulate.picture import Side, page
from tests.simulate.loads import growing, heat_of, popular, side, spread

AWKWARD = st.text() | st.text("<script>/alert(1)&amp;\"'`{}%\\ \n\0\u202e\u2028\x85אé😀[]!-")
NASTY = "</script></h2><script>alert(1)</script><!-- <!--[data]--> --> ]]> &lt; \"' \u202e\n\0"


def elements(text: str) -> list[Any]:
    """The elements of a page, by a parser that fails on whatever HTML calls an error."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return [one for one in parser.parse(text).iter() if isinstance(one.tag, str)]


def said(element: Any) -> str:
    return "".join(element.itertext())


def facts(text: str) -> dict[str, Any]:
    """What the script of a page draws."""
    [block] = re.findall('id="data">([^<]*)<', text)
    whole = zlib.decompress(base64.b64decode(block, validate=True))
    (length,) = struct.unpack("<I", whole[:4])
    found: dict[str, Any] = json.loads(whole[4 : 4 + length])
    return found


def checked(text: str) -> list[Any]:
    """The elements of a page that runs its own script alone, asks for nothing, and leads nowhere."""
    found = elements(text)
    assert not {one.tag for one in found} & {"link", "img", "iframe", "object", "form", "base", "a"}
    assert not [
        name for one in found for name in one.attrib if name.startswith("on") or name in ("src", "href")
    ]
    data, script = [one for one in found if one.tag == "script"]
    assert data.attrib["type"] == "application/octet-stream"
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    [policy] = [one.attrib["content"] for one in found if one.attrib.get("http-equiv")]
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert not re.search(r"https?://|fetch\(|import\(|eval\(|innerHTML|XMLHttpRequest", script.text)
    ids = [one.attrib["id"] for one in found if "id" in one.attrib]
    assert len(set(ids)) == len(ids)
    named = {name for one in found for name in one.attrib.get("aria-labelledby", "").split()}
    named |= {one.attrib["aria-describedby"] for one in found if "aria-describedby" in one.attrib}
    assert named <= set(ids)
    return found


def test_the_page_has_it_all() -> None:
    """Each alternative, each table, its summary and its hottest ranges are read without the script."""
    two = evolve(side(popular(100, 50)), name="promoted", heats=[popular(100, 50), spread(50, 50)])
    text = page([side(growing(100, 50)), two], title="Battery", notes=["Put `user` in front."])
    found = checked(text)
    assert [said(one) for one in found if one.tag in ("h1", "h2")] == ["Battery", "growing", "promoted"]
    assert [said(one) for one in found if one.tag == "h3"] == [
        *("Load of the nodes", "popular", "spread", "Load of the nodes"),
    ]
    assert [one.attrib["tabindex"] for one in found if one.tag == "canvas" and "tabindex" in one.attrib] == [
        "0"
    ] * 3
    whole = said(found[0])
    for wanted in (
        "Put user in front.",
        "Nothing is read.",
        "user-18#2026-02-07#00090 … user-18#2026-02-08#00091",
    ):
        assert wanted in whole
    assert "<p>Put <code>user</code> in front.</p>" in text
    assert {said(one) for one in found if one.tag == "caption"} == {"By writes", "By reads"}
    drawn = facts(text)
    assert [one["name"] for one in drawn["sides"]] == ["growing", "promoted"]
    heat = drawn["sides"][0]["heats"][0]
    assert (heat["seconds"], heat["zone"], heat["fields"]) == (60, "UTC", ["user", "day"])
    assert (heat["low"][1], heat["labels"][1]) == ("user-00#2026-02-02#00001", ["user-00", "2026-02-02"])
    assert drawn["scales"]["writes"]["most"] == 14_000


@settings(max_examples=50)
@given(AWKWARD)
def test_text_stays_text(text: str) -> None:
    """Whatever names, keys, labels and notes are, the page is valid, and does nothing that they say."""
    heat = heat_of(np.ones((2, 3)), reads=1)
    raw = text.encode("utf-8", "surrogatepass")
    heat = evolve(heat, table=text, low=[b"", raw], labels=[(text,), (text, text)], fields=(text, text))
    load = np.ones((3, 2))
    whole = page([Side(text, [heat], load)], title=text, notes=[text])
    found = checked(whole)
    [drawn] = facts(whole)["sides"]
    shown = drawn["heats"][0]
    texts = [drawn["name"], shown["table"], *shown["fields"], *shown["low"]]
    texts += [value for label in shown["labels"] for value in label]
    assert all(one.isprintable() for one in texts)
    assert len([one for one in found if one.tag == "h1"]) == 1


def test_markup_and_hidden_characters_are_written_out() -> None:
    """Of a name that would be markup every letter is read, and none of it is drawn as a place of the template."""
    named = evolve(side(growing(5, 5)), name=NASTY)
    [heading] = [one for one in checked(page([named], title="x")) if one.tag == "h2"]
    assert said(heading) == NASTY.replace("\u202e\n\0", "\\u202e\\n\\x00")


def test_long_simulations_are_drawn_in_longer_steps() -> None:
    """A page has no more steps than a day has minutes, and says how long they are."""
    text = page([Side("week", [growing(20, 3000)])], title="x")
    heat = facts(text)["sides"][0]["heats"][0]
    assert (heat["writes"]["steps"], heat["seconds"]) == (1000, 180)
    assert "20 ranges of keys by 1,000 steps of 3 minutes" in text


def test_there_is_no_map_of_nothing() -> None:
    """Without steps, rows or nodes there is no canvas, and the words say so."""
    found = checked(page([Side("none", [heat_of(np.zeros((0, 0)))], np.zeros((0, 3)))], title="x"))
    assert not [one for one in found if one.tag == "canvas"]
    assert "Nothing is written. Nothing is read." in said(found[0])
    checked(page([], title="x"))


def test_a_page_stays_small() -> None:
    """A day of 1,000 ranges and 1,440 minutes, all noise, writes and reads, is under 6 MB; a regular one is far less."""
    assert len(page([side(spread())], title="x")) < 6_000_000
    assert len(page([side(popular())], title="x")) < 300_000
