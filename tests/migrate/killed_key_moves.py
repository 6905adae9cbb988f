"""Runs of ``btmodel migrate apply`` that are killed while rows move, each later than the one before: a program of its own.

``python killed_key_moves.py INSTANCE FIRST MORE NAME...`` applies the revisions of the project in this folder with these names
allowed. The first run is killed once FIRST calls were answered, each next one after MORE calls more, and a line of JSON for
each says how many calls it saw. The last line is that of the run that nobody killed in time.
"""

import json
import signal
import sys

from killed_revisions import command
from killed_runs import forked, killed_after, load_for_migrations


def killed(instance: str, calls: int, names: list[str]) -> int:
    killed_after(calls)
    allowed = [word for name in names for word in ("--allow", name)]
    # No further than that, as a run may be killed right after it has applied the last of these.
    last = names[-1].removeprefix("deployed:")
    return command(instance, "--force-unlock", "--to", last, *allowed)


def program(instance: str, first: int, more: int, names: list[str]) -> None:
    calls, code = first, -signal.SIGKILL
    while code == -signal.SIGKILL:
        code = forked(lambda calls=calls: killed(instance, calls, names))
        print(json.dumps({"calls": calls, "code": code}), flush=True)
        calls += more


if __name__ == "__main__":
    load_for_migrations()
    program(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
