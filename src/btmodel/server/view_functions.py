"""Functions of GoogleSQL, as far as btmodel's views use them, over Python values: None is NULL."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from btmodel.server.request_errors import invalid, unimplemented

Value = Any
Expression = Callable[[Any], Value]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Failed(Exception):
    """An expression that fails for a row."""


def null_in(function: Callable[..., Value], arguments: Sequence[Expression]) -> Expression:
    """The call of a function that gives NULL where it is given one."""
    if len(arguments) == 1:
        only = arguments[0]
        return lambda row: None if (value := only(row)) is None else function(value)

    def called(row: Any) -> Value:
        values = [argument(row) for argument in arguments]
        return None if None in values else function(*values)

    return called


def int64(number: int) -> int:
    """A whole number, which must fit into 64 bits."""
    if not -(2**63) <= number < 2**63:
        raise Failed("out of the range of INT64")
    return number


def item(items: Sequence[Value], place: int) -> Value:
    """The item at a place; NULL behind the end."""
    return items[place] if 0 <= place < len(items) else None


COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "=": lambda one, other: bool(one == other),
    ">=": lambda one, other: bool(one >= other),
    "<=": lambda one, other: bool(one <= other),
    ">": lambda one, other: bool(one > other),
    "<": lambda one, other: bool(one < other),
}
# From those that bind most loosely on.
OPERATORS: tuple[dict[str, Callable[[Value, Value], Value]], ...] = (
    {"|": lambda one, other: one | other},
    {"^": lambda one, other: one ^ other},
    {"<<": lambda one, other: int.from_bytes((one << other & 2**64 - 1).to_bytes(8), signed=True)},
    {"+": lambda one, other: int64(one + other), "-": lambda one, other: int64(one - other)},
)
CONSTANTS = {"TRUE": True, "FALSE": False, "NULL": None}


def substr(value: Value, position: int, length: int | None = None) -> Value:
    """The part of a text or of bytes from a position on, which counts from 1, or from the end where it is negative."""
    if length is not None and length < 0:
        raise Failed("a negative length")
    start = position - 1 if position > 0 else max(len(value) + position, 0) if position else 0
    return value[start:] if length is None else value[start : start + length]


def _split(value: Value, delimiter: Value) -> list[Value]:
    found: list[Value] = value.split(delimiter)
    return found


def _padded(value: Value, size: int, pad: Value) -> Value:
    return pad * (size - len(value))


def _concat(*pieces: Value) -> Value:
    return pieces[0][:0].join(pieces)


def _extract(value: str, pattern: re.Pattern[str]) -> str | None:
    match = pattern.search(value)
    return None if match is None else match[1] if pattern.groups else match[0]


def time_of(micros: int) -> datetime:
    """The time of so many microseconds since 1970."""
    try:
        return EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        raise Failed("out of the range of TIMESTAMP") from None


def micros_of(time: datetime) -> int:
    """Microseconds since 1970."""
    return (time - EPOCH) // timedelta(microseconds=1)


def _timestamp(unit: int) -> Callable[[int], datetime]:
    return lambda count: time_of(count * unit)


def _unix(unit: int) -> Callable[[datetime], int]:
    return lambda time: micros_of(time) // unit


_DIRECTIVES: dict[str, Callable[[date], str]] = {
    "%Y": lambda day: f"{day.year:04}",
    "%m": lambda day: f"{day.month:02}",
    "%d": lambda day: f"{day.day:02}",
    "%G": lambda day: f"{day.isocalendar().year:04}",
    "%V": lambda day: f"{day.isocalendar().week:02}",
}
_OF_TIMES: dict[str, Callable[[datetime], str]] = {
    "%H": lambda time: f"{time.hour:02}",
    "%M": lambda time: f"{time.minute:02}",
    "%S": lambda time: f"{time.second:02}",
}
_PARSED = {"%Y": "(?P<year>\\d{4})", "%m": "(?P<month>\\d\\d)", "%d": "(?P<day>\\d\\d)"}
_PARSED |= {"%H": "(?P<hour>\\d\\d)", "%M": "(?P<minute>\\d\\d)", "%S": "(?P<second>\\d\\d)"}
_PARSED |= {
    "%E3S": "(?P<second>\\d\\d)[.](?P<fraction>\\d{3})",
    "%E6S": "(?P<second>\\d\\d)[.](?P<fraction>\\d{6})",
}


def _pieces(form: str, known: Sequence[str]) -> list[str]:
    pieces = re.split(r"(%E\dS|%.)", form)
    for piece in pieces:
        if piece.startswith("%") and piece not in known:
            raise unimplemented(f"The local server's views know no format with {piece}")
    return [piece for piece in pieces if piece]


def _formatter(form: str, *, times: bool) -> Callable[[Value], str]:
    known: dict[str, Callable[[Any], str]] = {**_DIRECTIVES, **(_OF_TIMES if times else {})}
    pieces = _pieces(form, tuple(known))
    return lambda value: "".join(known[piece](value) if piece in known else piece for piece in pieces)


def _parser(form: str) -> Callable[[str], datetime]:
    pattern = re.compile(
        "".join(_PARSED.get(piece, re.escape(piece)) for piece in _pieces(form, tuple(_PARSED))) + r"\Z"
    )

    def parse(text: str) -> datetime:
        match = pattern.match(text)
        if match is None:
            raise Failed("not of the format")
        found = match.groupdict()
        fraction = (found.pop("fraction", None) or "").ljust(6, "0")
        try:
            year, month, day = (
                int(found.get(one, default)) for one, default in (("year", 1970), ("month", 1), ("day", 1))
            )
            hour, minute, second = (int(found.get(one, 0)) for one in ("hour", "minute", "second"))
            return datetime(year, month, day, hour, minute, second, int(fraction), UTC)
        except ValueError:
            raise Failed("no date") from None

    return parse


def _eight(value: bytes) -> bytes:
    if len(value) != 8:
        raise Failed("not 8 bytes")
    return value


def _from_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Failed("no hexadecimal digits") from None


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "ARRAY_REVERSE": lambda items: items[::-1],
    "ARRAY_TO_STRING": lambda items, between: between.join(items),
    "BYTE_LENGTH": lambda value: len(value.encode() if isinstance(value, str) else value),
    "CONCAT": _concat,
    "FROM_HEX": _from_hex,
    "LPAD": lambda value, size, pad: _padded(value, size, pad) + value[:size],
    "REPLACE": lambda value, old, new: value.replace(old, new),
    "REVERSE": lambda value: value[::-1],
    "RPAD": lambda value, size, pad: value[:size] + _padded(value, size, pad),
    "RTRIM": lambda value, pad: value.rstrip(pad),
    "SAFE_SUBTRACT": lambda one, other: int64(one - other),
    "SPLIT": _split,
    "STARTS_WITH": lambda value, start: value.startswith(start),
    "SUBSTR": substr,
    "TIMESTAMP_MICROS": _timestamp(1),
    "TIMESTAMP_MILLIS": _timestamp(1_000),
    "TIMESTAMP_SECONDS": _timestamp(1_000_000),
    "TO_FLOAT64": lambda value: struct.unpack(">d", _eight(value))[0],
    "TO_HEX": lambda value: value.hex(),
    "TO_INT64": lambda value: int.from_bytes(_eight(value), signed=True),
    "UNIX_MICROS": _unix(1),
    "UNIX_MILLIS": _unix(1_000),
    "UNIX_SECONDS": _unix(1_000_000),
}


def call(name: str, arguments: list[Expression]) -> Expression:
    """The call of a function. Raises UNIMPLEMENTED for one that only the service has."""
    plain = name.removeprefix("SAFE.")
    safe = plain != name or plain == "SAFE_SUBTRACT"
    match plain:
        case "COALESCE":
            return lambda row: next(
                (value for argument in arguments if (value := argument(row)) is not None), None
            )
        case "NULLIF":
            first, second = arguments
            return lambda row: None if (value := first(row)) == second(row) else value
        case "REGEXP_EXTRACT":
            pattern = _pattern(arguments[1](None))
            found = null_in(lambda value: _extract(value, pattern), arguments[:1])
        case "REGEXP_REPLACE":
            pattern, new = _pattern(arguments[1](None)), arguments[2](None)
            found = null_in(lambda value: pattern.sub(new, value), arguments[:1])
        case "FORMAT_DATE" | "FORMAT_TIMESTAMP":
            found = null_in(_formatter(arguments[0](None), times=plain != "FORMAT_DATE"), arguments[1:])
        case "PARSE_DATE":
            day = _parser(arguments[0](None))
            found = null_in(lambda text: day(text).date(), arguments[1:])
        case "PARSE_TIMESTAMP":
            found = null_in(_parser(arguments[0](None)), arguments[1:])
        case _ if plain in _FUNCTIONS:
            found = null_in(_FUNCTIONS[plain], arguments)
        case _:
            raise unimplemented(f"The local server's views know no function {name}")
    return _safe(found) if safe else found


def _safe(expression: Expression) -> Expression:
    def tried(row: Any) -> Value:
        try:
            return expression(row)
        except Failed:
            return None

    return tried


def _pattern(pattern: object) -> re.Pattern[str]:
    """A regular expression of RE2 as one of Python's: those that btmodel writes mean the same, but for the end of the text."""
    if not isinstance(pattern, str):
        raise unimplemented("The local server's views know regular expressions of text alone")
    translated = re.sub(r"\\x\{([0-9a-fA-F]+)\}", lambda one: f"\\U{int(one[1], 16):08x}", pattern)
    try:
        return re.compile(re.sub(r"\$$", r"\\Z", translated))
    except re.error as error:
        raise invalid(f"Invalid regular expression {pattern!r}: {error}") from None


