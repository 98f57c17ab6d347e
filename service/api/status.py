"""The state of the server for operators: its metrics as JSON, and a page that plots them."""

from __future__ import annotations

import platform

from starlette.requests import Request
from starlette.responses import Response

from ..version import version
from . import answers, web_files
from .access import LOCAL
from .operation import OPERATION, operation
from .query import Query
from .responses import private_json
from .services import services_of

_VARY = {"Vary": "Accept, Accept-Encoding"}


@operation(
    OPERATION, "GET", "/api/v1/status", access=LOCAL, query=Query, gives=answers.Status, about="#status"
)
async def get_status(request: Request) -> Response:
    """Report versions and metrics to administrators."""
    versions = {"service": version(), "python": platform.python_version()}
    figures = services_of(request).metrics.figures()
    return private_json(answers.Status.of({"versions": versions, "metrics": figures}))


@operation(OPERATION, "GET", "/status", about="#status", listed=False)
async def page(request: Request) -> Response:
    """The operators' page, or its figures as JSON for clients that prefer JSON.

    The page itself holds no figures: it asks for them as any client does.
    """
    accept = request.headers.get("accept", "")
    if _preference(accept, "text/html") > _preference(accept, "application/json"):
        return web_files.page(request, web_files.STATUS, _VARY)
    response = await get_status(request)
    response.headers.update(_VARY)
    return response


def _preference(accept: str, kind: str) -> float:
    """The weight of a media type in an `Accept` header, from 0 to 1 (RFC 9110, 12.5.1)."""
    ranges = {kind: 3, f"{kind.partition('/')[0]}/*": 2, "*/*": 1}
    best, wanted = 0, 0.0
    for item in accept.split(","):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        if ranges.get(name, 0) > best:
            best, wanted = ranges[name], _quality(parameters)
    return wanted


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return min(1.0, max(0.0, float(parameter[2:])))
            except ValueError:
                return 0.0
    return 1.0
