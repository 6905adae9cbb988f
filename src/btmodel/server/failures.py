"""Failures of the file: what errors of SQLite and of reading rows say of it, and the status of a request that meets one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grpc import StatusCode

from btmodel.printable import one_line
from btmodel.server.protos import DecodeError

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PERHAPS_FULL = {
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
}  # what SQLite says when it cannot grow its index
_LEAST_SPACE = 1 << 16  # bytes; that index of the log takes half of it


@contextmanager
def explained(path: Path | None, more: str = "") -> Iterator[None]:
    """Note on every such error which file it is about and what is wrong with it; *more* is said after it."""
    try:
        yield
    except (sqlite3.Error, DecodeError) as error:
        if not hasattr(error, "__notes__"):
            error.add_note(one_line(_cause(error, path) + more))
        raise


def explanation(error: Exception) -> str:
    """What was noted on an error, or its own text."""
    notes = getattr(error, "__notes__", ())
    return notes[0] if notes else str(error)


def status(error: Exception) -> StatusCode | None:
    """The status of a request that met an error; None when it is no failure of the file."""
    if isinstance(error, DecodeError) or _kind(error) in _DAMAGE:
        return StatusCode.DATA_LOSS
    return StatusCode.RESOURCE_EXHAUSTED if isinstance(error, sqlite3.OperationalError) else None


def _cause(error: Exception, path: Path | None) -> str:
    name = path or "The database in memory"
    if status(error) is StatusCode.DATA_LOSS:
        return f"{name} is damaged ({error}): put a copy that --backup made in its place"
    if _kind(error) == sqlite3.SQLITE_FULL or (path and _kind(error) in _PERHAPS_FULL and _is_full(path)):
        return f"{name} cannot be written: the disk is full ({error}); free some space and try again"
    return f"{name} cannot be read or written: {error}"


def _kind(error: Exception) -> int:
    """The primary result code of SQLite; 0 where the error is Python's own."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def _is_full(path: Path) -> bool:
    space = os.statvfs(path.parent)
    return space.f_bavail * space.f_frsize < _LEAST_SPACE
