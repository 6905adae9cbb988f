"""Failed requests: a status code and a sentence."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import field, frozen
from grpc import StatusCode

from btmodel.errors import BtmodelError
from btmodel.server.protos import DecodeError
from btmodel.words import one_line


def shown(data: bytes) -> str:
    """A row key or a qualifier in an error."""
    return one_line(data.decode("utf-8", "backslashreplace"))


@frozen
class RequestError(BtmodelError):
    """A request that the server refuses: the code and the text that the client gets."""

    code: StatusCode
    text: str = field(converter=one_line)

    def __str__(self) -> str:
        return f"{self.code.name}: {self.text}"


def invalid(text: str) -> RequestError:
    """INVALID_ARGUMENT: the request is wrong whatever the state of the table."""
    return RequestError(StatusCode.INVALID_ARGUMENT, text)


def not_found(text: str) -> RequestError:
    """NOT_FOUND: the table, the family or another named thing is not there."""
    return RequestError(StatusCode.NOT_FOUND, text)


def already_exists(text: str) -> RequestError:
    """ALREADY_EXISTS: what was to be created is there."""
    return RequestError(StatusCode.ALREADY_EXISTS, text)


def exhausted(text: str) -> RequestError:
    """RESOURCE_EXHAUSTED: a limit on how many of something there may be is reached."""
    return RequestError(StatusCode.RESOURCE_EXHAUSTED, text)


def denied(text: str) -> RequestError:
    """PERMISSION_DENIED: the caller may not do this, or not through this view."""
    return RequestError(StatusCode.PERMISSION_DENIED, text)


def aborted(text: str) -> RequestError:
    """ABORTED: another came first."""
    return RequestError(StatusCode.ABORTED, text)


def precondition(text: str) -> RequestError:
    """FAILED_PRECONDITION: the table is not in the state that the request needs."""
    return RequestError(StatusCode.FAILED_PRECONDITION, text)


def unimplemented(text: str) -> RequestError:
    """UNIMPLEMENTED: the service can do it, this server cannot."""
    return RequestError(StatusCode.UNIMPLEMENTED, text)


def in_context(error: RequestError, context: str) -> RequestError:
    """The same failure with its context before it, which the service gives where something was not found."""
    if error.code is not StatusCode.NOT_FOUND:
        return error
    return RequestError(error.code, f"{context} : {error.text}")


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
    """The note on an error, or its own text."""
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
