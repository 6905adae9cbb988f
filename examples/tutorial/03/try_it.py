from datetime import UTC, datetime

from scooters.models import Position

noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
print(Position.row_key(scooter="BX4021", at=noon))
print(Position.of_scooter.explain(scooter="BX4021", at=(noon, None)))
