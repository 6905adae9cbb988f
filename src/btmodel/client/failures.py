"""Google's exceptions as ours: what failed, the server's words, and the fix; and what calls of the admin API need."""

import contextlib
from collections.abc import Collection, Iterator

import grpc
from attrs import frozen
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]

from btmodel.client.target import Target
from btmodel.errors import (
    BtmodelError,
    ChangesLost,
    MissingFamily,
    MissingTable,
    NotAllowed,
    SchemaConflict,
    ServerError,
    Unanswered,
    Unavailable,
)
from btmodel.on_demand import pattern
from btmodel.rows.filters import Filter, families_of
from btmodel.schema.names import AUTHORIZED
from btmodel.words import place_text

# What gRPC reports of a stream that was closed on the way.
BROKEN_STREAM = ("rst_stream", "rst stream", "unexpected eos on data frame")
# What gRPC reports of a connection that ended after the request was sent.
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
# What gRPC reports if it has no connection to send a call on.
_NO_CONNECTION = "failed to connect to all addresses"
# What gRPC reports of a stream that was begun before a fork.
_FORKED = "closed on fork"
# What gRPC reports if credentials have failed.
_NO_TOKEN = "getting metadata from plugin failed"
_OVER_QUOTA = "RATE_LIMIT_EXCEEDED"


# The names of things in the words of a server: a path of resources, or what stands in quotes.
_NAMES = pattern(r"""projects/[^\s"']*|(?<!\w)b?(["']).*?\1(?!\w)""")


def _phrases(words: str) -> str:
    """``words`` in lower case without the names in them: a table may be called ``family``, and a project ``goaway``."""
    return _NAMES.sub("", words).lower()


def retry_after(error: Exception) -> float | None:
    """The seconds that the server asks to wait (``google.rpc.RetryInfo``), or None where it does not ask."""
    for info in _details(error):
        if isinstance(info, RetryInfo):
            return float(info.retry_delay.seconds + info.retry_delay.nanos / 1e9)
    return None


@frozen
class _StatusFacts:
    """What a status says of a call: whether it may be ``taken_later``, whether its answer was ``lost``, and whether it may be ``done``.

    None where the words of the connection say it.
    """

    taken_later: bool = False
    lost: bool | None = False
    done: bool | None = False


# https://cloud.google.com/bigtable/docs/status-codes says what each means. Of ABORTED it does not promise that nothing was done, so a
# change that must not be repeated is not sent again after it, and the same holds of UNAVAILABLE.
_STATUS_FACTS: dict[type, _StatusFacts] = {
    exceptions.Aborted: _StatusFacts(taken_later=True, done=True),
    exceptions.Cancelled: _StatusFacts(lost=True, done=True),
    exceptions.DeadlineExceeded: _StatusFacts(lost=True, done=True),
    exceptions.InternalServerError: _StatusFacts(lost=True, done=True),
    exceptions.ResourceExhausted: _StatusFacts(taken_later=True),
    exceptions.ServiceUnavailable: _StatusFacts(taken_later=True, lost=None, done=True),
    exceptions.Unknown: _StatusFacts(lost=None, done=None),
    TimeoutError: _StatusFacts(lost=True, done=True),
}


def _facts(error: Exception) -> _StatusFacts:
    return next(
        (_STATUS_FACTS[kind] for kind in type(error).__mro__ if kind in _STATUS_FACTS), _StatusFacts()
    )


def taken_later(error: Exception) -> bool:
    """Whether the server would take the call later, and not now."""
    if isinstance(error, exceptions.ResourceExhausted):
        return not any(words in _phrases(said(error)) for words in _TOO_LARGE)
    return _facts(error).taken_later or retry_after(error) is not None


def answered(error: Exception) -> bool:
    """Whether ``error`` is what the server itself answered, and not an answer that did not come."""
    return (
        isinstance(error, exceptions.Aborted | exceptions.ResourceExhausted) or retry_after(error) is not None
    )


def over_quota(error: Exception) -> bool:
    """Whether a quota is used up, which counts anew after a while."""
    reasons = [info.reason for info in _details(error) if isinstance(info, ErrorInfo)]
    return _OVER_QUOTA in reasons or retry_after(error) is not None


def answer_lost(error: Exception, words: str) -> bool:
    """Whether no answer came to the call, though ``error`` did, which says ``words``: it may have been done."""
    lost = _facts(error).lost
    return _connection_lost(error, words) if lost is None else lost


def may_be_done(error: Exception) -> bool:
    """Whether the server may have done what it was asked, though ``error`` came."""
    if not isinstance(error, exceptions.GoogleAPICallError):
        return not isinstance(error, GoogleAuthError)
    done = _facts(error).done
    return _connection_lost(error, said(error)) if done is None else done and not never_sent(error)


