"""Electricity meters: the bytes of the document, on real servers."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from raw_cells import lines, stamped

import btmodel as bt
from btmodel.rows import Cell, Mutation
from examples.generated.sensor_of_day_repository import SensorOfDayRepository
from examples.generated.sensor_repository import SensorRepository
from examples.meters import Sensor, day_first
from examples.meters_job import copy_day
from examples.worked.meters import EXAMPLE

Open = Callable[..., bt.Database]
DAY = date(2017, 7, 26)


@pytest.fixture
def meters(database: Open) -> bt.Database:
    """Two days of three meters, and the table of the second day."""
    db = database(Sensor)
    EXAMPLE.write(db)
    return db


@pytest.mark.parametrize("table", ["SENSOR", "SENSOR_20170726"])
def test_a_meters_day_is_that_of_the_document(meters: bt.Database, table: str) -> None:
    """The row has 96 readings, named by their times of day, and the number of the meter in plain digits."""
    found = {
        qualifier: (family, value)
        for key, family, qualifier, value in lines(meters, table)
        if key == b"0000987654#20170726"
    }
    assert found[b"ID"] == ("METER", b"987654")
    assert found[b"0000"] == ("METER", b"12.34")
    assert found[b"0015"] == ("METER", b"13.45")
    assert found[b"2330"] == ("METER", b"27.89")
    assert found[b"2345"] == ("METER", b"28.90")
    times = {b"%02d%02d" % (hour, minute) for hour in range(24) for minute in (0, 15, 30, 45)}
    assert found.keys() == times | {b"ID"}


def test_the_table_of_a_day_has_the_rows_of_that_day(meters: bt.Database) -> None:
    """All meters of the day are in its table, under the keys of SENSOR, with the newest cells and their timestamps."""
    newest: dict[tuple[bytes, str, bytes], tuple[bytes, datetime]] = {}
    for (key, family, qualifier, value), at in stamped(meters, "SENSOR"):
        if key.endswith(b"#20170726"):
            newest.setdefault((key, family, qualifier), (value, at))
    copied = {
        (key, family, name): (value, at)
        for (key, family, name, value), at in stamped(meters, "SENSOR_20170726")
    }
    assert copied == newest
    assert {key for key, *_ in copied} == {
        b"0000987654#20170726",
        b"0000987655#20170726",
        b"1234567890#20170726",
    }


def test_copying_again_changes_no_cell(meters: bt.Database) -> None:
    """The job may run twice: the raw cells are the same, timestamps included."""
    once = stamped(meters, "SENSOR_20170726")
    assert copy_day(meters, DAY) == 3
    assert stamped(meters, "SENSOR_20170726") == once


def test_a_day_of_no_rows_is_an_empty_table(meters: bt.Database) -> None:
    """A day on which no meter told anything has a table without rows."""
    assert copy_day(meters, date(2017, 7, 27)) == 0
    assert lines(meters, "SENSOR_20170727") == []


def test_keys_that_hold_the_day_elsewhere_are_not_copied(database: Open) -> None:
    """Only whole keys of ten digits and the day count: not a meter whose number begins with the day."""
    db = database(Sensor)
    keys = b"2017072600#20170725", b"0020170726#20170727", b"0000000001#20170726"
    for key in keys:
        db.write(Mutation("SENSOR", key, [Cell("METER", b"0000", 1_000, b"1.00")]))
    assert copy_day(db, DAY) == 1
    assert stamped(db, "SENSOR_20170726") == [
        (
            (b"0000000001#20170726", "METER", b"0000", b"1.00"),
            datetime(1970, 1, 1, 0, 0, 0, 1_000, tzinfo=UTC),
        )
    ]


def test_the_rows_come_back(meters: bt.Database) -> None:
    """A reading is found by its time of day, in SENSOR and in the table of the day, as the exact decimal."""
    row = SensorRepository(meters).get(987654, DAY)
    assert row is not None
    assert str(row.used[time(23, 45)]) == "28.90"
    copied = SensorOfDayRepository(meters, day="20170726").get(987654, DAY)
    assert copied is not None
    assert copied.used == row.used


def test_the_questions_are_answered(meters: bt.Database) -> None:
    """One meter's reading, and the meters of a day."""
    told = [one.answer for one in EXAMPLE.ask(meters)]
    assert told == [Decimal("28.90"), "987654, 987655, 1234567890"]


def test_the_day_in_front_is_refused() -> None:
    """The key of the day is told to be hot, with the meter in front as the fix."""
    with pytest.raises(bt.DeclarationError, match=r"(?s)KEY001 timestamp-first.*`\{meter\}#\{day\}`"):
        day_first()
