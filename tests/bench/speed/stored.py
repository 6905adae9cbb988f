"""The tables of the replay server: rows as ready bytes, made when they are first asked for."""

from bisect import bisect_left
from collections.abc import Iterator
from threading import Lock

from tests.bench.speed import day
from tests.bench.speed.wire import row_chunks
from tests.bench.speed.workload import WORKLOADS, Workload


class Stored:
    """The rows of a table, in the order of their keys."""

    def __init__(
        self, family: str, most: int, rows: Iterator[tuple[bytes, list[tuple[bytes, bytes]]]]
    ) -> None:
        self.most = most
        self._family = family
        self._rows = rows
        self._keys: list[bytes] = []
        self._chunks: list[bytes] = []
        self._lock = Lock()

    def message(self, first: int, end: int) -> bytes:
        """The ReadRowsResponse of some rows, by their places."""
        self._make(end)
        return b"".join(self._chunks[first:end])

    def splits(self, parts: int) -> list[bytes]:
        """The keys that divide what was read so far into so many parts."""
        self._make(1_000)
        made = len(self._keys)
        return [self._keys[made * part // parts] for part in range(1, parts)]

    def row(self, key: bytes) -> bytes | None:
        """The row of a key, as the chunks of a message; None where there is none."""
        at = self._place(key)
        return self._chunks[at] if at < len(self._keys) and self._keys[at] == key else None

    def span(self, start: bytes, end: bytes) -> tuple[int, int]:
        """The places of the keys from ``start`` to the one before ``end``; b"" is open."""
        return self._place(start), self._place(end) if end else self.most

    def _place(self, key: bytes) -> int:
        while (not self._keys or self._keys[-1] < key) and len(self._keys) < self.most:
            self._make(max(1_000, 2 * len(self._keys)))
        return bisect_left(self._keys, key)

    def _make(self, count: int) -> None:
        if count <= len(self._keys):
            return
        with self._lock:
            while len(self._keys) < min(count, self.most):
                key, cells = next(self._rows)
                self._chunks.append(row_chunks(key, self._family, cells))
                self._keys.append(key)


def _of(work: Workload) -> Stored:
    hand = work.hand
    return Stored(
        work.family, work.most, ((hand.key(one), hand.cells(one)) for one in work.records(work.most))
    )


TABLES = {work.table: _of(work) for work in WORKLOADS.values()} | {
    day.WIDE: Stored(day.FAMILY, day.METERS, day.wide_rows()),
    day.NARROW: Stored(day.FAMILY, day.METERS * day.QUARTERS, day.narrow_rows()),
}
