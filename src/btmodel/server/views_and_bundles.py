"""What a table has beside its families: authorized views, which restrict reads and writes to a part of it, and schema bundles.

The service documents little of their checks: what is inferred is listed in docs/authorized-views.md.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence

from attrs import define, field, frozen

from btmodel.server import limits, protos
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.filters import RowFilter
from btmodel.server.protos import Message
from btmodel.server.request_errors import (
    aborted,
    already_exists,
    denied,
    invalid,
    not_found,
    precondition,
    shown,
    unimplemented,
)
from btmodel.server.service import Operations
from btmodel.server.store import KeyRange, Store, merged, overlap, prefix_range
from btmodel.server.stored_rows import ServerCell

_Empty = protos.message("google.protobuf.Empty")
_SCHEMA = "CREATE TABLE IF NOT EXISTS table_parts (name TEXT PRIMARY KEY, table_name TEXT NOT NULL, message BLOB NOT NULL)"
_NAME = re.compile(r"(projects/[^/]+/instances/[^/]+/tables/[^/]+)/(authorizedViews|schemaBundles)/([^/]+)")
NAME_ONLY, BASIC, FULL = 1, 2, 3  # AuthorizedView.ResponseView


@frozen
class _PartKind:
    """A kind of part: the collection in its name, its message, and what of it a mask may name."""

    collection: str
    said: str
    message: protos.MessageClass
    listed: protos.MessageClass
    metadata: tuple[protos.MessageClass, protos.MessageClass]
    paths: tuple[str, ...]


def _kind(collection: str, said: str, name: str, listed: str, paths: tuple[str, ...]) -> _PartKind:
    metadata = (protos.admin(f"Create{name}Metadata"), protos.admin(f"Update{name}Metadata"))
    return _PartKind(collection, said, protos.admin(name), protos.admin(listed), metadata, paths)


_VIEW = _kind(
    "authorizedViews",
    "Authorized view",
    "AuthorizedView",
    "ListAuthorizedViewsResponse",
    ("subset_view", "deletion_protection"),
)
_BUNDLE = _kind(
    "schemaBundles", "Schema bundle", "SchemaBundle", "ListSchemaBundlesResponse", ("proto_schema",)
)


@frozen
class Authorized:
    """An authorized view as requests through it see the table: ``subsets`` are the qualifiers of each family, and their prefixes."""

    name: str
    row_prefixes: tuple[bytes, ...]
    subsets: dict[str, tuple[frozenset[bytes], tuple[bytes, ...]]]

    @classmethod
    def of(cls, message: Message) -> Authorized:
        """The view that a message describes."""
        subset = message.subset_view
        subsets = {
            family: (frozenset(one.qualifiers), tuple(one.qualifier_prefixes))
            for family, one in subset.family_subsets.items()
        }
        return cls(message.name, tuple(subset.row_prefixes), subsets)

    @property
    def table(self) -> str:
        """The full name of its table."""
        return self.name.partition("/authorizedViews/")[0]

    def has_row(self, key: bytes) -> bool:
        """Whether it has the row of this key."""
        return key.startswith(self.row_prefixes)

    def has(self, family: str, qualifier: bytes) -> bool:
        """Whether it has this column."""
        exact, prefixes = self.subsets.get(family, (frozenset(), ()))
        return qualifier in exact or qualifier.startswith(prefixes)

    def has_all(self, family: str, prefix: bytes = b"") -> bool:
        """Whether it has all columns of a family whose qualifiers begin with a prefix."""
        return prefix.startswith(self.subsets.get(family, (frozenset(), ()))[1])

    def includes(self, other: Authorized) -> bool:
        """Whether it has all that another one has."""
        return all(map(self.has_row, other.row_prefixes)) and all(
            all(self.has(family, one) for one in exact)
            and all(self.has_all(family, prefix) for prefix in prefixes)
            for family, (exact, prefixes) in other.subsets.items()
        )

    def ranges(self, asked: Iterable[KeyRange]) -> list[KeyRange]:
        """The parts of sorted ranges in which it has rows."""
        own = merged([prefix_range(prefix) for prefix in self.row_prefixes])
        return [found for key_range in asked for mine in own if (found := overlap(key_range, mine))]

    def cells(self, cells: Iterable[ServerCell]) -> list[ServerCell]:
        """Those of its columns."""
        return [cell for cell in cells if self.has(cell.family, cell.qualifier)]

    def filter(self, then: RowFilter | None) -> RowFilter:
        """What leaves out the cells of other columns, before another filter."""

        def passing(key: bytes, cells: Sequence[ServerCell]) -> list[ServerCell]:
            left = self.cells(cells)
            return list(then(key, left)) if then else left

        return passing

    def check_row(self, key: bytes) -> None:
        """Refuse a write to a row that it has not."""
        if not self.has_row(key):
            raise denied(f"Row '{shown(key)}' is not in the authorized view {self.name}")

    def check(self, table: CatalogTable, mutations: Iterable[Message]) -> None:
        """Refuse mutations of what it has not."""
        for mutation in mutations:
            kind = mutation.WhichOneof("mutation")
            if kind == "delete_from_row":
                for family in table.families:
                    self._check_family(family, "DeleteFromRow")
            elif kind == "delete_from_family":
                self._check_family(mutation.delete_from_family.family_name, "DeleteFromFamily")
            elif kind is not None:
                part = getattr(mutation, kind)
                qualifier = part.column_qualifier
                self.check_column(
                    part.family_name, qualifier if isinstance(qualifier, bytes) else qualifier.raw_value
                )

    def check_column(self, family: str, qualifier: bytes) -> None:
        """Refuse a column that it has not."""
        if not self.has(family, qualifier):
            raise denied(f"Column '{family}:{shown(qualifier)}' is not in the authorized view {self.name}")

    def _check_family(self, family: str, what: str) -> None:
        if not self.has_all(family):
            raise denied(
                f"{what} needs every column of '{family}', which the authorized view {self.name} has not"
            )


@define
class TableParts:
    """The authorized views and schema bundles of a store. Each method for a request answers a message."""

    store: Store
    catalog: Catalog
    operations: Operations
    _parts: dict[str, Message] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        with self.store.reading() as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'table_parts'").fetchone():
                return
            for name, stored in connection.execute("SELECT name, message FROM table_parts"):
                kind = _VIEW if "/authorizedViews/" in name else _BUNDLE
                self._parts[name] = kind.message.FromString(stored)

    def authorized(self, name: str) -> Authorized:
        """The authorized view of a full name."""
        return Authorized.of(self._get(name, _VIEW))

    def check_droppable(self, table: str, family: str | None = None) -> None:
        """Refuse to drop a table with an authorized view that is protected, or a family that one shows."""
        for name in self._of(table, _VIEW):
            if family is None and self._parts[name].deletion_protection:
                raise precondition(
                    f"{table} cannot be deleted: its authorized view {name} has deletion protection"
                )
            if family is not None and family in self._parts[name].subset_view.family_subsets:
                raise precondition(
                    f"Column family '{family}' cannot be dropped: the authorized view {name} shows it"
                )

    def drop(self, connection: sqlite3.Connection, table: str) -> list[str]:
        """Remove the parts of a table that is deleted; answers what to forget once that is committed."""
        found = [*self._of(table, _VIEW), *self._of(table, _BUNDLE)]
        if found:
            connection.execute("DELETE FROM table_parts WHERE table_name = ?", (table,))
        return found

    def forget(self, names: Iterable[str]) -> None:
        """These parts are gone."""
        for name in names:
            self._parts.pop(name, None)

    def create_authorized_view(self, request: Message) -> Message:
        """Make an authorized view; the operation is done at once."""
        return self._create(
            _VIEW, request.parent, request.authorized_view_id, request.authorized_view, self._check_view
        )

    def create_schema_bundle(self, request: Message) -> Message:
        """Make a schema bundle; the operation is done at once."""
        return self._create(
            _BUNDLE, request.parent, request.schema_bundle_id, request.schema_bundle, _check_bundle
        )

    def get_authorized_view(self, request: Message) -> Message:
        """Describe an authorized view."""
        return _answer(self._get(request.name, _VIEW), request.view or BASIC)

    def get_schema_bundle(self, request: Message) -> Message:
        """Describe a schema bundle."""
        return self._get(request.name, _BUNDLE)

    def list_authorized_views(self, request: Message) -> Message:
        """All authorized views of a table, in one page."""
        names = self._listed(request.parent, _VIEW)
        found = [_answer(self._parts[name], request.view or NAME_ONLY) for name in names]
        return _VIEW.listed(authorized_views=found)

    def list_schema_bundles(self, request: Message) -> Message:
        """All schema bundles of a table, in one page."""
        return _BUNDLE.listed(
            schema_bundles=[self._parts[name] for name in self._listed(request.parent, _BUNDLE)]
        )

    def update_authorized_view(self, request: Message) -> Message:
        """Change what an authorized view shows, or its protection; a view that shows less needs ignore_warnings."""

        def check(old: Message, new: Message) -> None:
            self._check_view(new)
            if not request.ignore_warnings and not Authorized.of(new).includes(Authorized.of(old)):
                raise precondition(f"{old.name} would show less than before; set ignore_warnings to do so")

        return self._update(_VIEW, request.authorized_view, list(request.update_mask.paths), check)

    def update_schema_bundle(self, request: Message) -> Message:
        """Change the schemas of a bundle; to take away what queries may name needs ignore_warnings."""

        def check(old: Message, new: Message) -> None:
            _check_bundle(new)
            lost = sorted(_names(old) - _names(new))
            if lost and not request.ignore_warnings:
                raise precondition(f"{old.name} would lack {lost[0]}; set ignore_warnings to do so")

        return self._update(_BUNDLE, request.schema_bundle, list(request.update_mask.paths), check)

    def delete_authorized_view(self, request: Message) -> Message:
        """Delete an authorized view, which is not protected."""
        if self._get(request.name, _VIEW).deletion_protection:
            raise precondition(f"{request.name} cannot be deleted: deletion protection field is set to true")
        return self._delete(_VIEW, request)

    def delete_schema_bundle(self, request: Message) -> Message:
        """Delete a schema bundle."""
        return self._delete(_BUNDLE, request)

    def _create(
        self, kind: _PartKind, table: str, id: str, wanted: Message, check: Callable[[Message], None]
    ) -> Message:
        limits.check_table_name(table)
        limits.check_id(kind.collection, id, limits.TABLE_ID, limits.TABLE_ID_LENGTH)
        message = kind.message()
        message.CopyFrom(wanted)
        message.name = f"{table}/{kind.collection}/{id}"
        with self.store.exclusive():
            self.catalog.get(table)
            if message.name in self._parts:
                raise already_exists(f"{kind.said} already exists: {message.name}")
            check(message)
            self._keep(message, table)
        return self._done(kind.metadata[0], message)

    def _update(
        self, kind: _PartKind, wanted: Message, paths: list[str], check: Callable[[Message, Message], None]
    ) -> Message:
        with self.store.exclusive():
            old = self._get(wanted.name, kind)
            _check_etag(old, wanted.etag)
            heads = {path.partition(".")[0] for path in paths}
            if not heads or not heads <= set(kind.paths):
                raise invalid(
                    f"update_mask must name fields of {', '.join(kind.paths)}; got: {', '.join(paths) or 'none'}"
                )
            message = kind.message()
            message.CopyFrom(old)
            for head in heads:
                message.ClearField(head)
                if kind.message.DESCRIPTOR.fields_by_name[head].message_type is None:
                    setattr(message, head, getattr(wanted, head))
                elif wanted.HasField(head):
                    getattr(message, head).CopyFrom(getattr(wanted, head))
            check(old, message)
            self._keep(message, wanted.name.partition(f"/{kind.collection}/")[0])
        return self._done(kind.metadata[1], message)

    def _delete(self, kind: _PartKind, request: Message) -> Message:
        with self.store.exclusive():
            _check_etag(self._get(request.name, kind), request.etag)
            with self.store.writing() as connection:
                connection.execute("DELETE FROM table_parts WHERE name = ?", (request.name,))
            del self._parts[request.name]
        return _Empty()

    def _keep(self, message: Message, table: str) -> None:
        message.etag = ""
        message.etag = f"{zlib.crc32(message.SerializeToString(deterministic=True)):08x}"
        with self.store.writing() as connection:
            connection.execute(_SCHEMA)
            connection.execute(
                "INSERT OR REPLACE INTO table_parts VALUES (?, ?, ?)",
                (message.name, table, message.SerializeToString()),
            )
        self._parts[message.name] = message

    def _done(self, metadata: protos.MessageClass, message: Message) -> Message:
        return self.operations.done(message.name, message, metadata())

    def _get(self, name: str, kind: _PartKind) -> Message:
        match = _NAME.fullmatch(name)
        if not match or match[2] != kind.collection:
            raise invalid(
                f"Invalid name: expected projects/<project>/instances/<instance>/tables/<table>/{kind.collection}/<id>, got '{name}'"
            )
        found = self._parts.get(name)
        if found is None:
            raise not_found(f"{kind.said} not found: {name}")
        return found

    def _listed(self, table: str, kind: _PartKind) -> list[str]:
        limits.check_table_name(table)
        self.catalog.get(table)
        return self._of(table, kind)

    def _of(self, table: str, kind: _PartKind) -> list[str]:
        return sorted(name for name in list(self._parts) if name.startswith(f"{table}/{kind.collection}/"))

    def _check_view(self, message: Message) -> None:
        if not message.HasField("subset_view"):
            raise invalid("AuthorizedView must have subset_view set")
        table = self.catalog.get(message.name.partition("/authorizedViews/")[0])
        for family in message.subset_view.family_subsets:
            if family not in table.families:
                raise not_found(f"Requested column family not found: {family}")


def _names(bundle: Message) -> set[str]:
    return protos.names_in(bundle.proto_schema.proto_descriptors)


def _check_bundle(message: Message) -> None:
    """Refuse a bundle that is no set of files, or lacks what they import."""
    kind = message.WhichOneof("type")
    if kind == "avro_schema":
        raise unimplemented("The local server takes schema bundles with proto_schema alone")
    if kind is None:
        raise invalid("SchemaBundle must have proto_schema set")
    wrong = protos.wrong_with(message.proto_schema.proto_descriptors)
    if wrong:
        raise invalid(
            f"proto_descriptors must be a FileDescriptorSet with all imports (protoc --include_imports): {wrong}"
        )


def _check_etag(message: Message, etag: str) -> None:
    if etag and etag != message.etag:
        raise aborted(f"Etag '{etag}' is not that of {message.name}, which was changed")


def _answer(message: Message, view: int) -> Message:
    """The part of an authorized view that is asked for."""
    if view not in (NAME_ONLY, BASIC, FULL):
        raise invalid(f"Unknown view {view}")
    if view == FULL:
        return message
    found = _VIEW.message(name=message.name)
    if view == BASIC:
        found.deletion_protection, found.etag = message.deletion_protection, message.etag
    return found
