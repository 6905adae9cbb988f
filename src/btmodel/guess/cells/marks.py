"""Cells that say yes or no."""

from collections.abc import Sequence

from btmodel.codecs.cell import Flag, FlagText, Present
from btmodel.guess.cells.base import CellGuess, fits

_WORDS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"), ("yes", "no"))


def empty(values: Sequence[bytes]) -> CellGuess | None:
    """Cells without a byte: they say something by being there."""
    return None if any(values) else CellGuess(Present(), "empty")


def flag(values: Sequence[bytes]) -> CellGuess | None:
    """One byte, 0 or 1."""
    return CellGuess(Flag(), "one byte, 0 or 1") if fits(Flag(), values) else None


def word(values: Sequence[bytes]) -> CellGuess | None:
    """One of two words, as programs write them; one of them alone is enough."""
    for true, false in _WORDS:
        codec = FlagText(true, false)
        if fits(codec, values):
            return CellGuess(codec, f"the word {true} or {false}")
    return None
