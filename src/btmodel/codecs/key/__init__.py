"""Codecs of row-key fields. To add one: a file, and a line in this table."""

from btmodel.codecs.key.base import KeyCodec, Kind, Length, Order
from btmodel.codecs.key.calendar import DateText, TimeText
from btmodel.codecs.key.constant import Constant
from btmodel.codecs.key.epoch import EpochMicros, EpochMillis, EpochSeconds
from btmodel.codecs.key.integer import Int, PaddedInt
from btmodel.codecs.key.iso_week import IsoWeek
from btmodel.codecs.key.text import Text
from btmodel.codecs.key.week import Week

__all__ = [
    "Constant",
    "DateText",
    "EpochMicros",
    "EpochMillis",
    "EpochSeconds",
    "Int",
    "IsoWeek",
    "KeyCodec",
    "Kind",
    "Length",
    "Order",
    "PaddedInt",
    "Text",
    "TimeText",
    "Week",
]
