"""What every codec of a row-key field promises, held against a table of all of them."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from btmodel.codecs import key as key_codecs
from btmodel.codecs.key import (
    Constant,
    DateText,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    Int,
    IsoWeek,
    KeyCodec,
    Order,
    PaddedInt,
    Text,
    TimeText,
    Week,
)
from btmodel.codecs.key.monday import LAST_MONDAY

NEW_YORK = ZoneInfo("America/New_York")
ZONES = st.sampled_from([UTC, NEW_YORK, ZoneInfo("Asia/Kathmandu"), ZoneInfo("Australia/Lord_Howe")])
TWICE = [datetime(2013, 11, 3, 1, 30, tzinfo=NEW_YORK, fold=fold) for fold in (0, 1)]
CHARACTERS = st.sampled_from(list(' !"#$09:Aaz|~\u00a0éß€\uffff\U0001f600\U0010ffff'))


def texts(least: int, most: int, *, padded: bool = False) -> SearchStrategy[str]:
    """Text of so many bytes."""
    any_text = st.text(CHARACTERS, max_size=most)
    return any_text.filter(lambda t: least <= len(t.encode()) <= most and not (padded and t.endswith(" ")))


def times(first: datetime, last: datetime, unit: timedelta) -> SearchStrategy[datetime]:
    """Times in whole units, in several zones, the first and the last among them."""
    steps = (last - first) // unit
    counts = st.integers(0, steps) | st.sampled_from([0, 1, steps])
    spread = st.builds(lambda count, zone: (first + count * unit).astimezone(zone), counts, ZONES)
    return spread if unit > timedelta(minutes=30) else spread | st.sampled_from(TWICE)


def epochs(unit: timedelta) -> SearchStrategy[datetime]:
    """Times from 1970 to the last that ten digits of seconds can tell."""
    end = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=10**10)
    return times(datetime(1970, 1, 1, tzinfo=UTC), end - unit, unit)


@frozen
class Case:
    """A codec, the values that it takes, and, where it is not ordered, two values that show it."""

    codec: KeyCodec[Any]
    values: SearchStrategy[Any]
    unordered: tuple[Any, Any] | None = None


SECOND, MILLI, MICRO = timedelta(seconds=1), timedelta(milliseconds=1), timedelta(microseconds=1)
FIRST, LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
MONDAYS = st.integers(0, (LAST_MONDAY - date.min).days // 7).map(lambda n: date.min + timedelta(weeks=n))
SOME_MONDAY = date(2021, 3, 1)


def weeks_from(origin: date, most: int) -> SearchStrategy[date]:
    """Mondays from ``origin`` on."""
    return st.integers(0, most - 1).map(lambda n: origin + timedelta(weeks=n))


CASES = {
    "constant": Case(Constant("LoL"), st.just("LoL")),
    "padded text": Case(Text(width=5), texts(1, 5, padded=True)),
    "padded text, empty too": Case(Text(width=3, min_length=0), texts(0, 3, padded=True)),
    "bounded text": Case(Text(max_length=6), texts(1, 6)),
    "bounded text, empty too": Case(Text(max_length=4, min_length=0), texts(0, 4)),
    "text that holds the delimiter": Case(Text(max_length=6, holds_delimiter=True), texts(1, 6)),
    "one digit": Case(Int(1), st.integers(0, 9)),
    "digits": Case(Int(max_digits=4), st.integers(0, 9999), (9, 10)),
    "padded digits": Case(PaddedInt(10), st.integers(0, 10**10 - 1) | st.sampled_from([0, 10**10 - 1])),
    "seconds": Case(EpochSeconds(), epochs(SECOND)),
    "milliseconds": Case(EpochMillis(), epochs(MILLI)),
    "microseconds": Case(EpochMicros(), epochs(MICRO)),
    "dates": Case(DateText(), st.dates() | st.sampled_from([date.min, date.max])),
    "dates in words": Case(DateText("on %Y-%m-%d!"), st.dates()),
    "months": Case(DateText("%Y%m"), st.dates().map(lambda day: day.replace(day=1))),
    "day first": Case(DateText("%d%m%Y"), st.dates(), (date(2020, 2, 1), date(2020, 1, 2))),
    "minutes": Case(TimeText("%Y%m%d%H%M"), times(FIRST, LAST, timedelta(minutes=1))),
    "seconds as text": Case(TimeText("%Y-%m-%dT%H:%M:%SZ"), times(FIRST, LAST, SECOND)),
    "hours": Case(TimeText("%Y%m%d%H"), times(FIRST, LAST, timedelta(hours=1))),
    "minute first": Case(
        TimeText("%M%H%d%m%Y"),
        times(FIRST, LAST, timedelta(minutes=1)),
        (datetime(2020, 1, 1, 0, 59, tzinfo=UTC), datetime(2020, 1, 1, 1, 0, tzinfo=UTC)),
    ),
    "milliseconds as text": Case(TimeText("%Y%m%d%H%M%S%3f"), times(FIRST, LAST, MILLI)),
    "microseconds as text": Case(TimeText("%Y-%m-%dT%H:%M:%S.%fZ"), times(FIRST, LAST, MICRO)),
    "milliseconds first": Case(
        TimeText("%3f%Y%m%d%H%M%S"),
        times(FIRST, LAST, MILLI),
        (datetime(2020, 1, 1, 0, 0, 0, 1000, tzinfo=UTC), datetime(2020, 1, 1, 0, 0, 1, tzinfo=UTC)),
    ),
    "weeks of the calendar": Case(IsoWeek(), MONDAYS | st.sampled_from([date.min, LAST_MONDAY])),
    "weeks of the calendar, week first": Case(
        IsoWeek("%V/%G"), MONDAYS, (date(2020, 12, 28), date(2021, 1, 4))
    ),
    "weeks": Case(
        Week("week{n}", origin=SOME_MONDAY),
        weeks_from(SOME_MONDAY, 2000),
        (date(2021, 4, 26), date(2021, 5, 3)),
    ),
    "padded weeks": Case(Week("w{n:04}.", origin=SOME_MONDAY), weeks_from(SOME_MONDAY, 9999)),
    "weeks from 0": Case(Week("{n:02}", origin=date.min, first=0), weeks_from(date.min, 100)),
    "weeks of as many digits": Case(
        Week("{n}", origin=date(9999, 11, 1), first=10), weeks_from(date(9999, 11, 1), 9)
    ),
}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def plain(value: Any) -> Any:
    """A time in UTC: times in two zones are never equal where one of them occurs twice."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def test_every_key_codec_is_held_here() -> None:
    """A codec that the package shows has a case in this table."""
    shown = {getattr(key_codecs, name) for name in key_codecs.__all__}
    codecs = {one for one in shown if issubclass(one, KeyCodec) and one is not KeyCodec}
    assert codecs == {type(case.codec) for case in CASES.values()}


