"""Uploaded screenshots: stored for a while, so that several pictures can be made of one upload."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.store import Caller, Upload
from ..admission.footprint import source_limits
from ..clock import Clock
from ..engine.request import ScreenshotId, measure
from ..errors import Code, Detail, MockupError, refusal
from ..limits import FORM_BYTES
from ..settings.formats import READ
from ..validation import messages
from ..workers.screenshot_cache import DecodedScreenshot
from . import answers, body, form, media_type
from .access import UPLOADS, WRITE_UPLOADS, caller_of
from .media_type import UPLOADS as PATH
from .operation import SCREENSHOTS, UUID_ID, operation
from .parsed_request import parse_upload
from .responses import private_json
from .scene_body import ParsedScreenshot
from .schema import UploadBody
from .services import Services, services_of
from .uuids import is_uuid, path_uuid

log = structlog.get_logger(__name__)

SWEEP_S = 60.0
_FORM_FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
_PICTURES: dict[str, dict[str, Any]] = {
    **{one.mime: {} for one in READ},
    "application/octet-stream": {},
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {form.FILE: _FORM_FILE},
            "required": [form.FILE],
        }
    },
}


@operation(
    SCREENSHOTS,
    "POST",
    PATH,
    access=WRITE_UPLOADS,
    takes=UploadBody,
    takes_files=_PICTURES,
    gives=answers.Upload,
    status=201,
    errors=(Code.SERVER_BUSY, Code.RENDER_TIMEOUT),
    about="#uploads",
)
async def upload_screenshot(request: Request) -> Response:
    """Upload a screenshot."""
    services = services_of(request)
    caller = caller_of(request)
    by_url = media_type.is_json(request)
    if not by_url:
        media_type.check_picture(request)
    limit = min(services.config.max_body_bytes, services.config.max_source_bytes + FORM_BYTES)
    with await body.receive(request, services, limit, caller.owner, forms=True) as sent:
        if by_url:
            data: bytes | bytearray = await _fetched(services, caller, sent)
        else:
            data = sent.data if sent.form is None else form.file_of(sent.form)
        async with services.parsing.turn(caller.owner):
            path = "url" if by_url else "screenshot"
            upload = await to_thread.run_sync(_stored, services, caller, data, path)
    return private_json(answers.Upload.of(upload), 201, {"Location": f"{PATH}/{upload.id}"})


@operation(SCREENSHOTS, "GET", f"{PATH}/{{id}}", access=UPLOADS, id=UUID_ID, gives=answers.Upload)
async def get_screenshot(request: Request) -> Response:
    """Describe an uploaded screenshot."""
    caller = caller_of(request)
    found = await find(services_of(request), caller, str(path_uuid(request, "upload")))
    if found is None:
        raise _not_found()
    return private_json(answers.Upload.of(found))


@operation(SCREENSHOTS, "DELETE", f"{PATH}/{{id}}", access=UPLOADS, id=UUID_ID, status=204)
async def delete_screenshot(request: Request) -> Response:
    """Remove an uploaded screenshot."""
    caller = caller_of(request)
    services, id = services_of(request), path_uuid(request, "upload")
    if not await to_thread.run_sync(services.accounts.uploads.remove, caller.user_id, str(id)):
        raise _not_found()
    services.renderers.screenshots.forget(_kept_as(caller, id))
    return Response(status_code=204)


async def find(services: Services, caller: Caller, upload_id: str) -> Upload | None:
    """The caller's upload of this id, or None."""
    return await services.read(services.accounts.uploads.find, caller.user_id, upload_id)


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """An upload under its `id`: its file, or nothing if its decoded pixels are cached and suffice."""

    id: ScreenshotId
    data: bytes
    decoded: DecodedScreenshot | None


async def named(
    services: Services,
    caller: Caller,
    parsed: ParsedScreenshot,
    charge: Callable[[int], object],
    *,
    whole: bool = False,
) -> UploadedFile:
    """The upload that a request names; `charge` is called with the bytes of its file beforehand.

    The file is left out if the decoded pixels are cached, unless the `whole` file is needed. Raises a 400
    that names the id's path.
    """
    if not is_uuid(parsed.text):
        expected = f"expected the id of an upload, a UUID, got {messages.shown(parsed.text)}"
        raise refusal(Detail(parsed.path, expected))
    upload = await find(services, caller, parsed.text)
    if upload is not None:
        id = _kept_as(caller, upload.id)
        decoded = None if whole else services.renderers.screenshots.find(id)
        if decoded is not None and decoded.replaces_file:
            return UploadedFile(id, b"", decoded)
        charge(upload.size)
        if (data := await to_thread.run_sync(services.accounts.uploads.read, upload)) is not None:
            return UploadedFile(id, data, decoded)
    raise refusal(Detail(parsed.path, "no upload of yours has this id, or it has expired; upload it again"))


async def sweep(services: Services) -> None:
    """Delete expired files every minute, until cancelled."""
    accounts = services.accounts
    while True:
        try:
            removed = await to_thread.run_sync(accounts.sweep)
        except (MockupError, OSError) as error:
            log.warning("expired files not deleted", cause=str(error.__cause__ or error))
        except Exception:
            # No error may end this task, which runs every minute.
            log.exception("expired files not deleted")
        else:
            if removed:
                log.info("expired files deleted", files=removed)
        await asyncio.sleep(SWEEP_S)


async def _fetched(services: Services, caller: Caller, sent: body.RequestBody) -> bytes:
    """The picture at the URL that a JSON body names."""
    url = parse_upload((await sent.json_object()).value).url
    clock = Clock(services.config.render_timeout_s)
    return await services.fetcher.fetch(url, clock, caller.owner, "url", sent.charge)


def _stored(services: Services, caller: Caller, sent: bytes | bytearray, path: str) -> Upload:
    """Store a file; a picture that is refused is named by `path`."""
    config = services.config
    # Copy the file while the caller has its turn for parsing.
    data = bytes(sent)
    if not data:
        raise refusal(Detail("screenshot", "is empty"))
    if len(data) > config.max_source_bytes:
        raise refusal(Detail("screenshot", f"is larger than {config.max_source_bytes} bytes"))
    try:
        width, height = measure(data, source_limits(config))
    except MockupError as error:
        raise error.about(*(Detail(path, item.message) for item in error.details)) from error
    return services.accounts.uploads.save(caller.user_id, data, width, height, caller.plan)


def _kept_as(caller: Caller, upload: UUID) -> ScreenshotId:
    """The id under which an upload's pixels are cached; it always identifies the same bytes."""
    return ScreenshotId(caller.owner, f"upload {upload}", uploaded=True)


def _not_found() -> MockupError:
    return MockupError(Code.NOT_FOUND, "There is no upload with this id, or it has expired")
