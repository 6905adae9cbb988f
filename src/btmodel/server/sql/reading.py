"""The rows of a table as SQL sees them: the key, and a map for each column family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from btmodel.googlesql.analysis import QueryError
from btmodel.server import rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.ranges import KeyRange
from btmodel.server.rows import ServerCell
from btmodel.server.sql.expressions import Row
from btmodel.server.sql.plan import SqlPlan
from btmodel.server.store import Store
from btmodel.server.view_functions import micros_of, time_of

Keep = Callable[[list[ServerCell]], list[ServerCell]]
_NO_HISTORY = ("as_of",)


@frozen
class VersionTimes:
    """Which versions of cells a query sees: from ``start`` up to but not including ``end``, the newest ``latest`` of a column."""

    history: bool = False
    start: int | None = None
    end: int | None = None
    latest: int | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> VersionTimes:
        """What the options of a table ask for. Raises :class:`QueryError` for some that exclude each other."""
        history = bool(options.get("with_history"))
        for name, value in options.items():
            if name != "with_history" and (name in _NO_HISTORY) is history:
                must = "must not be given with" if history else "needs"
                raise QueryError(f"{name} {must} with_history => TRUE")
            if name == "latest_n" and value < 1:
                raise QueryError(f"latest_n must be at least 1, but got {value}")
        starts = _bounds(options, after=1, after_or_equal=0)
        ends = _bounds(options, before=0, before_or_equal=1, as_of=1)
        return cls(history, max(starts, default=None), min(ends, default=None), options.get("latest_n"))

    @property
    def plain(self) -> bool:
        """Whether all times are seen."""
        return self.start is None and self.end is None

    def holds(self, cell: ServerCell) -> bool:
        """Whether a cell is of one of the times."""
        after = self.start is None or cell.timestamp >= self.start
        return after and (self.end is None or cell.timestamp < self.end)


def _bounds(options: Mapping[str, Any], **names: int) -> list[int]:
    return [micros_of(options[name]) + more for name, more in names.items() if name in options]


class PageReader:
    """Reads what a plan needs, a page of rows at a time."""

    def __init__(self, store: Store, catalog: Catalog, name: str, plan: SqlPlan, eager_gc: bool) -> None:
        self._store, self._catalog, self._name = store, catalog, name
        self._plan, self._eager_gc = plan, eager_gc
        self._times = VersionTimes.of(plan.source.options)
        self.last = b""  #: the key up to which rows were read

    def pages(self, after: bytes = b"") -> Iterator[list[Row]]:
        """Pages of rows in the order of their keys, those behind a key."""
        self.last = after
        for keys in self._plan.source.ranges:
            more = True
            while more:
                if self.last and self.last >= keys.start:
                    keys = KeyRange(self.last + b"\0", keys.end)
                if keys.end is not None and keys.start >= keys.end:
                    break
                table = self._catalog.get(self._name)
                page, more = self._store.page(table.number, keys, False)
                if page:
                    self.last = page[-1][0]
                yield self._rows(table, page)

    def _rows(self, table: CatalogTable, page: list[tuple[bytes, bytes]]) -> list[Row]:
        source, width = self._plan.source, self._plan.width
        families = {name: place for name, place in self._families(table) if name}
        key_place = source.columns.get(0)
        collecting = self._eager_gc and table.collects
        bare = not families and self._times.plain and not collecting
        found: list[Row] = []
        for key, stored in page:
            row: Row = [None] * width
            if key_place is not None:
                row[key_place] = key
            if not bare:
                cells = rows.decode_cells(stored)
                if collecting:
                    cells = list(rows.cells(table.without_garbage(rows.decode(stored)), table.places))
                if not self._times.plain:
                    cells = [cell for cell in cells if self._times.holds(cell)]
                if not cells:
                    continue
                for place in families.values():
                    row[place] = {}
                (self._history if self._times.history else _newest)(row, cells, families)
            found.append(row)
        return found

    def _families(self, table: CatalogTable) -> Iterator[tuple[str, int]]:
        """The families that are read, with their places in a row."""
        names = list(table.families)
        for number, place in self._plan.source.columns.items():
            if 0 < number <= len(names):
                yield names[number - 1], place

    def _history(self, row: Row, cells: list[ServerCell], families: Mapping[str, int]) -> None:
        for family, qualifier, timestamp, value, _ in cells:
            place = families.get(family)
            if place is not None:
                versions = row[place].setdefault(qualifier, [])
                if self._times.latest is None or len(versions) < self._times.latest:
                    versions.append((time_of(timestamp), value))


def _newest(row: Row, cells: list[ServerCell], families: Mapping[str, int]) -> None:
    """The first cell of a column is its newest."""
    for family, qualifier, _, value, _ in cells:
        place = families.get(family)
        if place is not None:
            row[place].setdefault(qualifier, value)
