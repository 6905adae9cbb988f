"""PrepareQuery and ExecuteQuery, over the rows of a table as SQL sees them: the key, and a map for each column family."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import google_crc32c
from attrs import define, field, frozen
from grpc import StatusCode

from btmodel.googlesql.analysis import OPTIONS, Analyzer, Node, QueryError, SqlType, mentioned, output_columns
from btmodel.server import limits, protos, stored_rows
from btmodel.server.catalog import Catalog, CatalogTable
from btmodel.server.protos import DecodeError, Message
from btmodel.server.request_errors import RequestError, invalid, precondition
from btmodel.server.service import Pause
from btmodel.server.sql.expressions import Compiler, Row
from btmodel.server.sql.query_plan import SqlPlan, plan
from btmodel.server.sql.values import parameter_type, parameter_value, type_message, writer
from btmodel.server.store import KeyRange, Store
from btmodel.server.stored_rows import LARGEST_MESSAGE, ServerCell
from btmodel.server.view_functions import Failed, micros_of, time_of

_NO_HISTORY = ("as_of",)


@frozen
class VersionTimes:
    """Which versions of cells a query sees: from ``start`` up to but not including ``end``, the newest ``latest`` of a column."""

    history: bool = False
    start: int | None = None
    end: int | None = None
    latest: int | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> VersionTimes:
        """What the options of a table ask for. Raises :class:`QueryError` for some that exclude each other."""
        history = bool(options.get("with_history"))
        for name, value in options.items():
            if name != "with_history" and (name in _NO_HISTORY) is history:
                must = "must not be given with" if history else "needs"
                raise QueryError(f"{name} {must} with_history => TRUE")
            if name == "latest_n" and value < 1:
                raise QueryError(f"latest_n must be at least 1, but got {value}")
        starts = _bounds(options, after=1, after_or_equal=0)
        ends = _bounds(options, before=0, before_or_equal=1, as_of=1)
        return cls(history, max(starts, default=None), min(ends, default=None), options.get("latest_n"))

    @property
    def plain(self) -> bool:
        """Whether all times are seen."""
        return self.start is None and self.end is None

    def holds(self, cell: ServerCell) -> bool:
        """Whether a cell is of one of the times."""
        after = self.start is None or cell.timestamp >= self.start
        return after and (self.end is None or cell.timestamp < self.end)


def _bounds(options: Mapping[str, Any], **names: int) -> list[int]:
    return [micros_of(options[name]) + more for name, more in names.items() if name in options]


class PageReader:
    """Reads what a plan needs, a page of rows at a time."""

    def __init__(self, store: Store, catalog: Catalog, name: str, plan: SqlPlan, eager_gc: bool) -> None:
        self._store, self._catalog, self._name = store, catalog, name
        self._plan, self._eager_gc = plan, eager_gc
        self._times = VersionTimes.of(plan.source.options)
        self.last = b""  #: the key up to which rows were read

    def pages(self, after: bytes = b"") -> Iterator[list[Row]]:
        """Pages of rows in the order of their keys, those behind a key."""
        self.last = after
        for keys in self._plan.source.ranges:
            more = True
            while more:
                if self.last and self.last >= keys.start:
                    keys = KeyRange(self.last + b"\0", keys.end)
                if keys.end is not None and keys.start >= keys.end:
                    break
                table = self._catalog.get(self._name)
                page, more = self._store.page(table.number, keys, False)
                if page:
                    self.last = page[-1][0]
                yield self._rows(table, page)

    def _rows(self, table: CatalogTable, page: list[tuple[bytes, bytes]]) -> list[Row]:
        source, width = self._plan.source, self._plan.width
        families = {name: place for name, place in self._families(table) if name}
        key_place = source.columns.get(0)
        collecting = self._eager_gc and table.collects
        bare = not families and self._times.plain and not collecting
        found: list[Row] = []
        for key, stored in page:
            row: Row = [None] * width
            if key_place is not None:
                row[key_place] = key
            if not bare:
                cells = stored_rows.decode_cells(stored)
                if collecting:
                    cells = list(
                        stored_rows.cells(table.without_garbage(stored_rows.decode(stored)), table.places)
                    )
                if not self._times.plain:
                    cells = [cell for cell in cells if self._times.holds(cell)]
                if not cells:
                    continue
                for place in families.values():
                    row[place] = {}
                (self._history if self._times.history else _newest)(row, cells, families)
            found.append(row)
        return found

    def _families(self, table: CatalogTable) -> Iterator[tuple[str, int]]:
        """The families that are read, with their places in a row."""
        names = list(table.families)
        for number, place in self._plan.source.columns.items():
            if 0 < number <= len(names):
                yield names[number - 1], place

    def _history(self, row: Row, cells: list[ServerCell], families: Mapping[str, int]) -> None:
        for family, qualifier, timestamp, value, _ in cells:
            place = families.get(family)
            if place is not None:
                versions = row[place].setdefault(qualifier, [])
                if self._times.latest is None or len(versions) < self._times.latest:
                    versions.append((time_of(timestamp), value))


def _newest(row: Row, cells: list[ServerCell], families: Mapping[str, int]) -> None:
    """The first cell of a column is its newest."""
    for family, qualifier, _, value, _ in cells:
        place = families.get(family)
        if place is not None:
            row[place].setdefault(qualifier, value)


_Prepared = protos.data("PrepareQueryResponse")
_Request = protos.data("PrepareQueryRequest")
_Metadata = protos.data("ResultSetMetadata")
_Answer = protos.data("ExecuteQueryResponse")
_Rows = protos.data("ProtoRows")

_KNOWN = 200  # analysed queries that are remembered
_VALID = 3600  # seconds; how long the service keeps a prepared query is not documented
_LOOKS = 0.02  # seconds between two looks whether a query is analysed
_MARK = 4  # bytes
_AT_ONCE = 500  # rows in one message
_TURN = 0.01  # seconds
_KEY, _COUNT = b"k", b"n"  # the kinds of a token: behind a key, behind so many rows


class SqlService:
    """Answers queries. The engine starts with the first one, and holds no thread of the server while it works."""

    def __init__(self, store: Store, catalog: Catalog, eager_gc: bool) -> None:
        self._store, self._catalog, self._eager_gc = store, catalog, eager_gc
        self._analyzer = Analyzer()
        self._pool = ThreadPoolExecutor(1, "sql")
        self._known: OrderedDict[object, Node] = OrderedDict()

    def close(self) -> None:
        """End the engine."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._analyzer.close()

    def prepare(self, request: Message) -> Iterator[Message | Pause]:
        """Analyse a query: the columns of its result, and what to run it by."""
        tree = yield from self._analysed(request)
        metadata = _metadata(tree)
        token = _mark(metadata) + request.SerializeToString(deterministic=True)
        answer = _Prepared(metadata=metadata, prepared_query=token)
        answer.valid_until.FromSeconds(int(time.time()) + _VALID)
        yield answer

    def execute(self, request: Message) -> Iterator[Message | Pause]:
        """Run a query, and give its rows as they are found."""
        prepared = _prepared(request)
        parameters = _parameters(prepared, request)
        tree = yield from self._analysed(prepared)
        metadata = _metadata(tree)
        if not request.prepared_query:
            yield _Answer(metadata=metadata)
        elif not request.prepared_query.startswith(_mark(metadata)):
            raise precondition(
                "The prepared query has expired, as its columns have changed: prepare it again"
            )
        with self._store.scan(), _refusing(), self._store.explained():
            ready = plan(tree, Compiler.of(parameters), tuple(OPTIONS))
            yield from self._results(request, ready, [kind for _, kind, _ in output_columns(tree)])

    def _results(
        self, request: Message, ready: SqlPlan, types: Sequence[SqlType]
    ) -> Iterator[Message | Pause]:
        """The rows in messages, each with how to go on behind it: behind a key, or else behind so many rows."""
        kind, mark = request.resume_token[:1], request.resume_token[1:]
        after = mark if kind == _KEY else b""
        skipped = int(mark) if kind == _COUNT and mark.isdigit() else 0
        pages: Iterator[list[Row]] = iter([[[None] * ready.width]])
        reader = None
        if ready.source.table is not None:
            name = f"{request.instance_name}/tables/{ready.source.table}"
            reader = PageReader(self._store, self._catalog, name, ready, self._eager_gc)
            pages = reader.pages(after)
        result = _Result(ready, skipped, _writer(ready.outputs, [writer(kind) for kind in types]))
        for page in pages:
            for some in ready.feed(page):
                yield from result.take(some)
            yield from result.give()
            if reader:
                yield from result.mark(reader.last)
            if ready.done:
                break
        for some in ready.rest():
            yield from result.take(some)
        yield from result.end()

    def _analysed(self, prepared: Message) -> Generator[Pause, None, Node]:
        """The tree of a query; while the engine works, no thread waits for it."""
        limits.check_instance(prepared.instance_name)
        ids = {name.rpartition("/")[2]: name for name in self._catalog.names(prepared.instance_name)}
        named = {id: tuple(self._catalog.get(ids[id]).families) for id in mentioned(prepared.query, ids)}
        types = _types(prepared)
        key = prepared.query, repr(sorted(types.items())), repr(sorted(named.items()))
        tree = self._known.get(key)
        if tree is None:
            future = self._pool.submit(self._analyzer.analyse, prepared.query, named, types)
            while not future.done():
                yield Pause(time.monotonic() + _LOOKS, lambda: not future.done())
            with _refusing():
                tree = future.result()
                samples = {name: 1 if kind == "INT64" else None for name, kind in types.items()}
                plan(tree, Compiler.of(samples), tuple(OPTIONS))  # refuses now what cannot be evaluated
            self._known[key] = tree
            while len(self._known) > _KNOWN:
                self._known.popitem(last=False)
        return tree


