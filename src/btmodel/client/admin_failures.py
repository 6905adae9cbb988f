"""What the admin API refuses, told as btmodel's errors."""

import contextlib
from collections.abc import Iterator

import grpc
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError

from btmodel.client.failures import refusal, said
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
            if "family" in said(error):
                raise refusal(error, f"table {table!r} of {instance}", server) from error
            raise MissingTable(table, instance) from error
        raise ServerError(
            f"{instance} does not exist, or is not yours to see ({server} says: {said(error)})"
        ) from error
    except exceptions.GoogleAPIError as error:
        raise _meaning(
            error, instance if table is None else f"table {table!r} of {instance}", server
        ) from error
    except (GoogleAuthError, grpc.RpcError) as error:
        raise ServerError(f"{server} cannot be asked about {instance}: {said(error)}") from error


def _meaning(error: Exception, thing: str, server: str) -> ServerError:
    match error:
        case exceptions.AlreadyExists() | exceptions.Aborted():
            pass
        case exceptions.FailedPrecondition() if _CONCURRENT in said(error).lower():
            pass
        case _:
            return refusal(error, thing, server)
    return SchemaConflict(f"{thing}: changed by another at the same time ({server} says: {said(error)})")
