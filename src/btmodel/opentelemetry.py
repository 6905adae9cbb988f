"""Traces and metrics of calls, for OpenTelemetry: ``pip install "btmodel[opentelemetry]"``.

:func:`instrument` once, when a program starts, and each call to Bigtable is a span and is counted, by the semantic
conventions for databases. What it costs, and what each attribute means, is in docs/production.md.
"""

from collections.abc import Callable, Mapping
from time import time_ns
from typing import TYPE_CHECKING, Any

from btmodel.client.options import Call
from btmodel.errors import SettingsError
from btmodel.on_demand import library

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

_SYSTEM = "gcp.bigtable"
_READS = ("read", "scan")


def instrument(
    *, tracer_provider: "TracerProvider | None" = None, meter_provider: "MeterProvider | None" = None
) -> None:
    """Give a span and measurements to each call of this process, those of open connections included.

    The providers are those of the process unless they are given. Calling it again replaces the providers. Raises
    :class:`SettingsError` where OpenTelemetry is not installed.
    """
    from btmodel.client import call

    trace = library("opentelemetry.trace", "opentelemetry", "tracing", SettingsError)
    metrics = library("opentelemetry.metrics", "opentelemetry", "measuring", SettingsError)
    uninstrument()
    tracer = trace.get_tracer("btmodel", tracer_provider=tracer_provider)
    meter = metrics.get_meter("btmodel", meter_provider=meter_provider)
    call.observers = (*call.observers, _Instruments(trace, tracer, meter).begin)


def uninstrument() -> None:
    """Stop what :func:`instrument` began; calls under way still end their spans."""
    from btmodel.client import call

    call.observers = tuple(
        observer
        for observer in call.observers
        if not isinstance(getattr(observer, "__self__", None), _Instruments)
    )


class _Instruments:
    """The tracer, and what is measured."""

    def __init__(self, trace: Any, tracer: Any, meter: Any) -> None:
        self._trace, self._tracer = trace, tracer
        self._duration = meter.create_histogram(
            "db.client.operation.duration", "s", "Duration of calls, all of their attempts included"
        )
        self._returned = meter.create_histogram(
            "db.client.response.returned_rows", "{row}", "Rows that a read returned"
        )
        self._attempts = meter.create_histogram("btmodel.attempts", "{request}", "Requests that a call made")
        self._decoding = meter.create_histogram(
            "btmodel.decode.duration", "s", "Time in which rows were made of the bytes of a read"
        )
        self._rows = meter.create_counter("btmodel.rows", "{row}", "Rows read and written")
        self._bytes = meter.create_counter("btmodel.bytes", "By", "Size of the messages that hold them")
        self._in_flight = meter.create_up_down_counter(
            "btmodel.in_flight", "{call}", "Calls that have begun and not ended"
        )

    def begin(self, call: Call) -> Callable[[Call], None]:
        """A call begins: its span does, as a child of the one that is current where the call is made."""
        about: dict[str, Any] = {
            "db.system.name": _SYSTEM,
            "db.namespace": call.instance,
            "db.collection.name": call.table,
            "db.operation.name": call.method,
        }
        if call.server is not None:
            host, _, port = call.server.rpartition(":")
            about |= {"server.address": host, "server.port": int(port)}
        name = f"{call.method} {call.table}"
        span = self._tracer.start_span(name, kind=self._trace.SpanKind.CLIENT, attributes=about)
        kind = {"db.system.name": _SYSTEM, "btmodel.kind": call.kind}
        self._in_flight.add(1, kind)

        def end(call: Call) -> None:
            ended = time_ns()
            self._in_flight.add(-1, kind)
            failed = _failure(call.error)
            self._measure(call, {**about, **failed})
            if span.is_recording():
                span.set_attributes({**_counts(call), **failed})
                if failed:
                    # Without the message of the error, which may hold keys and values.
                    span.set_status(self._trace.StatusCode.ERROR, failed["error.type"])
            span.end(ended)

        return end

    def _measure(self, call: Call, about: Mapping[str, Any]) -> None:
        self._duration.record(call.seconds, about)
        self._attempts.record(call.attempts, about)
        kind = {
            "db.system.name": _SYSTEM,
            "db.collection.name": call.table,
            "btmodel.kind": call.kind,
        }
        self._rows.add(call.rows, kind)
        self._bytes.add(call.bytes, kind)
        if call.kind in _READS:
            self._returned.record(call.rows, about)
            self._decoding.record(call.decode_seconds, kind)


def _counts(call: Call) -> dict[str, Any]:
    """The attributes of the span of a call."""
    counts = {"btmodel.kind": call.kind, "btmodel.attempts": call.attempts, "btmodel.bytes": call.bytes}
    if call.kind in _READS:
        return {**counts, "db.response.returned_rows": call.rows, "btmodel.ranges": call.ranges}
    # The conventions want no size of a batch of one.
    return {**counts, "db.operation.batch.size": call.batch} if call.batch > 1 else counts


def _failure(error: BaseException | None) -> dict[str, str]:
    """Why a call failed, as attributes: the class of its error, and the status that the service gave."""
    if error is None:
        return {}
    status = getattr(getattr(error.__cause__, "cause", None) or error.__cause__, "grpc_status_code", None)
    attributes = {"error.type": type(error).__qualname__}
    return attributes if status is None else {**attributes, "db.response.status_code": status.name}
