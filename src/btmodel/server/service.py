"""The gRPC side: every method of the API finds its function here, or says that it has none."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import grpc
from attrs import frozen

from btmodel.server import failures, protos
from btmodel.server.protos import Message, Method
from btmodel.server.rows import LARGEST_MESSAGE, cut
from btmodel.server.running import COLLECT_GARBAGE
from btmodel.server.status import RequestError

_log = logging.getLogger(__name__)
_LONGEST_TEXT = 600  # characters; a status is sent in a header, and clients refuse headers over 8 KiB

_Empty = protos.message("google.protobuf.Empty")

Implementations = dict[str, object]


def handlers(implementations: Implementations) -> list[grpc.GenericRpcHandler]:
    """Handlers of all the methods; *implementations* are objects by the full names of their services."""
    services: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
    for method in protos.methods():
        service = method.path.split("/")[1]
        function = getattr(implementations.get(service), _snake(method.name), None)
        services.setdefault(service, {})[method.name] = _handler(method, function or _missing(method))
    return [grpc.method_handlers_generic_handler(name, methods) for name, methods in services.items()]


def local_handler(collect_garbage: Callable[[], None]) -> grpc.GenericRpcHandler:
    """The one method that only this server has, for tests that ask for garbage collection."""

    def collect(request: Message) -> Message:
        collect_garbage()
        return _Empty()

    method = Method(COLLECT_GARBAGE, _Empty, _Empty, streams=False)
    _, service, name = COLLECT_GARBAGE.split("/")
    return grpc.method_handlers_generic_handler(service, {name: _handler(method, collect)})


def _snake(name: str) -> str:
    """ReadRows -> read_rows."""
    return "".join("_" + char.lower() if char.isupper() else char for char in name).lstrip("_")


def _missing(method: Method) -> Callable[[Message], Any]:
    text = f"The local server does not support {method.name} ({method.path})"

    def refuse(request: Message) -> NoReturn:
        raise RequestError(grpc.StatusCode.UNIMPLEMENTED, text)

    return refuse


class UnknownMethods(grpc.GenericRpcHandler):
    """Answers every path that no other handler knows: UNIMPLEMENTED, in a sentence that names it."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        """The handler of one call."""
        path = handler_call_details.method

        def refuse(request: bytes, context: grpc.ServicerContext) -> NoReturn:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, _cut(f"The Bigtable API has no method {path}"))

        return grpc.unary_unary_rpc_method_handler(refuse, None, None)


def _handler(method: Method, function: Callable[[Message], Any]) -> grpc.RpcMethodHandler[Any, Any]:
    call = _Call(method, function)
    if method.streams:
        return grpc.unary_stream_rpc_method_handler(call.many, None, _serialized)
    return grpc.unary_unary_rpc_method_handler(call.one, None, _serialized)


def _serialized(answer: Message | bytes) -> bytes:
    """Some answers are bytes already, because they are sent as they are stored."""
    if isinstance(answer, bytes):
        return answer
    serialized: bytes = answer.SerializeToString(deterministic=True)  # maps by key, in every process
    return serialized


@frozen
class _Call:
    """Runs one method, and turns its failures into statuses; requests come as bytes."""

    method: Method
    function: Callable[[Message], Any]

    def one(self, request: bytes, context: grpc.ServicerContext) -> Any:
        try:
            return self.function(self._parsed(request))
        except Exception as error:
            self._abort(error, context)

    def many(self, request: bytes, context: grpc.ServicerContext) -> Iterator[Any]:
        try:
            for answer in self.function(self._parsed(request)):
                if isinstance(answer, bytes) and len(answer) > LARGEST_MESSAGE and _takes_little(context):
                    yield from cut(answer)
                else:
                    yield answer
        except Exception as error:
            self._abort(error, context)

    def _parsed(self, request: bytes) -> Message:
        try:
            return self.method.request.FromString(request)
        except Exception:
            name = self.method.request.DESCRIPTOR.full_name
            text = (
                f"Cannot read the request as a {name}: its bytes are not one, or it is nested over 100 deep"
            )
            raise RequestError(grpc.StatusCode.INVALID_ARGUMENT, text) from None

    def _abort(self, error: Exception, context: grpc.ServicerContext) -> NoReturn:
        if isinstance(error, RequestError):
            context.abort(error.code, _cut(error.text))
        if code := failures.status(error):
            context.abort(code, _cut(failures.explanation(error)))
        _log.exception("%s failed", self.method.path)
        context.abort(grpc.StatusCode.INTERNAL, _cut(f"{type(error).__name__}: {error}"))


def _takes_little(context: grpc.ServicerContext) -> bool:
    """Whether a client is likely to refuse a message over 4 MiB.

    The service sends a row in one message however large it is, and Go's client refuses a row in two. Python's
    reads such a row, and when it talks to an emulator it leaves gRPC's limit as it is.
    """
    metadata = context.invocation_metadata()
    return any(key == "user-agent" and "grpc-python" in str(value) for key, value in metadata)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."
