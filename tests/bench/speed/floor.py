"""The floor: the same bytes over the wire, with nothing done to them, or next to nothing."""

from collections.abc import Iterable, Iterator
from typing import Any

import grpc
from attrs import field, frozen
from google.cloud.bigtable_v2.types import MutateRowsRequest, MutateRowsResponse, ReadRowsResponse

from btmodel.server import protos
from tests.bench.speed.reached import Place
from tests.bench.speed.stock import BATCH, batched, end_of
from tests.bench.speed.wire import entry
from tests.bench.speed.workload import Workload

OPTIONS = [("SingleThreadedUnaryStream", 1), ("grpc.max_receive_message_length", -1)]
READ = "/google.bigtable.v2.Bigtable/ReadRows"
WRITE = "/google.bigtable.v2.Bigtable/MutateRows"


@frozen
class Floor:
    """A channel that takes bytes and gives bytes."""

    work: Workload
    place: Place
    channel: grpc.Channel = field(repr=False)

    @classmethod
    def of(cls, work: Workload, place: Place) -> "Floor":
        """Connect."""
        return cls(work, place, grpc.insecure_channel(place.host, options=OPTIONS))

    def close(self) -> None:
        """End the connection."""
        self.channel.close()

    def drained(self, count: int) -> Iterator[bytes]:
        """The messages of a read."""
        call: Any = self.channel.unary_stream(READ)
        return iter(call(self._request(count)))

    def parsed(self, count: int) -> Iterator[Any]:
        """The same, parsed by protobuf."""
        return map(ReadRowsResponse.pb().FromString, self.drained(count))

    def ready(self, records: Iterable[Any]) -> list[bytes]:
        """The requests that write records, to be sent later."""
        head = MutateRowsRequest(table_name=self.place.table_name(self.work.table))
        beginning = MutateRowsRequest.serialize(head)
        return [beginning + b"".join(map(self._entry, batch)) for batch in batched(records, BATCH)]

    def send(self, requests: Iterable[bytes]) -> None:
        """Write ready requests, and look whether all was well."""
        call: Any = self.channel.unary_stream(WRITE)
        for request in requests:
            for answer in call(request):
                entries = MutateRowsResponse.pb().FromString(answer).entries
                assert not any(one.status.code for one in entries)

    def _request(self, count: int) -> bytes:
        newest = [{"column_range_filter": {"family_name": self.work.family}}, {"cells_per_column_limit_filter": 1}]
        request = protos.data("ReadRowsRequest")(
            table_name=self.place.table_name(self.work.table),
            rows_limit=count,
            filter={"chain": {"filters": newest}},
        )
        if self.work.prefix:
            request.rows.row_ranges.add(
                start_key_closed=self.work.prefix, end_key_open=end_of(self.work.prefix)
            )
        made: bytes = request.SerializeToString()
        return made

    def _entry(self, one: Any) -> bytes:
        return entry(self.work.hand.key(one), self.work.family, self.work.hand.cells(one))
