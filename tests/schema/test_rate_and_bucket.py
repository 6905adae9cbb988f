"""Rates of events, and the edges of time buckets."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema import Bucket, Rate
from btmodel.schema.bucket import END_OF_TIME, bucket_of

NEW_YORK, BERLIN = ZoneInfo("America/New_York"), ZoneInfo("Europe/Berlin")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # its clocks are set forward by half an hour
ZONES = [UTC, NEW_YORK, BERLIN, LORD_HOWE, ZoneInfo("Asia/Kathmandu"), ZoneInfo("Pacific/Kiritimati")]
TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.sampled_from(ZONES))
BUCKETS = st.sampled_from(Bucket)


@pytest.mark.parametrize(
    ("text", "per_second"),
    [
        ("5000/s", 5000),
        ("5_000/s", 5000),
        ("0.5/s", 0.5),
        (" 60 / min ", 1),
        ("3600/h", 1),
        ("86400/day", 1),
        ("604800/week", 1),
    ],
)
def test_a_rate_is_a_number_for_a_unit(text: str, per_second: float) -> None:
    """A rate is read as events a second."""
    assert Rate.parse(text) == Rate(per_second)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "5000",
        "5000/",
        "/s",
        "5/year",
        "-5/s",
        "0/s",
        "0.0/s",
        "1e3/s",
        "5/S",
        "9" * 400 + "/s",
        5,
        5.0,
        None,
        b"5/s",
    ],
)
def test_what_is_no_rate_is_refused(wrong: Any) -> None:
    """Anything but a number above 0 for a known unit is refused, with what came."""
    with pytest.raises(DeclarationError, match=r"events: expected a rate.* got "):
        Rate.parse(wrong)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5000/s", "5,000/s"),
        ("4/h", "4/h"),
        ("1/day", "1/day"),
        ("0.5/week", "0.5/week"),
        ("10000/day", "10,000/day"),
        ("90/min", "90/min"),
        ("72/day", "72/day"),
        ("1.7/s", "1.7/s"),
        ("3600/h", "3,600/h"),
        ("2/d", "2/day"),
    ],
)
def test_a_rate_reads_as_a_person_wrote_it(text: str, shown: str) -> None:
    """A declared rate prints in the unit that it was declared in."""
    assert str(Rate.parse(text)) == shown


@pytest.mark.parametrize(
    ("per_second", "shown"), [(1.7, "102/min"), (1.2345, "1.2345/s"), (3 / 3600, "3/h"), (5e6, "5,000,000/s")]
)
def test_a_computed_rate_reads_well(per_second: float, shown: str) -> None:
    """A rate that nobody declared prints in the finest unit in which it is a whole number, or else one of 1 or more."""
    assert str(Rate(per_second)) == shown


@pytest.mark.parametrize(
    ("per_second", "shown"),
    [
        (0.9 / 86_400, "6.3/week"),
        (1.2345, "1.2/s"),
        (1 / 7, "8.6/min"),
        (54_321, "54,000/s"),
        (1e-9, "0.0006/week"),
    ],
)
def test_a_rounded_rate_has_two_digits_of_a_unit_that_suits_it(per_second: float, shown: str) -> None:
    """Advice names a rate as a person would, and what is written so is read as the same rate."""
    rate = Rate(per_second).rounded()
    assert str(rate) == shown
    assert Rate.parse(shown.replace(",", "")) == rate


def test_what_is_no_bucket_is_refused() -> None:
    """Only the names of the calendar units, and lengths, are buckets, and the message lists them."""
    assert bucket_of("day") is Bucket.DAY
    for wrong in ("days", "", None, 1, "Day", timedelta(0), timedelta(days=-1), "28d"):
        with pytest.raises(
            DeclarationError, match="bucket: expected one of minute, hour, day, week, month, year"
        ):
            bucket_of(wrong)


@given(BUCKETS, TIMES)
def test_a_time_lies_in_its_bucket(bucket: Bucket, time: datetime) -> None:
    """A bucket starts at or before its times and ends after them."""
    assert bucket.start(time) <= time < bucket.next(time)


@given(BUCKETS, TIMES)
def test_buckets_meet_without_gap(bucket: Bucket, time: datetime) -> None:
    """The end of a bucket is the start of the next one, and its last microsecond is still in it."""
    start, end = bucket.start(time), bucket.next(time)
    assert bucket.start(start) == start
    assert bucket.start(end) == end
    assert bucket.start(end - timedelta(microseconds=1)) == start


@given(BUCKETS.filter(lambda bucket: bucket is not Bucket.WEEK), TIMES)
def test_a_bucket_starts_where_the_calendar_says_in_utc(bucket: Bucket, time: datetime) -> None:
    """The start of a bucket is the time in UTC with every finer unit at its least."""
    fields = ("year", "month", "day", "hour", "minute", "second", "microsecond")
    start, utc = bucket.start(time), time.astimezone(UTC)
    least = dict(zip(fields, (1, 1, 1, 0, 0, 0, 0), strict=True))
    keep = fields.index(bucket.value) + 1
    assert start.tzinfo is UTC
    assert [getattr(start, name) for name in fields[:keep]] == [getattr(utc, name) for name in fields[:keep]]
    assert [getattr(start, name) for name in fields[keep:]] == [least[name] for name in fields[keep:]]


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_week_starts_where_the_iso_calendar_says(time: datetime) -> None:
    """The start of a week is the Monday of the ISO week, from the first year to the last."""
    year, week, _ = time.isocalendar()
    start = Bucket.WEEK.start(time)
    assert (start.date(), start.time(), start.tzinfo) == (
        date.fromisocalendar(year, week, 1),
        datetime.min.time(),
        UTC,
    )


EDGES = [
    (Bucket.WEEK, datetime(2021, 1, 3, 23, 59), datetime(2020, 12, 28), datetime(2021, 1, 4)),
    (Bucket.WEEK, datetime(2018, 12, 31), datetime(2018, 12, 31), datetime(2019, 1, 7)),
    (Bucket.WEEK, datetime(1970, 1, 1), datetime(1969, 12, 29), datetime(1970, 1, 5)),
    (Bucket.WEEK, datetime(1, 1, 7, 23), datetime(1, 1, 1), datetime(1, 1, 8)),
    (Bucket.MONTH, datetime(1968, 2, 29, 1), datetime(1968, 2, 1), datetime(1968, 3, 1)),
    (Bucket.HOUR, datetime(1969, 12, 31, 23, 59, 59), datetime(1969, 12, 31, 23), datetime(1970, 1, 1)),
    (Bucket.MONTH, datetime(2020, 2, 29, 23, 59), datetime(2020, 2, 1), datetime(2020, 3, 1)),
    (Bucket.MONTH, datetime(2021, 1, 31), datetime(2021, 1, 1), datetime(2021, 2, 1)),
    (Bucket.MONTH, datetime(2021, 12, 31), datetime(2021, 12, 1), datetime(2022, 1, 1)),
    (Bucket.YEAR, datetime(2020, 12, 31, 23), datetime(2020, 1, 1), datetime(2021, 1, 1)),
    (Bucket.YEAR, datetime(2021, 1, 1), datetime(2021, 1, 1), datetime(2022, 1, 1)),
    (Bucket.DAY, datetime(2020, 2, 28, 12), datetime(2020, 2, 28), datetime(2020, 2, 29)),
    (Bucket.DAY, datetime(1900, 2, 28), datetime(1900, 2, 28), datetime(1900, 3, 1)),
    (Bucket.HOUR, datetime(2021, 12, 31, 23, 30), datetime(2021, 12, 31, 23), datetime(2022, 1, 1)),
    (Bucket.MINUTE, datetime(2020, 2, 29, 23, 59, 59), datetime(2020, 2, 29, 23, 59), datetime(2020, 3, 1)),
]


@pytest.mark.parametrize(("bucket", "time", "start", "end"), EDGES)
def test_the_edges_of_the_calendar(bucket: Bucket, time: datetime, start: datetime, end: datetime) -> None:
    """Ends of months and years and leap days fall where the calendar has them."""
    assert bucket.start(time.replace(tzinfo=UTC)) == start.replace(tzinfo=UTC)
    assert bucket.next(time.replace(tzinfo=UTC)) == end.replace(tzinfo=UTC)


def test_a_day_is_a_day_in_utc_whatever_the_zone() -> None:
    """An evening in New York belongs to the next day's bucket."""
    evening = datetime(2013, 1, 31, 20, tzinfo=ZoneInfo("America/New_York"))
    assert Bucket.DAY.start(evening) == datetime(2013, 2, 1, tzinfo=UTC)


