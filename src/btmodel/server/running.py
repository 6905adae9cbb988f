"""Servers in other processes: one of this program's own, and one that the programs which use a file share.

Two locks lie beside a file. `.lock` is held by the process that serves it, and says where; `.users` is shared by all that
use the file. The kernel gives both up when their process ends, however it ends: a shared server waits until it can have
`.users` for itself, and the process that gets `.lock` serves the file. So nothing is left behind that must be cleared away.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Literal
from weakref import WeakSet

from attrs import define, field, frozen

from btmodel.errors import ServerError

# What this process and its child must agree on.
READY_LINE = "btmodel.server ready on "
LOCAL = "projects/btmodel/instances/local"  # what `local:` names; the server has every instance
NOWHERE = "127.0.0.1:0"  # an address that no server can have: calling it fails at once
COLLECT_GARBAGE = "/btmodel.server.Local/CollectGarbage"
COUNT_SCANS = "/btmodel.server.Local/CountScans"
PARTITION_STREAM = "/btmodel.server.Local/PartitionStream"

_STOP_SECONDS = 10.0
_START_SECONDS = 60.0  # for which a server that another process starts is waited for
_SILENT_SECONDS = 10.0  # and one that does not answer where it should
_REPLACE_SECONDS = 0.2  # in which an owner surely records that it is one
_LOOK_SECONDS = 0.01  # between two looks at the locks
_LOOK_AGAIN = (
    0.02  # and for as long a server is taken to be where it was: a look takes as long as half a call
)


@define
class RunningServer:
    """A server in a child process. It ends with `stop`, with its `with` block, or with this process."""

    host: str  #: host:port, as BIGTABLE_EMULATOR_HOST wants it
    file: Path | None  #: the file that is served; None for one in memory
    _process: subprocess.Popen[bytes] = field(repr=False, alias="process")

    @property
    def pid(self) -> int:
        """The number of the child process."""
        return self._process.pid

    def stop(self) -> None:
        """End the server and wait for it; does nothing when it has ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def kill(self) -> None:
        """End the server at once, as a crash would: `kill -9`."""
        self._process.kill()
        self._process.wait()
        self.stop()

    def collect_garbage(self) -> None:
        """Let the server delete, now, every cell that the rules of its family let go.

        Raises grpc.RpcError when the server cannot be reached.
        """
        self._call(COLLECT_GARBAGE)

    def count_scans(self) -> int:
        """How many reads clients have open: more than zero after all of them ended would be a leak.

        Raises grpc.RpcError when the server cannot be reached.
        """
        return int(self._call(COUNT_SCANS))

    def partition_stream(self, table: str, *keys: bytes) -> None:
        """Divide the change stream of a table, by its full name, at these keys from now on: without any it is one partition.

        Readers of partitions that do not stay as they are get a CloseStream, as when the service splits and merges.
        Raises grpc.RpcError when the server cannot be reached, or the table has no change stream.
        """
        from btmodel.server import protos

        request = protos.admin("CreateTableRequest")(
            parent=table, initial_splits=[{"key": key} for key in keys]
        )
        self._call(PARTITION_STREAM, request.SerializeToString())

    def _call(self, path: str, request: bytes = b"") -> bytes:
        import grpc

        with grpc.insecure_channel(self.host) as channel:
            call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
            return call(request, wait_for_ready=True)

    def __enter__(self) -> RunningServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(
    file: str | os.PathLike[str] | None = None,
    *,
    port: int = 0,
    replicated: bool = False,
    gc: Literal["lazy", "eager"] = "lazy",
    gc_period: float = 3600.0,
    view_lag: float = 0.0,
) -> RunningServer:
    """Start a server on loopback and return once it serves.

    Without a file everything is in memory and goes with the server. *port* 0 takes a free one. *gc_period* is
    in seconds, 0 for never; so is *view_lag*, by which views are behind their tables. Raises ServerError when the file or the port cannot be had.
    """
    options = ["--until-eof", "--port", str(port), "--gc", gc, "--gc-period", str(gc_period)]
    options += ["--file", os.fspath(file)] if file is not None else []
    options += ["--replicated"] if replicated else []
    options += ["--view-lag", str(view_lag)] if view_lag else []
    process = _launched(options, stdin=subprocess.PIPE)
    return RunningServer(
        host=_address(process), file=Path(file) if file is not None else None, process=process
    )


def _launched(options: list[str], *, stdin: int, keep: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    """A process of the server's, which inherits the descriptors to ``keep``."""
    # -P: a file of the working folder that is called signal.py must not stand in for Python's own.
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "btmodel.server", *options],
        stdin=stdin,
        stdout=subprocess.PIPE,
        env=_environment(),
        start_new_session=True,  # so that Ctrl-C in our terminal does not reach it before us
        pass_fds=keep,
    )


