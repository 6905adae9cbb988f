"""The SQLite file: rows in key order, tables, and the row set of a request as sorted, disjoint key ranges.

A commit is in the file once SQLite's write-ahead log has it. The log is not synced to the disk on each
commit: the death of the process loses nothing that was acknowledged, the death of the machine may lose the
last moments, and neither leaves half of a transaction.
"""

from __future__ import annotations

import ctypes
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from attrs import frozen

from btmodel.errors import ServerError
from btmodel.server import limits
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, explained, explanation, invalid
from btmodel.server.running import Owner, reaching, real_path, refuse_foreign, users_of


@frozen(order=True)
class KeyRange:
    """The keys from *start* up to, but not including, *end*; None is after the last key."""

    start: bytes
    end: bytes | None

    def after(self, key: bytes) -> KeyRange:
        """The part of the range after a key."""
        return KeyRange(key + b"\0", self.end)

    def before(self, key: bytes) -> KeyRange:
        """The part of the range before a key."""
        return KeyRange(self.start, key)


EVERYTHING = KeyRange(b"", None)


def key_ranges(row_set: Message) -> list[KeyRange]:
    """The ranges of a RowSet; a set with neither keys nor ranges is the whole table."""
    if not row_set.row_keys and not row_set.row_ranges:
        return [EVERYTHING]
    found = []
    for position, key in enumerate(row_set.row_keys):
        try:
            limits.check_row_key(key)
        except RequestError as error:
            raise invalid(
                f"Error in field 'row_keys' : Error in element #{position} : {error.text}"
            ) from None
        found.append(KeyRange(key, key + b"\0"))
    for position, message in enumerate(row_set.row_ranges):
        try:
            found.append(key_range(message))
        except RequestError as error:
            raise invalid(f"Error in element #{position}: {error.text}") from None
    return merged(found)


def key_range(message: Message) -> KeyRange:
    """The keys of one RowRange; an empty bound is an open end. Refuses a range that is upside down."""
    start_kind = message.WhichOneof("start_key")
    end_kind = message.WhichOneof("end_key")
    start: bytes = getattr(message, start_kind) if start_kind else b""
    end: bytes = getattr(message, end_kind) if end_kind else b""
    for bound in (start, end):
        if len(bound) > limits.ROW_KEY_SIZE + 1:  # the key right after the longest one may bound a range
            limits.check_row_key(bound)
    if end:
        both_closed = start_kind == "start_key_closed" and end_kind == "end_key_closed"
        if start > end or (start == end and not both_closed):
            relation = "less than or equal to" if both_closed else "less than"
            raise invalid(f"{start_kind} must be {relation} {end_kind}")
    first = start + b"\0" if start_kind == "start_key_open" and start else start
    if not end:
        return KeyRange(first, None)
    return KeyRange(first, end + b"\0" if end_kind == "end_key_closed" else end)


def overlap(one: KeyRange, other: KeyRange) -> KeyRange | None:
    """The keys that are in both ranges; None where there are none."""
    ends = [end for end in (one.end, other.end) if end is not None]
    start, end = max(one.start, other.start), min(ends, default=None)
    return None if end is not None and end <= start else KeyRange(start, end)


def parted(keys: Iterable[bytes]) -> list[KeyRange]:
    """All keys, divided before each of those given, which are in order."""
    starts = [b"", *filter(None, keys)]
    return [KeyRange(start, end) for start, end in zip(starts, [*starts[1:], None], strict=True)]


def merged(found: list[KeyRange]) -> list[KeyRange]:
    """Sort ranges, join those that touch, and drop the empty ones."""
    result: list[KeyRange] = []
    for each in sorted(found, key=lambda r: r.start):
        if each.end is not None and each.end <= each.start:
            continue
        if result and (result[-1].end is None or each.start <= result[-1].end):
            last = result.pop()
            end = None if last.end is None or each.end is None else max(last.end, each.end)
            each = KeyRange(last.start, end)
        result.append(each)
    return result


