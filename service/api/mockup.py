"""The rendering operation: the checks of the documentation in their order, then the picture."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from contextlib import ExitStack
from functools import partial
from typing import Any, TypeVar

from anyio import to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from service.accounts.store import Caller
from service.admission.footprint import footprint
from service.api import admission, answers, body, query
from service.api.schema import MockupRequest, Order, order
from service.api.services import Services, services_of
from service.clock import Clock
from service.errors import Code, Detail, MockupError, refusal
from service.models import merge, messages
from service.models.names import index, match
from service.models.rendering import Rendering
from service.models.settings import Settings
from service.sources import inline
from service.workers.renderers import RenderRequest, Size

T = TypeVar("T")
OUTPUTS = index(("json", "raw"))
# Bytes of base64 that the event loop would take milliseconds to copy.
LARGE_TEXT = 4 * 2**20


async def mockup(request: Request) -> Response:
    """A mockup made from a screenshot."""
    services = services_of(request)
    limit = services.config.max_body_bytes
    body.check_length(request, limit)
    with ExitStack() as held:
        sent = None
        if "content-length" not in request.headers:
            # The size is known only once the body was read; what strangers send is counted and not kept.
            sender = await admission.known(request)
            if sender is None:
                await body.skip(request, limit)
            else:
                sent = held.enter_context(await body.read(request, limit, sender.owner))
        caller = await admission.admit(request)
        admission.require_subscription(caller)
        body.check_type(request)
        raw = _output(request) == "raw"
        held.enter_context(services.queue.place(caller.owner))
        if sent is None:
            sent = held.enter_context(await body.read(request, limit, caller.owner))
        return await _answer(request, caller, sent, raw)


async def _answer(request: Request, caller: Caller, sent: body.Body, raw: bool) -> Response:
    services = services_of(request)
    wanted = order(await sent.json_object())
    settings, project = await _settings(services, caller, wanted)
    clock = request.state.clock = Clock(services.config.render_timeout_s)
    try:
        work = _picture(services, caller, sent, wanted, settings, raw, clock)
        return await _unless_left(request, clock, work)
    except MockupError as error:
        raise _with_origin(error, project, wanted) from error.__cause__


def _output(request: Request) -> str:
    found = []
    given = query.parameters(request)
    values = given.getlist("output")
    for name in given:
        if name != "output":
            hint = "it belongs in the body" if name in messages.members(MockupRequest) else "known: output"
            found.append(Detail(name, f"unknown query parameter; {hint}"))
    known = [match(value, OUTPUTS) for value in values]
    for value, form in zip(values, known, strict=True):
        if form is None:
            found.append(Detail("output", f"expected one of json, raw, got {messages.shown(value)}"))
    if len(set(known)) > 1 and not found:
        found.append(Detail("output", "expected one value, got several"))
    if found:
        raise refusal(*found)
    return known[0] or "json" if known else "json"


async def _settings(
    services: Services, caller: Caller, wanted: Order
) -> tuple[Settings, dict[str, Any] | None]:
    """The merged settings, and those of the project when there is one."""
    base = None
    if wanted.project_id is not None:
        project = await to_thread.run_sync(services.accounts.projects.get, wanted.project_id)
        if project is None:
            raise MockupError(Code.PROJECT_NOT_FOUND, "There is no project with this projectId")
        if project.user_id != caller.user_id:
            raise MockupError(Code.PROJECT_ACCESS_DENIED, "This project belongs to somebody else")
        base = project.settings
    return merge.resolve(base, wanted.settings, max_pixels=services.config.max_output_pixels), base


async def _picture(
    services: Services,
    caller: Caller,
    sent: body.Body,
    wanted: Order,
    settings: Settings,
    raw: bool,
    clock: Clock,
) -> Response:
    data, size, running = await _screenshot(services, caller, sent, wanted, settings, clock)
    sent.replace(len(data))
    if not services.queue.fits(running):
        raise _never_fits(size, settings.output_size, running, services)
    render = RenderRequest(data, settings, wanted.fast, text=not raw, size=size)

    async def work() -> tuple[Rendering, int]:
        begun, queued = clock.elapsed, clock.stages.get("queue", 0.0)
        made = await services.renderers.render(render, clock)
        return made, round((clock.elapsed - begun) * 1e3 - clock.stages.get("queue", 0.0) + queued)

    patience = services.config.queue_timeout_s
    rendering, duration = await services.queue.run(
        caller.owner, work, clock, memory=running, patience=patience
    )
    headers = {"Cache-Control": "no-store"}
    if raw:
        headers |= answers.picture_headers(rendering, duration)
        return Response(rendering.data, media_type=rendering.mime, headers=headers)
    with clock.stage("answer"):
        told = partial(answers.picture_json, rendering, duration)
        large = len(rendering.data) > LARGE_TEXT
        return answers.JSONAnswer(await to_thread.run_sync(told) if large else told(), headers=headers)


async def _screenshot(
    services: Services, caller: Caller, sent: body.Body, wanted: Order, settings: Settings, clock: Clock
) -> tuple[bytes, Size, int]:
    """The screenshot's file, its size, and the memory that rendering it will take.

    A file whose header is refused is refused here, so that it does not wait for a turn.
    """
    with clock.stage("source"):
        fetched = None
        if wanted.form == "url":
            fetched = await services.fetcher.fetch(wanted.url, clock, caller.owner, wanted.path, sent.charge)

        def looked_at() -> tuple[bytes, Size, int]:
            limit = services.config.max_source_bytes
            data = inline.decode(wanted.src, limit, wanted.path) if fetched is None else fetched
            return data, *footprint(data, settings, services.config)

        return await to_thread.run_sync(looked_at, limiter=services.parsing)


def _never_fits(source: Size, picture: Size, running: int, services: Services) -> MockupError:
    needed, most = (math.ceil(size / 2**20) for size in (running, services.queue.alone))
    sizes = f"a screenshot of {source[0]} × {source[1]} pixels as a picture of {picture[0]} × {picture[1]}"
    message = (
        f"Rendering {sizes} takes about {needed} MB of memory, and this server has {most} MB for a picture"
    )
    advice = "send a smaller screenshot or ask for a smaller picture"
    detail = Detail("screenshot.src", f"{message}; {advice}")
    return refusal(detail)


async def _unless_left(request: Request, clock: Clock, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; cancels it, and raises `ClientDisconnect`, when the client leaves before."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        leaving.cancel()
        if not task.done():
            clock.cancel()
            task.cancel()
        await asyncio.gather(task, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _with_origin(error: MockupError, project: dict[str, Any] | None, wanted: Order) -> MockupError:
    """The error as the caller knows its request: flat forms by their name, saved values as such."""
    return error.about(
        *(
            Detail(wanted.path, item.message)
            if item.path == "screenshot.src"
            else merge.with_origin(item, project, wanted.settings)
            for item in error.details
        )
    )
