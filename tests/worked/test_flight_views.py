"""The views of the flights, on the local server: what it keeps is what Python makes of the same 27,004 flights."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from inspect import isfunction
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pytest
from btmodel_codegen.targets import generate
from google.cloud.bigtable.data import BigtableDataClient, ReadRowsQuery

import btmodel as bt
from btmodel.declare import twins_in
from btmodel.repository import Repository
from btmodel.server import RunningServer, start
from examples.flights import AircraftFlight, AirportDeparture, read_flights
from examples.views.arrivals import CarrierDay, FlightTo
from examples.views.generated.airport_departure_repository import AirportDepartureRepository
from examples.views.generated.carrier_day_repository import AsyncCarrierDayRepository, CarrierDayRepository
from examples.views.generated.flight_to_repository import FlightToKey, FlightToRepository

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def flights() -> list[AirportDeparture]:
    return list(read_flights())


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with start() as running:
        yield running


@pytest.fixture(scope="module")
def db(server: RunningServer, flights: list[AirportDeparture]) -> Iterator[bt.Database]:
    """The flights in their table: half of them written before the views are made, half after."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
        with bt.connect("projects/p/instances/flights") as opened:
            bt.create_tables(opened, AirportDeparture)
            departures = AirportDepartureRepository(opened)
            departures.put_many(flights[::2])
            bt.create_tables(opened, AirportDeparture, FlightTo, CarrierDay)
            departures.put_many(flights[1::2])
            yield opened


def flight_to(one: AirportDeparture) -> FlightTo:
    return FlightTo(
        destination=one.destination,
        scheduled=one.scheduled,
        origin=one.origin,
        day=one.day,
        carrier=one.carrier,
        number=one.number,
        arrival_delay=one.arrival_delay,
    )


def test_the_index_has_every_flight_under_its_destination(
    db: bt.Database, flights: list[AirportDeparture]
) -> None:
    """A prefix and a range of the index are the flights to there, in the order of time, and lead to their rows."""
    arrivals = FlightToRepository(db)
    noon, next_day = datetime(2013, 1, 5, 12, tzinfo=UTC), datetime(2013, 1, 6, tzinfo=UTC)
    found = list(arrivals.to("LAX", noon, next_day))
    meant = [one for one in flights if one.destination == "LAX" and noon <= one.scheduled < next_day]
    # A row without a cell does not exist: a flight that did not arrive has nothing that is covered.
    there = sorted((flight_to(one) for one in meant if one.arrival_delay is not None), key=bt.key_of)
    assert found == there
    assert len(found) > 20
    sources = arrivals.sources(found)
    assert [flight_to(one) for one in sources if one] == found
    first = found[0]
    key = FlightToKey(
        first.destination, first.scheduled, first.origin, first.day, first.carrier, first.number
    )
    assert arrivals.get_many([key]) == [first]


def test_views_are_read_as_tables_are(db: bt.Database, flights: list[AirportDeparture]) -> None:
    """Pages, parallel reads, keys, conditions, counts and Arrow of a view, as of a table."""
    arrivals = FlightToRepository(db)
    whole = arrivals.to("LAX")
    count = sum(one.destination == "LAX" and one.arrival_delay is not None for one in flights)
    assert whole.count() == count
    page = whole.page(100)
    rest = whole.page(count, page.next)
    assert [*page.rows, *rest.rows] == list(whole)
    assert sorted(map(bt.key_of, whole.parallel(4))) == sorted(map(bt.key_of, whole))
    assert len(list(whole.keys())) == count
    parts = whole.parts(100_000)
    assert len(parts) > 1
    assert [row for part in parts for row in part.read(db)] == list(whole)
    assert [one.row for one in whole.stored()] == list(whole)
    assert len({key for key, _ in whole.cells()}) == count
    late = list(whole.where(arrival_delay=bt.at_least(120)))
    assert late == [one for one in whole if (one.arrival_delay or 0) >= 120]
    assert whole.to_arrow().column("arrival_delay").to_pylist() == [one.arrival_delay for one in whole]
    assert db.splits("materializedViews/flight_to")  # some 2 MiB


