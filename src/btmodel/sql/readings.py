"""How GoogleSQL reads what codecs write: the type of the stored value, and an expression over it.

Conservative: what SQL cannot read as the value, it shows as the stored text or bytes, with a note. Only
functions that both Bigtable's GoogleSQL and BigQuery's have are used here, and all that can fail in their
SAFE form: bytes that are no value are NULL, and no row makes the query fail. What the two have not in common
is chosen by ``bignumeric``: BigQuery has BIGNUMERIC and queries within expressions, Bigtable functions that read
the 8 bytes of a number.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime
from enum import Enum
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs import cell, key, meaning_of
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.key import KeyCodec
from btmodel.codecs.key.calendar import CalendarFormat
from btmodel.schema.layout import built_in
from btmodel.sql import string

# Decimal digits that every number of 64 bits has room for, and that every BIGNUMERIC has.
INT64_DIGITS = 18
_BIGNUMERIC_DIGITS = 38
_HEX_DIGITS = 16
PAST_INT64 = "NULL from 2^63 on"
_DASHES = "'^(.{8})(.{4})(.{4})(.{4})', '\\\\1-\\\\2-\\\\3-\\\\4-'"


class StoredType(Enum):
    """What bytes are taken for, by the names that BigQuery has for it."""

    TEXT = "STRING"
    BYTES = "BYTES"
    INT64 = "INTEGER"
    FLOAT64 = "FLOAT"


# How Bigtable converts the bytes of a cell or of a key.
CONVERTED = {
    StoredType.TEXT: "SAFE_CAST({} AS STRING)",
    StoredType.BYTES: "{}",
    StoredType.INT64: "SAFE.TO_INT64({})",
    StoredType.FLOAT64: "SAFE.TO_FLOAT64({})",
}


@frozen
class SqlReading:
    """An expression over a stored value: the SQL in front of it and behind it.

    The bytes are stored from the last to the first where they are ``reversed``. ``note`` is what whoever
    reads the column must know. ``partial`` says that some values which the codec writes are NULL in SQL.
    """

    stored: StoredType
    before: str = ""
    behind: str = ""
    note: str = ""
    reversed: bool = False
    partial: bool = False

    def of(self, value: str) -> str:
        """The expression of the stored value ``value``."""
        return f"{self.before}{value}{self.behind}"

    def in_bigtable(self, raw: str) -> str:
        """The expression of the bytes ``raw`` in Bigtable's GoogleSQL."""
        return self.of(CONVERTED[self.stored].format(f"REVERSE({raw})" if self.reversed else raw))

    def within(self, before: str, behind: str) -> "SqlReading":
        """The expression with more around it."""
        return evolve(self, before=before + self.before, behind=self.behind + behind)

    def over(self, before: str, behind: str = "") -> "SqlReading | None":
        """The expression over what other bytes give; None where it is one over a number."""
        match self.stored:
            case StoredType.BYTES:
                inner = before, behind
            case StoredType.TEXT:
                inner = f"SAFE_CAST({before}", f"{behind} AS STRING)"
            case _:
                return None
        return evolve(
            self, stored=StoredType.BYTES, before=self.before + inner[0], behind=inner[1] + self.behind
        )


TEXT = SqlReading(StoredType.TEXT)
BYTES = SqlReading(StoredType.BYTES)
FLAG = BYTES.within("CASE ", " WHEN b'\\x01' THEN TRUE WHEN b'\\x00' THEN FALSE END")
BOOLEAN = BYTES.within("CASE ", " WHEN b'1' THEN TRUE WHEN b'0' THEN FALSE END")


def matching(pattern: str) -> SqlReading:
    """The text where all of it matches ``pattern``, and NULL where it does not: SQL's casts take more than codecs do."""
    return _all_of(TEXT, pattern)


def _all_of(text: SqlReading, pattern: str) -> SqlReading:
    return text.within("REGEXP_EXTRACT(", f", {string(f'^{pattern}$')})")


def _hex_of(raw: SqlReading, size: int) -> SqlReading:
    """The hexadecimal digits of just ``size`` bytes; NULL of others."""
    return _all_of(raw.within("TO_HEX(", ")"), f".{{{2 * size}}}")


