"""Google's exceptions as ours: one sentence that names the thing, the server's words and the mend."""

from collections.abc import Iterator
from contextlib import contextmanager

from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError

from btmodel.client.target import Target
from btmodel.errors import BtmodelError, MissingFamily, MissingTable, ServerError


@contextmanager
def translated(table: str, target: Target) -> Iterator[None]:
    """Raise what the data client raises in this block as an error of ours."""
    try:
        yield
    except (exceptions.GoogleAPIError, GoogleAuthError) as error:
        raise translate(error, table, target) from error


def translate(error: Exception, table: str, target: Target) -> BtmodelError:
    """Our error for one of the data client's."""
    words = said(error)
    about_family = "family" in words
    if "unknown family" in words or (about_family and isinstance(error, exceptions.NotFound)):
        return MissingFamily(table, str(target), words)
    if isinstance(error, exceptions.NotFound):
        return MissingTable(table, str(target))
    return refusal(error, f"table {table!r} in {target.instance}", target.host or "the service")


def refusal(error: Exception, thing: str, server: str) -> ServerError:
    """What ``server`` said when it was asked about ``thing``, where no finer meaning is known."""
    words = said(error)
    match error:
        case exceptions.Forbidden() | exceptions.Unauthorized():
            return ServerError(f"{thing}: not permitted to these credentials ({server} says: {words})")
        case GoogleAuthError():
            return ServerError(f"{thing}: {server} cannot be asked: {words}")
        case exceptions.ServiceUnavailable() | exceptions.DeadlineExceeded() | exceptions.RetryError():
            return ServerError(f"{thing}: no answer from {server} ({words})")
        case _:
            return ServerError(f"{thing}: refused by {server}, which says: {words}")


def said(error: Exception) -> str:
    """The server's own words, on one line."""
    text = error.message if isinstance(error, exceptions.GoogleAPICallError) else str(error)
    return " ".join(str(text).split()) or type(error).__name__
