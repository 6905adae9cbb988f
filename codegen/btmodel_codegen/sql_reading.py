"""An expression of GoogleSQL over a stored value, and the pieces that such expressions are made of."""

import re
from collections.abc import Iterable
from datetime import date
from enum import Enum

from attrs import evolve, frozen

from btmodel.codecs.key.calendar import CalendarFormat
from btmodel_codegen.sql_text import string

# Decimal digits that every number of 64 bits has room for, and that every BIGNUMERIC has.
INT64_DIGITS = 18
_BIGNUMERIC_DIGITS = 38
_HEX_DIGITS = 16
PAST_INT64 = "NULL from 2^63 on"
_DASHES = "'^(.{8})(.{4})(.{4})(.{4})', '\\\\1-\\\\2-\\\\3-\\\\4-'"


class Stored(Enum):
    """What bytes are taken for, by the names that BigQuery has for it."""

    TEXT = "STRING"
    BYTES = "BYTES"
    INT64 = "INTEGER"
    FLOAT64 = "FLOAT"


@frozen
class Reading:
    """An expression over a stored value: the SQL in front of it and behind it.

    The bytes are stored from the last to the first where they are ``reversed``. ``note`` is what whoever
    reads the column must know.
    """

    stored: Stored
    before: str = ""
    behind: str = ""
    note: str = ""
    reversed: bool = False

    def of(self, value: str) -> str:
        """The expression of the stored value ``value``."""
        return f"{self.before}{value}{self.behind}"

    def within(self, before: str, behind: str) -> "Reading":
        """The expression with more around it."""
        return evolve(self, before=before + self.before, behind=self.behind + behind)

    def over(self, before: str, behind: str = "") -> "Reading | None":
        """The expression over what other bytes give; None where it is one over a number."""
        match self.stored:
            case Stored.BYTES:
                inner = before, behind
            case Stored.TEXT:
                inner = f"SAFE_CAST({before}", f"{behind} AS STRING)"
            case _:
                return None
        return evolve(self, stored=Stored.BYTES, before=self.before + inner[0], behind=inner[1] + self.behind)


TEXT = Reading(Stored.TEXT)
BYTES = Reading(Stored.BYTES)
FLAG = BYTES.within("CASE ", " WHEN b'\\x01' THEN TRUE WHEN b'\\x00' THEN FALSE END")
BOOLEAN = BYTES.within("CASE ", " WHEN b'1' THEN TRUE WHEN b'0' THEN FALSE END")


def matching(pattern: str) -> Reading:
    """The text where all of it matches ``pattern``, and NULL where it does not: SQL's casts take more than codecs do."""
    return _all_of(TEXT, pattern)


def _all_of(text: Reading, pattern: str) -> Reading:
    return text.within("REGEXP_EXTRACT(", f", {string(f'^{pattern}$')})")


def _hex_of(raw: Reading, size: int) -> Reading:
    """The hexadecimal digits of just ``size`` bytes; NULL of others."""
    return _all_of(raw.within("TO_HEX(", ")"), f".{{{2 * size}}}")


def int_of(text: Reading) -> Reading:
    """The number that a text is."""
    return text.within("SAFE_CAST(", " AS INT64)")


def left_to(greatest: int, digits: Reading) -> Reading:
    """What the number of the ``digits`` is less than ``greatest``."""
    return int_of(digits).within(f"SAFE_SUBTRACT({greatest}, ", ")")


def whole_number(digits: Reading, most: int, *, bignumeric: bool) -> Reading | None:
    """The number of up to ``most`` decimal digits; None where there is no type of so many."""
    if bignumeric and INT64_DIGITS < most <= _BIGNUMERIC_DIGITS:
        return digits.within("SAFE_CAST(", " AS BIGNUMERIC)")
    if most > INT64_DIGITS + 1:
        return None
    return evolve(digits.within("SAFE_CAST(", " AS INT64)"), note=PAST_INT64 if most > INT64_DIGITS else "")


def hexadecimal(digits: Reading, most: int) -> Reading | None:
    """The number of up to ``most`` hexadecimal digits; None where 64 bits have no room for so many."""
    if most > _HEX_DIGITS:
        return None
    number = digits.within("SAFE_CAST(CONCAT('0x', ", ") AS INT64)")
    return evolve(number, note=PAST_INT64 if most == _HEX_DIGITS else "")


def machine_integer(size: int, *, little: bool, signed: bool, to_int64: bool) -> Reading | None:
    """The number of ``size`` bytes; None where it is of more than 64 bits.

    ``to_int64`` says that the engine has a function for 64 bits with a sign.
    """
    if 2 * size == _HEX_DIGITS and signed and to_int64:
        return Reading(Stored.INT64, reversed=little)
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


def uuid_text() -> Reading:
    """The text of a UUID of 16 bytes, as other codecs store it."""
    return _hex_of(BYTES, 16).within("REGEXP_REPLACE(", f", {_DASHES})")


# The last letters that have no bit set after the last byte, by the number of bytes behind the last three.
_LAST = {1: "[AQgw]", 2: "[AEIMQUYcgkosw048]"}


def base64(size: int, letters: int) -> Reading:
    """``size`` bytes out of their URL-safe base 64 of so many letters, without padding."""
    padding, last = "=" * (-size % 3), _LAST.get(size % 3, "")
    standard = matching(f"[A-Za-z0-9_-]{{{letters - bool(last)}}}{last}").within(
        "REPLACE(REPLACE(", ", '-', '+'), '_', '/')"
    )
    if padding:
        standard = standard.within("CONCAT(", f", '{padding}')")
    return standard.within("SAFE.FROM_BASE64(", ")")


def padded_base64() -> Reading:
    """Any number of bytes out of their base 64, with padding."""
    letter = "[A-Za-z0-9+/]"
    ends = "|".join(f"{letter}{{{3 - size}}}{_LAST[3 - size]}{'=' * size}" for size in (1, 2))
    return matching(f"(?:{letter}{{4}})*(?:{ends})?").within("SAFE.FROM_BASE64(", ")")


def reversed_domain() -> Reading:
    """A domain with its labels in order."""
    return TEXT.within("ARRAY_TO_STRING(ARRAY_REVERSE(SPLIT(", ", '.')), '.')")


def timestamp(form: CalendarFormat, stored: Reading) -> Reading | None:
    """The time that a text tells; None where no format of SQL's reads its fraction of a second."""
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


def one_of(value: Reading, literals: Iterable[str]) -> Reading:
    """The value where it is one of ``literals``, in SQL; NULL where it is another."""
    cases = "".join(f" WHEN {literal} THEN {literal}" for literal in literals)
    return value.within("CASE ", f"{cases} END")


def week(form: str, first: int, origin: date) -> Reading:
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
