"""The codec that a column gets from its annotation.

This table is a contract on disk: it is printed in the documentation and pinned by a test.
"""

from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.number import DecimalNumber, Flag, Float64, Int64
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
    """The codec of values of ``annotation``, or None where there is no default for it."""
    if not isinstance(annotation, type):
        return None
    if issubclass(annotation, Enum):
        return _enum_codec(annotation)
    return DEFAULTS.get(annotation)


def _enum_codec(enum: type[Enum]) -> CellCodec[Any] | None:
    types = {type(member.value) for member in enum}
    value = DEFAULTS.get(types.pop()) if len(types) == 1 else None
    return EnumValue(enum, value) if value else None
