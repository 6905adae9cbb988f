"""The functions of dates and times, and the formats that they are parsed by. The only time zone is UTC."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from btmodel.server.sql.values import date_of, day_of, text_of, timestamp_of
from btmodel.server.view_functions import EPOCH, Failed, micros_of, time_of

_NUMBERS: Mapping[str, tuple[str, str]] = {
    "Y": ("year", "[0-9]{1,5}+"),
    "4Y": ("year", "[0-9]{1,4}+"),
    "m": ("month", "[0-9]{1,2}+"),
    "d": ("day", "[0-9]{1,2}+"),
    "j": ("day_of_year", "[0-9]{1,3}+"),
    "H": ("hour", "[0-9]{1,2}+"),
    "M": ("minute", "[0-9]{1,2}+"),
    "S": ("second", "[0-9]{1,2}+"),
}
_OF_TIMES = {"hour", "minute", "second", "fraction"}


def parse_date(form: str, text: str) -> date:
    """The day that a text holds."""
    found = _read(form, text)
    if not _OF_TIMES.isdisjoint(found):
        raise Failed("a format of PARSE_DATE with elements of a time")
    return _parsed_day(found)


def parse_timestamp(form: str, text: str, zone: str = "UTC") -> datetime:
    """The time that a text holds."""
    if zone not in ("UTC", "+00", "+00:00"):
        raise Failed(f"the time zone {zone}: the local server knows UTC alone")
    found = _read(form, text)
    second = int(found.get("second", "0"))
    hour, minute = int(found.get("hour", "0")), int(found.get("minute", "0"))
    if hour > 23 or minute > 59 or second > 60:  # a leap second is the one that follows
        raise _refused(text)
    day = _parsed_day(found)
    micros = int(found.get("fraction", "").ljust(6, "0")[:6])
    try:
        start = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
        return start + timedelta(seconds=second, microseconds=0 if second == 60 else micros)
    except (ValueError, OverflowError):
        raise _refused(text) from None


def _parsed_day(found: Mapping[str, str]) -> date:
    try:
        year = int(found.get("year", "1970"))
        if "day_of_year" in found:
            day = date(year, 1, 1) + timedelta(days=int(found["day_of_year"]) - 1)
            if day.year == year:
                return day
            raise ValueError(found["day_of_year"])
        return date(year, int(found.get("month", "1")), int(found.get("day", "1")))
    except (ValueError, OverflowError):
        raise Failed("no date") from None


def _read(form: str, text: str) -> dict[str, str]:
    """What a text has for each element of a format; the last counts, of several."""
    pattern, names = _pattern(form)
    match = pattern.fullmatch(text)
    if match is None:
        raise _refused(text)
    return {name: value or "" for name, value in zip(names, match.groups(), strict=True)}


def _refused(text: str) -> Failed:
    return Failed(f"{text!r}, which is not of the format")


@lru_cache(maxsize=256)
def _pattern(form: str) -> tuple[re.Pattern[str], Sequence[str]]:
    """The expression of a format, and what each group of it is."""
    parts, names = [r"\s*"], list[str]()
    form = re.sub("%Y(?=%)", "%4Y", form)  # the digits that follow are those of the next element
    for literal, element in re.findall(r"([^%]+)|%(E[*0-9]S|4Y|.)", form, flags=re.DOTALL):
        if literal:
            parts.append(re.sub(r"(\\\s|\s)+", lambda _: r"\\s*", re.escape(literal)).replace(r"\\s", r"\s"))
        elif element == "%":
            parts.append("%")
        elif element in _NUMBERS:
            name, expression = _NUMBERS[element]
            names.append(name)
            parts.append(f"({expression})")
        elif element.startswith("E"):
            names += ["second", "fraction"]
            most = "" if element[1] == "*" else element[1]
            parts.append(rf"([0-9]{{1,2}}+)(?:\.([0-9]{{1,{most}}}))?")
        else:
            raise Failed(f"the format %{element}, which the local server does not know")
    return re.compile("".join([*parts, r"\s*"])), names


def _time(unit: int) -> Callable[[int], datetime]:
    return lambda count: time_of(count * unit)


def _unix(unit: int) -> Callable[[datetime], int]:
    return lambda time: micros_of(time) // unit


_UNITS = {
    "MICROSECOND": 1, "MILLISECOND": 1_000, "SECOND": 1_000_000, "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000, "DAY": 86_400_000_000, "WEEK": 7 * 86_400_000_000,
}  # fmt: skip
_PARTS: Mapping[str, Callable[[Any], int]] = {
    "YEAR": lambda time: time.year,
    "QUARTER": lambda time: (time.month + 2) // 3,
    "MONTH": lambda time: time.month,
    "WEEK": lambda time: int(time.strftime("%U")),
    "ISOWEEK": lambda time: time.isocalendar().week,
    "ISOYEAR": lambda time: time.isocalendar().year,
    "DAY": lambda time: time.day,
    "DAYOFWEEK": lambda time: time.isoweekday() % 7 + 1,
    "DAYOFYEAR": lambda time: time.timetuple().tm_yday,
    "HOUR": lambda time: time.hour,
    "MINUTE": lambda time: time.minute,
    "SECOND": lambda time: time.second,
    "MILLISECOND": lambda time: time.microsecond // 1000,
    "MICROSECOND": lambda time: time.microsecond,
}


def _extract(time: Any, part: str, zone: str = "UTC") -> Any:
    _utc(zone)
    if part == "DATE":
        return time.date()
    if part not in _PARTS:
        raise Failed(f"EXTRACT of {part}, which the local server does not know")
    return _PARTS[part](time)


def _utc(zone: str) -> None:
    if zone not in ("UTC", "+00", "+00:00"):
        raise Failed(f"the time zone {zone}: the local server knows UTC alone")


def _moved(value: Any, count: int, part: str) -> Any:
    """A day or a time, so much later."""
    months = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}.get(part)
    try:
        if months is None:
            return value + timedelta(microseconds=count * _UNITS[part])
        year, month = divmod(value.year * 12 + value.month - 1 + count * months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return value.replace(year=year, month=month + 1, day=min(value.day, last))
    except (OverflowError, ValueError, KeyError, calendar.IllegalMonthError):
        raise Failed("a date or time out of its range") from None


def _truncated(value: Any, part: str, zone: str = "UTC") -> Any:
    _utc(zone)
    day = value.replace(hour=0, minute=0, second=0, microsecond=0) if isinstance(value, datetime) else value
    match part:
        case "YEAR":
            return day.replace(month=1, day=1)
        case "QUARTER":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "MONTH":
            return day.replace(day=1)
        case "WEEK":
            return day - timedelta(days=day.isoweekday() % 7)
        case "ISOWEEK":
            return day - timedelta(days=day.weekday())
        case "DAY":
            return day
        case _ if part in _UNITS and isinstance(value, datetime):
            micros = micros_of(value)
            return time_of(micros - micros % _UNITS[part])
    raise Failed(f"{part}, which the local server does not truncate to")


def _difference(one: datetime, other: datetime, part: str) -> int:
    micros = micros_of(one) - micros_of(other)
    return int(math.copysign(1, micros)) * (abs(micros) // _UNITS[part])


def _days_between(one: date, other: date, part: str) -> int:
    match part:
        case "DAY":
            return (one - other).days
        case "WEEK" | "ISOWEEK":
            days: int = (_truncated(one, part) - _truncated(other, part)).days
            return days // 7
        case "MONTH":
            return (one.year - other.year) * 12 + one.month - other.month
        case "YEAR":
            return one.year - other.year
    raise Failed(f"{part}, which the local server does not count")


def _made_date(*values: Any) -> date:
    if isinstance(values[0], datetime):
        return values[0].date()
    if len(values) == 1:
        return date_of(values[0]) if isinstance(values[0], str) else values[0]
    try:
        return date(*values)
    except ValueError:
        raise Failed("no date") from None


def _day(number: int) -> date:
    try:
        return day_of(number)
    except OverflowError:
        raise Failed("out of the range of DATE") from None


_FORMATS: Mapping[str, Callable[[Any], str]] = {
    "Y": lambda time: f"{time.year:04}", "m": lambda time: f"{time.month:02}", "d": lambda time: f"{time.day:02}",
    "H": lambda time: f"{time.hour:02}", "M": lambda time: f"{time.minute:02}", "S": lambda time: f"{time.second:02}",
    "F": lambda time: f"{time.year:04}-{time.month:02}-{time.day:02}",
    "T": lambda time: f"{time.hour:02}:{time.minute:02}:{time.second:02}",
    "j": lambda time: f"{time.timetuple().tm_yday:03}", "y": lambda time: f"{time.year % 100:02}",
    "G": lambda time: f"{time.isocalendar().year:04}", "V": lambda time: f"{time.isocalendar().week:02}",
    "u": lambda time: str(time.isoweekday()), "w": lambda time: str(time.isoweekday() % 7),
    "A": lambda time: time.strftime("%A"), "a": lambda time: time.strftime("%a"),
    "B": lambda time: time.strftime("%B"), "b": lambda time: time.strftime("%b"), "%": lambda time: "%",
    "E3S": lambda time: f"{time.second:02}.{time.microsecond // 1000:03}", "E6S": lambda time: f"{time.second:02}.{time.microsecond:06}",
}  # fmt: skip


def _formatted(form: str, time: Any, zone: str = "UTC") -> str:
    _utc(zone)
    pieces = re.split(r"%(E\dS|.)", form, flags=re.DOTALL)
    for directive in pieces[1::2]:
        if directive not in _FORMATS:
            raise Failed(f"the format %{directive}, which the local server does not know")
    return "".join(piece if at % 2 == 0 else _FORMATS[piece](time) for at, piece in enumerate(pieces))


TIMES: dict[str, Callable[..., Any]] = {
    "$extract": _extract,
    "$extract_date": lambda time, zone="UTC": _extract(time, "DATE", zone),
    "timestamp_micros": _time(1),
    "timestamp_millis": _time(1_000),
    "timestamp_seconds": _time(1_000_000),
    "unix_micros": _unix(1),
    "unix_millis": _unix(1_000),
    "unix_seconds": _unix(1_000_000),
    "unix_date": lambda day: (day - EPOCH.date()).days,
    "date_from_unix_date": _day,
    "timestamp": lambda value, zone="UTC": value if isinstance(value, datetime) else timestamp_of(value),
    "date": _made_date,
    "string": lambda value, zone="UTC": text_of(value),
    "timestamp_add": _moved,
    "timestamp_sub": lambda value, count, part: _moved(value, -count, part),
    "timestamp_trunc": _truncated,
    "timestamp_diff": _difference,
    "date_add": _moved,
    "date_sub": lambda value, count, part: _moved(value, -count, part),
    "date_trunc": _truncated,
    "date_diff": _days_between,
    "parse_timestamp": parse_timestamp,
    "parse_date": parse_date,
    "format_timestamp": _formatted,
    "format_date": _formatted,
}
