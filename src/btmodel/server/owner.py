"""Which process serves a file, and where: a lock on a file beside it, which holds both.

SQLite's own locks would be lost if the process closed the file once.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from attrs import field, frozen

from btmodel.errors import ServerError
from btmodel.server.running import LOCAL

_ROOM = 512  # bytes for the number of the process and the address


@frozen
class Owner:
    """This process as the only owner of a file, until it is released or ends."""

    _descriptor: int = field(alias="descriptor")

    @classmethod
    def of(cls, path: Path) -> Owner:
        """The owner of ``path``, a real path; ServerError when another process owns it."""
        lock = _lock(path)
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise ServerError(f"cannot serve {path}: cannot write {lock}: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            refused = _refusal(path, descriptor)
            os.close(descriptor)
            raise refused from None
        owner = cls(descriptor)
        try:
            owner.tell("")
        except OSError as error:
            owner.release()
            raise ServerError(f"cannot serve {path}: cannot write {lock}: {error.strerror}") from error
        return owner

    def tell(self, address: str) -> None:
        """Write down where the file is served, for who finds it owned; all of the room is taken the first time."""
        os.pwrite(self._descriptor, f"{os.getpid()} {address}\n".encode().ljust(_ROOM), 0)

    def release(self) -> None:
        """Give the file up."""
        os.close(self._descriptor)


def refuse_served(path: Path) -> None:
    """Raise ServerError when another process owns ``path``; this writes nothing."""
    try:
        descriptor = os.open(_lock(path.resolve()), os.O_RDONLY)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        raise _refusal(path, descriptor) from None
    finally:
        os.close(descriptor)


def served_at(path: Path, host: str) -> bool:
    """Whether a process of this machine serves ``path`` at ``host``, right now.

    The lock is what tells: the address of a process that was killed may be another's by now.
    """
    try:
        descriptor = os.open(_lock(path.resolve()), os.O_RDONLY)
    except (OSError, RuntimeError):  # a ring of links is a RuntimeError, before Python 3.13
        return False
    try:
        if _read(descriptor)[1] != host:
            return False  # without a try of the lock, which would be in the way of who wants to own it
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _read(descriptor)[1] == host
    finally:
        os.close(descriptor)
    return False


def _lock(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _read(descriptor: int) -> tuple[str, str]:
    """The process that owns a file, and its address, as far as they are written down."""
    pid, _, address = os.pread(descriptor, _ROOM, 0).decode(errors="replace").strip().partition(" ")
    return pid, address


def _refusal(path: Path, descriptor: int) -> ServerError:
    """What is said to who finds the file owned."""
    pid, address = _read(descriptor)
    return ServerError(f"{path} is already being served by process {pid or 'unknown'}{_way(address)}")


def _way(address: str) -> str:
    """How to reach a file that another serves."""
    if not address:
        return ""
    return f" at {address}: export BIGTABLE_EMULATOR_HOST={address}, and the instance {LOCAL} is that file"
