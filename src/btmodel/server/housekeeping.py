"""Background work: deleted tables' rows, and lazy garbage collection."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable

from btmodel.server import stored_rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.store import Store, first_rows, write_row
from btmodel.server.stream_records import Streams

_ROWS_AT_ONCE = 500  # in one transaction, so that writers need not wait for long

_log = logging.getLogger(__name__)


class Housekeeper:
    """A thread that sweeps when it is woken and collects garbage each period, in seconds, if it has one."""

    def __init__(self, store: Store, catalog: Catalog, streams: Streams, period: float | None) -> None:
        self._store, self._catalog, self._streams, self._period = store, catalog, streams, period
        self._woken, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="housekeeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self.wake()

    def stop(self) -> None:
        """End after the transaction that is under way."""
        self._stopped.set()
        self._woken.set()
        self._thread.join()

    def wake(self) -> None:
        """Sweep soon."""
        self._woken.set()

    def _run(self) -> None:
        due = self._next_collection()
        while not self._stopped.is_set():
            # Being woken does not put a collection off: tables may be dropped more often than it is due.
            self._woken.wait(None if due is None else max(0.0, due - time.monotonic()))
            self._woken.clear()
            self._try(self.sweep)
            if due is not None and time.monotonic() >= due:
                self._try(self._streams.sweep)
                self._try(self.collect_garbage)
                due = self._next_collection()

    def _next_collection(self) -> float | None:
        return None if self._period is None else time.monotonic() + self._period

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:  # a full disk, say: what is left over is tried again next time
            _log.exception("housekeeping failed")

    def sweep(self) -> None:
        """Remove the rows of tables that are no more, and changes that are not kept any longer."""
        self._streams.sweep()
        number: int | None = -1
        while number is not None and not self._stopped.is_set():
            with self._store.writing() as connection:
                query = "SELECT min(table_id) FROM rows WHERE table_id > ?"
                (number,) = connection.execute(query, (number,)).fetchone()
                known = connection.execute("SELECT 1 FROM tables WHERE id = ?", (number,)).fetchone()
            while number is not None and not known and self._remove_some(number):
                pass

    def _remove_some(self, number: int) -> bool:
        if self._stopped.is_set():
            return False
        with self._store.writing() as connection:
            cursor = connection.execute(
                "DELETE FROM rows WHERE table_id = ?1 AND row_key IN "
                "(SELECT row_key FROM rows WHERE table_id = ?1 ORDER BY row_key LIMIT ?2)",
                (number, _ROWS_AT_ONCE),
            )
            return cursor.rowcount > 0

    def collect_garbage(self) -> None:
        """Delete every cell that the rules of its family let go."""
        for name in self._catalog.names():
            last: bytes | None = b""
            while last is not None and not self._stopped.is_set():
                with self._store.writing() as connection:
                    table = self._catalog.find(name)
                    last = self._collect_some(connection, table, last) if table and table.collects else None

    def _collect_some(self, connection: sqlite3.Connection, table: CatalogTable, last: bytes) -> bytes | None:
        """Collect in the rows behind a key; answers the last of them, or None at the end of the table."""
        query = "SELECT row_key, cells FROM rows WHERE table_id = ? AND row_key > ? ORDER BY row_key"
        page, more = first_rows(connection.execute(query, (table.number, last)), _ROWS_AT_ONCE)
        for key, stored in page:
            columns = stored_rows.decode(stored)
            kept = stored_rows.encode_columns(key, table.without_garbage(columns), table.places)
            if kept != stored:
                if table.streams:
                    self._streams.note_garbage(connection, table, key, columns)
                write_row(connection, table.number, key, kept)
            last = key
        return last if more else None
