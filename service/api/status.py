"""The state of the server for those who operate it: its metrics as JSON, and a page that plots them."""

from __future__ import annotations

import platform
from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import Response

from service.api import admission, query, web_files
from service.api.responses import private_json
from service.api.services import services_of
from service.errors import refusal
from service.version import version

_VARY = {"Vary": "Accept, Accept-Encoding"}
# What a proxy adds: behind one, every client seems to be on this machine.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


async def status(request: Request) -> Response:
    """Report versions and metrics, to an administrator or to this machine alone."""
    if not _is_local(request):
        await admission.require_administrator(request)
    _, faults = query.read(request, ())
    if faults:
        raise refusal(*faults)
    versions = {"service": version(), "python": platform.python_version()}
    return private_json({"versions": versions, "metrics": services_of(request).metrics.figures()})


async def page(request: Request) -> Response:
    """The operators' page if that is preferred to JSON, as browsers do.

    The page holds no figures: it asks for them as any client does.
    """
    accept = request.headers.get("accept", "")
    if _preference(accept, "text/html") > _preference(accept, "application/json"):
        return web_files.page(request, web_files.STATUS, _VARY)
    response = await status(request)
    response.headers.update(_VARY)
    return response


def _preference(accept: str, kind: str) -> float:
    """How much a media type is wanted by an `Accept` header, from 0 to 1 (RFC 9110, 12.5.1)."""
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


def _is_local(request: Request) -> bool:
    """Whether the client is on this machine, without a proxy, and asked for it by a name of its own.

    A page of another site, whose name leads here, has that name in `Host`.
    """
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    host = request.headers.get("host", "").rpartition(":")
    name = (host[0] if host[2].isdigit() and host[0] else request.headers.get("host", "")).strip("[]")
    return _is_loopback(request.client.host) and (name == "localhost" or _is_loopback(name))


def _is_loopback(text: str) -> bool:
    try:
        return ip_address(text).is_loopback
    except ValueError:
        return False
