"""Materialized views: what is kept of each row of a table, and the rows that are made of it.

A trigger of the file notes the key of every row of a viewed table that changes, in the transaction that changes it: so whatever changes
rows (writes, garbage collection, dropped families and ranges) goes through, and the death of the process loses nothing. What is noted
is worked off before a view is read, in a few transactions; with a lag, only what was noted as long ago.
"""

from __future__ import annotations

import base64
import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from btmodel.server import catalog, limits, protos, stored_rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.protos import Message
from btmodel.server.request_errors import already_exists, exhausted, invalid, not_found, precondition
from btmodel.server.service import Operations
from btmodel.server.store import Store, read_row, write_row
from btmodel.server.view_functions import EPOCH, micros_of, time_of
from btmodel.server.view_query import ViewedRow, ViewQuery, parse

FAMILY = "default"
VIEWS_OF_A_TABLE = 5
_ROWS_AT_ONCE = 2_000  # in one transaction
ROW_SIZE = 1 << 20  # bytes of what a view takes of a row; the service drops rows beyond

_Table = protos.admin("Table")
_View = protos.admin("MaterializedView")
_Listed = protos.admin("ListMaterializedViewsResponse")
_Created = protos.admin("CreateMaterializedViewMetadata")
_Updated = protos.admin("UpdateMaterializedViewMetadata")

