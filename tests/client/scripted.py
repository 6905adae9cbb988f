"""A Bigtable service that answers reads by a script: what no other server can be made to do."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
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


class _Service(grpc.GenericRpcHandler):
    def __init__(self, answers: Sequence[Answer], requests: list[ReadRowsRequest]) -> None:
        self._answers = answers
        self._requests = requests

    def service(self, handler_call_details: Any) -> Any:
        if handler_call_details.method != READ_ROWS:
            return None
        return grpc.unary_stream_rpc_method_handler(
            self._answer,
            request_deserializer=ReadRowsRequest.deserialize,
            response_serializer=ReadRowsResponse.serialize,
        )

    def _answer(self, request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        self._requests.append(request)
        # The last answer is given again and again.
        return self._answers[min(len(self._requests), len(self._answers)) - 1](request, call)


@contextmanager
def scripted(*answers: Answer) -> Iterator[tuple[Target, list[ReadRowsRequest]]]:
    """A target whose service gives these answers to one request after the other, and the requests."""
    requests: list[ReadRowsRequest] = []
    with ThreadPoolExecutor(8) as threads:
        server = grpc.server(threads, handlers=[_Service(answers, requests)])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield Target("projects/p/instances/i", f"127.0.0.1:{port}", lambda: None), requests
        finally:
            server.stop(None).wait()
