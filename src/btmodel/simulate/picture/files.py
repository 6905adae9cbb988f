"""Heat maps as files: a self-contained HTML page, and a PNG."""

import base64
import hashlib
import io
import json
import re
import struct
import warnings
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from btmodel.errors import SimulationRefused
from btmodel.on_demand import library
from btmodel.simulate import measures
from btmodel.simulate.picture.heat import (
    NOTHING,
    STOPS,
    BucketRun,
    ColorScale,
    Colour,
    Counts,
    Heat,
    Load,
    Side,
    longer_steps,
    peaks,
    runs,
    scale_of,
    shown_fields,
)
from btmodel.words import counted, duration_text, one_line

_HOT = 5  # key ranges to name


@frozen
class HotRange:
    """A bucket with much of a table's load: its keys, its share over the whole time, and when it was hottest."""

    first: str
    end: str
    fields: str
    share: float
    most: float
    at: str


def hottest(heat: Heat, rates: NDArray[np.float32], count: int = _HOT) -> Sequence[HotRange]:
    """The buckets with the largest shares of ``rates``, the writes or the reads of the heat map."""
    sums = rates.sum(axis=1, dtype=np.float64)
    order = [int(one) for one in np.argsort(-sums, kind="stable")[:count] if sums[one] > 0]
    return [_range(heat, rates[one], one, float(sums[one] / sums.sum())) for one in order]


def heat_sentences(heat: Heat) -> Sequence[str]:
    """How the load of one table is spread."""
    ranges, steps = counted(heat.buckets, "range"), counted(heat.steps, "step")
    sentences = [
        f"{ranges} of keys by {steps} of {duration_text(timedelta(seconds=heat.step_seconds))}, from {heat.start:%Y-%m-%d %H:%M} on."
    ]
    for verb, rates in (("written", heat.writes), ("read", heat.reads)):
        totals = rates.sum(axis=0, dtype=np.float64)
        if not totals.any():
            sentences.append(f"Nothing is {verb}.")
            continue
        peaks = rates.max(axis=0, initial=0)[totals > 0] / totals[totals > 0]
        whole = hottest(heat, rates, 1)[0].share
        sentences.append(
            f"{measures.figure(float(totals.mean()))} rows/s are {verb}; the hottest range has "
            f"{measures.share(float(np.median(peaks)))} in the usual step, {measures.share(float(peaks.max()))} at "
            f"most, and {measures.share(whole)} of the whole time's (an even share is {measures.share(1 / heat.buckets)})."
        )
    return sentences


def node_sentences(side: Side) -> Sequence[str]:
    """How busy the nodes are."""
    load = side.load
    if load is None or not load.size:
        return []
    nodes = load.shape[1]
    if nodes == 1:
        return [
            f"The one node is busy to {measures.share(float(load.mean()))} in the mean, {measures.share(float(load.max()))} at most."
        ]
    busiest = load.max(axis=1)
    return [
        f"Of {nodes:,} nodes the busiest is at {measures.share(float(busiest.mean()))} in the mean and "
        f"{measures.share(float(busiest.max()))} at most; all together at {measures.share(float(load.mean()))}."
    ]


def _range(heat: Heat, rates: NDArray[np.float32], bucket: int, share: float) -> HotRange:
    step = int(rates.argmax())
    last = bucket + 1 == heat.buckets
    return HotRange(
        first=measures.key(heat.low[bucket]),
        end="(the last key)" if last else measures.key(heat.low[bucket + 1]),
        fields=one_line(heat.named(bucket)),
        share=share,
        most=float(rates[step]),
        at=f"{heat.at(step):%Y-%m-%d %H:%M}",
    )


# A rate is one of 4,095 levels on a logarithmic scale between the least and the most, so that it is off by
# half a percent at most, and 0 is 0. A level is written as the difference from the step before it, low bytes and high
# bytes apart: most loads change little from step to step, and that compresses well.

LEVELS = 4095
_MOST_DECADES = 9  # rates below a billionth of the greatest get the lowest level


