"""Gives requests their ids, and counts and logs their responses."""

from __future__ import annotations

import random
import re
import time

import structlog
from starlette.requests import Request

from ..accounts.store import Caller
from ..logs import anonymous, of_user
from .services import services_of

log = structlog.get_logger(__name__)
# Addresses that give access to a picture; a few characters of them identify it in the log.
_OPEN = re.compile(r"^(/m/.{12}|/api/v1/results/.{8}).*", re.DOTALL)
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# Unique rather than secret, and without a system call, during which the event loop would lose the
# interpreter lock.
_names = random.Random(random.SystemRandom().getrandbits(128))
_QUIET = ("/health", "/api/v1/health")


def begin(request: Request) -> str:
    """The request's id: the caller's if valid, otherwise a new one."""
    given = request.headers.get("x-request-id")
    name = given if given and _REQUEST_ID.fullmatch(given) else f"{_names.getrandbits(128):032x}"
    state = request.scope["state"]
    state["request_id"] = name
    state["started"] = state.get("received") or time.perf_counter()
    return name


def end(request: Request, status: int) -> dict[str, str]:
    """Count and log the response; returns the headers with its id and the time of each stage.

    Shed requests are not logged individually. The log lines of each user are limited, and so are those of all
    strangers together.
    """
    scope = request.scope
    state = scope["state"]
    headers = {"X-Request-Id": state["request_id"]}
    if (clock := state.get("clock")) and clock.stages:
        stages = [f"{name};dur={spent:.1f}" for name, spent in list(clock.stages.items())]
        headers["Server-Timing"] = ", ".join(stages)
    spent = (time.perf_counter() - state["started"]) * 1e3
    caller: Caller | None = state.get("caller")
    services_of(request).metrics.record(scope, status, spent / 1e3)
    if state.get("shed", False):
        return headers
    level = log.debug if scope["path"].startswith(_QUIET) else log.info
    # Callers can cause busy and late responses as often as they like, but not unexpected errors.
    if status != 500 and not may_log(request):
        return headers
    extra = {"key": caller.key_prefix} if caller else {}
    level(
        "request",
        request_id=state["request_id"],
        method=scope["method"],
        path=_OPEN.sub(r"\1…", scope["path"])[:200],
        status=status,
        ms=round(spent, 1),
        **extra,
    )
    return headers


def may_log(request: Request) -> bool:
    """Whether another log line about requests of this caller may be written; counts it if so."""
    caller: Caller | None = request.scope["state"].get("caller")
    if caller is None:
        return anonymous.allows()
    config = services_of(request).config
    # A user who may send more requests is given more lines.
    rate = (caller.plan.rate_limit or config.rate_limit) / config.rate_window_s
    return of_user(caller.owner, rate).allows()
