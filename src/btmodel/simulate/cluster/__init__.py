"""A cluster under load: tablets that are split, merged and moved between nodes."""

from btmodel.simulate.cluster.cluster import LIMITS, Assumed, Assumptions, Cluster, Limits, described
from btmodel.simulate.cluster.engine import run
from btmodel.simulate.cluster.outcome import BoundKind, Hot, LoadBound, Outcome, TableOutcome

__all__ = [
    "LIMITS",
    "Assumed",
    "Assumptions",
    "BoundKind",
    "Cluster",
    "Hot",
    "Limits",
    "LoadBound",
    "Outcome",
    "TableOutcome",
    "described",
    "run",
]
