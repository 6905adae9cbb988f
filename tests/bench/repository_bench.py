"""What a generated repository adds to a call over the runtime that it calls, with no server in between.

    python -m tests.bench.repository_bench

Each call is timed as a whole, on a connection that answers at once. What the generated class adds to it is
timed by itself, on a repository whose runtime does nothing: the generated method, less the call of the runtime that
stands in its body. Rounds of all of them are taken in turn, and the best of each is compared.
"""

import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from btmodel.client.target import Mixed
from btmodel.repository import TwinRepository
from examples.games import scores
from examples.generated.quote_repository import QuoteKey, QuoteRepository
from examples.generated.scores_twins import ScoresTwins
from examples.market import Quote

ROUNDS, CALLS = 40, 2_000
LIMIT = 1_000  # nanoseconds
AT = datetime(2020, 1, 1, tzinfo=UTC)
QUOTE = Quote(exchange="NYSE", symbol="IBM", quote_time=AT, bid_size=5)


class Silent(Mixed):
    """A connection that answers at once: every table is empty, and takes every write."""

    target = "nowhere"

    def __enter__(self) -> "Silent":
        return self

    def read(self, plan: object) -> Iterator[Any]:
        """No rows."""
        yield from ()

    def read_batches(self, plan: object, decoder: object, parallel: object = None) -> Iterator[Any]:
        """No rows."""
        yield from ()

    def read_first(self, plan: object, decoder: object) -> None:
        """No row."""

    def write(self, mutation: object) -> None:
        """Nothing."""

    def write_if(self, conditional: object) -> bool:
        """Always."""
        return True

    def write_many(self, table: str, mutations: object) -> None:
        """Nothing."""

    def delete(self, table: str, key: bytes) -> None:
        """Nothing."""


def nothing(self: object, *arguments: object) -> None:
    """What a runtime that does nothing does."""


class Hollow(QuoteRepository):
    """The generated methods, over a runtime that does nothing."""

    _get = _exists = _delete = _query = _newest = _delete_prefix = _put_if = nothing  # type: ignore[assignment]


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


def of_twins(silent: Any) -> tuple[float, float]:
    """The least nanoseconds of putting a row and its twin, and what the generated class adds to the runtime's."""
    [row, *_] = scores()
    twins = ScoresTwins(silent)
    [taken] = best((lambda: twins.put(row),))
    runtime = TwinRepository.put
    TwinRepository.put = nothing  # type: ignore[method-assign]
    try:
        generated, called = best((lambda: twins.put(row), lambda: TwinRepository.put(twins, row)))
    finally:
        TwinRepository.put = runtime  # type: ignore[method-assign]
    return taken, generated - called


def main() -> int:
    """Print what is added to each call; 1 where it is a microsecond or more."""
    silent: Any = Silent()
    whole, hollow = pairs(QuoteRepository(silent)), pairs(Hollow(silent))
    most = 0.0
    for name, (call, _) in whole.items():
        taken, generated, runtime = best((call, *hollow[name]))
        more = generated - runtime
        most = max(most, more)
        print(f"{name:<14} {taken:8,.0f} ns a call, of which the generated class adds {more:4,.0f} ns")
    taken, more = of_twins(silent)
    most = max(most, more)
    print(f"{'put of twins':<14} {taken:8,.0f} ns a call, of which the generated class adds {more:4,.0f} ns")
    print("put, put_many, put_if_absent, replace: inherited, nothing is added")
    return int(most >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
