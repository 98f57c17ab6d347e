"""Who may call an operation, and how a request is admitted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address

from starlette.requests import Request

from ..accounts.grants import Scope
from ..accounts.store import Caller
from ..errors import Code
from . import admission

# Headers that a proxy adds: behind one, every client seems to be on this machine.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call an operation, as the reference page words it; `codes` are the codes of refusals.

    `admit` runs before the operation. It is None where anybody may call, and for operations that check the
    body's length first and then admit requests themselves. The key is `optional` if requests from this
    machine need none.
    """

    who: str
    scope: Scope | None = None
    codes: tuple[Code, ...] = ()
    admit: Callable[[Request], Awaitable[object]] | None = None
    optional: bool = False


async def _write(request: Request) -> None:
    await admission.count_write(request, await admission.identify(request))


async def _pro_write(request: Request) -> None:
    await _write(request)
    admission.require_subscription(caller_of(request))


async def _operate(request: Request) -> None:
    if not _is_local(request):
        await admission.require_administrator(request)


_KEY = (Code.MISSING_AUTH, Code.INVALID_API_KEY, Code.NOT_ALLOWED)
_WRITE = (*_KEY, Code.RATE_LIMITED)
_PRO = (*_WRITE, Code.SUBSCRIPTION_REQUIRED)
_LOCAL = "this machine, or an administrator's key"
PUBLIC = Access("public")
OWN_PROJECTS = Access("key (projects)", "projects", _KEY, admission.identify)
WRITE_PROJECTS = Access("key (projects)", "projects", _WRITE, _write)
UPLOADS = Access("key (upload)", "upload", _KEY, admission.identify)
WRITE_UPLOADS = Access("key (upload), active Pro", "upload", _PRO, _pro_write)
FILMS = Access("key (render)", "render", _KEY, admission.identify)
ADMIN = Access("administrator's key (admin)", "admin", _WRITE, admission.require_administrator)
LOCAL = Access(_LOCAL, "admin", _KEY, _operate, optional=True)
#: `mockup.py`, `films.py` and `live_preview.py` admit their own requests.
MOCKUP = Access("key (render), active Pro", "render", _PRO)
PREVIEW = Access("key (render)", "render", (*_WRITE, Code.SUPERSEDED))
FILM_STILLS = Access("key (render), active Pro", "render", _PRO)


def caller_of(request: Request) -> Caller:
    """The caller of a request that was admitted."""
    caller: Caller = request.state.caller
    return caller


def _is_local(request: Request) -> bool:
    """Whether the client is on this machine, without a proxy, and its `Host` is a local name.

    If the name of another site resolves to this machine, `Host` has that site's name.
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
