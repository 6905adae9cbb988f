"""The models of the project after the move: the same departures, by flight number."""

from datetime import date, datetime

import btmodel as bt
from examples.flights import Flight


class FlightDeparture(
    Flight, table=bt.table("flight_departure", moved_from="airport_departure"), events="923/day"
):
    """A departure among those of its flight number: when did this flight leave, day by day?"""

    carrier: str = bt.key(bt.Text(width=2), cardinality=16)
    number: int = bt.key(bt.PaddedInt(4), cardinality=3_844)
    day: date = bt.key(bt.DateText("%Y%m%d"))
    origin: str = bt.key(bt.Text(width=3), cardinality=3)
    scheduled: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

    tail: str | None = bt.column("tail", Flight.f, default=None)

    of_flight = bt.query("carrier", "number", between="day")
