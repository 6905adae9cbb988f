"""A server in front of another one: what it is asked it asks that one, and some calls it fails, before they are done or after."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from google.cloud.bigtable_v2.types import MutateRowsRequest, MutateRowsResponse

from btmodel.server import protos

# Called with the path of each call: the code to fail with, and whether it is to be done all the same; None for no fault.
Fault = Callable[[str], tuple[grpc.StatusCode, bool] | None]


class Proxy(grpc.GenericRpcHandler):
    """Asks the server at ``host``."""

    def __init__(self, host: str, fault: Fault) -> None:
        self.channel: Any = grpc.insecure_channel(host, [("grpc.max_receive_message_length", -1)])
        self.fault = fault
        self.streams = {method.path for method in protos.methods() if method.streams}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any]":
        path = handler_call_details.method
        if path in self.streams:
            return grpc.unary_stream_rpc_method_handler(lambda *call: self.stream(path, *call))
        return grpc.unary_unary_rpc_method_handler(lambda *call: self.unary(path, *call))

    def unary(self, path: str, request: bytes, context: grpc.ServicerContext) -> bytes:
        fault = self.fault(path)
        if fault and not fault[1]:
            context.abort(fault[0], "as injected")
        try:
            answer: bytes = self.channel.unary_unary(path)(request)
        except grpc.RpcError as error:
            context.abort(error.code(), error.details() or "")
        if fault:
            context.abort(fault[0], "as injected")
        return answer

    def stream(self, path: str, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        fault = self.fault(path)
        if fault and not fault[1]:
            if path.endswith("/MutateRows"):  # which fails row by row
                entries = MutateRowsRequest.deserialize(request).entries
                code = fault[0].value[0]
                answers = [
                    MutateRowsResponse.Entry(index=n, status={"code": code}) for n in range(len(entries))
                ]
                yield MutateRowsResponse.serialize(MutateRowsResponse(entries=answers))
                return
            context.abort(fault[0], "as injected")
        try:
            yield from self.channel.unary_stream(path)(request)
        except grpc.RpcError as error:
            context.abort(error.code(), error.details() or "")
        if fault:
            context.abort(fault[0], "as injected")


@contextmanager
def failing(host: str, fault: Fault) -> Iterator[str]:
    """The address of a proxy of the server at ``host``."""
    proxy = Proxy(host, fault)
    server = grpc.server(ThreadPoolExecutor(16), handlers=[proxy])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()
        proxy.channel.close()
