"""The codec that a column gets from its annotation.

This table is a contract on disk: it is printed in the documentation and pinned by a test.
"""

from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, get_origin
from uuid import UUID

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.json import Json
from btmodel.codecs.cell.number import DecimalNumber, Flag, Float64, Int64
from btmodel.codecs.cell.protobuf import Protobuf, is_message_class
from btmodel.codecs.cell.record import is_record
from btmodel.codecs.cell.text import EnumValue, Raw, Utf8, UuidBytes
from btmodel.codecs.cell.time import IsoDate, Micros

DEFAULTS: dict[type, CellCodec[Any]] = {
    str: Utf8(),
    bytes: Raw(),
    int: Int64(),
    float: Float64(),
    bool: Flag(),
    Decimal: DecimalNumber(),
    datetime: Micros(),
    date: IsoDate(),
    UUID: UuidBytes(),
}


def default_codec(annotation: object) -> CellCodec[Any] | None:
    """The codec of values of ``annotation``, or None where there is no default for it.

    Raises :class:`DeclarationError` for a list, dict, tuple or class with something inside that JSON cannot hold.
    """
    if get_origin(annotation) in (dict, list, tuple):
        return Json[Any](annotation)  # type: ignore[arg-type]
    if not isinstance(annotation, type):
        return None
    if issubclass(annotation, Enum):
        return _enum_codec(annotation)
    if is_message_class(annotation):
        return Protobuf(annotation)
    if annotation in (dict, list) or is_record(annotation):
        return Json(annotation)
    return DEFAULTS.get(annotation)


def _enum_codec(enum: type[Enum]) -> CellCodec[Any] | None:
    types = {type(member.value) for member in enum}
    value = DEFAULTS.get(types.pop()) if len(types) == 1 else None
    return EnumValue(enum, value) if value else None
