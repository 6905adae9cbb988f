"""What key codecs refuse: values that do not fit, and declarations that mean nothing."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from btmodel.codecs.key import (
    Constant,
    DateText,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    Int,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    Text,
    TimeText,
    Week,
)
from btmodel.errors import DeclarationError, ValueRefused

EAST = timezone(timedelta(hours=14))
WEST = timezone(timedelta(hours=-12))
NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)

REFUSED: list[tuple[KeyCodec[Any], list[Any]]] = [
    (Constant("LoL"), ["lol", "", b"LoL", None, 0]),
    (
        Text(width=3),
        ["", "abcd", "éé", "a ", " ", "a\n", "\0", "\x1f", "\x7f", "\ud800", "a\ud800", b"abc", None, 1],
    ),
    (Text(max_length=3), ["", "abcd", "éé", "\t", "\x7f", "\udfff", 3, ["a"]]),
    (Text(max_length=4, min_length=2), ["a", "abcde"]),
    (PaddedInt(3), [-1, 1000, True, False, 1.0, float("nan"), Decimal(1), "1", None]),
    (Int(3), [-1, 1000, True, 0.0, float("inf"), "12", None]),
    (DateText(), [NOON, NOON.replace(tzinfo=None), "20200101", 20200101, None]),
    (DateText("%Y%m"), [date(2020, 1, 2), date(2020, 12, 31)]),
    (IsoWeek(), [date(2020, 12, 29), date(2021, 1, 3), date.max, NOON, "2020-W53", None]),
    (Week("{n:02}", origin=date(2021, 3, 1)), [date(2021, 2, 22), date(2023, 1, 23), date(2021, 3, 2), 1]),
    (TimeText("%Y%m%d%H%M%S%3f"), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1)]),
    (TimeText("%Y%m%d%H%M%S%f"), [NOON.replace(tzinfo=None), date(2020, 1, 1)]),
    (
        TimeText("%Y%m%d%H%M"),
        [NOON.replace(tzinfo=None), NOON.replace(second=1), NOON.replace(microsecond=1)],
    ),
    (TimeText("%Y%m%d%H%M"), [date(2020, 1, 1), "202001011200", 0, None]),
    (TimeText("%Y"), [datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=WEST)]),
    (TimeText("%Y%m%d%H"), [datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=WEST)]),
    *(
        (
            codec,
            [datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(2286, 11, 20, 17, 46, 40, tzinfo=UTC)],
        )
        for codec in (EpochSeconds(), EpochMillis(), EpochMicros())
    ),
    (EpochSeconds(), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1), 1.0, None, date(2020, 1, 1)]),
    (EpochMillis(), [NOON.replace(tzinfo=None), NOON.replace(microsecond=1), 1426535612156, "1", True]),
]


@pytest.mark.parametrize(
    ("codec", "value"),
    [
        pytest.param(codec, value, id=f"{type(codec).__name__}-{value!a}")
        for codec, values in REFUSED
        for value in values
    ],
)
def test_a_value_that_does_not_fit_is_refused(codec: KeyCodec[Any], value: Any) -> None:
    """A key codec refuses what it cannot bring back, and says what it wanted and what came."""
    with pytest.raises(ValueRefused) as refusal:
        codec.encode(value)
    assert refusal.value.wanted
    assert refusal.value.got is value
    assert str(refusal.value).startswith("wanted ")


WRONG: dict[str, Callable[[], object]] = {
    "text without a size": lambda: Text(),
    "text of two sizes": lambda: Text(width=3, max_length=3),
    "text of no width": lambda: Text(width=0),
    "text of negative length": lambda: Text(max_length=-1),
    "text whose least is above its most": lambda: Text(max_length=3, min_length=4),
    "text of a negative least": lambda: Text(max_length=3, min_length=-1),
    "text of a width in words": lambda: Text(width="3"),  # type: ignore[arg-type]
    "text of half a byte": lambda: Text(width=2.5),  # type: ignore[arg-type]
    "text of a true width": lambda: Text(width=True),
    "padded number of no digits": lambda: PaddedInt(0),
    "padded number of true digits": lambda: PaddedInt(True),
    "padded number of digits in words": lambda: PaddedInt("4"),  # type: ignore[arg-type]
    "number of no digits": lambda: Int(0),
    "number of a float of digits": lambda: Int(2.0),  # type: ignore[arg-type]
    "constant of nothing": lambda: Constant(""),
    "constant of a number": lambda: Constant(1),  # type: ignore[arg-type]
    "constant with a newline": lambda: Constant("a\n"),
    "constant with a lone surrogate": lambda: Constant("\ud800"),
    "date of no units": lambda: DateText("day"),
    "date of nothing": lambda: DateText(""),
    "date with a time": lambda: DateText("%Y%m%d%H"),
    "date of a number": lambda: DateText(8),  # type: ignore[arg-type]
    "time without a year": lambda: TimeText("%m%d"),
    "time with a gap": lambda: TimeText("%Y%d"),
    "time of an unknown directive": lambda: TimeText("%Y%m%d%I"),
    "time that names a unit twice": lambda: TimeText("%Y%Y"),
    "time with a lone per cent": lambda: TimeText("%Y%"),
    "time in letters beyond ASCII": lambda: TimeText("%Y年"),
    "time of milliseconds without seconds": lambda: TimeText("%Y%m%d%H%M%3f"),
    "time of two fractions": lambda: TimeText("%Y%m%d%H%M%S%3f%f"),
    "time of a number of digits": lambda: TimeText("%Y%3"),
    "time without zeros": lambda: TimeText("%Y%-m"),
    "date of milliseconds": lambda: DateText("%Y%m%d%H%M%S%3f"),
    "week of the calendar without a year": lambda: IsoWeek("%V"),
    "week of the calendar without a week": lambda: IsoWeek("%G"),
    "week of two years": lambda: IsoWeek("%G%G%V"),
    "week of another year": lambda: IsoWeek("%Y-W%V"),
    "week of the calendar of a number": lambda: IsoWeek(8),  # type: ignore[arg-type]
    "week of no number": lambda: Week("week", origin=date(2021, 3, 1)),
    "week of two numbers": lambda: Week("{n}{n}", origin=date(2021, 3, 1)),
    "week of another name": lambda: Week("{m}", origin=date(2021, 3, 1)),
    "week of no digits": lambda: Week("{n:00}", origin=date(2021, 3, 1)),
    "week of spaces": lambda: Week("{n:4}", origin=date(2021, 3, 1)),
    "week in letters beyond ASCII": lambda: Week("周{n}", origin=date(2021, 3, 1)),
    "week from a Tuesday": lambda: Week("week{n}", origin=date(2021, 3, 2)),
    "week from the last Tuesday": lambda: Week("week{n}", origin=date(9999, 12, 28)),
    "week from a datetime": lambda: Week("week{n}", origin=datetime(2021, 3, 1)),
    "week from text": lambda: Week("week{n}", origin="2021-03-01"),  # type: ignore[arg-type]
    "week from below 0": lambda: Week("week{n}", origin=date(2021, 3, 1), first=-1),
    "week from a true number": lambda: Week("week{n}", origin=date(2021, 3, 1), first=True),
    "week from a number of too many digits": lambda: Week("{n:02}", origin=date(2021, 3, 1), first=100),
    "time with a control character": lambda: TimeText("%Y\n%m"),
}


@pytest.mark.parametrize("declare", WRONG.values(), ids=WRONG)
def test_a_declaration_that_means_nothing_is_refused(declare: Callable[[], object]) -> None:
    """Wrong arguments of a codec are a DeclarationError where they are written, not a crash later."""
    with pytest.raises(DeclarationError):
        declare()


@pytest.mark.parametrize("form", ["{%Y}", "%Y{0}", "in %Y", "%Y %m day %d", "year%Y", "%Ymonth%m"])
def test_literal_text_of_a_calendar_format_is_literal(form: str) -> None:
    """Braces and words in a format are plain text."""
    codec = TimeText(form)
    time = datetime(2021, 1, 1, tzinfo=UTC)
    assert codec.encode(time).decode() == time.strftime(form)
    assert codec.decode(codec.encode(time)) == time


EXACT: list[tuple[KeyCodec[Any], Any, bytes]] = [
    (Text(width=6), "NYSE", b"NYSE  "),
    (Text(width=5), "ZXZZT", b"ZXZZT"),
    (Text(max_length=20), "us-west2", b"us-west2"),
    (EpochMillis(), datetime(2015, 3, 16, 19, 53, 32, 156_000, tzinfo=UTC), b"1426535612156"),
    (EpochSeconds(), datetime(2015, 3, 16, 19, 53, 32, tzinfo=UTC), b"1426535612"),
    (EpochMicros(), datetime(1970, 1, 1, tzinfo=UTC), b"0000000000000000"),
    (PaddedInt(10), 987654, b"0000987654"),
    (Int(6), 3698, b"3698"),
    (DateText("%Y%m%d"), date(2017, 7, 26), b"20170726"),
    (DateText("%Y%m%d"), date(1, 1, 1), b"00010101"),
    (TimeText("%Y-%m-%d-%H%M"), datetime(2021, 3, 5, 12, 4, tzinfo=UTC), b"2021-03-05-1204"),
    (
        TimeText("%Y%m%d%H%M%S%3f"),
        datetime(2015, 3, 1, 12, 45, 1, 1000, tzinfo=UTC),
        b"20150301124501001",
    ),
    (
        TimeText("%Y%m%d%H%M%S.%f"),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        b"19691231235959.999999",
    ),
    (IsoWeek(), date(2020, 12, 28), b"2020-W53"),
    (IsoWeek("%G%V"), date(2018, 12, 31), b"201901"),
    (Week("week{n}", origin=date(2021, 3, 1)), date(2021, 3, 1), b"week1"),
    (Week("week{n}", origin=date(2021, 3, 1)), date(2021, 3, 8), b"week2"),
    (Week("week{n:04}", origin=date(2021, 3, 1), first=0), date(2021, 3, 8), b"week0001"),
]


@pytest.mark.parametrize(("codec", "value", "raw"), EXACT)
def test_the_bytes_of_a_key_are_pinned(codec: KeyCodec[Any], value: Any, raw: bytes) -> None:
    """The bytes of a key are a contract: these never change."""
    assert codec.encode(value) == raw
    assert codec.decode(raw) == value