@given(BUCKETS, TIMES, st.integers(0, 5), st.timedeltas(timedelta(0), timedelta(hours=30)))
def test_covering_is_the_buckets_that_meet_the_range(
    bucket: Bucket, start: datetime, steps: int, more: timedelta
) -> None:
    """The span that covers a range is made of just those buckets that hold a time of it."""
    end = start.astimezone(UTC)
    for _ in range(steps):
        end = bucket.next(end)
    end += more % (bucket.next(end) - bucket.start(end))
    first, last = bucket.covering(start, end)
    expected, at = [], bucket.start(start)
    while at < end:
        expected.append(at)
        at = bucket.next(at)
    assert first == bucket.start(start)
    assert last == (at if expected else first) or start == end


@pytest.mark.parametrize("bucket", Bucket)
@pytest.mark.parametrize("fold", [0, 1])
def test_an_edge_that_occurs_twice_on_a_local_clock_is_an_edge(bucket: Bucket, fold: int) -> None:
    """A range that ends on an edge does not reach into the next bucket, also where clocks are set back."""
    end = datetime(2013, 11, 3, 1, tzinfo=ZoneInfo("America/New_York"), fold=fold)
    start = end.astimezone(UTC) - timedelta(minutes=1)
    _, last = bucket.covering(start, end)
    assert last == bucket.covering(start, end.astimezone(UTC))[1]


