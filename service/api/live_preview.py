"""Live previews: small pictures of a mockup that is being composed, and the shape of its device."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..accounts.store import Caller
from ..clock import Clock
from ..concurrency.latest import Latest
from ..engine.request import ShapeRequest
from ..errors import Code, MockupError
from ..limits import PREVIEW_BYTES, PREVIEW_PATIENCE_S
from ..settings.formats import FORMATS
from ..settings.rendering import Rendering
from . import admission, answers, body, idempotency, mockup, preview_turn, responses
from .access import PREVIEW
from .mockup import CheckedRequest
from .operation import MOCKUPS, RENDER, operation
from .parsed_request import parse_preview
from .query import Query
from .schema import PREVIEWS, PreviewRequest
from .services import services_of

_PRIVATE = {"Cache-Control": "no-store"}
_ERRORS = (*RENDER, Code.KEY_REUSED, Code.PROJECT_ACCESS_DENIED, Code.PROJECT_NOT_FOUND)


@operation(
    MOCKUPS,
    "POST",
    "/api/v1/previews",
    access=PREVIEW,
    takes=PreviewRequest,
    query=Query,
    gives_files=tuple(FORMATS[name].mime for name in PREVIEWS),
    errors=_ERRORS,
    headers=(idempotency.HEADER,),
    about="#previews",
)
async def render_preview(request: Request) -> Response:
    """Render a small picture of a mockup that is being composed."""
    return await _answered(request, _picture)


@operation(
    MOCKUPS,
    "POST",
    "/api/v1/geometry",
    access=PREVIEW,
    takes=PreviewRequest,
    query=Query,
    gives=answers.Placement,
    errors=_ERRORS,
    headers=(idempotency.HEADER,),
    about="#geometry",
)
async def describe_geometry(request: Request) -> Response:
    """Describe the shape of the device and its place in the picture."""
    return await _answered(request, _shape)


async def _answered(
    request: Request, work: Callable[[CheckedRequest], Coroutine[Any, Any, Response]]
) -> Response:
    return await idempotency.answered(
        request,
        partial(_checked, request, work),
        count=admission.admit_preview,
        limit=PREVIEW_BYTES,
        output="raw",
    )


async def _checked(
    request: Request,
    work: Callable[[CheckedRequest], Coroutine[Any, Any, Response]],
    caller: Caller,
    sent: body.RequestBody,
) -> Response:
    services = services_of(request)
    asked = await sent.json_object()
    parsed = parse_preview(asked)
    parsed, merged = await mockup.over_project(services, caller, parsed, partial(parse_preview, asked))
    settings = merged.resolve(services.config.max_output_pixels)
    clock = request.state.clock = Clock(services.config.render_timeout_s)
    checked = CheckedRequest(services, caller, sent, parsed, settings, "raw", clock)
    try:
        return await mockup.unless_left(request, clock, work(checked))
    except MockupError as error:
        raise mockup.with_origin(error, merged, parsed) from error.__cause__


async def _picture(checked: CheckedRequest) -> Response:
    async with _turn(checked, checked.services.latest):
        render, screenshots = await mockup.prepared(checked)

        async def work() -> Rendering:
            return await checked.services.renderers.render(render, checked.clock, screenshots)

        checked.sent.replace(render.nbytes)
        memory = mockup.memory(render, checked.services)
        began = checked.clock.elapsed
        made, window = await preview_turn.charged(
            checked.services, checked.caller, work, memory, checked.clock
        )
        duration = round((checked.clock.elapsed - began) * 1e3)
    headers = _PRIVATE | responses.picture_headers(made, duration)
    headers["X-Preview-Remaining-Ms"] = str(window.remaining)
    headers["X-Preview-Reset-S"] = str(window.retry_after)
    return Response(made.data, media_type=made.mime, headers=headers)


async def _shape(checked: CheckedRequest) -> Response:
    # A separate queue: in a shared one, the studio's requests for previews and geometry would replace each
    # other.
    async with _turn(checked, checked.services.latest_shapes):
        render, _ = await mockup.prepared(checked)
        wanted, needed = ShapeRequest(render), 0
        if render.supposed is None:
            wanted = ShapeRequest(render.without_files())
        else:
            needed = mockup.memory(render, checked.services)
        checked.sent.replace(wanted.render.nbytes)

        async def work() -> Rendering:
            return await checked.services.renderers.draw(wanted, checked.clock)

        made, _ = await preview_turn.charged(checked.services, checked.caller, work, needed, checked.clock)
    shapes = [
        answers.Shape.of({**asdict(one), "screens": [{"corners": corners} for corners in one.screens]})
        for one in made.shape
    ]
    places = [answers.Geometry.of(place) for place in made.geometry]
    devices = [
        answers.PlacedShape(device=device, geometry=place, shape=shape)
        for device, place, shape in zip(made.devices, places, shapes, strict=bool(made.devices))
    ]
    return responses.private_json(
        answers.Placement(geometry=places[0], shape=shapes[0], **({"devices": devices} if devices else {}))
    )


@asynccontextmanager
async def _turn(checked: CheckedRequest, latest: Latest) -> AsyncIterator[None]:
    """Wait for the user's turn, unless a newer request takes it; the deadline excludes the wait."""
    clock = checked.clock
    began = clock.elapsed
    async with latest.turn(checked.caller.owner, PREVIEW_PATIENCE_S):
        waited = clock.elapsed - began
        clock.postpone(waited)
        clock.add("queue", waited * 1e3)
        yield
