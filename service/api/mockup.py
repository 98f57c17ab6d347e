"""The rendering operation: the checks in their documented order, then the picture."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, TypeVar

from anyio import to_thread
from pydantic import Field
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ..accounts.store import Caller
from ..admission.cost import cost
from ..admission.footprint import footprint, source_limits
from ..admission.queue import Demand
from ..clock import Clock
from ..engine.backdrops import about_background
from ..engine.request import (
    PATH,
    GivenScreenshot,
    RenderOptions,
    RenderRequest,
    ScreenshotId,
    by_digest,
    prepare,
)
from ..errors import Code, Detail, MockupError, refusal
from ..settings.background_image import PATH as IMAGE
from ..settings.formats import WRITTEN
from ..settings.merge import MergedSettings
from ..settings.rendering import Rendering
from ..settings.scene_device import SceneSettings
from ..settings.schema import Settings
from ..sources import inline, samples
from ..sources.location import public_host
from ..workers.screenshot_cache import DecodedScreenshot
from . import (
    admission,
    answers,
    body,
    form_fields,
    idempotency,
    media_type,
    projects,
    responses,
    results,
    uploads,
)
from .access import MOCKUP
from .json_body import JSONBody
from .operation import MOCKUPS, RENDER, operation
from .parsed_request import ParsedRequest, parse_request
from .query import Query
from .scene_body import ParsedScreenshot
from .schema import MockupRequest
from .services import Services, services_of

T = TypeVar("T")
OutputForm = Literal["json", "raw", "url"]
# Bytes of base64 whose copying would block the event loop for milliseconds.
LARGE_TEXT = 4 * 2**20
ZIP = "application/zip"


class PictureForm(Query):
    """The form of the response."""

    repeatable: ClassVar[bool] = True
    body: ClassVar = MockupRequest

    output: OutputForm = Field(
        "json",
        description="json: a JSON response; raw: the image itself, or slices in a ZIP file;"
        " url: an address, valid for an hour",
    )


@dataclass(frozen=True)
class CheckedRequest:
    """A request for a mockup that has passed the checks of its body and settings."""

    services: Services
    caller: Caller
    sent: body.RequestBody
    parsed: ParsedRequest
    settings: Settings
    output: OutputForm
    clock: Clock


@operation(
    MOCKUPS,
    "POST",
    "/api/v1/mockup",
    access=MOCKUP,
    query=PictureForm,
    takes=MockupRequest,
    takes_files={"multipart/form-data": {"schema": form_fields.schema(MockupRequest)}},
    gives=answers.Mockup,
    gives_files=(*(one.mime for one in WRITTEN), ZIP),
    otherwise={201: ("The mockup at its address, with `output=url`", answers.KeptMockup)},
    errors=(Code.KEY_REUSED, Code.PROJECT_ACCESS_DENIED, Code.PROJECT_NOT_FOUND, *RENDER),
    headers=(idempotency.HEADER,),
    about="#a-mockup",
)
async def render_mockup(request: Request) -> Response:
    """Render a mockup from a screenshot."""
    services = services_of(request)
    limit = services.config.max_body_bytes
    body.check_length(request, limit)
    with ExitStack() as stack:
        sent = None
        if "content-length" not in request.headers:
            # The body's size is unknown until it has been read. Without a valid key, read and discard the
            # body.
            sender = await admission.known(request)
            if sender is None:
                await body.skip(request, limit)
            else:
                receiving = body.receive(request, services, limit, sender.owner, forms=True)
                sent = stack.enter_context(await receiving)
        caller, once = await idempotency.admit(request, services, admission.admit, subscribed=True)
        media_type.check_json(request, forms=True)
        output = PictureForm.of(request).output
        if request.scope["state"].get("slot") != caller.owner:
            stack.enter_context(services.queue.slot(caller.owner))
        if sent is None:
            receiving = body.receive(request, services, limit, caller.owner, forms=True)
            sent = stack.enter_context(await receiving)
        render = partial(_render, request, caller, sent, output)
        return await (render() if once is None else once.answer(sent, output, render))


async def _render(request: Request, caller: Caller, sent: body.RequestBody, output: OutputForm) -> Response:
    if sent.form is None:
        return await rendered(request, caller, sent, await sent.json_object(), output)
    fields = form_fields.request_in(sent.form.parts(), MockupRequest)
    try:
        return await rendered(request, caller, sent, fields, output)
    except MockupError as error:
        raise form_fields.named(error, fields) from error.__cause__


async def rendered(
    request: Request, caller: Caller, sent: body.RequestBody, asked: JSONBody, output: OutputForm
) -> Response:
    """The response to an admitted request for a mockup whose body has been read."""
    services = services_of(request)
    parsed = parse_request(asked)
    if output == "url":
        await to_thread.run_sync(services.accounts.results.check, caller.user_id, 0)
    parsed, merged = await over_project(services, caller, parsed, partial(parse_request, asked))
    most, own = services.config.max_output_pixels, caller.plan.max_output_pixels
    settings = merged.resolve(most if own is None else min(most, own))
    clock = request.state.clock = Clock(services.config.render_timeout_s)
    try:
        checked = CheckedRequest(services, caller, sent, parsed, settings, output, clock)
        return await unless_left(request, clock, _picture(checked))
    except MockupError as error:
        raise with_origin(error, merged, parsed) from error.__cause__


async def over_project(
    services: Services,
    caller: Caller,
    parsed: ParsedRequest,
    again: Callable[[Sequence[Mapping[str, Any]]], ParsedRequest],
) -> tuple[ParsedRequest, MergedSettings]:
    """The request, and its settings merged over its project's, if any; raises 403 and 404.

    If the project is a scene, `again` parses the request once more, over the scene's devices.
    """
    if parsed.project_id is None:
        return parsed, parsed.settings
    project = await projects.find(services, caller, parsed.project_id, "projectId")
    if devices := project.parts.get("devices"):
        parsed = again(devices)
    return parsed, parsed.settings.over(project.settings)


async def _picture(checked: CheckedRequest) -> Response:
    services, clock = checked.services, checked.clock
    render, screenshots = await prepared(checked)
    checked.sent.replace(render.nbytes)
    running = memory(render, services)

    async def work() -> tuple[Rendering, int]:
        begun = clock.elapsed
        made = await services.renderers.render(render, clock, screenshots)
        return made, round((clock.elapsed - begun) * 1e3)

    rendering, duration = await services.queue.run(
        Demand(
            checked.caller.owner,
            cost(render, built=render.scene.spec in services.renderers.plates),
            running,
            parallel=checked.caller.plan.parallel_renders,
            plan=checked.caller.plan_name,
        ),
        work,
        clock,
        services.config.queue_timeout_s,
    )
    headers = {"Cache-Control": "no-store"}
    if checked.output == "url":
        kept = await results.keep(services, checked.caller, rendering)
        return responses.kept_json(rendering, kept, duration)
    if checked.output == "raw":
        headers |= responses.picture_headers(rendering, duration)
        if rendering.sizes:
            zipped = await to_thread.run_sync(responses.pictures_zip, rendering)
            return Response(zipped, media_type=ZIP, headers=headers)
        return Response(rendering.data, media_type=rendering.mime, headers=headers)
    with clock.stage("serialize"):
        build = partial(responses.picture_json, rendering, duration)
        large = len(rendering.data) > LARGE_TEXT
        return responses.JSONResponse(await to_thread.run_sync(build) if large else build(), headers=headers)


async def prepared(checked: CheckedRequest) -> tuple[RenderRequest, tuple[DecodedScreenshot | None, ...]]:
    """The screenshots' files with their headers, the scene, and the screenshots whose pixels are cached.

    All refusals happen here, so that no request waits for its turn only to be refused.
    """
    services, parsed, clock = checked.services, checked.parsed, checked.clock
    config, wanted = services.config, parsed.scene(checked.settings)
    with ExitStack() as source:
        source.enter_context(clock.stage("source"))
        gathered = await _gathered(checked, wanted)
        image = await _behind(checked)

        options = RenderOptions(
            fast=parsed.fast,
            text=checked.output == "json",
            geometry=parsed.geometry,
            reduced=parsed.reduced,
            watermark=checked.caller.grant.test,
        )

        def work() -> RenderRequest:
            given = [one.given(config.max_source_bytes) for one in gathered]
            with about_background():
                behind = image.given(config.max_source_bytes).data if image else None
            source.close()
            with clock.stage("header"):
                owner, limits = checked.caller.owner, source_limits(config)
                return prepare(given, wanted, limits, options, owner=owner, behind=behind)

        known = tuple(one.decoded for one in gathered)
        if all(known) and isinstance(checked.settings.device, str) and not (parsed.members or image):
            # If there is nothing to parse and no device to shape, this takes less time than handing it to a
            # thread.
            return work(), known
        async with services.parsing.turn(checked.caller.owner):
            return await to_thread.run_sync(work), known


@dataclass(frozen=True, slots=True)
class Gathered:
    """A screenshot of `owner`: its file or its text in the body, and its decoded pixels if cached."""

    parsed: ParsedScreenshot
    owner: str
    data: bytes | None = None
    id: ScreenshotId | None = None
    decoded: DecodedScreenshot | None = None

    def given(self, most: int) -> GivenScreenshot:
        """The screenshot with its file of at most `most` bytes; raises a 400 that names its path."""
        data, parsed = self.data, self.parsed
        if data is None:
            read = inline.file if parsed.form == "file" else inline.decode
            data = read(parsed.src, most, parsed.path)
        return GivenScreenshot(
            data,
            self.id or by_digest(self.owner, data),
            self.decoded.known if self.decoded else None,
            public_host(parsed.text) if parsed.form == "url" else "",
        )


async def _gathered(checked: CheckedRequest, wanted: SceneSettings) -> list[Gathered]:
    """The screenshots, fetched in parallel; raises a 400 that names all that failed."""
    shots = checked.parsed.screenshots
    if len(shots) == 1:
        return [await _gather(checked, wanted, 0)]
    tasks = [asyncio.ensure_future(_gather(checked, wanted, number)) for number in range(len(shots))]
    try:
        await asyncio.wait(tasks)
    finally:
        for task in tasks:
            task.cancel()
    errors = [error for task in tasks if (error := task.exception()) is not None]
    refused = [
        item
        for error in errors
        if isinstance(error, MockupError) and error.code is Code.INVALID_REQUEST
        for item in error.details
    ]
    if len(errors) > 1 and refused:
        raise refusal(*refused)
    if errors:
        raise errors[0]
    return [task.result() for task in tasks]


async def _behind(checked: CheckedRequest) -> Gathered | None:
    """The background image, if it is a separate picture; raises a 400 that names it."""
    image = checked.settings.appearance.background_image
    if image is None or image.type == "screenshot" or image.src is None:
        return None
    src = checked.parsed.texts.get(image.src, image.src)
    with about_background():
        return await fetched(checked, ParsedScreenshot(image.type, src, IMAGE), whole=True)


async def _gather(checked: CheckedRequest, wanted: SceneSettings, number: int) -> Gathered:
    shot = checked.parsed.screenshots[number]
    if shot.form == "sample":
        own = next(one for one in wanted.members if one.source == number).device.over(checked.settings)
        return Gathered(shot, samples.OWNER, samples.sample(own))
    return await fetched(checked, shot)


async def fetched(checked: CheckedRequest, shot: ParsedScreenshot, *, whole: bool = False) -> Gathered:
    """A fetched or stored picture. If `whole`, its file is read even if its pixels are cached."""
    services, owner, charge = checked.services, checked.caller.owner, checked.sent.charge
    match shot.form:
        case "url":
            data = await services.fetcher.fetch(shot.text, checked.clock, owner, shot.path, charge)
            return Gathered(shot, owner, data)
        case "upload":
            upload = await uploads.named(services, checked.caller, shot, charge, whole=whole)
            return Gathered(shot, owner, upload.data, upload.id, upload.decoded)
    return Gathered(shot, owner)


def memory(render: RenderRequest, services: Services) -> int:
    """The bytes that a render will take; raises a 400 if the server never has that many."""
    needed = footprint(render)
    if not services.queue.fits(needed):
        raise _never_fits(render, needed, services)
    return needed


def _never_fits(render: RenderRequest, running: int, services: Services) -> MockupError:
    needed, most = (math.ceil(size / 2**20) for size in (running, services.queue.alone))
    spec = render.scene.spec
    count = len(render.files)
    pixels = " and ".join(f"{file.header.width} × {file.header.height}" for file in render.files)
    shots = f"a screenshot of {pixels} pixels" if count == 1 else f"screenshots of {pixels} pixels"
    sizes = f"{shots} as a picture of {spec.width} × {spec.height}"
    message = (
        f"Rendering {sizes} takes about {needed} MB of memory, and this server has {most} MB for a picture"
    )
    advice = "send a smaller screenshot or ask for a smaller picture"
    return refusal(*(Detail(file.path, f"{message}; {advice}") for file in render.files))


async def unless_left(request: Request, clock: Clock, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; cancels it, and raises `ClientDisconnect`, if the client leaves first."""
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


def with_origin(error: MockupError, settings: MergedSettings, parsed: ParsedRequest) -> MockupError:
    """The error in the request's own terms: with the names of flat forms, and a project's values marked."""
    path = parsed.screenshots[0].path
    return error.about(
        *(
            Detail(path, item.message) if item.path == PATH else settings.with_origin(item)
            for item in error.details
        )
    )
