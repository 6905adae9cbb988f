"""Batteries of phones against a server."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import btmodel as bt
from examples.battery import SaltedBattery, UserBattery, charges, hot
from examples.generated.salted_battery_repository import SaltedBatteryRepository
from examples.generated.user_battery_repository import UserBatteryRepository
from examples.worked.example import Answer, Example

START = datetime(2015, 3, 1, 12, 45, 1, 2000, tzinfo=UTC)


def write(db: bt.Database) -> None:
    """Every charge to both tables."""
    UserBatteryRepository(db).put_many(
        UserBattery(user=user, at=at, percentage=percentage) for user, at, percentage in charges()
    )
    SaltedBatteryRepository(db).put_many(
        SaltedBattery(user=user, at=at, percentage=percentage) for user, at, percentage in charges()
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """One range by user; three reads by time, whose rows come in the order of time all the same."""
    corrie = UserBatteryRepository(db).of_user("Corrie")
    yield Answer("What did Corrie's battery do?", ", ".join(f"{one.percentage} %" for one in corrie))
    told = SaltedBatteryRepository(db).in_time(START, START + timedelta(milliseconds=3))
    yield Answer(
        "What did all batteries tell from .002 to before .005?",
        ", ".join(f"{one.user} {one.percentage} %" for one in told),
    )


EXAMPLE = Example("Batteries of phones", (UserBattery, SaltedBattery), write, ask, refused=(hot,))
