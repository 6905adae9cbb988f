"""Slots of a bucket: their names, the times that they stand for, and what is no slot."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema import Bucket
from btmodel.schema.bucket import SlotFormat
from btmodel.schema.rate import every_text, parse_every

ZONES = [UTC, ZoneInfo("America/New_York"), ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Lord_Howe")]
TIMES = st.datetimes(datetime(1900, 1, 8), datetime(2200, 1, 1), timezones=st.sampled_from(ZONES))


def slots(text: str, every: str, bucket: str) -> SlotFormat:
    """Slots of a length in words."""
    return SlotFormat(text, parse_every(every), bucket)


# Slots, the most that a bucket has, and the first and last name in the bucket of 2020-02-29.
SLOTS = [
    (slots("%H%M", "15min", "day"), 96, b"0000", b"2345"),
    (slots("%H%M", "90min", "day"), 16, b"0000", b"2230"),
    (slots("%-H", "1h", "day"), 24, b"0", b"23"),
    (slots("%H00", "12h", "day"), 2, b"0000", b"1200"),
    (slots("%-d", "1day", "month"), 31, b"1", b"29"),
    (slots("%d%H", "1h", "month"), 744, b"0100", b"2923"),
    (slots("%-d/%-H", "8h", "month"), 93, b"1/0", b"29/16"),
    (slots("%-M%H", "30min", "day"), 48, b"000", b"3023"),
    (slots("%m-%d", "1day", "year"), 366, b"01-01", b"12-31"),
    (slots("%-m.%-d", "1day", "year"), 366, b"1.1", b"12.31"),
    (slots("%d", "1day", "week"), 7, b"24", b"01"),
    (slots("%d %H", "56h", "week"), 3, b"24 00", b"28 16"),
    (slots("%M", "1min", "hour"), 60, b"00", b"59"),
    (slots("{%M}:%S", "30s", "hour"), 120, b"{00}:00", b"{59}:30"),
    (slots("%S.%3f", "250ms", "minute"), 240, b"00.000", b"59.750"),
    (slots("%-S", "1s", "minute"), 60, b"0", b"59"),
]
every_form = pytest.mark.parametrize("form", [form for form, *_ in SLOTS], ids=lambda form: form.text)


def starts(form: SlotFormat, bucket: datetime) -> list[datetime]:
    """The slots of the bucket that begins at ``bucket``, counted out."""
    found, end = [bucket], form.bucket.next(bucket)
    while found[-1] + form.every < end:
        found.append(found[-1] + form.every)
    return found


@pytest.mark.parametrize(("form", "count", "first", "last"), SLOTS)
def test_the_names_of_slots_are_pinned(form: SlotFormat, count: int, first: bytes, last: bytes) -> None:
    """The names are a contract: from the first slot of a bucket to its last one."""
    bucket = form.bucket.start(datetime(2020, 2, 29, 23, 59, tzinfo=UTC))
    found = starts(form, bucket)
    assert (form.write(found[0]), form.write(found[-1])) == (first, last)
    assert form.count == count
    assert len(found) <= count


@every_form
@settings(max_examples=15)
@given(time=TIMES)
def test_every_slot_has_one_name_in_its_bucket(form: SlotFormat, time: datetime) -> None:
    """No two slots of a bucket share a name, and each name is read as its slot: all of them, counted out."""
    bucket = form.bucket.start(time)
    found = starts(form, bucket)
    chosen = found if len(found) <= 100 else [*found[:5], *found[-5:], *found[::29]]
    names = {form.write(one): one for one in chosen}
    assert len(names) == len(set(chosen))
    assert {form.read(name, bucket): name for name in names} == {one: name for name, one in names.items()}


@every_form
@given(time=TIMES)
def test_a_time_lies_in_its_slot(form: SlotFormat, time: datetime) -> None:
    """The slot of a time begins at or before it, on the grid of its bucket, and ends after it."""
    start = form.start(time)
    assert start <= time < start + form.every
    assert (start - form.bucket.start(time)) % form.every == timedelta(0)
    assert form.read(form.write(start), form.bucket.start(time)) == start


@every_form
@given(time=TIMES, off=st.timedeltas(timedelta(microseconds=1), timedelta(days=1)))
def test_a_time_between_two_slots_is_refused(form: SlotFormat, time: datetime, off: timedelta) -> None:
    """No time is moved to its slot in silence."""
    between = (form.start(time) + off % form.every).astimezone(time.tzinfo)
    if off % form.every:
        with pytest.raises(ValueRefused, match="a time that begins a slot of"):
            form.write(between)


@every_form
@given(time=TIMES, data=st.data())
def test_a_name_is_read_only_if_it_is_the_one_of_its_slot(
    form: SlotFormat, time: datetime, data: st.DataObject
) -> None:
    """Arbitrary bytes raise ValueError, or are the name of the slot that they are read as, in that bucket."""
    good = form.write(form.start(time))
    at, cut = data.draw(st.integers(0, len(good))), data.draw(st.integers(0, 2))
    piece = data.draw(st.binary(max_size=2) | st.sampled_from([b"0", b"9", b"3", b" ", b"-", b"\n"]))
    raw = data.draw(st.sampled_from([good[:at] + piece + good[at + cut :], good]) | st.binary(max_size=6))
    bucket = form.bucket.start(time)
    end = form.bucket.next(time)
    try:
        found = form.read(raw, bucket)
    except ValueError:
        assert raw != good
        return
    assert form.write(found) == raw
    assert bucket <= found < end
    assert (found - bucket) % form.every == timedelta(0)


@pytest.mark.parametrize(
    ("form", "start", "raw"),
    [
        (slots("%-d", "1day", "month"), datetime(2021, 2, 1), b"29"),
        (slots("%-d", "1day", "month"), datetime(2021, 4, 1), b"31"),
        (slots("%-d", "1day", "month"), datetime(2021, 4, 1), b"01"),
        (slots("%-d", "1day", "month"), datetime(2021, 4, 1), b"0"),
        (slots("%m%d", "1day", "year"), datetime(2021, 1, 1), b"0229"),
        (slots("%H%M", "15min", "day"), datetime(2021, 1, 1), b"0007"),
        (slots("%H%M", "15min", "day"), datetime(2021, 1, 1), b"2400"),
        (slots("%H%M", "15min", "day"), datetime(2021, 1, 1), b"0000\n"),
        (slots("%H%M", "15min", "day"), datetime(2021, 1, 1), "\u0660\u0660".encode()),
        (slots("%d", "1day", "week"), datetime(2020, 2, 24), b"02"),
        (slots("%d", "1day", "week"), datetime(2020, 2, 24), b"23"),
        (slots("%d", "1day", "week"), datetime(9999, 12, 27), b"01"),
    ],
)
def test_a_name_of_no_slot_of_the_bucket_does_not_parse(
    form: SlotFormat, start: datetime, raw: bytes
) -> None:
    """A day that its month does not have, a time off the grid or a number too long is no name."""
    with pytest.raises(ValueError, match=r"expected a slot of .* got b'"):
        form.read(raw, start.replace(tzinfo=UTC))


def test_the_days_of_a_week_go_on_in_the_next_month_and_year() -> None:
    """A week's day of the month is that in the week, whichever month that is in."""
    form = slots("%d", "1day", "week")
    for monday in (date(2020, 12, 28), date(2020, 2, 24), date(2021, 2, 22), date(2018, 10, 29)):
        start = datetime(monday.year, monday.month, monday.day, tzinfo=UTC)
        for days in range(7):
            day = start + timedelta(days=days)
            assert form.read(f"{day.day:02}".encode(), start) == day