def test_the_rollup_is_what_python_adds_up(db: bt.Database, flights: list[AirportDeparture]) -> None:
    """Of each carrier and day: how many flights, how late together, at worst and on average, with how many aircraft."""
    by = attrgetter("carrier", "day")
    meant = []
    for (carrier, day), group in groupby(sorted(flights, key=by), key=by):
        some = list(group)
        delays = [one.arrival_delay for one in some if one.arrival_delay is not None]
        made = (
            {"late": sum(delays), "worst": max(delays), "mean": sum(delays) / len(delays)} if delays else {}
        )
        tails = {one.tail for one in some if one.tail}
        meant.append(
            CarrierDay(
                carrier=carrier,
                day=day,
                flights=len(some),
                arrived=len(delays),
                aircraft=len(tails),
                **{"late": None, "worst": None, "mean": None, **made},
            )
        )
    repository = CarrierDayRepository(db)
    carriers = sorted({one.carrier for one in flights})
    assert [row for carrier in carriers for row in repository.of_carrier(carrier)] == meant
    first = repository.of_carrier("UA", date(2013, 1, 1), date(2013, 1, 3))
    assert [row.day for row in first] == [date(2013, 1, 1), date(2013, 1, 2)]


def test_changes_of_the_table_go_through(db: bt.Database, flights: list[AirportDeparture]) -> None:
    """A row that is changed, and one that is deleted, leave what was made of them."""
    departures, days = AirportDepartureRepository(db), CarrierDayRepository(db)
    one = next(flight for flight in flights if flight.arrival_delay is not None)
    before = days.get(one.carrier, one.day)
    departures.put(bt.replace(one, arrival_delay=(one.arrival_delay or 0) + 60))
    changed = days.get(one.carrier, one.day)
    assert before
    assert changed
    assert (changed.late or 0) - (before.late or 0) == 60
    departures.delete(one.origin, one.day, one.scheduled, one.carrier, one.number)
    less = days.get(one.carrier, one.day)
    assert less
    assert less.flights == before.flights - 1
    departures.put(one)
    assert days.get(one.carrier, one.day) == before


def test_nothing_is_written_to_a_view(db: bt.Database) -> None:
    """A repository of a view has none of the methods of a table's but those that read, and says so; nor has its lazy read."""
    arrivals = FlightToRepository(db)
    reading = {"get_many", "with_options"}
    methods = [name for name, one in vars(Repository).items() if isfunction(one) and not name.startswith("_")]
    assert {"put", "put_cells", "writer", *reading} <= {*methods}
    for name in sorted({*methods} - reading):
        with pytest.raises(
            AttributeError, match=f"FlightToRepository has no {name}: nothing is written to a view"
        ):
            getattr(arrivals, name)
    with pytest.raises(AttributeError, match="FlightToRows has no delete"):
        arrivals.to("LAX").delete()  # type: ignore[misc]
    assert not hasattr(arrivals, "update")


def test_googles_client_reads_the_same_rows_by_the_name_of_the_view(
    db: bt.Database, server: RunningServer
) -> None:
    """What Google's own client reads of the view, by its name, are the cells that we read."""
    with pytest.warns(RuntimeWarning, match="Connecting to Bigtable emulator"):
        client = BigtableDataClient(project="p")
    try:
        view = client.get_materialized_view("flights", "carrier_day")
        theirs = {
            row.row_key: [(cell.qualifier, cell.value) for cell in row]
            for row in view.read_rows(ReadRowsQuery())
        }
    finally:
        client.close()
    ours = {
        key: [(cell.qualifier, cell.value) for cell in cells]
        for key, cells in db.cells("materializedViews/carrier_day")
    }
    assert theirs == ours
    assert len(ours) > 400


async def of_carrier(instance: str) -> list[CarrierDay]:
    async with bt.connect_async(instance) as opened:
        return [row async for row in AsyncCarrierDayRepository(opened).of_carrier("UA")]


def test_views_are_read_asynchronously(db: bt.Database) -> None:
    """The asynchronous repository reads the same."""
    import asyncio

    assert asyncio.run(of_carrier(db.target.instance)) == list(CarrierDayRepository(db).of_carrier("UA"))


def test_the_generated_files_are_up_to_date() -> None:
    """The repositories of the example are what btmodel generates of it today."""
    models = [bt.schema_of(model) for model in (AirportDeparture, AircraftFlight, FlightTo, CarrierDay)]
    for name, text in generate(models, twins=twins_in(["examples.flights"])).items():
        path = ROOT / "examples" / "views" / "generated" / name
        assert path.read_text(encoding="utf-8") == text, (
            f"{name}: see the command in examples/views/__init__.py"
        )
