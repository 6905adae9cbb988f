"""Heat maps on a terminal, and the load of the nodes below them, in the same time."""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.style import Style

from btmodel.cli.console import Console, Styled, Text
from btmodel.printable import one_line
from btmodel.simulate.picture import Heat, Scale, Side, words
from btmodel.simulate.picture.blocks import Line, bar, label_width, lines
from btmodel.simulate.picture.colours import NOTHING, colour
from btmodel.simulate.picture.times import ticks

_LINES, _COLUMNS = 16, 100  # of a map, at most
_LEAST, _MOST = 12, 26  # characters of the axis of keys
_FIGURES = 16  # characters behind the bar of a node
_NODES = 12  # that have a line each
_SHADES = " ·:-=+*#%@"  # where the terminal has no colours


def print_side(console: Console, side: Side, what: Literal["writes", "reads"], scale: Scale) -> None:
    """The writes or the reads of each table, and below them the load of the nodes.

    Keys run down, and time to the right. The scale is that of all that is compared.
    """
    most = min(_MOST, max(console.width // 3, _LEAST))
    margin = min(max([_LEAST, *map(label_width, side.heats)]), most) + 1
    room = max(min(console.width - margin - _FIGURES, _COLUMNS), 10)
    for heat in side.heats:
        _print_heat(console, heat, what, scale, margin, room)
    _print_nodes(console, side, margin, room)


def _print_heat(
    console: Console, heat: Heat, what: Literal["writes", "reads"], scale: Scale, margin: int, room: int
) -> None:
    rates = heat.writes if what == "writes" else heat.reads
    verb = "written" if what == "writes" else "read"
    title = Text.assemble((words.name(heat.table), "bold"), f"  rows {verb} a second in a range of keys")
    console.print(title, soft_wrap=True)
    if not rates.any():
        console.print(Text("  none", "dim"))
        return
    drawn = lines(heat, rates, scale, _LINES, room)
    for line in drawn:
        shown = _coloured(line) if console.color_system else Text(_shaded(line))
        console.print(_cut(line.label, margin) + shown, soft_wrap=True)
    console.print(_cut("", margin) + Text(_axis(heat, len(drawn[0].halves)), "dim"), soft_wrap=True)
    legend = _cut("", margin) + _legend(console, scale)
    legend.truncate(max(console.width, margin + room))
    console.print(legend, soft_wrap=True)


def _print_nodes(console: Console, side: Side, margin: int, room: int) -> None:
    """The busiest node of each moment and the mean of all, then the nodes that are the busiest in the mean."""
    load = side.load
    if load is None or not load.size:
        return
    nodes = load.shape[1]
    means = load.mean(axis=0).tolist()
    busy = sorted((node for node in range(nodes) if means[node]), key=lambda node: -means[node])[:_NODES]
    console.print(Text.assemble(("Load of the nodes", "bold"), "  the mean, and the most"), soft_wrap=True)
    named = [("the busiest", load.max(axis=1)), ("the mean", load.mean(axis=1))] if nodes > 1 else []
    for name, values in [*named, *((f"node {node + 1}", load[:, node]) for node in sorted(busy))]:
        figures = f" {_percent(float(values.mean())):>6} {_percent(float(values.max())):>6}"
        console.print(_cut(name, margin) + _bar(bar(values, room)) + Text(figures), soft_wrap=True)
    if nodes > len(busy):
        less = "less busy" if all(means) or len(busy) == _NODES else "idle"
        console.print(Text(f"and {nodes - len(busy):,} {less}"))


def _cut(label: str, margin: int) -> Styled:
    shown = words.cut(one_line(label), margin - 1)
    while cell_len(shown) >= margin:  # where characters are two cells wide
        shown = words.cut(shown, len(shown) - 1)
    return Text(set_cell_size(shown, margin))


def _percent(load: float) -> str:
    return f"{100 * load:.0f} %" if load == 0 or load >= 0.005 else "<1 %"


def _bar(characters: str) -> Styled:
    """What is full is red."""
    full = {True: "red", False: "cyan"}
    return Text.assemble(
        *(("".join(run), full[same]) for same, run in groupby(characters, lambda one: one == "█"))
    )


def _rich(place: float) -> Color:
    return Color.from_rgb(*(NOTHING if place < 0 else colour(place)))


def _coloured(line: Line) -> Styled:
    text = Text()
    for (upper, lower), same in groupby(line.halves):
        text.append("▀" * len(list(same)), Style(color=_rich(upper), bgcolor=_rich(lower)))
    return text


def _shaded(line: Line) -> str:
    hottest = [max(pair) for pair in line.halves]
    return "".join(" " if one < 0 else _SHADES[1 + round(one * (len(_SHADES) - 2))] for one in hottest)


def _axis(heat: Heat, columns: int) -> str:
    """The moments below a map; one that would touch the one in front of it is left out."""
    line = ""
    for tick in ticks(heat, max(columns // 10, 2)):
        place = min(round(tick.place * columns), columns - len(tick.text))
        if place >= len(line) + (2 if line else 0):
            line = line.ljust(place) + tick.text
    return line


def _legend(console: Console, scale: Scale) -> Styled:
    places: Sequence[float] = [at / 15 for at in range(16)]
    ramp = (
        Text.assemble(*(("█", Style(color=_rich(place))) for place in places))
        if console.color_system
        else Text(_SHADES[1:])
    )
    told = f"  seen: {words.figure(scale.least)} to {words.figure(scale.most)}"
    return Text(f"{words.figure(scale.low)} ") + ramp + Text(f" {words.figure(scale.high)}{told}", "dim")
