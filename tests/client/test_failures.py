"""What the status of a call that failed says of it."""

import pytest
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]

from btmodel.client.failures import (
    answer_lost,
    answered,
    may_be_done,
    never_sent,
    over_quota,
    repeatable,
    retry_after,
    said,
    taken_later,
    translate,
)
from btmodel.client.options import DEFAULT_RETRY_ON
from btmodel.client.target import Target
from btmodel.errors import Unanswered, Unavailable

RESET = "recvmsg:Connection reset by peer"
NO_CONNECTION = "failed to connect to all addresses; last error: Connection reset by peer"
# Whether the server would take it later, whether its answer was lost, whether it may be done.
MEANINGS: list[tuple[Exception, tuple[bool, bool, bool]]] = [
    (exceptions.Aborted("x"), (True, False, True)),
    (exceptions.Cancelled("x"), (False, True, True)),
    (exceptions.DeadlineExceeded("x"), (False, True, True)),
    (exceptions.InternalServerError("x"), (False, True, True)),
    (exceptions.ResourceExhausted("x"), (True, False, False)),
    (exceptions.ResourceExhausted("Received message larger than max"), (False, False, False)),
    (exceptions.ServiceUnavailable("x"), (True, False, True)),
    (exceptions.ServiceUnavailable(RESET), (True, True, True)),
    (exceptions.ServiceUnavailable(NO_CONNECTION), (True, False, False)),
    (exceptions.Unknown("x"), (False, False, False)),
    (exceptions.Unknown(RESET), (False, True, True)),
    (TimeoutError("x"), (False, True, True)),
    (exceptions.InvalidArgument("x"), (False, False, False)),
    (exceptions.NotFound("x"), (False, False, False)),
]


@pytest.mark.parametrize(("error", "meaning"), MEANINGS, ids=repr)
def test_what_a_status_says(error: Exception, meaning: tuple[bool, bool, bool]) -> None:
    """Each status answers three questions, and a call of which the answer was lost may be done."""
    assert (taken_later(error), answer_lost(error, said(error)), may_be_done(error)) == meaning
    assert may_be_done(error) or not answer_lost(error, said(error))


@pytest.mark.parametrize(("error", "meaning"), MEANINGS, ids=repr)
@pytest.mark.parametrize("method", ["CheckAndMutateRow", "MutateRows"])
def test_a_change_that_may_be_done_is_not_repeated(
    error: Exception, meaning: tuple[bool, bool, bool], method: str
) -> None:
    """A change that is to be made once is not sent again where it may be done, and the error says that it may have been applied."""
    maybe = meaning[2]
    refused = translate(error, "T", Target("projects/p/instances/i"), method, once=True)
    assert ("may have been applied" in str(refused)) == maybe
    assert isinstance(refused, Unanswered) == maybe
    assert not (maybe and repeatable(error, DEFAULT_RETRY_ON, once=True))


@pytest.mark.parametrize("method", ["CheckAndMutateRow", "MutateRows", "ReadRows"])
def test_an_aborted_call_was_taken(method: str) -> None:
    """What may be repeated is repeated after ABORTED, and its error does not say that the server did not take it."""
    error = exceptions.Aborted("a transaction was aborted")
    assert repeatable(error, DEFAULT_RETRY_ON)
    refused = translate(error, "T", Target("projects/p/instances/i"), method)
    assert isinstance(refused, Unavailable)
    assert "aborted by the service, which says: a transaction was aborted" in str(refused)


def detailed(kind: type[exceptions.GoogleAPICallError], *details: object, words: str = "x") -> Exception:
    """An error with what a server says besides its words."""
    return kind(words, details=details)


SOON = RetryInfo(retry_delay=Duration(seconds=2, nanos=500_000_000))
QUOTA = ErrorInfo(reason="RATE_LIMIT_EXCEEDED")


def test_how_long_a_server_asks_to_wait() -> None:
    """By its details alone, of which others say nothing about it."""
    assert retry_after(detailed(exceptions.ServiceUnavailable, QUOTA, SOON)) == 2.5
    assert retry_after(detailed(exceptions.ServiceUnavailable, QUOTA)) is None
    assert retry_after(exceptions.ServiceUnavailable("x")) is None
    assert retry_after(TimeoutError("x")) is None


@pytest.mark.parametrize(
    ("error", "later", "own", "quota"),
    [
        (detailed(exceptions.InternalServerError, SOON), True, True, True),
        (detailed(exceptions.InternalServerError), False, False, False),
        (detailed(exceptions.ResourceExhausted, QUOTA), True, True, True),
        (detailed(exceptions.ResourceExhausted), True, True, False),
        (detailed(exceptions.Aborted), True, True, False),
        (detailed(exceptions.ServiceUnavailable), True, False, False),
        (detailed(exceptions.ServiceUnavailable, SOON), True, True, True),
    ],
)
def test_what_details_say(error: Exception, later: bool, own: bool, quota: bool) -> None:
    """Who says when to come again has answered, and takes the call later."""
    assert (taken_later(error), answered(error), over_quota(error)) == (later, own, quota)


@pytest.mark.parametrize(
    ("error", "repeated", "once"),
    [
        (exceptions.ServiceUnavailable("x"), True, False),
        (exceptions.ServiceUnavailable(NO_CONNECTION), True, True),
        (detailed(exceptions.ServiceUnavailable, SOON), True, True),
        (detailed(exceptions.ResourceExhausted, SOON), True, True),
        (detailed(exceptions.Aborted, SOON), True, False),
        (exceptions.ResourceExhausted("x"), True, False),
        (exceptions.ResourceExhausted("Received message larger than max"), False, False),
        (exceptions.InternalServerError("Received RST_STREAM"), True, False),
        (exceptions.InternalServerError("x"), False, False),
        (exceptions.InvalidArgument("x"), False, False),
        (TimeoutError("x"), False, False),
    ],
)
def test_what_is_sent_again(error: Exception, repeated: bool, once: bool) -> None:
    """By its status; what is to be made once only where it was not sent, or was refused until later."""
    codes = {"UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED"}
    assert (repeatable(error, codes), repeatable(error, codes, once=True)) == (repeated, once)
    assert repeatable(error, ()) is ("RST_STREAM" in str(error))


def test_an_internal_error_is_sent_again_where_the_options_say_so() -> None:
    """Whatever its words are."""
    assert repeatable(exceptions.InternalServerError("x"), {"INTERNAL"})
    assert not repeatable(exceptions.InternalServerError("x"), {"INTERNAL"}, once=True)
    assert not repeatable(exceptions.InternalServerError("Received RST_STREAM"), {"INTERNAL"}, once=True)


@pytest.mark.parametrize(
    ("error", "unsent"),
    [
        (exceptions.ServiceUnavailable(NO_CONNECTION), True),
        (exceptions.ServiceUnavailable(RESET), False),
        (exceptions.Unknown(NO_CONNECTION), False),
        (exceptions.ServiceUnavailable(f"table '{NO_CONNECTION}' is busy"), False),
    ],
)
def test_what_was_never_sent(error: Exception, unsent: bool) -> None:
    """A call without a connection, and not one of a table that is called so."""
    assert never_sent(error) is unsent


def test_credentials_that_failed_did_nothing() -> None:
    """Anything else that no server said may have come after it was done."""
    assert not may_be_done(GoogleAuthError("x"))
    assert may_be_done(OSError("x"))
