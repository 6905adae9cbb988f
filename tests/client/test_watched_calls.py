"""What others see of calls: hooks, logs, spans and measurements. None of them holds a key or a value."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import btmodel as bt
from btmodel import opentelemetry
from btmodel.client.options import Call
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes, the_message

Open = Callable[..., bt.Database]
KEY = ("NASDAQ", "ZXZZT", QUOTE_TIME)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """The spans of calls, as an exporter would send them."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    opentelemetry.instrument(tracer_provider=provider)
    yield exporter
    opentelemetry.uninstrument()


def test_a_hook_is_given_each_call(database: Open) -> None:
    """Its kind, table, counts, attempts and times, after it has ended."""
    calls: list[Call] = []
    quotes = QuoteRepository(database(Quote).with_options(on_call=calls.append))
    quotes.put(the_message()[0])
    quotes.put_many(made_up_quotes(2_500))
    assert quotes.get(*KEY) == the_message()[0]
    assert len(list(quotes.by_symbol("NASDAQ", "ZXZZT").limit(7))) == 7
    put, *bulk, get, scan = calls
    assert (put.kind, put.method, put.table, put.rows, put.attempts) == ("write", "MutateRow", "QUOTE", 1, 1)
    assert [(one.kind, one.method) for one in bulk] == [("bulk", "MutateRows")] * 3
    assert sorted(one.batch for one in bulk) == [500, 1000, 1000] == sorted(one.rows for one in bulk)
    assert (get.kind, get.method, get.rows, get.ranges) == ("read", "ReadRows", 1, 1)
    assert (scan.kind, scan.rows) == ("scan", 7)
    assert all(0 < one.decode_seconds < one.seconds for one in (get, scan))
    assert all(one.bytes > 50 and one.error is None for one in calls)


def test_a_hook_is_given_what_failed(database: Open, caplog: pytest.LogCaptureFixture) -> None:
    """The error is the one that was raised; a hook that fails itself is logged, and the call goes on."""
    calls: list[Call] = []
    db = database(Quote)
    gone = QuoteRepository(db.with_options(app_profile="none", on_call=calls.append))
    with pytest.raises(bt.ServerError) as raised:
        gone.get(*KEY)
    assert [call.error for call in calls] == [raised.value]

    def fails(call: Call) -> None:
        raise LookupError("the hook's own")

    quotes = QuoteRepository(db.with_options(on_call=fails))
    quotes.put(the_message()[0])
    assert quotes.get(*KEY) == the_message()[0]
    [warned] = caplog.records  # the second failure is counted, and no more
    assert warned.levelname == "WARNING"
    assert warned.getMessage().endswith(
        ".fails, which watches calls, failed (LookupError: the hook's own): the call is as it was. Further failures of it "
        "are counted at level DEBUG"
    )
    with caplog.at_level(logging.DEBUG, "btmodel"):
        quotes.get(*KEY)
    assert caplog.messages[-1].endswith(".fails has failed for 3 calls")


def test_a_read_that_is_left_early_has_not_failed(database: Open) -> None:
    """Its call ends where the loop is left, without an error."""
    calls: list[Call] = []
    quotes = QuoteRepository(database(Quote).with_options(on_call=calls.append))
    quotes.put_many(made_up_quotes(100))
    calls.clear()
    for _ in quotes.by_symbol("NASDAQ", "ZXZZT"):
        break
    [call] = calls
    assert (call.kind, call.error) == ("scan", None)
    assert call.rows == 50  # of its first message, of which one was used


