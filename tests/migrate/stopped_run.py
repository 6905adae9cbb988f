"""A run of a data step that stops itself (SIGSTOP) between its look at the lock and its second write: a program, for the test of that.

``python stopped_run.py HOST INSTANCE`` exits with 3 where it finds its lock lost.
"""

import os
import signal
import sys
from typing import Any

from renamed_models import site

from btmodel.migrate.data import data_step, run_step, walks
from btmodel.migrate.data.walks import FencedProgress, FencedRows
from btmodel.migrate.history import lock as locks
from btmodel.migrate.history.lock import HeldLock, LockLost, acquire
from btmodel.migrate.history.run_record import RunRecord
from btmodel.rows import Cell, Mutation


@data_step("QUOTE")
def seen(row: Any) -> Mutation:
    return Mutation("QUOTE", row.key, [Cell("MD", b"SEEN", 5_000, b"")])


def program(host: str, instance: str) -> int:
    walks.BATCH_ROWS, locks._CERTAIN = 2, 0.0
    left, calls = HeldLock.left, list[int]()

    def stopped(held: HeldLock) -> float:
        seconds = left(held)
        calls.append(1)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        return seconds

    HeldLock.left = stopped  # type: ignore[method-assign]
    with site(instance, host) as there:
        held = acquire(there.history, "ann")
        assert held is not None
        run_record = RunRecord(there.history, "ann", held)
        try:
            run_step(FencedRows(there.rows, run_record), FencedProgress(run_record), seen, "r/seen")
        except LockLost:
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(program(sys.argv[1], sys.argv[2]))