def _text(value: Value) -> str:
    match value:
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                raise Failed("not UTF-8") from None
        case bool():
            return "true" if value else "false"
        case str() | int() | date():
            return str(value)
    raise Failed("no text")


def _number(value: Value) -> int:
    try:
        text = value.strip()
        return int64(int(text, 16 if "x" in text.lower() else 10))
    except (AttributeError, ValueError):
        raise Failed("no number") from None


def _real(value: Value) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Failed("no number") from None


def _day(value: Value) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise Failed("no date") from None


_CASTS: dict[str, Callable[[Value], Value]] = {
    "STRING": _text,
    "BYTES": lambda value: value.encode() if isinstance(value, str) else value,
    "INT64": _number,
    "FLOAT64": _real,
    "DATE": _day,
}


def cast(kind: str, value: Expression, *, safe: bool) -> Expression:
    """A cast to a type by its name."""
    if kind not in _CASTS:
        raise unimplemented(f"The local server's views know no cast to {kind}")
    found = null_in(_CASTS[kind], [value])
    return _safe(found) if safe else found


def _present(values: Sequence[Value]) -> list[Value]:
    return [value for value in values if value is not None]


def _sum(values: Sequence[Value]) -> Value:
    there = _present(values)
    if not there:
        return None
    return math.fsum(there) if isinstance(there[0], float) else int64(sum(there))


