"""Operations that request films, report their progress, return their files and cancel them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.films import FilmSize, StoredFilm
from ..accounts.recordings import StoredRecording
from ..accounts.store import Caller
from ..accounts.tables import now
from ..clock import Clock
from ..errors import Code, Detail, MockupError, refusal
from ..films.formats import FILM_FORMATS, program_for
from ..films.making import result
from ..films.messages import Begun, CheckJob, FileFacts, FilmRequest
from ..limits import FRAMES_A_RENDER
from ..settings.merge import MergedSettings
from ..settings.motion import FilmExport, Motion, Playback
from ..settings.scene_device import SceneDevice
from ..sources.location import LocationError
from ..sources.location import parse as parse_url
from ..validation.group import Group
from . import admission, answers, body, idempotency, mockup, projects, recordings
from .access import FILMS as READ
from .access import MOCKUP, caller_of
from .conditions import matches, tags_of
from .file_responses import PartialFile
from .film_body import B, FilmBody, FilmSource, ParsedFilm, Webhook, parse, renders
from .json_body import JSONBody
from .mockup import CheckedRequest
from .operation import FILMS, RENDER, UUID_ID, operation
from .parsed_request import ParsedRequest
from .responses import private_json
from .scene_body import ParsedScreenshot
from .services import Services, services_of
from .uuids import path_uuid

PATH = "/api/v1/films"
ERRORS = (
    *RENDER,
    Code.KEY_REUSED,
    Code.PROJECT_ACCESS_DENIED,
    Code.PROJECT_NOT_FOUND,
    Code.ENCODER_MISSING,
)


@operation(
    FILMS,
    "POST",
    PATH,
    access=MOCKUP,
    takes=FilmBody,
    gives=answers.Film,
    status=202,
    errors=ERRORS,
    headers=(idempotency.HEADER,),
    about="films.md#films-by-http",
)
async def make_film(request: Request) -> Response:
    """Make a film from a recording."""
    return await idempotency.answered(
        request,
        partial(_submitted, request),
        count=admission.admit,
        limit=services_of(request).config.max_body_bytes,
        output="film",
        subscribed=True,
    )


@operation(FILMS, "GET", f"{PATH}/{{id}}", access=READ, id=UUID_ID, gives=answers.Film)
async def get_film(request: Request) -> Response:
    """Report the progress of a film."""
    return private_json(told(await _found(request)))


@operation(FILMS, "DELETE", f"{PATH}/{{id}}", access=READ, id=UUID_ID, status=204)
async def cancel_film(request: Request) -> Response:
    """Cancel a film, or remove a finished one."""
    cancel = services_of(request).accounts.films.cancel
    if not await to_thread.run_sync(cancel, caller_of(request).user_id, path_uuid(request, "film")):
        raise _not_found()
    return Response(status_code=204)


@operation(
    FILMS,
    "GET",
    f"{PATH}/{{id}}/file",
    access=READ,
    id=UUID_ID,
    gives_files=tuple(one.mime for one in FILM_FORMATS.values()),
    errors=(Code.RANGE_NOT_SATISFIABLE,),
)
async def get_film_file(request: Request) -> Response:
    """File of a finished film"""
    found = await _found(request)
    if found.status != "done" or found.outcome is None:
        said = "has failed" if found.status == "failed" else "is not done yet"
        raise MockupError(Code.NOT_FOUND, f"The film {said}; GET {PATH}/{found.id} tells more")
    file = services_of(request).accounts.films.path(found.id)
    if not await to_thread.run_sync(file.exists):
        raise _not_found()
    one = FILM_FORMATS[found.outcome["format"]]
    headers = {
        "Cache-Control": "private, max-age=3600, immutable",
        "ETag": f'"{found.id.hex}"',
        "Content-Disposition": f'inline; filename="film{one.suffix}"',
    }
    if matches(tags_of(request), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return PartialFile(file, media_type=one.mime, headers=headers)


def told(film: StoredFilm) -> answers.Film:
    """The response that describes a film."""
    outcome: Mapping[str, Any] = film.outcome or {}
    more: dict[str, Any] = {}
    if film.status == "done":
        more["result"] = answers.FilmFile(
            url=f"{PATH}/{film.id}/file",
            mime_type=FILM_FORMATS[outcome["format"]].mime,
            bytes=film.size,
            fps=film.fps,
            width=film.width,
            height=film.height,
        )
        more["device"] = outcome["device"]
    if film.status == "failed":
        more["error"] = answers.Failed.of(outcome)
    if film.status == "running" and film.started_at is not None and film.frame:
        spent = (now() - film.started_at).total_seconds() * 1e3
        more["eta_ms"] = round(spent / film.frame * (film.frames - film.frame))
    return answers.Film(
        id=film.id,
        status=film.status,
        frame=film.frame,
        frames=film.frames,
        warnings=[answers.Warning(**one) for one in outcome.get("warnings", ())],
        created_at=film.created_at,
        expires_at=film.expires_at,
        **more,
    )


def written(parsed: ParsedFilm, settings: MergedSettings, caller: Caller) -> dict[str, Any]:
    """A film's request as JSON, to be stored; `more` are its recordings after the first."""
    first, *more = (_dumped(one.playback) for one in parsed.sources)
    return {
        "settings": settings.whole(),
        "devices": [_dumped(one) for one in parsed.devices],
        "motion": _dumped(parsed.motion),
        "recording": first,
        "export": _dumped(parsed.export),
        "more": more,
        "shown": parsed.shown,
        "names": [one.name for one in parsed.sources],
        "fast": parsed.fast,
        "watermark": caller.grant.test,
    }


