"""What the admin API refuses, told as btmodel's errors."""

import contextlib
from collections.abc import Iterator

import grpc
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError

from btmodel.client.asked_again import over_quota, retry_after
from btmodel.client.failures import refusal, said
from btmodel.client.rights import CREATE_TABLE, Right
from btmodel.errors import MissingTable, NotAllowed, SchemaConflict, ServerError, Unanswered

_CONCURRENT = "concurrent modification"


@contextlib.contextmanager
def told(instance: str, server: str, right: Right, table: str | None = None) -> Iterator[None]:
    """Raise what google.api_core, google.auth and grpc raise in this block as a :class:`ServerError`.

    ``instance`` is the path that the call was about, ``server`` who was asked, ``right`` what
    the call needs, and ``table`` the id of the table, where the call was about one.
    """
    try:
        yield
    except exceptions.NotFound as error:
        # A table that is being made cannot be what was not found.
        if table is not None and right is not CREATE_TABLE:
            if "family" in said(error):
                raise refusal(error, f"table {table!r} of {instance}", server) from error
            raise MissingTable(table, instance) from error
        raise ServerError(
            f"{instance} does not exist, or is not yours to see ({server} says: {said(error)})"
        ) from error
    except (exceptions.GoogleAPIError, TimeoutError, GoogleAuthError, grpc.RpcError) as error:
        known = exceptions.from_grpc_error(error) if isinstance(error, grpc.RpcError) else error  # type: ignore[no-untyped-call]
        thing = instance if table is None else f"table {table!r} of {instance}"
        raise _meaning(known, thing, server, right) from error


def _meaning(error: Exception, thing: str, server: str, right: Right) -> ServerError:
    match error:
        case exceptions.AlreadyExists() | exceptions.Aborted() if right.changes:
            return _conflict(error, thing, server)
        case exceptions.FailedPrecondition() if _CONCURRENT in said(error).lower():
            return _conflict(error, thing, server)
        case exceptions.ResourceExhausted() if right is CREATE_TABLE and not over_quota(error):
            # An instance takes so many tables, and no more later.
            return ServerError(f"{thing}: refused by {server}, which says: {said(error)}")
        case exceptions.Forbidden():
            words = said(error)
            return NotAllowed(
                f"{thing}: not permitted to these credentials, which need {right} ({server} says: {words})"
            )
    told = refusal(error, thing, server)
    if isinstance(told, Unanswered) and right.changes:
        unknown = Unanswered(f"{told}; the change may have been made all the same, so read it again")
        unknown.retry_after = told.retry_after
        return unknown
    return told


def _conflict(error: Exception, thing: str, server: str) -> SchemaConflict:
    told = SchemaConflict(f"{thing}: changed by another at the same time ({server} says: {said(error)})")
    told.retry_after = retry_after(error)
    return told
