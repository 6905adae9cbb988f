"""Raw calls: sent with what Google's data client sends, on its channel, also after it has exchanged that."""

import asyncio
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.api_core.exceptions import InvalidArgument
from google.cloud.bigtable_v2.types import ReadRowsRequest, ReadRowsResponse
from left_tasks import none_but
from scripted import message, row, scripted

from btmodel import AsyncDatabase, Database
from btmodel.client.call import MUTATE_ROW
from btmodel.client.channels import SINGLE_THREADED
from btmodel.client.failures import google_error
from btmodel.client.target import Target
from btmodel.errors import ServerError
from btmodel.rows import ReadPlan, RowRange

ALL = ReadPlan("T", (RowRange(b"", b""),), None)


def told(call: Any) -> dict[str, str]:
    """What a request was sent with, its own time left out."""
    sent = {one.key: one.value for one in call.invocation_metadata()}
    return {name: value for name, value in sent.items() if name.startswith(("x-goog", "bigtable"))}


@pytest.mark.parametrize("profile", [None, "batch jobs"])
def test_requests_are_sent_with_what_the_client_sends(profile: str | None) -> None:
    """Routing and version are those of Google's client; features that it does not know are told beside."""
    came: list[dict[str, str]] = []
    asked: list[ReadRowsRequest] = []

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        came.append(told(call))
        asked.append(request)
        yield message(row(b"a"))

    async def with_await(target: Target) -> None:
        async with AsyncDatabase(target, app_profile=profile) as db:
            assert len([one async for one in db.read(ALL)]) == 1

    with scripted(answer) as (target, _):
        for plane in ("client", "btmodel"):
            with Database(target, app_profile=profile, data_plane=plane) as db:
                assert len(list(db.read(ALL))) == 1
        asyncio.run(with_await(target))
    theirs, ours, awaited = came
    assert ours.pop("bigtable-features")
    assert ours == theirs
    assert set(ours) == {"x-goog-request-params", "x-goog-api-client"}
    assert awaited["x-goog-request-params"] == theirs["x-goog-request-params"]
    assert asked[1] == asked[0]


def test_a_channel_that_is_exchanged() -> None:
    """The data client exchanges its channel for a new one now and then, and closes the old one: reads go on."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield message(row(b"a"))

    with scripted(answer) as (target, _), Database(target) as db:
        assert len(list(db.read(ALL))) == 1
        channel = db._access.open("T").table.client.transport.grpc_channel
        channel.swap_channel(channel.create_channel()).close()
        assert len(list(db.read(ALL))) == 1


def test_errors_are_those_of_googles_clients() -> None:
    """What gRPC raises comes as the exception of its code; all else as it is."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield message()

    with scripted(answer) as (target, _), Database(target) as db:
        calls = db._access.open("T")
        with pytest.raises(grpc.RpcError) as raised:
            calls.unary(MUTATE_ROW)(b"", timeout=5, metadata=calls.metadata)
        known = google_error(raised.value)
        assert "Method not found" in str(known)
        assert type(known).__module__ == InvalidArgument.__module__
        other = LookupError()
        assert google_error(other) is other
    with pytest.raises(ServerError, match="closed"):
        list(db.read(ALL))


def test_calls_pass_through_the_clients_interceptors() -> None:
    """To the service, Google's client measures its calls by interceptors: serialized messages pass through them."""

    def answer(request: ReadRowsRequest, call: Any) -> Iterator[ReadRowsResponse]:
        yield message(row(b"a"))
        yield message(row(b"b"))

    async def with_await(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            client = db._access.open("T").table.client
            client.transport.grpc_channel._unary_stream_interceptors.append(client._metrics_interceptor)
            await asyncio.sleep(0.05)  # the client's own tasks end
            before = asyncio.all_tasks()
            rows = db.read(ALL)
            assert (await anext(rows))[0] == b"a"
            await rows.aclose()
            assert len([one async for one in db.read(ALL)]) == 2
            await none_but(before)

    with scripted(answer) as (target, _):
        with Database(target) as db:
            client = db._access.open("T").table.client
            inner = grpc.insecure_channel(str(target.host), SINGLE_THREADED)
            measured = grpc.intercept_channel(inner, client._metrics_interceptor)
            client.transport.grpc_channel.swap_channel(measured).close()
            assert len(list(db.read(ALL))) == 2
            next(db.read(ALL))
        asyncio.run(with_await(target))
