"""An hour of two scooters, a position every ten seconds."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import btmodel as bt

from scooters.generated.position_repository import PositionRepository
from scooters.models import Position

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def positions(day: datetime = NOON) -> Iterator[Position]:
    for number, scooter in enumerate(("BX4021", "BX4022")):
        for step in range(360):
            yield Position(
                scooter=scooter,
                at=day + timedelta(seconds=10 * step),
                latitude=52.5 + step / 10_000,
                longitude=13.4 + number / 10,
                battery=100 - step // 10,
            )


if __name__ == "__main__":
    with bt.connect() as db:
        written = PositionRepository(db).put_many(positions())
    print("written:", written)
