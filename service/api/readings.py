"""The figures that the services report in metrics, read when the metrics are fetched."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from functools import partial

from ..version import version
from .metrics import MetricKind, Reading
from .services import Services

# The plan label of pictures that the service makes for its own catalogue, on behalf of no user.
NO_PLAN = ""

# The metrics of each cache: name, text, attribute and kind.
CACHES: tuple[tuple[str, str, str, MetricKind], ...] = (
    ("cache_bytes", "Memory that a cache holds", "nbytes", "gauge"),
    ("cache_limit_bytes", "Memory that a cache may hold", "limit", "gauge"),
    ("cache_hits", "Look-ups that found something in a cache", "hits", "counter"),
    ("cache_misses", "Look-ups that found nothing in a cache", "misses", "counter"),
)


def readings(services: Services) -> Iterator[Reading]:
    """The figures that each service reports."""
    queue, renderers, budget = services.queue, services.renderers, services.budget
    fetcher = services.fetcher
    yield Reading("sandbox", "1 where screenshots are decoded in a sandbox", lambda: renderers.sandboxed)
    yield Reading("renderers", "Pictures made in parallel", lambda: renderers.at_once)
    yield Reading("workers_up", "1 while pictures can be made", lambda: renderers.up)
    yield Reading(
        "renderers_replaced", "Renderers that died and were replaced", lambda: renderers.replaced, "counter"
    )
    yield Reading("renders_held", "Renders that wait or run", lambda: queue.occupied)
    yield Reading("renders_capacity", "Renders that may wait or run", lambda: queue.capacity)
    yield Reading("renders_running", "Pictures under way", lambda: queue.running)
    yield Reading("previews_held", "Users that have a preview under way", lambda: services.latest.occupied)
    for kind, previews in (("render", False), ("preview", True)):
        for plan in (NO_PLAN, *services.config.plans):
            waits = partial(queue.waits, previews=previews, plan=plan)
            named = (("kind", kind), ("plan", plan))
            yield Reading("renders_waiting", "Pictures that wait for their turn", waits, labels=named)
    for name, cache in (("plates", renderers.plates), ("screenshots", renderers.screenshots)):
        labels = (("cache", name),)
        for figure, text, attribute, counted in CACHES:
            yield Reading(figure, text, partial(getattr, cache, attribute), counted, labels)
    for outcome, attribute in (("ok", "fetched"), ("failed", "failed")):
        value = partial(getattr, fetcher, attribute)
        yield Reading("fetches", "Screenshots fetched", value, "counter", (("outcome", outcome),))
    yield Reading(
        "limits_degraded",
        "1 while requests are counted by this instance alone, because Redis does not respond",
        lambda: services.limits.is_degraded,
    )
    yield Reading("in_flight_bytes", "Bytes of requests, screenshots and responses", lambda: budget.used)
    yield Reading("in_flight_limit_bytes", "Bytes that may be in flight", lambda: budget.limit)
    yield Reading(
        "build",
        "1, with the versions as labels",
        lambda: 1,
        labels=(("version", version()), ("python", platform.python_version())),
    )
