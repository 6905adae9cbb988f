"""Numbers and times in cells, as text."""

import re
from collections.abc import Sequence

from btmodel.codecs.cell import DecimalNumber, DecimalText, FloatText
from btmodel.codecs.key import AsInKey
from btmodel.guess.cells.base import CellGuess, fits
from btmodel.guess.fields.base import SEVERAL, span
from btmodel.guess.fields.epoch import epoch

_DIGITS = re.compile(rb"[0-9]")
# Who writes more digits than these writes floats; a float has up to 17.
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
