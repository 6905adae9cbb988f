"""A cluster under load: tablets that are split, merged and moved between nodes."""

from btmodel.simulate.cluster.assumptions import Assumed, Assumptions, described
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.engine import run
from btmodel.simulate.cluster.firm import Bound, Firm
from btmodel.simulate.cluster.limits import LIMITS, Limits
from btmodel.simulate.cluster.outcome import Hot, Outcome, TableOutcome

__all__ = [
    "LIMITS",
    "Assumed",
    "Assumptions",
    "Bound",
    "Cluster",
    "Firm",
    "Hot",
    "Limits",
    "Outcome",
    "TableOutcome",
    "described",
    "run",
]
