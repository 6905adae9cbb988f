"""The methods of google.bigtable.admin.v2.BigtableInstanceAdmin that this server has.

Any instance that is well named is there: with one cluster, or two when the server was started as replicated,
and with the app profile `default`.
"""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from attrs import frozen

from btmodel.server import catalog, limits, protos
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.housekeeping import Housekeeper
from btmodel.server.protos import Message
from btmodel.server.request_errors import invalid, not_found
from btmodel.server.table_admin import check_deletable
from btmodel.server.views import Views
from btmodel.server.views_and_bundles import TableParts

_Empty = protos.message("google.protobuf.Empty")
_Instance = protos.admin("Instance")
_Instances = protos.admin("ListInstancesResponse")
_Cluster = protos.admin("Cluster")
_Clusters = protos.admin("ListClustersResponse")
_Profile = protos.admin("AppProfile")
_Profiles = protos.admin("ListAppProfilesResponse")

PRODUCTION, READY, SSD = 1, 1, 1  # Instance.Type, the State of both, StorageType


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
            state=READY,
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
    return _Instance(name=name, display_name=name.rpartition("/")[2], state=READY, type_=PRODUCTION)


def _parts(name: str, collection: str) -> tuple[str, str]:
    """The instance and the id in the name of one of its resources."""
    match = re.fullmatch(rf"(projects/[^/]+/instances/[^/]+)/{collection}/([^/]+)", name)
    if not match:
        raise invalid(
            f"Invalid name: expected projects/<project>/instances/<instance>/{collection}/<id>, got '{name}'"
        )
    return match[1], match[2]
