"""Reading rows: ReadRows and SampleRowKeys."""

from __future__ import annotations

import time
from collections.abc import Iterator

from attrs import define, frozen

from btmodel.server import limits, protos, stored_rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.filters import RowFilter, compile_filter
from btmodel.server.protos import Message
from btmodel.server.request_errors import invalid
from btmodel.server.store import EVERYTHING, KeyRange, Store, key_range, key_ranges
from btmodel.server.views_and_bundles import Authorized

SAMPLE_SIZE = 1 << 20  # bytes of rows between two sampled keys
SKIPPED_ROWS = 1_000  # so many rows may a filter leave out before the client hears how far the scan is
FULL_STATS = 2  # ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL

_Response = protos.data("ReadRowsResponse")
_Sample = protos.data("SampleRowKeysResponse")


@define
class _Counts:
    """The rows that a scan has seen and returned, for the statistics of the request."""

    rows_seen: int = 0
    rows_returned: int = 0
    cells_seen: int = 0
    cells_returned: int = 0


@frozen
class _VisibleRow:
    """A row as a reader sees it: filtered, and without garbage if that is collected at once."""

    collecting: CatalogTable | None
    row_filter: RowFilter | None
    counts: _Counts

    def __call__(self, key: bytes, stored: bytes) -> bytes:
        cells = shown = stored_rows.decode_cells(stored)
        self.counts.cells_seen += len(cells)
        if self.collecting:
            kept = self.collecting.without_garbage(stored_rows.decode(stored))
            shown = list(stored_rows.cells(kept, self.collecting.places))
        if self.row_filter:
            shown = self.row_filter(key, shown)
        self.counts.cells_returned += len(shown)
        return stored if shown == cells else stored_rows.encode(key, shown)


@frozen
class Scan:
    """One ReadRows request, checked and compiled."""

    store: Store
    catalog: Catalog
    eager_gc: bool
    table_name: str
    ranges: list[KeyRange]
    row_filter: RowFilter | None
    most_rows: int | None
    backwards: bool
    with_stats: bool

    @classmethod
    def of(
        cls,
        request: Message,
        table: CatalogTable,
        store: Store,
        catalog: Catalog,
        eager_gc: bool,
        through: Authorized | None = None,
    ) -> Scan:
        """Check a request, which may be made through an authorized view; raises RequestError for what the service refuses."""
        size = request.ByteSize()
        if size > limits.READ_REQUEST_SIZE:
            raise invalid(
                f"Request is {size:,} bytes long, which is more than the limit of 512 KiB: "
                "ask for fewer keys and ranges at a time"
            )
        if request.rows_limit < 0:
            raise invalid(f"rows_limit must not be negative, but got {request.rows_limit}")
        ranges = key_ranges(request.rows)
        row_filter = compile_filter(request.filter, table.places, table.granule)
        if through:
            ranges, row_filter = through.ranges(ranges), through.filter(row_filter)
        if request.reversed:
            ranges.reverse()
        return cls(
            store,
            catalog,
            eager_gc,
            table.name,
            ranges,
            row_filter,
            request.rows_limit or None,
            request.reversed,
            request.request_stats_view == FULL_STATS,
        )

    def responses(self) -> Iterator[bytes]:
        """The serialized responses of the scan."""
        began = time.monotonic_ns()
        counts, packer, skipped = _Counts(), stored_rows.Packer(), 0
        with self.store.explained():
            for key, stored in self._rows(counts):
                if stored:
                    skipped = 0
                    yield from packer.add(stored)
                    continue
                skipped += 1
                if skipped == SKIPPED_ROWS:
                    skipped = 0
                    yield from packer.flush()
                    yield stored_rows.scanned(key)
            yield from packer.flush()
        if self.with_stats:
            yield _stats(counts, time.monotonic_ns() - began)

    def _rows(self, counts: _Counts) -> Iterator[tuple[bytes, bytes]]:
        """The rows of the scan as they are sent, each after its key; empty bytes for one that is left out."""
        for keys in self.ranges:
            more = True
            while more:
                table = self.catalog.get(self.table_name)
                view = self._view(table, counts)
                most = self.most_rows - counts.rows_returned if self.most_rows else None
                page, more = self.store.page(table.number, keys, self.backwards, None if view else most)
                for key, stored in page:
                    shown = view(key, stored) if view else stored
                    counts.rows_seen += 1
                    counts.rows_returned += bool(shown)
                    yield key, shown
                    if counts.rows_returned == self.most_rows:
                        return
                if page:
                    keys = keys.before(page[-1][0]) if self.backwards else keys.after(page[-1][0])

    def _view(self, table: CatalogTable, counts: _Counts) -> _VisibleRow | None:
        """How a row is shown; None when it is shown as it is stored."""
        collecting = table if self.eager_gc and table.collects else None
        if collecting or self.row_filter or self.with_stats:
            return _VisibleRow(collecting, self.row_filter, counts)
        return None


def _stats(counts: _Counts, nanoseconds: int) -> bytes:
    """The statistics of a request, in all of their parts: Go's client, and so cbt, ends where one is missing."""
    response = _Response()
    stats = response.request_stats.full_read_stats_view
    stats.request_latency_stats.frontend_server_latency.FromNanoseconds(nanoseconds)
    seen = stats.read_iteration_stats
    seen.rows_seen_count = counts.rows_seen
    seen.rows_returned_count = counts.rows_returned
    seen.cells_seen_count = counts.cells_seen
    seen.cells_returned_count = counts.cells_returned
    message: bytes = response.SerializeToString()
    return message


def sample_row_keys(
    request: Message, table: CatalogTable, store: Store, through: Authorized | None = None
) -> Iterator[Message]:
    """Keys about SAMPLE_SIZE bytes of rows apart and the initial splits, those in an authorized view alone; last comes the end of the range."""
    for sample in _samples(request, table, store):
        if through is None or not sample.row_key or through.has_row(sample.row_key):
            yield sample


def _samples(request: Message, table: CatalogTable, store: Store) -> Iterator[Message]:
    keys = key_range(request.row_range) if request.HasField("row_range") else EVERYTHING
    splits = [key for key in table.splits if key > keys.start and (keys.end is None or key < keys.end)]
    offset = sampled = 0
    for key, size in _sizes(table, keys, store):
        while splits and splits[0] <= key:
            sampled = offset
            yield _Sample(row_key=splits.pop(0), offset_bytes=offset)
        if offset - sampled >= SAMPLE_SIZE:
            sampled = offset
            yield _Sample(row_key=key, offset_bytes=offset)
        offset += size
    for key in splits:
        yield _Sample(row_key=key, offset_bytes=offset)
    yield _Sample(row_key=keys.end or b"", offset_bytes=offset)


def _sizes(table: CatalogTable, keys: KeyRange, store: Store) -> Iterator[tuple[bytes, int]]:
    """The keys of a range in order, each with the bytes that its row takes."""
    while page := store.sizes(table.number, keys):
        yield from page
        keys = keys.after(page[-1][0])
