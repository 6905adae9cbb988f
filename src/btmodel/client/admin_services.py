"""The two services of the admin API, each connected to when it is first asked."""

from functools import cached_property

import grpc
from google.cloud.bigtable_admin_v2 import BigtableInstanceAdminClient, BigtableTableAdminClient
from google.cloud.bigtable_admin_v2.services.bigtable_instance_admin.transports import (
    BigtableInstanceAdminGrpcTransport,
)
from google.cloud.bigtable_admin_v2.services.bigtable_table_admin.transports import (
    BigtableTableAdminGrpcTransport,
)


class AdminServices:
    """Google's clients of one server: of an emulator at ``host``, or of the service.

    The admin clients do not look at BIGTABLE_EMULATOR_HOST: they are given its channel.
    """

    def __init__(self, host: str | None) -> None:
        self._channel = grpc.insecure_channel(host) if host else None

    @cached_property
    def tables(self) -> BigtableTableAdminClient:
        """The client that reads and changes tables."""
        if self._channel is None:
            return BigtableTableAdminClient()
        return BigtableTableAdminClient(transport=BigtableTableAdminGrpcTransport(channel=self._channel))

    @cached_property
    def instances(self) -> BigtableInstanceAdminClient:
        """The client that reads clusters and app profiles."""
        if self._channel is None:
            return BigtableInstanceAdminClient()
        return BigtableInstanceAdminClient(
            transport=BigtableInstanceAdminGrpcTransport(channel=self._channel)
        )

    def close(self) -> None:
        """Close the connections that were made."""
        for name in ("tables", "instances"):
            if name in self.__dict__:
                getattr(self, name).transport.close()
