"""Where a table divides: asked again where no answer comes, and not asked any more where nobody waits for it."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import grpc
import pytest
from google.cloud.bigtable_v2.types import SampleRowKeysRequest, SampleRowKeysResponse
from left_tasks import none_but

from btmodel import AsyncDatabase, Database
from btmodel.client.call import SAMPLE_ROW_KEYS
from btmodel.client.target import Target
from btmodel.errors import MissingTable

KEYS = [b"b", b"m", b"x"]


class _Service(grpc.GenericRpcHandler):
    """Breaks off the first answers, as often as it is told, behind one key; then it says all."""

    def __init__(self, breaks: list[grpc.StatusCode]) -> None:
        self.breaks = breaks
        self.asked: list[SampleRowKeysRequest] = []

    def service(self, handler_call_details: Any) -> Any:
        if handler_call_details.method != SAMPLE_ROW_KEYS:
            return None
        return grpc.unary_stream_rpc_method_handler(
            self._answer, SampleRowKeysRequest.deserialize, SampleRowKeysResponse.serialize
        )

    def _answer(self, request: SampleRowKeysRequest, call: Any) -> Iterator[SampleRowKeysResponse]:
        self.asked.append(request)
        yield SampleRowKeysResponse(row_key=KEYS[0], offset_bytes=1)
        if self.breaks:
            call.abort(self.breaks.pop(), "as scripted")
        yield from (SampleRowKeysResponse(row_key=key, offset_bytes=2) for key in [*KEYS[1:], b""])


@contextmanager
def sampled(*breaks: grpc.StatusCode) -> Iterator[tuple[Target, _Service]]:
    service = _Service(list(breaks))
    with ThreadPoolExecutor(8) as threads:
        server = grpc.server(threads, handlers=[service])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield Target("projects/p/instances/i", f"127.0.0.1:{port}", lambda: None), service
        finally:
            server.stop(None).wait()


def splits(target: Target) -> list[bytes]:
    with Database(target) as db:
        return db.splits("T")


def splits_async(target: Target) -> list[bytes]:
    async def main() -> list[bytes]:
        async with AsyncDatabase(target) as db:
            return await db.splits("T")

    return asyncio.run(main())


in_both_ways = pytest.mark.parametrize("ask", [splits, splits_async])


@in_both_ways
def test_an_answer_that_breaks_off_is_asked_for_again(ask: Any) -> None:
    """Each key comes once, however many answers broke off, and the end of the table is no key."""
    with sampled(grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED) as (target, service):
        assert ask(target) == KEYS
    assert [one.table_name for one in service.asked] == ["projects/p/instances/i/tables/T"] * 3


@in_both_ways
def test_a_refusal_is_told(ask: Any) -> None:
    """What asking again would not fix is raised at once."""
    with sampled(grpc.StatusCode.NOT_FOUND) as (target, service), pytest.raises(MissingTable):
        ask(target)
    assert len(service.asked) == 1


def test_cancelling_leaves_no_request() -> None:
    """Wherever the task is when it is cancelled, no request stays open."""

    async def main(target: Target) -> None:
        async with AsyncDatabase(target) as db:
            await db.splits("T")
            before = asyncio.all_tasks()
            for turn in range(300):
                task = asyncio.ensure_future(db.splits("T"))
                await asyncio.sleep(turn / 300 * 0.003)  # about as long as an answer takes
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await none_but(before)

    with sampled() as (target, _):
        asyncio.run(main(target))
