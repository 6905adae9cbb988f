"""The tables of an instance: read, made, changed and dropped through the admin API."""

from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING

import grpc
from google.api_core.exceptions import DeadlineExceeded, ServiceUnavailable
from google.api_core.retry import Retry, if_exception_type
from google.cloud import bigtable_admin_v2 as api
from google.cloud.bigtable_admin_v2.services.bigtable_table_admin.transports import (
    BigtableTableAdminGrpcTransport,
)

from btmodel.client import families
from btmodel.client.admin_failures import told
from btmodel.client.target import INSTANCE
from btmodel.emulator import silence
from btmodel.errors import MissingTable, ServerError, SettingsError, ValueRefused
from btmodel.schema import Family, Table

if TYPE_CHECKING:
    from typing import Self

_SERVICE = "the Bigtable service"
_READ = 20.0  # seconds for one read of a schema
_CHANGE = 300.0  # seconds for one change of it, which the service itself sets
_DROP = 3600.0  # seconds for deleting rows, likewise
_READERS = 8  # tables read at once
_AGAIN = Retry(if_exception_type(ServiceUnavailable, DeadlineExceeded), timeout=_READ)

_Modification = api.ModifyColumnFamiliesRequest.Modification


class Admin:
    """The tables of one instance, on the service or on an emulator.

    ``instance`` is a path, ``projects/P/instances/I``. ``host`` is the ``host:port`` of an
    emulator, asked without TLS or credentials; without one the service is asked, with
    the application default credentials. Every method raises :class:`ServerError`.
    """

    def __init__(self, instance: str, host: str | None = None) -> None:
        """Connect.

        Raises :class:`SettingsError` for a path that names no instance, and
        :class:`ServerError` where nothing answers at ``host``, or
        where there are no credentials for the service.
        """
        if not INSTANCE.fullmatch(instance):
            raise SettingsError(f"instance: wanted projects/PROJECT/instances/INSTANCE, got {instance!r}")
        self.instance = instance
        self._server = host or _SERVICE
        self._retry = None if host else _AGAIN  # an emulator that does not answer is gone
        with told(instance, self._server):
            self._client = _emulator(host) if host else api.BigtableTableAdminClient()

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        """The tables, or those called ``ids``, in the order of their ids: one list, and one get each."""
        with told(self.instance, self._server):
            listed = self._client.list_tables(parent=self.instance, retry=self._retry, timeout=_READ)
            found = sorted(table.name.rpartition("/")[2] for table in listed)
        wanted = [id for id in found if ids is None or id in ids]
        with ThreadPoolExecutor(_READERS) as readers:
            tables = list(readers.map(self.table, wanted))
        return tuple(table for table in tables if table is not None)

    def table(self, id: str) -> Table | None:
        """The table called ``id``, or None where there is none."""
        request = api.GetTableRequest(name=self._name(id), view=api.Table.View.SCHEMA_VIEW)
        try:
            with told(self.instance, self._server, id):
                live = self._client.get_table(request=request, retry=self._retry, timeout=_READ)
        except MissingTable:
            return None
        named = sorted(live.column_families.items())
        return Table(id, tuple(families.from_message(name, family) for name, family in named))

    def create_table(self, table: Table) -> None:
        """Create ``table`` with all its families.

        Raises :class:`SchemaConflict` where there is a table of that id.
        """
        made = {family.id: families.to_message(family) for family in table.families}
        with told(self.instance, self._server, table.id, new=True):
            self._client.create_table(
                parent=self.instance,
                table_id=table.id,
                table=api.Table(column_families=made),
                timeout=_CHANGE,
            )

    def modify_families(
        self,
        table: str,
        *,
        create: Sequence[Family] = (),
        update: Sequence[Family] = (),
        drop: Sequence[str] = (),
    ) -> None:
        """Create families, set the GC rule of others and drop some, in one call.

        The service does all of it or nothing; an emulator may stop half-way. Raises
        :class:`MissingTable`, and :class:`SchemaConflict` where a family to create is
        there, or another change of this table is being made.
        """
        mask = {"paths": ["gc_rule"]}
        modifications = [
            *(_Modification(id=family.id, create=families.to_message(family)) for family in create),
            *(
                _Modification(id=family.id, update=families.to_message(family), update_mask=mask)
                for family in update
            ),
            *(_Modification(id=id, drop=True) for id in drop),
        ]
        with told(self.instance, self._server, table):
            self._client.modify_column_families(
                name=self._name(table), modifications=modifications, timeout=_CHANGE
            )

    def delete_table(self, id: str) -> None:
        """Delete the table called ``id`` with its rows; raises :class:`MissingTable` where there is none."""
        with told(self.instance, self._server, id):
            self._client.delete_table(name=self._name(id), timeout=_CHANGE)

    def drop_prefix(self, table: str, prefix: bytes) -> None:
        """Delete every row of the table whose key begins with ``prefix``, at once and for ever.

        Rows that are written meanwhile may stay. Raises :class:`ValueRefused` for an empty
        prefix, which every key begins with, and :class:`MissingTable`.
        """
        if not prefix:
            raise ValueRefused("a prefix of at least one byte", prefix, where=f"drop_prefix of {table!r}")
        request = api.DropRowRangeRequest(name=self._name(table), row_key_prefix=prefix)
        with told(self.instance, self._server, table):
            self._client.drop_row_range(request=request, timeout=_DROP)

    def close(self) -> None:
        """Close the connection."""
        self._client.transport.close()  # type: ignore[no-untyped-call]

    def _name(self, id: str) -> str:
        return f"{self.instance}/tables/{id}"

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _emulator(host: str) -> api.BigtableTableAdminClient:
    # The admin client does not look at BIGTABLE_EMULATOR_HOST: it is given its channel.
    why = silence(host)
    if why is not None:
        raise ServerError(f"no Bigtable server answers at {host} ({why}): start it, or check the address")
    channel = grpc.insecure_channel(host)
    return api.BigtableTableAdminClient(transport=BigtableTableAdminGrpcTransport(channel=channel))