# A file gets these with its first view. `number` is that of the rows of the view in `tables`, `source_number` that of its table.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS views (
    number INTEGER PRIMARY KEY, source TEXT NOT NULL, source_number INTEGER NOT NULL, message BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS view_parts (
    view INTEGER NOT NULL, row_key BLOB NOT NULL, group_key BLOB NOT NULL, vals TEXT NOT NULL, PRIMARY KEY (view, row_key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS view_groups ON view_parts (view, group_key);
CREATE TABLE IF NOT EXISTS view_changes (
    table_id INTEGER NOT NULL, row_key BLOB NOT NULL, since REAL NOT NULL, PRIMARY KEY (table_id, row_key)
) WITHOUT ROWID;
"""
_NOTE = """
CREATE TRIGGER IF NOT EXISTS noted_{event} AFTER {event} ON rows
WHEN {row}.table_id IN (SELECT source_number FROM views) BEGIN
    INSERT INTO view_changes SELECT {row}.table_id, {row}.row_key, (julianday('now') - 2440587.5) * 86400.0
    WHERE NOT EXISTS (SELECT 1 FROM view_changes WHERE table_id = {row}.table_id AND row_key = {row}.row_key);
END
"""
_EVENTS = (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))


@frozen
class KeptView:
    """A view: its number, its description, the full name of its table, and its query."""

    number: int
    message: Message = field(repr=False)
    source: str
    query: ViewQuery = field(repr=False)

    @property
    def name(self) -> str:
        """The full name, projects/P/instances/I/materializedViews/V."""
        name: str = self.message.name
        return name


@define
class Views:
    """The views of a store. Each method for a request answers a message; *lag* is in seconds."""

    store: Store
    catalog: Catalog
    operations: Operations
    eager_gc: bool = False
    lag: float = 0.0
    _views: dict[str, KeptView] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        with self.store.reading() as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'views'").fetchone():
                return
            for number, source, stored in connection.execute("SELECT number, source, message FROM views"):
                message = _View.FromString(stored)
                self._views[message.name] = KeptView(number, message, source, parse(message.query))

    def of_table(self, source: str) -> list[KeptView]:
        """The views of a table by its full name."""
        return [view for view in list(self._views.values()) if view.source == source]

    def up_to_date(self, name: str) -> CatalogTable:
        """The rows of a view by its full name, after what was noted of its table is worked off."""
        view = self._get(name)
        source = self.catalog.get(view.source)
        until = time.time() - self.lag
        if self.eager_gc and source.collects:  # what is collected at once is noted nowhere
            with self.store.writing() as connection:
                self._note_all(connection, source)
        while self._is_behind(view, self.catalog.get(view.source), until):
            with self.store.writing() as connection:
                self._work_off(connection, view.source, until)
        return self.catalog.get(name)

    def create_materialized_view(self, request: Message) -> Message:
        """Make a view and fill it; the operation is done at once."""
        instance = limits.check_instance(request.parent)
        limits.check_id(
            "materializedViews", request.materialized_view_id, limits.TABLE_ID, limits.TABLE_ID_LENGTH
        )
        name = f"{instance}/materializedViews/{request.materialized_view_id}"
        query = parse(request.materialized_view.query)
        source = f"{instance}/tables/{query.table}"
        message = _View(
            name=name,
            query=request.materialized_view.query,
            etag="local",
            deletion_protection=request.materialized_view.deletion_protection,
        )

        def work(connection: sqlite3.Connection) -> tuple[CatalogTable]:
            if name in self._views:
                raise already_exists(f"Materialized view already exists: {name}")
            table = self.catalog.get(source)
            for family in query.families:
                if family not in table.families:
                    raise invalid(
                        f"Unrecognized name: {family} in the query of {name}: {source} has no such family"
                    )
            if len(self.of_table(source)) >= VIEWS_OF_A_TABLE:
                raise exhausted(f"{source} has {VIEWS_OF_A_TABLE} materialized views, which is the limit")
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            for event, row in _EVENTS:
                connection.execute(_NOTE.format(event=event, row=row))
            made = catalog.insert(connection, _Table(name=name, column_families={FAMILY: {}}), (), [FAMILY])
            connection.execute(
                "INSERT INTO views VALUES (?, ?, ?, ?)",
                (made.number, source, -1, message.SerializeToString()),
            )
            return (made,)

        with self.store.exclusive():
            self.catalog.change(work)
            self._views[name] = KeptView(self.catalog.get(name).number, message, source, query)
            self.up_to_date(name)
        return self.operations.done(name, message, _Created())

    def get_materialized_view(self, request: Message) -> Message:
        """Describe a view."""
        return self._get(request.name).message

    def list_materialized_views(self, request: Message) -> Message:
        """All views of an instance, in one page."""
        instance = limits.check_instance(request.parent)
        names = sorted(name for name in self._views if name.startswith(f"{instance}/"))
        return _Listed(materialized_views=[self._views[name].message for name in names])

    def update_materialized_view(self, request: Message) -> Message:
        """Change the deletion protection, which is all that can be changed of a view."""
        view = self._get(request.materialized_view.name)
        paths = list(request.update_mask.paths)
        if paths != ["deletion_protection"]:
            raise invalid(
                f"Only deletion_protection of a materialized view can be updated, but got {', '.join(paths) or 'no path'}"
            )
        message = _View()
        message.CopyFrom(view.message)
        message.deletion_protection = request.materialized_view.deletion_protection
        with self.store.writing() as connection:
            connection.execute(
                "UPDATE views SET message = ? WHERE number = ?", (message.SerializeToString(), view.number)
            )
        self._views[view.name] = KeptView(view.number, message, view.source, view.query)
        return self.operations.done(view.name, message, _Updated())

    def delete_materialized_view(self, request: Message) -> Message:
        """Delete a view with its rows."""
        view = self._get(request.name)
        if view.message.deletion_protection:
            raise precondition(f"{view.name} cannot be deleted: deletion protection field is set to true")
        self.drop([view])
        return protos.message("google.protobuf.Empty")()

    def drop(self, views: Iterable[KeptView]) -> None:
        """Remove views; a sweep removes their rows."""
        for view in views:

            def work(connection: sqlite3.Connection, view: KeptView = view) -> tuple[str]:
                connection.execute("DELETE FROM views WHERE number = ?", (view.number,))
                connection.execute("DELETE FROM view_parts WHERE view = ?", (view.number,))
                connection.execute(
                    "DELETE FROM view_changes WHERE table_id NOT IN (SELECT source_number FROM views)"
                )
                return (catalog.delete(connection, self.catalog.get(view.name)),)

            with self.store.exclusive():
                self.catalog.change(work)
                del self._views[view.name]

    def check_droppable(self, table: CatalogTable, family: str | None = None) -> None:
        """Refuse to drop a table, or a family of it, that views are of. Assumed of the service."""
        for view in self.of_table(table.name):
            if family is None or family in view.query.families:
                what = table.name if family is None else f"Column family '{family}' of {table.name}"
                raise precondition(f"{what} cannot be deleted: materialized view {view.name} reads it")

    def _get(self, name: str) -> KeptView:
        view = self._views.get(name)
        if view is None:
            raise not_found(f"Materialized view not found: {name}")
        return view

    def _is_behind(self, view: KeptView, source: CatalogTable, until: float) -> bool:
        with self.store.reading() as connection:
            number = _source_number(connection, view)
            noted = "SELECT 1 FROM view_changes WHERE table_id = ? AND since <= ? LIMIT 1"
            return number != source.number or bool(connection.execute(noted, (number, until)).fetchone())

    def _work_off(self, connection: sqlite3.Connection, source: str, until: float) -> None:
        """Bring the views of a table up to date with a part of what was noted: writers need not wait for all of it."""
        table, views = self.catalog.get(source), self.of_table(source)
        for view in views:
            self._begin_anew(connection, view, table)
        query = "FROM view_changes WHERE table_id = ? AND since <= ?"
        (count,) = connection.execute(f"SELECT count(*) {query}", (table.number, until)).fetchone()
        # Of more, an eighth: a group is made anew for each part that changes it.
        most = max(_ROWS_AT_ONCE, count // 8)
        found = connection.execute(
            f"SELECT row_key {query} ORDER BY row_key LIMIT ?", (table.number, until, most)
        )
        keys = [key for (key,) in found]
        changed: dict[str, set[bytes]] = {view.name: set() for view in views}
        for key in keys:
            row = self._row(connection, table, key)
            for view in views:
                changed[view.name] |= _put_part(connection, view, key, row)
        done = ((table.number, key) for key in keys)
        connection.executemany("DELETE FROM view_changes WHERE table_id = ? AND row_key = ?", done)
        for view in views:
            for group in changed[view.name]:
                _make_row(connection, view, group)

    def _begin_anew(self, connection: sqlite3.Connection, view: KeptView, table: CatalogTable) -> None:
        """Note every row of a table that the view has seen none of: a new view's, or one that was emptied."""
        if _source_number(connection, view) == table.number:
            return
        connection.execute("DELETE FROM view_parts WHERE view = ?", (view.number,))
        connection.execute("DELETE FROM rows WHERE table_id = ?", (view.number,))
        connection.execute("UPDATE views SET source_number = ? WHERE number = ?", (table.number, view.number))
        self._note_all(connection, table)

    def _note_all(self, connection: sqlite3.Connection, table: CatalogTable) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO view_changes SELECT table_id, row_key, 0 FROM rows WHERE table_id = ?",
            (table.number,),
        )

    def _row(self, connection: sqlite3.Connection, table: CatalogTable, key: bytes) -> ViewedRow | None:
        columns = stored_rows.decode(read_row(connection, table.number, key))
        if self.eager_gc:
            columns = table.without_garbage(columns)
        if not columns:
            return None
        return ViewedRow(key, {place: versions[max(versions)] for place, versions in columns.items()})


def _source_number(connection: sqlite3.Connection, view: KeptView) -> int:
    """The number that the table of a view had when its rows were noted last."""
    query = "SELECT source_number FROM views WHERE number = ?"
    (number,) = connection.execute(query, (view.number,)).fetchone() or (None,)
    if number is None:
        raise not_found(f"Materialized view not found: {view.name}")
    return int(number)


def _put_part(
    connection: sqlite3.Connection, view: KeptView, key: bytes, row: ViewedRow | None
) -> set[bytes]:
    """Keep what a row adds to a view; answers the keys of the view's rows that change by it."""
    found = "SELECT group_key, vals FROM view_parts WHERE view = ? AND row_key = ?"
    old = connection.execute(found, (view.number, key)).fetchone()
    part = None if row is None else view.query.part(row)
    if part is not None and (
        len(part[0]) > limits.ROW_KEY_SIZE
        or sum(len(one) for one in part[1] if isinstance(one, bytes | str)) > ROW_SIZE
    ):
        part = None
    new = None if part is None else (part[0], _as_text(part[1]))
    if new == old:
        return set()
    if new is None:
        connection.execute("DELETE FROM view_parts WHERE view = ? AND row_key = ?", (view.number, key))
    else:
        connection.execute("INSERT OR REPLACE INTO view_parts VALUES (?, ?, ?, ?)", (view.number, key, *new))
    return {group for group, _ in filter(None, (old, new))}


def _make_row(connection: sqlite3.Connection, view: KeptView, group: bytes) -> None:
    # Named, as SQLite takes the order of rows for a reason to read all of them.
    query = (
        "SELECT vals FROM view_parts INDEXED BY view_groups WHERE view = ? AND group_key = ? ORDER BY row_key"
    )
    parts = [_as_values(text) for (text,) in connection.execute(query, (view.number, group))]
    cells = view.query.cells(parts) if parts else []
    stored = stored_rows.encode(group, ((FAMILY, qualifier, 0, value, "") for qualifier, value in cells))
    write_row(connection, view.number, group, stored)


def _as_text(values: Sequence[Any]) -> str:
    """Values of SQL as JSON; those that JSON lacks as objects of one member."""
    return json.dumps([_as_json(value) for value in values], separators=(",", ":"))


def _as_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"b": base64.b64encode(value).decode()}
    if isinstance(value, type(EPOCH)):
        return {"t": micros_of(value)}
    return value


def _as_values(text: str) -> list[Any]:
    return [_of_json(value) for value in json.loads(text)]


def _of_json(one: Any) -> Any:
    match one:
        case {"b": raw}:
            return base64.b64decode(raw)
        case {"t": micros}:
            return time_of(micros)
    return one
