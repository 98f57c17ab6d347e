"""Alive, and ready to take work."""

from __future__ import annotations

import structlog
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from service.accounts.database import cause
from service.api.responses import JSONResponse
from service.api.services import Services, services_of
from service.errors import MockupError
from service.models.devices import catalogue
from service.version import version

log = structlog.get_logger(__name__)
_FRESH = {"Cache-Control": "no-store"}


async def alive(request: Request) -> Response:
    """The process answers, and with which version."""
    return JSONResponse({"status": "ok", "version": version()}, headers=_FRESH)


async def ready(request: Request) -> Response:
    """Whether new work is welcome: not while stopping, nor without devices, renderers or database."""
    services = services_of(request)
    checks = {
        "accepting": services.readiness.open,
        "queue": not services.queue.is_full(),
        "devices": bool(catalogue()),
        "renderers": services.renderers.able,
        "database": await to_thread.run_sync(_database, services),
    }
    fit = all(checks.values())
    content = {"status": "ready" if fit else "unavailable", "checks": checks}
    return JSONResponse(content, 200 if fit else 503, headers=_FRESH)


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
