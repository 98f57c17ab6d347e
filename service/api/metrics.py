"""Prometheus metrics: counters, and values that are read when the metrics are fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import Scope

from ..clock import Clock

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
STAGE_SECONDS = (0.0005, 0.001, 0.0025, *SECONDS)
REFUSAL_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
# Operations that make pictures, and the names that their requests are counted under.
RENDERS = {"/api/v1/mockup": "mockup", "/api/v1/previews": "preview"}
# By status; other errors of the caller are `invalid`, others of the service `failed`.
OUTCOMES = {
    200: "ok",
    401: "unauthorized",
    403: "forbidden",
    409: "superseded",
    429: "limited",
    499: "client_closed",
    503: "busy",
    504: "timeout",
}

MetricKind = Literal["gauge", "counter"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that is read when the metrics are fetched: its name without prefix, and its labels, if any."""

    name: str
    text: str
    value: Callable[[], float]
    kind: MetricKind = "gauge"
    labels: tuple[tuple[str, str], ...] = ()


class Metrics:
    """Metrics in memory, served by `open`. Labels never contain data from callers."""

    def __init__(self) -> None:
        """Register the counters that are kept up to date."""
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._responses = Counter(
            "mockup_http_requests",
            "HTTP requests by response",
            ("method", "path", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "mockup_http_request_seconds",
            "From the request's head to the response's",
            ("path",),
            buckets=SECONDS,
            registry=registry,
        )
        self._refusals = Histogram(
            "mockup_refusal_seconds",
            "From the head of a render request to its refusal, while the queue is full",
            buckets=REFUSAL_SECONDS,
            registry=registry,
        )
        self._renders = Counter(
            "mockup_renders", "Requests for pictures by outcome", ("operation", "outcome"), registry=registry
        )
        self._stages = Histogram(
            "mockup_stage_seconds",
            "Time that a picture spent in a stage, as in Server-Timing",
            ("stage",),
            buckets=STAGE_SECONDS,
            registry=registry,
        )
        self._waits = Histogram(
            "mockup_queue_wait_seconds",
            "Time that a picture waited for its turn, by the plan of its user",
            ("operation", "plan"),
            buckets=STAGE_SECONDS,
            registry=registry,
        )

    def watch(self, readings: Iterable[Reading]) -> None:
        """Register values that are read on request, in another thread than the event loop's."""
        self.registry.register(_Readings(tuple(readings)))

    def record(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a response; `seconds` since the request's head arrived."""
        state = scope["state"]
        refused = state.get("shed", False)
        route = scope.get("route")
        path = scope["path"] if refused else getattr(route, "path", "none")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._responses.labels(method, path, str(status)).inc()
        if refused:
            self._refusals.observe(seconds)
        else:
            self._seconds.labels(path).observe(seconds)
        if operation := RENDERS.get(path):
            other = "failed" if status >= 500 else "invalid"
            self._renders.labels(operation, OUTCOMES.get(status, other)).inc()
            if clock := state.get("clock"):
                self._record_stages(clock, operation, state["caller"].plan_name)

    def _record_stages(self, clock: Clock, operation: str, plan: str) -> None:
        for stage, spent in list(clock.stages.items()):
            if stage == "queue":
                self._waits.labels(operation, plan).observe(spent / 1e3)
            else:
                self._stages.labels(stage).observe(spent / 1e3)

    def figures(self) -> list[dict[str, Any]]:
        """All metrics with their samples, as JSON."""
        return [
            {
                "name": metric.name,
                "type": metric.type,
                "help": metric.documentation,
                "samples": [
                    {"name": sample.name, "labels": sample.labels, "value": sample.value}
                    for sample in metric.samples
                    if not sample.name.endswith("_created")
                ],
            }
            for metric in self.registry.collect()
        ]

    def open(self, host: str, port: int) -> str:
        """Serve the metrics on a separate port, from a separate thread; returns their URL."""
        server, _ = start_http_server(port, host, self.registry)
        return f"http://{host}:{server.server_port}/metrics"


class _Readings(Collector):
    """Reads figures and groups them by name."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = readings

    def collect(self) -> Iterator[Metric]:
        families: dict[str, CounterMetricFamily | GaugeMetricFamily] = {}
        for one in self._readings:
            if one.name not in families:
                made = CounterMetricFamily if one.kind == "counter" else GaugeMetricFamily
                names = [name for name, _ in one.labels]
                families[one.name] = made(f"mockup_{one.name}", one.text, labels=names)
            families[one.name].add_metric([value for _, value in one.labels], float(one.value()))
        yield from families.values()
