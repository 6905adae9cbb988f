"""Rows a second that SQL on the local server gives, and reads through.

    python -m tests.bench.sql_bench [--rows 50000]

Server and reader share the machine; the engine has started before. Beside it stand the same rows read by their keys.
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import btmodel as bt
from btmodel import server
from btmodel.client.target import Target
from btmodel.repository import Repository, Rows

INSTANCE = "projects/bench/instances/sql"


class Sale(bt.Model, table="sale", events="1/s"):
    """What was sold."""

    shop: str = bt.key(bt.Text(width=4), cardinality=100)
    number: int = bt.key(bt.PaddedInt(8), cardinality=1_000_000)
    f = bt.family("f", gc=bt.max_versions(1))
    article: str = bt.column("article", f)
    cents: int = bt.column("cents", f, codec=bt.Int64())
    everything = bt.query(scan="a benchmark reads all of it")


class Key(NamedTuple):
    """The key of a sale."""

    shop: str
    number: int


class SaleRepository(Repository[Sale, Key, Rows[Sale, Key, str]]):
    """Reads and writes sales."""

    model, key = Sale, Key


QUERIES = {
    "rows/s given, key alone": "SELECT _key FROM sale",
    "rows/s given, two columns": "SELECT _key, CAST(f['article'] AS STRING) AS article, TO_INT64(f['cents']) AS cents FROM sale",
    "rows/s given, whole": "SELECT * FROM sale",
    "rows/s read for a filter that few pass": "SELECT _key FROM sale WHERE f['article'] = b'a7' AND TO_INT64(f['cents']) = 7",
    "rows/s read for groups": "SELECT f['article'] AS a, COUNT(*) AS n, SUM(TO_INT64(f['cents'])) AS s FROM sale GROUP BY 1",
    "rows/s read for an order": "SELECT _key FROM sale ORDER BY f['cents'] DESC LIMIT 10",
}


def rate(count: int, work: Callable[[], object]) -> float:
    """How many a second, at best of three."""
    found = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        found.append(count / (time.perf_counter() - began))
    return max(found)


def main() -> None:
    """Measure, and print a line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=50_000)
    count = parser.parse_args().rows
    found: dict[str, float] = {}
    with server.start() as local, bt.connect(Target(INSTANCE, local.host)) as db:  # type: ignore[arg-type]
        bt.create_tables(db, Sale)
        sales: Any = SaleRepository(db)
        rows = (Sale(shop=f"S{n % 100:03}", number=n, article=f"a{n % 50}", cents=n) for n in range(count))
        sales.put_many(rows)
        began = time.perf_counter()
        db.sql("SELECT 1").all()
        found["ms until the engine has started"] = 1000 * (time.perf_counter() - began)
        for what, query in QUERIES.items():
            found[what] = rate(count, lambda query=query: db.sql(query).all())  # type: ignore[misc]
        keys = 200
        one = "SELECT f['cents'] FROM sale WHERE _key = @key"
        found["queries/s of one row"] = rate(
            keys, lambda: [db.sql(one, {"key": b"S007#00000007"}).all() for _ in range(keys)]
        )
        found["rows/s read by a repository"] = rate(
            count, lambda: list(sales._query(Sale.everything.query, {}))
        )
    for what, figure in found.items():
        print(f"{what:45} {figure:10,.0f}")
    print(json.dumps({what: round(figure) for what, figure in found.items()}))


if __name__ == "__main__":
    main()
