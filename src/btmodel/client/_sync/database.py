# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""A connection to an instance: rows in, rows out, and queries in SQL. Admin rights are not needed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from copy import copy
from functools import partial
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, Unpack, overload

from attrs import evolve, frozen
from google.api_core.exceptions import FailedPrecondition
from google.cloud.bigtable.data import BigtableDataClient

from btmodel.client._sync.reading import (
    Gathering,
    changes,
    initial_partitions,
    joined,
    read,
    read_first,
    read_with_client,
    samples,
)
from btmodel.client._sync.writing import Bulk, Writer, ask
from btmodel.client.call import (
    CHECK_AND_MUTATE_ROW,
    EXECUTE_QUERY,
    MUTATE_ROW,
    PREPARE_QUERY,
    READ_MODIFY_WRITE_ROW,
    SQL,
    ActiveCall,
    Calls,
    InstanceAccess,
    Pace,
    opened,
)
from btmodel.client.change_messages import Event
from btmodel.client.channels import (
    credentials_of,
    data_client,
    fast_streams,
    leave,
    next_message,
)
from btmodel.client.failures import google_error
from btmodel.client.options import CallOptions, ConnectOptions, Options
from btmodel.client.row_streams import Batches, Row, RowBatch, Stream, pause
from btmodel.client.sql_messages import (
    Parameters,
    Prepared,
    Results,
    SqlColumn,
    execute_request,
    maker,
    prepare_request,
    query_text,
)
from btmodel.client.target import Mixed, Target, resolve
from btmodel.client.tasks import SyncHome, Tasks
from btmodel.client.write_requests import (
    Encoded,
    changed,
    conditional_request,
    found,
    modify_request,
    write_request,
)
from btmodel.columnar import sql_table
from btmodel.errors import QueryRefused, ServerError, shown
from btmodel.rows import (
    RAW,
    Cell,
    Conditional,
    Delete,
    Mutation,
    Parallel,
    RangeOrder,
    ReadModifyWrite,
    ReadPlan,
    RowDecoder,
    RowRange,
)
from btmodel.rows.changes import Partition, Tokens
from btmodel.rows.filters import Filter

if TYPE_CHECKING:
    from btmodel.columnar.libraries import Table


R = TypeVar("R")
_AGAIN = 2  # times that a query is prepared anew, as what it was prepared for has changed


