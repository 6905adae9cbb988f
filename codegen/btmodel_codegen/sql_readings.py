"""How GoogleSQL reads what codecs write: the type of the stored value, and an expression over it.

Conservative: what SQL cannot read as the value, it shows as the stored text or bytes, with a note. Only
functions that both Bigtable's GoogleSQL and BigQuery's have are used here, and all that can fail in their
SAFE form: bytes that are no value are NULL, and no row makes the query fail. What the two have not in common
is chosen by ``bignumeric``: BigQuery has BIGNUMERIC and queries within expressions, Bigtable functions that read
the 8 bytes of a number.
"""

import re
from datetime import datetime
from enum import Enum
from typing import Any

from attrs import evolve

from btmodel.codecs import cell, key, meaning_of
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.key import KeyCodec
from btmodel.schema.layout import built_in
from btmodel_codegen.sql_reading import (
    BOOLEAN,
    BYTES,
    FLAG,
    INT64_DIGITS,
    TEXT,
    Reading,
    Stored,
    base64,
    hexadecimal,
    int_of,
    left_to,
    machine_integer,
    matching,
    one_of,
    padded_base64,
    reversed_domain,
    timestamp,
    uuid_text,
    week,
    whole_number,
)
from btmodel_codegen.sql_text import string

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
_COUNTS = {
    "second": "SAFE.TIMESTAMP_SECONDS",
    "millisecond": "SAFE.TIMESTAMP_MILLIS",
    "microsecond": "SAFE.TIMESTAMP_MICROS",
}
_GREATEST = 2**63 - 1
# Exact classes: a codec of somebody else's that is derived from one may write other bytes.
_OURS = set(built_in().values())
# What sorts downwards has each letter of its alphabet replaced by the opposite one.
_ALPHABETS = ("0123456789", "0123456789abcdef")


def of_key(codec: KeyCodec[Any], *, bignumeric: bool = False) -> Reading:
    """How the bytes of a key field are read."""
    found = _value_of_key(codec, bignumeric) if type(codec) in _OURS else None
    if found is not None:
        return found
    if type(codec) in _AS_TEXT or (type(codec) is key.Repeated and of_key(codec.codec).stored is Stored.TEXT):
        return evolve(TEXT, note=f"as in the key: {meaning_of(codec)}")
    return _unread(codec)


def _value_of_key(codec: KeyCodec[Any], bignumeric: bool) -> Reading | None:
    """The value of a field; None where SQL cannot make it."""
    if type(codec) in _TIMES:
        return int_of(_written(codec)).within(f"{_TIMES[type(codec)][0]}(", ")")
    if type(codec) in _REVERSED:
        return left_to(_GREATEST, _written(codec)).within(f"{_REVERSED[type(codec)]}(", ")")
    match codec:
        case key.Text(encoding="utf-8" | "ascii"):
            return TEXT if codec.width is None else TEXT.within("RTRIM(", ", ' ')")
        case key.PaddedInt() | key.Int():
            return whole_number(_written(codec), codec.length.most, bignumeric=bignumeric)
        case key.ReversedDigits(padded=True):
            return whole_number(_written(codec).within("REVERSE(", ")"), codec.digits, bignumeric=bignumeric)
        case key.HexInt(padded=True):
            return hexadecimal(_written(codec), codec.digits)
        case key.DateText():
            return _written(codec).within(f"SAFE.PARSE_DATE({string(codec.format.text)}, ", ")")
        case key.TimeText():
            return timestamp(codec.format, _written(codec))
        case key.TimeBytes(unit=unit, size=size) if unit in _COUNTS:
            # Counts of 8 bytes without a sign are those with one: no time is so late.
            signed, little = codec.signed or size == 8, codec.byteorder == "little"
            count = machine_integer(size, little=little, signed=signed, to_int64=not bignumeric)
            return None if count is None else count.within(f"{_COUNTS[unit]}(", ")")
        case key.Week():
            return week(codec.format, codec.first, codec.origin)
        case key.Hex():
            return _written(codec).within("SAFE.FROM_HEX(", ")")
        case key.Base64(urlsafe=True, padded=False):
            return base64(codec.size, codec.length.most)
        case key.Boolean():
            return BOOLEAN
        case key.HexDigest() | key.UuidText():
            return _written(codec)
        case key.EnumText(enum=enum):
            return _member(enum, TEXT)
        case key.ReversedDomain():
            return reversed_domain()
        case key.UuidRaw():
            return uuid_text()
        case key.Bytes():
            return BYTES
        case _:
            return _of_other_bytes(codec, bignumeric)


