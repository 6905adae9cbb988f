"""Weather balloons: what is on disk in each of the four ways, and what is read from it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

import btmodel as bt
from examples.balloons import NOON, WEEK, PressureWeek, time_first, weeks_that_do_not_sort
from examples.generated.pressure_week_repository import PressureWeekRepository
from examples.worked.balloons import EXAMPLE
from tests.worked.raw_cells import cells, versions

Open = Callable[..., bt.Database]
AT_1200, AT_1201, AT_1202 = (datetime(2021, 3, 5, 12, minute, tzinfo=UTC) for minute in (0, 1, 2))


@pytest.fixture
def balloons(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_a_new_column_an_event(balloons: bt.Database) -> None:
    """The pressure is a qualifier, its cell is empty, and the cell's timestamp is the minute."""
    assert versions(balloons, "balloon_pressure") == {
        b"us-west2#3698#pressure#week1": [
            (b"p:94122", AT_1201, b""),
            (b"p:94558", AT_1200, b""),
            (b"p:95992", AT_1202, b""),
        ]
    }


def test_a_new_cell_an_event(balloons: bt.Database) -> None:
    """A week is a row, and each minute a version of its columns."""
    assert versions(balloons, "balloon_weeks") == {
        b"asia-south2#3698#week1": [
            (b"measurements:pressure", AT_1202, b"95992"),
            (b"measurements:pressure", AT_1201, b"94122"),
            (b"measurements:pressure", AT_1200, b"94558"),
            (b"measurements:temp", AT_1202, b"9.2"),
            (b"measurements:temp", AT_1201, b"9.4"),
            (b"measurements:temp", AT_1200, b"9.5"),
        ]
    }


def test_a_row_a_minute_with_one_message(balloons: bt.Database) -> None:
    """The one cell of a minute is the message's wire format: four tagged fields."""
    rows = cells(balloons, "balloon_minutes")
    assert list(rows) == [
        b"us-west2#3698#2021-03-05-1200",
        b"us-west2#3698#2021-03-05-1201",
        b"us-west2#3698#2021-03-05-1202",
        b"us-west2#3698#2021-03-05-1203",
        b"us-west2#3698#2021-03-05-1204",
    ]
    assert rows[b"us-west2#3698#2021-03-05-1200"] == [
        (
            b"measurements_blob:event",
            b"\x08\xde\xe2\x05"  # 1: 94558
            b"\x11\x33\x33\x33\x33\x33\x33\x23\x40"  # 2: 9.6
            b"\x18\x3d"  # 3: 61
            b"\x20\xe4\x04",  # 4: 612
        )
    ]


def test_a_row_a_minute_with_columns(balloons: bt.Database) -> None:
    """Five minutes are five rows of four columns, as text."""

    def row(pressure: bytes, temperature: bytes, humidity: bytes, altitude: bytes) -> object:
        return [
            (b"measurements:altitude", altitude),
            (b"measurements:humidity", humidity),
            (b"measurements:pressure", pressure),
            (b"measurements:temperature", temperature),
        ]

    assert cells(balloons, "balloon_readings") == {
        b"us-west2#3698#2021-03-05-1200": row(b"94558", b"9.6", b"61", b"612"),
        b"us-west2#3698#2021-03-05-1201": row(b"94122", b"9.7", b"62", b"611"),
        b"us-west2#3698#2021-03-05-1202": row(b"95992", b"9.5", b"58", b"602"),
        b"us-west2#3698#2021-03-05-1203": row(b"96025", b"9.5", b"66", b"598"),
        b"us-west2#3698#2021-03-05-1204": row(b"96021", b"9.6", b"63", b"624"),
    }


def test_a_row_a_week_with_messages(balloons: bt.Database) -> None:
    """The combined way: each version of the one column is a message, and its timestamp the minute."""
    [(key, found)] = versions(balloons, "balloon_events").items()
    assert key == b"us-west2#3698#week0001"
    assert [(name, time) for name, time, _ in found] == [
        (b"measurements_blob:event", datetime(2021, 3, 5, 12, minute, tzinfo=UTC))
        for minute in (4, 3, 2, 1, 0)
    ]
    assert found[-1][2] == b"\x08\xde\xe2\x05\x11\x33\x33\x33\x33\x33\x33\x23\x40\x18\x3d\x20\xe4\x04"


def test_the_questions_have_answers(balloons: bt.Database) -> None:
    """Every way tells what there was between two times, and leaves out the end."""
    assert [answer.answer for answer in EXAMPLE.ask(balloons)] == [
        [94122, 95992],
        ["9.4", "9.2"],
        [611, 602],
        61,
        [62, 58],
    ]


def test_equal_pressures_of_a_week_are_versions_of_one_column(database: Open) -> None:
    """No event is lost where a pressure comes twice, and events are in the order of time."""
    db = database(PressureWeek)
    weeks = PressureWeekRepository(db)
    for minutes, pressure in ((0, 94558), (1, 94122), (2, 94558)):
        at = NOON + timedelta(minutes=minutes)
        weeks.append(location="us-west2", balloon="3698", at=at, pressure=pressure)
    assert versions(db, "balloon_pressure")[b"us-west2#3698#pressure#week1"] == [
        (b"p:94122", AT_1201, b""),
        (b"p:94558", AT_1202, b""),
        (b"p:94558", AT_1200, b""),
    ]
    found = weeks.events("us-west2", "3698", AT_1200, AT_1202 + timedelta(minutes=1))
    assert [one.pressure for one in found] == [94558, 94122, 94558]


def test_events_are_read_over_weeks_that_do_not_sort(database: Open) -> None:
    """From week 9 to week 11 the labels sort as 10, 11, 9; the events come in the order of time."""
    weeks = PressureWeekRepository(database(PressureWeek))
    mondays = [datetime(2021, 4, 26, tzinfo=UTC) + timedelta(weeks=number) for number in range(3)]
    assert [WEEK.encode(at.date()) for at in mondays] == [b"week9", b"week10", b"week11"]
    for number, at in enumerate(mondays):
        weeks.append(location="us-west2", balloon="3698", at=at, pressure=90_000 + number)
    found = weeks.events("us-west2", "3698", mondays[0], mondays[2] + timedelta(days=1))
    assert [one.pressure for one in found] == [90_000, 90_001, 90_002]
    assert [one.pressure for one in weeks.events("us-west2", "3698", mondays[0], mondays[2])] == [
        90_000,
        90_001,
    ]


@pytest.mark.parametrize(
    ("declare", "rule"),
    [(time_first, "KEY001 timestamp-first"), (weeks_that_do_not_sort, "KEY007 unpadded-number")],
)
def test_bad_designs_are_refused(declare: Callable[[], object], rule: str) -> None:
    """The minute in front is a hotspot; weeks without zeros on the left do not sort."""
    with pytest.raises(bt.DeclarationError, match=rule):
        declare()
