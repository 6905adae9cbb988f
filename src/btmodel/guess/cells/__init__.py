"""Guesses at the values of cells. To add one: a file, and a line in this table."""

from collections.abc import Sequence

from btmodel.guess.cells.base import CellGuess, CellGuesser, fits
from btmodel.guess.cells.binary import float64, int64, micros, raw, uuid_bytes
from btmodel.guess.cells.dates import calendar_text, iso_date, uuid_as_text
from btmodel.guess.cells.documents import document
from btmodel.guess.cells.marks import empty, flag, word
from btmodel.guess.cells.numbers_as_text import real_number, time_in_digits, whole_number
from btmodel.guess.cells.text import text

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


__all__ = ["CELLS", "CellGuess", "fits", "guess_cell"]