def _written(codec: KeyCodec[Any]) -> Reading:
    """The text where the codec may have written it, and NULL elsewhere: SQL's casts and formats take more than codecs do."""
    least, most = codec.length.least, codec.length.most
    match codec:
        case key.Int():
            return matching(f"(?:0|[1-9][0-9]{{0,{most - 1}}})")
        case key.UuidText(dashes=True):
            return matching("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        case _:
            size = f"{least}" if least == most else f"{least},{most}"
            return matching(f"{_letter_of(codec.alphabet)}{{{size}}}")


def _letter_of(alphabet: frozenset[int]) -> str:
    """The pattern of one letter of an alphabet."""
    shown = ""
    for letters, short in (("0123456789", "0-9"), ("abcdef", "a-f")):
        if alphabet >= set(letters.encode()):
            shown, alphabet = shown + short, alphabet - set(letters.encode())
    others = "".join(re.escape(one) for one in bytes(sorted(alphabet)).decode())
    return f"[{shown}{others}]"


def _of_other_bytes(codec: KeyCodec[Any], bignumeric: bool) -> Reading | None:
    """Of numbers as machines have them, and of codecs that change what another one writes."""
    match codec:
        case key.BigEndian() | key.LittleEndian():
            little = isinstance(codec, key.LittleEndian)
            return machine_integer(codec.size, little=little, signed=codec.signed, to_int64=not bignumeric)
        case key.LengthPrefixed(codec=inner):
            return _plain(inner, bignumeric, f"SUBSTR({{}}, {codec.size + 1})")
        case key.Descending(codec=inner, greatest=None):
            return _descending(inner, bignumeric)
        case key.Descending(codec=key.PaddedInt() as inner, greatest=int(greatest)) if greatest <= _GREATEST:
            return left_to(greatest, _written(inner))
        case key.EpochBucket(codec=inner):
            return _span(codec, of_key(inner, bignumeric=bignumeric))
        case key.MappedKey(codec=inner):
            return _before_from(codec, of_key(inner, bignumeric=bignumeric))
        case _:
            return None


def _span(codec: key.EpochBucket, reading: Reading) -> Reading | None:
    """The start of a span, or its number, as the codec inside wrote it."""
    if reading.note:
        return None
    return reading if codec.codec.python_type is datetime else evolve(reading, note=meaning_of(codec))


def _before_from(codec: key.MappedKey[Any] | cell.MappedCell[Any], reading: Reading) -> Reading | None:
    """What the codec inside wrote, which a function of the user's makes the value of."""
    if reading.note and not reading.before:
        return None
    said = f"as {value_text(codec.to)} gives it; {reading.note}"
    return evolve(reading, note=said.removesuffix("; "))


def _unread(codec: KeyCodec[Any] | CellCodec[Any]) -> Reading:
    return Reading(Stored.BYTES, note=f"SQL cannot decode it: {meaning_of(codec)}")


_AS_TEXT = (
    key.Base64,
    key.Base58,
    key.HexInt,
    key.Int,
    key.IsoTimeText,
    key.IsoWeek,
    key.PaddedInt,
    key.ReversedDigits,
    key.TimeText,
)


def _plain(inner: KeyCodec[Any], bignumeric: bool, form: str) -> Reading | None:
    """What ``inner`` wrote, where the bytes of ``form`` are its own; None where SQL cannot read them in full."""
    reading = of_key(inner, bignumeric=bignumeric)
    return None if reading.note else reading.over(*form.split("{}"))


def _descending(inner: KeyCodec[Any], bignumeric: bool) -> Reading | None:
    """Of decimal digits: what is left to all nines; of others, the opposite of each letter."""
    digits = inner.length.most
    if type(inner) is key.PaddedInt and digits <= INT64_DIGITS:
        return left_to(10**digits - 1, _written(inner))
    if type(inner) in _TIMES:
        function, digits = _TIMES[type(inner)]
        return left_to(10**digits - 1, _written(inner)).within(f"{function}(", ")")
    letters = next((one for one in _ALPHABETS if inner.alphabet <= set(one.encode())), None)
    if letters is None:
        return _plain(inner, bignumeric, "~{}")
    reading = of_key(inner, bignumeric=bignumeric)
    if reading.note or reading.stored is not Stored.TEXT:
        return None
    behind = f", '{letters}', '{letters[::-1]}'){reading.behind}"
    return evolve(reading, before=f"{reading.before}TRANSLATE(", behind=behind)


def of_cell(codec: CellCodec[Any], *, bignumeric: bool = False) -> Reading:
    """How the bytes of a cell are read."""
    found = _value_of_cell(codec, bignumeric) if type(codec) in _OURS else None
    if found is not None:
        return found
    return (
        evolve(TEXT, note=f"as in the cell: {meaning_of(codec)}")
        if type(codec) in (cell.Json, cell.IsoTime)
        else _unread(codec)
    )


def _value_of_cell(codec: CellCodec[Any], bignumeric: bool) -> Reading | None:
    """The value of a cell; None where SQL cannot make it."""
    match codec:
        case cell.Utf8():
            return TEXT
        case cell.Raw():
            return BYTES
        case cell.Float64() | cell.FloatBytes(size=8, byteorder="big"):
            return Reading(Stored.FLOAT64)
        case cell.FloatBytes(size=8) if not bignumeric:
            return Reading(Stored.FLOAT64, reversed=True)
        case cell.Micros():
            return Reading(Stored.INT64, "SAFE.TIMESTAMP_MICROS(", ")")
        case cell.Flag():
            return FLAG
        case cell.FlagText():
            return TEXT.within(
                "CASE ", f" WHEN {string(codec.true)} THEN TRUE WHEN {string(codec.false)} THEN FALSE END"
            )
        case cell.Present():
            return BYTES.within("", " IS NOT NULL")
        case cell.IsoDate():
            return matching("[0-9]{4}-[0-9]{2}-[0-9]{2}").within("SAFE_CAST(", " AS DATE)")
        case cell.HexText(codec=cell.Raw()):
            return matching("(?:[0-9a-f]{2})*").within("SAFE.FROM_HEX(", ")")
        case cell.Base64Text(codec=cell.Raw(), urlsafe=False, padded=True):
            return padded_base64()
        case cell.UuidBytes():
            return uuid_text()
        case cell.EnumValue(enum=enum, value=value):
            return _member(enum, of_cell(value, bignumeric=bignumeric))
        case key.AsInKey(codec=inner):
            return of_key(inner, bignumeric=bignumeric)
        case cell.MappedCell(codec=inner):
            return _before_from(codec, of_cell(inner, bignumeric=bignumeric))
        case _:
            return _number(codec, bignumeric)


def _member(enum: type[Enum], value: Reading) -> Reading:
    """The value of a member; of an enum that finds members for other values, any value that the codec writes."""
    undecoded = value.note and not value.before
    if undecoded or enum._missing_.__func__ is not Enum._missing_.__func__:  # type: ignore[attr-defined]
        return value
    values = [one.value for one in enum]
    if all(isinstance(one, str) for one in values):
        return one_of(value, map(string, values))
    if all(type(one) is int for one in values):
        return one_of(value, (str(one) for one in values if abs(one) <= _GREATEST))
    return value


def _number(codec: CellCodec[Any], bignumeric: bool) -> Reading | None:
    match codec:
        case cell.Int64() | cell.IntBytes(size=8, byteorder="big", signed=True):
            return Reading(Stored.INT64)
        case cell.IntBytes():
            little = codec.byteorder == "little"
            return machine_integer(codec.size, little=little, signed=codec.signed, to_int64=not bignumeric)
        case cell.DecimalText():
            number = matching("-?(?:0|[1-9][0-9]*)").within("SAFE_CAST(", " AS INT64)")
            return evolve(number, note="NULL where it has more than 64 bits")
        case cell.FloatText():
            real = matching("-?[0-9]+(?:[.][0-9]+)?(?:e[+-]?[0-9]+)?")
            return real.within("SAFE_CAST(", " AS FLOAT64)")
        case cell.DecimalNumber() if bignumeric:
            digits = matching("[+-]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?")
            number = digits.within("SAFE_CAST(", " AS BIGNUMERIC)")
            return evolve(
                number, note="rounded to 38 decimal places; NULL if more than 38 digits precede the point"
            )
        case cell.DecimalNumber():
            note = "as in the cell: decimal text, for SQL has no decimal numbers here"
            return evolve(TEXT, note=f"{note}; SAFE_CAST(... AS FLOAT64) of it rounds to 15 digits or so")
        case _:
            return None
