"""The scooters, on a real Bigtable in memory."""

from datetime import timedelta

import btmodel as bt
import pytest
from btmodel.pytest_plugin import Instances

from fill import NOON, positions
from scooters.generated.position_repository import PositionRepository
from scooters.models import Position


def test_an_hour_is_read_as_it_was_written(bigtable: Instances) -> None:
    """Each scooter has its own 360 positions."""
    repository = PositionRepository(bigtable(Position))
    repository.put_many(positions())
    hour = list(repository.of_scooter("BX4021"))
    assert len({position.at for position in hour}) == 360
    assert {position.scooter for position in hour} == {"BX4021"}


def test_ends_of_a_range(bigtable: Instances) -> None:
    """A range includes its start and excludes its end."""
    repository = PositionRepository(bigtable(Position))
    repository.put_many(positions())
    minute = repository.of_scooter("BX4021", NOON, NOON + timedelta(minutes=1))
    assert sorted(position.at.second for position in minute) == [0, 10, 20, 30, 40, 50]


def test_a_long_name_is_refused(bigtable: Instances) -> None:
    """What does not fit into the key is refused before anything is sent."""
    repository = PositionRepository(bigtable(Position))
    with pytest.raises(bt.ValueRefused):
        repository.get("BX40212", NOON)
