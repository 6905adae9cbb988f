"""A Bigtable service that takes writes in and answers them by a script: what no other server can be made to do."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import grpc
from attrs import define, field
from fake_bigtable import answering
from google.cloud.bigtable_v2.types import MutateRowsRequest, MutateRowsResponse

from btmodel.client.target import Target

MUTATE_ROWS = "/google.bigtable.v2.Bigtable/MutateRows"
# Beneath Google's classes, whose own wrapping is slow.
REQUEST, RESPONSE = MutateRowsRequest.pb(), MutateRowsResponse.pb()
OK, UNAVAILABLE, INVALID = 0, 14, 3
Said = tuple[int, int]  # of an entry, by its place in the request: a code


@define
class Table:
    """The rows that were written, and what was asked: shared by the requests of a service, which come together."""

    rows: dict[bytes, bytes] = field(factory=dict)
    # Which keys each request named, and how often each key came in any.
    requests: list[list[bytes]] = field(factory=list)
    sent: Counter[bytes] = field(factory=Counter)
    now: int = 0  # requests
    most: int = 0
    ended: int = 0
    _lock: Lock = field(factory=Lock)

    @contextmanager
    def request(self, entries: Sequence[Any]) -> Iterator[int]:
        """Count a request while it is answered; which one it is."""
        with self._lock:
            keys = [entry.row_key for entry in entries]
            self.requests.append(keys)
            self.sent.update(keys)
            number = len(self.requests) - 1
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            yield number
        finally:
            with self._lock:
                self.now -= 1
                self.ended += 1

    def apply(self, *entries: Any) -> None:
        """Do what the entries say."""
        with self._lock:
            for entry in entries:
                for mutation in entry.mutations:
                    self.rows[entry.row_key] = mutation.set_cell.value or b"added"


Entries = Sequence[Any]
# Answers one request: given its number, its entries, the table and the call.
Script = Callable[[int, Entries, Table, Any], Iterator[Any]]


def answer(*said: Said, words: str = "as scripted") -> Any:
    """One message of an answer."""
    made = RESPONSE()
    for index, code in said:
        entry = made.entries.add(index=index)
        entry.status.code, entry.status.message = code, words if code else ""
    return made


def well(number: int, entries: Entries, table: Table, call: Any) -> Iterator[Any]:
    """The answer to a request that goes well."""
    table.apply(*entries)
    yield answer(*((index, OK) for index in range(len(entries))))


@contextmanager
def served(script: Script, table: Table, port: int = 0) -> Iterator[Target]:
    """A target whose service answers bulk writes by ``script``, and changes ``table``."""

    def answer(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        if path != MUTATE_ROWS:
            call.abort(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
        entries = list(REQUEST.FromString(request).entries)
        with table.request(entries) as number:
            for message in script(number, entries, table, call):
                yield message.SerializeToString()

    with answering(answer, port) as target:
        yield target
