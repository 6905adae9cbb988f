"""Bulk writes keep the pace that the service asks for, where they are told to."""

import asyncio
import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from time import monotonic
from typing import Any

import grpc
import pytest
from google.cloud.bigtable_v2.types import FeatureFlags, MutateRowsRequest, MutateRowsResponse, RateLimitInfo
from google.rpc.status_pb2 import Status

from btmodel import AsyncDatabase, Database
from btmodel.client import call
from btmodel.client.call import MUTATE_ROWS, Pace
from btmodel.client.target import Target
from btmodel.errors import SettingsError, WriteFailed
from btmodel.rows import Cell, Mutation

TABLE = "t"


class _Service(grpc.GenericRpcHandler):
    """Acknowledges rows, and asks for another load with each answer; a row ``bad`` fails."""

    def __init__(self, factor: float | None, period: float) -> None:
        self.factor, self.period = factor, period
        self.requests: list[tuple[float, int]] = []
        self.flags: list[Any] = []

    def service(self, handler_call_details: Any) -> Any:
        metadata = dict(handler_call_details.invocation_metadata)
        if handler_call_details.method != MUTATE_ROWS:
            return None
        self.flags.append(FeatureFlags.deserialize(base64.urlsafe_b64decode(metadata["bigtable-features"])))
        return grpc.unary_stream_rpc_method_handler(
            self._answer, MutateRowsRequest.deserialize, MutateRowsResponse.serialize
        )

    def _answer(self, request: MutateRowsRequest, _: Any) -> Iterator[MutateRowsResponse]:
        self.requests.append((monotonic(), len(request.entries)))
        answer = MutateRowsResponse(
            entries=[
                MutateRowsResponse.Entry(index=at, status=Status(code=3 if entry.row_key == b"bad" else 0))
                for at, entry in enumerate(request.entries)
            ]
        )
        if self.factor is not None:
            answer.rate_limit_info = RateLimitInfo(factor=self.factor, period=timedelta(seconds=self.period))
        yield answer


@contextmanager
def serving(factor: float | None, period: float = 60.0) -> Iterator[tuple[Target, _Service]]:
    """A service."""
    service = _Service(factor, period)
    with ThreadPoolExecutor(8) as threads:
        server = grpc.server(threads, handlers=[service])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield Target("projects/p/instances/i", f"127.0.0.1:{port}", lambda: None), service
        finally:
            server.stop(None).wait()


def rows(count: int, *, bad: bool = False) -> Iterator[Mutation]:
    """Writes of so many rows."""
    for at in range(count):
        yield Mutation(TABLE, b"bad" if bad and at == 7 else b"%06d" % at, [Cell("f", b"q", 1000, b"x")])


def write(target: Target, count: int, *, paced: bool) -> float:
    """The rate that is kept afterwards."""
    with Database(target, flow_control=paced) as db:
        assert db.write_many(TABLE, rows(count)) == count
        return rate_of(db)


def write_async(target: Target, count: int, *, paced: bool) -> float:
    """The same."""

    async def main() -> float:
        async with AsyncDatabase(target, flow_control=paced) as db:
            assert await db.write_many(TABLE, rows(count)) == count
            return rate_of(db)

    return asyncio.run(main())


def rate_of(db: Any) -> float:
    """Rows a second; 0 where nothing is limited."""
    pace = db._connection._paces.get(None)
    return 0.0 if pace is None else pace.rate or 0.0


@pytest.mark.parametrize("ask", [write, write_async])
def test_the_service_is_asked_for_a_pace_and_it_is_kept(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The load falls by the factor, at once, and the next requests wait their turn."""
    monkeypatch.setattr(call, "_LEAST", 1.0)
    monkeypatch.setattr(call, "_FACTORS", (0.0, 1.3))
    with serving(0.05) as (target, service):
        rate = ask(target, 9_000, paced=True)
    assert rate > 0
    assert all(one.mutate_rows_rate_limit and one.mutate_rows_rate_limit2 for one in service.flags)
    assert all(one.reverse_scans and one.retry_info for one in service.flags)
    times = [at for at, _ in service.requests]
    # Those that were sent before the first answer do not wait: of the others, each waits for a batch.
    assert max(later - earlier for earlier, later in pairwise(times)) > 0.5 * 1_000 / rate


@pytest.mark.parametrize("ask", [write, write_async])
def test_without_the_option_nothing_is_said_or_kept(ask: Any) -> None:
    """Even if the service asks."""
    with serving(0.05) as (target, service):
        assert ask(target, 5_000, paced=False) == 0
    assert not any(one.mutate_rows_rate_limit or one.mutate_rows_rate_limit2 for one in service.flags)


def test_rows_are_accounted_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that asks for another load acknowledges rows like any other, and names those that failed."""
    monkeypatch.setattr(call, "_LEAST", 1e5)
    for factor in (None, 0.9, 1.2):
        with serving(factor) as (target, _), Database(target, flow_control=True) as db:
            with pytest.raises(WriteFailed) as failed:
                db.write_many(TABLE, rows(1_500, bad=True))
            assert [one.index for one in failed.value.failures] == [7]
            assert failed.value.written == 1_499


def test_views_with_and_without_a_pace_share_a_connection() -> None:
    """A batch job beside the requests of users."""
    with serving(1.0) as (target, service), Database(target) as db:
        db.with_options(flow_control=True).write_many(TABLE, rows(5))
        db.write_many(TABLE, rows(5))
    assert [one.mutate_rows_rate_limit2 for one in service.flags] == [True, False]
    with pytest.raises(SettingsError, match="flow_control: expected True or False"):
        Database(target, flow_control=1)  # type: ignore[arg-type]


def test_the_load_changes_by_the_factor_once_a_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the bounds that Google's clients keep, and is forgotten when nobody asks any more."""
    now = [1_000.0]
    monkeypatch.setattr(call, "monotonic", lambda: now[0])
    pace = Pace()
    pace.adjust(1.2, 10)
    assert (pace.rate, pace.wait(1_000)) == (None, 0)  # there is nothing to raise yet
    now[0] += 1
    pace.adjust(0.8, 10)
    assert pace.rate == pytest.approx(800)
    pace.adjust(0.8, 10)
    assert pace.rate == pytest.approx(800)  # within the period
    assert [pace.wait(400) for _ in range(3)] == pytest.approx([0, 0.5, 1.0])
    now[0] += 10
    pace.adjust(0.1, 10)
    assert pace.rate == pytest.approx(560)
    now[0] += 10
    pace.adjust(9, 10)
    assert pace.rate == pytest.approx(728)
    for _ in range(60):
        now[0] += 10
        pace.adjust(0.7, 10)
    assert pace.rate == 100
    now[0] += 301
    assert (pace.wait(1_000), pace.rate) == (0, None)
