"""Who may ask for what: API key, rate limit and subscription, in the documented order."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request

from service.accounts.limits import Window
from service.accounts.store import Caller
from service.api.parts import Parts, parts_of
from service.errors import Code, MockupError


def bearer(request: Request) -> str | None:
    """The key of the Authorization header, or None when there is none in the Bearer scheme."""
    scheme, _, key = request.headers.get("authorization", "").strip().partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None


async def admit(request: Request) -> Caller:
    """The caller, its request counted; raises 401 and 429. Requests without a valid key count by address."""
    caller, window = await to_thread.run_sync(_counted, request)
    request.state.caller, request.state.window = caller, window
    if not window.allowed:
        message = f"Rate limit exceeded. Try again in {window.retry_after} seconds"
        raise MockupError(Code.RATE_LIMITED, message, retry_after=window.retry_after)
    return _known(request, caller)


async def identify(request: Request) -> Caller:
    """The caller, without counting the request; raises 401."""
    caller = await to_thread.run_sync(_caller, request)
    request.state.caller = caller
    return _known(request, caller)


async def is_known(request: Request) -> bool:
    """Whether the request has a valid key; nothing is counted or raised."""
    return await to_thread.run_sync(_caller, request) is not None


async def peek(request: Request) -> Window:
    """The state of the limit that would count this request."""
    return await to_thread.run_sync(_peeked, request)


def require_subscription(caller: Caller) -> None:
    """Raise 403 unless the caller's Pro subscription is active."""
    if not caller.pro:
        raise MockupError(Code.SUBSCRIPTION_REQUIRED, "An active Pro subscription is required")


def _known(request: Request, caller: Caller | None) -> Caller:
    if caller is not None:
        return caller
    if bearer(request) is None:
        message = "The header 'Authorization: Bearer <API_KEY>' is missing"
        raise MockupError(Code.MISSING_AUTH, message)
    raise MockupError(Code.INVALID_API_KEY, "The API key is invalid or revoked")


def _caller(request: Request) -> Caller | None:
    key = bearer(request)
    return parts_of(request).accounts.authenticate(key) if key else None


def _identity(parts: Parts, request: Request, caller: Caller | None) -> str:
    if caller is not None:
        return f"user:{caller.user_id}"
    return f"address:{request.app.state.proxies.client(request)}"


def _counted(request: Request) -> tuple[Caller | None, Window]:
    parts, caller = parts_of(request), _caller(request)
    return caller, parts.limits.hit(_identity(parts, request, caller))


def _peeked(request: Request) -> Window:
    parts = parts_of(request)
    known = "caller" in request.scope["state"]
    caller = request.state.caller if known else _caller(request)
    return parts.limits.peek(_identity(parts, request, caller))
