"""Questions about a scooter."""

from datetime import timedelta

import btmodel as bt

from fill import NOON
from scooters.generated.position_repository import PositionRepository

with bt.connect() as db:
    positions = PositionRepository(db)

    one = positions.get("BX4021", NOON)
    print("at noon:", one)

    read = positions.of_scooter(
        "BX4021", NOON + timedelta(minutes=30), NOON + timedelta(minutes=31)
    )
    for position in read:
        print(f"{position.at:%H:%M:%S}  {position.latitude:.4f}  {position.battery} %")

    low = positions.of_scooter("BX4021").where(battery=bt.less_than(66))
    print("below 66 %:", low.count(), "positions, first at", next(iter(low)).at)

    (newest,) = positions.newest(1, "BX4021")
    print("last seen:", newest.at)
