"""The admin API: tables, and what is read of instances, clusters and app profiles.

Any instance that is well named is there: with one cluster, or two when the server was started as replicated,
and with the app profile `default`.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import sqlite3
import zlib
from typing import Any

from attrs import frozen

from btmodel.server import catalog, limits, protos, schema, stored_rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.housekeeping import Housekeeper
from btmodel.server.protos import Message
from btmodel.server.request_errors import already_exists, exhausted, invalid, not_found, precondition
from btmodel.server.service import Operations
from btmodel.server.store import EVERYTHING, first_rows, prefix_range, write_row
from btmodel.server.stream_records import Streams
from btmodel.server.views import Views
from btmodel.server.views_and_bundles import TableParts

_Empty = protos.message("google.protobuf.Empty")
_Table = protos.admin("Table")
_Tables = protos.admin("ListTablesResponse")
_Token = protos.admin("GenerateConsistencyTokenResponse")
_Consistency = protos.admin("CheckConsistencyResponse")
_Metadata = protos.admin("UpdateTableMetadata")

NAME_ONLY, SCHEMA_VIEW, REPLICATION_VIEW, FULL, ENCRYPTION_VIEW = 1, 2, 3, 4, 5  # Table.View
READY = 4  # Table.ClusterState.ReplicationState.READY


@frozen
class TableAdmin:
    """Changes of tables. Each method takes a request and answers a message."""

    catalog: Catalog
    operations: Operations
    housekeeper: Housekeeper
    clusters: tuple[str, ...]
    views: Views
    streams: Streams
    parts: TableParts

    def __getattr__(self, name: str) -> Any:
        """The methods for authorized views and schema bundles are those of the parts of tables."""
        if name.endswith(("_authorized_view", "_authorized_views", "_schema_bundle", "_schema_bundles")):
            return getattr(self.parts, name)
        raise AttributeError(name)

    @property
    def replicated(self) -> bool:
        """Whether the instances have more than one cluster."""
        return len(self.clusters) > 1

    def create_table(self, request: Message) -> Message:
        """Create a table with its families."""
        instance = limits.check_instance(request.parent)
        limits.check_id("tables", request.table_id, limits.TABLE_ID, limits.TABLE_ID_LENGTH)
        name = f"{instance}/tables/{request.table_id}"
        message = schema.new_table(name, request.table)
        splits = _splits(request)

        def work(connection: sqlite3.Connection) -> tuple[CatalogTable]:
            if self.catalog.find(name):
                raise already_exists(f"Table already exists: {name}")
            if len(self.catalog.names(instance)) >= limits.TABLES:
                raise exhausted(f"{instance} has {limits.TABLES} tables, which is the limit")
            made = catalog.insert(connection, message, splits, catalog.by_name(message))
            self.streams.settle(connection, made)
            return (made,)

        with self.streams.settling():
            self.catalog.change(work)
        return self._view(self.catalog.get(name), SCHEMA_VIEW)

    def get_table(self, request: Message) -> Message:
        """Describe a table."""
        limits.check_table_name(request.name)
        return self._view(self.catalog.get(request.name), request.view or SCHEMA_VIEW)

    def list_tables(self, request: Message) -> Message:
        """Name the tables of an instance, page by page."""
        instance = limits.check_instance(request.parent)
        if request.view not in (0, NAME_ONLY, REPLICATION_VIEW):
            raise invalid("ListTables supports no other views than NAME_ONLY and REPLICATION_VIEW")
        if request.page_size < 0:
            raise invalid(f"page_size must not be negative, but got {request.page_size}")
        after, size = _read_token(request.page_token, instance)
        if size and request.page_size not in (0, size):
            raise invalid(f"page_size must stay {size} as in the first request, but got {request.page_size}")
        size = size or request.page_size or limits.TABLES
        names = [name for name in self.catalog.names(instance) if name > after]
        response = _Tables()
        for name in names[:size]:
            table = self.catalog.find(name)
            if table:
                response.tables.append(self._view(table, request.view or NAME_ONLY))
        if len(names) > size:
            response.next_page_token = _make_token(instance, names[size - 1], size)
        return response

    def update_table(self, request: Message) -> Message:
        """Change settings of a table that a mask names; the operation is done at once."""
        name = request.table.name
        limits.check_table_name(name)

        def work(connection: sqlite3.Connection) -> tuple[CatalogTable]:
            table = self.catalog.get(name)
            paths = list(request.update_mask.paths)
            message = schema.update_table(table.message, request.table, paths, request.ignore_warnings)
            changed = catalog.update(connection, table, message, table.families)
            self.streams.settle(connection, changed)
            return (changed,)

        with self.streams.settling():
            self.catalog.change(work)
        self.housekeeper.wake()
        changed = self._view(self.catalog.get(name), SCHEMA_VIEW)
        return self.operations.done(name, changed, _Metadata(name=name))

    def delete_table(self, request: Message) -> Message:
        """Delete a table with its rows."""
        limits.check_table_name(request.name)
        gone: list[str] = []

        def work(connection: sqlite3.Connection) -> tuple[str]:
            table = self.catalog.get(request.name)
            check_deletable(table)
            self.views.check_droppable(table)
            self.parts.check_droppable(table.name)
            gone.extend(self.parts.drop(connection, table.name))
            return (catalog.delete(connection, table),)

        self.catalog.change(work)
        self.parts.forget(gone)
        self.housekeeper.wake()
        return _Empty()

    def modify_column_families(self, request: Message) -> Message:
        """Create, change and drop families, in order, all of it or nothing."""
        limits.check_table_name(request.name)
        limits.check_any(len(request.modifications), "modifications", "modification")

        def work(connection: sqlite3.Connection) -> tuple[CatalogTable]:
            table = self.catalog.get(request.name)
            message = _Table()
            message.CopyFrom(table.message)
            created, dropped = list(table.families), set()
            for modification in request.modifications:
                if self._modify(message, modification, request.ignore_warnings):
                    created.remove(modification.id)
                    dropped.add(modification.id)
                elif modification.WhichOneof("mod") == "create":
                    created.append(modification.id)
            for family in dropped & set(table.families):
                self.views.check_droppable(table, family)
                self.parts.check_droppable(table.name, family)
                _erase_family(connection, table, family)
            return (catalog.update(connection, table, message, created),)

        self.catalog.change(work)
        return self._view(self.catalog.get(request.name), SCHEMA_VIEW)

    def _modify(self, table: Message, modification: Message, ignore_warnings: bool) -> bool:
        """Apply one modification to the description of a table; True when it drops a family."""
        kind, family_id = modification.WhichOneof("mod"), modification.id
        families = table.column_families
        if kind == "create":
            family = schema.new_family(family_id, modification.create)
            if family_id in families:
                raise already_exists(f"Column family already exists: {family_id}")
            families[family_id].CopyFrom(family)
            return False
        if kind is None or (kind == "drop" and not modification.drop):
            raise invalid(f"Modification of family '{family_id}' must have create, update or drop set")
        if family_id not in families:
            raise not_found(f"Column family not found: {family_id}")
        old = families[family_id]
        if kind == "update":
            paths = list(modification.update_mask.paths)
            new = schema.update_family(family_id, old, modification.update, paths)
            if self.replicated:
                schema.check_relaxation(old.gc_rule, new.gc_rule, family_id, ignore_warnings)
            old.CopyFrom(new)
            return False
        if table.deletion_protection:
            raise precondition(
                f"Column family '{family_id}' cannot be dropped from {table.name}: "
                "deletion protection field is set to true"
            )
        del families[family_id]
        return True

    def drop_row_range(self, request: Message) -> Message:
        """Delete the rows whose keys start with a prefix, or all rows."""
        limits.check_table_name(request.name)
        target = request.WhichOneof("target")
        if target is None:
            raise invalid("DropRowRange must have row_key_prefix or delete_all_data_from_table set")
        if target == "row_key_prefix" and not request.row_key_prefix:
            raise invalid("row_key_prefix cannot have zero length")

        def work(connection: sqlite3.Connection) -> tuple[CatalogTable, ...]:
            table = self.catalog.get(request.name)
            if target == "delete_all_data_from_table":
                if table.streams and request.delete_all_data_from_table:
                    self.streams.note_dropped(connection, table, EVERYTHING)
                return (catalog.renumber(connection, table),) if request.delete_all_data_from_table else ()
            keys = prefix_range(request.row_key_prefix)
            if table.streams:
                self.streams.note_dropped(connection, table, keys)
            connection.execute(
                "DELETE FROM rows WHERE table_id = ? AND row_key >= ? AND (? IS NULL OR row_key < ?)",
                (table.number, keys.start, keys.end, keys.end),
            )
            return ()

        self.catalog.change(work)
        self.housekeeper.wake()
        return _Empty()

    def generate_consistency_token(self, request: Message) -> Message:
        """A token to ask with whether the clusters agree."""
        limits.check_table_name(request.name)
        return _Token(consistency_token=_consistency_token(self.catalog.get(request.name)))

    def check_consistency(self, request: Message) -> Message:
        """Whether the clusters agree, which here they always do."""
        limits.check_table_name(request.name)
        table = self.catalog.get(request.name)
        if request.consistency_token != _consistency_token(table):
            raise invalid(f"Consistency token '{request.consistency_token}' was not made for {table.name}")
        return _Consistency(consistent=True)

    def _view(self, table: CatalogTable, view: int) -> Message:
        """The part of a table that a view shows."""
        if view not in (NAME_ONLY, SCHEMA_VIEW, REPLICATION_VIEW, FULL, ENCRYPTION_VIEW):
            raise invalid(f"Unknown view {view}")
        shown = _Table(name=table.name)
        if view in (SCHEMA_VIEW, FULL):
            shown.CopyFrom(table.message)
            if shown.HasField("automated_backup_policy"):
                shown.effective_automated_backup_policy.CopyFrom(shown.automated_backup_policy)
        if view in (REPLICATION_VIEW, FULL, ENCRYPTION_VIEW):
            for cluster in self.clusters:
                shown.cluster_states[cluster].replication_state = READY
        return shown


def check_deletable(table: CatalogTable) -> None:
    """Refuse to delete a table that is protected or has a change stream."""
    if table.message.deletion_protection:
        raise precondition(f"{table.name} cannot be deleted: deletion protection field is set to true")
    if table.message.HasField("change_stream_config"):
        raise precondition(f"{table.name} cannot be deleted: the change stream is enabled")


def _splits(request: Message) -> tuple[bytes, ...]:
    """The initial splits of a CreateTable, in order."""
    keys = [split.key for split in request.initial_splits]
    if len(keys) > limits.SPLITS:
        raise invalid(f"initial_splits must have at most {limits.SPLITS} keys, but got {len(keys):,}")
    for key in keys:
        limits.check_row_key(key)
    if len(set(keys)) < len(keys):
        raise invalid("initial_splits must not contain a key twice")
    return tuple(sorted(keys))


def _erase_family(connection: sqlite3.Connection, table: CatalogTable, family: str) -> None:
    """Take the cells of a family out of every row, within the transaction that drops the family."""
    chunk = protos.data("ReadRowsResponse.CellChunk")()
    chunk.family_name.value = family
    query = (
        "SELECT row_key, cells FROM rows WHERE table_id = ? AND row_key > ? AND instr(cells, ?) "
        "ORDER BY row_key"
    )
    last, more = b"", True
    while more:
        page, more = first_rows(connection.execute(query, (table.number, last, chunk.SerializeToString())))
        for key, stored in page:
            left = [cell for cell in stored_rows.decode_cells(stored) if cell.family != family]
            write_row(connection, table.number, key, stored_rows.encode(key, left))
            last = key


def _make_token(instance: str, last: str, size: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([instance, last, size]).encode()).decode()


def _read_token(token: str, instance: str) -> tuple[str, int]:
    """The last name and the size of the pages before; an empty token is the first page."""
    if not token:
        return "", 0
    try:
        origin, last, size = json.loads(base64.urlsafe_b64decode(token))
        if origin == instance and isinstance(last, str) and isinstance(size, int) and size > 0:
            return last, size
    except (binascii.Error, ValueError, TypeError):
        pass
    raise invalid(f"page_token '{token}' was not made by ListTables of {instance}")


def _consistency_token(table: CatalogTable) -> str:
    return f"local-{zlib.crc32(table.name.encode()):08x}"


_Instance = protos.admin("Instance")
_Instances = protos.admin("ListInstancesResponse")
_Cluster = protos.admin("Cluster")
_Clusters = protos.admin("ListClustersResponse")
_Profile = protos.admin("AppProfile")
_Profiles = protos.admin("ListAppProfilesResponse")

PRODUCTION, _READY, SSD = 1, 1, 1  # Instance.Type, the State of both, StorageType


@frozen
class InstanceAdmin:
    """Reads of instances, clusters and app profiles. Each method takes a request and answers a message."""

    catalog: Catalog
    housekeeper: Housekeeper
    clusters: tuple[str, ...]
    views: Views
    parts: TableParts

    def __getattr__(self, name: str) -> Any:
        """The methods for materialized views are those of the views."""
        if name.endswith(("_materialized_view", "_materialized_views")):
            return getattr(self.views, name)
        raise AttributeError(name)

    def get_instance(self, request: Message) -> Message:
        """Describe an instance."""
        return _instance(limits.check_instance(request.name))

    def list_instances(self, request: Message) -> Message:
        """The instances of a project that have a table."""
        names = [name for name in self.catalog.instances() if name.startswith(f"{request.parent}/")]
        return _Instances(instances=[_instance(name) for name in names])

    def delete_instance(self, request: Message) -> Message:
        """Delete all tables of an instance, or none when one of them may not be deleted."""
        instance = limits.check_instance(request.name)
        gone: list[str] = []

        for name in self.catalog.names(instance):
            check_deletable(self.catalog.get(name))
            self.parts.check_droppable(name)
            self.views.drop(self.views.of_table(name))

        def work(connection: sqlite3.Connection) -> tuple[CatalogTable | str, ...]:
            tables = [self.catalog.get(name) for name in self.catalog.names(instance)]
            for table in tables:
                check_deletable(table)
                gone.extend(self.parts.drop(connection, table.name))
            return tuple(catalog.delete(connection, table) for table in tables)

        self.catalog.change(work)
        self.parts.forget(gone)
        self.housekeeper.wake()
        return _Empty()

    def get_cluster(self, request: Message) -> Message:
        """Describe a cluster."""
        instance, cluster = _parts(request.name, "clusters")
        if cluster not in self.clusters:
            raise not_found(f"Cluster not found: {request.name}")
        return self._cluster(instance, cluster)

    def list_clusters(self, request: Message) -> Message:
        """The clusters of an instance, or with projects/P/instances/- of all that have a table."""
        project, _, last = request.parent.rpartition("/instances/")
        if last == "-":
            instances = [name for name in self.catalog.instances() if name.startswith(f"{project}/")]
        else:
            instances = [limits.check_instance(request.parent)]
        found = [self._cluster(instance, cluster) for instance in instances for cluster in self.clusters]
        return _Clusters(clusters=found)

    def get_app_profile(self, request: Message) -> Message:
        """Describe an app profile."""
        instance, profile = _parts(request.name, "appProfiles")
        if profile != "default":
            raise not_found(f"App profile not found: {request.name}")
        return self._profile(instance)

    def list_app_profiles(self, request: Message) -> Message:
        """The app profiles of an instance."""
        return _Profiles(app_profiles=[self._profile(limits.check_instance(request.parent))])

    def _cluster(self, instance: str, cluster: str) -> Message:
        project = instance.partition("/instances/")[0]
        location = f"{project}/locations/local-{'abcdefgh'[self.clusters.index(cluster)]}"
        return _Cluster(
            name=f"{instance}/clusters/{cluster}",
            location=location,
            state=_READY,
            serve_nodes=1,
            default_storage_type=SSD,
        )

    def _profile(self, instance: str) -> Message:
        profile = _Profile(name=f"{instance}/appProfiles/default", etag="local")
        first, *others = self.clusters
        if others:
            profile.multi_cluster_routing_use_any.SetInParent()
        else:
            profile.single_cluster_routing.cluster_id = first
            profile.single_cluster_routing.allow_transactional_writes = True
        return profile


def _instance(name: str) -> Message:
    return _Instance(name=name, display_name=name.rpartition("/")[2], state=_READY, type_=PRODUCTION)


def _parts(name: str, collection: str) -> tuple[str, str]:
    """The instance and the id in the name of one of its resources."""
    match = re.fullmatch(rf"(projects/[^/]+/instances/[^/]+)/{collection}/([^/]+)", name)
    if not match:
        raise invalid(
            f"Invalid name: expected projects/<project>/instances/<instance>/{collection}/<id>, got '{name}'"
        )
    return match[1], match[2]
