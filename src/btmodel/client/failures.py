"""The client's exceptions as ours: one sentence that names the table, the instance and the mend."""

from collections.abc import Iterator
from contextlib import contextmanager

from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError

from btmodel.client.target import Target
from btmodel.errors import BtmodelError, MissingFamily, MissingTable, ServerError

_SILENT = (exceptions.ServiceUnavailable, exceptions.DeadlineExceeded, exceptions.RetryError)


@contextmanager
def translated(table: str, target: Target) -> Iterator[None]:
    """Raise what the client raises as an error of ours."""
    try:
        yield
    except (exceptions.GoogleAPIError, GoogleAuthError) as error:
        raise translate(error, table, target) from error


def translate(error: Exception, table: str, target: Target) -> BtmodelError:
    """Our error for one of the client's."""
    said = getattr(error, "message", None) or str(error)
    match error:
        case exceptions.NotFound() if "family" not in said:
            return MissingTable(table, str(target))
        case _ if "unknown family" in said or ("family" in said and isinstance(error, exceptions.NotFound)):
            return MissingFamily(table, str(target), said)
        case exceptions.PermissionDenied() | exceptions.Unauthenticated() | GoogleAuthError():
            return ServerError(f"table {table!r} in {target}: no permission: {said}")
        case _ if isinstance(error, _SILENT):
            return ServerError(f"table {table!r} in {target}: the server does not answer: {said}")
        case _:
            return ServerError(f"table {table!r} in {target}: {said}")
