"""Traces, if the standard variables of OpenTelemetry ask for them; otherwise, no package is loaded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import structlog

from ..shipped import extra

if TYPE_CHECKING:
    from ..admission.client_address import TrustedProxies
    from .tracer import Tracer

log = structlog.get_logger(__name__)
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def open_tracer(proxies: TrustedProxies) -> Tracer | None:
    """The tracer, or None if no collector is named or traces are turned off.

    If a request comes from `proxies`, their decision whether to record its trace applies. If the packages are
    missing, only a warning is logged, since a platform may set the variables for all its services.
    """
    endpoint = next((name for name in ENDPOINTS if os.environ.get(name)), None)
    if (
        endpoint is None
        or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
        or os.environ.get("OTEL_TRACES_EXPORTER", "otlp").lower() != "otlp"
    ):
        return None
    try:
        from .tracer import Tracer
    except ImportError:
        log.warning(f"{endpoint} is set, and traces need {extra('traces')}")
        return None
    return Tracer(proxies)
