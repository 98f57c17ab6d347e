"""Results by address: pictures that are stored for a while, for anybody who has the address."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.results import Result
from ..accounts.store import Caller
from ..accounts.tables import now
from ..errors import Code, MockupError
from ..settings.formats import WRITTEN
from ..settings.rendering import Rendering
from . import admission, answers
from .conditions import matches, tags_of
from .operation import MOCKUPS, PathId, operation
from .services import Services, services_of

PATH = "/api/v1/results"
_SECRET_LENGTH = 43
_SUFFIXES = {one.mime: one.suffixes for one in WRITTEN}


def _name_schema() -> dict[str, Any]:
    return {"type": "string", "pattern": r"^[A-Za-z0-9_-]{43}\.[a-z]+$"}


@operation(
    MOCKUPS,
    "GET",
    f"{PATH}/{{id}}",
    id=PathId(_name_schema, (Code.NOT_FOUND, Code.RATE_LIMITED)),
    gives_files=tuple(one.mime for one in WRITTEN),
    about="#results-by-address",
)
async def get_result(request: Request) -> Response:
    """Stored picture"""
    services = services_of(request)
    secret, dot, suffix = str(request.path_params["id"]).partition(".")
    found = None
    if dot and len(secret) == _SECRET_LENGTH:
        found = await to_thread.run_sync(services.accounts.results.find, secret)
    if found is None or dot + suffix not in _SUFFIXES[found.headers["Content-Type"]]:
        raise await admission.refuse_stranger(request, _missing())
    left = max(0, int((found.expires_at - now()).total_seconds()))
    headers = {
        "Cache-Control": f"public, max-age={left}, immutable",
        "ETag": f'"{found.id.hex}"',
        "X-Robots-Tag": "noindex",
    }
    if matches(tags_of(request), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    data = await to_thread.run_sync(services.accounts.results.content, found.id)
    if data is None:
        raise await admission.refuse_stranger(request, _missing())
    return Response(data, headers={**headers, **found.headers})


async def keep(services: Services, caller: Caller, rendering: Rendering) -> list[answers.KeptPicture]:
    """Store each picture of a rendering under an address, or none; returns the response about them."""
    results, saved = services.accounts.results, list[tuple[str, Result]]()

    def work() -> list[answers.KeptPicture]:
        try:
            for picture in rendering.pictures:
                saved.append(results.save(caller.user_id, picture, {"Content-Type": rendering.mime}))
        except MockupError:
            for _, made in saved:
                results.remove(caller.user_id, str(made.id))
            raise
        return [_told(rendering, secret, made) for secret, made in saved]

    return await to_thread.run_sync(work)


def _told(rendering: Rendering, secret: str, made: Result) -> answers.KeptPicture:
    return answers.KeptPicture(
        url=f"{PATH}/{secret}{_SUFFIXES[rendering.mime][0]}",
        mime_type=rendering.mime,
        bytes=made.size,
        width=rendering.width,
        height=rendering.height,
        expires_at=made.expires_at,
    )


def _missing() -> MockupError:
    return MockupError(Code.NOT_FOUND, "There is no result at this address, or it has expired")
