"""Guesses of cell codecs. To add one: a function, and its line in the table."""

import json
import math
import re
import struct
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from attrs import frozen

from btmodel.codecs.aware_times import from_micros, micros_since_epoch
from btmodel.codecs.cell import (
    CellCodec,
    DecimalNumber,
    DecimalText,
    Flag,
    FlagText,
    Float64,
    FloatText,
    Int64,
    IsoDate,
    Json,
    Micros,
    Present,
    Raw,
    Utf8,
    UuidBytes,
)
from btmodel.codecs.key import AsInKey
from btmodel.guess.key_codecs import (
    EARLIEST,
    LATEST,
    SEVERAL,
    between,
    calendar,
    epoch,
    fits,
    sizes,
    span,
    uuid_text,
)

# Cells from which on it counts that all of them are of one of two kinds.
MANY = 10


@frozen
class CellGuess:
    """What the values of cells seem to be: the codec that fits them all, and why it was chosen.

    ``said`` is the evidence in words, without the number of values.
    """

    codec: CellCodec[Any]
    said: str


CellGuesser = Callable[[Sequence[bytes]], CellGuess | None]


_EXACT = 2**53  # the whole numbers that a float holds, too: counts beyond that are rare
_LEAST_REAL, _MOST_REAL = 1e-12, 1e18
_TIMES = range(micros_since_epoch(EARLIEST), micros_since_epoch(LATEST))


def micros(values: Sequence[bytes]) -> CellGuess | None:
    """Eight bytes that are times from 2000 to 2040 in microseconds: as counts they would be huge and near."""
    if not _eight(values):
        return None
    counts = _ints(values)
    if len(set(counts)) < SEVERAL or not all(count in _TIMES for count in counts):
        return None
    times = [from_micros(count) for count in counts]
    return CellGuess(Micros(), f"8 bytes, microseconds since 1970, {between(times)}")


def int64(values: Sequence[bytes]) -> CellGuess | None:
    """Eight bytes that are whole numbers within 2**53 of zero; as floats they would be next to nothing.

    If all are zero, that is undecided: they are bytes then, for a float that is read as a whole number is wrong.
    """
    if not _eight(values):
        return None
    counts = _ints(values)
    if not any(counts) or not all(-_EXACT <= count <= _EXACT for count in counts):
        return None
    return CellGuess(Int64(), f"8 bytes, whole numbers, {span(min(counts), max(counts))}")


def float64(values: Sequence[bytes]) -> CellGuess | None:
    """Eight bytes that are floats of a size that is measured; as whole numbers they would be huge."""
    if not _eight(values):
        return None
    reals = [struct.unpack(">d", value)[0] for value in values]
    # One of twenty other things of eight bytes would be such a float.
    if len(set(values)) < SEVERAL or not all(map(_measured, reals)) or not fits(Float64(), values):
        return None
    finite = [real for real in reals if not math.isnan(real)]
    if not finite:
        return None
    return CellGuess(Float64(), f"8 bytes, floats, {span(min(finite), max(finite))}")


def uuid_bytes(values: Sequence[bytes]) -> CellGuess | None:
    """Sixteen bytes, in several cells, that all say the same version of a UUID, 1 to 8."""
    if len(set(values)) < SEVERAL or not all(len(value) == 16 for value in values):
        return None
    versions = {UUID(bytes=value).version for value in values}
    return CellGuess(UuidBytes(), "16 bytes of a UUID") if len(versions) == 1 and versions != {None} else None


def raw(values: Sequence[bytes]) -> CellGuess:
    """Bytes as they are, which is always right."""
    return CellGuess(Raw(), f"bytes, {sizes(values)}, of no recognizable kind")


def _eight(values: Sequence[bytes]) -> bool:
    return all(len(value) == 8 for value in values)


def _ints(values: Sequence[bytes]) -> list[int]:
    return [int.from_bytes(value, "big", signed=True) for value in values]


def _measured(real: float) -> bool:
    return real == 0 or math.isnan(real) or _LEAST_REAL <= abs(real) <= _MOST_REAL


def iso_date(values: Sequence[bytes]) -> CellGuess | None:
    """Days as ISO text."""
    return CellGuess(IsoDate(), "ISO dates as text") if fits(IsoDate(), values) else None


def calendar_text(values: Sequence[bytes]) -> CellGuess | None:
    """Times in a format of the calendar that has more than digits: mere digits are numbers rather."""
    found = None if all(value.isdigit() for value in values) else calendar(values)
    return CellGuess(AsInKey(found.codec), found.said) if found else None


