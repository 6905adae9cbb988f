"""A run of ``btmodel migrate apply`` that is killed after so many calls: a program of its own.

``python killed_once.py INSTANCE CALLS NAME...`` applies the revisions of the project in this folder with these names allowed, and
prints how the run ended.
"""

import sys

from killed_revisions import command
from killed_runs import forked, killed_after, load_for_migrations


def killed(instance: str, calls: int, names: list[str]) -> int:
    killed_after(calls)
    return command(instance, "--force-unlock", *(word for name in names for word in ("--allow", name)))


if __name__ == "__main__":
    load_for_migrations()
    print(forked(lambda: killed(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
