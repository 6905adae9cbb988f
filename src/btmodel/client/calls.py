"""The service's methods on serialized messages, over the channel of Google's data client.

What that client makes of a message costs more than the message itself. Its channel is used, so
credentials, their renewal and the exchange of channels that have grown old stay with it.
"""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import grpc
from attrs import frozen
from google.api_core.exceptions import from_grpc_error
from google.api_core.gapic_v1.routing_header import to_grpc_metadata
from google.cloud.bigtable_v2.types import FeatureFlags

READ_ROWS = "/google.bigtable.v2.Bigtable/ReadRows"
SAMPLE_ROW_KEYS = "/google.bigtable.v2.Bigtable/SampleRowKeys"
MUTATE_ROW = "/google.bigtable.v2.Bigtable/MutateRow"
MUTATE_ROWS = "/google.bigtable.v2.Bigtable/MutateRows"
CHECK_AND_MUTATE_ROW = "/google.bigtable.v2.Bigtable/CheckAndMutateRow"
READ_MODIFY_WRITE_ROW = "/google.bigtable.v2.Bigtable/ReadModifyWriteRow"

_FLAGS = FeatureFlags.serialize(FeatureFlags(reverse_scans=True))
# Servers read backwards only for a client that says that it can take such an answer.
_FEATURES = ("bigtable-features", base64.urlsafe_b64encode(_FLAGS).decode())

Metadata = tuple[tuple[str, str], ...] | grpc.aio.Metadata


@frozen
class Calls:
    """The methods of the service, asked about one table; ``table`` is the data client's own.

    ``metadata`` is what every request must be sent with: where it is routed to, and who asks. Errors
    are those of gRPC: see :func:`google_errors`.
    """

    table: Any
    name: str
    app_profile: str
    metadata: Metadata

    @classmethod
    def of(cls, table: Any) -> Self:
        """The calls for a table of the data client."""
        profile = table.app_profile_id or ""
        routed = {"table_name": table.table_name, "app_profile_id": profile}
        routing = to_grpc_metadata(routed)  # type: ignore[no-untyped-call]
        asks = table.client.client_info.to_grpc_metadata()
        sent: Metadata = (_FEATURES, routing, asks)
        if isinstance(table.client.transport.grpc_channel, grpc.aio.Channel):
            sent = grpc.aio.Metadata(*sent)  # as such a channel would make of them for each call
        return cls(table, table.table_name, profile, sent)

    def unary(self, method: str) -> Any:
        """A method that gives one answer, for one operation: ``(request, timeout=..., metadata=...)``."""
        # Not to be kept: the client exchanges its channel now and then, and closes the old one.
        return self.table.client.transport.grpc_channel.unary_unary(method)

    def stream(self, method: str) -> Any:
        """The same of a method that gives many."""
        return self.table.client.transport.grpc_channel.unary_stream(method)


def google_error(error: Exception) -> Exception:
    """What gRPC raised as an exception of Google's clients; any other as it is."""
    if isinstance(error, grpc.RpcError):
        told: Exception = from_grpc_error(error)  # type: ignore[no-untyped-call]
        return told
    return error


@contextmanager
def google_errors() -> Iterator[None]:
    """Raise what gRPC raises in this block as the exceptions of Google's clients."""
    try:
        yield
    except grpc.RpcError as error:
        raise google_error(error) from error