@frozen(eq=False)
class PackedMatrix:
    """The levels of a matrix, and the least and the greatest rate."""

    least: float
    most: float
    levels: NDArray[np.uint16]

    def written(self) -> bytes:
        """The differences along each line, as bytes."""
        lines = self.levels.astype(np.int32)
        change = np.diff(lines, axis=-1, prepend=0)
        # Small differences of either sign become small numbers.
        folded = ((change << 1) ^ (change >> 31)).astype("<u2")
        return (folded & 0xFF).astype(np.uint8).tobytes() + (folded >> 8).astype(np.uint8).tobytes()


def packed(rates: NDArray[np.floating] | NDArray[np.integer]) -> PackedMatrix:
    """The levels of rates."""
    wide = rates.astype(np.float64)
    some = wide[wide > 0]
    if not some.size:
        return PackedMatrix(1.0, 1.0, np.zeros(wide.shape, np.uint16))
    most = float(some.max())
    least = max(float(some.min()), most / 10**_MOST_DECADES)
    span = np.log(most / least) or 1.0
    levels = 1 + np.rint(np.log(np.maximum(wide, least) / least) / span * (LEVELS - 1))
    return PackedMatrix(least, most, np.where(wide > 0, levels, 0).astype(np.uint16))


def bundle(facts: Mapping[str, object], matrices: Sequence[PackedMatrix]) -> str:
    """Facts as JSON followed by matrices, compressed and in base64, which needs no escaping in HTML."""
    head = json.dumps(facts, ensure_ascii=True, separators=(",", ":")).encode()
    whole = struct.pack("<I", len(head)) + head + b"".join(matrix.written() for matrix in matrices)
    return base64.b64encode(zlib.compress(whole, 6)).decode("ascii")


def data(sides: Sequence[Side]) -> str:
    """All data of ``sides``, compressed and in base64."""
    matrices: list[PackedMatrix] = []

    def placed(values: Counts) -> dict[str, object]:
        matrix = packed(values)
        matrices.append(matrix)
        lines, steps = matrix.levels.shape
        return {
            "matrix": len(matrices) - 1,
            "lines": lines,
            "steps": steps,
            "least": matrix.least,
            "most": matrix.most,
        }

    def of_nodes(side: Side) -> dict[str, object]:
        kinds = {"load": side.load, "p99": side.p99, "splits": side.splits, "moves": side.moves}
        # One line per node, over all steps.
        return {
            name: placed(np.atleast_2d(values.astype(np.float64).T))
            for name, values in kinds.items()
            if values is not None
        }

    facts: dict[str, object] = {
        "levels": LEVELS,
        "stops": STOPS,
        "nothing": NOTHING,
        "scales": {
            kind: _scale([getattr(heat, kind) for side in sides for heat in side.heats])
            for kind in ("writes", "reads")
        },
        "sides": [
            {
                "name": measures.name(side.name),
                "heats": [
                    {**_facts(heat), "writes": placed(heat.writes), "reads": placed(heat.reads)}
                    for heat in side.heats
                ],
                **of_nodes(side),
            }
            for side in sides
        ],
    }
    return bundle(facts, matrices)


def _scale(matrices: Sequence[NDArray[np.floating]]) -> dict[str, float]:
    scale = scale_of(matrices, against_even=False)
    return {"least": scale.least, "most": scale.most, "low": scale.low, "high": scale.high}


def _facts(heat: Heat) -> dict[str, object]:
    return {
        "table": measures.name(heat.table),
        # In the time zone of the heat map, the only one that the page uses.
        "start": heat.start.replace(tzinfo=UTC).timestamp() * 1000,
        "zone": heat.start.tzname() or "",
        "seconds": heat.step_seconds,
        "fields": [measures.name(field) for field in heat.fields],
        "labels": [[measures.name(text) for text in label] for label in heat.labels],
        "low": [measures.key(one) for one in heat.low],
        "rows": [float(f"{rows:.4g}") for rows in heat.rows.tolist()],
    }


