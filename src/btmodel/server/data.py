"""The data API: ``google.bigtable.v2.Bigtable``."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from attrs import field, frozen

from btmodel.server import limits, mutate, protos, scan, stored_rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.filters import compile_filter
from btmodel.server.open_rows import Opened, OpenRow, OpenRows, Part, WideRows, parts_of, repeated
from btmodel.server.protos import Message
from btmodel.server.request_errors import (
    RequestError,
    in_context,
    invalid,
    not_found,
    precondition,
    shown,
)
from btmodel.server.service import Pause
from btmodel.server.sql.sql_service import SqlService
from btmodel.server.store import Store, read_row, write_row
from btmodel.server.stored_rows import Columns, ServerCell
from btmodel.server.stream_reads import StreamReads
from btmodel.server.stream_records import Streams
from btmodel.server.views import Views
from btmodel.server.views_and_bundles import Authorized, TableParts

_Empty = protos.data("MutateRowResponse")
_Warm = protos.data("PingAndWarmResponse")
_Checked = protos.data("CheckAndMutateRowResponse")
_Modified = protos.data("ReadModifyWriteRowResponse")
_Mutated = protos.data("MutateRowsResponse")
_Mutation = protos.data("Mutation")

STATUSES = 2_000  # in one response, some of them with a text


@frozen
class DataService:
    """Reads and writes of rows. Each method takes a request and answers a message, or yields several."""

    store: Store
    catalog: Catalog
    replicated: bool
    eager_gc: bool
    views: Views
    streams: Streams
    sql: SqlService
    parts: TableParts
    wide: WideRows = field(init=False, factory=WideRows)

    def read_rows(self, request: Message) -> Iterator[bytes]:
        """Scan rows; what it yields is serialized already."""
        table, through = self._read(request)
        try:
            found = scan.Scan.of(request, table, self.store, self.catalog, self.eager_gc, through)
        except RequestError as error:
            raise in_context(error, f"Error while reading table '{table.name}'") from None
        with self.store.scan():
            yield from found.responses()

    def sample_row_keys(self, request: Message) -> Iterator[Message]:
        """Keys that part the table into pieces of about the same size."""
        table, through = self._read(request)
        return scan.sample_row_keys(request, table, self.store, through)

    def mutate_row(self, request: Message) -> Message:
        """Change one row, all mutations or none."""
        table, through = self._table(request)
        limits.check_row_key(request.row_key)
        mutate.check_count(len(request.mutations), "mutations", "mutation")
        with self.store.writing() as connection:
            table = self.catalog.get(table.name)
            self._mutate(connection, table, request.row_key, request.mutations, through)
        return _Empty()

    def mutate_rows(self, request: Message) -> Iterator[Message | bytes]:
        """Change many rows, each of them wholly or not at all, in one transaction of the file."""
        table, through = self._table(request)
        limits.check_any(len(request.entries), "entries", "entry")
        for position, entry in enumerate(request.entries):
            if not entry.row_key or not entry.mutations:
                text = limits.NO_KEY if not entry.row_key else limits.none_of("mutations", "mutation")
                raise invalid(f"Error in field 'entries' : Error in element #{position} : {text}")
        total = sum(len(entry.mutations) for entry in request.entries)
        mutate.check_count(total, "mutations", "mutation")
        failed: dict[int, RequestError] = {}
        with self.store.writing() as connection:
            table = self.catalog.get(table.name)
            # Where garbage goes with each change, each looks at its whole row anyway.
            keys = () if self.eager_gc else repeated(request.entries)
            rows = OpenRows(connection, table, keys)
            for position, entry in enumerate(request.entries):
                try:
                    limits.check_row_key(entry.row_key)
                    if (row := rows.get(entry)) is None:
                        self._mutate(connection, table, entry.row_key, entry.mutations, through)
                    else:
                        self._change(connection, table, row, entry, through)
                except RequestError as error:
                    failed[position] = error
            rows.close()
        count = len(request.entries)
        if not failed:
            yield _all_well(count)
            return
        for start in range(0, count, STATUSES):
            yield _statuses(range(start, min(start + STATUSES, count)), failed)

    def check_and_mutate_row(self, request: Message) -> Message:
        """Change one row by one of two lists of mutations, as the row passes a filter or not."""
        table, through = self._transactional(request)
        limits.check_row_key(request.row_key)
        total = len(request.true_mutations) + len(request.false_mutations)
        mutate.check_count(total, "true_mutations or false_mutations", "mutation")
        with self.store.writing() as connection:
            table = self.catalog.get(table.name)
            predicate = compile_filter(request.predicate_filter, table.places, table.granule)
            cells = self._cells(connection, table, request.row_key)
            if through:
                through.check_row(request.row_key)
                cells = through.cells(cells)
            matched = bool(predicate(request.row_key, cells) if predicate else cells)
            taken, other = request.true_mutations, request.false_mutations
            if not matched:
                taken, other = other, taken
            mutate.apply({}, other, table)  # the service checks both lists
            if through:
                through.check(table, other)
            if taken:
                self._mutate(connection, table, request.row_key, taken, through)
        return _Checked(predicate_matched=matched)

    def read_modify_write_row(self, request: Message) -> Message:
        """Append to or increment the newest cells of one row, and answer what they are now."""
        table, through = self._transactional(request)
        limits.check_row_key(request.row_key)
        mutate.check_count(len(request.rules), "rules", "rule")
        with self.store.writing() as connection:
            table = self.catalog.get(table.name)
            if through:
                through.check_row(request.row_key)
                for rule in request.rules:
                    through.check_column(rule.family_name, rule.column_qualifier)
            columns, encoded = self._opened(
                connection,
                table,
                request.row_key,
                lambda: {(rule.family_name, rule.column_qualifier) for rule in request.rules},
            )
            written = mutate.read_modify_write(columns, request.rules, table)
            changes = [_as_mutation(cell) for cell in stored_rows.cells(written, table.places)]
            self._write(connection, table, request.row_key, columns, encoded, changes, 0)
        return _row(request.row_key, stored_rows.cells(written, table.places))

    def generate_initial_change_stream_partitions(self, request: Message) -> Iterator[Message]:
        """The partitions of the change stream of a table."""
        self._check_profile(request)
        return StreamReads(self.streams, self.replicated).partitions(request)

    def read_change_stream(self, request: Message) -> Iterator[bytes | Pause]:
        """The changes of a partition, as they are made."""
        self._check_profile(request)
        return StreamReads(self.streams, self.replicated).changes(request)

    def prepare_query(self, request: Message) -> Iterator[Message | Pause]:
        """The columns of a query's result, and what runs it."""
        self._check_profile(request)
        return self.sql.prepare(request)

    def execute_query(self, request: Message) -> Iterator[Message | Pause]:
        """The rows of a query."""
        self._check_profile(request)
        return self.sql.execute(request)

    def ping_and_warm(self, request: Message) -> Message:
        """Say that the server is there."""
        limits.check_instance(request.name)
        self._check_profile(request)
        return _Warm()

    def _read(self, request: Message) -> tuple[CatalogTable, Authorized | None]:
        """The table, or the rows of the materialized view, that a request reads, and the authorized view that it is made through."""
        if not request.materialized_view_name:
            return self._table(request)
        if request.table_name or request.authorized_view_name:
            raise invalid(
                "Exactly one of table_name, authorized_view_name and materialized_view_name must be set"
            )
        self._check_profile(request)
        return self.views.up_to_date(request.materialized_view_name), None

    def _table(self, request: Message) -> tuple[CatalogTable, Authorized | None]:
        """The table that a request is for, after the checks that all of them have in common, and the authorized view that it is made through."""
        self._check_profile(request)
        if request.authorized_view_name:
            if request.table_name:
                raise invalid("Exactly one of table_name and authorized_view_name must be set")
            through = self.parts.authorized(request.authorized_view_name)
            return self.catalog.get(through.table), through
        limits.check_table_name(request.table_name)
        return self.catalog.get(request.table_name), None

    def _check_profile(self, request: Message) -> None:
        if request.app_profile_id not in ("", "default"):
            raise not_found(
                f"App profile not found: {request.app_profile_id} (the local server has 'default' alone)"
            )

    def _transactional(self, request: Message) -> tuple[CatalogTable, Authorized | None]:
        """The same of a request that reads and writes a row at once, which replication does not allow."""
        found = self._table(request)
        if self.replicated:
            raise precondition("Single-row transactions are not allowed by this app profile")
        return found

    def _opened(
        self,
        connection: sqlite3.Connection,
        table: CatalogTable,
        key: bytes,
        parts: Callable[[], set[Part] | None],
    ) -> Opened:
        """The columns of a row that a request changes, and what encodes the row then."""
        stored = read_row(connection, table.number, key)
        if not self.eager_gc:
            return self.wide.open(table.number, key, stored, table.places, parts)
        # Where garbage goes with each change, each looks at its whole row anyway.
        return table.without_garbage(stored_rows.decode(stored)), lambda columns: stored_rows.encode_columns(
            key, table.without_garbage(columns), table.places
        )

    def _cells(self, connection: sqlite3.Connection, table: CatalogTable, key: bytes) -> list[ServerCell]:
        """The cells of a row in their order."""
        stored = read_row(connection, table.number, key)
        if not self.eager_gc and (wide := self.wide.get(table.number, key, stored, table.places)):
            return wide.cells.copy()
        columns = stored_rows.decode(stored)
        kept = table.without_garbage(columns) if self.eager_gc else columns
        return list(stored_rows.cells(kept, table.places))

    def _mutate(
        self,
        connection: sqlite3.Connection,
        table: CatalogTable,
        key: bytes,
        mutations: list[Message],
        through: Authorized | None,
    ) -> None:
        now = table.now()
        columns, encoded = self._opened(
            connection, table, key, lambda: parts_of(mutations, table.granule, now)
        )
        _apply(columns, table, key, mutations, through, now)
        self._write(connection, table, key, columns, encoded, mutations, now)

    def _change(
        self,
        connection: sqlite3.Connection,
        table: CatalogTable,
        row: OpenRow,
        entry: Message,
        through: Authorized | None,
    ) -> None:
        """Change an open row by all mutations of an entry, or by none."""
        key, now = entry.row_key, table.now()
        # Whether a mutation is refused does not depend on the row: what goes well here does so there.
        _apply({}, table, key, entry.mutations, through, now)
        mutate.apply(row.columns, entry.mutations, table, now)
        row.changed_by(entry)
        if table.streams:
            self.streams.note(connection, table, key, entry.mutations, now=now)

    def _write(
        self,
        connection: sqlite3.Connection,
        table: CatalogTable,
        key: bytes,
        columns: Columns,
        encoded: Callable[[Columns], bytes],
        mutations: Iterable[Message],
        now: int,
    ) -> None:
        stored = encoded(columns)
        if len(stored) > limits.ROW_SIZE:
            raise precondition(
                f"Row '{shown(key)}' would have {len(stored):,} bytes, which is more than the limit of "
                f"{limits.ROW_SIZE >> 20} MiB"
            )
        if table.streams:
            if self.eager_gc:  # what was collected before the mutations, and what after them
                before = stored_rows.decode(read_row(connection, table.number, key))
                self.streams.note_garbage(connection, table, key, before)
            self.streams.note(connection, table, key, mutations, now=now)
            if self.eager_gc:
                self.streams.note_garbage(connection, table, key, columns)
        write_row(connection, table.number, key, stored)


