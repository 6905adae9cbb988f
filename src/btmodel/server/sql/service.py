"""PrepareQuery and ExecuteQuery."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import google_crc32c
from grpc import StatusCode

from btmodel.googlesql.analysis import OPTIONS, Analyzer, Node, QueryError, SqlType, mentioned, output_columns
from btmodel.server import limits, protos
from btmodel.server.catalog import Catalog
from btmodel.server.protos import DecodeError, Message
from btmodel.server.service import Pause
from btmodel.server.sql.expressions import Compiler, Row
from btmodel.server.sql.plan import Plan, plan
from btmodel.server.sql.reading import Reader
from btmodel.server.sql.values import parameter_type, parameter_value, type_message, writer
from btmodel.server.status import RequestError, invalid, precondition
from btmodel.server.store import Store
from btmodel.server.view_functions import Failed

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

    def _results(self, request: Message, ready: Plan, types: Sequence[SqlType]) -> Iterator[Message | Pause]:
        """The rows in messages, each with how to go on behind it: behind a key, or else behind so many rows."""
        kind, mark = request.resume_token[:1], request.resume_token[1:]
        after = mark if kind == _KEY else b""
        skipped = int(mark) if kind == _COUNT and mark.isdigit() else 0
        pages: Iterator[list[Row]] = iter([[[None] * ready.width]])
        reader = None
        if ready.source.table is not None:
            name = f"{request.instance_name}/tables/{ready.source.table}"
            reader = Reader(self._store, self._catalog, name, ready, self._eager_gc)
            pages = reader.pages(after)
        write, given = _writer(ready.outputs, [writer(kind) for kind in types]), 0
        for rows in ready.run(pages):
            for at in range(0, len(rows), _AT_ONCE):
                part = rows[at : at + _AT_ONCE]
                given += len(part)
                if given > skipped:
                    left = part[max(0, len(part) - (given - skipped)) :]
                    yield write(left, b"" if ready.streams else _COUNT + b"%d" % given)
            if rows and reader and ready.streams:
                yield write([], _KEY + reader.last)
            yield Pause(0.0, lambda: False)  # others have their turn
        if not given:
            yield write([], _COUNT + b"0")

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
    """What a prepared query begins with: it tells columns from others."""
    checksum: int = google_crc32c.value(metadata.SerializeToString(deterministic=True))
    return checksum.to_bytes(_MARK)


def _metadata(tree: Node) -> Message:
    found = _Metadata()
    for name, kind, _ in output_columns(tree):
        found.proto_schema.columns.add(name=name, type_=type_message(kind))
    return found


def _writer(
    places: Sequence[int], writers: Sequence[Callable[[Message, Any], None]]
) -> Callable[[Sequence[Row], bytes], Message]:
    """What makes a message of rows, with the token to resume behind them, if they end a part of the result."""
    pairs = list(zip(places, writers, strict=True))

    def write(rows: Sequence[Row], token: bytes) -> Message:
        answer = _Answer()
        answer.results.resume_token = token
        if rows:
            values = _Rows()
            add = values.values.add
            for row in rows:
                for place, put in pairs:
                    message, value = add(), row[place]
                    if value is not None:
                        put(message, value)
            data = values.SerializeToString()
            answer.results.proto_rows_batch.batch_data = data
            answer.results.batch_checksum = google_crc32c.value(data)
            answer.results.estimated_batch_size = len(data)
        return answer

    return write
