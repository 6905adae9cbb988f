"""The service's refusals, told as btmodel's errors."""

import contextlib
from collections.abc import Iterator

import grpc
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError

from btmodel.errors import MissingTable, SchemaConflict, ServerError

_CONCURRENT = "concurrent modification"


@contextlib.contextmanager
def told(instance: str, server: str, table: str | None = None, *, new: bool = False) -> Iterator[None]:
    """Raise what google.api_core, google.auth and grpc raise in this block as a :class:`ServerError`.

    ``instance`` is the path that the call was about, ``server`` who was asked, and
    ``table`` the id of the table, where the call was about one; ``new`` where that is being
    made, so that it cannot be what was not found.
    """
    try:
        yield
    except exceptions.NotFound as error:
        if table is not None and not new:
            raise MissingTable(table, instance) from error
        said = f"({server} says: {_said(error)})"
        raise ServerError(f"{instance} does not exist, or is not yours to see {said}") from error
    except exceptions.GoogleAPIError as error:
        raise _meaning(error, instance, server, table) from error
    except (GoogleAuthError, grpc.RpcError) as error:
        raise ServerError(f"{server} cannot be asked about {instance}: {_said(error)}") from error


def _meaning(error: Exception, instance: str, server: str, table: str | None) -> ServerError:
    said = _said(error)
    thing = instance if table is None else f"table {table!r} of {instance}"
    match error:
        case exceptions.Forbidden() | exceptions.Unauthorized():
            return ServerError(f"{thing}: not permitted to these credentials ({server} says: {said})")
        case exceptions.AlreadyExists() | exceptions.Aborted():
            return SchemaConflict(f"{thing}: changed by another at the same time ({server} says: {said})")
        case exceptions.FailedPrecondition() if _CONCURRENT in said.lower():
            return SchemaConflict(f"{thing}: changed by another at the same time ({server} says: {said})")
        case exceptions.ServiceUnavailable() | exceptions.DeadlineExceeded() | exceptions.RetryError():
            return ServerError(f"{thing}: no answer from {server} ({said})")
        case _:
            return ServerError(f"{thing}: refused by {server}, which says: {said}")


def _said(error: Exception) -> str:
    """The server's own words, on one line."""
    text = error.message if isinstance(error, exceptions.GoogleAPICallError) else str(error)
    return " ".join(str(text).split()) or type(error).__name__
