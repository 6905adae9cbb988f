"""How time and memory grow with the number of rows: each measurement is a process of its own.

    python -m tests.bench.speed.growth {scan|load} {btmodel|stream|listed|bulk} ROWS HOST INSTANCE

prints the seconds and the largest memory of that process, in MiB.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

from attrs import frozen

from tests.bench.speed.contest import exhaust
from tests.bench.speed.reached import Place
from tests.bench.speed.settings import MEMORY_BASE, Settings
from tests.bench.speed.workload import TICKS

ROOT = Path(__file__).parents[3]
SCAN, LOAD = "scan", "load"
OURS, STREAM, LISTED, BULK = "btmodel", "stream", "listed", "bulk"
LINES = {SCAN: (OURS, STREAM, LISTED), LOAD: (OURS, BULK)}
WORDS = {
    OURS: "btmodel",
    STREAM: "data client, streamed",
    LISTED: "data client, as a list",
    BULK: "data client, bulk_mutate_rows",
}


@frozen
class Point:
    """What so many rows took."""

    rows: int
    seconds: float
    mebibytes: float


Growth = dict[tuple[str, str], list[Point]]


def growth(place: Place, settings: Settings) -> Iterator[tuple[str, str, Point]]:
    """All points, from the least number of rows on."""
    from tests.bench.speed.floor import Floor  # here, for the processes that are measured do without

    floor = Floor.of(TICKS, place)
    exhaust(floor.drained(max(settings.sizes)))  # the server makes its rows when they are first asked for
    floor.close()
    for rows in settings.sizes:
        for work, ways in LINES.items():
            for way in ways:
                if way == OURS or rows in settings.baseline_sizes:
                    yield work, way, measured(place, work, way, rows)


def measured(place: Place, work: str, way: str, rows: int) -> Point:
    """One point, by a process of its own."""
    command = [sys.executable, "-m", __name__, work, way, str(rows), place.host, place.instance]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, mebibytes = ran.stdout.split()
    return Point(rows, float(seconds), float(mebibytes))


def memory_ratio(points: Iterable[Point]) -> float:
    """The memory of the most rows, divided by that of ten thousand."""
    found = {point.rows: point.mebibytes for point in points}
    return found[max(found)] / found[MEMORY_BASE]


def main(work: str, way: str, rows: str, host: str, instance: str) -> None:
    """Do one thing, and tell what it took."""
    run = _ways(Place("", host, instance))[work, way]
    run(1)  # connects, and loads what is loaded on first use
    began = time.perf_counter()
    run(int(rows))
    print(time.perf_counter() - began, peak())


def peak() -> float:
    """The largest resident memory of this process so far, in MiB.

    What getrusage tells on Linux may be that of the parent, from before this program was loaded.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return getrusage(RUSAGE_SELF).ru_maxrss / 2**20


def _ways(place: Place) -> dict[tuple[str, str], Callable[[int], object]]:
    # Clients are loaded where they are used: those of others would count.
    def ours() -> Any:
        from tests.bench.speed.ours import Ours

        return Ours.of(TICKS, place)

    def stock() -> Any:
        from tests.bench.speed.stock import Stock

        return Stock.of(TICKS, place)

    made: dict[Callable[[], Any], Any] = {}

    def once(make: Callable[[], Any]) -> Any:
        if make not in made:
            made[make] = make()
        return made[make]

    return {
        (SCAN, OURS): lambda rows: exhaust(once(ours).scan(rows)),
        (SCAN, STREAM): lambda rows: exhaust(once(stock).stream(rows)),
        (SCAN, LISTED): lambda rows: exhaust(once(stock).listed(rows)),
        (LOAD, OURS): lambda rows: once(ours).bulk(TICKS.models(TICKS.records(rows))),
        (LOAD, BULK): lambda rows: once(stock).bulk(TICKS.records(rows)),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
