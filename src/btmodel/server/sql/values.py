"""Types and values of SQL: as messages, as literals of the tree, and cast to each other. A value is one of Python; None is NULL, a structure is a tuple."""

from __future__ import annotations

import base64
import math
import re
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from btmodel.googlesql.analysis import SqlType
from btmodel.server import protos
from btmodel.server.protos import Message
from btmodel.server.request_errors import invalid
from btmodel.server.view_functions import Failed, int64, micros_of, time_of

_Type = protos.data("Type")
_Value = protos.data("Value")
_DAY = date(1970, 1, 1)

# The fields of Type and Value for each type.
_FIELDS = {
    "BYTES": ("bytes_type", "bytes_value"),
    "STRING": ("string_type", "string_value"),
    "INT64": ("int64_type", "int_value"),
    "FLOAT64": ("float64_type", "float_value"),
    "FLOAT32": ("float32_type", "float_value"),
    "BOOL": ("bool_type", "bool_value"),
    "TIMESTAMP": ("timestamp_type", "timestamp_value"),
    "DATE": ("date_type", "date_value"),
}
_NAMES = {field: name for name, (field, _) in _FIELDS.items()}


def day_of(number: int) -> date:
    """The day that comes so many days after 1970-01-01."""
    return _DAY + timedelta(days=number)


def type_message(kind: SqlType) -> Message:
    """A type as the service describes it."""
    found = _Type()
    match kind:
        case str():
            getattr(found, _FIELDS[kind][0]).SetInParent()
        case ["ARRAY", element]:
            found.array_type.element_type.CopyFrom(type_message(element))
        case ["MAP", key, value]:
            found.map_type.key_type.CopyFrom(type_message(key))
            found.map_type.value_type.CopyFrom(type_message(value))
        case ["STRUCT", fields]:
            found.struct_type.SetInParent()
            for name, inner in fields:
                found.struct_type.fields.add(field_name=name, type_=type_message(inner))
    return found


def parameter_type(name: str, message: Message) -> SqlType:
    """The type of a parameter; refuses what none can have."""
    field = message.WhichOneof("kind")
    if field in _NAMES:
        return _NAMES[field]
    if field == "array_type" and message.array_type.element_type.WhichOneof("kind") in _NAMES:
        return ["ARRAY", _NAMES[message.array_type.element_type.WhichOneof("kind")]]
    what = "no type" if field is None else field.removesuffix("_type").upper()
    raise invalid(
        f"Parameter @{name} has {what}: expected BYTES, STRING, INT64, FLOAT64, FLOAT32, BOOL, TIMESTAMP, DATE, or an ARRAY of one of them"
    )


def parameter_value(name: str, message: Message, kind: SqlType) -> Any:
    """The value of a parameter, whose type is known from the prepared query."""
    field = message.WhichOneof("kind")
    if field is None:
        return None
    if isinstance(kind, list):
        if field == "array_value":
            return [parameter_value(name, value, kind[1]) for value in message.array_value.values]
    elif field == _FIELDS[kind][1]:
        return _READ.get(kind, _itself)(getattr(message, field))
    raise invalid(f"Parameter @{name} is {kind} in the prepared query, but got {field}")


def _itself(value: Any) -> Any:
    return value


_READ: Mapping[str, Callable[[Any], Any]] = {
    "TIMESTAMP": lambda value: time_of(value.ToMicroseconds()),
    "DATE": lambda value: date(value.year, value.month, value.day),
}
_LITERALS: Mapping[str, Callable[[Any], Any]] = {
    "BYTES": base64.b64decode,
    "TIMESTAMP": time_of,
    "DATE": day_of,
}


def literal(kind: SqlType, value: Any) -> Any:
    """The value of a literal of the tree."""
    if value is None:
        return None
    match kind:
        case ["ARRAY", element]:
            return [literal(element, one) for one in value]
        case ["STRUCT", fields]:
            return tuple(literal(inner, one) for (_, inner), one in zip(fields, value, strict=True))
    return _LITERALS.get(kind, _itself)(value)


def writer(kind: SqlType) -> Callable[[Any, Any], None]:
    """What writes a value of a type, which is not None, into a message."""
    match kind:
        case "TIMESTAMP":
            return lambda message, value: message.timestamp_value.FromMicroseconds(micros_of(value))
        case "DATE":

            def day(message: Message, value: date) -> None:
                to = message.date_value
                to.year, to.month, to.day = value.year, value.month, value.day

            return day
        case str():
            field = _FIELDS[kind][1]
            return lambda message, value: setattr(message, field, value)
        case ["ARRAY", element]:
            return _several(lambda value: value, lambda: [element], repeated=True)
        case ["STRUCT", fields]:
            return _several(lambda value: value, lambda: [inner for _, inner in fields])
        case ["MAP", key, held]:
            pair = ["STRUCT", [["key", key], ["value", held]]]
            return _several(lambda value: value.items(), lambda: [pair], repeated=True)
    raise invalid(f"No result can have the type {kind}")


def _several(
    items: Callable[[Any], Any], kinds: Callable[[], list[SqlType]], *, repeated: bool = False
) -> Callable[[Any, Any], None]:
    writers = [writer(kind) for kind in kinds()]

    def write(message: Message, value: Any) -> None:
        message.array_value.SetInParent()
        add = message.array_value.values.add
        for at, one in enumerate(items(value)):
            inner = add()
            if one is not None:
                writers[0 if repeated else at](inner, one)

    return write


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
