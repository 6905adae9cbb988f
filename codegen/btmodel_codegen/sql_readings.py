"""How GoogleSQL reads what codecs write: the type of the stored value, and an expression over it.

Conservative: what SQL cannot read as the value, it shows as the stored text or bytes, with a note. Only
functions that both Bigtable's GoogleSQL and BigQuery's have are used here, and all that can fail in their
SAFE form: bytes that are no value are NULL, and no row makes the query fail.
"""

from enum import Enum
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs import cell, key
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel_codegen.sql_text import string

# Decimal digits that every number of 64 bits has room for.
_DIGITS = 18
_TIMES: dict[type, tuple[str, int]] = {
    key.EpochSeconds: ("SAFE.TIMESTAMP_SECONDS", 10),
    key.EpochMillis: ("SAFE.TIMESTAMP_MILLIS", 13),
    key.EpochMicros: ("SAFE.TIMESTAMP_MICROS", 16),
}
_REVERSED: dict[type, str] = {
    key.ReversedSeconds: "SAFE.TIMESTAMP_SECONDS",
    key.ReversedMillis: "SAFE.TIMESTAMP_MILLIS",
    key.ReversedMicros: "SAFE.TIMESTAMP_MICROS",
}
_GREATEST = 2**63 - 1
# Exact classes: a codec of somebody else's that is derived from one may write other bytes.
_OURS = {one for codecs in (cell, key) for one in vars(codecs).values() if isinstance(one, type)}


class Stored(Enum):
    """What bytes are taken for, by the names that BigQuery has for it."""

    TEXT = "STRING"
    BYTES = "BYTES"
    INT64 = "INTEGER"
    FLOAT64 = "FLOAT"


@frozen
class Reading:
    """An expression over a stored value: the SQL in front of it and behind it.

    ``note`` is what whoever reads the column must know.
    """

    stored: Stored
    before: str = ""
    behind: str = ""
    note: str = ""

    def of(self, value: str) -> str:
        """The expression of the stored value ``value``."""
        return f"{self.before}{value}{self.behind}"

    def within(self, before: str, behind: str) -> "Reading":
        """The expression with more around it."""
        return evolve(self, before=before + self.before, behind=self.behind + behind)


_TEXT = Reading(Stored.TEXT)
_INT_OF_TEXT = Reading(Stored.TEXT, "SAFE_CAST(", " AS INT64)")


def of_key(codec: KeyCodec[Any]) -> Reading:
    """How the bytes of a key field are read."""
    if type(codec) not in _OURS:
        return _unread(codec)
    if type(codec) in _TIMES:
        return _INT_OF_TEXT.within(f"{_TIMES[type(codec)][0]}(", ")")
    if type(codec) in _REVERSED:
        return _left_to(_GREATEST).within(f"{_REVERSED[type(codec)]}(", ")")
    match codec:
        case key.Text():
            return _TEXT if codec.width is None else _TEXT.within("RTRIM(", ", ' ')")
        case key.PaddedInt() | key.Int() if codec.length.most <= _DIGITS:
            return _INT_OF_TEXT
        case key.Descending(codec=inner):
            return _descending(codec, inner)
        case key.DateText():
            return _TEXT.within(f"SAFE.PARSE_DATE({string(codec.format.text)}, ", ")")
        case key.TimeText() if codec.granularity not in ("millisecond", "microsecond"):
            return _TEXT.within(f"SAFE.PARSE_TIMESTAMP({string(codec.format.text)}, ", ")")
        case key.Hex():
            return _TEXT.within("SAFE.FROM_HEX(", ")")
        case key.Boolean():
            return Reading(Stored.BYTES, "", " = b'1'")
        case key.EnumText() | key.HexDigest() | key.UuidText():
            return _TEXT
        case key.BigEndian(size=8):
            note = "" if codec.signed else "numbers from 2^63 on come out below 0"
            return Reading(Stored.INT64, note=note)
        case key.Bytes():
            return Reading(Stored.BYTES)
        case _ if type(codec) in _AS_TEXT:
            return evolve(_TEXT, note=f"as in the key: {codec.meaning}")
        case _:
            return _unread(codec)


def _unread(codec: KeyCodec[Any] | CellCodec[Any]) -> Reading:
    return Reading(Stored.BYTES, note=f"SQL cannot decode it: {codec.meaning}")


_AS_TEXT = (
    key.Base58,
    key.Base64,
    key.HexInt,
    key.Int,
    key.IsoWeek,
    key.PaddedInt,
    key.ReversedDigits,
    key.ReversedDomain,
    key.TimeText,
    key.Week,
)


def _descending(codec: KeyCodec[Any], inner: KeyCodec[Any]) -> Reading:
    """Of decimal digits only: what is left to all nines."""
    digits = inner.length.most
    if isinstance(inner, key.PaddedInt) and digits <= _DIGITS:
        return _left_to(10**digits - 1)
    if type(inner) in _TIMES:
        function, digits = _TIMES[type(inner)]
        return _left_to(10**digits - 1).within(f"{function}(", ")")
    return _unread(codec)


def _left_to(greatest: int) -> Reading:
    """What a number as text is less than ``greatest``."""
    return _INT_OF_TEXT.within(f"SAFE_SUBTRACT({greatest}, ", ")")


def of_cell(codec: CellCodec[Any]) -> Reading:
    """How the bytes of a cell are read."""
    if type(codec) not in _OURS:
        return _unread(codec)
    match codec:
        case cell.Utf8():
            return _TEXT
        case cell.Raw():
            return Reading(Stored.BYTES)
        case cell.Int64() | cell.IntBytes(size=8, byteorder="big", signed=True):
            return Reading(Stored.INT64)
        case cell.Float64() | cell.FloatBytes(size=8, byteorder="big"):
            return Reading(Stored.FLOAT64)
        case cell.Micros():
            return Reading(Stored.INT64, "SAFE.TIMESTAMP_MICROS(", ")")
        case cell.Flag():
            return Reading(Stored.BYTES, "", " = b'\\x01'")
        case cell.FlagText():
            return _TEXT.within(
                "CASE ", f" WHEN {string(codec.true)} THEN TRUE WHEN {string(codec.false)} THEN FALSE END"
            )
        case cell.Present():
            return Reading(Stored.BYTES, "", " IS NOT NULL")
        case cell.DecimalText():
            return evolve(_INT_OF_TEXT, note="NULL where it has more than 64 bits")
        case cell.FloatText():
            return _TEXT.within("SAFE_CAST(", " AS FLOAT64)")
        case cell.IsoDate():
            return _TEXT.within("SAFE_CAST(", " AS DATE)")
        case cell.HexText():
            return _TEXT.within("SAFE.FROM_HEX(", ")")
        case cell.Base64Text():
            return _TEXT.within("SAFE.FROM_BASE64(", ")")
        case cell.EnumValue(value=value):
            return of_cell(value)
        case key.AsInKey(codec=inner):
            return of_key(inner)
        case cell.DecimalNumber() | cell.Json():
            return evolve(_TEXT, note=f"as in the cell: {codec.meaning}")
        case _:
            return _unread(codec)
