"""The flights: one fact in two tables, and none lost."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from itertools import islice

import btmodel as bt
from btmodel.repository import TwinRepository
from examples.flights import FLIGHTS, AircraftFlight, AirportDeparture, aircraft_flight, read_flights

Open = Callable[..., bt.Database]


def test_every_flight_has_a_row_of_its_own() -> None:
    """27,004 departures and 26,849 aircraft flights have as many different keys."""
    departures = list(read_flights())
    flown = [row for row in map(aircraft_flight, departures) if row is not None]
    assert len({bt.key_of(departure) for departure in departures}) == 27_004
    assert len({bt.key_of(flight) for flight in flown}) == 26_849


def test_a_flight_without_a_tail_number_is_among_the_departures_only() -> None:
    """The 155 flights without an aircraft have no row among those of aircraft; each other flight has."""
    without = [departure for departure in read_flights() if departure.tail is None]
    assert len(without) == 155
    assert all(aircraft_flight(departure) is None for departure in without)
    for departure in islice(read_flights(), 100):
        flight = aircraft_flight(departure)
        assert flight is not None
        assert flight.tail == departure.tail


def test_both_tables_are_written_together(database: Open) -> None:
    """Of a flown flight and one that was cancelled, three rows are written, and all of them counted as two."""
    db = database(AircraftFlight, AirportDeparture)
    flown = next(read_flights())
    cancelled = next(departure for departure in read_flights() if departure.tail is None)
    assert TwinRepository(db, FLIGHTS).put_many([cancelled, flown]) == 2
    assert [key for key, _ in db.cells("aircraft_flight")] == [b"N14228#201301011015#UA#1545#EWR"]
    assert {key for key, _ in db.cells("airport_departure")} == {
        b"EWR#20130101#201301011015#UA#1545",
        bt.key_of(cancelled),
    }


def test_the_keys_are_readable() -> None:
    """The first flight of the file has the keys that its fields spell."""
    departure = next(read_flights())
    flight = aircraft_flight(departure)
    assert flight is not None
    assert bt.key_of(flight) == b"N14228#201301011015#UA#1545#EWR"
    assert bt.key_of(departure) == b"EWR#20130101#201301011015#UA#1545"


def test_the_questions_are_one_range_each() -> None:
    """What an aircraft did between two times, and what left an airport on a day, are one range."""
    times = (datetime(2013, 1, 3, tzinfo=UTC), datetime(2013, 1, 4, tzinfo=UTC))
    [span] = AircraftFlight.of_aircraft.plan(tail="N730MQ", scheduled=times).ranges
    assert (span.start, span.end) == (b"N730MQ#201301030000", b"N730MQ#201301040000")
    [span] = AirportDeparture.on_day.plan(origin="LGA", day=date(2013, 1, 1)).ranges
    assert (span.start, span.end) == (b"LGA#20130101#0", b"LGA#20130101#:")
