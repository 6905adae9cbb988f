"""When a call that failed may be made again: what the server asks for, and how a lost answer looks."""

from collections.abc import Iterator

from google.api_core import exceptions
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]

# How a stream that was closed on the way is told.
BROKEN_STREAM = ("rst_stream", "rst stream", "unexpected eos on data frame")
# How gRPC tells of a connection that ended after the request was sent.
_LOST_CONNECTION = (
    *BROKEN_STREAM,
    "broken pipe",
    "connection aborted",
    "connection reset",
    "goaway",
    "recvmsg",
    "socket closed",
    "stream removed",
    "transport closed",
)
# What is exhausted for good: a message that gRPC does not take.
_TOO_LARGE = ("message larger than max", "message length too large")
_OVER_QUOTA = "RATE_LIMIT_EXCEEDED"


def retry_after(error: Exception) -> float | None:
    """The seconds that the server asks to wait (``google.rpc.RetryInfo``), or None where it does not ask."""
    for info in _details(error):
        if isinstance(info, RetryInfo):
            return float(info.retry_delay.seconds + info.retry_delay.nanos / 1e9)
    return None


def taken_later(error: Exception) -> bool:
    """Whether the server did not take the call now, and would take it later."""
    if isinstance(error, exceptions.ResourceExhausted):
        return not any(words in str(error).lower() for words in _TOO_LARGE)
    return (
        isinstance(error, exceptions.Aborted | exceptions.ServiceUnavailable)
        or retry_after(error) is not None
    )


def over_quota(error: Exception) -> bool:
    """Whether a quota is used up, which counts anew after a while."""
    reasons = [info.reason for info in _details(error) if isinstance(info, ErrorInfo)]
    return _OVER_QUOTA in reasons or retry_after(error) is not None


def answer_lost(error: Exception, words: str) -> bool:
    """Whether the call may have been done, though ``error`` came, which says ``words``."""
    match error:
        case (
            exceptions.DeadlineExceeded()
            | exceptions.Cancelled()
            | exceptions.InternalServerError()
            | TimeoutError()
        ):
            return True
        case exceptions.ServiceUnavailable() | exceptions.Unknown():
            return any(lost in words.lower() for lost in _LOST_CONNECTION)
        case _:
            return False


def _details(error: Exception) -> Iterator[object]:
    """What the server said beside its words: of a call that failed, or of the operation that it began."""
    if not isinstance(error, exceptions.GoogleAPICallError):
        return
    yield from error.details
    for status in error.errors:
        # A grpc.Call has a method of that name; the google.rpc.Status of an operation has messages.
        packed = getattr(status, "details", ())
        for one in () if callable(packed) else packed:
            for info in (RetryInfo(), ErrorInfo()):
                if one.Unpack(info):
                    yield info
