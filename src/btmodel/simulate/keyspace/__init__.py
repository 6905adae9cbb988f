"""The keys of a table as intervals, and their load in each time step."""

from btmodel.simulate.keyspace.traffic import RESOLUTION, Traffic, traffic
from btmodel.simulate.keyspace.walk import Interval, IntervalKind

__all__ = ["RESOLUTION", "Interval", "IntervalKind", "Traffic", "traffic"]
