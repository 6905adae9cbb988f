"""The model whose changes the tests follow, its repositories, and a program that follows it until it is killed."""

import sys
import time
from datetime import datetime
from typing import NamedTuple

import btmodel as bt
from btmodel.repository import AsyncRepository, AsyncRows, Repository, Rows


class Quote(bt.Model, table=bt.table("quote", change_stream="1d"), events="1/s"):
    """A quote with an attribute of each kind that changes differently."""

    symbol: str = bt.key(bt.Text(max_length=8), cardinality=1_000)
    number: int = bt.key(bt.PaddedInt(4), cardinality=1_000)

    md = bt.family("md", gc=bt.max_versions(1))
    tagged = bt.family("tags", gc=bt.max_versions(1))
    past = bt.family("past", gc=bt.max_versions(2))
    counts = bt.family("counts", gc=bt.keep_all(), aggregate="sum")
    bid: int | None = bt.column("bid", md, default=None)
    venue: str | None = bt.column("venue", md, default=None)
    tags: dict[str, str] = bt.mapping(tagged, bt.Text(max_length=20), entries=3)
    prices: bt.History[int] = bt.history("p", past)
    seen: int | None = bt.counter("n", counts)


class QuoteKey(NamedTuple):
    """The key of a quote."""

    symbol: str
    number: int


class QuoteRepository(Repository[Quote, QuoteKey, Rows[Quote, QuoteKey, str]]):
    """Reads and writes quotes."""

    model = Quote
    key = QuoteKey


class AsyncQuoteRepository(AsyncRepository[Quote, QuoteKey, AsyncRows[Quote, QuoteKey, str]]):
    """Reads and writes quotes."""

    model = Quote
    key = QuoteKey


def main(instance: str, since: str, store: str, lease: str, pause: str, last: str) -> None:
    """Print each change as it is done, and after so many of them wait to be killed."""
    kept = bt.TableStore(store, float(lease)) if float(lease) else store
    with bt.connect(instance) as db:
        changes = QuoteRepository(db).changes(since=datetime.fromisoformat(since), store=kept, heartbeat=0.1)
        for number, change in enumerate(changes, 1):
            print(change.raw_key.decode(), flush=True)
            time.sleep(float(pause) if number < int(last) else 600)


if __name__ == "__main__":
    main(*sys.argv[1:])
