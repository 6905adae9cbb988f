"""A server in front of another one: what it is asked it asks that one, and some calls it fails, before they are done or after."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
from fake_bigtable import STREAMS, answering, asked
from google.cloud.bigtable_v2.types import MutateRowsRequest, MutateRowsResponse

# Called with the path of each call: the code to fail with, and whether it is to be done all the same; None for no fault.
Fault = Callable[[str], tuple[grpc.StatusCode, bool] | None]


def each_failed(request: bytes, code: grpc.StatusCode) -> bytes:
    """The answer to a bulk write of which each row fails."""
    entries = MutateRowsRequest.deserialize(request).entries
    answers = [MutateRowsResponse.Entry(index=n, status={"code": code.value[0]}) for n in range(len(entries))]
    return MutateRowsResponse.serialize(MutateRowsResponse(entries=answers))


@contextmanager
def failing(host: str, fault: Fault) -> Iterator[str]:
    """The address of a proxy of the server at ``host``."""

    def answer(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        injected = fault(path)
        if injected and not injected[1]:
            if path.endswith("/MutateRows"):  # which fails row by row
                yield each_failed(request, injected[0])
                return
            call.abort(injected[0], "as injected")
        given = list(asked(behind, path, request, call))
        if injected and path not in STREAMS:
            call.abort(injected[0], "as injected")
        yield from given
        if injected:
            call.abort(injected[0], "as injected")

    with (
        grpc.insecure_channel(host, [("grpc.max_receive_message_length", -1)]) as behind,
        answering(answer) as target,
    ):
        yield str(target.host)
