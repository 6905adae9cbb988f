"""Codecs of cell values. To add one: a file, and its name in the table here; then ``make format``."""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.codecs.cell.array": "NumpyArray RawArray",
            "btmodel.codecs.cell.base": "CellCodec SortedRun",
            "btmodel.codecs.cell.encoded": "Base64Text EnumValue HexText Present UuidBytes",
            "btmodel.codecs.cell.default": "DEFAULTS default_codec",
            "btmodel.codecs.cell.json": "Json",
            "btmodel.codecs.cell.number": "DecimalNumber DecimalText Flag FlagText Float64 FloatBytes FloatText Int64 IntBytes",
            "btmodel.codecs.cell.record": "Packed",
            "btmodel.codecs.cell.protobuf": "Protobuf",
            "btmodel.codecs.cell.text": "Raw TextBytes Utf8",
            "btmodel.codecs.cell.time": "IsoDate IsoTime Micros",
            "btmodel.codecs.cell.compressed": "Compressed",
            "btmodel.codecs.cell.wrapping": "Either MappedCell PerEntry Prefixed",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.codecs.cell.array import NumpyArray as NumpyArray
    from btmodel.codecs.cell.array import RawArray as RawArray
    from btmodel.codecs.cell.base import CellCodec as CellCodec
    from btmodel.codecs.cell.base import SortedRun as SortedRun
    from btmodel.codecs.cell.compressed import Compressed as Compressed
    from btmodel.codecs.cell.default import DEFAULTS as DEFAULTS
    from btmodel.codecs.cell.default import default_codec as default_codec
    from btmodel.codecs.cell.encoded import Base64Text as Base64Text
    from btmodel.codecs.cell.encoded import EnumValue as EnumValue
    from btmodel.codecs.cell.encoded import HexText as HexText
    from btmodel.codecs.cell.encoded import Present as Present
    from btmodel.codecs.cell.encoded import UuidBytes as UuidBytes
    from btmodel.codecs.cell.json import Json as Json
    from btmodel.codecs.cell.number import DecimalNumber as DecimalNumber
    from btmodel.codecs.cell.number import DecimalText as DecimalText
    from btmodel.codecs.cell.number import Flag as Flag
    from btmodel.codecs.cell.number import FlagText as FlagText
    from btmodel.codecs.cell.number import Float64 as Float64
    from btmodel.codecs.cell.number import FloatBytes as FloatBytes
    from btmodel.codecs.cell.number import FloatText as FloatText
    from btmodel.codecs.cell.number import Int64 as Int64
    from btmodel.codecs.cell.number import IntBytes as IntBytes
    from btmodel.codecs.cell.protobuf import Protobuf as Protobuf
    from btmodel.codecs.cell.record import Packed as Packed
    from btmodel.codecs.cell.text import Raw as Raw
    from btmodel.codecs.cell.text import TextBytes as TextBytes
    from btmodel.codecs.cell.text import Utf8 as Utf8
    from btmodel.codecs.cell.time import IsoDate as IsoDate
    from btmodel.codecs.cell.time import IsoTime as IsoTime
    from btmodel.codecs.cell.time import Micros as Micros
    from btmodel.codecs.cell.wrapping import Either as Either
    from btmodel.codecs.cell.wrapping import MappedCell as MappedCell
    from btmodel.codecs.cell.wrapping import PerEntry as PerEntry
    from btmodel.codecs.cell.wrapping import Prefixed as Prefixed