def _mean(values: Sequence[Value]) -> Value:
    there = _present(values)
    return (math.fsum(there) if isinstance(there[0], float) else sum(there)) / len(there) if there else None


def _least(values: Sequence[Value]) -> Value:
    there = _present(values)
    return math.nan if any(value != value for value in there) else min(there, default=None)


def _greatest(values: Sequence[Value]) -> Value:
    there = _present(values)
    return math.nan if any(value != value for value in there) else max(there, default=None)


AGGREGATES: dict[str, Callable[[Sequence[Value]], Value]] = {
    "ANY_VALUE": lambda values: values[0],
    "AVG": _mean,
    "COUNT": lambda values: len(_present(values)),
    # A sketch of few values is exact; one of many is not, and this is: tests should not rest on what it is off by.
    "HLL_COUNT.EXTRACT": lambda values: len(set(_present(values))),
    "MAX": _greatest,
    "MIN": _least,
    "SUM": _sum,
}
AGGREGATE_NAMES = frozenset(AGGREGATES)


def stored(value: Value) -> bytes:
    """The bytes that ReadRows gives for a value of SQL."""
    match value:
        case bytes():
            return value
        case str():
            return value.encode()
        case bool():
            return b"\x01" if value else b"\0"
        case int():
            return value.to_bytes(8, signed=True)
        case float():
            return struct.pack(">d", value)
        case datetime():
            return micros_of(value).to_bytes(8, signed=True)
    raise Failed("no value that a cell holds")
