"""Figures for an operator's Prometheus: answers, their times, refusals and the queue."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from starlette.types import Scope

from service.admission.queue import Queue

# Figures are for the machine they are taken on; a collector elsewhere comes through a proxy.
HOST = "127.0.0.1"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
REFUSAL_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1)
METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE"}


class Metrics:
    """Counted in memory; `open` shows them. No label is a caller's: names and paths are the service's own."""

    def __init__(self, queue: Queue) -> None:
        """Nothing is counted yet."""
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
        for name, text, value in (
            ("held", "Renders that wait or run", lambda: queue.occupied),
            ("capacity", "Renders that may wait or run", lambda: queue.capacity),
        ):
            Gauge(f"mockup_renders_{name}", text, registry=registry).set_function(value)

    def record(self, scope: Scope, status: int, seconds: float) -> None:
        """Count an answer; `seconds` since the request's head was there."""
        refused = scope["state"].get("shed", False)
        route = scope.get("route")
        path = scope["path"] if refused else getattr(route, "path", "none")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._responses.labels(method, path, str(status)).inc()
        if refused:
            self._refusals.observe(seconds)
        else:
            self._seconds.labels(path).observe(seconds)

    def open(self, port: int) -> str:
        """Show the figures at a port of this machine, from a thread of its own; returns their URL."""
        server, _ = start_http_server(port, HOST, self.registry)
        return f"http://{HOST}:{server.server_port}/metrics"
