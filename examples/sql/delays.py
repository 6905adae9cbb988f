"""How late the carriers of an airport leave: asked now and then, over the rows of the airport, so neither a second table nor a rollup is kept for it."""

from datetime import date, datetime

import btmodel as bt
from examples import flights


class FlownFlight(bt.Model, table="flown_flight", events="923/day"):
    """A flight that has left."""

    origin: str = bt.key(bt.Text(width=3), cardinality=3)
    day: date = bt.key(bt.DateText("%Y%m%d"))
    carrier: str = bt.key(bt.Text(width=2), cardinality=16)
    number: int = bt.key(bt.PaddedInt(4), cardinality=3_844)
    scheduled: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

    f = bt.family("f", gc=bt.max_versions(1))
    delay: int = bt.column("delay", f, codec=bt.Int64())
    destination: str = bt.column("dest", f)

    on_day = bt.query("origin", "day")

    # A key is origin#day#carrier#number#scheduled; the range of the airport's keys is all that is read.
    carriers = bt.sql_query(
        """
        SELECT
          CAST(SPLIT(_key, b'#')[OFFSET(2)] AS STRING) AS carrier,
          COUNT(*) AS flights,
          AVG(TO_INT64(f['delay'])) AS mean,
          COUNTIF(TO_INT64(f['delay']) >= @late) AS late
        FROM flown_flight
        WHERE STARTS_WITH(_key, CONCAT(@origin, b'#'))
        GROUP BY carrier HAVING flights >= @least
        ORDER BY mean DESC
        """,
        origin="origin",
        late=int,
        least=int,
    )
    worst = bt.sql_query(
        """
        SELECT _key, TO_INT64(f['delay']) AS delay FROM flown_flight
        WHERE f['dest'] = @destination ORDER BY delay DESC, _key LIMIT @most
        """,
        destination="destination",
        most=int,
    )


def flown(flight: flights.AirportDeparture) -> FlownFlight | None:
    """A flight of the file; None of one that never left."""
    if flight.departure_delay is None:
        return None
    return FlownFlight(
        origin=flight.origin,
        day=flight.day,
        carrier=flight.carrier,
        number=flight.number,
        scheduled=flight.scheduled,
        destination=flight.destination,
        delay=flight.departure_delay,
    )
