"""Times of row keys where local clocks are set: what is written is the time in UTC."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from btmodel.codecs.key import EpochMicros, EpochMillis, EpochNanos, EpochSeconds, KeyCodec, TimeText
from btmodel.errors import ValueRefused

CODECS: list[KeyCodec[datetime]] = [
    EpochSeconds(),
    EpochMillis(),
    EpochMicros(),
    EpochNanos(),
    TimeText("%Y%m%d%H"),
    TimeText("%Y%m%d%H%M"),
    TimeText("%Y%m%d%H%M%S%3f"),
    TimeText("%Y%m%d%H%M%S%f"),
]
EXACT = (EpochMicros(), EpochNanos(), TimeText("%Y%m%d%H%M%S%f"))
# The first time that the zone's clock shows twice, and by how much it is set back; forward, it misses as much.
SET = [
    ("America/New_York", datetime(2013, 11, 3, 1), datetime(2013, 3, 10, 2), timedelta(hours=1)),
    ("Europe/Berlin", datetime(2020, 10, 25, 2), datetime(2020, 3, 29, 2), timedelta(hours=1)),
    ("Australia/Lord_Howe", datetime(2021, 4, 4, 1, 30), datetime(2021, 10, 3, 2), timedelta(minutes=30)),
]


@pytest.mark.parametrize("codec", CODECS, ids=repr)
@pytest.mark.parametrize(("zone", "twice", "missing", "by"), SET)
def test_a_time_that_occurs_twice_is_two_keys(
    codec: KeyCodec[datetime], zone: str, twice: datetime, missing: datetime, by: timedelta
) -> None:
    """Both readings of a clock that is set back have keys, bounds and cuts of their own, those of UTC."""
    keys = set()
    for fold in (0, 1):
        local = twice.replace(tzinfo=ZoneInfo(zone), fold=fold)
        utc = local.astimezone(UTC)
        bound = codec.bound(local)
        assert bound is not None
        assert bound == codec.bound(utc)
        assert codec.decode(bound) >= utc
        keys.add(bound)
        if codec.decode(bound) == utc:
            assert codec.encode(local) == codec.encode(utc) == bound
    half_an_hour_in_hours = codec == TimeText("%Y%m%d%H") and by < timedelta(hours=1)
    assert len(keys) == 2 or half_an_hour_in_hours


@pytest.mark.parametrize("codec", CODECS, ids=repr)
@pytest.mark.parametrize(("zone", "twice", "missing", "by"), SET)
def test_a_time_that_does_not_occur_is_the_one_that_its_offset_says(
    codec: KeyCodec[datetime], zone: str, twice: datetime, missing: datetime, by: timedelta
) -> None:
    """A time that a clock skips has the key of the time in UTC that Python gives it, in either fold."""
    for fold in (0, 1):
        local = missing.replace(tzinfo=ZoneInfo(zone), fold=fold)
        assert codec.bound(local) == codec.bound(local.astimezone(UTC))


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_a_time_without_a_zone_is_refused(codec: KeyCodec[datetime]) -> None:
    """A naive time is not taken as one of this machine's zone, neither as a value nor as an end of a range."""
    for ask in (codec.encode, codec.bound):
        with pytest.raises(ValueRefused, match="expected an aware datetime"):
            ask(datetime(2020, 1, 1))


@pytest.mark.parametrize("codec", [one for one in CODECS if one not in EXACT], ids=repr)
def test_a_finer_time_is_refused_not_cut(codec: KeyCodec[datetime]) -> None:
    """A microsecond more than a codec can hold is told, for cutting it would merge rows in silence."""
    with pytest.raises(ValueRefused, match=r"a time in whole (hour|minute|second|millisecond)s.*round it"):
        codec.encode(datetime(2020, 1, 1, microsecond=1, tzinfo=UTC))
