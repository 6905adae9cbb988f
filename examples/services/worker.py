"""A worker that writes quotes in batches, and ends well: what it has taken is written before it goes.

    python -m examples.services.worker < quotes.csv

Each line is ``exchange,symbol,milliseconds,bid,ask``. On SIGTERM, as Cloud Run, Kubernetes and systemd send it, it stops
reading, writes what it has read, and says how many rows that were; what it did not read is left to others.
"""

import os
import select
import signal
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice

import btmodel as bt
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote

BATCH = 2_000  # rows
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Input:
    """Lines of a file descriptor, up to its end or SIGTERM, which ends the waiting for more.

    The signal is waited for beside the input, and not handled in the middle of something else: whatever was read is given.
    """

    def __init__(self, source: int) -> None:
        self.source, self.stopped = source, False
        self._signals, write = os.pipe()
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write)
        signal.signal(signal.SIGTERM, lambda number, frame: None)

    def __iter__(self) -> Iterator[str]:
        rest = b""
        while True:
            ready, _, _ = select.select([self._signals, self.source], [], [])
            self.stopped = self._signals in ready
            chunk = b"" if self.stopped else os.read(self.source, 65_536)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line.decode() for line in lines)
        if rest and not self.stopped:
            yield rest.decode()


def parsed(lines: Iterable[str]) -> Iterator[Quote]:
    """The quotes of some lines."""
    for line in lines:
        exchange, symbol, time, bid, ask = line.split(",")
        at = EPOCH + timedelta(milliseconds=int(time))
        yield Quote(exchange=exchange, symbol=symbol, quote_time=at, bid=Decimal(bid), ask=Decimal(ask))


def write(quotes: QuoteRepository, rows: list[Quote]) -> int:
    """Write a batch; rows that failed for now are written once more, which is safe, and others are reported."""
    try:
        return quotes.put_many(rows)
    except bt.WriteFailed as failed:
        later = [
            rows[one.index]
            for one in failed.failures
            if isinstance(one.cause, bt.Unavailable | bt.Unanswered)
        ]
        for one in failed.failures:
            if not isinstance(one.cause, bt.Unavailable | bt.Unanswered):
                print(f"not written: {one!r}", file=sys.stderr)
        return failed.written + quotes.put_many(later)


def main() -> int:
    """Write all that comes."""
    given = Input(sys.stdin.fileno())
    written = 0
    # Nobody waits for a batch job: it may wait for a busy service, and should not be in the way of others. An app profile
    # of its own (app_profile="batch") keeps it on another cluster than what people wait for.
    with bt.connect(deadline={"bulk": 600}, requests_in_flight=4, user_agent="quotes-worker/1.0") as db:
        quotes = QuoteRepository(db)
        rows = parsed(given)
        while batch := list(islice(rows, BATCH)):
            written += write(quotes, batch)
    print(f"{written} rows written{', told to stop' if given.stopped else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
