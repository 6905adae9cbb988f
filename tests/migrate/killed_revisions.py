"""Runs of ``btmodel migrate apply`` that are killed, each at another call: a program of its own, for the test of that.

``python killed_revisions.py HOST all|some`` prints, as JSON, a line for every kill: the calls that the run lived to see
answered, how it and the run after it ended, and what was then in the instance. The last line is that of a run that
nobody killed.
"""

import json
import os
import sys
from functools import partial

from killed_runs import ANSWERS, killed_at_points, load_for_migrations

from btmodel.cli import main
from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate.history import MigrationHistory


def command(instance: str, *more: str) -> int:
    """Run ``btmodel migrate apply`` as the command line does; the exit code."""
    sys.argv = ["btmodel", "migrate", "apply", "--yes", "--instance", instance, *more]
    os.dup2(2, 1)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def ended(host: str, instance: str, calls: int, code: int) -> None:
    """Run the command again, and print what is in the instance."""
    last = command(instance, "--force-unlock")
    with Admin(Target(instance, host)) as admin, Database(Target(instance, host, lambda: None)) as database:
        history = MigrationHistory(admin, database)
        found = {
            "calls": calls,
            "codes": [code, last],
            "tables": [one.id for one in admin.read_tables()],
            "revisions": [one.id for one in history.revisions()],
            "locked": history.lock() is not None,
        }
    ANSWERS.write(json.dumps(found) + "\n")
    ANSWERS.flush()


if __name__ == "__main__":
    load_for_migrations()
    host, thorough = sys.argv[1], sys.argv[2] == "all"
    killed_at_points(lambda _: None, command, partial(ended, host), thorough=thorough)
