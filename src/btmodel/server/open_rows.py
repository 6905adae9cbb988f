"""Rows that several entries of one request change: each is read and written once, so that many entries of a row take a time that grows with their number alone."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable

from attrs import define, field

from btmodel.server import limits, stored_rows
from btmodel.server.catalog import CatalogTable
from btmodel.server.protos import Message
from btmodel.server.store import read_row, write_row
from btmodel.server.stored_rows import Columns

_MOST = 64 << 20  # bytes of rows that are open at once


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
            if sum(other.most for other in self._open.values()) + len(stored or b"") > _MOST:
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