def int_of(text: SqlReading) -> SqlReading:
    """The number that a text is."""
    return text.within("SAFE_CAST(", " AS INT64)")


def left_to(greatest: int, digits: SqlReading) -> SqlReading:
    """What the number of the ``digits`` is less than ``greatest``."""
    return int_of(digits).within(f"SAFE_SUBTRACT({greatest}, ", ")")


def whole_number(digits: SqlReading, most: int, *, bignumeric: bool) -> SqlReading | None:
    """The number of up to ``most`` decimal digits; None where there is no type of so many."""
    if bignumeric and INT64_DIGITS < most <= _BIGNUMERIC_DIGITS:
        return digits.within("SAFE_CAST(", " AS BIGNUMERIC)")
    if most > INT64_DIGITS + 1:
        return None
    number = digits.within("SAFE_CAST(", " AS INT64)")
    return evolve(number, note=PAST_INT64, partial=True) if most > INT64_DIGITS else number


def hexadecimal(digits: SqlReading, most: int) -> SqlReading | None:
    """The number of up to ``most`` hexadecimal digits; None where 64 bits have no room for so many."""
    if most > _HEX_DIGITS:
        return None
    number = digits.within("SAFE_CAST(CONCAT('0x', ", ") AS INT64)")
    return evolve(number, note=PAST_INT64, partial=True) if most == _HEX_DIGITS else number


def machine_integer(size: int, *, little: bool, signed: bool, to_int64: bool) -> SqlReading | None:
    """The number of ``size`` bytes; None where it is of more than 64 bits.

    ``to_int64`` says that the engine has a function for 64 bits with a sign.
    """
    if 2 * size == _HEX_DIGITS and signed and to_int64:
        return SqlReading(StoredType.INT64, reversed=little)
    raw = BYTES.within("REVERSE(", ")") if little else BYTES
    digits = _hex_of(raw, size)
    if 2 * size == _HEX_DIGITS and signed:
        # No number of hexadecimal digits is below 0: of two halves, the first one has the sign.
        high, low = (f"SAFE_CAST(CONCAT('0x', {half}) AS INT64)" for half in ("LEFT(h, 8)", "RIGHT(h, 8)"))
        sign = 1 << 31
        halves = f"((({high} ^ {sign}) - {sign}) << 32) | {low}"
        return digits.within(f"(SELECT {halves} FROM (SELECT ", " AS h))")
    number = hexadecimal(digits, 2 * size)
    if number is None or not signed:
        return number
    # The bit of the sign counts downwards.
    sign = 1 << (8 * size - 1)
    return number.within("((", f" ^ {sign}) - {sign})")


def uuid_text() -> SqlReading:
    """The text of a UUID of 16 bytes, as other codecs store it."""
    return _hex_of(BYTES, 16).within("REGEXP_REPLACE(", f", {_DASHES})")


# The last letters that have no bit set after the last byte, by the number of bytes behind the last three.
_LAST = {1: "[AQgw]", 2: "[AEIMQUYcgkosw048]"}


def base64(size: int, letters: int) -> SqlReading:
    """``size`` bytes out of their URL-safe base 64 of so many letters, without padding."""
    padding, last = "=" * (-size % 3), _LAST.get(size % 3, "")
    standard = matching(f"[A-Za-z0-9_-]{{{letters - bool(last)}}}{last}").within(
        "REPLACE(REPLACE(", ", '-', '+'), '_', '/')"
    )
    if padding:
        standard = standard.within("CONCAT(", f", '{padding}')")
    return standard.within("SAFE.FROM_BASE64(", ")")


def padded_base64() -> SqlReading:
    """Any number of bytes out of their base 64, with padding."""
    letter = "[A-Za-z0-9+/]"
    ends = "|".join(f"{letter}{{{3 - size}}}{_LAST[3 - size]}{'=' * size}" for size in (1, 2))
    return matching(f"(?:{letter}{{4}})*(?:{ends})?").within("SAFE.FROM_BASE64(", ")")


def reversed_domain() -> SqlReading:
    """A domain with its labels in order."""
    return TEXT.within("ARRAY_TO_STRING(ARRAY_REVERSE(SPLIT(", ", '.')), '.')")


