"""Runs of ``btmodel migrate apply`` of a merge that carries on cells of the side that lost, killed, each at another call: a program of its own.

``python killed_merges.py HOST all|some`` prints, as JSON, a line for every kill: how the run and the one after it ended, and which cells were then in the
instance. The last line is that of a run that nobody killed.
"""

import json
import sys
from functools import partial

from killed_revisions import command
from killed_runs import ANSWERS, killed_at_points, load_for_migrations
from renamed_models import site

from btmodel.rows import Cell

ROWS = 40
LEFT = ("--to", "0002_left", "--allow", "deployed:0002_left")
MERGE = ("--allow", "deployed:0003_merge_0002_left_and_0002_right")


def prepared(host: str, instance: str) -> None:
    """An instance that has applied the losing side, with rows; some have a newer cell where the other side writes."""
    command(instance, "--to", "0001_base")
    with site(instance, host) as there:
        rows = {b"%05d" % row: [Cell("MD", b"BID", 1_000, row.to_bytes(8))] for row in range(ROWS)}
        there.write("QUOTE", rows)
        command(instance, *LEFT)
        newer = {b"%05d" % row: [Cell("MD", b"PRICE", 2_000, bytes(8))] for row in range(0, ROWS, 4)}
        there.write("QUOTE", newer)


def ended(host: str, instance: str, calls: int, code: int) -> None:
    """Run the command again, and print what is in the instance."""
    last = command(instance, *MERGE, "--force-unlock")
    with site(instance, host) as there:
        found = {
            "codes": [code, last],
            "cells": sorted(
                (key.decode(), cell.qualifier.decode(), cell.timestamp, cell.value.hex())
                for key, cells in there.cells("QUOTE").items()
                for cell in cells
            ),
            "revisions": [(one.id, one.steps) for one in there.history.revisions()],
            "locked": there.history.lock() is not None,
        }
    ANSWERS.write(json.dumps(found) + "\n")
    ANSWERS.flush()


if __name__ == "__main__":
    load_for_migrations()
    host, thorough = sys.argv[1], sys.argv[2] == "all"
    killed_at_points(
        partial(prepared, host),
        lambda instance: command(instance, *MERGE),
        partial(ended, host),
        thorough=thorough,
    )
