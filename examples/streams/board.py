"""A departure board: what is planned, what has left, and how late, kept up to date by the change stream of a table.

Whoever writes flights knows nothing of the board. It keeps its place in a file, and as a change may come twice, it keeps what each flight
was last heard to be, and adds nothing up.
"""

from datetime import date, datetime
from typing import Any

from attrs import define, field

import btmodel as bt
from btmodel.rows.changes import Change
from examples import flights

LOST = 60  # minutes of delay from which on somebody should be told


class BoardedFlight(bt.Model, table=bt.table("boarded_flight", change_stream="7d"), events="923/day"):
    """A flight as an airport knows it; it has a delay once it has left."""

    origin: str = bt.key(bt.Text(width=3), cardinality=3)
    day: date = bt.key(bt.DateText("%Y%m%d"))
    carrier: str = bt.key(bt.Text(width=2), cardinality=16)
    number: int = bt.key(bt.PaddedInt(4), cardinality=3_844)
    scheduled: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

    f = bt.family("f", gc=bt.max_versions(1))
    destination: str = bt.column("dest", f)
    delay: int | None = bt.column("delay", f, default=None)

    on_day = bt.query("origin", "day")


def planned(flight: flights.AirportDeparture) -> BoardedFlight:
    """A flight of the file, before it leaves."""
    return BoardedFlight(
        origin=flight.origin,
        day=flight.day,
        carrier=flight.carrier,
        number=flight.number,
        scheduled=flight.scheduled,
        destination=flight.destination,
    )


def left(flight: flights.AirportDeparture) -> BoardedFlight:
    """The same flight once it has left; one that never did is as it was planned."""
    return bt.replace(planned(flight), delay=flight.departure_delay)


@define
class Line:
    """What the board shows of a flight."""

    destination: str = ""
    delay: int | None = None


@define
class Board:
    """The flights of the board by their row keys, and those to tell somebody of."""

    lines: dict[bytes, Line] = field(factory=dict)
    late: list[bytes] = field(factory=list)

    def show(self, change: Change[Any]) -> None:
        """Bring the board up to date with one change; the same change again changes nothing."""
        if change.deletes_row:
            self.lines.pop(change.raw_key, None)
            return
        line = self.lines.setdefault(change.raw_key, Line())
        line.destination = change.set.get("destination", line.destination)
        line.delay = change.set.get("delay", line.delay)
        is_late = line.delay is not None and line.delay >= LOST
        if is_late and change.raw_key not in self.late:
            self.late.append(change.raw_key)

    @property
    def waiting(self) -> int:
        """How many flights have not left."""
        return sum(line.delay is None for line in self.lines.values())
