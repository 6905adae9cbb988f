"""The flights: one fact in two tables, and none lost."""

from datetime import UTC, date, datetime

import btmodel as bt
from examples.flights import AircraftFlight, AirportDeparture, read_flights


def test_every_flight_has_a_row_of_its_own() -> None:
    """27,004 departures and 26,849 aircraft flights have as many different keys."""
    pairs = list(read_flights())
    assert len({bt.key_of(departure) for _, departure in pairs}) == 27_004
    assert len({bt.key_of(flight) for flight, _ in pairs if flight is not None}) == 26_849


def test_a_flight_without_a_tail_number_is_among_the_departures_only() -> None:
    """The 155 flights without an aircraft are departures with no tail; each other flight is in both."""
    without = [departure for flight, departure in read_flights() if flight is None]
    assert len(without) == 155
    assert {departure.tail for departure in without} == {None}
    assert all(flight is None or flight.tail == departure.tail for flight, departure in read_flights())


def test_the_keys_are_readable() -> None:
    """The first flight of the file has the keys that its fields spell."""
    flight, departure = next(read_flights())
    assert flight is not None
    assert bt.key_of(flight) == b"N14228#201301011015#UA#1545#EWR"
    assert bt.key_of(departure) == b"EWR#20130101#201301011015#UA#1545"


def test_the_questions_are_one_range_each() -> None:
    """What an aircraft did between two times, and what left an airport on a day, are one range."""
    times = (datetime(2013, 1, 3, tzinfo=UTC), datetime(2013, 1, 4, tzinfo=UTC))
    [span] = AircraftFlight.of_aircraft.plan(tail="N730MQ", scheduled=times).ranges
    assert (span.start, span.end) == (b"N730MQ#201301030000", b"N730MQ#201301040000")
    [span] = AirportDeparture.on_day.plan(origin="LGA", day=date(2013, 1, 1)).ranges
    assert (span.start, span.end) == (b"LGA#20130101#", b"LGA#20130101$")
