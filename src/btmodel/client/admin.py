"""The tables of an instance: read, created, changed and dropped through the admin API."""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, frozen
from google.api_core.exceptions import (
    Aborted,
    DeadlineExceeded,
    InternalServerError,
    MethodNotImplemented,
    ResourceExhausted,
    ServiceUnavailable,
)
from google.api_core.gapic_v1.client_info import ClientInfo
from google.api_core.retry import Retry, if_exception_type
from google.cloud import bigtable_admin_v2 as api
from google.cloud.bigtable_admin_v2 import BigtableInstanceAdminClient, BigtableTableAdminClient
from google.cloud.bigtable_admin_v2.services.bigtable_instance_admin.transports import (
    BigtableInstanceAdminGrpcTransport,
)
from google.cloud.bigtable_admin_v2.services.bigtable_table_admin.transports import (
    BigtableTableAdminGrpcTransport,
)
from google.protobuf.field_mask_pb2 import FieldMask

from btmodel.client import admin_messages
from btmodel.client._sync.database import Database
from btmodel.client.channels import channel_setup, channel_to, google_settings
from btmodel.client.failures import (
    CHECK_TOKEN,
    CREATE_PART,
    CREATE_TABLE,
    CREATE_VIEW,
    DELETE_PART,
    DELETE_ROWS,
    DELETE_TABLE,
    DELETE_VIEW,
    LIST_CLUSTERS,
    LIST_HOT_TABLETS,
    LIST_PARTS,
    LIST_PROFILES,
    LIST_TABLES,
    LIST_VIEWS,
    MAKE_TOKEN,
    READ_TABLE,
    UPDATE_PART,
    UPDATE_TABLE,
    UPDATE_VIEW,
    Right,
    naming_right,
    never_sent,
)
from btmodel.client.options import Options
from btmodel.client.target import INSTANCE, SERVICE, Target
from btmodel.emulator import silence
from btmodel.errors import (
    MissingTable,
    NotAllowed,
    ServerError,
    SettingsError,
    Unavailable,
    ValueRefused,
)
from btmodel.rows import ReadPlan, RowRange
from btmodel.schema import AuthorizedView, Family, SchemaBundle, Table, TableView
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.schema.model import TableSettings
from btmodel.schema.view import VIEWS, table_of

if TYPE_CHECKING:
    from typing import Self


class AdminServices:
    """Google's clients of one server: of one on this machine, or of the service, made with ``options``.

    The admin clients do not look at BIGTABLE_EMULATOR_HOST: they are given its channel.
    """

    def __init__(self, target: Target, options: Options) -> None:
        self._channel = channel_to(target, channel_setup(options)) if target.host else None
        self._options = options

    @cached_property
    def tables(self) -> BigtableTableAdminClient:
        """The client that reads and changes tables."""
        if self._channel is None:
            return BigtableTableAdminClient(**self._service)
        return BigtableTableAdminClient(transport=BigtableTableAdminGrpcTransport(channel=self._channel))

    @cached_property
    def instances(self) -> BigtableInstanceAdminClient:
        """The client that reads clusters and app profiles."""
        if self._channel is None:
            return BigtableInstanceAdminClient(**self._service)
        return BigtableInstanceAdminClient(
            transport=BigtableInstanceAdminGrpcTransport(channel=self._channel)
        )

    @cached_property
    def _service(self) -> dict[str, Any]:
        options = self._options
        info = ClientInfo(user_agent=options.user_agent)  # type: ignore[no-untyped-call]
        return {**google_settings(options, options.admin_endpoint), "client_info": info}

    def close(self) -> None:
        """Close the connections that were made."""
        for name in ("tables", "instances"):
            if name in self.__dict__:
                getattr(self, name).transport.close()


def is_empty(target: Target, table: str) -> bool:
    """Whether ``table`` holds no row; true where there is no such table. Raises :class:`ServerError`."""
    with Database(target) as db:
        try:
            return next(iter(db.read(ReadPlan(table, (RowRange(b"", b""),), None, limit=1))), None) is None
        except MissingTable:
            return True


@frozen
class HotTablet:
    """A tablet that was hot for a while: its keys, and how much of its node's CPU it took, in percent."""

    start: bytes
    end: bytes
    cpu: float
    since: datetime
    until: datetime