def timestamp(form: CalendarFormat, stored: SqlReading) -> SqlReading | None:
    """The time that a text holds; None where no format of SQL's reads its fraction of a second."""
    text, digits = form.text, {"millisecond": 3, "microsecond": 6}.get(form.granularity)
    if form.granularity == "nanosecond":
        return None
    if digits is None:
        return stored.within(f"SAFE.PARSE_TIMESTAMP({string(text)}, ", ")")
    fraction = "%3f" if digits == 3 else "%f"
    seconds = f"%E{digits}S"
    if f"%S.{fraction}" in text:
        wanted = text.replace(f"%S.{fraction}", seconds)
        return stored.within(f"SAFE.PARSE_TIMESTAMP({string(wanted)}, ", ")")
    if not text.endswith(f"%S{fraction}"):
        return None
    # SQL reads a fraction behind a point alone.
    wanted = text.removesuffix(f"%S{fraction}") + seconds
    pointed = stored.within("REGEXP_REPLACE(", f", '(.{{{digits}}})$', '.\\\\1')")
    return pointed.within(f"SAFE.PARSE_TIMESTAMP({string(wanted)}, ", ")")


def one_of(value: SqlReading, literals: Iterable[str]) -> SqlReading:
    """The value where it is one of ``literals``, in SQL; NULL where it is another."""
    cases = "".join(f" WHEN {literal} THEN {literal}" for literal in literals)
    return value.within("CASE ", f"{cases} END")


def week(form: str, first: int, origin: date) -> SqlReading:
    """The Monday of a week by its number, which stands for ``{n}`` in ``form``; NULL below the ``first`` number."""
    before, _, rest = form.partition("{")
    spec, _, behind = rest.partition("}")
    width = spec.partition(":")[2]
    number = f"([0-9]{{{int(width)}}})" if width else "(0|[1-9][0-9]*)"
    pattern = f"^{re.escape(before)}{number}{re.escape(behind)}$"
    weeks = int_of(TEXT.within("REGEXP_EXTRACT(", f", {string(pattern)})"))
    if first:
        weeks = weeks.within("NULLIF(GREATEST(SAFE_SUBTRACT(", f", {first}), -1), -1)")
    return weeks.within(f"SAFE.DATE_ADD(DATE '{origin}', INTERVAL ", " WEEK)")


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
# Exact classes: a user's codec that is derived from one may write other bytes.
_OURS = set(built_in().values())
# Bytes that are text whatever codec wrote them, one of the user's too.
_ASCII = frozenset(range(0x20, 0x7F))
# What sorts downwards has each letter of its alphabet replaced by the opposite one.
_ALPHABETS = ("0123456789", "0123456789abcdef")


def of_key(codec: KeyCodec[Any], *, bignumeric: bool = False) -> SqlReading:
    """How the bytes of a key field are read."""
    found = _value_of_key(codec, bignumeric) if type(codec) in _OURS else None
    if found is not None:
        return found
    if codec.alphabet <= _ASCII or (
        type(codec) is key.Repeated and of_key(codec.codec).stored is StoredType.TEXT
    ):
        return evolve(TEXT, note=f"as in the key: {meaning_of(codec)}")
    return _unread(codec)


def _value_of_key(codec: KeyCodec[Any], bignumeric: bool) -> SqlReading | None:
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


