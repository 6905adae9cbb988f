"""Batteries of phones: the bytes of the document, on real servers."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from raw_cells import lines

import btmodel as bt
from btmodel.lint import review
from examples.battery import SaltedBattery, charges, hot, salt_of
from examples.generated.salted_battery_repository import SaltedBatteryRepository
from examples.worked.battery import EXAMPLE

Open = Callable[..., bt.Database]
START = datetime(2015, 3, 1, 12, 45, 1, tzinfo=UTC)
MILLI = timedelta(milliseconds=1)


@pytest.fixture
def battery(database: Open) -> bt.Database:
    """Five charges, in both tables."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_promoted_rows_are_those_of_the_document(battery: bt.Database) -> None:
    """The user stands in the key, before the time to the millisecond."""
    assert lines(battery, "BATTERY") == [
        (b"BATTERY#Corrie#20150301124501001", "METRIC", b"PERCENTAGE", b"98"),
        (b"BATTERY#Corrie#20150301124501003", "METRIC", b"PERCENTAGE", b"96"),
        (b"BATTERY#Jo#20150301124501002", "METRIC", b"PERCENTAGE", b"54"),
        (b"BATTERY#Sam#20150301124501004", "METRIC", b"PERCENTAGE", b"43"),
        (b"BATTERY#Sam#20150301124501005", "METRIC", b"PERCENTAGE", b"38"),
    ]


def test_the_salted_rows_are_those_of_the_document(battery: bt.Database) -> None:
    """The salts are the printed ones, and the users those of the table without salts."""
    assert lines(battery, "BATTERY_SALTED") == [
        (b"BATTERY#1#20150301124501003", "METRIC", b"PERCENTAGE", b"96"),
        (b"BATTERY#1#20150301124501003", "METRIC", b"USER", b"Corrie"),
        (b"BATTERY#1#20150301124501004", "METRIC", b"PERCENTAGE", b"43"),
        (b"BATTERY#1#20150301124501004", "METRIC", b"USER", b"Sam"),
        (b"BATTERY#2#20150301124501002", "METRIC", b"PERCENTAGE", b"54"),
        (b"BATTERY#2#20150301124501002", "METRIC", b"USER", b"Jo"),
        (b"BATTERY#3#20150301124501001", "METRIC", b"PERCENTAGE", b"98"),
        (b"BATTERY#3#20150301124501001", "METRIC", b"USER", b"Corrie"),
        (b"BATTERY#3#20150301124501005", "METRIC", b"PERCENTAGE", b"38"),
        (b"BATTERY#3#20150301124501005", "METRIC", b"USER", b"Sam"),
    ]


def test_a_time_range_is_a_read_for_each_salt(battery: bt.Database) -> None:
    """A range of time is three ranges of keys, whose rows come back in the order of time."""
    plan = SaltedBattery.in_time.plan(at=(START + MILLI, START + 5 * MILLI))
    assert [(one.start, one.end) for one in plan.ranges] == [
        (b"BATTERY#1#20150301124501001", b"BATTERY#1#20150301124501005"),
        (b"BATTERY#2#20150301124501001", b"BATTERY#2#20150301124501005"),
        (b"BATTERY#3#20150301124501001", b"BATTERY#3#20150301124501005"),
    ]
    told = SaltedBatteryRepository(battery).in_time(START + MILLI, START + 5 * MILLI)
    assert [(one.user, one.percentage) for one in told] == [
        ("Corrie", 98),
        ("Jo", 54),
        ("Corrie", 96),
        ("Sam", 43),
    ]


def test_the_questions_are_answered(battery: bt.Database) -> None:
    """Corrie's battery by one range, and all of three milliseconds by three."""
    assert [one.answer for one in EXAMPLE.ask(battery)] == ["98 %, 96 %", "Jo 54 %, Corrie 96 %, Sam 43 %"]


def test_the_salts_spread() -> None:
    """Of 3,000 charges in a row, each salt gets a third, give or take a tenth."""
    counts = Counter(salt_of(START + number * MILLI) for number in range(3_000))
    assert counts.keys() == {1, 2, 3}
    assert all(900 < count < 1_100 for count in counts.values())


def test_the_time_alone_is_refused() -> None:
    """The key of the time is told to be hot, with the promotion of the user as the fix."""
    with pytest.raises(bt.DeclarationError, match=r"(?s)KEY001 timestamp-first.*`BATTERY#\{user\}#\{at\}`"):
        hot()


def test_the_salt_is_told_to_give_way_to_the_user() -> None:
    """What asks for times serves itself of the salt; without that query the table is told the key that the document prefers."""
    schema = evolve(bt.schema_of(SaltedBattery), allow={})
    assert {each.rule for each in review(schema)} == {"KEY017", "QRY004"}
    found = {each.rule: each for each in review(evolve(schema, queries=()))}
    assert found.keys() == {"KEY005", "KEY017"}
    assert "`BATTERY#{user}#{at}`" in found["KEY005"].fix
    assert "`BATTERY#{salt}#{at}#{id}`" in found["KEY017"].fix


class HotBattery(bt.Model, table="HOT", events="2000/s", allow={"KEY001": "it is here to be looked at"}):
    """What is refused, let through."""

    battery = bt.constant("BATTERY")
    at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M%S%3f"))

    metric = bt.family("METRIC", gc=bt.max_versions(1))
    user: str = bt.column("USER", metric)
    percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())


def test_the_hot_keys_are_those_of_the_document() -> None:
    """The five rows of the refused table have the printed keys."""
    rows = [HotBattery(at=at, user=user, percentage=percentage) for user, at, percentage in charges()]
    assert [(bt.key_of(row), row.user, row.percentage) for row in rows] == [
        (b"BATTERY#20150301124501001", "Corrie", 98),
        (b"BATTERY#20150301124501002", "Jo", 54),
        (b"BATTERY#20150301124501003", "Corrie", 96),
        (b"BATTERY#20150301124501004", "Sam", 43),
        (b"BATTERY#20150301124501005", "Sam", 38),
    ]
