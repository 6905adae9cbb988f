"""A scan of departures without btmodel, as the documentation of Google's client has it; times stay text, and nothing is checked.

``make demo`` compares the two.
"""

from typing import Any, NamedTuple

from google.cloud.bigtable.data import BigtableDataClient, ReadRowsQuery, RowRange, row_filters


class Departure(NamedTuple):
    """What the code below makes of a row."""

    origin: str
    day: str
    scheduled: str
    carrier: str
    number: int
    tail: str | None
    destination: str
    departure_delay: int | None
    arrival_delay: int | None
    air_time: int | None
    miles: int


def departures(client: BigtableDataClient, instance: str, airport: str) -> list[Departure]:
    """All departures of an airport: the range, the key and each cell are spelled by hand."""
    query = ReadRowsQuery(
        row_ranges=RowRange(f"{airport}#", f"{airport}$", end_is_inclusive=False),
        row_filter=row_filters.CellsColumnLimitFilter(1),
    )
    with client.get_table(instance, "airport_departure") as table:
        return [_departure(row) for row in table.read_rows(query)]


def _departure(row: Any) -> Departure:
    origin, day, scheduled, carrier, number = row.row_key.decode().split("#")
    return Departure(
        origin,
        day,
        scheduled,
        carrier,
        int(number),
        row["f", "tail"][0].value.decode() if ("f", "tail") in row else None,
        row["f", "dest"][0].value.decode(),
        _number(row, "dep"),
        _number(row, "arr"),
        _number(row, "air"),
        int.from_bytes(row["f", "mi"][0].value, "big", signed=True),
    )


def _number(row: Any, column: str) -> int | None:
    if ("f", column) not in row:
        return None
    return int.from_bytes(row["f", column][0].value, "big", signed=True)
