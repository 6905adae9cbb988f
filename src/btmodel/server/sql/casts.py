"""Casts between the types of SQL."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from btmodel.server.view_functions import Failed, int64

Value = Any


def rounded(value: float, digits: int = 0) -> float:
    """Half away from zero."""
    if not math.isfinite(value):
        return value
    scale = 10.0**digits
    scaled = abs(value) * scale
    found = math.floor(scaled)
    return math.copysign((found + (scaled - found >= 0.5)) / scale, value)


def text_of(value: Value) -> str:
    """A value as text, as CAST has it."""
    match value:
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                raise Failed("bytes that are not UTF-8") from None
        case bool():
            return "true" if value else "false"
        case float():
            return _float_text(value)
        case datetime():
            fraction = f".{value.microsecond:06}".rstrip("0").rstrip(".") if value.microsecond else ""
            if len(fraction) > 4:  # three digits, or six
                fraction = f".{value.microsecond:06}"
            elif fraction:
                fraction = f".{value.microsecond // 1000:03}"
            return f"{value.year:04}-{value:%m-%d %H:%M:%S}{fraction}+00"
    return str(value)


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    short = f"{value:.15g}"
    return short if float(short) == value else f"{value:.17g}"


def _int_of(value: Value) -> int:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Failed("no whole number")
        return int64(int(rounded(value)))
    if isinstance(value, bool):
        return int(value)
    text = value.strip()
    if not re.fullmatch(r"[+-]?(\d+|0[xX][0-9a-fA-F]+)", text, re.ASCII):
        raise Failed(f"Bad int64 value: {value}")
    return int64(int(text, 16 if "x" in text.lower() else 10))


_FLOAT = re.compile(
    r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE | re.ASCII
)


def _float_of(value: Value) -> float:
    if isinstance(value, str) and not _FLOAT.fullmatch(value.strip()):
        raise Failed(f"Bad double value: {value}")
    return float(value)


def _single(value: Value) -> float:
    try:
        found: float = struct.unpack("f", struct.pack("f", _float_of(value)))[0]
    except OverflowError:
        raise Failed("float overflow") from None
    return found


def _bool_of(value: Value) -> bool:
    if isinstance(value, int):
        return value != 0
    if value.lower() not in ("true", "false"):
        raise Failed(f"Bad bool value: {value}")
    found: bool = value.lower() == "true"
    return found


def bytes_of(value: Value) -> bytes:
    """Text as UTF-8; bytes as they are."""
    return value.encode() if isinstance(value, str) else value


def date_of(value: Value) -> date:
    """The day of a text or a time."""
    if isinstance(value, datetime):
        return value.date()
    match = re.fullmatch(r"\s*(\d{4})-(\d\d?)-(\d\d?)\s*", value, re.ASCII)
    try:
        if match is None:
            raise ValueError
        return date(*map(int, match.groups()))
    except ValueError:
        raise Failed(f"Invalid date: {value}") from None


_TIME = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:[ Tt](\d\d?):(\d\d?):(\d\d?)(?:\.(\d{0,6}))?)?\s*(?:([+-])(\d\d?)(?::?(\d\d))?|[Zz]|UTC)?",
    re.ASCII,
)


def timestamp_of(value: Value) -> datetime:
    """The time of a text, or the first one of a day."""
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    match = _TIME.fullmatch(value.strip())
    if match is None:
        raise Failed(f"Invalid timestamp: {value}")
    *parts, fraction, sign, hours, minutes = match.groups()
    year, month, day, hour, minute, second = (int(part or 0) for part in parts)
    micros = int((fraction or "").ljust(6, "0"))
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        found = datetime(year, month, day, hour, minute, second, micros, UTC)
        return found + offset if sign == "-" else found - offset
    except (ValueError, OverflowError):
        raise Failed(f"Invalid timestamp: {value}") from None


#: Casts by the type that they make.
CASTS: Mapping[str, Callable[[Value], Value]] = {
    "STRING": text_of,
    "BYTES": bytes_of,
    "INT64": _int_of,
    "FLOAT64": _float_of,
    "FLOAT32": _single,
    "BOOL": _bool_of,
    "DATE": date_of,
    "TIMESTAMP": timestamp_of,
}
