"""How long a simulation takes and how much memory, and how that grows with events, tablets, steps and tables.

    python -m tests.bench.simulate_bench

Prints, side by side, the seconds of a run, those of the first line of its group over it, and the most memory that the
process has had. Each run is a process of its own.
"""

import resource
import subprocess
import sys
import time

from attrs import frozen

from btmodel.simulate.cluster import Assumptions, Cluster, run
from btmodel.simulate.keyspace import RESOLUTION, traffic
from tests.simulate.workloads import workload

DAY = 86_400.0
GIB = 2**30


@frozen
class Case:
    """One simulation of a day."""

    events: float = 1e9
    nodes: int = 10
    split_bytes: float = GIB
    minutes: float = 1
    tables: int = 1
    fields: tuple[str, ...] = ("user", "at")
    days: float = 30
    resolution: int = RESOLUTION

    def __str__(self) -> str:
        key = "#".join(self.fields)
        return f"{self.events:8.0e} events, {self.nodes:3} nodes, steps of {self.minutes:4g} min, {self.tables:3} tables, {key}"

    def go(self) -> None:
        """Simulate it, and print what it took."""
        began = time.perf_counter()
        steps = int(DAY / 60 / self.minutes)
        works = [
            workload(*self.fields, writes=self.events / DAY / self.tables, days=self.days, table=f"T{at}")
            for at in range(self.tables)
        ]
        tables = [traffic(one, steps, 60 * self.minutes, self.resolution) for one in works]
        cluster = Cluster(self.nodes, assumptions=Assumptions(split_bytes=self.split_bytes))
        found = run(cluster, tables)
        took = time.perf_counter() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(took, memory, int(found.tablets[-1]))


GROUPS = {
    "events": [Case(events=events) for events in (1e6, 1e9, 1e12)],
    "keys": [
        Case(fields=fields)
        for fields in (
            ("user", "at"),
            ("at", "user"),
            ("day", "meter"),
            ("day", "user", "at"),
            ("backwards",),
            ("uuid",),
        )
    ],
    "tablets": [Case(split_bytes=size * GIB) for size in (100, 10, 1)],
    "nodes": [Case(nodes=nodes) for nodes in (10, 30, 100)],
    "steps": [Case(minutes=minutes) for minutes in (10, 2, 1, 0.5)],
    "intervals": [Case(resolution=most) for most in (1_024, 4_096, 16_384, 65_536)],
    "tables": [Case(tables=count, resolution=RESOLUTION // count) for count in (1, 4, 16)],
}


def main() -> None:
    """All groups."""
    for name, cases in GROUPS.items():
        print(f"\n{name}")
        first = None
        for at, case in enumerate(cases):
            command = [sys.executable, "-m", "tests.bench.simulate_bench", name, str(at)]
            told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            took, memory, tablets = map(float, told.split())
            first = first or took
            print(
                f"  {case}: {took:6.2f} s ({took / first:4.1f} x), {memory:5.0f} MB, {tablets:,.0f} tablets"
            )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        GROUPS[sys.argv[1]][int(sys.argv[2])].go()
    else:
        main()
