"""Text in cells."""

import re
from collections.abc import Sequence

from btmodel.codecs.cell import Utf8
from btmodel.guess.cells.base import CellGuess, fits
from btmodel.guess.fields.base import sizes

# Tabs and the ends of lines are no sign of bytes that are no text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def text(values: Sequence[bytes]) -> CellGuess | None:
    """UTF-8 without control characters."""
    if not fits(Utf8(), values) or any(_CONTROL.search(value.decode()) for value in values):
        return None
    return CellGuess(Utf8(), f"text, {sizes(values)}")
