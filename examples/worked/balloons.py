"""Weather balloons against a server."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import btmodel as bt
from examples.balloons import (
    NOON,
    BalloonEvents,
    BalloonMinute,
    BalloonReading,
    BalloonWeek,
    PressureWeek,
    message,
    readings,
    time_first,
    weeks_that_do_not_sort,
)
from examples.generated.balloon_events_repository import BalloonEventsRepository
from examples.generated.balloon_minute_repository import BalloonMinuteRepository
from examples.generated.balloon_reading_repository import BalloonReadingRepository
from examples.generated.balloon_week_repository import BalloonWeekRepository
from examples.generated.pressure_week_repository import PressureWeekRepository
from examples.worked.example import Answer, Example

MINUTE = timedelta(minutes=1)
# The first three readings of another place; humidity and altitude were not measured there.
ELSEWHERE = ((94558, "9.5"), (94122, "9.4"), (95992, "9.2"))


def write(db: bt.Database) -> None:
    """Each reading in every way."""
    BalloonReadingRepository(db).put_many(readings())
    minutes, events = BalloonMinuteRepository(db), BalloonEventsRepository(db)
    for one in readings():
        event = message(one)
        minutes.put(BalloonMinute(location=one.location, balloon=one.balloon, minute=one.minute, event=event))
        events.append(location=one.location, balloon=one.balloon, at=one.minute, event=event)
    pressures, weeks = PressureWeekRepository(db), BalloonWeekRepository(db)
    for minute, (pressure, temperature) in enumerate(ELSEWHERE):
        at = NOON + minute * MINUTE
        pressures.append(location="us-west2", balloon="3698", at=at, pressure=pressure)
        weeks.append(
            location="asia-south2",
            balloon="3698",
            at=at,
            pressure=pressure,
            temperature=Decimal(temperature),
        )


def ask(db: bt.Database) -> Iterator[Answer]:
    """Between two times, the end left out; and one minute."""
    balloon = "us-west2", "3698"
    span = NOON + MINUTE, NOON + 3 * MINUTE
    marks = PressureWeekRepository(db).events(*balloon, *span)
    yield Answer("Which pressures were there from 12:01 up to 12:03?", [one.pressure for one in marks])
    weeks = BalloonWeekRepository(db).events("asia-south2", "3698", *span)
    yield Answer("How warm was it then in asia-south2?", [str(one.temperature) for one in weeks])
    rows = BalloonReadingRepository(db).of_balloon(*balloon, *span)
    yield Answer("How high was the balloon then?", [row.altitude for row in rows])
    minute = BalloonMinuteRepository(db).get(*balloon, NOON)
    yield Answer("How humid was it at 12:00?", minute and minute.event.humidity)
    messages = BalloonEventsRepository(db).events(*balloon, *span)
    yield Answer(
        "And then, from the messages of a week?", [one.event.humidity for one in messages if one.event]
    )


EXAMPLE = Example(
    "Weather balloons",
    (PressureWeek, BalloonWeek, BalloonMinute, BalloonReading, BalloonEvents),
    write,
    ask,
    refused=(time_first, weeks_that_do_not_sort),
)
