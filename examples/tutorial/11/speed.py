"""Rows from before and after the change, side by side."""

from datetime import timedelta

import btmodel as bt

from fill import NOON
from scooters.generated.position_repository import PositionRepository
from scooters.models import Position

with bt.connect() as db:
    positions = PositionRepository(db)
    later = NOON + timedelta(hours=1)
    positions.put(
        Position(
            scooter="BX4021",
            at=later,
            latitude=52.6,
            longitude=13.4,
            battery=64,
            speed=18.5,
        )
    )
    for position in positions.newest(2, "BX4021"):
        print(f"{position.at:%H:%M:%S}", position.speed)
