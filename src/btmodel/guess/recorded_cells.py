"""The columns of a model as they were recorded."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import attrs

from btmodel.codecs.cell import CellCodec, Raw
from btmodel.guess.cells import guess_cell
from btmodel.guess.family import ColumnGuess, any_name
from btmodel.guess.names import identifier
from btmodel.guess.recorded_key import RECORDED
from btmodel.guess.rows import SampledRow
from btmodel.rows import Cell
from btmodel.schema import CellLayout, Column, Family, Shape
from btmodel.schema.recorded_codec import enums_of
from btmodel.schema.recorded_layout import RecordedCell, recorded_cell

_OPEN = frozenset({Shape.SLOTS, Shape.MARKS, Shape.MAPPING, Shape.MEMBERS})
_DOTS = "..."


def recorded_column(family: Family, cell: CellLayout, rows: Sequence[SampledRow]) -> ColumnGuess | None:
    """The column that was recorded of ``family``; None where not even its shape is known."""
    found = _spelt(recorded_cell(cell))
    if found is None or (found.shape is Shape.SLOTS and found.slots is None):
        return None
    name = cell.cell.removeprefix(f"{family.id}:")
    opened = found.shape in _OPEN
    if opened:
        name = name.removesuffix(_DOTS)
    qualifier = _qualifier(family, name, rows)
    of_rows = [
        [
            one
            for one in row.cells
            if one.family == family.id
            and (one.qualifier.startswith(qualifier) if opened else one.qualifier == qualifier)
        ]
        for row in rows
    ]
    cells = list(chain.from_iterable(of_rows))
    codec, said = _codec(found, cell, cells)
    names = found.names or (any_name() if opened and not found.slots else None)
    wanted = identifier(qualifier or family.id.encode(), "entries" if opened else "column")
    required = bool(cell.required) and all(of_rows)  # a row that was read may lack it
    column = Column(
        wanted, family.id, qualifier, codec, required, found.shape, names=names, slots=found.slots
    )
    return ColumnGuess(column, said)


def _spelt(found: RecordedCell | None) -> RecordedCell | None:
    """The cells without the codecs that no declaration can spell, because their enums are elsewhere."""
    if found is None or not any(enums_of((found.codec, found.names))):
        return found
    codec = None if any(enums_of(found.codec)) else found.codec
    return attrs.evolve(found, codec=codec, names=None if any(enums_of(found.names)) else found.names)


def _codec(found: RecordedCell, cell: CellLayout, cells: Sequence[Cell]) -> tuple[CellCodec[Any], str]:
    told = (
        f"{len(cells):,} cells agree" if len(cells) > 1 else "a cell agrees" if cells else "no cell was read"
    )
    if found.whole and found.codec is not None:
        return found.codec, f"{RECORDED}; {told}"
    values = [one.value for one in cells]
    codec, seen = found.codec, "its names are any bytes"
    if codec is None and values:
        guess = guess_cell(values)
        codec, seen = guess.codec, f"guessed: {guess.said}"
    elif codec is None:
        codec, seen = Raw(), "no cell was read"
    return codec, (
        f"{RECORDED} as {cell.codec}, which is not all btmodel's own; here {seen}; declare it as it was, "
        "or `btmodel migrate plan` takes it for another codec"
    )


def _qualifier(family: Family, text: str, rows: Sequence[SampledRow]) -> bytes:
    """The qualifier that is recorded as ``text``, in which bytes that are no text are escaped."""
    if "\\x" in text:
        escaped = {cell.qualifier for row in rows for cell in row.cells if cell.family == family.id}
        for one in sorted(escaped):
            if one.decode(errors="backslashreplace") == text:
                return one
    return text.encode()