@frozen(repr=False, eq=False)
class SqlRows(Generic[R]):
    """The rows of a query in SQL; each iteration sends the query again.

    A row is a named tuple with an attribute for each column, or of the class that ``into`` names.
    """

    _access: InstanceAccess
    _query: str
    _parameters: Parameters
    _make: Callable[[Prepared], Callable[[Sequence[Any]], R]]

    def __repr__(self) -> str:
        return f"sql({self._query!r}), not read yet"

    def __iter__(self) -> Iterator[R]:
        """The rows as they arrive; memory does not grow with their number. Raises what :meth:`all` does."""
        with closing(self._batches(self._make)) as batches:
            for rows in batches:
                for row in rows:
                    yield row

    def all(self) -> list[R]:
        """All rows.

        Raises :class:`QueryRefused` where the class of rows does not fit the columns, and :class:`ServerError` for a query that the service
        refuses, or that fails for a row.
        """
        found: list[R] = []
        with closing(self._batches(self._make)) as batches:
            for rows in batches:
                found += rows
        return found

    def columns(self) -> tuple[SqlColumn, ...]:
        """The names and the types of the columns: the query is checked, and not run. Raises :class:`ServerError`."""
        return (self._prepared()).columns

    def to_arrow(self) -> "Table":
        """All rows as a table of Arrow, whose columns have the names of the query's. It needs ``btmodel[arrow]``.

        It has what the service gives, whatever the class of rows (``into``) is: also expired rows, and cells that a GC rule lets the service delete.
        """
        last: list[Prepared] = []
        found: list[Any] = []

        def keep(prepared: Prepared) -> type[list[Any]]:
            last.append(prepared)
            return list

        with closing(self._batches(keep)) as batches:
            for rows in batches:
                found += rows
        return sql_table(last[-1].titles, found)

    def _prepared(self) -> Prepared:
        with ActiveCall(self._access, "scan", PREPARE_QUERY, SQL) as call:
            calls = self._access.open(SQL)
            return Prepared.of(
                ask(call, calls, PREPARE_QUERY, prepare_request(calls, self._query, self._parameters))
            )

    def _batches(self, make: Callable[[Prepared], Callable[[Sequence[Any]], Any]]) -> Stream[list[Any]]:
        """The rows of each message; where an answer breaks off, the rest is asked for behind the last token."""
        prepared, expired, home = self._prepared(), 0, SyncHome()
        results = Results(prepared, make(prepared))
        with ActiveCall(self._access, "scan", EXECUTE_QUERY, SQL) as call:
            calls = self._access.open(SQL)
            while True:
                results.begin()
                request = execute_request(calls, prepared.query, self._parameters, results.token)
                limit = call.clock.begin()
                answer = calls.stream(EXECUTE_QUERY)(request, timeout=limit, metadata=calls.metadata)
                try:
                    while (message := next_message(answer)) is not None:
                        call.bytes += len(message)
                        rows = results.take(message)
                        call.clock.reached(results.token)
                        if rows:
                            call.rows += len(rows)
                            yield rows
                            home.check()
                    results.end()
                    return
                except Exception as error:
                    if _has_expired(error) and not results.token and expired < _AGAIN:
                        expired, wait = expired + 1, 0.0
                    else:
                        wait = call.clock.read_again(error)
                finally:
                    if home.here:
                        leave(answer)
                pause(wait)
                if expired and not results.token:
                    prepared = self._prepared()
                    results = Results(prepared, make(prepared))


def _has_expired(error: Exception) -> bool:
    """Whether a query must be prepared again."""
    return isinstance(google_error(error), FailedPrecondition)


T = TypeVar("T")


class Connection:
    """The connection itself: what the views of it share, each with its own options."""

    def __init__(self, target: Target, options: Options) -> None:
        self.target = target
        self._options = options
        self._client: Any = None
        self._home = SyncHome()
        self._tables: dict[tuple[str, str | None, bool], Calls] = {}
        self._paces: dict[str | None, Pace] = {}
        self._lock = Lock()
        self._closed = False

    def calls(self, profile: str | None, paced: bool, table: str) -> Calls:
        """The calls for a table, routed by an app profile; those of one, if ``paced``, keep one pace.

        Raises :class:`ServerError` where the connection is closed.
        """
        self._home.check()
        calls = self._tables.get((table, profile, paced))
        return self._opened(table, profile, paced) if calls is None else calls

    def close(self) -> None:
        """End it, and the server that connecting started; nothing of it ends by a fork of its process."""
        if not self._home.here:
            return
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
            self._tables.clear()
        try:
            if client is not None:
                self._home.check()
                client.close()
        finally:
            self.target.release()

    def _opened(self, table: str, profile: str | None, paced: bool) -> Calls:
        with self._lock:
            if self._closed:
                raise ServerError(f"the connection to {self.target} is closed")
            if self._client is None:
                self._client = data_client(BigtableDataClient, self.target, self._options, fast_streams)
            if (table, profile, paced) not in self._tables:
                found = opened(self._client, self.target.instance_id, table, profile)
                pace = self._paces.setdefault(profile, Pace()) if paced else None
                self._tables[table, profile, paced] = Calls.of(found, pace)
            return self._tables[table, profile, paced]


