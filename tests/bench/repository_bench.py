"""What a generated repository adds to a call over the runtime that it calls, with no server in between.

    python -m tests.bench.repository_bench

Each call is made through the generated method, and as the runtime call that stands in its body, with what
is sent to the server left out: a query plans a read and sends nothing by itself, and for the others the
connection is one that answers at once. Rounds of both are taken in turn, and the best of each is compared.
"""

import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from examples.generated.quote_repository import QuoteKey, QuoteRepository
from examples.market import Quote

ROUNDS, CALLS = 40, 2_000
LIMIT = 1_000  # nanoseconds
AT = datetime(2020, 1, 1, tzinfo=UTC)
QUOTE = Quote(exchange="NYSE", symbol="IBM", quote_time=AT, bid_size=5)


class Silent:
    """A connection that answers at once: every table is empty, and takes every write."""

    target = "nowhere"

    def __enter__(self) -> "Silent":
        return self

    def read(self, plan: object) -> Iterator[Any]:
        """No rows."""
        yield from ()

    def write(self, mutation: object) -> None:
        """Nothing."""

    def write_if(self, conditional: object) -> bool:
        """Always."""
        return True

    def delete(self, table: str, key: bytes) -> None:
        """Nothing."""


def pairs(quotes: Any) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Each call through the generated class, and the call of the runtime that it makes."""
    query = Quote.by_symbol.query
    return {
        "get": (
            lambda: quotes.get("NYSE", "IBM", AT),
            lambda: quotes._get(QuoteKey("NYSE", "IBM", AT), None),
        ),
        "exists": (
            lambda: quotes.exists("NYSE", "IBM", AT),
            lambda: quotes._exists(QuoteKey("NYSE", "IBM", AT)),
        ),
        "delete": (
            lambda: quotes.delete("NYSE", "IBM", AT),
            lambda: quotes._delete(QuoteKey("NYSE", "IBM", AT)),
        ),
        "query": (
            lambda: quotes.by_symbol("NYSE", "IBM", AT, None),
            lambda: quotes._query(
                query, {"exchange": "NYSE", "symbol": "IBM", "quote_time": (AT, None, "[)")}
            ),
        ),
        "newest": (
            lambda: quotes.newest(5, "NYSE", "IBM"),
            lambda: quotes._newest(5, "quote_time", {"exchange": "NYSE", "symbol": "IBM"}),
        ),
        "delete_prefix": (
            lambda: quotes.delete_prefix(exchange="NYSE", symbol="IBM"),
            lambda: quotes._delete_prefix(None, None, {"exchange": "NYSE", "symbol": "IBM"}),
        ),
        "put_if": (
            lambda: quotes.put_if(QUOTE, bid_size=5),
            lambda: quotes._put_if(QUOTE, {"bid_size": 5}),
        ),
    }


def best(calls: tuple[Callable[[], object], ...]) -> list[float]:
    """The least nanoseconds a call of each, of rounds that are taken in turn."""
    least = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for index, call in enumerate(calls):
            began = time.perf_counter_ns()
            for _ in range(CALLS // 10):
                call()
            least[index] = min(least[index], (time.perf_counter_ns() - began) / (CALLS // 10))
    return least


def added() -> dict[str, tuple[float, float]]:
    """Nanoseconds of each call of the runtime, and those that the generated class adds."""
    silent: Any = Silent()
    quotes = QuoteRepository(silent)
    found = {}
    for name, calls in pairs(quotes).items():
        generated, runtime = best(calls)
        found[name] = (runtime, generated - runtime)
    return found


def main() -> int:
    """Print what is added to each call; 1 where it is a microsecond or more."""
    found = added()
    for name, (runtime, more) in found.items():
        print(
            f"{name:<14} runtime {runtime:8,.0f} ns   generated {more:+6,.0f} ns   {1 + more / runtime:.3f} times"
        )
    print("put, put_many, put_if_absent, get_many, replace: inherited, nothing is added")
    return int(any(more >= LIMIT for _, more in found.values()))


if __name__ == "__main__":
    sys.exit(main())
