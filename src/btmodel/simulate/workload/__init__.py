"""Workloads: the number of events, their keys, and the reads."""

from btmodel.simulate.workload.defaults import workload_of
from btmodel.simulate.workload.workload import (
    Distribution,
    EventTime,
    Few,
    Reads,
    Sequential,
    Stated,
    Uniform,
    Weighted,
    Workload,
    Zipf,
)

__all__ = [
    "Distribution",
    "EventTime",
    "Few",
    "Reads",
    "Sequential",
    "Stated",
    "Uniform",
    "Weighted",
    "Workload",
    "Zipf",
    "workload_of",
]