@every_case
@given(data=st.data())
def test_a_value_comes_back(case: Case, data: st.DataObject) -> None:
    """Decoding an encoded value gives the value, of the type that the codec names."""
    value = data.draw(case.values)
    back = case.codec.decode(case.codec.encode(value))
    assert back == plain(value)
    assert type(back) is case.codec.python_type


@every_case
@given(data=st.data())
def test_an_encoding_is_of_the_stated_length_and_alphabet(case: Case, data: st.DataObject) -> None:
    """No encoding is shorter, longer or made of other bytes than the codec says."""
    raw = case.codec.encode(data.draw(case.values))
    assert case.codec.length.least <= len(raw) <= case.codec.length.most
    assert case.codec.alphabet.issuperset(raw)
    assert case.codec.length.fixed in (None, len(raw))


@every_case
@given(data=st.data())
def test_order_is_kept_where_it_is_claimed(case: Case, data: st.DataObject) -> None:
    """Where a codec says that it is ordered, bytes sort as values do, and different values differ."""
    a, b = data.draw(case.values), data.draw(case.values)
    raw_a, raw_b = case.codec.encode(a), case.codec.encode(b)
    assert (raw_a == raw_b) == (plain(a) == plain(b))
    if case.codec.order is Order.ASCENDING:
        assert (raw_a < raw_b) == (plain(a) < plain(b))
    if case.codec.order is Order.DESCENDING:
        assert (raw_a > raw_b) == (plain(a) < plain(b))


@pytest.mark.parametrize("case", [case for case in CASES.values() if not case.codec.ordered])
def test_an_unordered_codec_has_a_reason(case: Case) -> None:
    """A codec that says it is not ordered has two values whose bytes sort the other way."""
    assert case.unordered is not None
    less, more = case.unordered
    assert less < more or case.codec.encode(less) < case.codec.encode(more)
    assert (case.codec.encode(less) < case.codec.encode(more)) != (less < more)


@every_case
@given(data=st.data())
def test_bytes_are_decoded_to_what_encodes_to_them(case: Case, data: st.DataObject) -> None:
    """Arbitrary bytes raise ValueError, or are the one encoding of the value that they decode to."""
    good = case.codec.encode(data.draw(case.values))
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 2))
    piece = data.draw(st.binary(max_size=2) | st.sampled_from([b" ", b"0", b"\0", b"-", b"_", b"+"]))
    raw = data.draw(st.sampled_from([good[:at] + piece + good[at + cut :], piece * len(good)]) | st.binary())
    try:
        value = case.codec.decode(raw)
    except ValueError:
        return
    assert case.codec.encode(value) == raw


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.codec.ordered])
@given(data=st.data())
def test_a_bound_parts_the_rows_as_the_value_does(case: Case, data: st.DataObject) -> None:
    """A storable value is not below ``v`` exactly when its bytes are not below ``bound(v)``."""
    value, stored = data.draw(case.values), data.draw(case.values)
    bound = case.codec.bound(value)
    assert bound == case.codec.encode(value)
    assert (case.codec.encode(stored) >= bound) == (plain(stored) >= plain(value))


FINER = {
    "seconds": (EpochSeconds(), SECOND),
    "milliseconds": (EpochMillis(), MILLI),
    "microseconds": (EpochMicros(), MICRO),
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
    assert (PaddedInt(3).bound(1000), PaddedInt(3).bound(999), PaddedInt(3).bound(-1)) == (
        None,
        b"999",
        b"000",
    )
