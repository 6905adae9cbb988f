"""What a failing service answers, and what the admin client makes of it: on the wire, with every status."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.longrunning.operations_pb2 import Operation
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from grpc_status.rpc_status import to_status
from some_tables import ONE, table

from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import (
    MissingTable,
    NotAllowed,
    SchemaConflict,
    ServerError,
    Unanswered,
    Unavailable,
)
from btmodel.schema import TableSettings

PATH = "projects/p/instances/i"
WAIT = RetryInfo()
WAIT.retry_delay.FromMilliseconds(2500)
QUOTA = ErrorInfo(reason="RATE_LIMIT_EXCEEDED", domain="googleapis.com")
CONCURRENT = (
    "Could not modify schema of projects/p/instances/i/tables/T due to concurrent modifications. "
    "This could mean another change to this table's schema."
)
RELAXED = "Cannot relax pure age-based GC for a replicated family (cf1)."


def status(code: StatusCode, words: str, *details: Any) -> Status:
    """The status of a failed call, with what is said beside its words."""
    failed = Status(code=code.value[0], message=words)
    for detail in details:
        packed = AnyMessage()
        packed.Pack(detail)
        failed.details.append(packed)
    return failed


class Failing(grpc.GenericRpcHandler):
    """A service on which each method but GetTable fails with ``status``; UpdateTable, once ``later``, after it began."""

    def __init__(self) -> None:
        self.status = status(StatusCode.UNKNOWN, "not told how to fail")
        self.later = False

    def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any]":
        def answer(request: bytes, context: grpc.ServicerContext) -> bytes:
            if details.method.endswith("/GetTable"):
                return b""
            if details.method.endswith("/UpdateTable") and self.later:
                return Operation(name="operations/1", done=True, error=self.status).SerializeToString()
            context.abort_with_status(to_status(self.status))

        return grpc.unary_unary_rpc_method_handler(answer)


@pytest.fixture(scope="module")
def failing() -> Iterator[tuple[Failing, Admin]]:
    handler = Failing()
    server = grpc.server(ThreadPoolExecutor(4), handlers=[handler])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with Admin(Target(PATH, f"127.0.0.1:{port}")) as admin:
        yield handler, admin
    server.stop(None)


CHANGED = "the change may have been made all the same, so read it again"
FAULTS = [
    (
        status(StatusCode.UNAVAILABLE, "The service is currently unavailable."),
        Unavailable,
        None,
        "no answer from",
    ),
    (status(StatusCode.UNAVAILABLE, "Busy.", WAIT), Unavailable, 2.5, "no answer from"),
    (status(StatusCode.UNAVAILABLE, "Socket closed"), Unanswered, None, CHANGED),
    (status(StatusCode.UNAVAILABLE, "recvmsg:Connection reset by peer"), Unanswered, None, CHANGED),
    (status(StatusCode.UNKNOWN, "Stream removed"), Unanswered, None, CHANGED),
    (status(StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded"), Unanswered, None, CHANGED),
    (status(StatusCode.DEADLINE_EXCEEDED, "Too slow.", WAIT), Unanswered, 2.5, CHANGED),
    (status(StatusCode.CANCELLED, "Cancelled."), Unanswered, None, CHANGED),
    (status(StatusCode.INTERNAL, "Received RST_STREAM with error code 2"), Unanswered, None, CHANGED),
    (status(StatusCode.INTERNAL, "Oh no."), Unanswered, None, "failed, and says: Oh no.; " + CHANGED),
    (status(StatusCode.RESOURCE_EXHAUSTED, "Quota exceeded.", QUOTA), Unavailable, None, "not taken now by"),
    (status(StatusCode.RESOURCE_EXHAUSTED, "Slow down.", WAIT), Unavailable, 2.5, "not taken now by"),
    (status(StatusCode.RESOURCE_EXHAUSTED, "Busy."), Unavailable, None, "not taken now by"),
    (status(StatusCode.RESOURCE_EXHAUSTED, "Message larger than max"), ServerError, None, "refused by"),
    (status(StatusCode.FAILED_PRECONDITION, "Being created.", WAIT), Unavailable, 2.5, "not taken now by"),
    (status(StatusCode.FAILED_PRECONDITION, RELAXED), ServerError, None, f"refused by .*{RELAXED[:20]}"),
    (status(StatusCode.FAILED_PRECONDITION, CONCURRENT), SchemaConflict, None, "changed by another"),
    (status(StatusCode.FAILED_PRECONDITION, CONCURRENT, WAIT), SchemaConflict, 2.5, "changed by another"),
    (status(StatusCode.ABORTED, "Try again."), SchemaConflict, None, "changed by another"),
    (status(StatusCode.INVALID_ARGUMENT, "No."), ServerError, None, "refused by"),
    (status(StatusCode.UNIMPLEMENTED, "No."), ServerError, None, "refused by"),
    (
        status(StatusCode.PERMISSION_DENIED, "Denied."),
        NotAllowed,
        None,
        r"not permitted to these credentials, which need bigtable.tables.\w+ \(role roles/bigtable.admin\)",
    ),
    (status(StatusCode.UNAUTHENTICATED, "Who?"), NotAllowed, None, "does not accept these credentials"),
]


def change_family(admin: Admin) -> None:
    admin.modify_families("T", drop=["f"])


def change_setting(admin: Admin) -> None:
    admin.update_settings("T", TableSettings(deletion_protection=True))


@pytest.mark.parametrize(
    ("change", "later"), [(change_family, False), (change_setting, False), (change_setting, True)]
)
@pytest.mark.parametrize(
    ("fault", "kind", "wait", "message"),
    FAULTS,
    ids=[f"{fault.code}-{fault.message[:12]}" for fault, *_ in FAULTS],
)
def test_a_change_that_fails(
    failing: tuple[Failing, Admin],
    change: Callable[[Admin], None],
    later: bool,
    fault: Status,
    kind: type[ServerError],
    wait: float | None,
    message: str,
) -> None:
    """The error's class tells what to do next, its words name the table, and the time to wait is the service's.

    It is the same where the call itself fails and where the operation that it began does.
    """
    handler, admin = failing
    handler.status, handler.later = fault, later
    with pytest.raises(ServerError, match=f"^table 'T' of {PATH}: .*{message}") as caught:
        change(admin)
    assert type(caught.value) is kind
    assert caught.value.retry_after == wait
    assert " ".join(fault.message.split()) in str(caught.value)


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        (
            status(StatusCode.NOT_FOUND, "Instance not found."),
            ServerError,
            f"{PATH} does not exist, or you may",
        ),
        (status(StatusCode.DEADLINE_EXCEEDED, "Slow."), Unanswered, r"no answer from [\d.:]+ \(Slow.\)$"),
        (
            status(StatusCode.PERMISSION_DENIED, "No."),
            NotAllowed,
            "which need bigtable.tables.list .role roles/bigt",
        ),
    ],
)
def test_a_read_that_fails(
    failing: tuple[Failing, Admin], fault: Status, kind: type[ServerError], message: str
) -> None:
    """Of a read nothing can have been changed, and nobody is told that it may."""
    handler, admin = failing
    handler.status = fault
    with pytest.raises(ServerError, match=message) as caught:
        admin.read_tables()
    assert type(caught.value) is kind


def test_a_table_that_cannot_be_made(failing: tuple[Failing, Admin]) -> None:
    """Where a table is made, what was not found is the instance; elsewhere it is the table, or its family."""
    handler, admin = failing
    handler.status = status(StatusCode.NOT_FOUND, "Instance not found.")
    with pytest.raises(ServerError, match="does not exist, or you may not see it"):
        admin.create_table(table("T", f=ONE))
    for words, details, kind in (("1000 tables.", (), ServerError), ("Quota.", (QUOTA,), Unavailable)):
        handler.status = status(StatusCode.RESOURCE_EXHAUSTED, words, *details)
        with pytest.raises(ServerError, match=words) as caught:
            admin.create_table(table("T", f=ONE))
        assert type(caught.value) is kind
    handler.status = status(StatusCode.NOT_FOUND, "Table not found.")
    with pytest.raises(MissingTable):
        admin.delete_table("T")
    handler.status = status(StatusCode.NOT_FOUND, "Column family not found: f")
    with pytest.raises(ServerError, match=r"refused by .*Column family not found: f"):
        change_family(admin)


@pytest.mark.parametrize("code", [StatusCode.PERMISSION_DENIED, StatusCode.UNIMPLEMENTED])
def test_clusters_and_profiles_that_cannot_be_read(failing: tuple[Failing, Admin], code: StatusCode) -> None:
    """Without the right to them, or on a server without them, they are not known, which is no error."""
    handler, admin = failing
    handler.status = status(code, "No.")
    assert admin.replicated() is None
    assert admin.transactional_profiles() is None


def test_an_instance_whose_clusters_are_not_found(failing: tuple[Failing, Admin]) -> None:
    """Other failures are errors: it is not known whether the instance is replicated."""
    handler, admin = failing
    handler.status = status(StatusCode.NOT_FOUND, "Instance not found.")
    with pytest.raises(ServerError, match=f"{PATH} does not exist"):
        admin.replicated()