def uuid_as_text(values: Sequence[bytes]) -> CellGuess | None:
    """UUIDs with dashes."""
    found = uuid_text(values) if all(b"-" in value for value in values) else None
    return CellGuess(AsInKey(found.codec), found.said) if found else None


_OPEN = {b"{": dict[str, Any], b"[": list[Any]}


def document(values: Sequence[bytes]) -> CellGuess | None:
    """JSON, objects or lists throughout. The spaces between its parts say nothing, so they may change."""
    kinds = {value[:1] for value in values}
    type_ = _OPEN.get(kinds.pop()) if len(kinds) == 1 else None
    if type_ is None:
        return None
    codec: Json[Any] = Json(type_)
    if fits(codec, values):
        return CellGuess(codec, "JSON documents")
    if all(_same(codec, value) for value in values):
        return CellGuess(codec, "JSON documents, with other spaces or escapes than this codec writes")
    return None


def _same(codec: Json[Any], value: bytes) -> bool:
    """Whether the document comes back, though perhaps not to the byte."""
    try:
        # As text: 1.0 and 1 are equal, and not the same.
        again = json.loads(codec.encode(codec.decode(value)))
        return json.dumps(again) == json.dumps(json.loads(value))
    except (ValueError, OverflowError, RecursionError):
        return False


_WORDS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"))
# Words of people as well, who say "maybe": both have to be there, and nothing else in many cells.
_ANSWERS = ("yes", "no")


def empty(values: Sequence[bytes]) -> CellGuess | None:
    """Many cells without a byte: they say something by being there. A few may be texts that happen to be empty."""
    return None if any(values) or len(values) < MANY else CellGuess(Present(), "empty")


def flag(values: Sequence[bytes]) -> CellGuess | None:
    """One byte, 0 or 1, in many cells: a few may be small numbers."""
    found = len(values) >= MANY and fits(Flag(), values)
    return CellGuess(Flag(), "one byte, 0 or 1") if found else None


def word(values: Sequence[bytes]) -> CellGuess | None:
    """One of two words, as programs write them; one of them alone is enough, but for yes and no."""
    answers = len(values) >= MANY and len(set(values)) > 1
    for true, false in (*_WORDS, *([_ANSWERS] if answers else [])):
        codec = FlagText(true, false)
        if fits(codec, values):
            return CellGuess(codec, f"the word {true} or {false}")
    return None


_DIGITS = re.compile(rb"[0-9]")
# A program that writes more digits than these writes floats; a float has up to 17.
_MOST_OF_DECIMALS = 12


def time_in_digits(values: Sequence[bytes]) -> CellGuess | None:
    """Digits since 1970, as row keys have them, in several cells."""
    several = len(set(values)) >= SEVERAL and all(value.isdigit() for value in values)
    found = epoch(values) if several else None
    return CellGuess(AsInKey(found.codec), found.said) if found else None


def whole_number(values: Sequence[bytes]) -> CellGuess | None:
    """Whole numbers without zeros on the left."""
    if not fits(DecimalText(), values):
        return None
    least, most = (limit(map(int, values)) for limit in (min, max))
    return CellGuess(DecimalText(), f"whole numbers as text, {span(least, most)}")


def real_number(values: Sequence[bytes]) -> CellGuess | None:
    """Numbers with a point: decimals, or floats where they have more digits than people write."""
    longest = max(len(_DIGITS.findall(value)) for value in values)
    floats = CellGuess(FloatText(), f"numbers as text, up to {longest} digits")
    decimals = CellGuess(DecimalNumber(), f"decimal numbers as text, up to {longest} digits")
    order = (floats, decimals) if longest > _MOST_OF_DECIMALS else (decimals, floats)
    return next((guess for guess in order if fits(guess.codec, values)), None)


# Tabs and the ends of lines are no sign of bytes that are no text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def text(values: Sequence[bytes]) -> CellGuess | None:
    """UTF-8 without control characters."""
    if not fits(Utf8(), values) or any(_CONTROL.search(value.decode()) for value in values):
        return None
    return CellGuess(Utf8(), f"text, {sizes(values)}")


# The first that fits all values is taken, so what says most stands in front.
CELLS: tuple[CellGuesser, ...] = (
    empty,
    flag,
    word,
    time_in_digits,
    whole_number,
    real_number,
    iso_date,
    calendar_text,
    uuid_as_text,
    document,
    text,
    micros,
    int64,
    float64,
    uuid_bytes,
)


def guess_cell(values: Sequence[bytes]) -> CellGuess:
    """What ``values``, of which there is at least one, seem to be: whatever fails, they are bytes."""
    found = (guess(values) for guess in CELLS)
    return next((guess for guess in found if guess is not None), None) or raw(values)
