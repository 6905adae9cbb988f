"""Failures of a request, as the service names them: a status code and a sentence."""

from __future__ import annotations

from attrs import field, frozen
from grpc import StatusCode

from btmodel.errors import BtmodelError
from btmodel.printable import one_line


def shown(data: bytes) -> str:
    """A row key or a qualifier in an error."""
    return one_line(data.decode("utf-8", "backslashreplace"))


@frozen
class RequestError(BtmodelError):
    """A request that the server refuses: the code and the text that the client gets."""

    code: StatusCode
    text: str = field(converter=one_line)

    def __str__(self) -> str:
        return f"{self.code.name}: {self.text}"


def invalid(text: str) -> RequestError:
    """INVALID_ARGUMENT: the request is wrong whatever the state of the table."""
    return RequestError(StatusCode.INVALID_ARGUMENT, text)


def not_found(text: str) -> RequestError:
    """NOT_FOUND: the table, the family or another named thing is not there."""
    return RequestError(StatusCode.NOT_FOUND, text)


def already_exists(text: str) -> RequestError:
    """ALREADY_EXISTS: what was to be created is there."""
    return RequestError(StatusCode.ALREADY_EXISTS, text)


def exhausted(text: str) -> RequestError:
    """RESOURCE_EXHAUSTED: a limit on how many of something there may be is reached."""
    return RequestError(StatusCode.RESOURCE_EXHAUSTED, text)


def precondition(text: str) -> RequestError:
    """FAILED_PRECONDITION: the table is not in the state that the request needs."""
    return RequestError(StatusCode.FAILED_PRECONDITION, text)


def unimplemented(text: str) -> RequestError:
    """UNIMPLEMENTED: the service can do it, this server cannot."""
    return RequestError(StatusCode.UNIMPLEMENTED, text)


def in_context(error: RequestError, context: str) -> RequestError:
    """The same failure with its context before it, which the service gives where something was not found."""
    if error.code is not StatusCode.NOT_FOUND:
        return error
    return RequestError(error.code, f"{context} : {error.text}")
