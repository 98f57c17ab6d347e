"""Spans of requests and their stages, sent to a collector by OpenTelemetry's exporter."""

from __future__ import annotations

import os
import time

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.clock import Clock
from service.sources.remote import traceparent
from service.version import version

NAME = "mockup"
# Probes would drown everything else.
QUIET = ("/health", "/api/v1/health")
NANOSECONDS = 10**9


class Tracer:
    """Makes spans; endpoint, headers, sampler and resource are those of the standard variables."""

    def __init__(self) -> None:
        """Start the thread that sends spans in batches."""
        about = {"service.version": version()}
        named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get(
            "OTEL_RESOURCE_ATTRIBUTES", ""
        )
        if not named:
            about["service.name"] = NAME
        self._provider = TracerProvider(resource=Resource.create(about), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer(NAME, version())
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, scope: Scope) -> Span:
        """A span for a request, in the trace that the request says it belongs to."""
        headers = Request(scope).headers
        given = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        span = self._tracer.start_span(
            scope["method"],
            self._propagator.extract(given),
            SpanKind.SERVER,
            {"http.request.method": scope["method"], "mockup.request_id": scope["state"]["request_id"]},
            start_time=_moment(scope["state"]["started"]),
        )
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier, set_span_in_context(span))
        traceparent.set(carrier.get("traceparent"))
        return span

    def end(self, span: Span, scope: Scope, status: int) -> None:
        """End a request's span; `status` is 0 if the client left before there was a response.

        Each stage becomes a span that begins when the stage first did and lasts as long as it took in all.
        """
        if span.is_recording():
            if route := getattr(scope.get("route"), "path", ""):
                span.update_name(f"{scope['method']} {route}")
                span.set_attribute("http.route", route)
            if status:
                span.set_attribute("http.response.status_code", status)
            if status >= 500:
                span.set_status(StatusCode.ERROR)
            clock: Clock | None = scope["state"].get("clock")
            parent = set_span_in_context(span)
            for name, spent in list(clock.stages.items()) if clock else ():
                begun = _moment(clock.begun[name]) if clock else 0
                stage = self._tracer.start_span(name, parent, start_time=begun)
                stage.end(begun + round(spent * 1e6))
        span.end()

    def close(self) -> None:
        """Send what is left; takes as long as the collector lets it."""
        self._provider.shutdown()


class Traces:
    """Gives every request a span, but for those about health."""

    def __init__(self, app: ASGIApp, tracer: Tracer) -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http" or scope["path"].startswith(QUIET):
            return await self._app(scope, receive, send)
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        span = self._tracer.begin(scope)
        try:
            await self._app(scope, receive, watched)
        finally:
            self._tracer.end(span, scope, status)


def _moment(counter: float) -> int:
    """A moment of `time.perf_counter` in nanoseconds since 1970."""
    return time.time_ns() - round((time.perf_counter() - counter) * NANOSECONDS)
