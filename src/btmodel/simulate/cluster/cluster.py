"""A cluster: nodes, capacities, assumptions."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil

from attrs import Attribute, Factory, field, fields, frozen

from btmodel.errors import DeclarationError, SimulationRefused
from btmodel.schema.limits import NODE_ROW_WRITES, NODE_SCAN_BYTES
from btmodel.schema.rate import parse_every
from btmodel.simulate.workload import MOST_NODES, Workload, share_of
from btmodel.words import meant

# They decide when and how fast load evens out. What one row, one growing end and a small table come to does not depend
# on any of them.

GIB = 2.0**30


@frozen
class Assumed:
    """One assumption for people: its ``value`` in its ``unit``, what it ``decides``, and the source of the default."""

    name: str
    value: float
    default: float
    unit: str
    decides: str
    taken_from: str


def _assumed(
    default: float, unit: str, decides: str, taken_from: str, *, least: float = 1e-9, most: float = 1e18
) -> float:
    """An assumption; values outside ``least`` and ``most`` cannot be computed with."""

    def between(instance: object, attribute: "Attribute[float]", value: float) -> None:
        if not least <= value <= most:
            name = attribute.name.replace("_", "-")
            raise SimulationRefused(f"{name}: expected a number from {least:g} to {most:g}, got {value:g}")

    metadata = {"unit": unit, "decides": decides, "taken_from": taken_from}
    found: float = field(default=default, converter=float, validator=between, metadata=metadata)
    return found


@frozen(kw_only=True)
class Assumptions:
    """How tablets are split, merged and moved, and what an operation costs; see :func:`described`."""

    split_bytes: float = _assumed(
        GIB,
        "bytes",
        "a larger tablet is split in two",
        "100 to 200 MB in 2006 (OSDI paper), and 5 TiB a node today",
    )
    split_load: float = _assumed(
        0.1, "of a node", "a tablet with more load is hot", "500 ms of CPU a second (CockroachDB)"
    )
    split_after: float = _assumed(
        300,
        "seconds",
        "a tablet that stays hot for this long is split",
        "a window of 5 minutes (HBase, CockroachDB)",
    )
    split_age: float = _assumed(
        600,
        "seconds",
        "a younger tablet is not split because of its load",
        "10 minutes (HBase's BusyRegionSplitPolicy)",
    )
    merge_load: float = _assumed(
        0.005,
        "of a node",
        "adjacent tablets with less load each are merged",
        "no source; the documentation says only that merges happen",
    )
    merge_after: float = _assumed(
        3600,
        "seconds",
        "how old both must be before they are merged",
        "no source; the documentation says only that merges happen",
    )
    small_table: float = _assumed(
        4 * GIB,
        "bytes",
        "a smaller table stays on one node",
        "less than several GB (documented, without a number)",
    )
    balance_every: float = _assumed(
        60,
        "seconds",
        "interval between two rounds of moving tablets",
        "no source; the OSDI paper says that moves are throttled",
        least=1,
    )
    moves: float = _assumed(
        0.05,
        "of a node's tablets",
        "how many a node gives away per round, at least one",
        "up to 20 minutes until new nodes help (documented)",
    )
    slack: float = _assumed(
        0.1,
        "of the mean",
        "nodes whose loads differ by less are not balanced",
        "hottest node over average 1.075 to 1.140, measured by Google in 2021 (PerfKitBenchmarker)",
    )
    mixed: float = _assumed(
        1.15,
        "times",
        "cost of equal parts of reads and writes, relative to either alone",
        "1.14 to 1.20, measured by Google in 2021 (PerfKitBenchmarker)",
        least=1,
    )
    larger_rows: float = _assumed(
        1,
        "power",
        "a row of s KB costs s to this power, but no less than a row of 1 KB",
        "no source",
        most=10,
    )
    compression: float = _assumed(
        1,
        "of the bytes",
        "the part of the bytes of keys and cells that is stored",
        "no compression; 0.11 to 0.64 in 2006 (OSDI paper)",
    )
    service: float = _assumed(
        0.0013,
        "seconds",
        "time of one operation on an idle node",
        "p99 of 10 ms at 0.4 of a node and 58 ms at 0.9, measured by Google in 2021 (PerfKitBenchmarker)",
    )
    patience: float = _assumed(
        60,
        "seconds",
        "a request that waits longer is given up",
        "the time limit of writes in Google's clients",
    )


def described(assumptions: Assumptions) -> Iterator[Assumed]:
    """Each assumption, described for people."""
    for attribute in fields(Assumptions):
        default = getattr(Assumptions(), attribute.name)
        yield Assumed(attribute.name, getattr(assumptions, attribute.name), default, **attribute.metadata)


# https://cloud.google.com/bigtable/docs/performance: the most rows of 1 KB that a node reads, or writes, in a second, under
# optimal conditions; and the bytes that it scans.
ROW_BYTES = 1024
# The same page: the most CPU load that it recommends where throughput counts; where latency does, it is 0.6.
CPU_THROUGHPUT = 0.9
# The same page: how full the storage of a node should be at the most where throughput counts; for latency, 0.6.
STORAGE_THROUGHPUT = 0.7

_MB = 10**6
_TIB = 2**40


@frozen
class Limits:
    """The limits of one node: rows of 1 KB read or written per second, bytes scanned per second, and bytes stored."""

    reads: float
    writes: float
    scan_bytes: float
    storage_bytes: float


# Storage: AutoscalingTargets.storage_utilization_gib_per_node in google/bigtable/admin/v2/instance.proto goes up to 5 TiB
# of SSD and 16 TiB of HDD.
LIMITS = {
    "ssd": Limits(17_000, NODE_ROW_WRITES, NODE_SCAN_BYTES, 5 * _TIB),
    "hdd": Limits(500, 10_000, 180 * _MB, 16 * _TIB),
}


def _some(instance: object, attribute: object, value: int) -> None:
    if type(value) is not int or not 1 <= value <= 1000:
        raise SimulationRefused(f"nodes: expected a whole number from 1 to 1,000, got {value!r}")


def _documented(cluster: "Cluster") -> Limits:
    if cluster.storage not in LIMITS:
        raise SimulationRefused(f"storage: expected {' or '.join(LIMITS)}, got {cluster.storage!r}")
    return LIMITS[cluster.storage]


@frozen
class Cluster:
    """``nodes`` nodes with this kind of ``storage``.

    ``added`` says when nodes are added: seconds from the start, and how many.
    """

    nodes: int = field(validator=_some)
    storage: str = "ssd"
    assumptions: Assumptions = field(factory=Assumptions)
    limits: Limits = field(default=Factory(_documented, takes_self=True))
    added: tuple[tuple[float, int], ...] = ()

    def nodes_at(self, seconds: float) -> int:
        """The number of nodes at a moment."""
        return self.nodes + sum(count for at, count in self.added if at <= seconds)

    @property
    def most_nodes(self) -> int:
        """The number of nodes at the end."""
        return self.nodes_at(float("inf"))


_BYTES = re.compile(r"([0-9.]+)\s*([KMGTP]?)(i?)B?", re.IGNORECASE)
_POWERS = " KMGTP"


def assumptions_of(texts: Mapping[str, str]) -> Assumptions:
    """The assumptions, with the values of ``texts`` instead of their defaults; ``-`` in names means ``_``.

    Raises :class:`SimulationRefused` for an unknown name, with the closest one, and for an invalid value.
    """
    known = {assumption.name: assumption for assumption in described(Assumptions())}
    values = {}
    for given, text in texts.items():
        name = given.strip().lower().replace("-", "_")
        if name not in known:
            names = [one.replace("_", "-") for one in known]
            raise SimulationRefused(f"there is no assumption {given!r}{meant(given, names, 'assumptions')}")
        reader = _READERS.get(known[name].unit, share_of)
        values[name] = reader(given, text.strip())
    return Assumptions(**values)


def _bytes(name: str, text: str) -> float:
    found = _BYTES.fullmatch(text)
    try:
        count = float(found[1]) if found else float(text)
    except ValueError:
        raise SimulationRefused(f"{name}: expected bytes such as 200MiB, got {text!r}") from None
    base = 1024 if found is None or found[3] or not found[2] else 1000
    return float(count * base ** (_POWERS.index(found[2].upper()) if found and found[2] else 0))


def _seconds(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return parse_every(text, name).total_seconds()
    except DeclarationError as error:
        raise SimulationRefused(str(error)) from None


_READERS: Mapping[str, Callable[[str, str], float]] = {"bytes": _bytes, "seconds": _seconds}


# A cluster for production has as many, unless anybody says otherwise.
_LEAST_NODES = 3


def usual_nodes(workloads: Sequence[Workload]) -> int:
    """As many as a model declares, or as the documented writes of a node make all of them need at the start."""
    stated = max((workload.model.nodes or 0 for workload in workloads), default=0)
    needed = ceil(sum(workload.writes for workload in workloads) / NODE_ROW_WRITES)
    return min(max(stated, needed, _LEAST_NODES), MOST_NODES)
