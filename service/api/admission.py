"""Checks the API key, rate limit and subscription, in the documented order."""

from __future__ import annotations

from dataclasses import replace

from anyio import to_thread
from starlette.requests import Request

from ..accounts.keys import is_formed
from ..accounts.limits import Window, address_identity
from ..accounts.store import Caller
from ..errors import Code, MockupError, counted
from ..limits import PREVIEW_LEAST_MS
from .authorization import bearer, unknown
from .services import Services, services_of

# The attributes of a request's state that hold the windows which counted it.
COUNTED = ("further_window", "window", "write_window")


async def admit(request: Request) -> Caller:
    """Authenticate and count the request; raises 401 and 429. Without a valid key, it is counted by
    address."""
    caller, window = await to_thread.run_sync(_counted, request)
    request.state.caller, request.state.window = caller, window
    if not window.allowed:
        raise limited(window)
    return _permitted(request, caller)


async def admit_preview(request: Request) -> Caller:
    """Authenticate the request for a preview; raises 401, and 429 when the user's time is used up.

    Without a valid key it is counted as `admit` does.
    """
    services = services_of(request)
    caller = await services.read(_caller, request)
    request.state.caller = caller
    if caller is None:
        return await admit(request)
    _permitted(request, caller)
    window = await _spend(services, caller, PREVIEW_LEAST_MS)
    if not window.allowed:
        message = f"The time for previews is used up. Try again in {counted(window.retry_after, 'second')}"
        raise MockupError(Code.RATE_LIMITED, message, retry_after=window.retry_after)
    return caller


async def count_preview(services: Services, caller: Caller, spent: int) -> Window:
    """Charge `spent` milliseconds of rendering to the caller; returns the window that counted them."""
    return await _spend(services, caller, max(0, spent - PREVIEW_LEAST_MS))


async def _spend(services: Services, caller: Caller, spent: int) -> Window:
    identity, limit = f"previews:{caller.counted_as}", round(services.config.preview_limit_s * 1e3)
    if services.limits.is_immediate:
        return services.limits.hit(identity, limit, spent)
    return await to_thread.run_sync(services.limits.hit, identity, limit, spent)


async def count_write(request: Request, caller: Caller) -> None:
    """Count a write of the caller, separately from renders; raises 429."""
    services = services_of(request)
    identity = f"writes:{caller.counted_as}"
    limit = caller.plan.write_rate_limit or services.config.write_rate_limit
    window = await to_thread.run_sync(services.limits.hit, identity, limit)
    request.state.write_window = window
    if not window.allowed:
        raise limited(window)


async def count_repeat(services: Services, caller: Caller) -> None:
    """Count a request that was answered before, separately from renders; raises 429."""
    window = await to_thread.run_sync(
        services.limits.hit, f"repeats:{caller.counted_as}", caller.plan.rate_limit
    )
    if not window.allowed:
        raise limited(window)


async def count(request: Request, caller: Caller) -> None:
    """Count a render of a caller who was not identified by a key in the request; raises 429."""
    services = services_of(request)
    window = await to_thread.run_sync(services.limits.hit, caller.counted_as, caller.plan.rate_limit)
    request.state.window = window
    if not window.allowed:
        raise limited(window)


async def count_more(request: Request, caller: Caller, renders: int) -> None:
    """Count a request's further renders, besides the one that admitted it.

    Raises 429 if the limit is reached, and then also undoes the count of the render that admitted the
    request.
    """
    if renders < 1:
        return
    hit = services_of(request).limits.hit
    window = await to_thread.run_sync(hit, *_counted_as(request, caller), renders)
    # The headers show this window, but a refund undoes both counts.
    request.state.further_window = window
    request.state.window = replace(window, receipt=request.state.window.receipt)
    if not window.allowed:
        await refund(request)
        raise limited(window)


async def refuse_stranger(request: Request, error: MockupError) -> MockupError:
    """The error for a request without a valid key, or a 429 for an address that sent too many of them."""
    address = request.app.state.proxies.client_address(request.scope)
    window = await to_thread.run_sync(services_of(request).limits.hit, address_identity(address))
    return error if window.allowed else limited(window)


async def identify(request: Request) -> Caller:
    """Authenticate the request; raises 401. Without a valid key, the request is counted by address; raises
    429."""
    caller, window = await to_thread.run_sync(_identified, request)
    request.state.caller = caller
    if window is not None:
        request.state.window = window
        if not window.allowed:
            raise limited(window)
    return _permitted(request, caller)


