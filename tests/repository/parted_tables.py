"""Tables with splits, for reads of several parts."""

from collections.abc import Iterable

import grpc
from google.cloud.bigtable_admin_v2.types import CreateTableRequest

import btmodel as bt

CREATE = "/google.bigtable.admin.v2.BigtableTableAdmin/CreateTable"


def create(host: str, instance: str, model: type[bt.Model], splits: Iterable[bytes]) -> None:
    """Make the table of ``model``, divided at ``splits``; Google's emulator has no parts all the same."""
    schema = bt.schema_of(model)
    families = {family.id: {} for family in schema.families}
    request = CreateTableRequest(
        parent=instance,
        table_id=schema.table,
        table={"column_families": families},
        initial_splits=[{"key": key} for key in splits],
    )
    with grpc.insecure_channel(host) as channel:
        channel.unary_unary(CREATE)(CreateTableRequest.serialize(request), timeout=30)