def _apply(
    columns: Columns,
    table: CatalogTable,
    key: bytes,
    mutations: list[Message],
    through: Authorized | None,
    now: int,
) -> None:
    """Change the columns of a row by mutations; raises RequestError, and the columns are then of no use."""
    if through:
        through.check_row(key)
        through.check(table, mutations)
    try:
        mutate.apply(columns, mutations, table, now)
    except RequestError as error:
        raise in_context(error, f"Error while mutating the row '{shown(key)}' ({table.name})") from None


def _as_mutation(cell: ServerCell) -> Message:
    """What sets a cell."""
    mutation = _Mutation()
    mutation.set_cell.family_name, mutation.set_cell.column_qualifier = cell.family, cell.qualifier
    mutation.set_cell.timestamp_micros, mutation.set_cell.value = cell.timestamp, cell.value
    return mutation


@lru_cache(maxsize=64)
def _all_well(count: int) -> bytes:
    """The serialized answer to so many entries that all went well."""
    answer: bytes = _statuses(range(count), {}).SerializeToString()
    return answer


def _statuses(entries: range, failed: dict[int, RequestError]) -> Message:
    """The results of some entries of a MutateRows."""
    response = _Mutated()
    for position in entries:
        entry = response.entries.add(index=position)
        entry.status.SetInParent()
        if position in failed:
            entry.status.code = failed[position].code.value[0]
            entry.status.message = failed[position].text
    return response


def _row(key: bytes, cells: Iterable[ServerCell]) -> Message:
    """The answer of a ReadModifyWriteRow: the cells that it wrote."""
    response = _Modified()
    response.row.key = key
    family = None
    for cell in cells:
        if family is None or family.name != cell.family:
            family = response.row.families.add(name=cell.family)
        column = family.columns.add(qualifier=cell.qualifier)
        column.cells.add(timestamp_micros=cell.timestamp, value=cell.value)
    return response
