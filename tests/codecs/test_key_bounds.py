"""The ends of ranges: values finer than a field holds, and such as lie beyond all of its values."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from key_cases import MICRO, MILLI, SECOND, TWICE, ZONES

from btmodel.codecs.key import (
    BigEndian,
    DateText,
    Descending,
    EpochMicros,
    EpochMillis,
    EpochNanos,
    EpochSeconds,
    HexInt,
    Int,
    KeyCodec,
    LengthPrefixed,
    LittleEndian,
    OrderedInt,
    PaddedInt,
    ReversedMicros,
    ReversedMillis,
    ReversedSeconds,
    TimeText,
)
from btmodel.codecs.key.base import WholeNumber
from btmodel.errors import ValueRefused

FINER = {
    "seconds": (EpochSeconds(), SECOND),
    "milliseconds": (EpochMillis(), MILLI),
    "microseconds": (EpochMicros(), MICRO),
    "nanoseconds": (EpochNanos(), MICRO),
    "reversed seconds": (ReversedSeconds(), SECOND),
    "reversed milliseconds": (ReversedMillis(), MILLI),
    "reversed microseconds": (ReversedMicros(), MICRO),
    "seconds, descending": (Descending(EpochSeconds()), SECOND),
    "minutes, descending": (Descending(TimeText("%Y%m%d%H%M")), timedelta(minutes=1)),
    "text of milliseconds": (TimeText("%Y%m%d%H%M%S%3f"), MILLI),
    "text of microseconds": (TimeText("%Y%m%d%H%M%S%f"), MICRO),
    "text of seconds": (TimeText("%Y%m%d%H%M%S"), SECOND),
    "text of minutes": (TimeText("%Y%m%d%H%M"), timedelta(minutes=1)),
    "text of hours": (TimeText("%Y%m%d%H"), timedelta(hours=1)),
    "text of days": (TimeText("%Y%m%d"), timedelta(days=1)),
}


@pytest.mark.parametrize(("codec", "unit"), FINER.values(), ids=FINER)
@given(
    value=st.datetimes(datetime(1970, 1, 2), datetime(2285, 1, 1), timezones=ZONES) | st.sampled_from(TWICE)
)
def test_a_bound_of_a_finer_time_is_the_next_stored_one(
    codec: KeyCodec[datetime], unit: timedelta, value: datetime
) -> None:
    """The bound of a time that the field cannot hold is the least storable time after it."""
    zero = datetime(1970, 1, 1, tzinfo=UTC)
    nearby = [zero + ((value - zero) // unit + step) * unit for step in range(-1, 3)]
    assert codec.bound(value) == codec.encode(min(time for time in nearby if time >= value.astimezone(UTC)))


@pytest.mark.parametrize(("form", "starts"), [("%Y%m", range(1, 13)), ("%Y", [1])], ids=["months", "years"])
@given(value=st.dates(date(1, 1, 1), date(9998, 12, 31)), hour=st.integers(0, 23))
def test_a_bound_of_months_and_years_is_the_next_stored_one(
    form: str, starts: list[int], value: date, hour: int
) -> None:
    """The bound of a day or a time within a month or a year is the start of the next one."""
    years = (value.year, value.year + 1)
    stored = [date(year, month, 1) for year in years for month in starts]
    assert DateText(form).bound(value) == DateText(form).encode(min(day for day in stored if day >= value))
    time = datetime(value.year, value.month, value.day, hour, tzinfo=UTC)
    midnights = [datetime(day.year, day.month, 1, tzinfo=UTC) for day in stored]
    assert TimeText(form).bound(time) == TimeText(form).encode(min(one for one in midnights if one >= time))


def test_there_is_no_bound_beyond_the_last_value() -> None:
    """A bound is None where no storable value lies at or above, and the least one where all do."""
    last = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    for form in ("%Y", "%Y%m", "%Y%m%d", "%Y%m%d%H%M%S", "%Y%m%d%H%M%S%3f"):
        assert TimeText(form).bound(last) is None
    assert DateText("%Y").bound(date(9999, 1, 2)) is None
    assert EpochSeconds().bound(datetime(2286, 11, 20, 17, 46, 39, 1, tzinfo=UTC)) is None
    assert EpochMillis().bound(datetime(1969, 12, 31, tzinfo=UTC)) == b"0000000000000"
    for codec in (ReversedSeconds(), ReversedMillis(), Descending(TimeText("%Y%m%d%H%M%S"))):
        assert codec.bound(last) is None
    assert ReversedMicros().bound(last) == ReversedMicros().encode(last)
    assert ReversedMicros().bound(last.replace(tzinfo=timezone(timedelta(hours=-1)))) is None
    assert ReversedSeconds().bound(datetime(1969, 12, 31, tzinfo=UTC)) == b"9223372036854775807"


NUMBERS: list[WholeNumber | Descending[int] | LengthPrefixed[int]] = [
    PaddedInt(3),
    HexInt(2),
    BigEndian(1),
    BigEndian(2),
    LittleEndian(1),
    OrderedInt(),
    Descending(PaddedInt(3)),
    Descending(BigEndian(2)),
    LengthPrefixed(Int(3)),
]


@pytest.mark.parametrize("codec", NUMBERS, ids=repr)
def test_a_bound_of_a_number_is_within_the_field(codec: KeyCodec[int]) -> None:
    """A number below all that can be stored is bounded by the least one, and none lies above the greatest."""
    inner = codec if isinstance(codec, WholeNumber) else codec.codec  # type: ignore[attr-defined]
    assert codec.bound(inner.most + 1) is None
    assert codec.bound(10**30) is None
    assert codec.bound(inner.most) == codec.encode(inner.most)
    assert codec.bound(inner.least) == codec.encode(inner.least)
    assert codec.bound(inner.least - 1) == codec.bound(-(10**30)) == codec.encode(inner.least)
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(ValueRefused):
            codec.bound(wrong)  # type: ignore[arg-type]
