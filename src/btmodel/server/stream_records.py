"""Change streams: what is recorded of each write of a table that has one, and how it is read.

A record is a row of the file, written in the transaction that changes the row of the table: so the death of the process loses no record
of a write that was acknowledged, and leaves none of a write that was not made. The numbers of records rise with their commit times.

Inferred of the service, on which none of this was tried: that garbage collection comes as ranges of a column, that the results of a
ReadModifyWriteRow come as SetCell, that DropRowRange comes as the deletion of each row, and that a time left to the server comes as that time.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from attrs import define, field, frozen

from btmodel.server import limits, mutate, protos
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.protos import Message
from btmodel.server.request_errors import invalid, precondition
from btmodel.server.store import KeyRange, Store, parted
from btmodel.server.stored_rows import Columns

USER, GARBAGE_COLLECTION = 1, 2  # ReadChangeStreamResponse.DataChange.Type
_EXPIRED_AT_ONCE = 2_000  # records in one transaction
_CLUSTER = "local-c1"

_Change = protos.data("ReadChangeStreamResponse.DataChange")
_Mutation = protos.data("Mutation")

# A file gets these with its first change stream. The end of a partition is empty where it is the end of the table.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS change_streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, created INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS change_partitions (
    stream INTEGER NOT NULL, first BLOB NOT NULL, last BLOB NOT NULL, born INTEGER NOT NULL, closed INTEGER
);
CREATE TABLE IF NOT EXISTS changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, micros INTEGER NOT NULL,
    row_key BLOB NOT NULL, record BLOB NOT NULL
);
"""
_RECORD = "INSERT INTO changes (stream, micros, row_key, record) VALUES (?, ?, ?, ?)"


@frozen
class Stream:
    """The change stream of a table: its number in the file, and when it began, in microseconds."""

    id: int
    created: int


