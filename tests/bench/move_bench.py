"""How fast cells are copied, compared and rewritten, against plain reading of the same rows: a ratio, as machines differ.

    python tests/bench/move_bench.py [--rows 20000]

On the local server: rows of two columns with two versions each.
"""

import argparse
import time
from collections.abc import Callable

from btmodel import Database, server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate import StoredRow, data_step
from btmodel.migrate.data import Copy, compare, copy, run_step
from btmodel.migrate.history import MigrationHistory
from btmodel.rows import Cell, Mutation, ReadPlan, RowRange
from btmodel.schema import Family, KeepAll, Table

INSTANCE = "projects/bench/instances/move"
TABLES = [Table(id, (Family("a", KeepAll()),)) for id in ("NEW", "OLD")]


@data_step("OLD")
def rewrite(row: StoredRow) -> Mutation:
    """One cell for each row."""
    return Mutation("OLD", row.key, (Cell("a", b"z", 1_000, row.cells[0].value),))


@data_step("OLD")
def fill(row: StoredRow) -> Mutation:
    """The same row of another table, so the old one is read twice."""
    return Mutation("NEW", row.key, tuple(row.cells))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    count = parser.parse_args().rows
    with (
        server.start() as local,
        Admin(Target(INSTANCE, local.host)) as admin,
        Database(Target(INSTANCE, local.host, lambda: None)) as database,
    ):
        for table in TABLES:
            admin.create_table(table)
        database.write_many("OLD", (Mutation("OLD", b"%08d" % row, cells(row)) for row in range(count)))
        history, what = MigrationHistory(admin, database), Copy("OLD", "NEW", {"a": "a"})
        plain = timed(
            "read", count, lambda: sum(1 for _ in database.read(ReadPlan("OLD", (RowRange(b"", b""),), None)))
        )
        timed("copied", count, lambda: copy(database, history, what), plain)
        timed("compared", count, lambda: compare(database, what), plain)
        timed("rewritten by a step", count, lambda: run_step(database, history, rewrite, "bench"), plain)
        timed("filled by a step", count, lambda: run_step(database, history, fill, "filled"), plain)


def cells(row: int) -> tuple[Cell, ...]:
    """The cells of a row."""
    return tuple(Cell("a", column, 1_000 * n, b"%d" % row) for column in (b"x", b"y") for n in (1, 2))


def timed(what: str, rows: int, work: Callable[[], object], plain: float | None = None) -> float:
    """Print how many rows a second ``work`` dealt with, and how much longer than ``plain`` it took; its seconds."""
    began = time.perf_counter()
    work()
    took = time.perf_counter() - began
    ratio = "" if plain is None else f", {took / plain:.1f} times as long as reading"
    print(f"{what}: {rows / took:,.0f} rows in a second{ratio}")
    return took


if __name__ == "__main__":
    main()
