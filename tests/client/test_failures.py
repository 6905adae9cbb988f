"""What the status of a call that failed says of it."""

import pytest
from google.api_core import exceptions

from btmodel.client.failures import answer_lost, may_be_done, repeatable, said, taken_later, translate
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
