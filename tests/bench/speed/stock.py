"""google.cloud.bigtable.data, as a careful person uses it, and as its documentation does."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import grpc
from attrs import field, frozen
from google.cloud.bigtable.data import (
    BigtableDataClient,
    ReadRowsQuery,
    RowMutationEntry,
    RowRange,
    SetCell,
)
from google.cloud.bigtable.data.row_filters import (
    CellsColumnLimitFilter,
    ColumnRangeFilter,
    RowFilterChain,
)

from tests.bench.speed.reached import Place
from tests.bench.speed.workload import Workload

BATCH = 1_000  # rows a request


class SingleThreaded(BigtableDataClient):
    """The stock client with gRPC's option that hands messages over without a thread, and nothing else changed."""

    def _build_grpc_channel(self, *arguments: Any, **named: Any) -> Any:
        swappable = super()._build_grpc_channel(*arguments, **named)
        options = [("SingleThreadedUnaryStream", 1)]
        swappable._channel_fn = partial(grpc.insecure_channel, self._emulator_host, options=options)
        swappable.swap_channel(swappable._channel_fn()).close()
        return swappable


def newest_of(family: str) -> RowFilterChain:
    """What the model reads: the newest cell of each column of the family, asked for as btmodel does.

    The expression that the documentation has would double the emulator's work, and so blur what clients take.
    """
    return RowFilterChain(filters=[ColumnRangeFilter(family), CellsColumnLimitFilter(1)])


def end_of(prefix: bytes) -> bytes:
    """The key behind all that begin with ``prefix``."""
    return prefix[:-1] + bytes((prefix[-1] + 1,))


def rows_of(work: Workload, count: int) -> ReadRowsQuery:
    """The query of the first rows of the table."""
    ranges = [RowRange(start_key=work.prefix, end_key=end_of(work.prefix))] if work.prefix else []
    return ReadRowsQuery(row_ranges=ranges, limit=count, row_filter=newest_of(work.family))


def keys_of(work: Workload, records: Iterable[Any]) -> ReadRowsQuery:
    """The query of the rows of some keys."""
    return ReadRowsQuery(row_keys=[work.hand.key(one) for one in records], row_filter=newest_of(work.family))


def entry_of(work: Workload, one: Any) -> RowMutationEntry:
    """The entry that writes a record."""
    family = work.family
    return RowMutationEntry(work.hand.key(one), [SetCell(family, *cell) for cell in work.hand.cells(one)])


def batched(things: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of so many things."""
    left = iter(things)
    return iter(lambda: list(islice(left, size)), [])


@frozen
class Stock:
    """A table of the data client."""

    work: Workload
    client: BigtableDataClient
    table: Any = field(repr=False)

    @classmethod
    def of(
        cls, work: Workload, place: Place, client: type[BigtableDataClient] = BigtableDataClient
    ) -> "Stock":
        """Connect."""
        with place.named():
            made = client(project=place.project_id)
        return cls(work, made, made.get_table(place.instance_id, work.table))

    def close(self) -> None:
        """End the connection."""
        self.client.close()

    def stream(self, count: int) -> Iterable[Any]:
        """Read rows one after the other, and decode each with care."""
        return map(self.work.hand.careful, self.table.read_rows_stream(rows_of(self.work, count)))

    def listed(self, count: int) -> Iterable[Any]:
        """Read rows as a list, and decode each with care."""
        return map(self.work.hand.careful, self.table.read_rows(rows_of(self.work, count)))

    def idiom(self, count: int) -> Iterable[Any]:
        """Read rows as a list, and look each cell up in its row."""
        return map(self.work.hand.idiom, self.table.read_rows(rows_of(self.work, count)))

    def multiget(self, records: Sequence[Any]) -> list[Any]:
        """Read the rows of some keys in one request, and decode each with care."""
        rows = self.table.read_rows(keys_of(self.work, records))
        return [self.work.hand.careful(row) for row in rows]

    def point_get(self, one: Any) -> Any:
        """Read one row."""
        row = self.table.read_row(self.work.hand.key(one), row_filter=newest_of(self.work.family))
        return self.work.hand.careful(row)

    def bulk(self, records: Iterable[Any]) -> None:
        """Write records, a thousand in a request."""
        for batch in batched(records, BATCH):
            self.table.bulk_mutate_rows([entry_of(self.work, one) for one in batch])

    def batcher(self, records: Iterable[Any]) -> None:
        """Write records as the documentation does."""
        with self.table.mutations_batcher() as batcher:
            for one in records:
                batcher.append(entry_of(self.work, one))

    def point_put(self, one: Any) -> None:
        """Write one record."""
        cells = [SetCell(self.work.family, *cell) for cell in self.work.hand.cells(one)]
        self.table.mutate_row(self.work.hand.key(one), cells)