def _dumped(part: Group) -> dict[str, Any]:
    return part.model_dump(mode="json", by_alias=True, exclude_unset=True)


def asked(request: Mapping[str, Any]) -> FilmRequest:
    """A film's stored request."""
    return FilmRequest(
        MergedSettings(request["settings"]).resolve(),
        Motion.model_validate(request["motion"]),
        Playback.model_validate(request["recording"]),
        FilmExport.model_validate(request["export"]),
        fast=request["fast"],
        watermark=request["watermark"],
        devices=tuple(SceneDevice.model_validate(one) for one in request.get("devices", ())),
        shown=tuple(request.get("shown", ())),
        more=tuple(Playback.model_validate(one) for one in request.get("more", ())),
        names=tuple(request.get("names", ("recording",))),
    )


async def over_project(
    services: Services, caller: Caller, asked: JSONBody, model: type[B]
) -> tuple[B, ParsedFilm, MergedSettings]:
    """A valid request, with its settings merged over its project's, if any; raises 400, 403 and 404."""
    body, parsed = parse(asked, model)
    if parsed.project_id is None:
        return body, parsed, parsed.settings
    project = await projects.find(services, caller, parsed.project_id, "projectId")
    if "devices" in project.parts or "film" in project.parts:
        body, parsed = parse(asked, model, project.parts)
    return body, parsed, parsed.settings.over(project.settings)


async def screenshot(
    services: Services,
    caller: Caller,
    sent: body.RequestBody,
    parsed: ParsedFilm,
    settings: MergedSettings,
    source: ParsedScreenshot,
) -> bytes:
    """The file of a screenshot that a film shows; raises a 400 that names its path."""
    only = ParsedRequest((source,), settings, fast=parsed.fast, project_id=None)
    clock = Clock(services.config.render_timeout_s)
    checked = CheckedRequest(services, caller, sent, only, settings.resolve(), "raw", clock)
    found = await mockup.fetched(checked, source, whole=True)
    given = await to_thread.run_sync(found.given, services.config.max_source_bytes)
    return bytes(given.data)


async def _submitted(request: Request, caller: Caller, sent: body.RequestBody) -> Response:
    services = services_of(request)
    forks = recordings.forks_of(services)
    asked_for, parsed, settings = await over_project(services, caller, await sent.json_object(), FilmBody)
    _check_webhook(asked_for.webhook)
    settings.resolve(services.config.max_output_pixels)
    await to_thread.run_sync(program_for, parsed.export.format)
    await to_thread.run_sync(services.accounts.films.check, caller.user_id, 0)
    shown = await _all_shown(services, caller, sent, parsed, settings)
    first, *more = shown
    stored = written(parsed, settings, caller) | {"recordings": [str(one.id) for one in more]}
    facts = tuple(FileFacts(one.width, one.height, one.length, one.fps) for one in shown)
    try:
        async with services.film_checks.turn(caller.owner):
            begun = await result(forks, CheckJob(asked(stored), facts))
    except MockupError as error:
        raise error.about(*map(settings.with_origin, error.details)) from error.__cause__
    assert isinstance(begun, Begun)
    await admission.count_more(request, caller, renders(begun.frames, FRAMES_A_RENDER) - 1)
    submit = services.accounts.films.submit
    size = FilmSize(begun.frames, begun.fps, begun.width, begun.height)
    hook = asked_for.webhook.model_dump() if asked_for.webhook else None
    film = await to_thread.run_sync(submit, caller.user_id, stored, first.id, size, hook)
    services.films_wanted.set()
    return private_json(told(film), 202, {"Location": f"{PATH}/{film.id}"})


async def _all_shown(
    services: Services, caller: Caller, sent: body.RequestBody, parsed: ParsedFilm, settings: MergedSettings
) -> list[StoredRecording]:
    """The recordings that a film shows, received side by side; raises the first error, and ends the others.

    One after another, they could take longer than the claim of a request with an `Idempotency-Key` lasts.
    """
    try:
        async with asyncio.TaskGroup() as group:
            found = [
                group.create_task(_shown(services, caller, sent, parsed, settings, one))
                for one in parsed.sources
            ]
    except ExceptionGroup as errors:
        first = errors.exceptions[0]
        raise first from first.__cause__
    return [one.result() for one in found]


async def _shown(
    services: Services,
    caller: Caller,
    sent: body.RequestBody,
    parsed: ParsedFilm,
    settings: MergedSettings,
    shown: FilmSource,
) -> StoredRecording:
    """The recording that a film shows: stored, fetched, or made from a screenshot."""
    source = shown.source
    if not shown.is_recording:
        data = await screenshot(services, caller, sent, parsed, settings, source)
        return await recordings.saved(services, caller, data, source.path)
    if source.form == "url":
        return await recordings.fetched(services, caller, source.text, source.path)
    return await recordings.find(services, caller, source)


def _check_webhook(webhook: Webhook | None) -> None:
    if webhook is None:
        return
    try:
        parse_url(webhook.url)
    except LocationError as error:
        raise refusal(Detail("webhook.url", str(error))) from None
    except ValueError:
        raise refusal(Detail("webhook.url", "is not a valid URL")) from None


async def _found(request: Request) -> StoredFilm:
    find = services_of(request).accounts.films.find
    film = await to_thread.run_sync(find, caller_of(request).user_id, path_uuid(request, "film"))
    if film is None:
        raise _not_found()
    return film


def _not_found() -> MockupError:
    return MockupError(Code.NOT_FOUND, "There is no film with this id, or it has expired")