def test_logs_are_quiet_and_hold_no_keys(database: Open, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is logged unless it is asked for: then a line a call, which names the table and no row."""
    quotes = QuoteRepository(database(Quote))
    quotes.put(the_message()[0])
    assert caplog.records == []
    with caplog.at_level(logging.DEBUG, "btmodel"):
        quotes.put(the_message()[0])
        quotes.get(*KEY)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert lines[0].startswith("write MutateRow of QUOTE: 0 ranges, 1 row, 1 attempt, ")
    assert lines[1].startswith("read ReadRows of QUOTE: 1 range, 1 row, 1 attempt, ")
    assert "ZXZZT" not in caplog.text


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_each_call_is_a_span(database: Open, spans: InMemorySpanExporter) -> None:
    """Named and described by the conventions for databases, as a child of the span that is current."""
    db = database(Quote)
    quotes = QuoteRepository(db)
    request = TracerProvider().get_tracer("app").start_span("request")
    with trace.use_span(request):
        quotes.put_many(made_up_quotes(10))
        quotes.get(*KEY)
    with pytest.raises(bt.ServerError):
        QuoteRepository(db.with_options(app_profile="none")).get(*KEY)
    written, read, failed = spans.get_finished_spans()
    assert [span.name for span in (written, read, failed)] == [
        "MutateRows QUOTE",
        "ReadRows QUOTE",
        "ReadRows QUOTE",
    ]
    assert {span.kind for span in (written, read, failed)} == {trace.SpanKind.CLIENT}
    assert read.parent is not None
    assert read.parent.span_id == request.get_span_context().span_id
    assert failed.parent is None
    host, _, port = str(db.target.host).rpartition(":")
    about = {
        "db.system.name": "gcp.bigtable",
        "db.namespace": db.target.instance,
        "db.collection.name": "QUOTE",
        "server.address": host,
        "server.port": int(port),
    }
    assert about.items() <= attributes(written).items()
    assert attributes(written)["db.operation.name"] == "MutateRows"
    assert attributes(written)["db.operation.batch.size"] == 10
    assert attributes(read)["db.response.returned_rows"] == 1
    assert failed.status.status_code is trace.StatusCode.ERROR
    assert attributes(failed)["error.type"] == "ServerError"
    assert attributes(failed)["db.response.status_code"] in ("NOT_FOUND", "INVALID_ARGUMENT")
    text = "".join(span.to_json() for span in (written, read, failed))
    assert "ZXZZT" not in text


def test_spans_of_tasks_and_threads_have_the_parents_of_their_own(
    database: Open, spans: InMemorySpanExporter
) -> None:
    """Two requests that are served at once, each with its own current span, do not mix up their calls."""
    target = database(Quote).target
    tracer = TracerProvider().get_tracer("app")

    async def request(db: bt.AsyncDatabase, number: int) -> tuple[int, int]:
        with tracer.start_as_current_span(f"request {number}") as span:
            await asyncio.sleep(0)
            quotes = AsyncQuoteRepository(db)
            await quotes.put_many(made_up_quotes(1_500 + number))
            _ = [row async for row in quotes.by_symbol("NASDAQ", "ZXZZT").limit(number + 1)]
            return number, span.get_span_context().span_id

    async def main() -> list[tuple[int, int]]:
        async with bt.AsyncDatabase(target) as db:
            return await asyncio.gather(*(request(db, number) for number in range(3)))

    for _, parent in asyncio.run(main()):
        own = [span for span in spans.get_finished_spans() if span.parent and span.parent.span_id == parent]
        assert [span.name for span in own].count("MutateRows QUOTE") == 2
        assert [span.name for span in own].count("ReadRows QUOTE") == 1


def test_calls_are_measured(database: Open) -> None:
    """Durations, attempts, rows, bytes, decoding, and what is under way, which is nothing in the end."""
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader])
    opentelemetry.instrument(meter_provider=provider)
    try:
        quotes = QuoteRepository(database(Quote))
        quotes.put_many(made_up_quotes(1_500))
        assert quotes.get(*KEY) is not None
        count = sum(1 for _ in quotes.by_symbol("NASDAQ", "ZXZZT"))
        data = reader.get_metrics_data()
    finally:
        opentelemetry.uninstrument()
        provider.shutdown()
    assert data is not None
    [scope] = data.resource_metrics[0].scope_metrics
    points: dict[str, list[Any]] = {one.name: list(one.data.data_points) for one in scope.metrics}
    assert sum(point.count for point in points["db.client.operation.duration"]) == 4
    assert sum(point.count for point in points["btmodel.attempts"]) == 4
    rows = {point.attributes["btmodel.kind"]: point.value for point in points["btmodel.rows"]}
    assert rows == {"bulk": 1_500, "read": 1, "scan": count}
    assert (
        min(point.value for point in points["btmodel.bytes"] if point.attributes["btmodel.kind"] != "read")
        > 1_000
    )
    assert [point.value for point in points["btmodel.in_flight"]] == [0, 0, 0]
    assert sum(point.sum for point in points["btmodel.decode.duration"]) > 0


def test_what_a_read_took(database: Open) -> None:
    """``explain(analyze=True)`` makes the read and says what it was: rows, bytes, requests, and the parts of a parallel one."""
    db = database(Quote)
    quotes = QuoteRepository(db)
    quotes.put_many(made_up_quotes(300))
    read = quotes.by_symbol("NASDAQ", "ZXZZT")
    rows = sum(1 for _ in read)
    text = read.explain(analyze=True)
    assert text.startswith(read.explain())
    assert f"read {rows:,} row" in text
    assert ": 1 request, " in text

    async def main() -> str:
        async with bt.AsyncDatabase(db.target) as other:
            return await AsyncQuoteRepository(other).by_symbol("NASDAQ", "ZXZZT").explain(analyze=True)

    assert f"read {rows:,} row" in asyncio.run(main())