def _address(process: subprocess.Popen[bytes]) -> str:
    """The address of a launched server, once it serves. Raises ServerError with the server's message if it cannot serve."""
    assert process.stdout is not None
    line = process.stdout.readline().decode().strip()
    if not line.startswith(READY_LINE):
        process.communicate()
        complaint = line.removeprefix("btmodel.server: ") or "it ended without a word"
        raise ServerError(f"the local server did not start: {complaint}")
    return line.removeprefix(READY_LINE)


def _environment() -> dict[str, str]:
    """This process's environment, with the folder of this package on the child's path where it is not installed."""
    environment = dict(os.environ)
    root = Path(__file__).parents[2]
    if root.name != "site-packages":
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(root), environment.get("PYTHONPATH", "")])
        )
    return environment


# Locks of this process: a process that is forked from it shares them, and so must give up its part.
_locks: WeakSet[FileIO] = WeakSet()


def _leave_to_parent() -> None:
    """Close, in a process that was forked, what its parent holds: the locks stay with the parent."""
    for lock in list(_locks):
        lock.close()


os.register_at_fork(after_in_child=_leave_to_parent)

# SQLite's own locks would be lost if the process closed the file once, so a file is locked by others beside it.

_OWNER, _USERS, _LOG = ".lock", ".users", ".log"
_ROOM = 512  # bytes for what an owner writes down


@frozen
class _OwnerRecord:
    """The record of the owner of a file, or of the last owner; it counts while the file is owned."""

    pid: str = ""
    address: str = ""  # where it serves the file; empty until it does
    kind: str = ""  # _SHARED where the server ends with its last user
    inode: str = ""  # the file itself, which may be deleted or replaced meanwhile

    def refusal(self, path: Path) -> ServerError:
        """The error of a process that wants to serve the file, too."""
        way = (
            f": connect to local:{path}, or export BIGTABLE_EMULATOR_HOST={self.address}"
            if self.address
            else ""
        )
        end = ". This server ends with the last program that uses the file" if self.kind == _SHARED else ""
        return ServerError(f"{path} is already being served by {self}{way}{end}")

    def __str__(self) -> str:
        process = f"process {self.pid or 'unknown'}"
        return f"{process} at {self.address}" if self.address else process


_SHARED, _ALONE = "shared", "alone"