T = TypeVar("T")
READ = 20.0  # seconds for one read of a schema
_CHANGE = 300.0  # seconds for one change of it, which the service itself sets
_SETTING = 600.0  # seconds for one change of a setting, which the service goes on with after answering
_DROP = 3600.0  # seconds for deleting rows, as Terraform waits
_REPLACED = 10.0  # seconds in which a local server that was killed is replaced
_FIRST, _LONGEST = 0.05, 0.5  # seconds between two tries of that
_READERS = 8  # tables read at once
_PASSING = if_exception_type(
    Aborted, DeadlineExceeded, InternalServerError, ResourceExhausted, ServiceUnavailable
)

_Modification = api.ModifyColumnFamiliesRequest.Modification


class Admin:
    """The tables of one instance, on the service or on a server of this machine.

    Such a server is asked without TLS or credentials. Every method raises :class:`ServerError`.
    """

    def __init__(self, target: Target, options: Options | None = None) -> None:
        """Connect, with the options of ``target`` unless others are given. It is not for this connection to release.

        Raises :class:`SettingsError` for a path that names no instance, and
        :class:`ServerError` where no server answers on this machine, or
        where there are no credentials for the service.
        """
        self.instance = target.instance
        if not INSTANCE.fullmatch(self.instance):
            raise SettingsError(
                f"instance: expected projects/PROJECT/instances/INSTANCE, got {self.instance!r}"
            )
        options = target.options if options is None else options
        self._target = evolve(target.held, options=options)
        self._without_views = False  # when they were listed last; one list has those of all tables
        self._server = target.host or SERVICE
        self._read = options.policy("admin", local=target.host is not None).deadline
        self._retry, self._unsent = self._retries()
        self._services = AdminServices(target, options)
        with self._with_right(LIST_TABLES):
            self._client = self._services.tables

    def _retries(self) -> tuple[Retry | None, Retry | None]:
        """When to read again, and when to change again what no server was asked to."""
        if self._target.host is None:
            return Retry(_PASSING, timeout=self._read), None
        if self._target.use is None:
            _refuse_silence(self._target.host)  # it is gone for good
            return None, None
        # One that was killed is replaced meanwhile; one that hangs is not asked beyond the deadline.
        again = partial(Retry, initial=_FIRST, maximum=_LONGEST)
        return again(_PASSING, timeout=min(_REPLACED, self._read)), again(never_sent, timeout=_REPLACED)

    def read_tables(self, ids: Collection[str] | None = None) -> tuple[Table, ...]:
        """The tables, or those called ``ids``, in the order of their ids: one list, and one get each.

        The table that btmodel makes for itself is not among them, unless it is asked for.
        """
        with self._with_right(LIST_TABLES):
            listed = self._client.list_tables(parent=self.instance, retry=self._retry, timeout=self._read)
            found = sorted(table.name.rpartition("/")[2] for table in listed)
        wanted = [id for id in found if (id != HISTORY_TABLE if ids is None else id in ids)]
        views = self._views() if wanted else {}
        with ThreadPoolExecutor(_READERS) as readers:
            tables = list(readers.map(self._table, wanted))
        return tuple(evolve(table, views=views.get(table.id, ())) for table in tables if table is not None)

    def table(self, id: str) -> Table | None:
        """The table called ``id`` with all its settings and views, or None where there is none.

        Where the last list of all views was empty, one that another program has made since is not among them.
        """
        table = self._table(id)
        if table is None or self._without_views:
            return table
        return evolve(table, views=self._views().get(id, ()))

    @cached_property
    def _has_views(self) -> bool:
        """Whether the server has views. Google's emulator has neither these nor clusters, and dies of the question after views."""
        return self._target.host is None or self.replicated() is not None

    def create_view(self, view: TableView) -> Callable[[], bool]:
        """Begin to create a view, and return a function that asks the service whether it has created it.

        For a large table that takes hours. Raises :class:`SchemaConflict` where there is a view of that id. The function
        raises :class:`ServerError` where the service has failed to create it.
        """
        self.refuse_emulator(f"view {view.id!r}", "materialized views")
        self._without_views = False  # also where another program has made it meanwhile
        made = api.MaterializedView(query=view.query, deletion_protection=bool(view.deletion_protection))
        with self._with_right(CREATE_VIEW, view.id):
            making = self._services.instances.create_materialized_view(
                parent=self.instance,
                materialized_view_id=view.id,
                materialized_view=made,
                retry=self._unsent,
                timeout=_CHANGE,
            )

        def created() -> bool:
            with self._with_right(CREATE_VIEW, view.id):
                done = bool(making.done())  # type: ignore[no-untyped-call]
                if done:
                    making.result()  # type: ignore[no-untyped-call]
                return done

        return created

    def protect_view(self, id: str, *, on: bool) -> None:
        """Switch the deletion protection of a view on or off, which is all that the service changes of one."""
        changed = api.MaterializedView(name=f"{self.instance}/{VIEWS}{id}", deletion_protection=on)
        with self._with_right(UPDATE_VIEW, id):
            changing = self._services.instances.update_materialized_view(
                materialized_view=changed,
                update_mask=FieldMask(paths=["deletion_protection"]),
                retry=self._unsent,
                timeout=_CHANGE,
            )
            changing.result(timeout=_SETTING)  # type: ignore[no-untyped-call]

    def delete_view(self, id: str) -> None:
        """Delete a view with its rows; raises :class:`SchemaConflict` where it is protected."""
        with self._with_right(DELETE_VIEW, id):
            self._services.instances.delete_materialized_view(
                name=f"{self.instance}/{VIEWS}{id}", retry=self._unsent, timeout=_CHANGE
            )

    def create_part(self, table: str, part: AuthorizedView | SchemaBundle) -> None:
        """Create an authorized view or a schema bundle of a table. Raises :class:`SchemaConflict` where there is one of that id."""
        self.refuse_emulator(f"{part.id!r}", "authorized views and no schema bundles")
        kind = admin_messages.part_kind(part)
        with self._with_right(CREATE_PART[kind.collection], table):
            making = getattr(self._client, f"create_{kind.name}")(
                request=kind.created(self._name(table), part), retry=self._unsent, timeout=_CHANGE
            )
            making.result(timeout=_SETTING)

    def update_part(
        self,
        table: str,
        part: AuthorizedView | SchemaBundle,
        fields: Sequence[str],
        *,
        ignore_warnings: bool = False,
    ) -> None:
        """Change ``fields`` of an authorized view or a schema bundle; with ``ignore_warnings`` also to less than it has."""
        kind = admin_messages.part_kind(part)
        with self._with_right(UPDATE_PART[kind.collection], table):
            changing = getattr(self._client, f"update_{kind.name}")(
                request=kind.updated(self._name(table), part, fields, ignore_warnings),
                retry=self._unsent,
                timeout=_CHANGE,
            )
            changing.result(timeout=_SETTING)

    def delete_part(self, table: str, part: AuthorizedView | SchemaBundle) -> None:
        """Delete an authorized view or a schema bundle; raises :class:`ServerError` where it is protected."""
        kind = admin_messages.part_kind(part)
        with self._with_right(DELETE_PART[kind.collection], table):
            getattr(self._client, f"delete_{kind.name}")(
                name=f"{self._name(table)}/{kind.collection}/{part.id}", retry=self._unsent, timeout=_CHANGE
            )

    def refuse_emulator(self, where: str, what: str) -> None:
        """Raise :class:`ServerError` where the server is Google's emulator, or another one without ``what``: it may die of such a request."""
        if not self._has_views:
            raise ServerError(
                f"{where}: {self._server} has no {what}, as Google's emulator: use btmodel's local server, or the service"
            )

    def _with_parts(self, table: Table) -> Table:
        """The table with its authorized views and schema bundles; without those that cannot be listed."""
        if not self._has_views:
            return table
        views = self._if_readable(
            LIST_PARTS["authorizedViews"],
            lambda: list(
                self._client.list_authorized_views(
                    request={"parent": self._name(table.id), "view": api.AuthorizedView.ResponseView.FULL},
                    retry=self._retry,
                    timeout=self._read,
                )
            ),
            table.id,
        )
        bundles = self._if_readable(
            LIST_PARTS["schemaBundles"],
            lambda: list(
                self._client.list_schema_bundles(
                    parent=self._name(table.id), retry=self._retry, timeout=self._read
                )
            ),
            table.id,
        )
        return evolve(
            table,
            authorized=admin_messages.authorized_views(views or ()),
            bundles=admin_messages.schema_bundles(bundles or ()),
        )

    def _views(self) -> dict[str, tuple[TableView, ...]]:
        """The views of each table by its id; none where they cannot be listed, or a server has none."""

        def read() -> dict[str, tuple[TableView, ...]]:
            listed = self._services.instances.list_materialized_views(
                parent=self.instance, retry=self._retry, timeout=self._read
            )
            found: dict[str, list[TableView]] = {}
            for one in sorted(listed, key=lambda one: one.name):
                view = TableView(one.name.rpartition("/")[2], one.query, one.deletion_protection)
                found.setdefault(table_of(one.query) or "", []).append(view)
            return {table: tuple(views) for table, views in found.items()}

        found = (self._if_readable(LIST_VIEWS, read) or {}) if self._has_views else {}
        self._without_views = not found
        return found

    def _table(self, id: str) -> Table | None:
        try:
            with self._with_right(READ_TABLE, id):
                live = self._get(id)
            named = sorted(live.column_families.items())
            found = tuple(admin_messages.family_of(name, family) for name, family in named)
            return self._with_parts(Table(id, found, admin_messages.settings_of(live)))
        except MissingTable:
            return None

    def is_empty(self, table: str) -> bool:
        """Whether the table called ``table`` holds no row; true where there is no such table."""
        from btmodel.client.admin import is_empty

        return is_empty(self._target, table)

    def create_table(self, table: Table) -> None:
        """Create ``table`` with all its families and settings, in one call.

        Raises :class:`SchemaConflict` where there is a table of that id.
        """
        made = admin_messages.settings_message(table.settings)
        made.column_families = {family.id: admin_messages.family_message(family) for family in table.families}
        with self._with_right(CREATE_TABLE, table.id):
            self._client.create_table(
                parent=self.instance,
                table_id=table.id,
                table=made,
                retry=self._unsent,
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
            *(_Modification(id=family.id, create=admin_messages.family_message(family)) for family in create),
            *(
                _Modification(id=family.id, update=admin_messages.family_message(family), update_mask=mask)
                for family in update
            ),
            *(_Modification(id=id, drop=True) for id in drop),
        ]
        request = api.ModifyColumnFamiliesRequest(
            name=self._name(table), modifications=modifications, ignore_warnings=ignore_warnings
        )
        with self._with_right(UPDATE_TABLE, table):
            self._client.modify_column_families(request=request, retry=self._unsent, timeout=_CHANGE)

    def update_settings(self, table: str, settings: TableSettings, *, ignore_warnings: bool = False) -> None:
        """Change the settings of the table that ``settings`` state, one call each, and wait until it is done.

        Protection is switched off before all others, and on after them. With ``ignore_warnings`` the service
        also takes a row key schema away, which breaks queries that name its fields. Raises :class:`MissingTable`, and
        :class:`SchemaConflict` where another change of this table is being made; the settings before
        the one that was refused are changed then.
        """
        with self._with_right(READ_TABLE, table):
            live = self._get(table)
        for message, paths in admin_messages.updates(settings, live):
            message.name = self._name(table)
            request = api.UpdateTableRequest(
                table=message, update_mask=FieldMask(paths=paths), ignore_warnings=ignore_warnings
            )
            with self._with_right(UPDATE_TABLE, table):
                changing = self._client.update_table(request=request, retry=self._unsent, timeout=_CHANGE)
                changing.result(timeout=_SETTING)  # type: ignore[no-untyped-call]

    def replicated(self) -> bool | None:
        """Whether the instance has more than one cluster; None where that cannot be read."""

        def read() -> bool | None:
            found = self._services.instances.list_clusters(
                parent=self.instance, retry=self._retry, timeout=self._read
            )
            several = len(found.clusters) > 1
            # A cluster of a location that does not answer is not among them.
            return None if found.failed_locations and not several else several

        return self._if_readable(LIST_CLUSTERS, read)

    def hot_tablets(self, table: str) -> tuple[HotTablet, ...] | None:
        """The tablets of the table that were hottest in the last day, as the service noted them, the hottest first.

        None where that cannot be read, and from a server that does not report it. Of one tablet several notes may be there.
        """

        def read() -> tuple[HotTablet, ...]:
            instances = self._services.instances
            clusters = instances.list_clusters(parent=self.instance, retry=self._retry, timeout=self._read)
            listed: Iterator[Any] = (
                tablet
                for cluster in clusters.clusters
                for tablet in instances.list_hot_tablets(
                    parent=cluster.name, retry=self._retry, timeout=self._read
                )
                if tablet.table_name == self._name(table)
            )
            return tuple(sorted(map(_hot, listed), key=lambda one: -one.cpu))

        return self._if_readable(LIST_HOT_TABLETS, read)

    def replication_mark(self, table: str) -> str | None:
        """A mark behind all that was written to the table by now, for :meth:`is_replicated`; None where the server makes none.

        Raises :class:`MissingTable`.
        """
        with self._with_right(MAKE_TOKEN, table), suppress(MethodNotImplemented):
            made = self._client.generate_consistency_token(
                name=self._name(table), retry=self._retry, timeout=self._read
            )
            return made.consistency_token
        return None

    def is_replicated(self, table: str, mark: str) -> bool:
        """Whether all clusters have what was written to the table before ``mark`` was made; raises :class:`MissingTable`."""
        with self._with_right(CHECK_TOKEN, table):
            checked = self._client.check_consistency(
                name=self._name(table), consistency_token=mark, retry=self._retry, timeout=self._read
            )
        return checked.consistent

    def transactional_profiles(self) -> tuple[str, ...] | None:
        """The app profiles that route to one cluster and allow transactions on rows, ``default`` first.

        None where the profiles cannot be read.
        """

        def read() -> tuple[str, ...]:
            listed = self._services.instances.list_app_profiles(
                parent=self.instance, retry=self._retry, timeout=self._read
            )
            ids = [
                profile.name.rpartition("/")[2]
                for profile in listed
                if profile.single_cluster_routing.allow_transactional_writes
            ]
            return tuple(sorted(ids, key=lambda id: (id != "default", id)))

        return self._if_readable(LIST_PROFILES, read)

    def delete_table(self, id: str) -> None:
        """Delete the table called ``id`` with its rows; raises :class:`MissingTable` where there is none."""
        with self._with_right(DELETE_TABLE, id):
            self._client.delete_table(name=self._name(id), retry=self._unsent, timeout=_CHANGE)

    def drop_prefix(self, table: str, prefix: bytes) -> None:
        """Delete every row of the table whose key begins with ``prefix``, at once and for ever.

        Rows that are written meanwhile may stay. Raises :class:`ValueRefused` for an empty
        prefix, which every key begins with, and :class:`MissingTable`.
        """
        if not prefix:
            raise ValueRefused("a prefix of at least one byte", prefix, where=f"drop_prefix of {table!r}")
        request = api.DropRowRangeRequest(name=self._name(table), row_key_prefix=prefix)
        with self._with_right(DELETE_ROWS, table):
            self._client.drop_row_range(request=request, retry=self._unsent, timeout=_DROP)

    def close(self) -> None:
        """Close the connection."""
        self._services.close()

    def _get(self, id: str) -> api.Table:
        request = api.GetTableRequest(name=self._name(id), view=api.Table.View.SCHEMA_VIEW)
        return self._client.get_table(request=request, retry=self._retry, timeout=self._read)

    def _if_readable(self, right: Right, read: Callable[[], T], table: str | None = None) -> T | None:
        """What ``read`` gives, of a table if one is named; None without the right to it, and from a server that cannot report it."""
        try:
            with self._with_right(right, table), suppress(MethodNotImplemented):
                return read()
        except NotAllowed:
            pass
        return None

    def _with_right(self, right: Right, table: str | None = None) -> AbstractContextManager[None]:
        return naming_right(self.instance, self._server, right, table, self._target.log)

    def _name(self, id: str) -> str:
        return f"{self.instance}/tables/{id}"

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _hot(one: Any) -> HotTablet:
    cpu = one.node_cpu_usage_percent
    return HotTablet(one.start_key.encode(), one.end_key.encode(), cpu, one.start_time, one.end_time)


def _refuse_silence(host: str) -> None:
    why = silence(host)
    if why is not None:
        raise Unavailable(f"no Bigtable server answers at {host} ({why}): start it, or check the address")
