"""The tables in memory and in the file, and the rows of materialized views, which are tables under the names of views.

Every project/instance path is an instance of its own, which is there as soon as a table is created in it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable

from attrs import field, frozen

from btmodel.server import protos, schema
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, not_found
from btmodel.server.store import Store
from btmodel.server.stored_rows import Columns, Places

_Table = protos.admin("Table")
_Splits = protos.admin("CreateTableRequest")
MICROS = 2  # Table.TimestampGranularity.MICROS
AGGREGATORS = {"sum": "sum", "min": "min", "max": "max", "hllpp_unique_count": "hll"}


@frozen
class CatalogFamily:
    """The properties of a column family that data requests need."""

    collects: schema.Collector | None
    aggregate: str | None  #: sum, min, max or hll; None for a family of plain cells


@frozen
class CatalogTable:
    """A table: its number in the file, its description as the admin API gives it, and its initial splits."""

    number: int
    message: Message = field(repr=False)
    splits: tuple[bytes, ...]
    families: dict[str, CatalogFamily]  #: in the order of their creation
    places: Places
    granule: int  #: what every timestamp is a multiple of, in microseconds
    streams: bool  #: whether it has a change stream

    @property
    def name(self) -> str:
        """The full name, projects/P/instances/I/tables/T."""
        name: str = self.message.name
        return name

    def now(self) -> int:
        """The server's time in the granularity of the table."""
        micros = time.time_ns() // 1000
        return micros - micros % self.granule

    def without_garbage(self, columns: Columns) -> Columns:
        """The columns of a row less the cells that the rules of their families delete."""
        kept: Columns = {}
        now = time.time_ns() // 1000
        for column, versions in columns.items():
            family = self.families.get(column[0])
            if family is None:
                continue  # dropped since the row was read
            collects = family.collects
            if collects is None:
                kept[column] = versions
                continue
            newest_first = sorted(versions, reverse=True)
            left = {t: versions[t] for rank, t in enumerate(newest_first) if not collects(rank, now - t)}
            if left:
                kept[column] = left
        return kept

    @property
    def collects(self) -> bool:
        """Whether any family has a rule that deletes something."""
        return any(family.collects for family in self.families.values())


def _family(message: Message) -> CatalogFamily:
    aggregate = None
    if message.value_type.WhichOneof("kind") == "aggregate_type":
        aggregate = AGGREGATORS[message.value_type.aggregate_type.WhichOneof("aggregator").rstrip("_")]
    return CatalogFamily(schema.collector(message.gc_rule), aggregate)


def _table(number: int, message: Message, splits: tuple[bytes, ...], created: Iterable[str]) -> CatalogTable:
    """A table whose families were created in the order that is given."""
    families = {name: _family(message.column_families[name]) for name in created}
    granule = 1 if message.granularity == MICROS else 1000
    streams: bool = message.HasField("change_stream_config")
    return CatalogTable(number, message, splits, families, Places(families), granule, streams)


class Catalog:
    """All the tables of a store. A change is made in a write transaction and holds once it is committed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, CatalogTable] = {}
        with store.reading() as connection:
            query = "SELECT id, message, splits, families FROM tables"
            for number, stored, splits, families in connection.execute(query):
                message = _Table.FromString(stored)
                keys = tuple(split.key for split in _Splits.FromString(splits).initial_splits)
                table = _table(number, message, keys, families.split() or by_name(message))
                self._tables[table.name] = table

    def find(self, name: str) -> CatalogTable | None:
        """The table of a full name, if there is one."""
        return self._tables.get(name)

    def get(self, name: str) -> CatalogTable:
        """The table of a full name; NOT_FOUND when there is none."""
        table = self._tables.get(name)
        if table is None:
            raise missing(name)
        return table

    def names(self, instance: str | None = None) -> list[str]:
        """The full names of the tables of one instance, or of all, in order."""
        prefix = f"{instance}/tables/" if instance else ""
        return sorted(name for name in list(self._tables) if name.startswith(prefix) and "/tables/" in name)

    def instances(self) -> list[str]:
        """The names of the instances that have a table."""
        return sorted({name.partition("/tables/")[0] for name in self.names()})

    def change(self, work: Callable[[sqlite3.Connection], tuple[CatalogTable | str, ...]]) -> None:
        """Run *work* in a transaction; it answers the tables it changed and the names of those it deleted."""
        with self._store.exclusive():
            with self._store.writing() as connection:
                changes = work(connection)
            for change in changes:
                if isinstance(change, str):
                    del self._tables[change]
                else:
                    self._tables[change.name] = change


def missing(name: str) -> RequestError:
    """The refusal of a table that does not exist."""
    return not_found(f"Table not found: {name}")


def by_name(message: Message) -> list[str]:
    """The families of a table in the order of those that are created in one call."""
    return sorted(message.column_families)


def insert(
    connection: sqlite3.Connection, message: Message, splits: tuple[bytes, ...], created: Iterable[str]
) -> CatalogTable:
    """Add a table whose families were created in the order that is given."""
    stored = _Splits(initial_splits=[{"key": key} for key in splits]).SerializeToString()
    cursor = connection.execute(
        "INSERT INTO tables (name, message, splits, families) VALUES (?, ?, ?, ?)",
        (message.name, message.SerializeToString(), stored, " ".join(created)),
    )
    assert cursor.lastrowid is not None
    return _table(cursor.lastrowid, message, splits, created)


def update(
    connection: sqlite3.Connection, table: CatalogTable, message: Message, created: Iterable[str]
) -> CatalogTable:
    """Replace the description of a table, and the order in which its families were created."""
    connection.execute(
        "UPDATE tables SET message = ?, families = ? WHERE id = ?",
        (message.SerializeToString(), " ".join(created), table.number),
    )
    return _table(table.number, message, table.splits, created)


def renumber(connection: sqlite3.Connection, table: CatalogTable) -> CatalogTable:
    """Empty a table at once: it gets a new number, and a sweep removes the rows of the old one."""
    connection.execute("DELETE FROM tables WHERE id = ?", (table.number,))
    return insert(connection, table.message, table.splits, table.families)


def delete(connection: sqlite3.Connection, table: CatalogTable) -> str:
    """Remove a table; a sweep removes its rows."""
    connection.execute("DELETE FROM tables WHERE id = ?", (table.number,))
    return table.name
