"""Liveness and readiness."""

from __future__ import annotations

from typing import Literal

import structlog
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.database import cause
from ..devices.device import catalogue
from ..errors import MockupError
from ..version import version
from . import answers
from .operation import OPERATION, operation
from .responses import private_json
from .services import Services, services_of

log = structlog.get_logger(__name__)


@operation(OPERATION, "GET", "/health", gives=answers.Health)
async def check_health(request: Request) -> Response:
    """Whether the service is alive."""
    return private_json(answers.Health(status="ok", version=version()))


@operation(OPERATION, "GET", "/api/v1/health", gives=answers.Health)
async def get_health(request: Request) -> Response:
    """Whether the service is alive."""
    return await check_health(request)


@operation(
    OPERATION,
    "GET",
    "/health/ready",
    gives=answers.Readiness,
    otherwise={503: ("Not ready", answers.Readiness)},
)
async def check_readiness(request: Request) -> Response:
    """Whether the service takes work."""
    services = services_of(request)
    checks = {
        "accepting": services.readiness.open,
        "queue": not services.queue.is_full(),
        "devices": bool(catalogue()),
        "sandbox": services.renderers.sandboxed or services.config.allow_unsandboxed,
        "renderers": services.renderers.up,
        "database": await to_thread.run_sync(_database, services),
    }
    ok = all(checks.values())
    degraded: list[Literal["sharedLimits"]] = (
        [] if await to_thread.run_sync(_limits, services) else ["sharedLimits"]
    )
    state = answers.Readiness(status="ready" if ok else "unavailable", checks=checks, degraded=degraded)
    return private_json(state, 200 if ok else 503)


def _database(services: Services) -> bool:
    try:
        services.accounts.authenticate("sk_live_" + "0" * 43)
        return services.accounts.is_writable()
    except MockupError as error:
        log.warning("database unavailable", reason=cause(error))
        return False
    except Exception:
        log.exception("database not reachable")
        return False


def _limits(services: Services) -> bool:
    # Asked here as well, so that an instance without requests notices that Redis has gone or come back.
    return services.limits.is_immediate or services.limits.is_shared()