class Database(Mixed):
    """An instance that rows are read from and written to; made by ``connect``.

    ``target`` and ``options`` are what ``connect`` takes, and raise what they raise there. Close it, or use it
    in a ``with`` block: a server that connecting started is stopped then.
    """

    def __init__(self, target: Target | str | None = None, **options: Unpack[ConnectOptions]) -> None:
        # Before the target is resolved, which may start a server that somebody has to stop.
        Options.of(options)
        self.target = target if isinstance(target, Target) else resolve(target)
        self.options = self.target.options.with_changes(options)
        if self.target.host is None:
            self.options = evolve(self.options, credentials=credentials_of(self.options), impersonate=None)
        self._connection = Connection(self.target, self.options)
        self._reached()

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """The same connection for calls with other options: ``db.with_options(deadline=0.5)``.

        It costs next to nothing, so it may be made for a single call. Closing either closes the connection. Raises
        :class:`SettingsError` for an option that is wrong, or that belongs to the connection.
        """
        view = copy(self)
        view.options = self.options.for_calls(options)
        view._reached()
        return view

    def with_profile(self, app_profile: str | None) -> Self:
        """The same connection for calls that are routed by another app profile; None is the instance's default."""
        return self.with_options(app_profile=app_profile)

    def _reached(self) -> None:
        calls = partial(self._connection.calls, self.options.app_profile, self.options.flow_control)
        self._access = InstanceAccess(calls, self.target, self.options)

    def read(self, plan: ReadPlan) -> Stream[Row]:
        """The rows of ``plan`` as they arrive: row key and cells, newest cell of a column first.

        Rows are not collected: memory does not grow with their number. Ranges that are
        MERGED are read at the same time, and a message of each is held. Closing the stream
        ends its requests.

        Take as long for the rows as you like: only the time spent waiting for the server
        counts, and it counts anew from each row on. A request ends after the ``attempt_timeout``; the
        rest is then asked for from the last row on. Where no row comes within the ``scan`` deadline, and the
        server does not say that it is looking further either, the read fails. Raises
        :class:`MissingTable` and :class:`ServerError`, also for an answer that is not valid.
        """
        with closing(self.read_batches(plan, RAW)) as batches:
            for batch in batches:
                for row in zip(batch.keys, batch.rows, strict=True):
                    yield row

    def read_batches(
        self, plan: ReadPlan, decoder: RowDecoder[T], parallel: Parallel | None = None
    ) -> Batches[T]:
        """What ``decoder`` makes of the rows of ``plan``, in batches: those that one message of the server ends.

        All that is said of ``read`` holds. What the decoder raises ends the read, behind the rows
        in front of that one. With ``parallel``, parts of the table are read at the same time.
        """
        theirs = self.options.data_plane == "client" and not plan.backwards
        one = read_with_client if theirs else read
        if parallel is not None:
            return self._read_parts(one, plan, decoder, parallel)
        return joined(plan, partial(one, self._access, decoder=decoder))

    def read_first(self, plan: ReadPlan, decoder: RowDecoder[T]) -> T | None:
        """What ``decoder`` makes of the first row of ``plan``; None where there is none. Raises what ``read`` does."""
        if self.options.data_plane == "btmodel" and plan.joined is RangeOrder.KEY_ORDER:
            return read_first(self._access, plan, decoder)
        with closing(self.read_batches(plan.limited(1), decoder)) as batches:
            for batch in batches:
                return batch.rows[0]
        return None

    def gathered(self, streams: Sequence[Callable[[], Stream[T]]], parallel: Parallel) -> Stream[T]:
        """What several streams give, of which so many are open at once; those still open end with this one."""
        return Gathering(streams, Tasks(), parallel.workers, parallel.ordered).items()

    def _read_parts(
        self, one: Callable[..., Batches[T]], plan: ReadPlan, decoder: RowDecoder[T], parallel: Parallel
    ) -> Batches[T]:
        tasks = Tasks()
        parts = parallel.parts(plan, self.splits(plan.table))
        watched = evolve(self._access, open=partial(self._watched, tasks))
        streams = [partial(one, watched, part, decoder, tasks.pause) for part in parts]
        gathering = Gathering(streams, tasks, parallel.workers, parallel.ordered)
        left = plan.limit
        with closing(gathering.items()) as batches:
            for batch in batches:
                if left is not None and len(batch.keys) >= left:
                    yield RowBatch(batch.keys[:left], batch.rows[:left])
                    return
                yield batch
                left = left and left - len(batch.keys)

    def _watched(self, tasks: Tasks, table: str) -> Calls:
        return tasks.watched(self._access.open(table))

    @overload
    def sql(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        types: Mapping[str, Any] | None = None,
    ) -> SqlRows[Any]: ...
    @overload
    def sql(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        into: type[T],
        types: Mapping[str, Any] | None = None,
    ) -> SqlRows[T]: ...
    def sql(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        into: type[Any] | None = None,
        types: Mapping[str, Any] | None = None,
    ) -> SqlRows[Any]:
        """The rows of a query in GoogleSQL, which is sent when they are read: ``db.sql("SELECT … WHERE _key = @key", {"key": b"a"})``.

        ``parameters`` are values by the names that stand behind ``@``: bytes, str, int, float, bool, an aware datetime, a date, or a list
        of one of them. None and an empty list have no type, so ``types`` gives it, as ``{"key": bytes}`` or ``{"keys": list[bytes]}``. A row is
        a named tuple: ``_key`` is ``row.key``, and the second column is ``row.column_2`` where it has no name of its own. With ``into``,
        a NamedTuple, a dataclass or a class of attrs whose fields have the names of columns, it is one of these; with a model, a row of it, of a
        query for whole families, such as ``SELECT *``. Rows of a model leave out what has expired and what a GC rule lets the service delete.

        Raises :class:`ValueRefused` for a NULL in a field of ``into`` whose type has no None, and :class:`QueryRefused` for a query or a parameter that cannot be sent, or, with the first row, for a model that needs the history of its cells.
        """
        sent = Parameters.of(query, {} if parameters is None else parameters, {} if types is None else types)
        return SqlRows(self._access, query_text(query), sent, partial(maker, into))

    def cells(self, table: str, prefix: bytes = b"") -> Stream[Row]:
        """The raw rows of a table whose keys begin with ``prefix``: every cell that is there, undecoded.

        Nothing is left out, so this shows what garbage collection has not reached yet, and
        cells of models that are no longer declared. Raises :class:`QueryRefused` for a prefix that is not bytes.
        """
        if not isinstance(prefix, bytes):
            raise QueryRefused(
                f"cells: expected the beginning of row keys as bytes, such as b'NYSE#', got {shown(prefix)}"
            )
        return self.read(ReadPlan(table, (RowRange.of_prefix(prefix),), None))

    def splits(self, table: str) -> list[bytes]:
        """Keys that divide the table into parts of about the same size, in order; none of a small table.

        Raises :class:`MissingTable` and :class:`ServerError`.
        """
        return [key for key, _ in self.samples(table) if key]

    def samples(self, table: str) -> list[tuple[bytes, int]]:
        """The keys of ``splits``, each with about how many bytes of the table lie in front of it; the end of the table is an empty key.

        Raises :class:`MissingTable` and :class:`ServerError`.
        """
        return samples(self._access, table)

    def change_partitions(self, table: str) -> list[Partition]:
        """The partitions of the change stream of a table, in the order of their keys. Raises :class:`MissingTable` and :class:`ServerError`."""
        return initial_partitions(self._access, table)

    def change_events(
        self, tasks: Tasks, table: str, partition: Partition, tokens: Tokens, **options: Any
    ) -> Stream[Event]:
        """The events of one partition of a change stream behind its tokens, for work of ``tasks``; ends with them."""
        watched = evolve(self._access, open=partial(self._watched, tasks))
        return changes(watched, table, partition, tokens, pause=tasks.pause, **options)

    def write(self, mutation: Mutation) -> None:
        """Apply one mutation, all of it or nothing: its deletes, then its cells, then its adds.

        A mutation without adds may be sent again where no answer comes, which changes
        nothing that it had done. One that adds is sent once: where the answer is lost,
        the error says that it may have been applied. Raises :class:`MissingTable`,
        :class:`MissingFamily` and :class:`ServerError`.
        """
        with self._write(MUTATE_ROW, mutation.table, once=mutation.adding) as call:
            calls = self._access.open(mutation.table)
            ask(call, calls, MUTATE_ROW, write_request(calls, mutation))

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds, both at once; whether it was applied.

        Of several that compete for one row, each sees what those before it wrote. Sent
        once: after a lost answer its own write could make the condition fail. The error
        says then that it may have been applied; read the row to know. Raises
        :class:`QueryRefused` for a condition too large to send, :class:`MissingTable`,
        :class:`MissingFamily` and :class:`ServerError`.
        """
        table = conditional.mutation.table
        with self._write(CHECK_AND_MUTATE_ROW, table, once=True, filter=conditional.found) as call:
            calls = self._access.open(table)
            request = conditional_request(calls, conditional)
            answer = ask(call, calls, CHECK_AND_MUTATE_ROW, request)
            return found(answer) is conditional.present

    def modify(self, change: ReadModifyWrite) -> list[Cell]:
        """Increment and append to cells where they are; the cells as they are now.

        Sent once: where the answer is lost, the error says that it may have been applied.
        Raises :class:`MissingTable`, :class:`MissingFamily` and :class:`ServerError`, also for an
        increment of a cell that does not hold 8 bytes.
        """
        with self._write(READ_MODIFY_WRITE_ROW, change.table, once=True) as call:
            calls = self._access.open(change.table)
            request = modify_request(calls, change)
            return changed(ask(call, calls, READ_MODIFY_WRITE_ROW, request))

    def delete(self, table: str, key: bytes) -> None:
        """Delete one row, if it is there."""
        self.write(Mutation(table, key, deletes=(Delete(),)))

    def write_many(
        self,
        table: str,
        mutations: Iterable[Encoded],
        progress: Callable[[int], object] | None = None,
        permit: Callable[[], float] | None = None,
    ) -> int:
        """Apply any number of mutations, each row atomic on its own, and return how many.

        They go in batches of at most 1,000 rows and 4 MiB, of which up to 8 and 32 MiB are under way at
        a time (``requests_in_flight`` and ``bytes_in_flight``), so memory stays flat. Of two writes of a cell the later one counts. What failed is
        sent again, row by row, where the server may take it; as with ``write``, a mutation that adds is
        sent once, and fails where its answer is lost.

        ``progress`` is called with the number of rows acknowledged so far, after each batch. Raises
        :class:`WriteFailed`, with every row that is not known to be written, once all were tried; after
        1,000 failures the rest is not tried. Whatever else ends the write, an error of the source
        of the mutations or an interrupt, has a note of how many rows were written before, and
        how many may have been; nothing is under way after it.

        ``permit`` is called right before each request, those that are made again included, and gives the seconds that
        it may take; what it raises ends the write.
        """
        return Bulk(table, self._access, progress, permit).write(mutations)

    def writer(
        self,
        table: str,
        encoded: Callable[[T], Encoded],
        progress: Callable[[int], object] | None = None,
    ) -> Writer[T]:
        """A writer to ``table`` that is given one row after the other, of which ``encoded`` makes mutations; as :meth:`write_many`."""
        return Writer(Bulk(table, self._access, progress), encoded)

    def close(self) -> None:
        """Close the connection, and stop the server that it started, if any."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, method: str, table: str, *, once: bool, filter: Filter | None = None) -> ActiveCall:
        return ActiveCall(self._access, "write", method, table, once=once, filter=filter)
