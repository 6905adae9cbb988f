"""0005_newest_first_switch: positions is compared with newest_positions.

Both models are declared here as they are at this revision, so that this file stays
correct when the models of the application change. Columns of the same name are copied
with their times; the rest follows from what the function returns.
"""

from datetime import datetime

import btmodel as bt
from btmodel.migrate import move


class OldPosition(bt.Model, table=bt.table("positions", moved_to="newest_positions")):
    """A row of positions, as it was before."""

    scooter: str = bt.key(bt.Text(width=6), cardinality=80_000)
    at: datetime = bt.key(bt.EpochMillis())

    p = bt.family("p", gc=bt.max_age(days=7))
    battery: int = bt.column("bat", p)
    latitude: float = bt.column("lat", p)
    longitude: float = bt.column("lon", p)
    speed: float | None = bt.column("speed", p, default=None)


class NewPosition(bt.Model, table="newest_positions"):
    """A row of newest_positions."""

    scooter: str = bt.key(bt.Text(width=6), cardinality=80_000)
    at: datetime = bt.key(bt.ReversedMillis())

    p = bt.family("p", gc=bt.max_age(days=7))
    latitude: float = bt.column("lat", p)
    longitude: float = bt.column("lon", p)
    battery: int = bt.column("bat", p)
    speed: float | None = bt.column("speed", p, default=None)


@move(OldPosition, NewPosition, only_compares=True)
def compare_position(row: OldPosition) -> NewPosition:
    """The row of newest_positions for a row of positions."""
    return NewPosition(
        scooter=row.scooter,
        at=row.at,
        latitude=row.latitude,
        longitude=row.longitude,
        battery=row.battery,
        speed=row.speed,
    )
