"""Electricity meters against a server."""

from collections.abc import Iterator
from datetime import time, timedelta

import btmodel as bt
from examples.generated.sensor_of_day_repository import SensorOfDayRepository
from examples.generated.sensor_repository import SensorEvent, SensorRepository
from examples.meters import DAY, Sensor, SensorOfDay, day_first, readings
from examples.meters_job import copy_day
from examples.worked.example import Answer, Example

METERS = 987654, 987655, 1234567890
THE_DAY_BEFORE = DAY - timedelta(days=1)


def write(db: bt.Database) -> None:
    """Two days of three meters, a reading at a time; then the nightly job of the second day."""
    SensorRepository(db).append_many(
        SensorEvent(meter=meter, at=at, used=used)
        for day in (THE_DAY_BEFORE, DAY)
        for at, used in readings(day)
        for meter in METERS
    )
    copy_day(db, DAY)


def ask(db: bt.Database) -> Iterator[Answer]:
    """One row, and the whole table of a day."""
    one = SensorRepository(db).get(987654, DAY)
    yield Answer("What did meter 987654 read at 23:45 of that day?", one and one.used[time(23, 45)])
    told = SensorOfDayRepository(db, day=f"{DAY:%Y%m%d}").of_all().keys()
    yield Answer("Which meters told of that day?", ", ".join(str(key.meter) for key in told))


EXAMPLE = Example("Electricity meters", (Sensor, SensorOfDay), write, ask, refused=(day_first,))