def prefix_range(prefix: bytes) -> KeyRange:
    """The keys that start with a prefix."""
    stripped = prefix.rstrip(b"\xff")
    end = stripped[:-1] + bytes([stripped[-1] + 1]) if stripped else None
    return KeyRange(prefix, end)


def give_back() -> None:
    """Return free memory to the system, where the C library has a way to (glibc; others do so by themselves)."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> ctypes._NamedFuncPointer | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


_T = TypeVar("_T")
_log = logging.getLogger(__name__)

KIND = 0x6274_6D64  # "btmd", which marks a file as ours: SQLite's application_id
FORMAT = 2  # of the file, kept in SQLite's user_version
PAGE_SIZE = 1 << 18  # how many bytes of rows a scan takes from the file at a time
_PAGES_SIZE = 1 << 24  # and all open scans together, as far as that leaves each of them SMALLEST_PAGE
_SMALLEST_PAGE = 1 << 14

# The keys have an index of their own, and the rows lie behind it in the order of their first write: a search
# in a tree that holds whole rows reads all of every large row that it passes.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE NOT NULL,
    message BLOB NOT NULL,
    splits BLOB NOT NULL,
    families TEXT NOT NULL DEFAULT '' -- in the order of their creation
);
CREATE TABLE IF NOT EXISTS rows (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL,
    row_key BLOB NOT NULL,
    cells BLOB NOT NULL,
    UNIQUE (table_id, row_key)
);
"""

_WRITE = (
    "INSERT INTO rows (table_id, row_key, cells) VALUES (?, ?, ?) "
    "ON CONFLICT (table_id, row_key) DO UPDATE SET cells = excluded.cells"
)


