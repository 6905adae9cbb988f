"""How fast rows are read and written, against the code that people write by hand. docs/speed.md tells of it.

    python -m tests.bench.speed_bench [--quick] [--record]

The last line is one flat object in JSON: the figures by name.
"""

import argparse
import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from tests.bench.speed import growth, layout, page, starting, told
from tests.bench.speed.figures import taken, taken_of_cpu
from tests.bench.speed.measured import measured
from tests.bench.speed.places import Servers, servers
from tests.bench.speed.plot import drawn
from tests.bench.speed.settings import QUICK, WHOLE, Settings

BUILT = Path(__file__).parents[2] / "build" / "speed-growth.svg"
Figures = dict[str, float | None]
PACKAGES = ("google-cloud-bigtable", "grpcio", "protobuf", "attrs")


def main() -> None:
    """Measure all, tell people, and tell programs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer rows and rounds: a minute and a half")
    parser.add_argument("--record", action="store_true", help="write the figures and the picture into docs/")
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 110)
    settings = QUICK if options.quick else WHOLE
    with servers() as found:
        heading(console, found, settings)
        figures, of_cpu = run(console, found, settings, page.PLOT if options.record else BUILT)
    told.figures(console, figures, of_cpu)
    if options.record:
        page.record(figures, of_cpu, f"{machine()}; medians of {settings.rounds} rounds")
    print(json.dumps(figures | {f"{name}_cpu": figure for name, figure in of_cpu.items()}))


def heading(console: Console, found: Servers, settings: Settings) -> None:
    """What is measured on."""
    console.print(machine(), highlight=False)
    console.print(f"medians of {settings.rounds} rounds; microseconds of a row or call", highlight=False)
    if found.emulator is None:
        console.print(f"[yellow]without Google's emulator: {found.why_not}")


def machine() -> str:
    """The machine, and the versions of what is measured on it."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return f"{os.cpu_count()} processors, Python {platform.python_version()}, {packages}"


def run(console: Console, found: Servers, settings: Settings, plot: Path) -> tuple[Figures, Figures]:
    """The figures, and those of the processors; each outcome is told when it is there."""
    outcomes = {}
    for name, outcome in measured(found, settings):
        outcomes[name] = outcome
        told.outcome(console, outcome)
    place = found.replayed(200)
    told.wires(console, {name: layout.wire(place, name) for name in layout.ROWS})
    large = [name for name, is_loaded in starting.loaded().items() if is_loaded]
    console.print(f"import btmodel loads, of what is large: {', '.join(large) or 'nothing'}", highlight=False)
    lines: growth.Growth = {}
    for work, way, point in growth.growth(place, settings):
        lines.setdefault((work, way), []).append(point)
    told.growth(console, lines)
    plot.parent.mkdir(parents=True, exist_ok=True)
    plot.write_text(drawn(lines))
    console.print(f"drawn in {plot}", highlight=False, soft_wrap=True)
    memory = {f"memory_{work}": lines[work, growth.OURS] for work in (growth.SCAN, growth.LOAD)}
    figures = taken(outcomes) | {
        name: round(growth.memory_ratio(points), 3) for name, points in memory.items()
    }
    return figures, taken_of_cpu(outcomes)


if __name__ == "__main__":
    main()
