"""The tables of an instance: read, made, changed and dropped through the admin API."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from google.api_core.exceptions import (
    Aborted,
    DeadlineExceeded,
    InternalServerError,
    MethodNotImplemented,
    ResourceExhausted,
    ServiceUnavailable,
)
from google.api_core.retry import Retry, if_exception_type
from google.cloud import bigtable_admin_v2 as api
from google.protobuf.field_mask_pb2 import FieldMask

from btmodel.client import families, rights, table_settings
from btmodel.client.admin_failures import told
from btmodel.client.admin_services import AdminServices
from btmodel.client.target import INSTANCE, SERVICE
from btmodel.emulator import silence
from btmodel.errors import MissingTable, NotAllowed, ServerError, SettingsError, ValueRefused
from btmodel.schema import Family, Table
from btmodel.schema.reserved import JOURNAL_TABLE
from btmodel.schema.settings import TableSettings

if TYPE_CHECKING:
    from typing import Self

T = TypeVar("T")
READ = 20.0  # seconds for one read of a schema
_CHANGE = 300.0  # seconds for one change of it, which the service itself sets
_SETTING = 600.0  # seconds for one change of a setting, which the service goes on with after answering
_DROP = 3600.0  # seconds for deleting rows, likewise
_READERS = 8  # tables read at once
_PASSING = if_exception_type(
    Aborted, DeadlineExceeded, InternalServerError, ResourceExhausted, ServiceUnavailable
)
_AGAIN = Retry(_PASSING, timeout=READ)  # what reads may be asked for again

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
        self._host = host
        self._server = host or SERVICE
        self._retry = None if host else _AGAIN  # an emulator that does not answer is gone
        if host is not None:
            _refuse_silence(host)
        self._services = AdminServices(host)
        with self._told(rights.LIST_TABLES):
            self._client = self._services.tables

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        """The tables, or those called ``ids``, in the order of their ids: one list, and one get each.

        The table that btmodel makes for itself is not among them, unless it is asked for.
        """
        with self._told(rights.LIST_TABLES):
            listed = self._client.list_tables(parent=self.instance, retry=self._retry, timeout=READ)
            found = sorted(table.name.rpartition("/")[2] for table in listed)
        wanted = [id for id in found if (id != JOURNAL_TABLE if ids is None else id in ids)]
        with ThreadPoolExecutor(_READERS) as readers:
            tables = list(readers.map(self.table, wanted))
        return tuple(table for table in tables if table is not None)

    def table(self, id: str) -> Table | None:
        """The table called ``id`` with all its settings, or None where there is none."""
        try:
            with self._told(rights.READ_TABLE, id):
                live = self._get(id)
        except MissingTable:
            return None
        named = sorted(live.column_families.items())
        found = tuple(families.from_message(name, family) for name, family in named)
        return Table(id, found, table_settings.from_message(live))

    def is_empty(self, table: str) -> bool:
        """Whether the table called ``table`` holds no row; true where there is no such table."""
        from btmodel.client.emptiness import is_empty

        return is_empty(self.instance, self._host, table)

    def create_table(self, table: Table) -> None:
        """Create ``table`` with all its families and settings, in one call.

        Raises :class:`SchemaConflict` where there is a table of that id.
        """
        made = table_settings.to_message(table.settings)
        made.column_families = {family.id: families.to_message(family) for family in table.families}
        with self._told(rights.CREATE_TABLE, table.id):
            self._client.create_table(
                parent=self.instance,
                table_id=table.id,
                table=made,
                timeout=_CHANGE,
            )

    def modify_families(
        self,
        table: str,
        *,
        create: Sequence[Family] = (),
        update: Sequence[Family] = (),
        drop: Sequence[str] = (),
        ignore_warnings: bool = False,
    ) -> None:
        """Create families, set the GC rule of others and drop some, in one call.

        The service does all of it or nothing; an emulator may stop half-way. With ``ignore_warnings``
        it does what it otherwise refuses as unsafe, such as longer ages on replicated tables. Raises
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
        request = api.ModifyColumnFamiliesRequest(
            name=self._name(table), modifications=modifications, ignore_warnings=ignore_warnings
        )
        with self._told(rights.UPDATE_TABLE, table):
            self._client.modify_column_families(request=request, timeout=_CHANGE)

    def update_settings(self, table: str, settings: TableSettings, *, ignore_warnings: bool = False) -> None:
        """Change the settings of the table that ``settings`` state, one call each, and wait until it is done.

        Protection is switched off before all others, and on after them. With ``ignore_warnings`` the service
        also takes a row key schema away, which breaks queries that name its fields. Raises :class:`MissingTable`, and
        :class:`SchemaConflict` where another change of this table is being made; the settings before
        the one that was refused are changed then.
        """
        with self._told(rights.READ_TABLE, table):
            live = self._get(table)
        for message, paths in table_settings.updates(settings, live):
            message.name = self._name(table)
            request = api.UpdateTableRequest(
                table=message, update_mask=FieldMask(paths=paths), ignore_warnings=ignore_warnings
            )
            with self._told(rights.UPDATE_TABLE, table):
                changing = self._client.update_table(request=request, timeout=_CHANGE)
                changing.result(timeout=_SETTING)  # type: ignore[no-untyped-call]

    def replicated(self) -> bool | None:
        """Whether the instance has more than one cluster; None where that cannot be read."""

        def read() -> bool | None:
            found = self._services.instances.list_clusters(
                parent=self.instance, retry=self._retry, timeout=READ
            )
            several = len(found.clusters) > 1
            # A cluster of a location that does not answer is not among them.
            return None if found.failed_locations and not several else several

        return self._if_readable(rights.LIST_CLUSTERS, read)

    def replication_mark(self, table: str) -> str | None:
        """A mark behind all that was written to the table by now, for :meth:`is_replicated`; None where the server makes none.

        Raises :class:`MissingTable`.
        """
        with self._told(rights.MAKE_TOKEN, table), suppress(MethodNotImplemented):
            made = self._client.generate_consistency_token(
                name=self._name(table), retry=self._retry, timeout=READ
            )
            return made.consistency_token
        return None

    def is_replicated(self, table: str, mark: str) -> bool:
        """Whether all clusters have what was written to the table before ``mark`` was made; raises :class:`MissingTable`."""
        with self._told(rights.CHECK_TOKEN, table):
            checked = self._client.check_consistency(
                name=self._name(table), consistency_token=mark, retry=self._retry, timeout=READ
            )
        return checked.consistent

    def transactional_profiles(self) -> tuple[str, ...] | None:
        """The app profiles that route to one cluster and allow transactions on rows, ``default`` first.

        None where the profiles cannot be read.
        """

        def read() -> tuple[str, ...]:
            listed = self._services.instances.list_app_profiles(
                parent=self.instance, retry=self._retry, timeout=READ
            )
            ids = [
                profile.name.rpartition("/")[2]
                for profile in listed
                if profile.single_cluster_routing.allow_transactional_writes
            ]
            return tuple(sorted(ids, key=lambda id: (id != "default", id)))

        return self._if_readable(rights.LIST_PROFILES, read)

    def delete_table(self, id: str) -> None:
        """Delete the table called ``id`` with its rows; raises :class:`MissingTable` where there is none."""
        with self._told(rights.DELETE_TABLE, id):
            self._client.delete_table(name=self._name(id), timeout=_CHANGE)

    def drop_prefix(self, table: str, prefix: bytes) -> None:
        """Delete every row of the table whose key begins with ``prefix``, at once and for ever.

        Rows that are written meanwhile may stay. Raises :class:`ValueRefused` for an empty
        prefix, which every key begins with, and :class:`MissingTable`.
        """
        if not prefix:
            raise ValueRefused("a prefix of at least one byte", prefix, where=f"drop_prefix of {table!r}")
        request = api.DropRowRangeRequest(name=self._name(table), row_key_prefix=prefix)
        with self._told(rights.DELETE_ROWS, table):
            self._client.drop_row_range(request=request, timeout=_DROP)

    def close(self) -> None:
        """Close the connection."""
        self._services.close()

    def _get(self, id: str) -> api.Table:
        request = api.GetTableRequest(name=self._name(id), view=api.Table.View.SCHEMA_VIEW)
        return self._client.get_table(request=request, retry=self._retry, timeout=READ)

    def _if_readable(self, right: rights.Right, read: Callable[[], T]) -> T | None:
        """What ``read`` gives; None without the right to it, and from a server that cannot tell."""
        try:
            with self._told(right), suppress(MethodNotImplemented):
                return read()
        except NotAllowed:
            pass
        return None

    def _told(self, right: rights.Right, table: str | None = None) -> AbstractContextManager[None]:
        return told(self.instance, self._server, right, table)

    def _name(self, id: str) -> str:
        return f"{self.instance}/tables/{id}"

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _refuse_silence(host: str) -> None:
    why = silence(host)
    if why is not None:
        raise ServerError(f"no Bigtable server answers at {host} ({why}): start it, or check the address")
