"""The legacy client, google.cloud.bigtable.Client, as its documentation uses it."""

from collections.abc import Iterable
from typing import Any

from attrs import field, frozen
from google.cloud.bigtable import Client
from google.cloud.bigtable.row_filters import (
    CellsColumnLimitFilter,
    ColumnRangeFilter,
    RowFilterChain,
)

from tests.bench.speed.reached import Place
from tests.bench.speed.stock import BATCH, batched
from tests.bench.speed.workload import Workload


@frozen
class Legacy:
    """A table of the legacy client."""

    work: Workload
    client: Client
    table: Any = field(repr=False)

    @classmethod
    def of(cls, work: Workload, place: Place) -> "Legacy":
        """Connect."""
        with place.named():
            client = Client(project=place.project_id)
            table = client.instance(place.instance_id).table(work.table)
        return cls(work, client, table)

    def close(self) -> None:
        """End the connection."""
        self.client.close()

    def scan(self, count: int) -> Iterable[Any]:
        """Read rows one after the other."""
        chain = [ColumnRangeFilter(self.work.family), CellsColumnLimitFilter(1)]
        rows = self.table.read_rows(
            start_key=self.work.prefix or None, limit=count, filter_=RowFilterChain(filters=chain)
        )
        return map(self.work.hand.legacy, rows)

    def bulk(self, records: Iterable[Any]) -> None:
        """Write records, a thousand in a request."""
        for batch in batched(records, BATCH):
            rows = [self._row(one) for one in batch]
            statuses = self.table.mutate_rows(rows)
            assert not any(status.code for status in statuses)

    def _row(self, one: Any) -> Any:
        row = self.table.direct_row(self.work.hand.key(one))
        for qualifier, value in self.work.hand.cells(one):
            row.set_cell(self.work.family, qualifier, value)
        return row
