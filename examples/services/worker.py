"""A worker that writes quotes in batches, and ends well: what it has taken is written before it goes.

    python -m examples.services.worker < quotes.csv

Each line is ``exchange,symbol,milliseconds,bid,ask``. On SIGTERM, as Cloud Run, Kubernetes and systemd send it, it stops
reading, writes what it has read, and says how many rows that were; what it did not read is left to others. It exits with 1
where lines or rows could not be written, each of which it names.
"""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
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


def parsed(lines: Iterable[str], wrong: Callable[[str], object]) -> Iterator[Quote]:
    """The quotes of some lines; ``wrong`` is given each line that is none."""
    for line in lines:
        try:
            exchange, symbol, time, bid, ask = line.split(",")
            at = EPOCH + timedelta(milliseconds=int(time))
            yield Quote(exchange=exchange, symbol=symbol, quote_time=at, bid=Decimal(bid), ask=Decimal(ask))
        except (ValueError, ArithmeticError) as error:
            wrong(f"{line!r}: {error}")


def write(quotes: QuoteRepository, rows: list[Quote], wrong: Callable[[str], object]) -> int:
    """Write all of ``rows``, as long as the server takes some of them; ``wrong`` is given what no try can write.

    After 1,000 failures ``put_many`` stops, and has not tried the rest: ``stopped`` says so. What the server did not take,
    or did not answer, is written again, which is safe, and so is what was not tried. Raises :class:`btmodel.WriteFailed`
    where a try writes nothing at all.
    """
    written = 0
    while rows:
        try:
            return written + quotes.put_many(rows)
        except bt.WriteFailed as failed:
            again = []
            for one in failed.failures:
                if isinstance(one.cause, bt.Unavailable | bt.Unanswered):
                    again.append(rows[one.index])
                else:
                    wrong(repr(one))
            tried = failed.written + len(failed.failures)
            if failed.written == 0 and again:
                raise
            written += failed.written
            rows = again + (rows[tried:] if failed.stopped else [])
    return written


def main() -> int:
    """Write all that comes."""
    given = Input(sys.stdin.fileno())
    written = refused = 0

    def wrong(what: str) -> None:
        nonlocal refused
        refused += 1
        print(f"not written: {what}", file=sys.stderr)

    # A batch job keeps no user waiting: it may wait for a busy service, up to what the platform leaves it after SIGTERM, and
    # should not be in the way of others. An app profile of its own (app_profile="batch") keeps it on another cluster than
    # what people wait for.
    with bt.connect(deadline={"bulk": 20}, requests_in_flight=4, user_agent="quotes-worker/1.0") as db:
        quotes = QuoteRepository(db)
        rows = parsed(given, wrong)
        while batch := list(islice(rows, BATCH)):
            written += write(quotes, batch, wrong)
    print(f"{written} rows written{', told to stop' if given.stopped else ''}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
