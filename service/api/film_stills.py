"""Pictures of a film at given times, for pages that compose films."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import BinaryIO

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.store import Caller
from ..clock import Clock
from ..errors import MockupError
from ..films.making import result
from ..films.messages import Stills, StillsJob
from ..settings.merge import MergedSettings
from . import admission, answers, body, idempotency, mockup, preview_turn, recordings
from .access import FILM_STILLS
from .film_body import FilmSource, FilmStillsBody, ParsedFilm
from .films import ERRORS, PATH, asked, over_project, screenshot, written
from .operation import FILMS, operation
from .responses import private_json
from .services import Services, services_of

# The approximate memory of a film's processes, and of each further recording.
MEMORY, MORE_MEMORY = 400 << 20, 150 << 20


@operation(
    FILMS,
    "POST",
    f"{PATH}/frames",
    access=FILM_STILLS,
    takes=FilmStillsBody,
    gives=answers.FilmStills,
    errors=ERRORS,
    headers=(idempotency.HEADER,),
    about="films.md#single-frames",
)
async def render_film_frames(request: Request) -> Response:
    """Render pictures of a film at some times."""
    return await idempotency.answered(
        request,
        partial(_answered, request),
        count=admission.admit_preview,
        limit=services_of(request).config.max_body_bytes,
        output="stills",
        subscribed=True,
    )


async def _answered(request: Request, caller: Caller, sent: body.RequestBody) -> Response:
    services = services_of(request)
    given = await sent.json_object()
    asked_for, parsed, settings = await over_project(services, caller, given, FilmStillsBody)
    settings.resolve(services.config.max_output_pixels)
    job = StillsJob(asked(written(parsed, settings, caller)), asked_for.times, services.config.fonts_folder)
    clock = request.state.clock = Clock(services.config.render_timeout_s)

    async def drawn() -> tuple[Stills, list[bytes]]:
        async with AsyncExitStack() as ends:
            files = [
                await ends.enter_async_context(_source(services, caller, sent, parsed, settings, one))
                for one in parsed.sources
            ]
            try:
                return await _made(services, caller, job, files, clock)
            except MockupError as error:
                raise error.about(*map(settings.with_origin, error.details)) from error.__cause__

    made, pictures = await mockup.unless_left(request, clock, drawn())
    images = [
        answers.FilmStill(time=at, data=base64.b64encode(data).decode(), mime_type="image/png")
        for at, data in zip(job.times, pictures, strict=True)
    ]
    warnings = [answers.Warning.of(one) for one in made.warnings]
    return private_json(answers.FilmStills(images=images, device=made.device, warnings=warnings))


async def _made(
    services: Services, caller: Caller, job: StillsJob, shown: Sequence[BinaryIO], clock: Clock
) -> tuple[Stills, list[bytes]]:
    """The pictures, made when the queue is idle and charged to the user's time for previews."""
    forks = recordings.forks_of(services)

    async def work() -> tuple[Stills, list[bytes]]:
        try:
            with tempfile.TemporaryFile() as output:
                async with asyncio.timeout(clock.remaining):
                    made = await result(forks, job, [one.fileno() for one in shown], output.fileno())
                assert isinstance(made, Stills)
                return made, await to_thread.run_sync(_read, output, made.sizes)
        except TimeoutError:
            raise clock.expired() from None

    memory = MEMORY + (len(shown) - 1) * MORE_MEMORY
    made, _ = await preview_turn.charged(services, caller, work, memory, clock)
    return made


def _read(file: BinaryIO, sizes: tuple[int, ...]) -> list[bytes]:
    file.seek(0)
    return [file.read(size) for size in sizes]


@asynccontextmanager
async def _source(
    services: Services,
    caller: Caller,
    sent: body.RequestBody,
    parsed: ParsedFilm,
    settings: MergedSettings,
    shown: FilmSource,
) -> AsyncIterator[BinaryIO]:
    """The open file of a recording, or of a screenshot."""
    if shown.is_recording:
        stored = await recordings.find(services, caller, shown.source)
        with services.accounts.recordings.path(stored.id).open("rb") as file:
            yield file
        return
    data = await screenshot(services, caller, sent, parsed, settings, shown.source)
    with tempfile.TemporaryFile() as file:
        await to_thread.run_sync(file.write, data)
        file.flush()
        yield file
