"""Events of a motor: write them one by one, read them by time."""

from datetime import timedelta

import btmodel as bt

from fill import NOON
from scooters.generated.motor_day_repository import MotorDayRepository

with bt.connect() as db:
    motors = MotorDayRepository(db)

    for minute in range(0, 60, 10):
        motors.append(
            scooter="BX4021",
            at=NOON + timedelta(minutes=minute),
            temperature=21.5 + minute / 10,
            current=4.0,
        )

    for event in motors.events("BX4021", NOON, NOON + timedelta(minutes=30)):
        print(f"{event.at:%H:%M}  {event.temperature} °C  {event.current} A")

    newest = next(iter(motors.newest_events(1, "BX4021")))
    print("newest:", newest.at, newest.temperature)

    day = motors.get("BX4021", NOON.date())
    assert day is not None
    print("in one row:", len(day.temperature), "temperatures")
