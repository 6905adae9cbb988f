"""Cells that say yes or no."""

from collections.abc import Sequence

from btmodel.codecs.cell import Flag, FlagText, Present
from btmodel.guess.cells.base import MANY, CellGuess, fits

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
