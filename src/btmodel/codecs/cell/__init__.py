"""Codecs of cell values. To add one: a file, and a line in this table."""

from btmodel.codecs.cell.array import NumpyArray, RawArray
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.byte_text import Base64Text, HexText
from btmodel.codecs.cell.compressed import Compressed
from btmodel.codecs.cell.default import DEFAULTS, default_codec
from btmodel.codecs.cell.either import Either
from btmodel.codecs.cell.fixed import FloatBytes, IntBytes
from btmodel.codecs.cell.json import Json
from btmodel.codecs.cell.number import DecimalNumber, DecimalText, Flag, FlagText, Float64, FloatText, Int64
from btmodel.codecs.cell.packed import Packed
from btmodel.codecs.cell.present import Present
from btmodel.codecs.cell.protobuf import Protobuf
from btmodel.codecs.cell.text import EnumValue, Raw, Utf8, UuidBytes
from btmodel.codecs.cell.time import IsoDate, Micros

__all__ = [
    "DEFAULTS",
    "Base64Text",
    "CellCodec",
    "Compressed",
    "DecimalNumber",
    "DecimalText",
    "Either",
    "EnumValue",
    "Flag",
    "FlagText",
    "Float64",
    "FloatBytes",
    "FloatText",
    "HexText",
    "Int64",
    "IntBytes",
    "IsoDate",
    "Json",
    "Micros",
    "NumpyArray",
    "Packed",
    "Present",
    "Protobuf",
    "Raw",
    "RawArray",
    "Utf8",
    "UuidBytes",
    "default_codec",
]
