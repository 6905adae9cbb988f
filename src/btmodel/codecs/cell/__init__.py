"""Codecs of cell values. To add one: a file, and its name in the three lists here, which a test holds together."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

_HOMES = {
    "btmodel.codecs.cell.array": "NumpyArray RawArray",
    "btmodel.codecs.cell.base": "CellCodec",
    "btmodel.codecs.cell.default": "DEFAULTS default_codec",
    "btmodel.codecs.cell.fixed": "FloatBytes IntBytes",
    "btmodel.codecs.cell.json": "Json",
    "btmodel.codecs.cell.number": "DecimalNumber DecimalText Flag FlagText Float64 FloatText Int64",
    "btmodel.codecs.cell.packed": "Packed",
    "btmodel.codecs.cell.protobuf": "Protobuf",
    "btmodel.codecs.cell.text": "Base64Text EnumValue HexText Present Raw Utf8 UuidBytes",
    "btmodel.codecs.cell.time": "IsoDate Micros",
    "btmodel.codecs.cell.wrapping": "Compressed Either",
}

if TYPE_CHECKING:
    from btmodel.codecs.cell.array import NumpyArray, RawArray
    from btmodel.codecs.cell.base import CellCodec
    from btmodel.codecs.cell.default import DEFAULTS, default_codec
    from btmodel.codecs.cell.fixed import FloatBytes, IntBytes
    from btmodel.codecs.cell.json import Json
    from btmodel.codecs.cell.number import (
        DecimalNumber,
        DecimalText,
        Flag,
        FlagText,
        Float64,
        FloatText,
        Int64,
    )
    from btmodel.codecs.cell.packed import Packed
    from btmodel.codecs.cell.protobuf import Protobuf
    from btmodel.codecs.cell.text import Base64Text, EnumValue, HexText, Present, Raw, Utf8, UuidBytes
    from btmodel.codecs.cell.time import IsoDate, Micros
    from btmodel.codecs.cell.wrapping import Compressed, Either
else:
    __getattr__, __dir__ = load_on_demand(__name__, _HOMES)

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
