"""Which span of time a row holds, by its label."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from schemas import key_of, model_of

from btmodel.codecs.key import DateText, EpochBucket, IsoWeek, KeyCodec, OrderedInt, Text, TimeText, Week
from btmodel.errors import ValueRefused
from btmodel.rows.collections import BucketSpan, History
from btmodel.schema import Bucket
from btmodel.schema.bucket import FixedBucket, TimeBucket

NEW_YORK = ZoneInfo("America/New_York")
ZONES = st.sampled_from([UTC, NEW_YORK, ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Lord_Howe")])
LABELS: list[tuple[TimeBucket, KeyCodec[date] | KeyCodec[datetime]]] = [
    (Bucket.MINUTE, TimeText("%Y%m%d%H%M")),
    (Bucket.HOUR, TimeText("%Y%m%d%H")),
    (Bucket.DAY, TimeText("%Y%m%d")),
    (Bucket.DAY, DateText()),
    (Bucket.WEEK, IsoWeek()),
    (Bucket.WEEK, Week("week{n:04}", origin=date(1900, 1, 1))),
    (Bucket.MONTH, DateText("%Y%m")),
    (Bucket.YEAR, TimeText("%Y")),
    (FixedBucket(timedelta(days=28)), EpochBucket(OrderedInt(), timedelta(days=28))),
    (
        FixedBucket(timedelta(milliseconds=2**32)),
        EpochBucket(TimeText("%Y%m%d%H%M%S%3f"), timedelta(milliseconds=2**32)),
    ),
]


def span_of(bucket: TimeBucket, codec: KeyCodec[date] | KeyCodec[datetime]) -> BucketSpan:
    """The spans of a model whose key ends with a bucket's label."""
    return BucketSpan(model_of(key_of(Text(max_length=3), codec), bucket=bucket))


@pytest.mark.parametrize(("bucket", "codec"), LABELS)
@given(time=st.datetimes(datetime(1900, 1, 2), datetime(2090, 1, 1), timezones=ZONES))
def test_a_time_lies_in_the_span_of_its_label(
    bucket: TimeBucket, codec: KeyCodec[date] | KeyCodec[datetime], time: datetime
) -> None:
    """The label of a time can be written, and names the bucket that the time lies in."""
    spans = span_of(bucket, codec)
    label = spans.label(time)
    assert codec.decode(codec.encode(label)) == label  # type: ignore[arg-type]
    assert spans.span({"k1": label}) == (bucket.start(time), bucket.next(time))
    spans.refuse_outside({"k1": label, "temp": History({time: 1})}, ["temp"])


def test_a_week_goes_from_monday_to_monday() -> None:
    """The last seconds of a Sunday are of the week, the first of the Monday after are not."""
    spans = span_of(Bucket.WEEK, IsoWeek())
    sunday = datetime(2021, 1, 3, 23, 59, 59, tzinfo=UTC)
    monday = sunday + timedelta(seconds=1)
    assert (spans.label(sunday), spans.label(monday)) == (date(2020, 12, 28), date(2021, 1, 4))
    spans.refuse_outside({"k1": date(2020, 12, 28), "temp": History({sunday: 1})}, ["temp"])
    with pytest.raises(ValueRefused, match=r"Row\.temp: expected times of the row's week, from 2020-12-28"):
        spans.refuse_outside({"k1": date(2020, 12, 28), "temp": History({monday: 1})}, ["temp"])


def test_an_hour_that_occurs_twice_is_two_rows() -> None:
    """A label in local time names the hour that its fold says, and holds no event of the other one."""
    spans = span_of(Bucket.HOUR, TimeText("%Y%m%d%H"))
    first, second = (datetime(2013, 11, 3, 1, tzinfo=NEW_YORK, fold=fold) for fold in (0, 1))
    half = timedelta(minutes=30)
    for label, event, other in (
        (first, (first + half).replace(fold=0), (first + half).replace(fold=1)),
        (second, (first + half).replace(fold=1), (first + half).replace(fold=0)),
    ):
        start, end = spans.span({"k1": label})
        assert (start, end - start) == (label.astimezone(UTC), timedelta(hours=1))
        assert spans.label(event) == start
        spans.refuse_outside({"k1": label, "temp": History({event: 1})}, ["temp"])
        with pytest.raises(ValueRefused, match="times of the row's hour"):
            spans.refuse_outside({"k1": label, "temp": History({other: 1})}, ["temp"])


def test_a_label_or_a_time_without_a_zone_is_refused() -> None:
    """A naive time is not taken as one of this machine's zone."""
    spans = span_of(Bucket.HOUR, TimeText("%Y%m%d%H"))
    for ask in (spans.label, lambda time: spans.span({"k1": time})):
        with pytest.raises(ValueRefused, match="expected an aware datetime"):
            ask(datetime(2020, 1, 1))
