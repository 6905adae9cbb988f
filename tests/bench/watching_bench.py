"""What being watched costs a call, and what it costs when nobody watches.

    python -m tests.bench.watching_bench

A call's own frame (clock, counts, errors) is timed by itself, without a server: off, with a hook, with OpenTelemetry's
interface and no SDK behind it, and with its SDK. Then point reads and a scan of a local server are timed in turns, with
and without. Medians of rounds; times are of the CPU of this process.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from statistics import median
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import TracerProvider

import btmodel as bt
from btmodel import opentelemetry
from btmodel.client.call import ActiveCall, InstanceAccess
from btmodel.client.options import Call, Options
from btmodel.client.target import Target
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes

ROUNDS, FRAMES, READS, ROWS = 9, 4_000, 150, 5_000
KEY = ("NASDAQ", "ZXZZT", QUOTE_TIME)
Way = Callable[[], Any]


@contextmanager
def instrumented(**providers: Any) -> Iterator[None]:
    """All calls in this block are spans, and are measured."""
    opentelemetry.instrument(**providers)
    try:
        yield
    finally:
        opentelemetry.uninstrument()


def nothing(call: Call) -> None:
    """A hook that does nothing."""


WAYS: dict[str, Way] = {
    "off": nullcontext,
    "hook": nullcontext,
    "OpenTelemetry without an SDK": instrumented,
    "OpenTelemetry": lambda: instrumented(tracer_provider=TracerProvider(), meter_provider=MeterProvider()),
}


def spent(work: Callable[[], object], times: int) -> float:
    """The microseconds of CPU of one time of ``work``."""
    begun = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begun) / times * 1e6


def in_turns(work: Callable[[str], Callable[[], object]], times: int) -> dict[str, float]:
    """The medians of all ways, which take turns."""
    rounds: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(ROUNDS):
        for way, around in WAYS.items():
            with around():
                rounds[way].append(spent(work(way), times))
    return {way: median(times) for way, times in rounds.items()}


def frames(way: str) -> Callable[[], object]:
    """One call that asks nobody."""
    options = Options(on_call=nothing if way == "hook" else None)
    access = InstanceAccess(
        lambda table: None, Target("projects/p/instances/i", "h:1", lambda: None), options
    )  # type: ignore[arg-type, return-value]

    def frame() -> None:
        with ActiveCall(access, "read", "/x/ReadRows", "T") as call:
            call.clock.begin()

    return frame


def main() -> int:
    """Print the figures; the last line is JSON."""
    figures = {"a call's frame": in_turns(frames, FRAMES)}
    with bt.connect("local:") as db:
        bt.create_tables(db, Quote)
        QuoteRepository(db).put_many(made_up_quotes(ROWS))

        def quotes(way: str) -> QuoteRepository:
            return QuoteRepository(db.with_options(on_call=nothing) if way == "hook" else db)

        def point(way: str) -> Callable[[], object]:
            repository = quotes(way)
            return lambda: repository.get(*KEY)

        def scan(way: str) -> Callable[[], object]:
            repository = quotes(way)
            return lambda: sum(1 for _ in repository.by_symbol("NASDAQ", "ZXZZT"))

        figures["a point read"] = in_turns(point, READS)
        figures[f"a scan of {ROWS // 2:,} rows"] = in_turns(scan, 3)
    for what, ways in figures.items():
        print(f"{what}, us of CPU in this process")
        for way, value in ways.items():
            print(f"  {way:<30}{value:>12,.1f}   {value / ways['off']:.2f} of off")
    print(
        json.dumps(
            {what: {way: round(value, 2) for way, value in ways.items()} for what, ways in figures.items()}
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
