"""Prometheus metrics: responses, their times, refusals and the queue."""

from __future__ import annotations

from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from starlette.types import Scope

from service.admission.latest import Latest
from service.admission.queue import Queue
from service.clock import Clock
from service.workers.renderers import Renderers

# Metrics are served to this machine only; use a proxy to collect them from elsewhere.
HOST = "127.0.0.1"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
REFUSAL_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1)
METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE"}


class Metrics:
    """Metrics in memory, served by `open`. Labels never contain data from callers."""

    def __init__(self, queue: Queue, renderers: Renderers, latest: Latest) -> None:
        """Register the metrics."""
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._responses = Counter(
            "mockup_answers", "Answers given", ("method", "path", "status"), registry=registry
        )
        self._seconds = Histogram(
            "mockup_answer_seconds",
            "From the request's head to the answer's",
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
        self._stages = Histogram(
            "mockup_stage_seconds",
            "Stages of mockups and previews, as in Server-Timing",
            ("stage",),
            buckets=SECONDS,
            registry=registry,
        )
        screenshots, plates = renderers.screenshots, renderers.plates
        for name, text, value in (
            ("sandbox", "1 where screenshots are decoded in a sandbox", lambda: renderers.sandboxed),
            ("renders_held", "Renders that wait or run", lambda: queue.occupied),
            ("renders_capacity", "Renders that may wait or run", lambda: queue.capacity),
            ("previews_held", "Users that have a preview under way", lambda: latest.occupied),
            ("plates_bytes", "Memory of cached plates", lambda: plates.nbytes),
            ("plates_found", "Renders whose plate was cached", lambda: plates.hits),
            ("plates_missed", "Renders whose plate was built", lambda: plates.misses),
            ("screenshots_bytes", "Memory of decoded screenshots", lambda: screenshots.nbytes),
            ("screenshots_found", "Renders of a screenshot that was known decoded", lambda: screenshots.hits),
            ("screenshots_missed", "Renders whose screenshot was decoded", lambda: screenshots.misses),
        ):
            Gauge(f"mockup_{name}", text, registry=registry).set_function(value)

    def record(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a response; `seconds` since the request's head arrived."""
        refused = scope["state"].get("shed", False)
        route = scope.get("route")
        path = scope["path"] if refused else getattr(route, "path", "none")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._responses.labels(method, path, str(status)).inc()
        if refused:
            self._refusals.observe(seconds)
            return
        self._seconds.labels(path).observe(seconds)
        clock: Clock | None = scope["state"].get("clock")
        for name, spent in list(clock.stages.items()) if clock else ():
            self._stages.labels(name).observe(spent / 1e3)

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

    def open(self, port: int) -> str:
        """Serve the metrics on a local port from a separate thread; returns their URL."""
        server, _ = start_http_server(port, HOST, self.registry)
        return f"http://{HOST}:{server.server_port}/metrics"