@define
class _Result:
    """Rows on their way to the client, some hundreds in a message, of which the first ``skipped`` were sent before.

    Others have their turn after each message, and where a query works for longer than that takes.
    """

    plan: SqlPlan
    skipped: int
    write: Callable[[Sequence[Row], bytes], Iterator[Message]]
    given: int = 0
    held: list[Row] = field(factory=list)
    marked: int = 0  #: how many rows there were when the last key was sent
    since: float = field(factory=time.monotonic)

    def take(self, rows: list[Row]) -> Iterator[Message | Pause]:
        """Take in rows, and give them if they are enough."""
        self.held += rows
        if len(self.held) >= _AT_ONCE:
            yield from self.give()
        elif time.monotonic() > self.since + _TURN:
            yield self._pause()

    def give(self) -> Iterator[Message | Pause]:
        """Give what is held."""
        for at in range(0, len(self.held), _AT_ONCE):
            part = self.held[at : at + _AT_ONCE]
            self.given += len(part)
            left = part[max(0, len(part) - max(0, self.given - self.skipped)) :]
            if left:
                yield from self.write(left, b"" if self.plan.streams else _COUNT + b"%d" % self.given)
        self.held = []
        yield self._pause()

    def mark(self, key: bytes) -> Iterator[Message]:
        """Say up to which key rows were read, if some of them were given."""
        if self.plan.streams and self.given > self.marked:
            self.marked = self.given
            yield from self.write([], _KEY + key)

    def end(self) -> Iterator[Message | Pause]:
        """Give the last rows; a result without any has a message, too."""
        yield from self.give()
        if not self.given:
            yield from self.write([], _COUNT + b"0")

    def _pause(self) -> Pause:
        self.since = time.monotonic()
        return Pause(0.0, lambda: False)


