"""Flights out of New York City: one fact, asked in two ways, so kept in two tables that are written together.

A flight has no natural id. Scheduled time, carrier, flight number and origin are one
together; the scheduled minute alone is not (an aircraft is listed twice at one minute,
under two flight numbers).

A flight that was cancelled before an aircraft was assigned has no tail number. No
aircraft flew it, so it is in no aircraft's rows; it is among its airport's departures,
where its ``tail`` is None.
"""

import csv
import gzip
import lzma
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path

import btmodel as bt

JANUARY = Path(__file__).parent / "data" / "flights-2013-01.csv.gz"


class Flight(bt.Model):
    """What both tables hold of a flight. A flight that did not leave has no delay and no air time."""

    f = bt.family("f", gc=bt.max_versions(1))
    destination: str = bt.column("dest", f)
    departure_delay: int | None = bt.column("dep", f, default=None)
    arrival_delay: int | None = bt.column("arr", f, default=None)
    air_time: int | None = bt.column("air", f, default=None)
    miles: int = bt.column("mi", f)


class AircraftFlight(Flight, table="aircraft_flight", events="923/day"):
    """A flight among those of its aircraft: what did this aircraft do between two times?"""

    tail: str = bt.key(bt.Text(max_length=6), cardinality=4_043)
    scheduled: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))
    carrier: str = bt.key(bt.Text(width=2), cardinality=16)
    number: int = bt.key(bt.PaddedInt(4), cardinality=3_844)
    origin: str = bt.key(bt.Text(width=3), cardinality=3)

    of_aircraft = bt.query("tail", between="scheduled")


class AirportDeparture(Flight, table="airport_departure", events="923/day"):
    """A flight among those of its airport: what left this airport on this day (its own, local day)?"""

    origin: str = bt.key(bt.Text(width=3), cardinality=3)
    day: date = bt.key(bt.DateText("%Y%m%d"))
    scheduled: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))
    carrier: str = bt.key(bt.Text(width=2), cardinality=16)
    number: int = bt.key(bt.PaddedInt(4), cardinality=3_844)

    tail: str | None = bt.column("tail", Flight.f, default=None)

    on_day = bt.query("origin", "day")
    on_days = bt.query("origin", between="day")


def aircraft_flight(departure: AirportDeparture) -> AircraftFlight | None:
    """The same flight among those of its aircraft; None where no aircraft was assigned."""
    if departure.tail is None:
        return None
    return AircraftFlight(
        tail=departure.tail,
        scheduled=departure.scheduled,
        carrier=departure.carrier,
        number=departure.number,
        origin=departure.origin,
        destination=departure.destination,
        departure_delay=departure.departure_delay,
        arrival_delay=departure.arrival_delay,
        air_time=departure.air_time,
        miles=departure.miles,
    )


FLIGHTS = bt.twins(AirportDeparture, (AircraftFlight, aircraft_flight))


def read_flights(path: Path = JANUARY, every: int = 1) -> Iterator[AirportDeparture]:
    """Each n-th flight of the file, which is compressed with gzip or, if it ends in ``.xz``, with xz."""
    opened = lzma.open if path.suffix == ".xz" else gzip.open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        for record in islice(csv.DictReader(file), 0, None, every):
            yield flight(record)


def flight(record: dict[str, str]) -> AirportDeparture:
    """One line of the file."""
    hour = datetime.fromisoformat(record["time_hour"]).astimezone(UTC)
    return AirportDeparture(
        origin=record["origin"],
        day=date(int(record["year"]), int(record["month"]), int(record["day"])),
        scheduled=hour.replace(minute=int(record["minute"])),
        carrier=record["carrier"],
        number=int(record["flight"]),
        tail=_text(record["tailnum"]),
        destination=record["dest"],
        departure_delay=_number(record["dep_delay"]),
        arrival_delay=_number(record["arr_delay"]),
        air_time=_number(record["air_time"]),
        miles=int(record["distance"]),
    )


def _text(value: str) -> str | None:
    return None if value == "NA" else value


def _number(value: str) -> int | None:
    return None if value == "NA" else int(value)
