"""Runs of ``btmodel migrate`` that are killed, each at another call: a program of its own, for the test of that.

``python killed_runs.py HOST FIRST EVERY`` prints, as JSON, a line for every EVERYth kill from the FIRSTth on: how
many calls the run lived to see answered, how it and the run after it ended, and what was then in the
instance. The last line is that of a run that lived through. Processes are forked: importing takes longer than running.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

import attrs
from grpc import _channel
from some_tables import ONE, table

from btmodel.cli import main
from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate.history import MigrationHistory
from btmodel.recorded.tables import as_data
from btmodel.schema import MaxVersions, TableSettings
from tests.forked_commands import load

MODELS = """
import btmodel as bt

class Fresh(bt.Model, table="FRESH", events="1/day"):
    "Its table is to be made."
    id: str = bt.key(bt.Text(width=5))
    data = bt.family("data", gc=bt.max_versions(1))
    bid: str = bt.column("BID", data)

class Kept(bt.Model, table="KEPT", events="1/day"):
    "Its table is to be changed in every way."
    id: str = bt.key(bt.Text(width=5))
    tighter = bt.family("tighter", gc=bt.max_versions(1))
    new = bt.family("new", gc=bt.max_versions(1))
    one: str = bt.column("ONE", tighter)
    two: str = bt.column("TWO", new)
"""
ALLOWED = (
    "tighten-gc:KEPT.tighter",
    "drop-family:KEPT.old",
    "unprotect:GONE",
    "disable-change-stream:GONE",
    "drop-table:GONE",
)
GONE = TableSettings(deletion_protection=True, change_stream=timedelta(days=2))
LIVE = (
    table("KEPT", old=ONE, tighter=MaxVersions(9)),
    attrs.evolve(table("GONE", data=ONE), settings=GONE),
    table("OTHER", data=ONE),
)


def load_for_migrations() -> None:
    """Load what runs of ``btmodel migrate`` load, before the first fork: each fork would load it again."""
    load("simulate", "simulation", "server", "guess", "described", "emulator", "btmodel_codegen")


def forked(work: Any) -> int:
    """Call ``work`` in a process of its own; how that ended."""
    return _ended(_begun(work))


def forked_at_once(work: Callable[[int], int], numbers: Iterable[int]) -> int:
    """Call ``work`` with each number, each in a process of its own, all at the same time; 0 where all ended so."""
    children = [_begun(partial(work, number)) for number in numbers]
    return max([abs(_ended(child)) for child in children])


def _begun(work: Any) -> int:
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = work()
        finally:
            os._exit(code)
    return child


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_after(calls: int) -> None:
    """Have this process killed once so many calls were answered."""
    lock = threading.Lock()
    left = calls

    def counted(original: Any) -> Any:
        def call(self: Any, *arguments: Any, **options: Any) -> Any:
            nonlocal left
            with lock:
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                answer = original(self, *arguments, **options)
                left -= 1
                return answer

        return call

    unary = _channel._UnaryUnaryMultiCallable
    unary._blocking = counted(unary._blocking)
    for streams in (_channel._UnaryStreamMultiCallable, _channel._SingleThreadedUnaryStreamMultiCallable):
        streams.__call__ = counted(streams.__call__)


def command(instance: str, *more: str) -> int:
    """Run ``btmodel migrate`` as the command line does; the exit code."""
    allowed = [word for name in ALLOWED for word in ("--allow", name)]
    sys.argv = ["btmodel", "migrate", "--yes", "--instance", instance, *allowed, *more]
    # Answers of the program are lines on the real stdout.
    os.dup2(2, 1)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def prepared(instance: str, host: str) -> int:
    with Admin(Target(instance, host)) as admin:
        for made in LIVE:
            admin.create_table(made)
    return 0


def ended(instance: str, host: str, calls: int, code: int, last: int) -> int:
    """Print what is in the instance."""
    with Admin(Target(instance, host)) as admin, Database(Target(instance, host, lambda: None)) as database:
        history = MigrationHistory(admin, database)
        steps = history.steps()
        found = {
            "calls": calls,
            "codes": [code, last],
            "tables": as_data(admin.read_tables()),
            "layouts": {id: [one.model for one in layouts] for id, layouts in history.layouts().items()},
            "unfinished": [id for id, step in steps.items() if step.ended is None],
            "locked": history.lock() is not None,
        }
    print(json.dumps(found), flush=True)
    return 0


def killed(instance: str, calls: int) -> int:
    """Run the command, and die on the way."""
    killed_after(calls)
    return command(instance)


def program(host: str, first: int, every: int) -> None:
    calls, code = first, -signal.SIGKILL
    while code == -signal.SIGKILL:
        instance = f"projects/test/instances/killed{calls}"
        assert forked(partial(prepared, instance, host)) == 0
        code = forked(partial(killed, instance, calls))
        last = forked(partial(command, instance, "--force-unlock"))
        assert forked(partial(ended, instance, host, calls, code, last)) == 0
        calls += every


if __name__ == "__main__":
    load_for_migrations()
    program(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
