"""Spans of requests and their stages, sent to a collector by OpenTelemetry's exporter."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from random import getrandbits

from opentelemetry.context import Context, get_value, set_value
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Sampler, SamplingResult
from opentelemetry.trace import (
    Link,
    Span,
    SpanKind,
    StatusCode,
    TraceState,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import Attributes
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..admission.client_address import TrustedProxies
from ..clock import Clock
from ..sources.remote import traceparent
from ..version import version

NAME = "mockup"
TRUSTED = "mockup.trusted"
# Health probes are not traced, because they would outnumber all other requests.
QUIET = ("/health", "/api/v1/health")
NANOSECONDS = 10**9


class OwnDecision:
    """Samples strangers' traces in the same way as traces that begin here; their flags and ids have no
    influence."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Decide as the sampler that the standard variables name."""
        parent = get_current_span(parent_context).get_span_context()
        if parent.is_remote and not get_value(TRUSTED, parent_context):
            parent_context, trace_id = Context(), getrandbits(128)
        return self._sampler.should_sample(
            parent_context, trace_id, name, kind, attributes, links, trace_state
        )

    def get_description(self) -> str:
        """The description of the sampler that the standard variables name."""
        return str(self._sampler.get_description())


class Tracer:
    """Makes spans; the standard variables give endpoint, headers, sampler and resource."""

    def __init__(self, proxies: TrustedProxies) -> None:
        """Start the thread that sends spans in batches."""
        self._proxies = proxies
        about = {"service.version": version()}
        named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get(
            "OTEL_RESOURCE_ATTRIBUTES", ""
        )
        if not named:
            about["service.name"] = NAME
        self._provider = TracerProvider(resource=Resource.create(about), shutdown_on_exit=False)
        self._provider.sampler = OwnDecision(self._provider.sampler)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer(NAME, version())
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, scope: Scope) -> Span:
        """A span for a request, in the trace that the request names."""
        request = Request(scope)
        headers = request.headers
        given = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        context = self._propagator.extract(given)
        if self._proxies.are_peer(request.scope):
            context = set_value(TRUSTED, True, context)
        span = self._tracer.start_span(
            scope["method"],
            context,
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

        Each stage becomes a span that begins when the stage first began and lasts for the sum of its times.
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
        """Send the remaining spans; waits for the collector."""
        self._provider.shutdown()


class Traces:
    """Gives every request a span, except health checks."""

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
