"""Pictures by link: an address that describes a picture, signed with the link secret of a key."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts import links
from ..accounts.links import Link
from ..accounts.results import Result
from ..accounts.store import Caller
from ..accounts.tables import now
from ..errors import Code, Detail, MockupError, refusal
from ..limits import PROJECT_LINK_S
from ..settings.formats import BY_NAME, WRITTEN
from . import admission, body, json_body, mockup, projects
from .conditions import matches, tags_of
from .json_body import JSONBody
from .operation import MOCKUPS, operation
from .services import Services, services_of

_TYPES = {one.name: one.mime for one in WRITTEN}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The picture of a link for its owner: the id under which it is stored, and until when."""

    caller: Caller
    link: Link
    id: UUID
    ends_at: datetime


# A stored result and its bytes; None instead of the bytes if the client has them.
_Kept = tuple[Result, bytes | None]


@operation(MOCKUPS, "GET", f"{links.PATH}/{{signature}}/{{settings}}/{{file}}", listed=False)
async def get_linked(request: Request) -> Response:
    """Picture that a signed address describes."""
    services, link = services_of(request), await _link(request)
    link_id = request.path_params["signature"][: links.ID_LENGTH]
    tags = tags_of(request)

    def look() -> tuple[Caller | None, _Wanted | None, _Kept | None]:
        caller = services.accounts.keys.by_link(link_id)
        if caller is None or link.project is not None:
            return caller, None, None
        wanted = _wanted(services, caller, link)
        return caller, wanted, _kept(services, wanted, tags)

    # One thread for all look-ups, because pages request many pictures at once.
    caller, wanted, found = await to_thread.run_sync(look)
    if caller is None:
        message = "The key of this link is revoked or expired, or has a newer link secret"
        raise MockupError(Code.NOT_ALLOWED, message)
    request.state.caller = caller
    admission.require_subscription(caller)
    if wanted is None:
        project = await projects.find(services, caller, link.project or "")
        drawn = [project.settings, *project.parts.get("devices", ())]
        settings = orjson.dumps(drawn, option=orjson.OPT_SORT_KEYS)
        wanted = _wanted(services, caller, link, settings)
        found = await to_thread.run_sync(_kept, services, wanted, tags)
    name = (caller.user_id, f"link {wanted.id}")
    flights = services.requests_under_way
    while found is None and name in flights:
        await flights.outcome(name)
        found = await to_thread.run_sync(_kept, services, wanted, tags)
    if found is not None:
        return _answered(wanted, found)
    with flights.working(name, None):
        try:
            return await _rendered(request, wanted)
        except MockupError as error:
            if error.status == 503:
                await admission.refund(request)
            raise


async def _link(request: Request) -> Link:
    """The link of an address; raises 400 if it is malformed, 403 for a wrong signature and after its end."""
    scope, parts = request.scope, request.path_params
    query = scope["query_string"].decode("latin-1")
    signed = f"{parts['settings']}/{parts['file']}" + (f"?{query}" if query else "")
    # Each picture has one address, so that caches store it once.
    plain = scope.get("raw_path", b"").partition(b"?")[0] == scope["path"].encode()
    if not (plain and services_of(request).accounts.keys.signed(parts["signature"], signed)):
        message = "The signature does not fit: the address was changed, or signed with another secret"
        raise await admission.refuse_stranger(request, MockupError(Code.NOT_ALLOWED, message))
    try:
        link = Link.parse(parts["settings"], parts["file"], query)
    except ValueError as error:
        raise refusal(Detail("link", str(error))) from None
    if link.format not in BY_NAME:
        raise refusal(Detail("link", f"expected a format among {', '.join(BY_NAME)}, got {link.format!r}"))
    if link.ends_at is not None and link.ends_at <= now():
        raise MockupError(Code.NOT_ALLOWED, f"The link expired on {link.ends_at:%Y-%m-%d at %H:%M:%S} UTC")
    return link


def _wanted(services: Services, caller: Caller, link: Link, settings: bytes = b"") -> _Wanted:
    """The picture of a link; `settings` are its project's."""
    test = b"test" if caller.grant.test else b""
    said = b"\0".join((caller.user_id.bytes, test, link.signed.partition("?")[0].encode(), settings))
    return _Wanted(caller, link, *services.accounts.results.period(said))


def _kept(services: Services, wanted: _Wanted, tags: str) -> _Kept | None:
    """The picture if it is stored, without its bytes if one of the client's `tags` is the picture's."""
    results = services.accounts.results
    found = results.get(wanted.id)
    if found is None:
        return None
    if matches(tags, found.headers["ETag"]):
        return found, None
    data = results.content(found.id)
    if data is None:
        # A row without its file would keep the picture from being stored again.
        results.remove(found.user_id, str(found.id))
        return None
    return found, data


def _answered(wanted: _Wanted, found: _Kept) -> Response:
    result, data = found
    headers = _headers(wanted, result.headers["ETag"])
    if data is None:
        return Response(status_code=304, headers=headers)
    return Response(data, headers={**headers, **result.headers})


async def _rendered(request: Request, wanted: _Wanted) -> Response:
    services, caller = services_of(request), wanted.caller
    asked = _body(wanted.link)
    await admission.count(request, caller)
    with services.queue.slot(caller.owner):
        patience = services.config.queue_timeout_s
        reserved = await services.budget.reserve(caller.owner, 0, patience, None)
        with body.RequestBody(reserved, services.parsing) as sent:
            made = await mockup.rendered(request, caller, sent, asked, "raw")
    if made.media_type == mockup.ZIP:
        raise refusal(links.SLICED)
    tag = f'"{hashlib.sha256(made.body).hexdigest()[:32]}"'
    kept = {"Content-Type": _TYPES[BY_NAME[wanted.link.format]], "ETag": tag}

    def keep() -> None:
        result = Result(wanted.id, caller.user_id, len(made.body), kept, wanted.ends_at)
        services.accounts.results.keep(result, made.body)

    # If the user has too many results, or the storage is full, the next request renders the picture again.
    with suppress(MockupError):
        await to_thread.run_sync(keep)
    headers = _headers(wanted, tag)
    if matches(tags_of(request), tag):
        return Response(status_code=304, headers=headers)
    return Response(made.body, headers={**headers, **kept})


def _body(link: Link) -> JSONBody:
    """The request for a mockup that a link describes; raises a 400 for settings that are not a JSON
    object."""
    shot = {"type": "url", "src": link.source}
    request: dict[str, Any] = {"type": "screenshot", "screenshot": shot}
    export = {"format": link.format}
    if isinstance(link.settings, str):
        return JSONBody({**request, "projectId": link.settings, "settings": {"export": export}}, {})
    parsed = json_body.parse(link.settings)
    given = parsed.value.get("export")
    if given is None or isinstance(given, dict):
        export = {**(given or {}), **export}
        request["settings"] = {**parsed.value, "export": export}
    else:
        # The checks of the request refuse it.
        request["settings"] = parsed.value
    return JSONBody(request, parsed.texts)


def _headers(wanted: _Wanted, tag: str) -> dict[str, str]:
    """The headers for caches; a project may change, but the settings in an address may not."""
    end = min(wanted.ends_at, wanted.link.ends_at or wanted.ends_at)
    left = max(1, int((end - now()).total_seconds()))
    fresh = f"{left}, immutable" if wanted.link.project is None else f"{min(left, PROJECT_LINK_S)}"
    return {"Cache-Control": f"public, max-age={fresh}", "ETag": tag}