def test_a_slot_that_occurs_twice_on_a_local_clock_is_two_slots() -> None:
    """Slots are told in UTC, and a day's names do not repeat where clocks are set back."""
    form = slots("%H%M", "15min", "day")
    twice = datetime(2013, 11, 3, 1, 15, tzinfo=ZoneInfo("America/New_York"))
    assert (form.write(twice), form.write(twice.replace(fold=1))) == (b"0515", b"0615")


def test_a_time_without_a_zone_is_refused() -> None:
    """A naive time is not taken as one of this machine's zone."""
    form = slots("%H%M", "15min", "day")
    naive = datetime(2020, 1, 1)
    for ask in (form.write, form.start, lambda time: form.read(b"0000", time)):
        with pytest.raises(ValueRefused, match="expected an aware datetime"):
            ask(naive)


WRONG: list[tuple[Any, Any, Any, str]] = [
    ("%H", "15min", "day", "expected the minute, %M, once"),
    ("%M", "15min", "day", "expected the hour, %H, once"),
    ("%H%H%M", "15min", "day", "expected the hour, %H, once"),
    ("%H%-H%M", "15min", "day", "expected the hour, %H, once"),
    ("slot", "1h", "day", "expected the hour, %H, once"),
    ("", "1h", "day", "expected the hour, %H, once"),
    ("%S", "250ms", "minute", "expected the millisecond, %3f, once"),
    ("%H", "1h", "month", "expected the day, %d, once"),
    ("%d", "1day", "year", "expected the month, %m, once"),
    ("%H%M", "1h", "day", "can be distinguished without the minute, %M"),
    ("%d%H", "1h", "day", "can be distinguished without the day, %d"),
    ("%m%d", "1day", "week", "can be distinguished without the month, %m"),
    ("%H%M", "7h", "day", "expected an even part of a day as the length of a slot, got 7h"),
    ("%H", "1day", "day", "expected an even part of a day"),
    ("%d", "2day", "month", "expected a day or an even part of one as the length of a slot, got 2day"),
    ("%d%H", "7h", "month", "expected a day or an even part of one"),
    ("%d", "1week", "year", "expected a day or an even part of one"),
    ("%d", "2day", "week", "expected an even part of a week"),
    ("%H%M", timedelta(0), "day", "expected an even part of a day"),
    ("%H%M", timedelta(minutes=-15), "day", "expected an even part of a day"),
    ("%S%3f", timedelta(microseconds=500), "minute", "expected a timedelta of whole milliseconds"),
    ("%H%M", 900, "day", "expected a timedelta of whole milliseconds, got 900"),
    ("%-d%-H", "1h", "month", "without digits between %-d and %-H"),
    ("%-d1%-H", "1h", "month", "without digits between %-d and %-H"),
    ("%-d%H%-M", "1min", "month", "without digits between %-d and %-M"),
    ("%Y%H", "1h", "day", "and ASCII text"),
    ("%H%", "1h", "day", "and ASCII text"),
    ("%H\n", "1h", "day", "and ASCII text"),
    ("%H時", "1h", "day", "and ASCII text"),
    ("%S%-3f", "1ms", "minute", "and ASCII text"),
    (8, "1h", "day", "expected a format such as '%H%M'"),
    ("%H", "1h", "fortnight", "bucket: expected one of minute"),
]


