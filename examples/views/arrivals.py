"""Views of the flights that the service keeps by itself: one by where they arrive, and the delays of each carrier and day.

The table is :class:`examples.flights.AirportDeparture`. Nothing here is written: its rows are.
"""

from datetime import date, datetime

import btmodel as bt
from examples.flights import AirportDeparture


class FlightTo(
    bt.Index,
    of=AirportDeparture,
    view="flight_to",
    allow={"TAB009": "the code of an airport has three letters"},
):
    """The flights to a destination, from all airports, by the minute they were to leave."""

    destination: str = bt.key(bt.Text(width=3), cardinality=105)
    scheduled: datetime = bt.covered()
    origin: str = bt.covered()
    day: date = bt.covered()
    carrier: str = bt.covered()
    number: int = bt.covered()

    arrival_delay: int | None = bt.covered()

    to = bt.query("destination", between="scheduled")


class CarrierDay(bt.Rollup, of=AirportDeparture, view="carrier_day"):
    """How late the flights of a carrier were on a day; one that did not arrive has no delay."""

    carrier: str = bt.covered()
    day: date = bt.covered()

    flights: int = bt.count()
    arrived: int = bt.count("arrival_delay")
    late: int | None = bt.sum_of("arrival_delay")
    worst: int | None = bt.max_of("arrival_delay")
    mean: float | None = bt.average_of("arrival_delay")
    aircraft: int = bt.distinct_of("tail")

    of_carrier = bt.query("carrier", between="day")