@pytest.mark.parametrize("bucket", Bucket)
def test_the_first_and_the_last_bucket_have_edges(bucket: Bucket) -> None:
    """The first time that there is begins a bucket, and the last bucket ends with the last time."""
    first = datetime.min.replace(tzinfo=UTC)
    assert bucket.start(first) == first
    assert bucket.next(END_OF_TIME) == END_OF_TIME
    assert bucket.covering(first, END_OF_TIME) == (first, END_OF_TIME)


@pytest.mark.parametrize("bucket", Bucket)
def test_a_time_without_a_zone_or_out_of_the_years_is_refused(bucket: Bucket) -> None:
    """A naive time is not taken as one of this machine's zone, and one out of range is told as such."""
    noon = datetime(2020, 1, 1, 12)
    aware = noon.replace(tzinfo=UTC)
    for ask in (
        lambda: bucket.start(noon),
        lambda: bucket.next(noon),
        lambda: bucket.covering(noon, aware),
        lambda: bucket.covering(aware, noon),
    ):
        with pytest.raises(ValueRefused, match="expected an aware datetime"):
            ask()
    for beyond in (
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
    ):
        with pytest.raises(ValueRefused, match="from the year 1 to 9999, in UTC"):
            bucket.start(beyond)


# The first time of each that its zone's clock shows twice, and by how much the clock is set back.
SET_BACK = [
    (datetime(2013, 11, 3, 1, tzinfo=NEW_YORK), timedelta(hours=1)),
    (datetime(2020, 10, 25, 2, tzinfo=BERLIN), timedelta(hours=1)),
    (datetime(2021, 4, 4, 1, 30, tzinfo=LORD_HOWE), timedelta(minutes=30)),
]


@pytest.mark.parametrize(("first", "by"), SET_BACK)
@pytest.mark.parametrize("bucket", Bucket)
def test_a_time_that_occurs_twice_is_two_times(bucket: Bucket, first: datetime, by: timedelta) -> None:
    """Where clocks are set back, a time lies in the bucket of the time in UTC that its fold says."""
    for minutes in range(0, int(by / timedelta(minutes=1)), 5):
        local = first + timedelta(minutes=minutes)
        early, late = (local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        assert late - early == by
        for fold, utc in enumerate((early, late)):
            time = local.replace(fold=fold)
            assert (bucket.start(time), bucket.next(time)) == (bucket.start(utc), bucket.next(utc))
    if bucket is Bucket.HOUR and by == timedelta(hours=1):
        assert bucket.next(first) == bucket.start(first.replace(fold=1))


@pytest.mark.parametrize(
    ("midnight", "hours"),
    [
        (datetime(2013, 3, 10, tzinfo=NEW_YORK), 23),
        (datetime(2013, 11, 3, tzinfo=NEW_YORK), 25),
        (datetime(2020, 3, 29, tzinfo=BERLIN), 23),
        (datetime(2021, 4, 4, tzinfo=LORD_HOWE), 24.5),
        (datetime(2021, 10, 3, tzinfo=LORD_HOWE), 23.5),
    ],
)
def test_a_local_day_of_another_length_is_covered_by_days_in_utc(midnight: datetime, hours: float) -> None:
    """A day on which clocks are set is a range of 23 or 25 hours, and days in UTC stay what they are."""
    end = midnight.replace(day=midnight.day + 1)
    assert end.astimezone(UTC) - midnight.astimezone(UTC) == timedelta(hours=hours)
    first, last = Bucket.DAY.covering(midnight, end)
    assert first == Bucket.DAY.start(midnight)
    assert last - first == timedelta(days=2)
    assert Bucket.HOUR.covering(midnight, end)[1] >= end.astimezone(UTC)