def _written(codec: KeyCodec[Any]) -> SqlReading:
    """The text where the codec may have written it, and NULL elsewhere: SQL's casts and formats take more than codecs do."""
    least, most = codec.length.least, codec.length.most
    match codec:
        case key.Int():
            return matching(f"(?:0|[1-9][0-9]{{0,{most - 1}}})")
        case key.UuidText(dashes=True):
            return matching("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        case _:
            size = f"{least}" if least == most else f"{least},{most}"
            return matching(f"{letters_of(codec.alphabet)}{{{size}}}")


def letters_of(alphabet: frozenset[int]) -> str:
    """The pattern of one letter of an alphabet."""
    shown = ""
    for letters, short in (("0123456789", "0-9"), ("abcdef", "a-f")):
        if alphabet >= set(letters.encode()):
            shown, alphabet = shown + short, alphabet - set(letters.encode())
    others = "".join(re.escape(one) for one in bytes(sorted(alphabet)).decode())
    return f"[{shown}{others}]"


def _of_other_bytes(codec: KeyCodec[Any], bignumeric: bool) -> SqlReading | None:
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


def _span(codec: key.EpochBucket, reading: SqlReading) -> SqlReading | None:
    """The start of a span, or its number, as the codec inside wrote it."""
    if reading.note:
        return None
    return reading if codec.codec.python_type is datetime else evolve(reading, note=meaning_of(codec))


def _before_from(codec: key.MappedKey[Any] | cell.MappedCell[Any], reading: SqlReading) -> SqlReading | None:
    """What the codec inside wrote, which a function of the user's makes the value of."""
    if reading.note and not reading.before:
        return None
    said = f"as {value_text(codec.to)} gives it; {reading.note}"
    return evolve(reading, note=said.removesuffix("; "))


def _unread(codec: KeyCodec[Any] | CellCodec[Any]) -> SqlReading:
    return SqlReading(StoredType.BYTES, note=f"SQL cannot decode it: {meaning_of(codec)}")


def _plain(inner: KeyCodec[Any], bignumeric: bool, form: str) -> SqlReading | None:
    """What ``inner`` wrote, where the bytes of ``form`` are its own; None where SQL cannot read them in full."""
    reading = of_key(inner, bignumeric=bignumeric)
    return None if reading.note else reading.over(*form.split("{}"))


def _descending(inner: KeyCodec[Any], bignumeric: bool) -> SqlReading | None:
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
    if reading.note or reading.stored is not StoredType.TEXT:
        return None
    behind = f", '{letters}', '{letters[::-1]}'){reading.behind}"
    return evolve(reading, before=f"{reading.before}TRANSLATE(", behind=behind)


def of_cell(codec: CellCodec[Any], *, bignumeric: bool = False) -> SqlReading:
    """How the bytes of a cell are read."""
    found = _value_of_cell(codec, bignumeric) if type(codec) in _OURS else None
    if found is not None:
        return found
    return (
        evolve(TEXT, note=f"as in the cell: {meaning_of(codec)}")
        if type(codec) in (cell.Json, cell.IsoTime)
        else _unread(codec)
    )


def _value_of_cell(codec: CellCodec[Any], bignumeric: bool) -> SqlReading | None:
    """The value of a cell; None where SQL cannot make it."""
    match codec:
        case cell.Utf8():
            return TEXT
        case cell.Raw():
            return BYTES
        case cell.Float64() | cell.FloatBytes(size=8, byteorder="big"):
            return SqlReading(StoredType.FLOAT64)
        case cell.FloatBytes(size=8) if not bignumeric:
            return SqlReading(StoredType.FLOAT64, reversed=True)
        case cell.Micros():
            return SqlReading(StoredType.INT64, "SAFE.TIMESTAMP_MICROS(", ")")
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


def _member(enum: type[Enum], value: SqlReading) -> SqlReading:
    """The value of a member; of an enum that finds members for other values, any value that the codec writes."""
    undecoded = value.note and not value.before
    if undecoded or enum._missing_.__func__ is not Enum._missing_.__func__:  # type: ignore[attr-defined]
        return value
    values = [member.value for member in enum]
    if all(isinstance(one, str) for one in values):
        return one_of(value, map(string, values))
    if all(type(one) is int for one in values):
        return one_of(value, (str(one) for one in values if abs(one) <= _GREATEST))
    return value


def _number(codec: CellCodec[Any], bignumeric: bool) -> SqlReading | None:
    match codec:
        case cell.Int64() | cell.IntBytes(size=8, byteorder="big", signed=True):
            return SqlReading(StoredType.INT64)
        case cell.IntBytes():
            little = codec.byteorder == "little"
            return machine_integer(codec.size, little=little, signed=codec.signed, to_int64=not bignumeric)
        case cell.DecimalText():
            number = matching("-?(?:0|[1-9][0-9]*)").within("SAFE_CAST(", " AS INT64)")
            return evolve(number, note="NULL where it has more than 64 bits", partial=True)
        case cell.FloatText():
            real = matching("-?[0-9]+(?:[.][0-9]+)?(?:e[+-]?[0-9]+)?")
            return evolve(real.within("SAFE_CAST(", " AS FLOAT64)"), partial=True)  # no infinity, no NaN
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
