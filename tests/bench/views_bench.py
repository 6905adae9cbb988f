"""What views cost the writes of a table, and whether reading an index is as fast as reading a table.

    python -m tests.bench.views_bench [--flights 10000]

On the local server, in a process of its own: real flights are put into a table without views, into one with two indexes, and into one with an
index and a rollup, in turns. The server keeps views when they are read, so the first read, which does that work, is measured with the writes. Then the
same number of rows is read of the table and of its index.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import btmodel as bt
from btmodel import server
from btmodel.client.target import Target
from examples.flights import AirportDeparture, read_flights
from examples.views.arrivals import CarrierDay, FlightTo
from examples.views.generated.airport_departure_repository import AirportDepartureRepository
from examples.views.generated.carrier_day_repository import CarrierDayRepository
from examples.views.generated.flight_to_repository import FlightToRepository

AIRPORTS = ("EWR", "JFK", "LGA")
INSTANCE = "projects/bench/instances/views"


class FlightOfCarrier(bt.Index, of=AirportDeparture, view="flight_of_carrier"):
    """The flights of a carrier by the minute they were to leave: a second index."""

    carrier: str = bt.covered()
    scheduled: datetime = bt.covered()
    origin: str = bt.covered()
    day: date = bt.covered()
    number: int = bt.covered()
    arrival_delay: int | None = bt.covered()
    of_carrier = bt.query("carrier", between="scheduled")


# The views of each table that is written to.
WAYS: dict[str, tuple[type[Any], ...]] = {
    "no view": (),
    "two indexes": (FlightTo, FlightOfCarrier),
    "an index and a rollup": (FlightTo, CarrierDay),
}


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def worked_off(db: bt.Database, views: Sequence[type[Any]]) -> None:
    """Read a row of each view, before which the server makes all rows of it."""
    for view in views:
        if view is CarrierDay:
            list(CarrierDayRepository(db).of_carrier("UA").limit(1))
        else:
            next(iter(db.cells(f"materializedViews/{bt.schema_of(view).view.definition.id}")), None)  # type: ignore[union-attr]


def reads(db: bt.Database, count: int) -> tuple[float, float]:
    """The seconds for all rows of the table, and for the same of its first index, once each has been read."""
    departures, arrivals = AirportDepartureRepository(db), FlightToRepository(db)

    def of_table() -> list[Any]:
        return [flight for airport in AIRPORTS for flight in departures.on_days(airport)]

    places = sorted({flight.destination for flight in of_table()})

    def of_index() -> list[Any]:
        return [flight for place in places for flight in arrivals.to(place)]

    assert len(of_table()) == len(of_index()) == count
    return seconds(of_table), seconds(of_index)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--flights", type=int, default=10_000)
    # One that did not arrive has nothing that the index covers, and so no row in it.
    arrived = (flight for flight in read_flights() if flight.arrival_delay is not None)
    flights = list(islice(arrived, parser.parse_args().flights))
    written: dict[str, list[tuple[float, float]]] = {name: [] for name in WAYS}
    read: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder, server.start(Path(folder) / "bench.db") as running:
        for turn in range(3):
            for name, views in WAYS.items():
                instance = f"{INSTANCE}-{turn}-{name.replace(' ', '-')}"
                with bt.Database(Target(instance, running.host)) as db:
                    bt.create_tables(db, AirportDeparture, *views)
                    put = seconds(partial(AirportDepartureRepository(db).put_many, flights))
                    written[name].append((put, seconds(partial(worked_off, db, views))))
                    if name == "two indexes":
                        read.append(reads(db, len(flights)))
    plain = min(put for put, _ in written["no view"])
    for name, times in written.items():
        put, kept = min(times, key=sum)
        print(
            f"writes, {name}: {len(flights) / put:,.0f} rows/s ({put / plain:.1f} times the time of no view); with the views kept: "
            f"{len(flights) / (put + kept):,.0f} rows/s ({(put + kept) / plain:.1f} times)"
        )
    table, index = (min(times) for times in zip(*read, strict=True))
    print(f"reads, table: {len(flights) / table:,.0f} rows/s; index: {len(flights) / index:,.0f} rows/s")


if __name__ == "__main__":
    main()