def _connection_lost(error: Exception, words: str) -> bool:
    # A connection that ends while it is made has carried no call.
    return not never_sent(error) and any(lost in _phrases(words) for lost in _LOST_CONNECTION)


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


def google_error(error: Exception) -> Exception:
    """What gRPC raised as an exception of Google's clients; any other as it is."""
    if isinstance(error, grpc.RpcError):
        error_of_google: Exception = exceptions.from_grpc_error(error)  # type: ignore[no-untyped-call]
        return error_of_google
    return error


class InvalidAnswer(exceptions.GoogleAPIError):
    """An answer that no server may give; asking again would not fix it."""


# The permission that each method needs, and the least of Google's predefined roles that has it.
_WRITES = "bigtable.tables.mutateRows (role roles/bigtable.user)"
_STREAMS = "bigtable.tables.readRows (role roles/bigtable.reader)"  # inferred
_PERMISSIONS = {
    "ReadRows": "bigtable.tables.readRows (role roles/bigtable.reader)",
    "SampleRowKeys": "bigtable.tables.sampleRowKeys (role roles/bigtable.reader)",
    "GenerateInitialChangeStreamPartitions": _STREAMS,
    "ReadChangeStream": _STREAMS,
}


def translate(
    error: Exception,
    table: str,
    target: Target,
    method: str,
    *,
    once: bool = False,
    filter: Filter | None = None,
) -> BtmodelError:
    """Our error for one of the data client's, which ``method`` of the service ended with.

    ``filter`` is what a read asks by. ``once`` where the call changes something and must not be repeated: the error then
    says so where the answer was lost.
    """
    words = said(error)
    if method in _SQL:
        return _of_sql(error, words, target)
    phrases = _phrases(words)
    if "unknown family" in phrases or (isinstance(error, exceptions.NotFound) and "family" in phrases):
        return MissingFamily(table, str(target), words, families_of(filter))
    if isinstance(error, exceptions.NotFound) and "app profile" not in phrases:
        return MissingTable(table, str(target))
    thing, server = f"{place_text(table, quoted=True)} in {target.instance}", target.host or "the service"
    if isinstance(error, exceptions.Forbidden):
        needed = _PERMISSIONS.get(method, _WRITES)
        of, authorized, view = table.partition(AUTHORIZED)
        if authorized:
            thing = f"table {of!r} in {target.instance}, through the authorized view {view!r}"
            needed = f"{needed.partition(' ')[0].replace('.tables.', '.authorizedViews.')}, for rows and columns that the view has"
        return NotAllowed(
            f"{thing}: not permitted to these credentials, which need {needed} ({server} says: {words})"
        )
    if isinstance(error, exceptions.OutOfRange) and method == "ReadChangeStream":
        return ChangesLost(
            f"{thing}: its change stream does not reach back so far ({server} says: {words}): changes between were not seen: read "
            "the rows themselves, and follow from a later time with since=, without the stored position"
        )
    refused = refusal(error, thing, server, target.log)
    last = _given_up(error)
    if once and may_be_done(last):
        lost = Unanswered(f"{refused}; the change may have been applied, so it was not sent again")
        lost.retry_after = refused.retry_after
        return lost
    return refused


_SQL = ("PrepareQuery", "ExecuteQuery")


def _of_sql(error: Exception, words: str, target: Target) -> BtmodelError:
    """The same of a query, which is of an instance: the server's words name the table, the column or the function."""
    thing, server = f"SQL in {target.instance}", target.host or "the service"
    if isinstance(error, exceptions.Forbidden):
        return NotAllowed(
            f"{thing}: not permitted to these credentials, which need bigtable.instances.executeQuery and {_STREAMS} "
            f"({server} says: {words})"
        )
    if isinstance(error, exceptions.MethodNotImplemented) and "sql" not in _phrases(words):
        return ServerError(
            f"{thing}: {server} has no SQL ({words}): the service has it, and the local server with `pip install 'btmodel[sql]'`"
        )
    return refusal(error, thing, server, target.log)


def repeatable(error: Exception, codes: Collection[str], *, once: bool = False) -> bool:
    """Whether a call that failed with ``error`` may be made again; ``codes`` are the names of the statuses that allow it.

    A call that is to be made just ``once`` may be where it was not sent, or the server did not take it and says when it will.
    """
    if isinstance(error, exceptions.InternalServerError) and "INTERNAL" not in codes:
        return not once and any(words in _phrases(said(error)) for words in BROKEN_STREAM)
    if isinstance(error, exceptions.ResourceExhausted) and not taken_later(error):
        return False
    status = getattr(error, "grpc_status_code", None)
    if status is None or status.name not in codes:
        return False
    refused = isinstance(error, exceptions.ResourceExhausted | exceptions.ServiceUnavailable)
    return not once or (refused and retry_after(error) is not None) or never_sent(error)


