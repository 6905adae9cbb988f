"""Runs of ``btmodel migrate`` that are killed, each at another call: a program of its own, for the test of that.

``python killed_runs.py HOST all|some`` prints, as JSON, a line for every kill: how many calls the run lived to see
answered, how it and the run after it ended, and what was then in the instance. The last line is that of a run that lived
through. Processes are forked: importing takes longer than running. What is not killed runs in one of them.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from pathlib import Path
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
from tests.points_tried import points

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


# What the program answers; stdout is for what the command prints, and becomes stderr.
ANSWERS = os.fdopen(os.dup(1), "w")


def load_for_migrations() -> None:
    """Load what runs of ``btmodel migrate`` load, before the first fork: each fork would load it again."""
    load("simulate", "simulation", "server", "guess", "described", "emulator", "studio", "btmodel_codegen")


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


def at_each_call(told: Callable[[str], None]) -> None:
    """Have ``told`` called with the name of each call's method, one call after the other, before the call is made."""
    lock = threading.Lock()

    def watched(original: Any) -> Any:
        def call(self: Any, *arguments: Any, **options: Any) -> Any:
            with lock:
                told(self._method.decode().rpartition("/")[2])
                return original(self, *arguments, **options)

        return call

    unary = _channel._UnaryUnaryMultiCallable
    unary._blocking = watched(unary._blocking)
    for streams in (_channel._UnaryStreamMultiCallable, _channel._SingleThreadedUnaryStreamMultiCallable):
        streams.__call__ = watched(streams.__call__)


WRITES = ("Create", "Delete", "Modify", "Update", "Mutate", "CheckAndMutate", "ReadModify")


def recorded(work: Callable[[], int]) -> tuple[int, list[tuple[str, str]]]:
    """Call ``work`` in a process of its own: how that ended, and between which writes each of its calls was.

    Nothing else matters for what a run leaves that is killed at the call.
    """
    file = Path("calls.txt")

    def record() -> int:
        stream = file.open("w", buffering=1)
        at_each_call(lambda method: print(method, file=stream))
        return work()

    code = forked(record)
    return code, between_writes(file.read_text().splitlines())


def between_writes(methods: list[str]) -> list[tuple[str, str]]:
    """The write before each call, and the one that it is or that comes next."""
    before, after = [""], [""]
    for method in methods[:-1]:
        before.append(method if method.startswith(WRITES) else before[-1])
    for method in reversed(methods):
        after.append(method if method.startswith(WRITES) else after[-1])
    return list(zip(before, reversed(after[1:]), strict=True))


def killed_after(calls: int) -> None:
    """Have this process killed once so many calls were answered."""
    left = calls

    def count(_: str) -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    at_each_call(count)


def killed_at_points(
    prepare: Callable[[str], object],
    run: Callable[[str], int],
    end: Callable[[str, int, int], object],
    *,
    thorough: bool,
    spread: int = 1,
) -> None:
    """Kill a run at points of all its calls, each in a prepared instance; ``end`` gets it with the calls and the exit code.

    The last one is of a run that nobody killed. On a busy machine, that one may make a call more than others, which keeps its
    lock: a run that was to be killed there, and ended before, is left out.
    """

    def name(calls: int) -> str:
        return f"projects/test/instances/killed{calls}"

    def killed(calls: int) -> int:
        killed_after(calls)
        return run(name(calls))

    def each(work: Callable[[int], object], numbers: Iterable[int]) -> int:
        for number in numbers:
            work(number)
        return 0

    whole = 1_000_000
    assert forked(partial(each, lambda calls: prepare(name(calls)), [whole])) == 0
    code, kinds = recorded(partial(run, name(whole)))
    tried = points(kinds, spread, thorough=thorough)
    assert forked(partial(each, lambda calls: prepare(name(calls)), tried)) == 0
    codes = {calls: found for calls in tried if (found := forked(partial(killed, calls)))} | {whole: code}
    assert forked(partial(each, lambda calls: end(name(calls), calls, codes[calls]), codes)) == 0


def command(instance: str, *more: str) -> int:
    """Run ``btmodel migrate`` as the command line does; the exit code."""
    allowed = [word for name in ALLOWED for word in ("--allow", name)]
    sys.argv = ["btmodel", "migrate", "--yes", "--instance", instance, *allowed, *more]
    os.dup2(2, 1)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def prepared(host: str, instance: str) -> None:
    with Admin(Target(instance, host)) as admin:
        for made in LIVE:
            admin.create_table(made)


def ended(host: str, instance: str, calls: int, code: int) -> None:
    """Run the command again, and print what is in the instance."""
    last = command(instance, "--force-unlock")
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
    ANSWERS.write(json.dumps(found) + "\n")
    ANSWERS.flush()


if __name__ == "__main__":
    load_for_migrations()
    host, thorough = sys.argv[1], sys.argv[2] == "all"
    killed_at_points(partial(prepared, host), command, partial(ended, host), thorough=thorough)
