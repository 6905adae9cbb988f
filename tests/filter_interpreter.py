"""What a server does with a read filter, in a few lines: the cells of one row that pass."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from btmodel.rows import Cell, Chain, Families, Filter, Interleave, Times, Versions, Within


def stored(cells: Iterable[Cell]) -> list[Cell]:
    """Cells in the order in which a row holds them: by column, each from the newest to the oldest."""
    return sorted(cells, key=lambda cell: (cell.family, cell.qualifier, -cell.timestamp))


def passing(filter: Filter | None, cells: list[Cell], now: datetime) -> list[Cell]:
    """The cells of a row that pass, in stored order; an interleave may give a cell several times.

    A limit of versions counts every copy of a cell, as the service does.
    """
    match filter:
        case None:
            return cells
        case Families(ids):
            return [cell for cell in cells if cell.family in ids]
        case Versions(newest):
            seen: Counter[tuple[str, bytes]] = Counter()
            seen_before = []
            for cell in cells:
                seen_before.append(seen[cell.family, cell.qualifier])
                seen[cell.family, cell.qualifier] += 1
            return [cell for cell, count in zip(cells, seen_before, strict=True) if count < newest]
        case Within():
            return [cell for cell in cells if cell.timestamp >= filter.start(now)]
        case Times(start, end):
            return [cell for cell in cells if start <= cell.timestamp and (not end or cell.timestamp < end)]
        case Chain(filters):
            for part in filters:
                cells = passing(part, cells, now)
            return cells
        case Interleave(filters):
            return stored(cell for part in filters for cell in passing(part, cells, now))
    raise AssertionError(f"the interpreter knows no {filter!r}")