MOST_STEPS = (
    1440  # of a map, as many as a day has minutes: more make a large page, and are more than screens show
)
_FILES = Path(__file__).parent / "page_files"
# In the order in which each needs those in front of it.
_SCRIPTS = ("figures", "pictures", "pointer", "main")
_PLACE = re.compile(r"<!--\[(\w+)\]-->")


def page(sides: Sequence[Side], *, title: str, notes: Sequence[str] = (), against_even: bool = True) -> str:
    """The page of one or more alternatives side by side.

    ``notes`` are paragraphs below the title, with names between backticks. Readers can choose the colours;
    ``against_even`` says which they see first. Any text is escaped. The page makes no
    requests, so it works from a file and without a network.
    """
    drawn = [evolve(side, heats=[longer_steps(heat, MOST_STEPS) for heat in side.heats]) for side in sides]
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _filled(
        (_FILES / "page.html").read_text(encoding="utf-8"),
        {
            "digest": digest,
            "title": _name(title),
            "notes": "\n".join(f"<p>{_marked(note)}</p>" for note in notes),
            "log": "" if against_even else " checked",
            "even": " checked" if against_even else "",
            "style": (_FILES / "page.css").read_text(encoding="utf-8"),
            "sides": "\n".join(_side(number, side) for number, side in enumerate(drawn)),
            "data": data(drawn),
            "script": script,
        },
    )


