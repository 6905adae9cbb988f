"""Codecs of cell values. To add one: a file, and a line in this table."""

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.default import DEFAULTS, default_codec
from btmodel.codecs.cell.number import DecimalNumber, DecimalText, Flag, Float64, FloatText, Int64
from btmodel.codecs.cell.presence import Present
from btmodel.codecs.cell.text import EnumValue, Raw, Utf8, UuidBytes
from btmodel.codecs.cell.time import IsoDate, Micros

__all__ = [
    "DEFAULTS",
    "CellCodec",
    "DecimalNumber",
    "DecimalText",
    "EnumValue",
    "Flag",
    "Float64",
    "FloatText",
    "Int64",
    "IsoDate",
    "Micros",
    "Present",
    "Raw",
    "Utf8",
    "UuidBytes",
    "default_codec",
]
