"""Codecs of row-key fields. To add one: a file, and a line in this table."""

from btmodel.codecs.key.base import AsInKey, KeyCodec, Kind, Length, Order
from btmodel.codecs.key.base_encoded import Base58, Base64
from btmodel.codecs.key.binary import Bytes
from btmodel.codecs.key.calendar import DateText, TimeText
from btmodel.codecs.key.choice import Boolean, EnumText
from btmodel.codecs.key.constant import Constant
from btmodel.codecs.key.descending import Descending
from btmodel.codecs.key.domain import ReversedDomain
from btmodel.codecs.key.epoch import EpochMicros, EpochMillis, EpochSeconds
from btmodel.codecs.key.escaped import EscapedBytes, EscapedText
from btmodel.codecs.key.hexadecimal import Hex, HexDigest, HexInt
from btmodel.codecs.key.integer import Int, PaddedInt, ReversedDigits
from btmodel.codecs.key.iso_week import IsoWeek
from btmodel.codecs.key.length_prefixed import LengthPrefixed
from btmodel.codecs.key.machine_integer import BigEndian, LittleEndian
from btmodel.codecs.key.ordered_integer import OrderedInt
from btmodel.codecs.key.repeated import Repeated
from btmodel.codecs.key.reversed_epoch import ReversedMicros, ReversedMillis, ReversedSeconds
from btmodel.codecs.key.text import Text
from btmodel.codecs.key.uuids import UuidRaw, UuidText
from btmodel.codecs.key.week import Week

__all__ = [
    "AsInKey",
    "Base58",
    "Base64",
    "BigEndian",
    "Boolean",
    "Bytes",
    "Constant",
    "DateText",
    "Descending",
    "EnumText",
    "EpochMicros",
    "EpochMillis",
    "EpochSeconds",
    "EscapedBytes",
    "EscapedText",
    "Hex",
    "HexDigest",
    "HexInt",
    "Int",
    "IsoWeek",
    "KeyCodec",
    "Kind",
    "Length",
    "LengthPrefixed",
    "LittleEndian",
    "Order",
    "OrderedInt",
    "PaddedInt",
    "Repeated",
    "ReversedDigits",
    "ReversedDomain",
    "ReversedMicros",
    "ReversedMillis",
    "ReversedSeconds",
    "Text",
    "TimeText",
    "UuidRaw",
    "UuidText",
    "Week",
]
