"""Requests with an `Idempotency-Key`: rendered once, however often they are sent."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts import idempotency
from ..accounts.store import Caller
from ..errors import Detail, MockupError, busy, refusal
from ..limits import IDEMPOTENCY_KEY_LENGTH
from . import admission, body, media_type
from .body import RequestBody
from .operation import RequestHeader
from .services import Services, services_of

# Seconds between checks of another instance's progress.
_POLL_S = 0.25
# Seconds by which a claim outlasts the longest possible render.
_MARGIN_S = 30.0
_KEY = re.compile(rf"[!-~]{{1,{IDEMPOTENCY_KEY_LENGTH}}}")
_STATUS = ":status"
# Headers that are repeated. All other headers belong to a single request: its id, the rate limit, the stages.
_KEPT = ("content-type", "cache-control", "location", "x-duration-ms")
_KEPT_PREFIX = "x-mockup-"

HEADER = RequestHeader(
    idempotency.HEADER,
    {"type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": IDEMPOTENCY_KEY_LENGTH},
    "A name for this request of your own making; sent again within the hour, it gets the same response",
)


async def admit(
    request: Request,
    services: Services,
    count: Callable[[Request], Coroutine[Any, Any, Caller]],
    *,
    subscribed: bool = False,
) -> tuple[Caller, Once | None]:
    """Admit a request and `count` it; repeats are counted separately.

    Raises a 400 for a malformed key, and a 403 if it must be `subscribed` and its caller is not.
    """
    key, once = request.headers.get(idempotency.HEADER), None
    if key is None:
        caller = await count(request)
    else:
        caller = await admission.identify(request)
        if not _KEY.fullmatch(key):
            expected = f"expected 1 to {IDEMPOTENCY_KEY_LENGTH} printable characters of ASCII without spaces"
            raise refusal(Detail(idempotency.HEADER, expected))
        known = await to_thread.run_sync(services.accounts.idempotency.knows, caller.user_id, key)
        if not known:
            caller = await count(request)
        else:
            await admission.count_repeat(services, caller)
        once = Once(request, services, caller, key, count, counted=not known)
    if subscribed:
        admission.require_subscription(caller)
    return caller, once


async def answered(
    request: Request,
    work: Callable[[Caller, RequestBody], Coroutine[Any, Any, Response]],
    *,
    count: Callable[[Request], Coroutine[Any, Any, Caller]],
    limit: int,
    output: str,
    subscribed: bool = False,
) -> Response:
    """Admit a request, read its JSON body of at most `limit` bytes, and give the response of `work`.

    With a key, `work` runs once; `output` distinguishes requests with the same body. `subscribed` requests
    need an active subscription. Raises as these steps do.
    """
    services = services_of(request)
    body.check_length(request, limit)
    caller, once = await admit(request, services, count, subscribed=subscribed)
    media_type.check_json(request)
    with await body.receive(request, services, limit, caller.owner) as sent:
        make = partial(work, caller, sent)
        return await (make() if once is None else once.answer(sent, output, make))


@dataclass(slots=True)
class Once:
    """A request under its key; `counted` if it counts towards the rate limit."""

    request: Request
    services: Services
    caller: Caller
    key: str
    count: Callable[[Request], Coroutine[Any, Any, Caller]]
    counted: bool

    async def answer(
        self, sent: RequestBody, output: str, make: Callable[[], Coroutine[Any, Any, Response]]
    ) -> Response:
        """The response that `make` gives to the first of equal requests; others wait for it.

        Raises `KEY_REUSED` if the key belongs to another request. Raises as `make` does: then nothing is
        stored, and the next request tries again.
        """
        said = f"{self.request.url.path} {output} {self.caller.grant.test} ".encode()
        digest = hashlib.sha256(said + sent.digest()).hexdigest()
        flights, name = self.services.requests_under_way, (self.caller.user_id, self.key)
        config, keys = self.services.config, self.services.accounts.idempotency
        patience = config.render_timeout_s + config.fetch_total_s + 3 * config.queue_timeout_s + _MARGIN_S
        end = asyncio.get_running_loop().time() + patience
        while asyncio.get_running_loop().time() < end:
            if name in flights:
                await flights.outcome(name)
                continue
            with flights.working(name, None):
                claim = await to_thread.run_sync(keys.claim, *name, digest, patience)
                if claim.new:
                    return await self._first(make)
                if claim.result is not None and (found := await self._again(claim.result)):
                    return found
            # Another instance is working on the request.
            await asyncio.sleep(_POLL_S)
        raise busy("The same request is still under way")

    async def _first(self, make: Callable[[], Coroutine[Any, Any, Response]]) -> Response:
        accounts, name = self.services.accounts, (self.caller.user_id, self.key)
        try:
            if not self.counted:
                # The first request was under way when this one arrived, and has failed since.
                await self.count(self.request)
            await to_thread.run_sync(accounts.results.check, self.caller.user_id, 0)
            response = await make()
            kept = {one: value for one, value in response.headers.items() if _is_kept(one)}
            kept[_STATUS] = str(response.status_code)
            save = accounts.results.save
            _, result = await to_thread.run_sync(save, self.caller.user_id, response.body, kept)
            await to_thread.run_sync(accounts.idempotency.settle, *name, result.id)
        except BaseException:
            with suppress(MockupError):
                await asyncio.shield(to_thread.run_sync(accounts.idempotency.release, *name))
            raise
        return response

    async def _again(self, result: UUID) -> Response | None:
        """The stored response; None if it was removed."""
        results = self.services.accounts.results
        found = await to_thread.run_sync(results.get, result)
        data = await to_thread.run_sync(results.content, result) if found else None
        if found is None or data is None:
            await to_thread.run_sync(
                self.services.accounts.idempotency.release, self.caller.user_id, self.key
            )
            return None
        if self.counted:
            await admission.refund(self.request)
        headers = dict(found.headers)
        status = int(headers.pop(_STATUS))
        return Response(data, status, headers={**headers, "Idempotency-Replayed": "true"})


def _is_kept(name: str) -> bool:
    return name.lower() in _KEPT or name.lower().startswith(_KEPT_PREFIX)