@cache
def _script() -> str:
    parts = ((_FILES / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def _filled(template: str, texts: Mapping[str, str]) -> str:
    """The template with its placeholders filled in one pass, so that a text that looks like a placeholder is not filled."""
    return _PLACE.sub(lambda found: texts[found[1]], template)


def _text(text: str) -> str:
    return escape(one_line(text))


def _marked(text: str) -> str:
    """Text with the names between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", _text(text))


def _name(text: str) -> str:
    return escape(measures.name(text))


def _side(number: int, side: Side) -> str:
    alone = [heat.table for heat in side.heats] == [side.name]
    maps = "\n".join(_map(number, at, heat, headed=not alone) for at, heat in enumerate(side.heats))
    nodes = "".join(f"<p>{_text(node)}</p>" for node in node_sentences(side))
    if side.load is not None and side.load.size:
        nodes = f"""<figure class="nodes" data-side="{number}">
<figcaption><h3>Load of the nodes</h3>
<span class="key-of"><span class="busiest">the busiest</span> <span class="mean">the mean</span> <span class="limit">all that a node can do; above it, requests wait</span> <span>good: the busiest stays near the mean, and both well below that line</span> <span>below: marks where tablets are split or moved; then a line a node, from idle (dark) to 100 % and more (white)</span></span></figcaption>
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
    sentences = " ".join(_text(sentence) for sentence in heat_sentences(heat))
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
        f"<tr><th scope='row'><code>{escape(ends.first)}</code> … <code>{escape(ends.end)}</code></th>"
        f"<td>{escape(ends.fields)}</td><td class='number'>{measures.share(ends.share)}</td>"
        f"<td class='number'>{measures.figure(ends.most)} rows/s</td><td>{ends.at}</td></tr>"
        for ends in ranges
    )
    heads = ("keys", "fields of the first", f"of all {what}", "at most", "at")
    line = "".join(f"<th scope='col'>{head}</th>" for head in heads)
    return f"<div class='wide'><table><caption>By {what}</caption><thead><tr>{line}</tr></thead><tbody>\n{rows}\n</tbody></table></div>"


_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_DISTANCES = (
    *(1, 5, 15, 30, _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 15 * _MINUTE, 30 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR),
    *(_DAY, 2 * _DAY, 7 * _DAY, 28 * _DAY, 364 * _DAY),
)


@frozen
class Tick:
    """A moment on the axis: its position from 0 to 1, and its text."""

    place: float
    text: str


def ticks(heat: Heat, most: int) -> Sequence[Tick]:
    """At most so many ticks, plus one; the first one names the day, and so do those at midnight."""
    whole = heat.steps * heat.step_seconds
    distance = next((one for one in _DISTANCES if whole / one <= most), _DISTANCES[-1])
    midnight = heat.start.replace(hour=0, minute=0, second=0, microsecond=0)
    from_midnight = (heat.start - midnight).total_seconds()
    found: list[Tick] = []
    at = -(-from_midnight // distance) * distance
    while whole and at <= from_midnight + whole:
        moment = midnight + timedelta(seconds=at)
        found.append(Tick((at - from_midnight) / whole, _tick_text(moment, distance, first=not found)))
        at += distance
    return found


def _tick_text(moment: datetime, distance: int, *, first: bool) -> str:
    day = f"{moment.day} {moment:%b}"
    if moment.hour == moment.minute == moment.second == 0:
        return day
    clock = f"{moment:%H:%M:%S}" if distance < _MINUTE else f"{moment:%H:%M}"
    return f"{day} {clock}" if first else clock


_DPI = 120
_ACROSS = 3  # sides beside each other, at most
_WIDTH, _BESIDE = 9.0, 6.5  # inches of a side, alone and beside others
_MAP, _NODES = 4.6, 1.6  # of the height of a map and of the nodes below
_LINES, _COLUMNS = 500, 900  # points of a map: where there are more cells, the hottest of a point is drawn
_LABELS = 22  # of an axis of keys, so that they do not touch


def png(sides: Sequence[Side], *, title: str, what: Load = "writes", against_even: bool = True) -> bytes:
    """A picture of one or more alternatives side by side; ``what`` is ``"writes"`` or ``"reads"``.

    Colours show how many times its even share a range takes, or else rows a second.

    Raises :class:`SimulationRefused` if matplotlib is not installed.
    """
    library("matplotlib", "plot", "a picture", SimulationRefused)
    from matplotlib.figure import Figure

    scale = scale_of([heat.rates(what) for side in sides for heat in side.heats], against_even=against_even)
    maps, nodes = max(len(side.heats) for side in sides), any(side.load is not None for side in sides)
    lines = -(-len(sides) // _ACROSS)
    across = -(-len(sides) // lines)
    heights = ([_MAP] * maps + [_NODES] * nodes) * lines
    size = (_WIDTH if across == 1 else _BESIDE * across, sum(heights) + 0.6)
    figure = Figure(figsize=size, dpi=_DPI, layout="constrained", facecolor="white")
    figure.suptitle(_png_text(title), parse_math=False, fontsize=13)
    grid = figure.subplots(len(heights), across, squeeze=False, gridspec_kw={"height_ratios": heights})
    for axes in grid.flat:
        axes.set_axis_off()
    drawn = None
    for number, side in enumerate(sides):
        first = number // across * (maps + nodes)
        column = grid[first : first + maps + nodes, number % across]
        for axes, heat in zip(column, side.heats, strict=False):
            headed = [side.name] if side.name == heat.table else [side.name, heat.table]
            drawn = _png_map(axes, heat, heat.rates(what), scale, _png_text(": ".join(headed))) or drawn
        if side.load is not None and side.load.size:
            _nodes(column[-1], side)
    if drawn is not None:
        _legend(figure, drawn, grid, scale, what)
    out = io.BytesIO()
    with warnings.catch_warnings():
        # Names in scripts that its font lacks are drawn as boxes, of which it would warn for each letter.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        figure.savefig(out, format="png", metadata={"Software": "btmodel"})
    return out.getvalue()


def _png_text(text: str) -> str:
    return measures.name(text)


def _colours() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    found = LinearSegmentedColormap.from_list("heat", [_parts(stop) for stop in STOPS], N=1024)
    return found.with_extremes(under=_parts(NOTHING))


def _parts(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = colour
    return red / 255, green / 255, blue / 255


def _png_map(axes: Any, heat: Heat, rates: Any, scale: ColorScale, title: str) -> Any:
    axes.set_axis_on()
    axes.set_title(title, parse_math=False, fontsize=10, loc="left")
    if not rates.size:
        axes.text(0.02, 0.5, "No rows, so nothing to show.", transform=axes.transAxes)
        axes.set(xticks=[], yticks=[])
        return None
    cells = peaks(scale.place(rates, heat.step_seconds), _LINES, _COLUMNS)
    box = (0, heat.steps, heat.buckets, 0)
    drawn = axes.imshow(
        cells, cmap=_colours(), vmin=0, vmax=1, aspect="auto", interpolation="nearest", extent=box
    )
    _keys(axes, heat)
    _times(axes, heat, heat.steps)
    return drawn


def _keys(axes: Any, heat: Heat) -> None:
    """The ranges of the first field, or values of all fields at some places if there are too few or too many ranges."""
    shown = shown_fields(heat)
    if not shown:
        axes.set_yticks([])
        return
    axes.set_ylabel(" ▸ ".join(_png_text(heat.fields[one]) for one in shown), parse_math=False, fontsize=9)
    found = runs(heat, shown[0])
    if not (_LABELS // 3 if len(shown) > 1 else 1) <= len(found) <= _LABELS:
        places = np.linspace(0, heat.buckets - 1, min(_LABELS, heat.buckets)).astype(int)
        found = [BucketRun(int(place), int(place) + 1, _joined(heat, int(place), shown)) for place in places]
    texts = [measures.cut(_png_text(one.text), 28) for one in found]
    axes.set_yticks([(one.first + one.end) / 2 for one in found], texts, fontsize=7, parse_math=False)


def _joined(heat: Heat, bucket: int, shown: Sequence[int]) -> str:
    return " ".join(heat.labels[bucket][one] for one in shown if one < len(heat.labels[bucket]))


def _times(axes: Any, heat: Heat, steps: int) -> None:
    found = ticks(heat, 10)
    axes.set_xticks([one.place * steps for one in found], [one.text for one in found], fontsize=7)


def _nodes(axes: Any, side: Side) -> None:
    load = side.load
    assert load is not None
    axes.set_axis_on()
    steps, nodes = load.shape
    x = np.arange(steps) + 0.5
    axes.plot(x, load * 100, color="#9aa0a6", linewidth=0.6, alpha=max(0.3, 1 / nodes))
    axes.plot(x, load.mean(axis=1) * 100, color="#0b57a4", linewidth=1.2, linestyle="--", label="mean")
    axes.plot(x, load.max(axis=1) * 100, color="#b3260f", linewidth=1.2, label="busiest")
    axes.axhline(100, color="#7a4a00", linewidth=0.8)
    axes.set(xlim=(0, steps), ylim=(0, max(105.0, float(load.max()) * 105)))
    axes.set_ylabel(f"load of {nodes:,} node{'' if nodes == 1 else 's'}, %", fontsize=8)
    axes.tick_params(axis="y", labelsize=7)
    axes.legend(loc="upper left", fontsize=7, framealpha=0.8, ncols=2)
    if side.heats:
        _times(axes, side.heats[0], steps)


def _legend(figure: Any, drawn: Any, grid: Any, scale: ColorScale, what: Load) -> None:
    bar = figure.colorbar(drawn, ax=grid[:1, :].ravel().tolist(), pad=0.01, fraction=0.05, aspect=30)
    ticks = np.geomspace(scale.low, scale.high, 5)
    unit = "\u00d7" if scale.against_even else ""
    labels = [f"{measures.figure(float(tick))}{unit}" for tick in ticks]
    bar.set_ticks(np.linspace(0, 1, 5).tolist(), labels=labels, fontsize=7)
    seen = f"{measures.figure(scale.least)} to {measures.figure(scale.most)}" if scale.most else "none"
    scale_text = "times an even share" if scale.against_even else "rows a second in a range of keys"
    bar.set_label(f"{what}: {scale_text} (seen: {seen} rows/s)", fontsize=8)
    figure.supxlabel(measures.READ_A_MAP if scale.against_even else measures.READ_RATES, fontsize=8)