@define(eq=False)
class Streams:
    """The change streams of a store; *wake* is called when records were committed."""

    store: Store
    catalog: Catalog
    wake: Callable[[], object] = lambda: None
    commits: int = field(init=False, default=0)  #: rises whenever readers may find more
    readers: int = field(init=False, default=0)  #: how many are open
    _counting: threading.Lock = field(init=False, factory=threading.Lock)
    _known: dict[str, Stream] = field(init=False, factory=dict)
    _last: tuple[int, int] = field(init=False, default=(0, 0))  # commit time and tiebreaker
    _pending: int | None = field(init=False, default=None)  # commit time of the first record of a transaction

    def __attrs_post_init__(self) -> None:
        self.store.after = self._ended
        with self.settling(), self.store.writing() as connection:
            for name in self.catalog.names():
                self.settle(connection, self.catalog.get(name))  # files of before there were records
            if self._there(connection):
                query = "SELECT micros FROM changes ORDER BY number DESC LIMIT 1"
                found = connection.execute(query).fetchone()
                self._last = (found[0] + 1 if found else 0, 0)

    # Beginning and ending

    @contextmanager
    def settling(self) -> Iterator[None]:
        """Within the block tables may get and lose change streams; what follows it knows them."""
        with self.store.exclusive():
            try:
                yield
            finally:
                self._load()

    def _load(self) -> None:
        with self.store.reading() as connection:
            if self._there(connection):
                found = connection.execute("SELECT name, id, created FROM change_streams").fetchall()
                self._known = {name: Stream(number, created) for name, number, created in found}
        self._tell()  # readers of those that have ended

    def settle(self, connection: sqlite3.Connection, table: CatalogTable) -> None:
        """Begin the change stream of a table that is to have one, or end that of one which is to have none."""
        query = "SELECT id FROM change_streams WHERE name = ?"
        there = self._there(connection)
        known = connection.execute(query, (table.name,)).fetchone() if there else None
        if table.streams and known is None:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            number = connection.execute(
                "INSERT INTO change_streams (name, created) VALUES (?, ?)", (table.name, now_micros())
            ).lastrowid
            assert number is not None
            self._begin(connection, number, parted(table.splits), _next_number(connection))
        elif known is not None and not table.streams:
            self._known.pop(table.name, None)  # first, so that no reader finds it without its partitions
            # Its records are of no stream now; a sweep removes them.
            connection.execute("DELETE FROM change_streams WHERE id = ?", known)
            connection.execute("DELETE FROM change_partitions WHERE stream = ?", known)

    def partition(self, table: str, splits: Sequence[bytes]) -> None:
        """Divide a stream at these keys from now on: partitions that do not stay as they are close, and others begin."""
        name = self.get(self.catalog.get(table))
        wanted = parted(sorted(set(splits)))
        with self.store.exclusive():
            with self.store.writing() as connection:
                now = _next_number(connection)
                open_now = self.partitions(connection, name)
                connection.executemany(
                    "UPDATE change_partitions SET closed = ? WHERE stream = ? AND first = ? AND last = ? AND closed IS NULL",
                    [(now, name.id, *bounds_of(keys)) for keys in open_now if keys not in wanted],
                )
                self._begin(connection, name.id, [keys for keys in wanted if keys not in open_now], now)
            self._tell()

    def sweep(self) -> None:
        """Remove records that are older than their stream keeps them, and those of streams that are no more."""
        with self.store.reading() as connection:
            if not self._there(connection):
                return
        for name, stream in list(self._known.items()):
            table = self.catalog.find(name)
            while (
                table is not None and table.streams and self._remove(stream, now_micros() - retention(table))
            ):
                pass
        gone = "SELECT number FROM changes WHERE stream NOT IN (SELECT id FROM change_streams) LIMIT ?"
        while self._delete(gone, (_EXPIRED_AT_ONCE,)):
            pass

    def _remove(self, stream: Stream, until: int) -> bool:
        with self.store.writing() as connection:
            expired = number_at(connection, until)
            connection.execute(
                "DELETE FROM change_partitions WHERE stream = ? AND closed < ?", (stream.id, expired)
            )
        query = "SELECT number FROM changes WHERE stream = ? AND number <= ? LIMIT ?"
        return self._delete(query, (stream.id, expired, _EXPIRED_AT_ONCE))

    def _delete(self, query: str, arguments: tuple[int, ...]) -> bool:
        with self.store.writing() as connection:
            return (
                connection.execute(f"DELETE FROM changes WHERE number IN ({query})", arguments).rowcount > 0
            )

    def _there(self, connection: sqlite3.Connection) -> bool:
        return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'changes'").fetchone())

    def _begin(
        self, connection: sqlite3.Connection, stream: int, partitions: Iterable[KeyRange], number: int
    ) -> None:
        connection.executemany(
            "INSERT INTO change_partitions VALUES (?, ?, ?, ?, NULL)",
            [(stream, *bounds_of(keys), number) for keys in partitions],
        )

    def partitions(self, connection: sqlite3.Connection, stream: Stream) -> list[KeyRange]:
        """The open partitions in the order of their keys."""
        query = "SELECT first, last FROM change_partitions WHERE stream = ? AND closed IS NULL ORDER BY first"
        return [
            KeyRange(first, last or None)
            for first, last in connection.execute(query, (stream.id,)).fetchall()
        ]

    def closing(
        self, connection: sqlite3.Connection, table: str, stream: Stream, keys: KeyRange, after: int
    ) -> int | None:
        """The number at which the partition closed that a reader of these keys is in, behind a number; None while it is open.

        A partition may have closed and begun again. Refuses keys that were never one, and a stream that has ended.
        """
        query = (
            "SELECT closed FROM change_partitions WHERE stream = ? AND first = ? AND last = ? ORDER BY born"
        )
        found = [closed for (closed,) in connection.execute(query, (stream.id, *bounds_of(keys)))]
        if not found:
            self.check(table, stream)
            raise invalid(f"The requested partition of {table} is none of its change stream")
        return next((closed for closed in found if closed is None or closed > after), None)

    # Recording

    def note(
        self,
        connection: sqlite3.Connection,
        table: CatalogTable,
        key: bytes,
        mutations: Iterable[Message],
        kind: int = USER,
        now: int = 0,
    ) -> None:
        """Record the mutations of a row in the transaction that makes them; *now* is the time of those without a time."""
        micros, tiebreaker = self._moment()
        record = _Change(type_=kind, row_key=key, tiebreaker=tiebreaker, done=True)
        if kind == USER:
            record.source_cluster_id = _CLUSTER
        record.commit_timestamp.FromMicroseconds(micros)
        for mutation in mutations:
            if mutation.WhichOneof("mutation") == "delete_from_row":
                for family in table.families:
                    record.chunks.add().mutation.delete_from_family.family_name = family
                continue
            noted = record.chunks.add().mutation
            noted.CopyFrom(mutation)
            if mutation.WhichOneof("mutation") == "set_cell":
                mutate.settle(noted, table, now)
        connection.execute(_RECORD, (self._known[table.name].id, micros, key, record.SerializeToString()))

    def note_dropped(self, connection: sqlite3.Connection, table: CatalogTable, keys: KeyRange) -> None:
        """Record the deletion of every row of a range, before it is made."""
        deletion = _Mutation(delete_from_row={})
        query = "SELECT row_key FROM rows WHERE table_id = ? AND row_key > ? AND row_key >= ? AND (? IS NULL OR row_key < ?) ORDER BY row_key LIMIT 1000"
        last = b""
        while found := connection.execute(
            query, (table.number, last, keys.start, keys.end, keys.end)
        ).fetchall():
            for (key,) in found:
                self.note(connection, table, key, [deletion])
            last = found[-1][0]

    def note_garbage(
        self, connection: sqlite3.Connection, table: CatalogTable, key: bytes, columns: Columns
    ) -> None:
        """Record what the rules of the families let go of a row, in ranges of each column."""
        kept = table.without_garbage(columns)
        deletions = []
        for (family, qualifier), versions in columns.items():
            left = kept.get((family, qualifier), {})
            for start, end in _runs(versions, left, table.granule):
                deletion = _Mutation()
                part = deletion.delete_from_column
                part.family_name, part.column_qualifier = family, qualifier
                part.time_range.start_timestamp_micros, part.time_range.end_timestamp_micros = start, end
                deletions.append(deletion)
        if deletions:
            self.note(connection, table, key, deletions, GARBAGE_COLLECTION)

    def _moment(self) -> tuple[int, int]:
        """A commit time that is not before that of any record, and what orders records of the same time."""
        now = now_micros()
        micros, tiebreaker = self._last
        self._last = (now, 0) if now > micros else (micros, tiebreaker + 1)
        if self._pending is None:
            self._pending = self._last[0]
        return self._last

    def _ended(self) -> None:
        """A transaction has ended."""
        if self._pending is not None:
            self._pending = None
            self._tell()

    def _tell(self) -> None:
        self.commits += 1
        self.wake()

    # What readers ask

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A reader is open: the more there are, the fewer records each of them holds."""
        with self._counting:
            self.readers += 1
        try:
            yield
        finally:
            with self._counting:
                self.readers -= 1

    def low_watermark(self) -> int:
        """A time that no record which is committed later has: to be taken before what is committed is looked at."""
        now = now_micros()
        pending = self._pending
        return now if pending is None else min(now, pending - 1)

    def check(self, table: str, stream: Stream) -> None:
        """Refuse to go on with a stream that has ended meanwhile."""
        if self._known.get(table) != stream:
            raise precondition(f"Change stream is not enabled on {table}")

    def all(self) -> list[Stream]:
        """Every change stream that there is."""
        return list(self._known.values())

    def get(self, table: CatalogTable) -> Stream:
        """The change stream of a table; FAILED_PRECONDITION where it has none."""
        stream = self._known.get(table.name) if table.streams else None
        if stream is None:
            raise precondition(f"Change stream is not enabled on {table.name}")
        return stream


def now_micros() -> int:
    """The server's time in microseconds."""
    return time.time_ns() // 1000


