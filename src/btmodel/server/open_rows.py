"""Rows of a table while requests change them: wide rows in pieces, and rows that several entries of one request change.

What changes a few cells of a row of many neither decodes nor encodes the others: reading and writing the bytes of a whole row takes a
hundredth of the time that decoding and encoding it takes. A wide row is used only where the file has the very bytes that it was made of:
so nobody has to say here what else was written, or undone. A row that several entries change is read and written once, so that many
entries of a row take a time that grows with their number alone.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from typing import TypeAlias

from attrs import define, field

from btmodel.server import limits, stored_rows
from btmodel.server.catalog import CatalogTable
from btmodel.server.protos import Message
from btmodel.server.store import read_row, write_row
from btmodel.server.stored_rows import Columns, Places, ServerCell

_FEW = 256  # cells; a row of no more is decoded in less than a millisecond
_SMALL = 16 << 10  # bytes; no smaller row is looked at
_MOST = 64 << 20  # bytes of memory that all rows here may take together
_COPIES = 3  # of each value: in the stored row, in its cell and in its chunk
_OF_CELL = 400  # about the bytes of memory that a cell takes beside its value

#: a family, a column of it, or one cell of a column by its timestamp
Part: TypeAlias = tuple[str] | tuple[str, bytes] | tuple[str, bytes, int]
#: the columns of a row that a request may change, and what gives the bytes of the row once they are changed
Opened: TypeAlias = tuple[Columns, Callable[[Columns], bytes]]


@define
class WideRow:
    """A row as its cells in their order, with the place and the encoded chunk of each."""

    key: bytes
    places: Places
    stored: bytes = field(repr=False)
    cells: list[ServerCell] = field(repr=False)
    order: list[tuple[int, bytes, int]] = field(repr=False)
    chunks: list[bytes] = field(repr=False)

    @classmethod
    def of(cls, key: bytes, stored: bytes, places: Places) -> WideRow | None:
        """The row in a stored form; None where it is not wide, or not stored in the order in which it would be now."""
        cells = stored_rows.decode_cells(stored)
        if len(cells) <= _FEW:
            return None
        order = [places.of_cell(cell) for cell in cells]
        known = all(place < len(places) for place, _, _ in order)
        if not known or any(left >= right for left, right in pairwise(order)):
            return None
        return cls(key, places, stored, cells, order, stored_rows.divided(stored))

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return _COPIES * len(self.stored) + _OF_CELL * len(self.cells)

    def columns(self, parts: Iterable[Part]) -> Columns:
        """The columns of some parts, which can be changed and leave this row as it is."""
        columns: Columns = {}
        for part in parts:
            for family, qualifier, timestamp, value, _ in self.cells[self._range(part)]:
                columns.setdefault((family, qualifier), {})[timestamp] = value
        return columns

    def changed(self, parts: Iterable[Part], columns: Columns) -> bytes:
        """Give some parts these columns; answers the stored form of the row."""
        for part in parts:
            new = list(stored_rows.cells(_in_part(part, columns), self.places))
            self._replace(self._range(part), new)
        self.stored = b"".join(self.chunks)
        return self.stored

    def _range(self, part: Part) -> slice:
        """Where the cells of a part are."""
        place = self.places[part[0]]
        first: tuple[object, ...]
        end: tuple[object, ...]
        if len(part) == 1:
            first, end = (place,), (place + 1,)
        elif len(part) == 2:
            first, end = (place, part[1]), (place, part[1] + b"\0")
        else:
            first, end = (place, part[1], -part[2]), (place, part[1], 1 - part[2])
        return slice(bisect_left(self.order, first), bisect_left(self.order, end))

    def _replace(self, where: slice, new: list[ServerCell]) -> None:
        """Put cells into the place of others, and encode those that are not the same, and their neighbours."""
        old = self.cells[where]
        before = _same(old, new)
        after = _same(old[before:][::-1], new[before:][::-1])
        changed = slice(where.start + before, where.stop - after)
        new = new[before : len(new) - after]
        if not new and changed.start == changed.stop:
            return
        self.cells[changed] = new
        self.order[changed] = [self.places.of_cell(cell) for cell in new]
        # What a chunk says depends on the cell before it, and on whether it is the last.
        first, end = max(changed.start - 1, 0), min(changed.start + len(new) + 1, len(self.cells))
        known = max(first - 1, 0)
        chunks = stored_rows.divided(stored_rows.encode(self.key, self.cells[known : end + 1]))
        self.chunks[first : changed.stop + 1] = chunks[first - known : end - known]


@define
class WideRows:
    """The wide rows that were changed last, as many as fit into the memory that they may take."""

    _rows: dict[tuple[int, bytes], WideRow] = field(init=False, factory=dict)  # the one used last is last

    def get(self, table: int, key: bytes, stored: bytes | None, places: Places) -> WideRow | None:
        """The row with these stored bytes; None where it is not wide, or too large."""
        if stored is None or not _SMALL <= len(stored) <= _MOST // _COPIES:
            return None
        row = self._rows.pop((table, key), None)
        if row is None or row.stored != stored or row.places != places:
            row = WideRow.of(key, stored, places)
        if row is None or row.size > _MOST:
            return None
        self._rows[table, key] = row
        size = sum(row.size for row in self._rows.values())
        while size > _MOST:
            size -= self._rows.pop(next(iter(self._rows))).size
        return row

    def open(
        self,
        table: int,
        key: bytes,
        stored: bytes | None,
        places: Places,
        parts: Callable[[], set[Part] | None],
    ) -> Opened:
        """The columns of a row that a request changes, or all of them where that is simpler; ``parts`` gives which those are, None for all."""
        row = self.get(table, key, stored, places)
        touched = None if row is None else parts()
        if row is None or touched is None or len(touched) > len(row.cells) // 16:
            return stored_rows.decode(stored), lambda columns: stored_rows.encode_columns(
                key, columns, places
            )
        return row.columns(touched), lambda columns: self._changed(table, row, touched, columns)

    def _changed(self, table: int, row: WideRow, parts: set[Part], columns: Columns) -> bytes:
        del self._rows[table, row.key]  # it is of no use where this fails half way
        stored = row.changed(parts, columns)
        if row.size <= _MOST:
            self._rows[table, row.key] = row
        return stored


def parts_of(mutations: Iterable[Message], granule: int, now: int) -> set[Part] | None:
    """The parts of a row that mutations look at or change; None where that is the whole row.

    A mutation that is refused may have any.
    """
    parts: set[Part] = set()
    for mutation in mutations:
        kind = mutation.WhichOneof("mutation")
        if kind == "set_cell":
            cell = mutation.set_cell
            timestamp = now if cell.timestamp_micros == -1 else cell.timestamp_micros
            parts.add((cell.family_name, cell.column_qualifier, timestamp - timestamp % granule))
        elif kind in ("add_to_cell", "merge_to_cell"):
            change = getattr(mutation, kind)
            qualifier, timestamp = change.column_qualifier.raw_value, change.timestamp.raw_timestamp_micros
            parts.add((change.family_name, qualifier, timestamp))
        elif kind == "delete_from_column":
            parts.add((mutation.delete_from_column.family_name, mutation.delete_from_column.column_qualifier))
        elif kind == "delete_from_family":
            parts.add((mutation.delete_from_family.family_name,))
        elif kind == "delete_from_row":
            return None
    return {part for part in parts if not any(part[:size] in parts for size in range(1, len(part)))}


def _in_part(part: Part, columns: Columns) -> Columns:
    """Those of some columns that are in a part."""
    if len(part) == 1:
        return {column: versions for column, versions in columns.items() if column[0] == part[0]}
    versions = columns.get(part[:2], {})
    if len(part) == 3:
        versions = {part[2]: versions[part[2]]} if part[2] in versions else {}
    return {part[:2]: versions}


def _same(old: list[ServerCell], new: list[ServerCell]) -> int:
    """How many cells two lists have in common at their beginning."""
    for position, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return position
    return min(len(old), len(new))


_MOST_OPEN = 64 << 20  # bytes of rows that are open at once


@define
class OpenRow:
    """A row in memory; ``most`` is how many bytes it may have in the file by now."""

    columns: Columns
    most: int
    changed: bool = False

    def changed_by(self, entry: Message) -> None:
        """It was changed by the mutations of ``entry``."""
        self.most += _added(entry)
        self.changed = True


@define
class OpenRows:
    """The rows of a table with these ``keys`` while they are changed, in the transaction of a ``connection``."""

    connection: sqlite3.Connection
    table: CatalogTable
    keys: Collection[bytes]
    _open: dict[bytes, OpenRow] = field(init=False, factory=dict)

    def get(self, entry: Message) -> OpenRow | None:
        """The row of an entry; None, and what it was changed by is written, where it has to be read and written for this entry alone.

        That is so of a row that no other entry changes, and of one that may get too large, which has to be measured.
        """
        key = entry.row_key
        if key not in self.keys:
            return None
        row = self._open.get(key)
        if row is None:
            stored = read_row(self.connection, self.table.number, key)
            if sum(other.most for other in self._open.values()) + len(stored or b"") > _MOST_OPEN:
                self.close()
            row = self._open[key] = OpenRow(stored_rows.decode(stored), len(stored or b""))
        if row.most + _added(entry) <= limits.ROW_SIZE:
            return row
        self._write(key, self._open.pop(key))
        return None

    def close(self) -> None:
        """Write what has changed."""
        for key, row in self._open.items():
            self._write(key, row)
        self._open.clear()

    def _write(self, key: bytes, row: OpenRow) -> None:
        if row.changed:
            stored = stored_rows.encode_columns(key, row.columns, self.table.places)
            write_row(self.connection, self.table.number, key, stored)


def repeated(entries: Iterable[Message]) -> Collection[bytes]:
    """The keys that several entries have."""
    return {key for key, count in Counter([entry.row_key for entry in entries]).items() if count > 1}


def _added(entry: Message) -> int:
    """How many bytes an entry adds to its row at most: a chunk of a row has less than twice those of the mutation that set it."""
    return 2 * int(entry.ByteSize())