@contextmanager
def _refusing() -> Iterator[None]:
    """Answer the errors of queries, and of their rows, as the service does, as far as that is known."""
    try:
        yield
    except QueryError as error:
        raise RequestError(_CODES.get(error.code, StatusCode.INTERNAL), error.text) from None
    except Failed as error:
        raise RequestError(StatusCode.OUT_OF_RANGE, f"The query failed: {error}") from None
    except RecursionError:
        raise invalid("The query is nested too deeply") from None


_CODES = {code.value[0]: code for code in StatusCode}


def _types(prepared: Message) -> dict[str, SqlType]:
    return {name: parameter_type(name, kind) for name, kind in prepared.param_types.items()}


def _prepared(request: Message) -> Message:
    """What an ExecuteQuery asks for: the request that prepared it, or a query in its text with the types of its parameters."""
    if not request.prepared_query:
        types = {name: value.type_ for name, value in request.params.items()}
        found = _Request(instance_name=request.instance_name, query=request.query)
        for name, kind in types.items():
            found.param_types[name].CopyFrom(kind)
        return found
    try:
        found = _Request.FromString(request.prepared_query[_MARK:])
    except DecodeError:
        raise invalid("prepared_query was not made by PrepareQuery") from None
    if found.instance_name != request.instance_name:
        raise invalid("prepared_query was made for another instance")
    return found


def _parameters(prepared: Message, request: Message) -> dict[str, Any]:
    """The values of all parameters."""
    types = _types(prepared)
    if set(types) != set(request.params):
        expected, got = (
            ", ".join(f"@{name}" for name in sorted(names)) or "none" for names in (types, request.params)
        )
        raise invalid(f"Expected values of the parameters of the prepared query: {expected}, got {got}")
    return {name: parameter_value(name, request.params[name], kind) for name, kind in types.items()}


def _mark(metadata: Message) -> bytes:
    """What a prepared query begins with, which distinguishes it from others."""
    checksum: int = google_crc32c.value(metadata.SerializeToString(deterministic=True))
    return checksum.to_bytes(_MARK)


def _metadata(tree: Node) -> Message:
    found = _Metadata()
    for name, kind, _ in output_columns(tree):
        found.proto_schema.columns.add(name=name, type_=type_message(kind))
    return found


def _writer(
    places: Sequence[int], writers: Sequence[Callable[[Message, Any], None]]
) -> Callable[[Sequence[Row], bytes], Iterator[Message]]:
    """What makes messages of rows, in pieces of a size that clients take; the last one has the token to resume behind them."""
    pairs = list(zip(places, writers, strict=True))

    def write(rows: Sequence[Row], token: bytes) -> Iterator[Message]:
        values = _Rows()
        add = values.values.add
        for row in rows:
            for place, put in pairs:
                message, value = add(), row[place]
                if value is not None:
                    put(message, value)
        data = values.SerializeToString()
        for at in range(0, len(data), LARGEST_MESSAGE):
            answer = _Answer()
            answer.results.proto_rows_batch.batch_data = data[at : at + LARGEST_MESSAGE]
            answer.results.estimated_batch_size = len(data)
            if at + LARGEST_MESSAGE >= len(data):
                answer.results.batch_checksum = google_crc32c.value(data)
                answer.results.resume_token = token
            yield answer
        if not data and token:
            answer = _Answer()
            answer.results.resume_token = token
            yield answer

    return write