def never_sent(error: Exception) -> bool:
    """Whether the call did not leave this machine, as no connection could be made for it."""
    return isinstance(error, exceptions.ServiceUnavailable) and _NO_CONNECTION in _phrases(said(error))


def refusal(error: Exception, thing: str, server: str, log: str = "") -> ServerError:
    """What ``server`` said when it was asked about ``thing``, where no finer meaning is known; ``log`` is where it says more."""
    refused = _refusal(error, thing, server)
    if log and isinstance(refused, Unavailable | Unanswered):
        refused = type(refused)(f"{refused}{log}")
    refused.retry_after = retry_after(_given_up(error))
    return refused


def _refusal(error: Exception, thing: str, server: str) -> ServerError:
    words = said(error)
    last = _given_up(_last_answer(error))
    match last:
        case exceptions.Unauthorized():
            return NotAllowed(
                f"{thing}: {server} does not accept these credentials ({words}): renew them, as `gcloud auth "
                "application-default login` does, or connect with other `credentials`"
            )
        case exceptions.Forbidden():
            return NotAllowed(f"{thing}: not permitted to these credentials ({server} says: {words})")
        case InvalidAnswer():
            return ServerError(f"{thing}: the answer of {server} is not valid: {words}")
        case GoogleAuthError():
            kind = Unavailable if last.retryable else ServerError
            return kind(f"{thing}: cannot connect to {server}: {words}")
        case exceptions.InternalServerError():
            return Unanswered(f"{thing}: {server} failed{_tried(error)}, and says: {said(last)}")
        case _ if _FORKED in _phrases(words):
            return ServerError(
                f"{thing}: this process was forked from the one that opened the connection: connect in each process, "
                "after the fork"
            )
        case _ if _NO_TOKEN in _phrases(words):
            return Unavailable(
                f"{thing}: the credentials cannot be renewed ({words}): check that they are still valid, that "
                "Google's token server can be reached, and this machine's clock"
            )
        case exceptions.RetryError():
            return Unanswered(f"{thing}: no answer from {server} ({words})")
        case _ if answer_lost(last, words):
            return Unanswered(f"{thing}: no answer from {server} ({words})")
        case exceptions.ServiceUnavailable():
            # host:port is a server on this machine, which its user has started; the service has a name.
            gone = never_sent(last) and ":" in server
            fix = "; if that server has ended, start it again" if gone else ""
            return Unavailable(f"{thing}: no answer from {server} ({words}){fix}")
        case exceptions.Aborted():
            return Unavailable(f"{thing}: aborted by {server}{_tried(error)}, which says: {said(last)}")
        case _ if taken_later(last):
            return Unavailable(f"{thing}: not taken now by {server}{_tried(error)}, which says: {said(last)}")
        case _:
            return ServerError(f"{thing}: refused by {server}{_tried(error)}, which says: {said(last)}")


def _tried(error: Exception) -> str:
    """How long a call was tried, in brackets, where it was given up; these are the client's words, and not the server's."""
    return f" ({error.message})" if isinstance(error, exceptions.RetryError) else ""


def said(error: Exception) -> str:
    """The server's own words, on one line."""
    error = _last_answer(error)
    text = error.message if isinstance(error, exceptions.GoogleAPICallError) else str(error)
    return " ".join(str(text).split()) or type(error).__name__


def _last_answer(error: Exception) -> Exception:
    """What came last, where the client gave up: its own words name a limit, not the time that went by."""
    causes = getattr(error.__cause__, "exceptions", None)
    gave_up = isinstance(error, exceptions.DeadlineExceeded) and "operation_timeout" in str(error)
    return causes[-1] if gave_up and causes else error


def _given_up(error: Exception) -> Exception:
    """The failure that ended the last try, where the client tried several times."""
    cause = error.cause if isinstance(error, exceptions.RetryError) else None
    return cause if isinstance(cause, Exception) else error


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
            if "family" in _phrases(said(error)):
                raise refusal(error, f"{place_text(table, quoted=True)} of {instance}", server) from error
            raise MissingTable(table, instance) from error
        raise ServerError(
            f"{instance} does not exist, or you may not see it ({server} says: {said(error)})"
        ) from error
    except (exceptions.GoogleAPIError, TimeoutError, GoogleAuthError, grpc.RpcError) as error:
        known = exceptions.from_grpc_error(error) if isinstance(error, grpc.RpcError) else error  # type: ignore[no-untyped-call]
        thing = instance if table is None else f"{place_text(table, quoted=True)} of {instance}"
        raise _meaning(known, thing, server, right, log) from error


def _meaning(error: Exception, thing: str, server: str, right: Right, log: str) -> ServerError:
    match error:
        case exceptions.AlreadyExists() | exceptions.Aborted() if right.changes:
            return _conflict(error, thing, server)
        case exceptions.FailedPrecondition() if _CONCURRENT in _phrases(said(error)):
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
