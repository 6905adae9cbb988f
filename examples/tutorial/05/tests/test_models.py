"""Tests of the models, on a real Bigtable in memory."""

from datetime import UTC, datetime, timedelta

from btmodel.pytest_plugin import Instances

from scooters.generated.reading_repository import ReadingRepository
from scooters.models import Reading

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_readings_are_read_as_they_were_written(bigtable: Instances) -> None:
    """``bigtable``, a fixture of btmodel, creates an instance with the tables of these models."""
    readings = ReadingRepository(bigtable(Reading))
    written = [
        Reading(
            device="attic",
            measured=NOON + timedelta(hours=hour),
            temperature=20.5 + hour,
            humidity=None,
        )
        for hour in range(3)
    ]
    readings.put_many(written)
    assert readings.get("attic", NOON) == written[0]
    early = readings.of_device("attic", NOON, NOON + timedelta(hours=2))
    assert list(early) == written[:2]
    assert list(readings.of_device("cellar")) == []