@frozen
class Owner:
    """The only process that may serve a file, until it releases the file or ends."""

    path: Path  # a real one
    shared: bool
    _lock: FileIO = field(alias="lock")
    port: int = 0  #: where users look for a shared server that has ended before them; 0 where there was none

    @classmethod
    def of(cls, path: Path) -> Owner:
        """This process, which serves ``path`` for itself; ServerError when another one serves it."""
        began = time.monotonic()
        while (owner := cls.elected(path, shared=False)) is None:
            # One that starts or ends just now is waited for.
            if _answers(_record(path).address) or time.monotonic() - began > _STOP_SECONDS:
                raise _record(path).refusal(path)
            time.sleep(_LOOK_SECONDS)
        return owner

    @classmethod
    def elected(cls, path: Path, *, shared: bool) -> Owner | None:
        """This process, if ``path`` has no owner, or None. Raises ServerError where ``path`` cannot be owned."""
        try:
            lock = _opened(path, _OWNER, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            if _is_owned(path):
                return None  # by another user
            raise _unwritable(path, _OWNER, error) from error
        if not _locked(lock, fcntl.LOCK_EX):
            lock.close()
            return None
        last = _record(path)
        owner = cls(path, shared, lock, _port(last.address) if last.kind == _SHARED else 0)
        try:
            owner.tell("")  # at once: what the last owner has recorded holds no more
        except ServerError:
            owner.release()
            raise
        return owner

    @classmethod
    def inherited(cls, path: Path, descriptor: int) -> Owner:
        """This process, to which the one that was elected has left the lock."""
        os.set_inheritable(descriptor, False)
        return cls(path, True, FileIO(descriptor, "r+"))

    @property
    def descriptor(self) -> int:
        """The descriptor that holds the lock."""
        return self._lock.fileno()

    def tell(self, address: str) -> None:
        """Record where the file is served, or "" while it is not; all of the room is taken the first time."""
        kind = _SHARED if self.shared else _ALONE
        text = f"{os.getpid()} {address} {kind} {_inode(self.path)}" if address else f"{os.getpid()}"
        try:
            os.pwrite(self.descriptor, f"{text}\n".encode().ljust(_ROOM), 0)
        except OSError as error:
            raise _unwritable(self.path, _OWNER, error) from error

    def release(self) -> None:
        """Give the file up, or leave it to the process that has inherited the lock."""
        self._lock.close()


@define
class Use:
    """A file that this process uses, at a server that it may share with other processes.

    It begins with `join`, and ends with `release`, or with this process. A caller of the server asks for its `address`
    each time: that is all it takes for a server that was killed to be replaced, and for its successor to be found.
    """

    path: Path
    _users: FileIO | None = field(alias="users")
    host: str = ""  #: host:port of the server, when it was last looked for
    _shared: bool = False
    _looked: float = 0.0
    _served: bool = True

    def release(self) -> None:
        """Stop using the file; the last user waits until the server has ended. Does nothing the second time."""
        users, self._users = self._users, None
        if users is None or users.closed:  # a process that was forked finds it closed
            return
        began = time.monotonic()
        with users:
            fcntl.flock(users, fcntl.LOCK_UN)
            while self._shared and self._lingers(users) and time.monotonic() - began < _STOP_SECONDS:
                time.sleep(_LOOK_SECONDS)

    def address(self) -> str:
        """host:port of the server that serves the file now; waits for nothing.

        A shared server that was killed is replaced, at the same address where that is free, by the process that asks first. Until
        the next one serves, the address is one without a server: another program may have the port by then.
        """
        now = time.monotonic()
        if now - self._looked > _LOOK_AGAIN and self._users is not None and not self._users.closed:
            self._looked = now
            self._follow()
        return self.host if self._served else NOWHERE

    @property
    def log(self) -> Path | None:
        """The log of a shared server; None where the server is a user's own."""
        return _beside(self.path, _LOG) if self._shared else None

    def _follow(self) -> None:
        record, owned = _record(self.path), _is_owned(self.path)
        if owned and record.address:
            self.host, self._shared = record.address, record.kind == _SHARED
        self._served = not self._shared or (owned and bool(record.address))
        if not owned and self._shared:
            with suppress(ServerError):
                owner = Owner.elected(self.path, shared=True)
                if owner is not None:
                    Thread(target=_replace, args=[owner, _port(self.host)], daemon=True).start()

    def _lingers(self, users: FileIO) -> bool:
        """Whether the server is still there, and unused."""
        if _record(self.path).kind == _ALONE or not _is_owned(self.path):
            return False
        if not _locked(users, fcntl.LOCK_SH):
            return True  # the server has the lock, and ends
        alone = _locked(users, fcntl.LOCK_EX)
        fcntl.flock(users, fcntl.LOCK_UN)
        return alone

    def _joined(self, users: FileIO) -> bool:
        """Whether a server was found or started; not while one ends, or is being started by another process."""
        if not _locked(users, fcntl.LOCK_SH):
            return False
        owner = Owner.elected(self.path, shared=True)
        if owner is not None:
            _serve(owner, owner.port)
        record = _record(self.path)
        if not _answers(record.address):
            return False
        if not _runs(record.pid):
            # Of another container, or the last owner's, which a process that was elected just now is about to replace.
            time.sleep(_REPLACE_SECONDS)
        if record != _record(self.path):
            return False
        if record.inode != _inode(self.path):
            raise ServerError(
                f"{self.path} was deleted or replaced while {record} serves it: end the programs that use it, and "
                "that process"
            )
        self.host, self._shared = record.address, record.kind == _SHARED
        return True


def join(file: str | os.PathLike[str]) -> Use:
    """Use a file at the server that serves it, or else at one that is started for all who use it.

    That server ends with the last of them. Raises ServerError where the file cannot be used or served.
    """
    path = real_path(Path(file))
    users = users_of(path)
    try:
        use, began = Use(path, users), time.monotonic()
        while not use._joined(users):
            _refuse_late(path, time.monotonic() - began)
            time.sleep(_LOOK_SECONDS)
    except BaseException:
        users.close()
        raise
    return use


def _serve(owner: Owner, port: int) -> None:
    """Start a server that inherits the lock of ``owner``, on ``port`` where that is free, and wait until it serves."""
    try:
        options = ["--shared", str(owner.descriptor), "--file", str(owner.path), "--port", str(port)]
        process = _launched(options, stdin=subprocess.DEVNULL, keep=(owner.descriptor,))
    finally:
        owner.release()
    with process:
        _address(process)


def _replace(owner: Owner, port: int) -> None:
    """The same for a server that was killed; where it cannot be started, calls go unanswered, and connecting anew says why."""
    with suppress(ServerError, OSError):
        _serve(owner, port)


def _refuse_late(path: Path, waited: float) -> None:
    """Raise ServerError where ``path`` has an owner that has been waited for long enough."""
    record = _record(path)
    if waited > (_SILENT_SECONDS if record.address else _START_SECONDS):
        why = "nothing answers there" if record.address else f"it has given no address for {waited:.0f} s"
        raise ServerError(
            f"{path} is already being served by {record}, but {why}: end that process and try again"
        )


def users_of(path: Path) -> FileIO:
    """The file that the users of ``path``, a real path, lock. Raises ServerError where it cannot be opened."""
    try:
        return _opened(path, _USERS, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        with suppress(OSError):
            return _opened(path, _USERS, os.O_RDONLY)  # another user's
        raise _unwritable(path, _USERS, error) from error


def log_of(path: Path) -> FileIO:
    """The log of the server that programs share, to be added to. Raises OSError where it cannot be opened."""
    return _opened(path, _LOG, os.O_RDWR | os.O_CREAT | os.O_APPEND)


def refuse_served(path: Path) -> None:
    """Raise ServerError when another process owns ``path``; this writes nothing."""
    path = path.resolve()
    if _is_owned(path):
        raise _record(path).refusal(path)


def _is_owned(path: Path) -> bool:
    try:
        lock = _opened(path, _OWNER, os.O_RDONLY)
    except OSError:
        return False
    with lock:
        return not _locked(lock, fcntl.LOCK_SH)


def _opened(path: Path, suffix: str, flags: int) -> FileIO:
    """A file beside ``path``; a link in its place is refused, as it may lead to any other file."""
    mode = "r" if flags == os.O_RDONLY else "r+"
    # Without waiting, as of a pipe in its place for the other end.
    safely = flags | os.O_NOFOLLOW | os.O_NONBLOCK
    lock = FileIO(str(_beside(path, suffix)), mode, opener=lambda name, _: os.open(name, safely, 0o644))
    if not stat.S_ISREG(os.fstat(lock.fileno()).st_mode):
        lock.close()
        raise OSError(errno.EINVAL, "it is no regular file")
    _locks.add(lock)
    return lock


def _locked(lock: FileIO, how: int) -> bool:
    """Whether this process has the lock now. Raises ServerError where the file system has no locks."""
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise ServerError(
            f"cannot lock {lock.name!s}: {error.strerror}: put the file on a file system that has locks, such as a local disk"
        ) from error
    return True


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _unwritable(path: Path, suffix: str, error: OSError) -> ServerError:
    return ServerError(f"cannot serve {path}: cannot write {_beside(path, suffix)}: {error.strerror}")


def _record(path: Path) -> _OwnerRecord:
    """The record of the owner of ``path``, or of the last one."""
    try:
        with _opened(path, _OWNER, os.O_RDONLY) as lock:
            text = lock.read(_ROOM)
    except OSError:
        return _OwnerRecord()
    return _OwnerRecord(*text.decode(errors="replace").split()[:4])


def _inode(path: Path) -> str:
    """The identity of a file, whatever its name; empty if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"


def _port(address: str) -> int:
    """The port of host:port; 0 where there is none."""
    port = address.rpartition(":")[2]
    return int(port) if port.isdecimal() and len(port) < 6 else 0


def _runs(pid: str) -> bool:
    """Whether there is a process of that number, as far as this one can see."""
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True


def _answers(address: str) -> bool:
    """Whether there is a server at host:port."""
    host, port = address.rpartition(":")[0].strip("[]"), _port(address)
    try:
        socket.create_connection((host, port), 1.0).close()
    except (OSError, OverflowError):
        return False
    return True


def real_path(path: Path) -> Path:
    """The one name by which a file is owned. Raises ServerError where it has a second one, or is not a database."""
    with reaching(f"cannot serve {path}"):
        real = path.resolve()
        if not real.parent.is_dir():
            raise ServerError(f"cannot serve {path}: there is no folder {real.parent}")
        if real.is_file() and real.stat().st_nlink > 1:
            raise ServerError(f"cannot serve {path}: the file has another name (a hard link): copy it")
        refuse_foreign(real)  # before there is a lock beside it
        return real


_MAGIC = b"SQLite format 3\0"  # how its files begin


def refuse_foreign(path: Path) -> None:
    """Raise ServerError where there is a file that is no database: SQLite writes over one of a few bytes."""
    if path.exists() and not path.is_file():
        raise ServerError(f"{path} is not a database of the local server: it is no regular file")
    with suppress(FileNotFoundError), path.open("rb") as file:
        head = file.read(len(_MAGIC))
        if head and head != _MAGIC:
            raise ServerError(f"{path} is not a database of the local server: file is not a database")


@contextmanager
def reaching(failure: str) -> Iterator[None]:
    """Raise ServerError where the system refuses to look at a path: it may be closed to this user, or too long."""
    try:
        yield
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # a ring of links is a RuntimeError before Python 3.13; a NUL is a ValueError
        raise ServerError(f"{failure}: {getattr(error, 'strerror', None) or error}") from error
