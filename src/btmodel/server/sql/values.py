"""Types and values of SQL: as messages, and as literals of the tree. A value is one of Python; None is NULL, a structure is a tuple."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from btmodel.googlesql.analysis import SqlType
from btmodel.server import protos
from btmodel.server.protos import Message
from btmodel.server.status import invalid
from btmodel.server.view_functions import micros_of, time_of

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
