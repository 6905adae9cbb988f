"""The figures on the page of the documentation: the table between two marks is written by the benchmark alone."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.speed.figures import FIGURES, MEMORY, Target

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "speed.md"
PLOT = DOCS / "speed-growth.svg"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"


def record(figures: Mapping[str, float | None], of_cpu: Mapping[str, float | None], machine: str) -> None:
    """Write the figures of a run into the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + table(figures, of_cpu, machine) + END + after)


def table(figures: Mapping[str, float | None], of_cpu: Mapping[str, float | None], machine: str) -> str:
    """The figures as a table, with the day and the machine."""
    meanings = {one.name: (one.meaning, one.target) for one in FIGURES} | MEMORY
    lines = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine}.\n",
        "| name | measurement | result | by CPU time | required | target |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, figure in figures.items():
        meaning, target = meanings[name]
        shown = number(figure), number(of_cpu[name]) if name in of_cpu else ""
        lines.append(f"| `{name}` | {meaning} | {' | '.join((*shown, *wanted(target)))} |")
    return "\n".join(lines) + "\n"


def number(figure: float | None) -> str:
    """A figure as people read it."""
    return "not measured" if figure is None else f"{figure:.2f}"


def wanted(target: Target | None) -> tuple[str, str]:
    """What a figure should be at least, and what is aimed at."""
    if target is None:
        return "", ""
    sign = "" if target.more else "at most "
    return f"{sign}{target.least:g}", "" if target.aim is None else f"{target.aim:g}"
