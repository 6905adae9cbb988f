"""Runs of ``btmodel migrate apply`` that are killed, each at another call: a program of its own, for the test of that.

``python killed_revisions.py HOST EVERY`` prints, as JSON, a line for every EVERYth kill: the calls that the run
lived to see answered, how the run after it ended, and what was then in the instance. The last line is
that of a run that nobody killed.
"""

import json
import os
import signal
import sys

from killed_runs import forked, killed_after, load_for_migrations

from btmodel.cli import main
from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate.history import MigrationHistory


def command(instance: str, *more: str) -> int:
    """Run ``btmodel migrate apply`` as the command line does; the exit code."""
    sys.argv = ["btmodel", "migrate", "apply", "--yes", "--instance", instance, *more]
    os.dup2(2, 1)  # answers of the program are lines on the real stdout
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def killed(instance: str, calls: int) -> int:
    killed_after(calls)
    return command(instance)


def told(instance: str, host: str, calls: int, code: int) -> int:
    """Print what is in the instance."""
    with Admin(Target(instance, host)) as admin, Database(Target(instance, host, lambda: None)) as database:
        history = MigrationHistory(admin, database)
        found = {
            "calls": calls,
            "code": code,
            "tables": [one.id for one in admin.read_tables()],
            "revisions": [one.id for one in history.revisions()],
            "locked": history.lock() is not None,
        }
    print(json.dumps(found), flush=True)
    return 0


def program(host: str, every: int) -> None:
    calls, was_killed = 0, True
    while was_killed:
        instance, at = f"projects/test/instances/revisions{calls}", calls
        code = forked(lambda instance=instance, at=at: killed(instance, at))
        was_killed = code == -signal.SIGKILL
        if was_killed:
            code = forked(lambda instance=instance: command(instance, "--force-unlock"))
        assert forked(lambda instance=instance, at=at, code=code: told(instance, host, at, code)) == 0
        calls += every


if __name__ == "__main__":
    load_for_migrations()
    program(sys.argv[1], int(sys.argv[2]))