class Store:
    """One open file, or a database in memory when there is no path.

    One thread writes at a time. Readers of a file never wait for it; they share a few connections, each of which is
    two descriptors, and hold one for as long as it takes to read a page. In memory there is one connection, so
    they take turns with the writer. ``lock`` is a descriptor that this process has inherited with the lock of the file.
    """

    def __init__(self, path: Path | None, lock: int | None = None) -> None:
        path = path and real_path(path)
        self._path = path
        self._lock = threading.RLock()
        if path and path.exists():
            _check_kind(path)  # before there is a lock beside it
        self._owner = _owner(path, lock) if path else None
        self._grouping = False
        self._counting = threading.Lock()
        self.scans = 0  #: how many are open
        self.after: Callable[[], object] = lambda: None  #: called after each transaction, kept or undone
        self._idle: list[sqlite3.Connection] = []  # idle connections of readers
        try:
            self._writer = self._connect(16_384)
            with self.writing() as connection:
                _lay_out(connection)
        except BaseException:
            if self._owner is not None:
                self._owner.release()
            raise

    def _connect(self, cache: int) -> sqlite3.Connection:
        """A connection that keeps so many KiB of the file in memory."""
        target = str(self._path) if self._path else ":memory:"
        connection = sqlite3.connect(target, isolation_level=None, check_same_thread=False, timeout=60)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        connection.execute(f"PRAGMA cache_size = -{cache}")
        connection.execute("PRAGMA wal_autocheckpoint = 4000")  # pages of 4 KiB
        return connection

    @property
    def in_memory(self) -> bool:
        """Whether there is no file, and so one connection that all take turns with."""
        return self._path is None

    def close(self) -> None:
        """Close the file and give it up to the next process."""
        self._close_idle()
        with self._lock:
            try:
                with explained(self._path):
                    self._writer.execute(
                        "PRAGMA wal_checkpoint(TRUNCATE)"
                    )  # then the file alone is all of it
            except sqlite3.Error as error:
                _log.warning("%s. The log beside it, -wal, has what was written last", explanation(error))
            self._writer.close()
            if self._owner is not None:
                self._owner.release()
                self._owner = None

    def explained(self) -> AbstractContextManager[None]:
        """Note on the errors of what reads rows which file they are of."""
        return explained(self._path)

    def rest(self) -> None:
        """Give back the memory and the descriptors that readers no longer need."""
        self._close_idle()
        give_back()

    def _close_idle(self) -> None:
        with suppress(IndexError):  # another thread may do the same
            while True:
                self._idle.pop().close()

    def tell(self, address: str) -> None:
        """Write down, beside a file, where it is served."""
        if self._owner is not None:
            self._owner.tell(address)

    def exclusive(self) -> AbstractContextManager[bool]:
        """Keep other writers out for longer than a transaction."""
        return self._lock

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is kept when the block ends, and undone when it raises."""
        with self._lock, explained(self._path, ". Nothing of this request was kept"):
            if self._grouping:
                yield self._writer
                return
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            finally:
                if self._writer.in_transaction:  # the block has failed, or the commit has: a full disk, say
                    self._writer.execute("ROLLBACK")
                self.after()

    def group(self, works: Sequence[Callable[[], _T]]) -> list[_T | Exception]:
        """Do several things that write, in one transaction, and answer what each gave or raised.

        What raises must have written nothing by then. If it has, or if the file cannot be written, all of it is
        undone, and each is done again in a transaction of its own: none suffers from another.
        """
        if len(works) > 1:
            try:
                with self.writing():
                    self._grouping = True
                    try:
                        return [self._whole(work) for work in works]
                    finally:
                        self._grouping = False
            except Exception:
                _log.debug("a group is undone, and done one by one", exc_info=True)
        return [outcome_of(work) for work in works]

    def _whole(self, work: Callable[[], _T]) -> _T | Exception:
        before = self._writer.total_changes
        outcome = outcome_of(work)
        if isinstance(outcome, Exception):
            refused = isinstance(outcome, RequestError)
            if not refused or self._writer.total_changes != before:
                raise _Torn  # SQLite itself may have undone the transaction by now
        return outcome

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read from; it may see commits between two statements."""
        source = self._reading_memory if self.in_memory else self._reading_file
        with explained(self._path), source() as connection:
            yield connection

    @contextmanager
    def _reading_memory(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._writer

    @contextmanager
    def _reading_file(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect(2_048)
        try:
            yield connection
        finally:
            self._idle.append(connection)

    @contextmanager
    def scan(self) -> Iterator[None]:
        """A scan is open: the more there are, the smaller are the pages that each of them holds."""
        with self._counting:
            self.scans += 1
        try:
            yield
        finally:
            with self._counting:
                self.scans -= 1

    def page(
        self, table_id: int, keys: KeyRange, backwards: bool, most_rows: int | None = None
    ) -> tuple[list[tuple[bytes, bytes]], bool]:
        """The first rows of a range, about PAGE_SIZE bytes of them, and whether there may be more.

        Backwards they are the last rows, in falling order.

        Each page is a read transaction of its own, so a slow client keeps no old version of the file alive.
        """
        upper = ""
        arguments: list[int | bytes] = [table_id, keys.start]
        if keys.end is not None:
            upper = "AND row_key < ?"
            arguments.append(keys.end)
        direction = "DESC" if backwards else "ASC"
        query = (
            f"SELECT row_key, cells FROM rows WHERE table_id = ? AND row_key >= ? {upper} "
            f"ORDER BY row_key {direction}"
        )
        size = min(PAGE_SIZE, max(_SMALLEST_PAGE, _PAGES_SIZE // (self.scans or 1)))
        with self.reading() as connection:
            return first_rows(connection.execute(query, arguments), most_rows, size)

    def sizes(self, table_id: int, keys: KeyRange, most_rows: int = 10_000) -> list[tuple[bytes, int]]:
        """The keys of the first rows of a range, each with the bytes that its row takes."""
        query = (
            "SELECT row_key, length(cells) FROM rows WHERE table_id = ? AND row_key >= ? "
            "AND (? IS NULL OR row_key < ?) ORDER BY row_key LIMIT ?"
        )
        with self.reading() as connection:
            return connection.execute(query, (table_id, keys.start, keys.end, keys.end, most_rows)).fetchall()


def _owner(path: Path, lock: int | None) -> Owner:
    """This process, which has inherited a descriptor that locks the file, or else locks it now."""
    owner = Owner.of(path) if lock is None else Owner.inherited(path, lock)
    try:
        owner.tell("")
        users_of(path).close()  # so that it is there for other users, too, who may not write here
    except ServerError:
        owner.release()
        raise
    return owner


class _Torn(Exception):
    """Something failed in a group after it had written."""


def outcome_of(work: Callable[[], _T]) -> _T | Exception:
    """The result of a function, or the exception that it raised."""
    try:
        return work()
    except Exception as error:
        return error


def first_rows(
    cursor: sqlite3.Cursor, most_rows: int | None = None, most_bytes: int = PAGE_SIZE
) -> tuple[list[tuple[bytes, bytes]], bool]:
    """The first keys and rows of a cursor, about so many bytes of them, and whether there may be more."""
    rows: list[tuple[bytes, bytes]] = []
    size = 0
    with closing(cursor):
        for row in cursor:
            rows.append(row)
            size += len(row[1])
            if size >= most_bytes or len(rows) == most_rows:
                return rows, True
    return rows, False


def read_row(connection: sqlite3.Connection, table_id: int, key: bytes) -> bytes | None:
    """The stored form of one row; None when there is no such row."""
    query = "SELECT cells FROM rows WHERE table_id = ? AND row_key = ?"
    found = connection.execute(query, (table_id, key)).fetchone()
    return found[0] if found else None


def write_row(connection: sqlite3.Connection, table_id: int, key: bytes, stored: bytes) -> None:
    """Replace one row; a row without cells is no row."""
    if stored:
        connection.execute(_WRITE, (table_id, key, stored))
    else:
        connection.execute("DELETE FROM rows WHERE table_id = ? AND row_key = ?", (table_id, key))


def _lay_out(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file, and bring those of an older format up to date."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == FORMAT:
        return
    columns = [column[1] for column in connection.execute("PRAGMA table_info(tables)")]
    if (
        columns and "families" not in columns
    ):  # format 1: its rows have their families in the order of the names
        connection.execute("ALTER TABLE tables ADD COLUMN families TEXT NOT NULL DEFAULT ''")
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {KIND}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _check_kind(path: Path) -> None:
    """Refuse a file that is not ours, before anything is written to it."""
    refuse_foreign(path)
    try:
        with explained(path), closing(_read_only(path)) as connection:
            (kind,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            raise ServerError(f"{path} is not a database of the local server: {error}") from error
        raise
    if kind != KIND and tables:
        raise ServerError(f"{path} is not a database of the local server: another program made this database")
    if kind == KIND and version > FORMAT:
        raise ServerError(f"{path} has format {version}, and this version reads format {FORMAT}")


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=60)


def backup(source: Path, target: Path) -> None:
    """Copy a file as it is at one moment, also while another process serves it; refuses to overwrite."""
    with reaching(f"cannot copy {source}"):
        if not source.exists():
            raise ServerError(f"cannot copy {source}: there is no such file")
    with reaching(f"cannot copy {source} to {target}"):
        if target.exists():
            raise ServerError(f"cannot copy {source} to {target}: the target exists already")
    try:
        _check_kind(source)
        with (
            closing(_read_only(source)) as origin,
            closing(sqlite3.connect(target)) as copy,
        ):
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
    except sqlite3.Error as error:
        with suppress(OSError):
            target.unlink()  # half of a copy, which would also be in the way of the next one
        raise ServerError(f"cannot copy {source} to {target}: {explanation(error)}") from error