def retention(table: CatalogTable) -> int:
    """How long records are kept, in microseconds."""
    kept = limits.duration(table.message.change_stream_config.retention_period, "retention_period")
    micros: int = kept // timedelta(microseconds=1)
    return micros


def _next_number(connection: sqlite3.Connection) -> int:
    """A number behind those of all records, which no record gets."""
    number = connection.execute(_RECORD, (0, 0, b"", b"")).lastrowid
    assert number is not None
    connection.execute("DELETE FROM changes WHERE number = ?", (number,))
    return number


def number_at(connection: sqlite3.Connection, micros: int) -> int:
    """The number of the last record before a time; times rise with numbers, so half of what is left is looked at each time."""
    (least, most) = connection.execute(
        "SELECT coalesce(min(number), 0), coalesce(max(number), 0) FROM changes"
    ).fetchone()
    low: int = least - 1
    high: int = most
    while low < high:
        middle = (low + high + 1) // 2
        number, time_of = connection.execute(
            "SELECT number, micros FROM changes WHERE number <= ? ORDER BY number DESC LIMIT 1", (middle,)
        ).fetchone() or (low, -1)
        if time_of < micros:
            low = middle
        else:
            high = number - 1
    return max(low, 0)


def bounds_of(keys: KeyRange) -> tuple[bytes, bytes]:
    """The first key and the end as the file has them: the end of the table is empty."""
    return keys.start, keys.end or b""


def _runs(versions: dict[int, bytes], left: dict[int, bytes], granule: int) -> Iterator[tuple[int, int]]:
    """Ranges of times that hold the versions that are gone, and none that is left."""
    run: list[int] = []
    for timestamp in sorted(versions):
        if timestamp not in left:
            run.append(timestamp)
        elif run:
            yield run[0], run[-1] + granule
            run = []
    if run:
        yield run[0], run[-1] + granule
