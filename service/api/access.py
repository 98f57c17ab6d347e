"""Who may call an operation, and how a request is admitted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address

from starlette.requests import Request

from service.accounts.store import Caller
from service.api import admission
from service.errors import Code

# Headers that a proxy adds: behind one, every client seems to be on this machine.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call, in the words of the page; `codes` are those of refusals.

    `admit` runs before the operation. It is None where anybody may call, and for operations that look at
    the body's length first and admit by themselves. The key is `optional` where this machine needs none.
    """

    who: str
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


_KEY = (Code.MISSING_AUTH, Code.INVALID_API_KEY)
_PRO = (*_KEY, Code.RATE_LIMITED, Code.SUBSCRIPTION_REQUIRED)
PUBLIC = Access("public")
KEY = Access("key", _KEY, admission.identify)
WRITE = Access("key", (*_KEY, Code.RATE_LIMITED), _write)
PRO_WRITE = Access("key, active Pro", _PRO, _pro_write)
ADMIN = Access("administrator", (*_KEY, Code.NOT_ALLOWED, Code.RATE_LIMITED), admission.require_administrator)
LOCAL = Access("this machine, or an administrator's key", (*_KEY, Code.NOT_ALLOWED), _operate, optional=True)
#: `mockup.py` and `live_preview.py` admit their own requests.
MOCKUP = Access("key, active Pro", _PRO)
PREVIEW = Access("key", (*_KEY, Code.RATE_LIMITED, Code.SUPERSEDED))


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
