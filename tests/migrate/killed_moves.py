"""Runs of ``btmodel migrate`` that move cells and are killed, each at another call: a program, for the test of that.

``python killed_moves.py HOST WHAT all|some`` prints, as JSON, a line for every kill: how the run and the one after it
ended, and what was then in the instance. The last line is that of a run that nobody killed. WHAT is ``copy``,
``forgot`` (a copy, after the kill of which no model says any more what was renamed), ``drop`` (after a copy), ``step``, or
``back`` (after a drop), by the models or the revisions of the folder it runs in.
"""

import json
import os
import sys
from functools import partial
from pathlib import Path

from killed_runs import ANSWERS, killed_at_points, load_for_migrations
from renamed_models import family, site, some_rows

from btmodel.cli import main
from btmodel.migrate.data import walks
from btmodel.schema import Table

MODELS = """
import btmodel as bt

class Price(bt.Model, table=bt.table("PRICE", renamed_from="QUOTE"), events="1/day"):
    "Its table was renamed."
    id: str = bt.key(bt.Text(width=5))
    data = bt.family("MD", gc=bt.keep_all())
    bid: str = bt.column("BID", data)

class Trade(bt.Model, table="TRADE", events="1/day"):
    "Its family was renamed."
    id: str = bt.key(bt.Text(width=5))
    data = bt.family("market", gc=bt.keep_all(), renamed_from="MD")
    bid: str = bt.column("BID", data)
"""
FORGOT = MODELS.replace('bt.table("PRICE", renamed_from="QUOTE")', '"PRICE"').replace(
    ', renamed_from="MD"', ""
)
LIVE = (Table("QUOTE", (family("MD"),)), Table("TRADE", (family("MD"),)))
DROPS = ("--allow", "drop-table:QUOTE", "--allow", "drop-family:TRADE.MD")
RENAMED = (
    Table("PRICE", (family("MD"),), renamed_from="QUOTE"),
    Table("TRADE", (family("market", "MD"),)),
)
ROWS = 7


def command(instance: str, *more: str) -> int:
    """Run ``btmodel migrate`` as the command line does; the exit code."""
    walks.BATCH_ROWS = 2
    sys.argv = ["btmodel", "migrate", *more, "--yes", "--instance", instance]
    os.dup2(2, 1)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def prepared(host: str, earlier: tuple[tuple[str, ...], ...], instance: str) -> None:
    """Make the tables, and run what comes before the run that is killed."""
    with site(instance, host) as there:
        for table in LIVE:
            there.admin.create_table(table)
            there.write(table.id, some_rows(ROWS))
    for more in earlier:
        assert command(instance, *more) == 0


def ended(host: str, more: tuple[str, ...], forgot: bool, instance: str, calls: int, code: int) -> None:
    """Run the command again, and print what is in the instance."""
    if forgot:
        Path("killed_models.py").write_text(FORGOT)
        tell(host, instance, [code])
    last = command(instance, *more, "--force-unlock")
    tell(host, instance, [code, last])


def tell(host: str, instance: str, codes: list[int]) -> None:
    """Print what is in the instance."""
    with site(instance, host) as there:
        tables = there.admin.read_tables()
        found = {
            "codes": codes,
            "tables": {table.id: [one.id for one in table.families] for table in tables},
            "cells": {
                table.id: [
                    [key.decode(), sorted(map(str, cells))] for key, cells in there.cells(table.id).items()
                ]
                for table in tables
                if not table.id.startswith("btmodel")
            },
            "layouts": {id: str(one) for id, one in there.history.layouts().items()},
            "copies": [[one.old, one.new, one.ended is not None] for one in there.history.copies()],
            "progress": [step for step in STEPS if there.history.progress(step) is not None],
            "revisions": [one.id for one in there.history.revisions()],
            "unfinished": [id for id, step in there.history.steps().items() if step.ended is None],
            "locked": there.history.lock() is not None,
        }
    ANSWERS.write(json.dumps(found) + "\n")
    ANSWERS.flush()


STEPS = (
    "copy QUOTE to PRICE",
    "copy TRADE.MD to TRADE.market",
    "copy PRICE to QUOTE",
    "copy TRADE.market to TRADE.MD",
    "0001_fill/fill",
    "0001_fill/again",
)


# What is run before, and what is killed.
RUNS: dict[str, tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]] = {
    "copy": ((), ()),
    "forgot": ((), ()),
    "drop": (((),), DROPS),
    "step": ((), ("apply",)),
    "back": ((("apply",), ("apply", *DROPS)), ("rollback", "--to", "0001")),
}


def program(host: str, what: str, thorough: bool) -> None:
    earlier, more = RUNS[what]
    Path("killed_models.py").write_text(MODELS)
    killed_at_points(
        partial(prepared, host, earlier),
        lambda instance: command(instance, *more),
        partial(ended, host, more, what == "forgot"),
        thorough=thorough,
    )


if __name__ == "__main__":
    load_for_migrations()
    program(sys.argv[1], sys.argv[2], sys.argv[3] == "all")
