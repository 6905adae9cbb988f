"""A Bigtable service that answers reads by a script: what no other server can be made to do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
from fake_bigtable import answering
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse

from btmodel.client.target import Target

Answer = Callable[[ReadRowsRequest, Any], Iterator[ReadRowsResponse]]  # to one request; given its call
READ_ROWS = "/google.bigtable.v2.Bigtable/ReadRows"


def chunk(key: bytes = b"", column: str = "", value: bytes = b"", **other: Any) -> dict[str, Any]:
    """One chunk; ``column`` is ``family:qualifier``, ``:qualifier`` or nothing."""
    named: dict[str, Any] = {}
    family, colon, qualifier = column.partition(":")
    if family:
        named["family_name"] = family
    if colon:
        named["qualifier"] = qualifier.encode()
    return {"row_key": key, "value": value, **named, **other}


def row(key: bytes, value: bytes = b"v") -> dict[str, Any]:
    """The chunk of a row of one cell."""
    return chunk(key, "f:q", value, timestamp_micros=1000, commit_row=True)


def message(*chunks: dict[str, Any], scanned: bytes = b"") -> ReadRowsResponse:
    """One message of an answer."""
    return ReadRowsResponse(chunks=chunks, last_scanned_row_key=scanned)


def fail(call: Any, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
    """End an answer with an error."""
    call.abort(code, "as scripted")


@contextmanager
def scripted(*answers: Answer) -> Iterator[tuple[Target, list[ReadRowsRequest]]]:
    """A target whose service gives these answers to one read after the other, and the requests."""
    requests: list[ReadRowsRequest] = []

    def answer(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        if path != READ_ROWS:
            call.abort(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
        requests.append(ReadRowsRequest.deserialize(request))
        # The last answer is given again and again.
        given = answers[min(len(requests), len(answers)) - 1](requests[-1], call)
        yield from map(ReadRowsResponse.serialize, given)

    with answering(answer) as target:
        yield target, requests
