"""The flights that left Newark in January 2013, as the examples' model and as a careful person writes them by hand."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import islice
from struct import Struct
from typing import Any

from attrs import define

from examples.flights import AirportDeparture, read_flights

FAMILY = "f"
ORIGIN = "EWR"
MOST = 9_893
LONG = Struct(">q")


@define
class PlainFlight:
    """A departure without an ORM."""

    origin: str
    day: date
    scheduled: datetime
    carrier: str
    number: int
    destination: str
    departure_delay: int | None
    arrival_delay: int | None
    air_time: int | None
    miles: int
    tail: str | None


def records(count: int) -> Iterator[PlainFlight]:
    """The first rows of the airport, in the order of their keys."""
    flights = (plain(one) for one in read_flights() if one.origin == ORIGIN)
    yield from islice(sorted(flights, key=key), count)


def plain(one: AirportDeparture) -> PlainFlight:
    """The record of an instance of the model."""
    return PlainFlight(
        one.origin,
        one.day,
        one.scheduled,
        one.carrier,
        one.number,
        one.destination,
        one.departure_delay,
        one.arrival_delay,
        one.air_time,
        one.miles,
        one.tail,
    )


def model(one: PlainFlight) -> AirportDeparture:
    """The record as an instance of the model."""
    return AirportDeparture(
        origin=one.origin,
        day=one.day,
        scheduled=one.scheduled,
        carrier=one.carrier,
        number=one.number,
        destination=one.destination,
        departure_delay=one.departure_delay,
        arrival_delay=one.arrival_delay,
        air_time=one.air_time,
        miles=one.miles,
        tail=one.tail,
    )


def key(one: PlainFlight) -> bytes:
    """The row key, as a person writes it."""
    return (
        f"{one.origin}#{one.day:%Y%m%d}#{one.scheduled:%Y%m%d%H%M}#{one.carrier:<2}#{one.number:04d}".encode()
    )


def key_fields(raw: bytes) -> tuple[str, date, datetime, str, int]:
    """The fields of a row key, as a careful person takes it apart: slices, for ``strptime`` is slow."""
    origin, day, at, carrier, number = raw.decode().split("#")
    return (
        origin.rstrip(),
        date(int(day[:4]), int(day[4:6]), int(day[6:])),
        datetime(int(at[:4]), int(at[4:6]), int(at[6:8]), int(at[8:10]), int(at[10:]), tzinfo=UTC),
        carrier.rstrip(),
        int(number),
    )


def cells(one: PlainFlight) -> list[tuple[bytes, bytes]]:
    """Qualifiers and values, in the order in which the service keeps them."""
    found = [
        (b"air", _number(one.air_time)),
        (b"arr", _number(one.arrival_delay)),
        (b"dep", _number(one.departure_delay)),
        (b"dest", one.destination.encode()),
        (b"mi", LONG.pack(one.miles)),
        (b"tail", None if one.tail is None else one.tail.encode()),
    ]
    return [(qualifier, value) for qualifier, value in found if value is not None]


def careful(row: Any) -> PlainFlight:
    """Of a row of the data client: its cells once, by qualifier."""
    values = {cell.qualifier: cell.value for cell in row.cells}
    departed, arrived, flown = values.get(b"dep"), values.get(b"arr"), values.get(b"air")
    tail = values.get(b"tail")
    return PlainFlight(
        *key_fields(row.row_key),
        values[b"dest"].decode(),
        None if departed is None else LONG.unpack(departed)[0],
        None if arrived is None else LONG.unpack(arrived)[0],
        None if flown is None else LONG.unpack(flown)[0],
        LONG.unpack(values[b"mi"])[0],
        None if tail is None else tail.decode(),
    )


def idiom(row: Any) -> PlainFlight:
    """Of a row of the data client, as its documentation reads a cell."""
    departed, arrived = _first(row, "dep"), _first(row, "arr")
    flown, tail = _first(row, "air"), _first(row, "tail")
    return PlainFlight(
        *key_fields(row.row_key),
        row[FAMILY, "dest"][0].value.decode(),
        None if departed is None else LONG.unpack(departed)[0],
        None if arrived is None else LONG.unpack(arrived)[0],
        None if flown is None else LONG.unpack(flown)[0],
        LONG.unpack(row[FAMILY, "mi"][0].value)[0],
        None if tail is None else tail.decode(),
    )


def legacy(row: Any) -> PlainFlight:
    """Of a row of the legacy client."""
    found = row.cells[FAMILY]
    departed, arrived, flown = found.get(b"dep"), found.get(b"arr"), found.get(b"air")
    tail = found.get(b"tail")
    return PlainFlight(
        *key_fields(row.row_key),
        found[b"dest"][0].value.decode(),
        None if departed is None else LONG.unpack(departed[0].value)[0],
        None if arrived is None else LONG.unpack(arrived[0].value)[0],
        None if flown is None else LONG.unpack(flown[0].value)[0],
        LONG.unpack(found[b"mi"][0].value)[0],
        None if tail is None else tail[0].value.decode(),
    )


def scan(departures: Any, count: int) -> Iterable[Any]:
    """The first rows, through the generated repository."""
    found: Iterable[Any] = departures.on_days(ORIGIN).limit(count)
    return found


def _number(value: int | None) -> bytes | None:
    return None if value is None else LONG.pack(value)


def _first(row: Any, qualifier: str) -> bytes | None:
    return row[FAMILY, qualifier][0].value if (FAMILY, qualifier) in row else None
