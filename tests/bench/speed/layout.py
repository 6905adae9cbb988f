"""A day of quarters of an hour: one row with 96 columns, against 96 rows with one column, on the service's streams."""

from collections.abc import Callable, Iterator
from struct import Struct
from typing import Any

import grpc
from attrs import frozen
from google.cloud.bigtable.data import BigtableDataClient, ReadRowsQuery

import btmodel as bt
from btmodel.server import protos
from tests.bench.speed import day
from tests.bench.speed.contest import Outcome, Way, compete, exhaust
from tests.bench.speed.floor import OPTIONS, READ
from tests.bench.speed.generated import generated
from tests.bench.speed.reached import Place
from tests.bench.speed.wire import entry

VALUES = day.METERS * day.QUARTERS
WIDE, NARROW = "one row of 96 columns", "96 rows of one column"
ROWS: dict[str, tuple[str, Callable[[], Iterator[day.Row]]]] = {
    WIDE: (day.WIDE, day.wide_rows),
    NARROW: (day.NARROW, day.narrow_rows),
}
LONG = Struct(">q")


def layouts(place: Place, rounds: int) -> Outcome:
    """Both layouts, read and written in turn."""
    with place.named():
        db = bt.connect(place.instance)
        client = BigtableDataClient(project=place.project_id)
    days = generated(day.MeterDay).MeterDayRepository(db)
    readings = generated(day.MeterReading).MeterReadingRepository(db)
    some_days, some_readings = list(day.days()), list(day.readings())
    tables = {name: client.get_table(place.instance_id, table) for name, (table, _) in ROWS.items()}
    ways: dict[str, Way] = {
        read(WIDE): lambda: exhaust(days.all_days()),
        read(NARROW): lambda: exhaust(readings.all_readings()),
        read_by_hand(WIDE): lambda: exhaust(by_hand(tables[WIDE])),
        read_by_hand(NARROW): lambda: exhaust(by_hand(tables[NARROW])),
        written(WIDE): lambda: days.put_many(some_days),
        written(NARROW): lambda: readings.put_many(some_readings),
    }
    outcome = compete(f"a day of a meter, {place.server}", VALUES, rounds, ways)
    db.close()
    client.close()
    return outcome


def read(layout: str) -> str:
    """The name of reading a layout."""
    return f"read, {layout}"


def read_by_hand(layout: str) -> str:
    """The name of reading it with the data client."""
    return f"read by the data client, {layout}"


def written(layout: str) -> str:
    """The name of writing it."""
    return f"write, {layout}"


def by_hand(table: Any) -> Iterator[dict[bytes, int]]:
    """Rows as the data client streams them: their numbers by qualifier."""
    for row in table.read_rows_stream(ReadRowsQuery()):
        yield {cell.qualifier: LONG.unpack(cell.value)[0] for cell in row.cells}


@frozen
class Wire:
    """The bytes of a value on the wire, in one of the layouts."""

    request: float
    response: float


def wire(place: Place, layout: str) -> Wire:
    """What a layout sends and is sent."""
    table, rows = ROWS[layout]
    sent = sum(len(entry(key, day.FAMILY, cells)) for key, cells in rows())
    request = protos.data("ReadRowsRequest")(table_name=place.table_name(table)).SerializeToString()
    with grpc.insecure_channel(place.host, options=OPTIONS) as channel:
        answered = sum(map(len, channel.unary_stream(READ)(request)))
    return Wire(sent / VALUES, answered / VALUES)
