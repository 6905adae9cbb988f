"""google.cloud.bigtable.data with asyncio, as a careful person uses it."""

from collections.abc import Iterable
from typing import Any

from attrs import field, frozen
from google.cloud.bigtable.data import BigtableDataClientAsync, SetCell

from tests.bench.speed.reached import Place
from tests.bench.speed.stock import BATCH, batched, entry_of, newest_of, rows_of
from tests.bench.speed.workload import Workload


@frozen
class StockAsync:
    """A table of the asynchronous data client."""

    work: Workload
    client: BigtableDataClientAsync
    table: Any = field(repr=False)

    @classmethod
    async def of(cls, work: Workload, place: Place) -> "StockAsync":
        """Connect, in the event loop that it will be used in."""
        with place.named():
            made = BigtableDataClientAsync(project=place.project_id)
        return cls(work, made, made.get_table(place.instance_id, work.table))

    async def close(self) -> None:
        """End the connection."""
        await self.client.close()

    async def stream(self, count: int) -> list[Any]:
        """Read rows one after the other, and decode each with care."""
        rows = await self.table.read_rows_stream(rows_of(self.work, count))
        return [self.work.hand.careful(row) async for row in rows]

    async def point_get(self, one: Any) -> Any:
        """Read one row."""
        row = await self.table.read_row(self.work.hand.key(one), row_filter=newest_of(self.work.family))
        return self.work.hand.careful(row)

    async def bulk(self, records: Iterable[Any]) -> None:
        """Write records, a thousand in a request."""
        for batch in batched(records, BATCH):
            await self.table.bulk_mutate_rows([entry_of(self.work, one) for one in batch])

    async def point_put(self, one: Any) -> None:
        """Write one record."""
        cells = [SetCell(self.work.family, *cell) for cell in self.work.hand.cells(one)]
        await self.table.mutate_row(self.work.hand.key(one), cells)
