"""Weeks in row keys: around New Year, at the ends of the years there are, and between two Mondays."""

from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.key import IsoWeek, KeyCodec, Week
from btmodel.codecs.key.calendar import LAST_MONDAY, monday_of
from btmodel.errors import DeclarationError, ValueRefused

DAY = timedelta(days=1)
ORIGIN = date(2021, 3, 1)
CODECS = [IsoWeek(), IsoWeek("%G%V"), Week("week{n:06}", origin=date.min), Week("{n:04}", origin=ORIGIN)]


def test_new_year_is_where_the_iso_calendar_has_it() -> None:
    """In the weeks around each New Year, the text is that of the ISO calendar, and only its Monday is taken."""
    codec = IsoWeek()
    for year, offset in product(range(1970, 2101), range(-14, 15)):
        day = date(year, 1, 1) + offset * DAY
        iso_year, iso_week, weekday = day.isocalendar()
        text = f"{iso_year}-W{iso_week:02}".encode()
        assert codec.encode(monday_of(day)) == text
        assert codec.decode(text) == monday_of(day)
        if weekday != 1:
            with pytest.raises(ValueRefused, match=f"of this one: {monday_of(day)}"):
                codec.encode(day)


def test_week_53_is_read_only_in_years_that_have_it() -> None:
    """The last week of a year is that of December 28th; the one after it does not parse."""
    for year in range(1970, 2101):
        last = date(year, 12, 28).isocalendar().week
        assert IsoWeek().decode(f"{year}-W{last}".encode()) == monday_of(date(year, 12, 28))
        for week in (0, last + 1):
            with pytest.raises(ValueError, match="expected a week of the ISO calendar, got"):
                IsoWeek().decode(f"{year}-W{week:02}".encode())


def test_weeks_count_from_their_origin() -> None:
    """Each Monday has the number after that of the Monday before."""
    codec = Week("week{n}", origin=ORIGIN)
    for number in range(1, 600):
        monday = ORIGIN + (number - 1) * 7 * DAY
        assert codec.encode(monday) == f"week{number}".encode()
        assert codec.decode(f"week{number}".encode()) == monday


@pytest.mark.parametrize("codec", CODECS)
@given(
    day=st.dates(date(2021, 2, 1), date(2030, 1, 1)),
    stored=st.dates(ORIGIN, date(2030, 1, 1)).map(monday_of),
)
def test_a_bound_between_two_mondays_is_the_second_one(
    codec: KeyCodec[date], day: date, stored: date
) -> None:
    """A stored week is not before a day exactly when its bytes are not below the bound of the day."""
    bound = codec.bound(day)
    assert bound is not None
    assert (codec.encode(stored) >= bound) == (stored >= day)


@pytest.mark.parametrize("codec", [IsoWeek(), Week("week{n:06}", origin=date.min)])
def test_the_first_and_the_last_week_there_is(codec: KeyCodec[date]) -> None:
    """The first day that there is begins a week, and no week begins after the last Monday."""
    assert codec.decode(codec.encode(date.min)) == date.min
    assert codec.decode(codec.encode(LAST_MONDAY)) == LAST_MONDAY
    assert codec.bound(date.min + DAY) == codec.encode(date.min + 7 * DAY)
    assert codec.bound(LAST_MONDAY) == codec.encode(LAST_MONDAY)
    for day in (LAST_MONDAY + DAY, date.max):
        assert codec.bound(day) is None


def test_a_bound_is_kept_to_the_weeks_that_can_be_told() -> None:
    """A day before the origin is bounded by the first week; one after the last number has no bound."""
    codec = Week("week{n:02}", origin=ORIGIN)
    end = ORIGIN + 98 * 7 * DAY
    assert codec.bound(date.min) == codec.bound(ORIGIN) == b"week01"
    assert codec.bound(end) == codec.encode(end) == b"week99"
    assert codec.bound(end + DAY) is None
    assert codec.bound(date.max) is None
    with pytest.raises(ValueRefused, match=f"a Monday from 2021-03-01 to {end}, got"):
        codec.encode(end + 7 * DAY)


@pytest.mark.parametrize("codec", CODECS)
def test_a_bound_of_a_datetime_is_refused(codec: KeyCodec[date]) -> None:
    """Which day a time falls on depends on the zone, so a range of weeks is not asked with times."""
    with pytest.raises(ValueRefused, match=r"take \.date\(\) in the zone that you mean"):
        codec.bound(datetime(2021, 3, 1, tzinfo=UTC))


def test_the_longest_number_is_that_of_the_last_week() -> None:
    """The stated length of unpadded weeks is that of the last one that there is, and no more."""
    codec = Week("week{n}", origin=ORIGIN)
    assert len(codec.encode(LAST_MONDAY)) == codec.length.most
    assert len(codec.encode(ORIGIN)) == codec.length.least
    with pytest.raises(ValueError, match=r"expected week\{n\} with a number from 1 to"):
        codec.decode(b"week%d" % (codec.last + 1))


def test_an_origin_that_is_no_monday_is_told_with_those_around_it() -> None:
    """The message about a wrong origin names the Monday before it and the one after."""
    with pytest.raises(DeclarationError, match="expected 2021-03-01 or 2021-03-08, got 2021-03-04"):
        Week("week{n}", origin=date(2021, 3, 4))
