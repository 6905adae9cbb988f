"""The tables of this project, one class each."""

from datetime import date, datetime

import btmodel as bt


class Position(bt.Model, table="newest_positions", events="8000/s"):
    """Where a scooter was at one moment, for seven days."""

    scooter: str = bt.key(bt.Text(width=6), cardinality=80_000)
    at: datetime = bt.key(bt.ReversedMillis())

    p = bt.family("p", gc=bt.max_age("7d"))
    latitude: float = bt.column("lat", p)
    longitude: float = bt.column("lon", p)
    battery: int = bt.column("bat", p)
    speed: float | None = bt.column("speed", p, default=None)

    of_scooter = bt.query("scooter", between="at", newest=True)


class MotorDay(bt.Model, table="motors", bucket="day", events="1000/s"):
    """What the motor of a scooter reported on a day."""

    scooter: str = bt.key(bt.Text(width=6), cardinality=80_000)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    m = bt.family("m", gc=bt.max_versions(2_000))
    temperature: bt.History[float] = bt.history("temp", m)
    current: bt.History[float] = bt.history("amp", m)
