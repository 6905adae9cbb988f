"""A Bigtable service whose answers a test makes: by a script of its own, or by asking a real server and changing what came."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

from btmodel.client.target import Target
from btmodel.server import protos

STREAMS = {method.path for method in protos.methods() if method.streams}
# The messages that answer one request: given the path of its method, its bytes, and the call, which it may abort.
Answer = Callable[[str, bytes, Any], Iterator[bytes]]


class _Service(grpc.GenericRpcHandler):
    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def service(self, handler_call_details: Any) -> Any:
        path = handler_call_details.method

        def one(request: bytes, call: Any) -> bytes:
            return next(self._answer(path, request, call), b"")

        def several(request: bytes, call: Any) -> Iterator[bytes]:
            return self._answer(path, request, call)

        if path in STREAMS:
            return grpc.unary_stream_rpc_method_handler(several)
        return grpc.unary_unary_rpc_method_handler(one)


@contextmanager
def answering(answer: Answer, port: int = 0, credentials: Any = None) -> Iterator[Target]:
    """A target whose service gives that answer to every request; of a method with one answer it is the first message."""
    with ThreadPoolExecutor(32) as threads:
        options = [("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0)]
        server = grpc.server(threads, handlers=[_Service(answer)], options=options)
        place = f"127.0.0.1:{port}"
        taken = server.add_secure_port(place, credentials) if credentials else server.add_insecure_port(place)
        server.start()
        try:
            yield Target("projects/p/instances/i", f"127.0.0.1:{taken}")
        finally:
            server.stop(None).wait()


def asked(behind: grpc.Channel, path: str, request: bytes, call: Any, metadata: Any = ()) -> Iterator[bytes]:
    """What a server ``behind`` answers, its errors included."""
    try:
        if path in STREAMS:
            yield from behind.unary_stream(path)(request, metadata=metadata)
        else:
            yield behind.unary_unary(path)(request, metadata=metadata)
    except grpc.RpcError as error:
        failed: Any = error
        call.abort(failed.code(), failed.details() or "")
