"""Liveness and readiness."""

from __future__ import annotations

import structlog
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from service.accounts.database import cause
from service.api.responses import JSONResponse
from service.api.services import Services, services_of
from service.devices.device import catalogue
from service.errors import MockupError
from service.version import version

log = structlog.get_logger(__name__)
_FRESH = {"Cache-Control": "no-store"}


async def alive(request: Request) -> Response:
    """Report that the process is alive, and its version."""
    return JSONResponse({"status": "ok", "version": version()}, headers=_FRESH)


async def ready(request: Request) -> Response:
    """Report whether the service accepts work, with the result of each check, and what works less well."""
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
    degraded = [] if await to_thread.run_sync(_limits, services) else ["sharedLimits"]
    content = {"status": "ready" if ok else "unavailable", "checks": checks, "degraded": degraded}
    return JSONResponse(content, 200 if ok else 503, headers=_FRESH)


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
