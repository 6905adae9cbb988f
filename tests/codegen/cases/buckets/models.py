"""Time buckets with events; names so long that lines must be broken."""

from datetime import datetime
from uuid import UUID

import btmodel as bt
from examples.weather import WeatherDay

__all__ = ["ReadingsOfOneStationInAnHour", "WeatherDay"]


class ReadingsOfOneStationInAnHour(bt.Model, table="long", bucket="hour", events="1/s"):
    """A long name."""

    station: str = bt.key(bt.Text(max_length=9), cardinality=1_000)
    hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

    f = bt.family("f", gc=bt.max_versions(3600))
    reading: bt.History[UUID] = bt.history("r", f)
