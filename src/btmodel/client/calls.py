"""The service's methods on serialized messages, over the channel of Google's data client.

What that client makes of a message costs more than the message itself. Its channel is used, so
credentials, their renewal and the exchange of channels that have grown old stay with it.
"""

import base64
from collections.abc import Callable
from typing import Any, Self

import grpc
from attrs import frozen
from google.api_core.gapic_v1.routing_header import to_grpc_metadata
from google.cloud.bigtable_v2.types import FeatureFlags

from btmodel.client.options import Options
from btmodel.client.target import Target

READ_ROWS = "/google.bigtable.v2.Bigtable/ReadRows"
SAMPLE_ROW_KEYS = "/google.bigtable.v2.Bigtable/SampleRowKeys"
MUTATE_ROW = "/google.bigtable.v2.Bigtable/MutateRow"
MUTATE_ROWS = "/google.bigtable.v2.Bigtable/MutateRows"
CHECK_AND_MUTATE_ROW = "/google.bigtable.v2.Bigtable/CheckAndMutateRow"
READ_MODIFY_WRITE_ROW = "/google.bigtable.v2.Bigtable/ReadModifyWriteRow"

_FLAGS = FeatureFlags.serialize(FeatureFlags(reverse_scans=True, retry_info=True))
# Servers read backwards, and say when to come again, only for a client that says that it knows such answers.
_FEATURES = ("bigtable-features", base64.urlsafe_b64encode(_FLAGS).decode())

Metadata = tuple[tuple[str, str], ...] | grpc.aio.Metadata


@frozen
class Calls:
    """The methods of the service, asked about one table; ``table`` is the data client's own.

    ``metadata`` is what every request must be sent with: where it is routed to, and who asks. Errors
    are those of gRPC: see :func:`btmodel.client.failures.google_error`.
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


@frozen
class Access:
    """How the tables of an instance are reached: ``open`` gives the calls for one, ``options`` say how they are made."""

    open: Callable[[str], Calls]
    target: Target
    options: Options
