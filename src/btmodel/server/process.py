"""The server process: command line, start and end."""

from __future__ import annotations

import argparse
import faulthandler
import fcntl
import gc
import logging
import os
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from attrs import define, field

from btmodel.errors import ServerError
from btmodel.server.admin import InstanceAdmin, TableAdmin
from btmodel.server.calls import Listener
from btmodel.server.catalog import Catalog
from btmodel.server.data import DataService
from btmodel.server.housekeeping import Housekeeper
from btmodel.server.protos import DecodeError
from btmodel.server.request_errors import explained, explanation
from btmodel.server.running import READY_LINE, log_of, real_path, refuse_served, users_of
from btmodel.server.service import Implementations, Operations, Service
from btmodel.server.sql.sql_service import SqlService
from btmodel.server.store import Store, backup
from btmodel.server.stream_records import Streams
from btmodel.server.views import Views
from btmodel.server.views_and_bundles import TableParts
from btmodel.words import one_line

ONE_CLUSTER = ("local-c1",)
TWO_CLUSTERS = ("local-c1", "local-c2")


@define
class Server:
    """A server in this process, serving from `start` to `stop`.

    One that programs share has inherited the lock of its file, and takes another port where its own is in use.
    """

    path: Path | None = None
    host: str = "127.0.0.1"
    port: int = 0
    replicated: bool = False
    eager_gc: bool = False
    gc_period: float | None = None
    view_lag: float = 0.0
    lock: int | None = None
    _store: Store = field(init=False)
    _housekeeper: Housekeeper = field(init=False)
    _service: Service = field(init=False)
    _listener: Listener = field(init=False)
    _sql: SqlService = field(init=False)

    def start(self) -> str:
        """Open the file and the port; answers the address, host:port. Raises ServerError when it cannot."""
        if not 0 <= self.port < 65_536:
            raise ServerError(f"cannot listen on port {self.port}: expected 0 to 65535")
        clusters = TWO_CLUSTERS if self.replicated else ONE_CLUSTER
        self._listener = Listener(lambda call: self._service.accept(call))
        address = self._listen()  # before the file, so that a port in use leaves no empty one
        catalog = self._open()
        streams = Streams(self._store, catalog)
        self._housekeeper = Housekeeper(self._store, catalog, streams, self.gc_period)
        operations = Operations()
        views = Views(self._store, catalog, operations, self.eager_gc, self.view_lag)
        self._sql = SqlService(self._store, catalog, self.eager_gc)
        parts = TableParts(self._store, catalog, operations)
        implementations: Implementations = {
            "google.bigtable.v2.Bigtable": DataService(
                self._store, catalog, self.replicated, self.eager_gc, views, streams, self._sql, parts
            ),
            "google.bigtable.admin.v2.BigtableTableAdmin": TableAdmin(
                catalog, operations, self._housekeeper, clusters, views, streams, parts
            ),
            "google.bigtable.admin.v2.BigtableInstanceAdmin": InstanceAdmin(
                catalog, self._housekeeper, clusters, views, parts
            ),
            "google.longrunning.Operations": operations,
        }
        self._service = Service(
            implementations, self._housekeeper.collect_garbage, self._store, streams.partition
        )
        streams.wake = self._service.waiting.wake
        self._service.start()
        self._listener.start()
        self._housekeeper.start()
        self._store.tell(address)
        return address

    def _listen(self) -> str:
        """Take the port; answers the address, host:port."""
        host = f"[{self.host}]" if ":" in self.host and not self.host.startswith("[") else self.host
        # gRPC writes a line of its own to stderr where it fails, and so is not asked where it would.
        for wanted in (self.port,) if self.lock is None else (self.port, 0):
            port = self._listener.bind(f"{host}:{wanted}") if _can_be_had(self.host, wanted) else 0
            if port:
                return f"{host}:{port}"
        if self.path:
            refuse_served(self.path)  # perhaps there, which is the better thing to say
        raise ServerError(
            f"cannot listen on {host}:{self.port}: it is in use, or not of this machine (port 0 takes a free one)"
        )

    def _open(self) -> Catalog:
        """Open the file and read its tables."""
        try:
            with explained(self.path):
                self._store = Store(self.path, self.lock)
                return Catalog(self._store)
        except (sqlite3.Error, DecodeError) as error:
            raise ServerError(explanation(error)) from error

    def stop(self) -> None:
        """Finish the requests that are under way, for up to a second, end the others with UNAVAILABLE, and close the file."""
        self._service.waiting.stop()
        self._listener.stop(grace=1.0)
        self._service.stop()
        self._sql.close()
        self._housekeeper.stop()
        self._store.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m btmodel.server", description="Serve the Bigtable API from one file, or from memory."
    )
    parser.add_argument("--file", type=Path, help="the file to serve; without it everything is in memory")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="the port; 0, the default, takes a free one")
    parser.add_argument("--replicated", action="store_true", help="refuse what a replicated instance refuses")
    parser.add_argument(
        "--gc", choices=("lazy", "eager"), default="lazy",
        help="when garbage goes: in the background, or before anybody can read it",
    )  # fmt: skip
    parser.add_argument(
        "--gc-period", type=float, default=3600.0, metavar="SECONDS",
        help="how often garbage is collected in the background (default: %(default)s; 0 for never)",
    )  # fmt: skip
    parser.add_argument(
        "--view-lag", type=float, default=0.0, metavar="SECONDS",
        help="how far materialized views are behind their tables (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--backup", type=Path, metavar="TO", help="copy --file there, also while it is served, and end"
    )
    parser.add_argument("--until-eof", action="store_true", help="end when the standard input does")
    parser.add_argument(
        "--shared",
        type=int,
        metavar="FD",
        help="end when no process uses --file, whose lock is the descriptor FD",
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; answers the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.backup:
            if not options.file:
                raise ServerError("--backup needs --file, the file to copy")
            backup(options.file, options.backup)
            print(f"copied {options.file} to {options.backup}")
            return 0
        _serve(options)
    except ServerError as error:
        # A parent that waits for the line that says ready reads this one instead.
        complaint = f"btmodel.server: {one_line(str(error))}"
        if options.until_eof or options.shared is not None:
            _say(complaint)
        else:
            print(complaint, file=sys.stderr)
        return 1
    return 0


def _serve(options: argparse.Namespace) -> None:
    server = Server(
        path=options.file,
        host=options.host,
        port=options.port,
        replicated=options.replicated,
        eager_gc=options.gc == "eager",
        gc_period=options.gc_period or None,
        view_lag=options.view_lag,
        lock=options.shared,
    )

    def ready(address: str) -> None:
        _say(f"{READY_LINE}{address}")

    if options.shared is None:
        run(server, ready, _end_of_input if options.until_eof else None)
        return
    # Held until this process ends: a process that comes meanwhile waits for that, and finds the file free.
    with users_of(real_path(options.file)) as users:

        def ready_for_all(address: str) -> None:
            ready(address)
            _write_to_log(real_path(options.file))
            _log.info("serves %s at %s", options.file, address)

        stopped_by = run(server, ready_for_all, partial(fcntl.flock, users, fcntl.LOCK_EX))
        _log.info(
            "ends, %s", f"stopped by {stopped_by.name}" if stopped_by else "as no program uses the file"
        )


_log = logging.getLogger(__name__)
_MOST_LOG = 2**18  # bytes; half of them are kept when there are more


def _write_to_log(path: Path) -> None:
    """Write to the log beside a file from now on: a program that waits for the end of our starter's output must not wait for ours."""
    try:
        with log_of(path) as log:
            place = os.dup(log.fileno())
    except OSError:
        place = os.open(os.devnull, os.O_RDWR)
    for number in (1, 2):
        os.dup2(place, number)
    os.close(place)
    faulthandler.enable()
    logging.raiseExceptions = False  # a full disk is no reason to fail
    handler = _Bounded(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s process %(process)d: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


class _Bounded(logging.StreamHandler[TextIO]):
    """Writes to standard error, which is a file of a bounded size."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            size = os.fstat(2).st_size
            if size > _MOST_LOG:
                kept = os.pread(2, _MOST_LOG // 2, size - _MOST_LOG // 2)
                os.ftruncate(2, 0)
                os.write(2, kept[kept.find(b"\n") + 1 :])
        super().emit(record)


def _say(line: str) -> None:
    """Print a line at once, to a parent that may have been killed meanwhile: the end of the input ends us then."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # what is left of it is written at the exit


def run(
    server: Server, ready: Callable[[str], None], end: Callable[[], object] | None = None
) -> signal.Signals | None:
    """Serve until a signal, which it returns, or until *end* returns; *ready* is called with the address, host:port.

    Raises ServerError when the file or the port cannot be had.
    """
    # SQLite gives up the interpreter at each row; a shorter turn for the others keeps scans fast under load.
    sys.setswitchinterval(0.0005)
    # A batch of writes is thousands of short-lived objects and no cycle: looking for cycles costs a tenth.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    address = server.start()
    over = threading.Event()
    stopped_by: list[signal.Signals] = []

    def stop(number: int, frame: object) -> None:
        stopped_by.append(signal.Signals(number))
        over.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    if end is not None:
        threading.Thread(target=_wait_for, args=[end, over], daemon=True).start()
    ready(address)
    over.wait()
    server.stop()
    return stopped_by[0] if stopped_by else None


def _wait_for(end: Callable[[], object], over: threading.Event) -> None:
    end()
    over.set()


def _end_of_input() -> None:
    while sys.stdin.buffer.read(4096):
        pass


def _can_be_had(host: str, port: int) -> bool:
    """Whether a server may listen there: on one of the addresses of ``host``, as gRPC does."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        return False
    return any(_bound(family, address) for family, _, _, _, address in found)


def _bound(family: int, address: tuple[Any, ...]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # as gRPC: one that has just ended is no hindrance
        try:
            tried.bind(address)
        except OSError:
            return False
    return True
