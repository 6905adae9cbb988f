"""PARSE_DATE and PARSE_TIMESTAMP: texts read by the elements of a format. The only time zone is UTC."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from btmodel.server.view_functions import Failed

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
    return _day(found)


def parse_timestamp(form: str, text: str, zone: str = "UTC") -> datetime:
    """The time that a text holds."""
    if zone not in ("UTC", "+00", "+00:00"):
        raise Failed(f"the time zone {zone}: the local server knows UTC alone")
    found = _read(form, text)
    second = int(found.get("second", "0"))
    hour, minute = int(found.get("hour", "0")), int(found.get("minute", "0"))
    if hour > 23 or minute > 59 or second > 60:  # a leap second is the one that follows
        raise _refused(text)
    day = _day(found)
    micros = int(found.get("fraction", "").ljust(6, "0")[:6])
    try:
        start = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
        return start + timedelta(seconds=second, microseconds=0 if second == 60 else micros)
    except (ValueError, OverflowError):
        raise _refused(text) from None


def _day(found: Mapping[str, str]) -> date:
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
