"""A page of HTML that needs nothing but itself: heat maps of each table, with the nodes' load below them."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path

from attrs import evolve

from btmodel.printable import one_line
from btmodel.simulate.picture import words
from btmodel.simulate.picture.heat import Heat
from btmodel.simulate.picture.page_data import data
from btmodel.simulate.picture.side import Side
from btmodel.simulate.picture.smaller import longer_steps
from btmodel.simulate.picture.summary import HotRange, hottest, told, told_of_nodes

MOST_STEPS = (
    1440  # of a map, as many as a day has minutes: more make a large page, and are more than screens show
)
_FILES = Path(__file__).parent / "page_files"
# In the order in which each needs those in front of it.
_SCRIPTS = (
    "unpack",
    "words",
    "colours",
    "time_axis",
    "key_axis",
    "view",
    "map",
    "nodes",
    "tip",
    "hands",
    "main",
)
_PLACE = re.compile(r"<!--\[(\w+)\]-->")


def page(sides: Sequence[Side], *, title: str, notes: Sequence[str] = ()) -> str:
    """The page of one or more alternatives, which stand side by side; ``notes`` are paragraphs below the title,
    with names between backticks.

    All text may be anything. The page asks for nothing, so it works from a file and without a network.
    """
    drawn = [evolve(one, heats=[longer_steps(heat, MOST_STEPS) for heat in one.heats]) for one in sides]
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _filled(
        (_FILES / "page.html").read_text(encoding="utf-8"),
        {
            "digest": digest,
            "title": _name(title),
            "notes": "\n".join(f"<p>{_marked(one)}</p>" for one in notes),
            "style": (_FILES / "page.css").read_text(encoding="utf-8"),
            "sides": "\n".join(_side(number, one) for number, one in enumerate(drawn)),
            "data": data(drawn),
            "script": script,
        },
    )


@cache
def _script() -> str:
    parts = ((_FILES / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def _filled(template: str, texts: Mapping[str, str]) -> str:
    """The template with its places filled, in one pass: a text that looks like a place stays what it is."""
    return _PLACE.sub(lambda found: texts[found[1]], template)


def _text(text: str) -> str:
    return escape(one_line(text))


def _marked(text: str) -> str:
    """Text with its names, between backticks, as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", _text(text))


def _name(text: str) -> str:
    return escape(words.name(text))


def _side(number: int, side: Side) -> str:
    alone = [heat.table for heat in side.heats] == [side.name]
    maps = "\n".join(_map(number, at, heat, headed=not alone) for at, heat in enumerate(side.heats))
    nodes = "".join(f"<p>{_text(one)}</p>" for one in told_of_nodes(side))
    if side.load is not None and side.load.size:
        nodes = f"""<figure class="nodes" data-side="{number}">
<figcaption><h3>Load of the nodes</h3>
<span class="key-of"><span class="busiest">the busiest</span> <span class="mean">the mean</span> <span class="limit">all that a node can do; above it, requests wait</span> <span>below: marks where tablets are split or moved; then a line a node, from idle (dark) to 100 % and more (white)</span></span></figcaption>
<canvas role="img" aria-label="Load of each node over time"></canvas>
{nodes}
</figure>"""
    return f"""<section class="side" aria-labelledby="side-{number}">
<h2 id="side-{number}">{_name(side.name)}</h2>
{maps}
{nodes}
</section>"""


def _map(side: int, number: int, heat: Heat, *, headed: bool) -> str:
    name, place = _name(heat.table), f"{side}-{number}"
    sentences = " ".join(_text(one) for one in told(heat))
    grids = _grid("writes", hottest(heat, heat.writes)) + _grid("reads", hottest(heat, heat.reads))
    canvas = (
        f'<canvas tabindex="0" role="application" aria-roledescription="heat map" '
        f'aria-label="{name}, keys by time" aria-describedby="told-{place}"></canvas>'
    )
    return f"""<figure class="map" data-side="{side}" data-heat="{number}">
<figcaption>{f"<h3>{name}</h3>" if headed else ""} <span class="shown"></span></figcaption>
{canvas if heat.writes.size else ""}
<p id="told-{place}">{sentences}</p>
{f"<details><summary>The hottest ranges of keys</summary>{grids}</details>" if grids else ""}
</figure>"""


def _grid(what: str, ranges: Sequence[HotRange]) -> str:
    if not ranges:
        return ""
    rows = "\n".join(
        f"<tr><th scope='row'><code>{escape(one.first)}</code> … <code>{escape(one.end)}</code></th>"
        f"<td>{escape(one.fields)}</td><td class='number'>{words.share(one.share)}</td>"
        f"<td class='number'>{words.figure(one.most)} rows/s</td><td>{one.at}</td></tr>"
        for one in ranges
    )
    heads = ("keys", "fields of the first", f"of all {what}", "at most", "at")
    line = "".join(f"<th scope='col'>{one}</th>" for one in heads)
    return f"<div class='wide'><table><caption>By {what}</caption><thead><tr>{line}</tr></thead><tbody>\n{rows}\n</tbody></table></div>"
