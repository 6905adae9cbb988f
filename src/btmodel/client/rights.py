"""What calls of the admin API need, and what their errors mean."""

import contextlib
from collections.abc import Iterator

import grpc
from attrs import frozen
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError

from btmodel.client.failures import over_quota, refusal, retry_after, said
from btmodel.errors import MissingTable, NotAllowed, SchemaConflict, ServerError, Unanswered

_ADMIN = "roles/bigtable.admin"
_VIEWER = "roles/bigtable.viewer"


@frozen
class Right:
    """A permission, and the least of Google's predefined roles that has it.

    ``changes`` is true where it lets a call change something, which may then have been done
    though no answer came.
    """

    permission: str
    role: str
    changes: bool = True

    def __str__(self) -> str:
        return f"{self.permission} (role {self.role})"


LIST_TABLES = Right("bigtable.tables.list", _VIEWER, changes=False)
READ_TABLE = Right("bigtable.tables.get", _VIEWER, changes=False)
MAKE_TOKEN = Right("bigtable.tables.generateConsistencyToken", "roles/bigtable.reader", changes=False)
CHECK_TOKEN = Right("bigtable.tables.checkConsistency", "roles/bigtable.reader", changes=False)
LIST_CLUSTERS = Right("bigtable.clusters.list", _VIEWER, changes=False)
LIST_HOT_TABLETS = Right("bigtable.hotTablets.list", _VIEWER, changes=False)
LIST_PROFILES = Right("bigtable.appProfiles.list", _VIEWER, changes=False)
CREATE_TABLE = Right("bigtable.tables.create", _ADMIN)
UPDATE_TABLE = Right("bigtable.tables.update", _ADMIN)
DELETE_TABLE = Right("bigtable.tables.delete", _ADMIN)
LIST_VIEWS = Right("bigtable.materializedViews.list", _VIEWER, changes=False)
CREATE_VIEW = Right("bigtable.materializedViews.create", _ADMIN)
UPDATE_VIEW = Right("bigtable.materializedViews.update", _ADMIN)
DELETE_VIEW = Right("bigtable.materializedViews.delete", _ADMIN)
# Authorized views and schema bundles, by the collections in their names.
_PARTS = ("authorizedViews", "schemaBundles")
LIST_PARTS = {one: Right(f"bigtable.{one}.list", _VIEWER, changes=False) for one in _PARTS}
CREATE_PART = {one: Right(f"bigtable.{one}.create", _ADMIN) for one in _PARTS}
UPDATE_PART = {one: Right(f"bigtable.{one}.update", _ADMIN) for one in _PARTS}
DELETE_PART = {one: Right(f"bigtable.{one}.delete", _ADMIN) for one in _PARTS}
DELETE_ROWS = Right("bigtable.tables.mutateRows", "roles/bigtable.user")


_CONCURRENT = "concurrent modification"


@contextlib.contextmanager
def naming_right(
    instance: str, server: str, right: Right, table: str | None = None, log: str = ""
) -> Iterator[None]:
    """Raise what google.api_core, google.auth and grpc raise in this block as a :class:`ServerError`.

    ``instance`` is the path that the call was about, ``server`` who was asked, ``right`` what
    the call needs, and ``table`` the id of the table, where the call was about one. ``log`` is where that server says more.
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
            f"{instance} does not exist, or you may not see it ({server} says: {said(error)})"
        ) from error
    except (exceptions.GoogleAPIError, TimeoutError, GoogleAuthError, grpc.RpcError) as error:
        known = exceptions.from_grpc_error(error) if isinstance(error, grpc.RpcError) else error  # type: ignore[no-untyped-call]
        thing = instance if table is None else f"table {table!r} of {instance}"
        raise _meaning(known, thing, server, right, log) from error


def _meaning(error: Exception, thing: str, server: str, right: Right, log: str) -> ServerError:
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
    refused = refusal(error, thing, server, log)
    if isinstance(refused, Unanswered) and right.changes:
        unknown = Unanswered(f"{refused}; the change may have been made all the same, so read it again")
        unknown.retry_after = refused.retry_after
        return unknown
    return refused


def _conflict(error: Exception, thing: str, server: str) -> SchemaConflict:
    conflict = SchemaConflict(f"{thing}: changed by another at the same time ({server} says: {said(error)})")
    conflict.retry_after = retry_after(error)
    return conflict
