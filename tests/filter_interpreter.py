"""What a server does with a read filter, in a few lines: the cells of one row that pass."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime

from btmodel.rows import (
    Before,
    Cell,
    Chain,
    ExactValue,
    Families,
    Filter,
    FirstCells,
    Interleave,
    KeyLength,
    KeyMatches,
    QualifierRange,
    Qualifiers,
    Rows,
    RowsWithout,
    Times,
    ValueEnds,
    Values,
    Versions,
    Within,
    WithoutValues,
)


def stored(cells: Iterable[Cell]) -> list[Cell]:
    """Cells in the order in which a row holds them: by column, each from the newest to the oldest."""
    return sorted(cells, key=lambda cell: (cell.family, cell.qualifier, -cell.timestamp))


def passing(filter: Filter | None, cells: list[Cell], now: datetime, key: bytes = b"") -> list[Cell]:
    """The cells of a row that pass, in stored order; an interleave may give a cell several times.

    A limit of versions counts every copy of a cell, as the service does.
    """
    match filter:
        case None:
            return cells
        case Chain(filters):
            for part in filters:
                cells = passing(part, cells, now, key)
            return cells
        case Interleave(filters):
            return stored(cell for part in filters for cell in passing(part, cells, now, key))
        case Rows(found, then):
            return passing(then, cells, now, key) if passing(found, cells, now, key) else []
        case RowsWithout(found, then):
            return [] if passing(found, cells, now, key) else passing(then, cells, now, key)
        case KeyMatches(pattern):
            return cells if re.fullmatch(pattern, key) else []
        case KeyLength(size):
            return cells if len(key) == size else []
        case FirstCells(count):
            return cells[:count]
        case WithoutValues():
            return [cell._replace(value=b"") for cell in cells]
        case Versions(newest):
            seen: Counter[tuple[str, bytes]] = Counter()
            seen_before = []
            for cell in cells:
                seen_before.append(seen[cell.family, cell.qualifier])
                seen[cell.family, cell.qualifier] += 1
            return [cell for cell, count in zip(cells, seen_before, strict=True) if count < newest]
        case _:
            passes = _test(filter, now)
            return [cell for cell in cells if passes(cell)]


def _test(filter: Filter, now: datetime) -> Callable[[Cell], bool]:
    """The test of a filter that looks at each cell alone."""
    match filter:
        case Families(ids):
            return lambda cell: cell.family in ids
        case Qualifiers(family, qualifiers):
            return lambda cell: cell.family == family and cell.qualifier in qualifiers
        case QualifierRange(family, start, end):
            return lambda cell: (
                cell.family == family and start <= cell.qualifier and (not end or cell.qualifier < end)
            )
        case ExactValue(value):
            return lambda cell: cell.value == value
        case ValueEnds(start, end):
            return lambda cell: (
                len(cell.value) >= len(start + end)
                and cell.value.startswith(start)
                and cell.value.endswith(end)
            )
        case Values(start, end, with_start, with_end):
            return lambda cell: (
                (start is None or (cell.value >= start if with_start else cell.value > start))
                and (end is None or (cell.value <= end if with_end else cell.value < end))
            )
        case Before():
            return lambda cell: cell.timestamp < filter.end(now)
        case Within():
            return lambda cell: cell.timestamp >= filter.start(now)
        case Times(start, end):
            return lambda cell: start <= cell.timestamp and (not end or cell.timestamp < end)
    raise AssertionError(f"the interpreter knows no {filter!r}")
