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
        """The messages of a read of the first rows."""
        return self.answer(asked(self.work, self.place, count))

    def answer(self, request: bytes) -> Iterator[bytes]:
        """The messages of a read that is ready."""
        call: Any = self.channel.unary_stream(READ)
        return iter(call(request))

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

    def _entry(self, one: Any) -> bytes:
        return entry(self.work.hand.key(one), self.work.family, self.work.hand.cells(one))


@frozen
class FloorAsync:
    """The same with asyncio."""

    channel: grpc.aio.Channel = field(repr=False)

    @classmethod
    async def of(cls, place: Place) -> "FloorAsync":
        """Connect, in the event loop that it will be used in."""
        return cls(grpc.aio.insecure_channel(place.host))

    async def close(self) -> None:
        """End the connection."""
        await self.channel.close()

    async def first(self, request: bytes) -> bytes:
        """The first message of a read that is ready, which is then left."""
        call: Any = self.channel.unary_stream(READ)(request)
        message: bytes = await call.read()
        call.cancel()
        return message


def asked(work: Workload, place: Place, count: int, records: Iterable[Any] = ()) -> bytes:
    """The request for so many rows at most: the first ones, or those of some records."""
    newest = [{"column_range_filter": {"family_name": work.family}}, {"cells_per_column_limit_filter": 1}]
    request = protos.data("ReadRowsRequest")(
        table_name=place.table_name(work.table),
        rows_limit=count,
        filter={"chain": {"filters": newest}},
    )
    request.rows.row_keys.extend(work.hand.key(one) for one in records)
    if work.prefix and not request.rows.row_keys:
        request.rows.row_ranges.add(start_key_closed=work.prefix, end_key_open=end_of(work.prefix))
    made: bytes = request.SerializeToString()
    return made
