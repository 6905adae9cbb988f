"""What nobody publishes of the service, so that it must be assumed: each with a default, a unit, and where that is from.

They decide when and how fast load evens out. What one row, one growing end and a small table come to does not depend
on any of them.
"""

from collections.abc import Iterator

from attrs import Attribute, field, fields, frozen

from btmodel.errors import SimulationRefused

GIB = 2.0**30


@frozen
class Assumed:
    """One assumption, for people: its ``value`` in its ``unit``, what it ``decides``, and what the default is ``taken_from``."""

    name: str
    value: float
    default: float
    unit: str
    decides: str
    taken_from: str


def _assumed(
    default: float, unit: str, decides: str, taken_from: str, *, least: float = 1e-9, most: float = 1e18
) -> float:
    """An assumption; beyond ``least`` and ``most`` nothing can be computed with it."""

    def between(instance: object, attribute: "Attribute[float]", value: float) -> None:
        if not least <= value <= most:
            name = attribute.name.replace("_", "-")
            raise SimulationRefused(f"{name}: wanted a number from {least:g} to {most:g}, got {value:g}")

    told = {"unit": unit, "decides": decides, "taken_from": taken_from}
    found: float = field(default=default, converter=float, validator=between, metadata=told)
    return found


@frozen(kw_only=True)
class Assumptions:
    """How tablets are split, merged and moved, and what an operation costs; see :func:`described`."""

    split_bytes: float = _assumed(
        GIB,
        "bytes",
        "a tablet of more is split in two",
        "100 to 200 MB in 2006 (OSDI paper), and 5 TiB a node today",
    )
    split_load: float = _assumed(
        0.1, "of a node", "a tablet that takes more is hot", "500 ms of CPU a second (CockroachDB)"
    )
    split_after: float = _assumed(
        300,
        "seconds",
        "a tablet that was hot for so long is split",
        "a window of 5 minutes (HBase, CockroachDB)",
    )
    split_age: float = _assumed(
        600,
        "seconds",
        "a younger tablet is not split for its load",
        "10 minutes (HBase's BusyRegionSplitPolicy)",
    )
    merge_load: float = _assumed(
        0.005,
        "of a node",
        "neighbours that both take less are merged",
        "nothing: that merges happen is documented",
    )
    merge_after: float = _assumed(
        3600,
        "seconds",
        "how long they must be there before that",
        "nothing: that merges happen is documented",
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
        "how often tablets are moved",
        "nothing: that moves are throttled is in the OSDI paper",
        least=1,
    )
    moves: float = _assumed(
        0.05,
        "of a node's tablets",
        "how many it gives away each time, at least one",
        "up to 20 minutes until new nodes help (documented)",
    )
    slack: float = _assumed(
        0.1,
        "of the mean",
        "nodes that differ by less are left as they are",
        "hottest node over average 1.075 to 1.140, measured by Google in 2021 (PerfKitBenchmarker)",
    )
    mixed: float = _assumed(
        1.15,
        "times",
        "what reads and writes in equal parts cost, over each alone",
        "1.14 to 1.20, measured by Google in 2021 (PerfKitBenchmarker)",
        least=1,
    )
    larger_rows: float = _assumed(
        1,
        "power",
        "a row of s KB costs s to this power, never less than one of 1 KB",
        "nothing",
        most=10,
    )
    compression: float = _assumed(
        1,
        "of the bytes",
        "what is stored of the bytes of keys and cells",
        "no claim: 0.11 to 0.64 in 2006 (OSDI paper)",
    )
    service: float = _assumed(
        0.0013,
        "seconds",
        "one operation takes so long on an idle node",
        "p99 of 10 ms at 0.4 of a node and 58 ms at 0.9, measured by Google in 2021 (PerfKitBenchmarker)",
    )
    patience: float = _assumed(
        60,
        "seconds",
        "a request that waits for longer is given up",
        "the time limit of writes in Google's clients",
    )


def described(assumptions: Assumptions) -> Iterator[Assumed]:
    """Each assumption, for people."""
    for one in fields(Assumptions):
        default = getattr(Assumptions(), one.name)
        yield Assumed(one.name, getattr(assumptions, one.name), default, **one.metadata)
