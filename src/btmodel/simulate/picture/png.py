"""Heat maps as PNG."""

import io
import warnings
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from attrs import frozen

from btmodel.errors import SimulationRefused
from btmodel.on_demand import library
from btmodel.simulate import measures
from btmodel.simulate.picture.heat import (
    NOTHING,
    STOPS,
    BucketRun,
    ColorScale,
    Colour,
    Heat,
    Load,
    Side,
    peaks,
    runs,
    scale_of,
    shown_fields,
)

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
    figure.suptitle(_text(title), parse_math=False, fontsize=13)
    grid = figure.subplots(len(heights), across, squeeze=False, gridspec_kw={"height_ratios": heights})
    for axes in grid.flat:
        axes.set_axis_off()
    drawn = None
    for number, side in enumerate(sides):
        first = number // across * (maps + nodes)
        column = grid[first : first + maps + nodes, number % across]
        for axes, heat in zip(column, side.heats, strict=False):
            headed = [side.name] if side.name == heat.table else [side.name, heat.table]
            drawn = _map(axes, heat, heat.rates(what), scale, _text(": ".join(headed))) or drawn
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


def _text(text: str) -> str:
    return measures.name(text)


def _colours() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    found = LinearSegmentedColormap.from_list("heat", [_parts(stop) for stop in STOPS], N=1024)
    return found.with_extremes(under=_parts(NOTHING))


def _parts(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = colour
    return red / 255, green / 255, blue / 255


def _map(axes: Any, heat: Heat, rates: Any, scale: ColorScale, title: str) -> Any:
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
    axes.set_ylabel(" ▸ ".join(_text(heat.fields[one]) for one in shown), parse_math=False, fontsize=9)
    found = runs(heat, shown[0])
    if not (_LABELS // 3 if len(shown) > 1 else 1) <= len(found) <= _LABELS:
        places = np.linspace(0, heat.buckets - 1, min(_LABELS, heat.buckets)).astype(int)
        found = [BucketRun(int(place), int(place) + 1, _joined(heat, int(place), shown)) for place in places]
    texts = [measures.cut(_text(one.text), 28) for one in found]
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
