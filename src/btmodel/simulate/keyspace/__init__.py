"""The keys of a table as intervals, and what comes to each of them in each step of time."""

from btmodel.simulate.keyspace.traffic import RESOLUTION, Traffic, traffic
from btmodel.simulate.keyspace.walk import Interval, Kind

__all__ = ["RESOLUTION", "Interval", "Kind", "Traffic", "traffic"]
