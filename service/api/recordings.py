"""Recordings: uploaded or fetched, opened once to find their format, and stored for a while."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.recordings import StoredRecording
from ..accounts.store import Caller
from ..clock import Clock
from ..errors import Code, Detail, MockupError, invalid, refusal
from ..films.making import result
from ..films.messages import FileFacts, MeasureJob
from ..limits import ADMINISTRATION_BYTES, RECORDING_BYTES
from ..processes.forks import Forks
from ..validation import messages
from ..workers.refusing import RETRY_S
from . import answers, body, media_type
from .access import UPLOADS, WRITE_UPLOADS, caller_of
from .media_type import RECORDINGS as PATH
from .operation import FILMS, UUID_ID, operation
from .parsed_request import parse_upload
from .responses import private_json
from .scene_body import ParsedScreenshot
from .schema import UploadBody
from .services import Services, services_of
from .uuids import is_uuid, path_uuid

# Seconds that fetching a recording may take: enough for the largest one over a slow line.
FETCH_S = 60.0
_TYPES = (
    "video/mp4",
    "video/quicktime",
    "video/webm",
    "image/gif",
    "image/png",
    "image/webp",
    "application/octet-stream",
)
Write = Callable[[bytes], Awaitable[None]]


@operation(
    FILMS,
    "POST",
    PATH,
    access=WRITE_UPLOADS,
    takes=UploadBody,
    takes_files={kind: {} for kind in _TYPES},
    gives=answers.Recording,
    status=201,
    errors=(Code.SERVER_BUSY, Code.RENDER_FAILED, Code.RENDER_TIMEOUT),
    about="films.md#recordings-by-http",
)
async def upload_recording(request: Request) -> Response:
    """Upload a recording."""
    services, caller = services_of(request), caller_of(request)
    by_url = media_type.is_json(request)
    if not by_url:
        media_type.check_recording(request)
    limit = ADMINISTRATION_BYTES if by_url else RECORDING_BYTES
    announced = body.check_length(request, limit)
    if by_url:
        with await body.receive(request, services, limit, caller.owner) as sent:
            url = parse_upload((await sent.json_object()).value).url
        made = await fetched(services, caller, url, "url")
    else:
        await to_thread.run_sync(services.accounts.recordings.check, caller.user_id, announced)
        async with _file(services) as (path, write):
            async for piece in body.pieces(request, limit):
                await write(piece)
            made = await stored(services, caller, path, "recording")
    return private_json(answers.Recording.of(made), 201, {"Location": f"{PATH}/{made.id}"})


@operation(FILMS, "GET", f"{PATH}/{{id}}", access=UPLOADS, id=UUID_ID, gives=answers.Recording)
async def get_recording(request: Request) -> Response:
    """Describe an uploaded recording."""
    find = services_of(request).accounts.recordings.find
    found = await to_thread.run_sync(find, caller_of(request).user_id, path_uuid(request, "recording"))
    if found is None:
        raise _not_found()
    return private_json(answers.Recording.of(found))


@operation(FILMS, "DELETE", f"{PATH}/{{id}}", access=UPLOADS, id=UUID_ID, status=204)
async def delete_recording(request: Request) -> Response:
    """Remove an uploaded recording."""
    remove, id = services_of(request).accounts.recordings.remove, path_uuid(request, "recording")
    if not await to_thread.run_sync(remove, caller_of(request).user_id, str(id)):
        raise _not_found()
    return Response(status_code=204)


def forks_of(services: Services) -> Forks:
    """The fork server for the processes of films; raises a 503 if this instance makes no films."""
    forks = services.renderers.forks
    if forks is None or not services.config.films_at_once:
        raise MockupError(Code.SERVER_BUSY, "This server makes no films", retry_after=RETRY_S)
    return forks


async def fetched(services: Services, caller: Caller, url: str, path: str) -> StoredRecording:
    """The recording at a URL, stored; raises a 400 that names `path`."""
    async with _file(services) as (file, write):
        clock = Clock(FETCH_S)
        await services.fetcher.save(url, clock, caller.owner, path, RECORDING_BYTES, write, FETCH_S)
        return await stored(services, caller, file, path)


async def saved(services: Services, caller: Caller, data: bytes, path: str) -> StoredRecording:
    """A screenshot of a film, stored; raises a 400 that names `path`."""
    async with _file(services) as (file, write):
        await write(data)
        return await stored(services, caller, file, path, still=True)


async def stored(
    services: Services, caller: Caller, file: Path, path: str, *, still: bool = False
) -> StoredRecording:
    """A received file, opened to find its format and stored; raises a 400 that names `path`."""
    forks = forks_of(services)
    if not (await to_thread.run_sync(file.stat)).st_size:
        raise refusal(Detail(path, "is empty"))
    async with services.film_checks.turn(caller.owner):
        try:
            facts = await _opened(forks, file)
        except MockupError as error:
            if error.code is Code.INVALID_REQUEST and not error.details:
                raise invalid(error.message, Detail(path, error.message)) from error.__cause__
            raise
    if still is not (not facts.length):
        wrong = "The recording is a still picture; send it as a screenshot"
        instead = "The screenshot is animated; send it as a recording"
        raise invalid(instead if still else wrong, Detail(path, instead if still else wrong))
    save = services.accounts.recordings.save
    return await to_thread.run_sync(
        lambda: save(
            caller.user_id,
            file,
            width=facts.width,
            height=facts.height,
            length=facts.length,
            fps=facts.fps,
        )
    )


async def find(services: Services, caller: Caller, given: ParsedScreenshot) -> StoredRecording:
    """The caller's recording of an id; raises a 400 that names the id's path."""
    if not is_uuid(given.text):
        expected = f"expected the id of a recording, a UUID, got {messages.shown(given.text)}"
        raise refusal(Detail(given.path, expected))
    found = await to_thread.run_sync(services.accounts.recordings.find, caller.user_id, UUID(given.text))
    if found is None or not found.length:
        text = "no recording of yours has this id, or it has expired; upload it again"
        raise refusal(Detail(given.path, text))
    return found


async def _opened(forks: Forks, file: Path) -> FileFacts:
    with file.open("rb") as recording:
        facts = await result(forks, MeasureJob(), [recording.fileno()], recording.fileno(), nice=True)
    assert isinstance(facts, FileFacts)
    return facts


@asynccontextmanager
async def _file(services: Services) -> AsyncIterator[tuple[Path, Write]]:
    """A new file and a function that writes to it; the file is deleted unless it is stored."""
    path = await to_thread.run_sync(services.accounts.recordings.begin)
    try:
        with path.open("wb", buffering=0) as file:

            async def write(piece: bytes) -> None:
                await to_thread.run_sync(_written, file, piece)

            yield path, write
    finally:
        path.unlink(missing_ok=True)


def _written(file: BinaryIO, piece: bytes) -> None:
    rest = memoryview(piece)
    try:
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
    except OSError as error:
        message = "There is no room for recordings. Try again in 60 seconds"
        raise MockupError(Code.SERVER_BUSY, message, retry_after=60) from error


def _not_found() -> MockupError:
    return MockupError(Code.NOT_FOUND, "There is no recording with this id, or it has expired")
