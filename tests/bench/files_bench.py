"""Rows in files and rows that move to another key, against a loop over a read and a `put_many` of the same rows: rows/s, and CPU per row.

``python -m tests.bench.files_bench 10000 100000 1000000``, against a local server in a process of its own, whose CPU is not counted. Each is
run once for each number of rows, so compare those of one line, and how they grow, not small differences.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from click.testing import CliRunner

import btmodel as bt
from btmodel import create_tables, server
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.emulator import VARIABLE
from btmodel.migrate.data import move, run_step
from btmodel.migrate.history import MigrationHistory
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.bench.rates import Work, measured

INSTANCE = "projects/bench/instances/files"
USUAL = (10_000, 100_000)
ENDINGS = (".jsonl", ".csv", ".parquet")


class Listed(bt.Model, table="LISTED"):
    """A quote below its symbol."""

    symbol: str = bt.key(bt.Text(width=5))
    exchange: str = bt.key(bt.Text(width=6))
    quote_time: datetime = bt.key(bt.EpochMillis())

    md = bt.family("MD", gc=bt.max_versions(1))
    bid: Decimal | None = bt.column("BID", md, default=None)
    ask: Decimal | None = bt.column("ASK", md, default=None)
    bid_size: int | None = bt.column("BIDSIZE", md, codec=bt.DecimalText(), default=None)
    ask_size: int | None = bt.column("ASKSIZE", md, codec=bt.DecimalText(), default=None)


@move(Quote, Listed)
def listed(row: Quote) -> Listed:
    """The same row below its symbol."""
    return Listed(
        symbol=row.symbol,
        exchange=row.exchange,
        quote_time=row.quote_time,
        bid=row.bid,
        ask=row.ask,
        bid_size=row.bid_size,
        ask_size=row.ask_size,
    )


def command(*arguments: str) -> Work:
    """A command of ``btmodel`` for the quotes; raises what it ends with."""

    def run() -> None:
        done = CliRunner().invoke(group, [*arguments, "-m", "examples.market", "--instance", INSTANCE])
        if done.exit_code:
            raise RuntimeError(done.output) from done.exception

    return run


def ways(db: bt.Database, admin: Admin, count: int, folder: str) -> Iterator[tuple[str, Work]]:
    """What is measured, in this order: each import writes the rows that are there already."""
    quotes = QuoteRepository(db)
    yield "write: put_many", lambda: quotes.put_many(made_up_quotes(count))
    read = quotes.by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])
    assert read.count() == count
    read.limit(1).to_arrow()  # which loads pyarrow
    yield "read: a loop", lambda: sum(1 for _ in read)
    yield "read: record batches", lambda: sum(batch.num_rows for batch in read.arrow_batches())
    files = {ending: f"{folder}/rows{ending}" for ending in ENDINGS}
    cells = f"{folder}/cells.parquet"
    for ending, file in files.items():
        yield f"export: {ending}", command("rows", "Quote", "--out", file)
    yield "export: cells", command("rows", "Quote", "--cells", "--out", cells)
    history = MigrationHistory(admin, db)
    yield "a move to another key", lambda: run_step(db, history, listed, f"bench/{count}")
    # Last, as what is written again are further versions until the server collects them.
    yield "import: cells", command("put", "Quote", "--cells", cells)
    for ending, file in files.items():
        yield f"import: {ending}", command("put", "Quote", file)


def main() -> None:
    """Measure, for each number of rows."""
    group.table = COMMANDS
    for count in map(int, sys.argv[1:] or USUAL):
        with server.start() as local, tempfile.TemporaryDirectory() as folder:
            os.environ[VARIABLE] = local.host
            with bt.connect(INSTANCE) as db, Admin(db.target) as admin:
                create_tables(db, Quote, Listed)
                for name, work in ways(db, admin, count, folder):
                    measured(name, count, work)


if __name__ == "__main__":
    main()
