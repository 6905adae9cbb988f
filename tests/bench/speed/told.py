"""A run, told to people: a table for each outcome, and one of all figures with what they should be."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.bench.speed.contest import OURS, Outcome
from tests.bench.speed.figures import FIGURES, MEMORY, Target
from tests.bench.speed.growth import WORDS, Point
from tests.bench.speed.layout import Wire
from tests.bench.speed.page import number, wanted


def outcome(console: Console, told: Outcome) -> None:
    """What each way took, and how many times as long that is as btmodel took."""
    compared = OURS in told.laps
    ratios = ("times btmodel", "of rounds", "times its CPU") if compared else ()
    grid = _grid("", "us", "us of CPU", *ratios)
    for way in told.laps:
        row = [f"{told.micros(way):,.1f}", f"{told.cpu_micros(way):,.1f}"]
        if compared and way != OURS:
            least, most = told.spread(way)
            row += [f"{told.ratio(way):.2f}", f"{least:.2f} to {most:.2f}", f"{told.cpu_ratio(way):.2f}"]
        grid.add_row(Text(way, "bold" if way == OURS else ""), *row)
    console.print(Text(f"\n{told.title[0].upper()}{told.title[1:]}", "bold underline"))
    console.print(grid)


def wires(console: Console, of: Mapping[str, Wire]) -> None:
    """The bytes of a value in each layout."""
    grid = _grid("", "bytes of a request", "bytes of an answer")
    for name, wire in of.items():
        grid.add_row(name, f"{wire.request:.1f}", f"{wire.response:.1f}")
    console.print(Text("\nA value on the wire", "bold underline"))
    console.print(grid)


def growth(console: Console, lines: Mapping[tuple[str, str], Sequence[Point]]) -> None:
    """Seconds and memory by the number of rows."""
    grid = _grid("", "rows", "seconds", "us a row", "MiB at most")
    for (work, way), points in lines.items():
        for point in points:
            micros = f"{point.seconds * 1e6 / point.rows:,.1f}"
            row = (f"{point.rows:,}", f"{point.seconds:.2f}", micros, f"{point.mebibytes:.0f}")
            grid.add_row(f"{work}, {WORDS[way]}", *row)
    console.print(Text("\nGrowth, on the replay of 200 rows a message", "bold underline"))
    console.print(grid)


def figures(console: Console, found: Mapping[str, float | None], of_cpu: Mapping[str, float | None]) -> None:
    """Every figure, the same of the processors, and whether it is what it should be."""
    meanings = {one.name: (one.meaning, one.target) for one in FIGURES} | MEMORY
    grid = _grid("", "result", "by CPU time", "required", "target", "")
    for name, figure in found.items():
        meaning, target = meanings[name]
        shown = number(figure), number(of_cpu[name]) if name in of_cpu else ""
        grid.add_row(meaning, *shown, *wanted(target), _met(target, figure))
    title = "Results: the time of the other way divided by that of btmodel, unless a line says otherwise"
    console.print(Text(f"\n{title}", "bold underline"))
    console.print(grid)


def _met(target: Target | None, figure: float | None) -> Text:
    if target is None or figure is None:
        return Text("")
    return Text("met", "green") if target.met(figure) else Text("missed", "red")


def _grid(first: str, *others: str) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column(first, overflow="fold")
    for name in others:
        grid.add_column(name, justify="right", no_wrap=True)
    return grid
