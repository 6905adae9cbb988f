"""Changes a second that a reader gets, and what a change stream costs the writes of a table.

    python -m tests.bench.changes_bench [--rows 20000]

On the local server, in a process of its own: quotes are put into a table without a change stream and into one with it, in turns, and then
the changes are read back, by one partition and by eight: as they come, with their values decoded, and by a reader that saves its position.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import btmodel as bt
from btmodel import server
from btmodel.client.target import Target
from btmodel.repository import Repository, Rows

INSTANCE = "projects/bench/instances/changes"


class Plain(bt.Model, table="plain", events="1/s"):
    """A quote, in a table without a change stream."""

    symbol: str = bt.key(bt.Text(width=4), cardinality=100)
    number: int = bt.key(bt.PaddedInt(8), cardinality=1_000_000)
    md = bt.family("md", gc=bt.max_versions(1))
    bid: int = bt.column("bid", md)
    venue: str = bt.column("venue", md)


class Followed(bt.Model, table=bt.table("followed", change_stream="1d"), events="1/s"):
    """The same in a table with one."""

    symbol: str = bt.key(bt.Text(width=4), cardinality=100)
    number: int = bt.key(bt.PaddedInt(8), cardinality=1_000_000)
    md = bt.family("md", gc=bt.max_versions(1))
    bid: int = bt.column("bid", md)
    venue: str = bt.column("venue", md)


class Key(NamedTuple):
    """The key of a quote."""

    symbol: str
    number: int


class PlainRepository(Repository[Plain, Key, Rows[Plain, Key, str]]):
    """Reads and writes plain quotes."""

    model, key = Plain, Key


class FollowedRepository(Repository[Followed, Key, Rows[Followed, Key, str]]):
    """Reads and writes quotes that are followed."""

    model, key = Followed, Key


def quotes(model: type[Any], count: int) -> Iterator[Any]:
    """So many quotes."""
    for number in range(count):
        yield model(symbol=f"S{number % 100:03}", number=number, bid=number, venue="ARCX")


def rate(count: int, work: Callable[[], object]) -> float:
    """How many a second."""
    began = time.perf_counter()
    work()
    return count / (time.perf_counter() - began)


def main() -> None:
    """Measure, and print a line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    count = parser.parse_args().rows
    found: dict[str, float] = {}
    with (
        server.start() as local,
        bt.connect(Target(INSTANCE, local.host)) as db,
        tempfile.TemporaryDirectory() as folder,
    ):  # type: ignore[arg-type]
        bt.create_tables(db, Plain, Followed)
        plain, followed = PlainRepository(db), FollowedRepository(db)
        since = datetime.now(UTC)
        for _ in range(2):  # the first warms up
            found["rows/s put without a change stream"] = rate(
                count, lambda: plain.put_many(quotes(Plain, count))
            )
            found["rows/s put with one"] = rate(count, lambda: followed.put_many(quotes(Followed, count)))

        def read(decode: bool, **options: Any) -> float:
            """Changes a second of all that were made."""

            def follow() -> None:
                until = datetime.now(UTC)
                for change in followed.changes(since=since, until=until, heartbeat=0.1, **options):
                    if decode:
                        assert change.key
                        assert change.set

            return rate(2 * count, follow)

        found["changes/s"] = read(decode=False)
        found["changes/s decoded"] = read(decode=True)
        found["changes/s decoded, with a file"] = read(decode=True, store=Path(folder, "position"))
        local.partition_stream(
            f"{INSTANCE}/tables/followed", *(f"S{n:03}".encode() for n in range(12, 96, 12))
        )
        found["changes/s decoded, of 8 partitions"] = read(decode=True)
    for what, figure in found.items():
        print(f"{what:40} {figure:10,.0f}")
    print(json.dumps({what: round(figure) for what, figure in found.items()}))


if __name__ == "__main__":
    main()