@pytest.mark.parametrize(("text", "every", "bucket", "message"), WRONG)
def test_slots_that_cannot_be_are_refused(text: Any, every: Any, bucket: Any, message: str) -> None:
    """A format that leaves out a unit, has one too many or runs together says so where it is declared."""
    length = parse_every(every) if isinstance(every, str) else every
    with pytest.raises(DeclarationError) as refusal:
        SlotFormat(text, length, bucket)
    assert message in str(refusal.value)


def test_the_bucket_of_slots_is_given_or_named() -> None:
    """A bucket may be told by its name."""
    assert slots("%H", "1h", "day") == SlotFormat("%H", timedelta(hours=1), Bucket.DAY)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("15min", timedelta(minutes=15)),
        ("1h", timedelta(hours=1)),
        (" 1 hour ", timedelta(hours=1)),
        ("1day", timedelta(days=1)),
        ("1d", timedelta(days=1)),
        ("1minute", timedelta(minutes=1)),
        ("30s", timedelta(seconds=30)),
        ("250ms", timedelta(milliseconds=250)),
        ("2week", timedelta(weeks=2)),
    ],
)
def test_a_length_of_time_is_a_number_of_a_unit(text: str, length: timedelta) -> None:
    """A length is read, written in the coarsest unit that tells it, and read again."""
    assert parse_every(text) == length
    assert parse_every(every_text(length)) == length


@pytest.mark.parametrize(
    "wrong", ["", "15", "min", "0min", "-1h", "1.5h", "1month", "1H", "1e3s", "9" * 10 + "s", 15, None, b"1h"]
)
def test_what_is_no_length_of_time_is_refused(wrong: Any) -> None:
    """Anything but a whole number of a known unit is refused, with what came."""
    with pytest.raises(DeclarationError, match=r"every: expected a length of time such as '15min'.* got "):
        parse_every(wrong)


@every_form
def test_no_name_is_longer_or_shorter_than_said(form: SlotFormat) -> None:
    """The lengths of names are those of the shortest and the longest one."""
    sizes = {
        len(form.write(one)) for one in starts(form, form.bucket.start(datetime(2020, 12, 31, tzinfo=UTC)))
    }
    assert form.length.least <= min(sizes)
    assert max(sizes) == form.length.most


def test_slots_are_named_by_what_they_need() -> None:
    """The plain names of slots tell every unit once; what is no part of a bucket has none."""
    assert SlotFormat.plain(timedelta(minutes=15), Bucket.DAY).text == "%H%M"
    assert SlotFormat.plain(timedelta(days=1), Bucket.YEAR).text == "%m%d"
    assert SlotFormat.plain(timedelta(milliseconds=250), Bucket.MINUTE).text == "%S%3f"
    with pytest.raises(DeclarationError, match="as the length of a slot"):
        SlotFormat.plain(timedelta(hours=1), Bucket.HOUR)
