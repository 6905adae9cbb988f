"""The keys of a table as intervals, and their load in each time step."""

from btmodel.simulate.keyspace.intervals import Interval, IntervalKind
from btmodel.simulate.keyspace.traffic import RESOLUTION, Traffic, traffic

__all__ = ["RESOLUTION", "Interval", "IntervalKind", "Traffic", "traffic"]
