"""Queries analysed by the process of `child`, which is started when the first one comes, and ended where it takes too long."""

from __future__ import annotations

import json
import re
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

#: A type: a name such as "BYTES", or a list of ARRAY, MAP or STRUCT and what it is of.
SqlType: TypeAlias = Any
Node: TypeAlias = dict[str, Any]

INSTALL = "SQL needs Google's GoogleSQL front end: install it with `pip install 'btmodel[sql]'`"
LONGEST = 1 << 17  # bytes of a query
_STARTING = (
    240.0  # seconds; the first start on a machine compiles the engine, which takes 26 s of both of two cores
)
_ANSWERING = 10.0  # seconds; a query takes 10 ms
_LARGEST = 1 << 25  # bytes of an answer
_HISTORY = re.compile(r"with_history\s*=>\s*true", re.IGNORECASE)
INVALID, EXHAUSTED, INTERNAL = 3, 8, 13  # codes of gRPC
#: The options of a table, in the order in which a tree has them, and their types.
OPTIONS = {
    "with_history": "BOOL", "as_of": "TIMESTAMP", "latest_n": "INT64", "after": "TIMESTAMP",
    "after_or_equal": "TIMESTAMP", "before": "TIMESTAMP", "before_or_equal": "TIMESTAMP",
}  # fmt: skip


class QueryError(Exception):
    """A query that cannot be run: a sentence, and the code of gRPC that it has."""

    def __init__(self, text: str, code: int = INVALID) -> None:
        super().__init__(text)
        self.text, self.code = text, code


def installed() -> bool:
    """Whether there is an engine."""
    return find_spec("zetasql") is not None


def output_columns(tree: Node) -> list[tuple[str, SqlType, int]]:
    """Names, types and numbers of the columns of a query; a column without a name has an empty one."""
    columns = tree["output_column_list"]
    names = ("" if column["name"].startswith("$") else column["name"] for column in columns)
    found = [column["column"] for column in columns]
    return [(name, one["type"], one["column_id"]) for name, one in zip(names, found, strict=True)]


_WORD = re.compile(r"`([^`]*)`|(\w+)")


def mentioned(query: str, names: Iterable[str]) -> list[str]:
    """The names of tables that stand in a query: the engine knows no capitals in them, the service does."""
    words = {quoted or plain for quoted, plain in _WORD.findall(query)}
    return [name for name in names if name in words]


class Analyzer:
    """The engine's process, for one query at a time."""

    def __init__(self) -> None:
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def analyse(
        self, query: str, tables: Mapping[str, Sequence[str]], parameters: Mapping[str, SqlType]
    ) -> Node:
        """The resolved tree of a query over tables, of which the families are given. Raises :class:`QueryError`."""
        if len(query.encode()) > LONGEST:
            raise QueryError(f"The query has {len(query.encode()):,} bytes: expected at most {LONGEST:,}")
        history = _HISTORY.search(query) is not None
        request = {
            "sql": query,
            "tables": {name: list(tables[name]) for name in mentioned(query, tables)},
            "parameters": dict(parameters),
            "history": history,
        }
        answer = self._ask(request)
        if "error" in answer:
            raise QueryError(answer["error"], answer["code"])
        tree: Node = answer["tree"]
        return tree

    def close(self) -> None:
        """End the process, also one that is at work."""
        self._closed = True
        if self._process is not None:
            self._process.kill()
        with self._lock:
            self._end()

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            process, limit = self._process, _ANSWERING
            if process is None or process.poll() is not None:
                process, limit = self._start(), _STARTING
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
                answer: dict[str, Any] = json.loads(_line(process, limit))
                return answer
            except (BrokenPipeError, EOFError):
                self._end()
                raise QueryError("The engine of GoogleSQL failed on this query", INTERNAL) from None
            except TimeoutError:
                self._end()
                text = f"The engine of GoogleSQL did not analyse this query in {limit:.0f} seconds"
                raise QueryError(text, EXHAUSTED) from None

    def _start(self) -> subprocess.Popen[bytes]:
        if not installed():
            raise QueryError(INSTALL, 12)
        if self._closed:
            raise QueryError("The server is stopping", 14)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "btmodel.googlesql.child"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _line(process: subprocess.Popen[bytes], limit: float) -> bytes:
    """The next line that a process prints. Raises TimeoutError and EOFError."""
    assert process.stdout is not None
    until, found = time.monotonic() + limit, bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not found.endswith(b"\n"):
            if not selector.select(max(0.0, until - time.monotonic())):
                raise TimeoutError
            piece = process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            if not piece or len(found) > _LARGEST:
                raise EOFError
            found += piece
    return bytes(found)