async def require_administrator(request: Request) -> Caller:
    """Authenticate a user whom `MOCKUP_ADMINS` names; raises 401, 403 and 429 as `identify` does."""
    caller = await identify(request)
    if caller.email not in services_of(request).config.admins:
        raise MockupError(Code.NOT_ALLOWED, "Only administrators may do this; see MOCKUP_ADMINS")
    return caller


async def known(request: Request) -> Caller | None:
    """The caller if the request has a valid key; counts and raises nothing."""
    return await to_thread.run_sync(_caller, request)


async def refund(request: Request) -> None:
    """Undo the counts of a request that could not be served through no fault of its caller."""
    limits, state = services_of(request).limits, request.scope["state"]
    for name in COUNTED:
        if (window := state.get(name)) is not None and window.receipt is not None:
            state[name] = await to_thread.run_sync(limits.refund, window)


async def peek(request: Request) -> Window:
    """The window that would count this request; a request with an invalid key is counted now.

    For an address whose window is used up, no key is looked up.
    """
    limits, state = services_of(request).limits, request.scope["state"]
    if limits.is_immediate and not _may_be_known(request):
        return limits.peek(*_counted_as(request, state.get("caller")))
    return await to_thread.run_sync(_peeked, request)


def immediate_refusal(request: Request) -> tuple[MockupError | None, Window | None]:
    """The outcome of the first checks without any look-up, and the caller's window.

    For a request that is about to be refused: keys are looked up in memory only. Both are None for a
    well-formed key that has not been used recently.
    """
    services, key = services_of(request), bearer(request)
    holder = services.accounts.recall(key) if key else None
    if holder is None and key is not None and is_formed(key):
        return None, None
    window = None
    if services.limits.is_immediate:
        # Requests with a recent key are not counted: unless limited, they get a 503.
        look = services.limits.hit if holder is None else services.limits.peek
        window = look(*_counted_as(request, holder))
        if not window.allowed:
            return limited(window), window
    return (unknown(request) if holder is None else None), window


def require_subscription(caller: Caller) -> None:
    """Raise 403 unless the caller's Pro subscription is active."""
    if not caller.plan.renders:
        raise MockupError(Code.SUBSCRIPTION_REQUIRED, "An active Pro subscription is required")


def _permitted(request: Request, caller: Caller | None) -> Caller:
    """The caller, if the key's scope and origins allow the request; raises 401 and 403."""
    if caller is None:
        raise unknown(request)
    grant, scope = caller.grant, request.scope["state"].get("scope")
    if not grant.permits(scope):
        has = "is for tests" if grant.scopes is None else f"has the scope {', '.join(sorted(grant.scopes))}"
        raise MockupError(Code.NOT_ALLOWED, f"This key {has}; the operation takes {scope}")
    if grant.origins and request.headers.get("origin") not in grant.origins:
        raise MockupError(Code.NOT_ALLOWED, "This key is for pages of other origins")
    return caller


def limited(window: Window) -> MockupError:
    """The error for a used-up limit, with the time until the window ends."""
    message = f"Rate limit exceeded. Try again in {counted(window.retry_after, 'second')}"
    return MockupError(Code.RATE_LIMITED, message, retry_after=window.retry_after)


def _caller(request: Request) -> Caller | None:
    key = bearer(request)
    return services_of(request).accounts.authenticate(key) if key else None


def _counted_as(request: Request, caller: Caller | None) -> tuple[str, int | None]:
    """The name under which requests are counted, and the user's own limit, if any."""
    if caller is not None:
        return caller.counted_as, caller.plan.rate_limit
    return address_identity(request.app.state.proxies.client_address(request.scope)), None


def _counted(request: Request) -> tuple[Caller | None, Window]:
    services, caller = services_of(request), _caller(request)
    return caller, services.limits.hit(*_counted_as(request, caller))


def _identified(request: Request) -> tuple[Caller | None, Window | None]:
    """The caller, or the window of the address that counted the request."""
    caller = _caller(request)
    return caller, None if caller else services_of(request).limits.hit(*_counted_as(request, None))


def _may_be_known(request: Request) -> bool:
    """Whether the request has a key that has not been looked up yet, and could be valid."""
    key = bearer(request)
    return "caller" not in request.scope["state"] and key is not None and is_formed(key)


def _peeked(request: Request) -> Window:
    limits, state = services_of(request).limits, request.scope["state"]
    window = limits.peek(*_counted_as(request, state.get("caller")))
    if not (_may_be_known(request) and window.allowed):
        return window
    caller, counted = _identified(request)
    return counted or limits.peek(*_counted_as(request, caller))
