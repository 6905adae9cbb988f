"""Workloads: how many events come, what their keys are, and what is read."""

from btmodel.simulate.workload.defaults import workload_of
from btmodel.simulate.workload.distribution import (
    Clock,
    Distribution,
    Few,
    Sequential,
    Uniform,
    Weighted,
    Zipf,
)
from btmodel.simulate.workload.stated import Stated
from btmodel.simulate.workload.workload import Reads, Workload

__all__ = [
    "Clock",
    "Distribution",
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
