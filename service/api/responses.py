"""Responses: JSON, errors in the common format, pictures as JSON or raw bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import orjson
from starlette.responses import Response

from ..accounts.limits import Window
from ..errors import Code, MockupError
from ..limits import TOLD_PATH_LENGTH, TOLD_TEXT_LENGTH
from ..settings.formats import WRITTEN
from ..settings.rendering import Rendering
from . import answers
from .response_model import Answer

# Tell browsers not to guess types and not to run anything.
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_DATA = b'"data":"'
# For public lists, which change with the version.
HOUR = {"Cache-Control": "public, max-age=3600"}
# For small pictures and scripts; after a day, clients ask with the entity tag.
DAY = {"Cache-Control": "public, max-age=86400"}


class JSONResponse(Response):
    """JSON, UTF-8."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Serialise `content`; bytes are passed through as JSON."""
        return content if isinstance(content, bytes) else orjson.dumps(content)


def private_json(
    content: Answer, status: int = 200, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """JSON for its caller only, which no cache may store."""
    return JSONResponse(
        content.json_bytes(), status, headers={"Cache-Control": "no-store", **(headers or {})}
    )


def failure(error: MockupError, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Build the response for `error`, with the headers of its status."""
    extra = dict(headers or {})
    if error.retry_after is not None:
        extra["Retry-After"] = str(error.retry_after)
    if error.status == 401:
        extra["WWW-Authenticate"] = "Bearer"
    return JSONResponse(_error_body(error), error.status, headers=extra)


def _error_body(error: MockupError) -> bytes:
    if error.code is Code.RATE_LIMITED:
        return answers.RateLimited(
            success=False,
            error="Too Many Requests",
            code=error.code,
            message=error.message,
            retry_after=error.retry_after or 1,
        ).json_bytes()
    faults = [
        answers.Fault(path=_cut(item.path, TOLD_PATH_LENGTH), message=_cut(item.message, TOLD_TEXT_LENGTH))
        for item in error.details
    ]
    body = answers.Failed(
        code=error.code,
        message=_cut(error.message, TOLD_TEXT_LENGTH),
        **({"details": faults} if faults else {}),
    )
    return answers.Error(success=False, error=body).json_bytes()


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def picture_json(rendering: Rendering, duration: int) -> bytes:
    """The successful response to a picture given as base64; `duration` in milliseconds."""
    picture = answers.Picture(
        data="", mime_type=rendering.mime, width=rendering.width, height=rendering.height
    )
    body = answers.Mockup(
        **({"images": [picture] * len(rendering.sizes)} if rendering.sizes else {"image": picture}),
        **_facts(rendering, duration),
    ).json_bytes()
    # Insert the base64 into the finished JSON: this copies megabytes only once, while a serializer would copy
    # them twice.
    first, *rest = body.split(_DATA)
    pieces: list[bytes | memoryview] = [first]
    for data, after in zip(rendering.pictures, rest, strict=True):
        pieces += [_DATA, data, after]
    return b"".join(pieces)


def _facts(rendering: Rendering, duration: int) -> dict[str, Any]:
    """The members of a successful response beside the picture."""
    places = rendering.geometry
    return {
        "success": True,
        "duration": duration,
        "device": rendering.device,
        "warnings": [answers.Warning.of(item) for item in rendering.warnings],
        **({"geometry": answers.Geometry.of(places[0])} if places else {}),
        **({"devices": _devices(rendering)} if rendering.devices else {}),
    }


def _devices(rendering: Rendering) -> list[answers.PlacedDevice]:
    """The devices of a scene, each with its place if requested."""
    places = rendering.geometry or (None,) * len(rendering.devices)
    return [
        answers.PlacedDevice(device=device, **({"geometry": answers.Geometry.of(place)} if place else {}))
        for device, place in zip(rendering.devices, places, strict=True)
    ]


def pictures_zip(rendering: Rendering) -> bytes:
    """The slices of a picture in a ZIP file, not compressed any further; equal pictures give equal files."""
    suffix = next(one for one in WRITTEN if one.mime == rendering.mime).suffixes[0]
    whole = BytesIO()
    with ZipFile(whole, "w", ZIP_STORED) as archive:
        for number, data in enumerate(rendering.pictures, 1):
            archive.writestr(ZipInfo(f"{number}{suffix}"), data)
    return whole.getvalue()


def kept_json(rendering: Rendering, kept: Sequence[answers.KeptPicture], duration: int) -> JSONResponse:
    """The response to a mockup that is stored; `duration` in milliseconds."""
    body = answers.KeptMockup(
        **({"images": kept} if rendering.sizes else {"image": kept[0]}), **_facts(rendering, duration)
    )
    return private_json(body, 201, {} if rendering.sizes else {"Location": kept[0].url})


def _warnings_json(rendering: Rendering) -> list[dict[str, str]]:
    return [{"code": item.code, "message": item.message} for item in rendering.warnings]


def limit_headers(window: Window) -> dict[str, str]:
    """The rate limit headers."""
    return {
        "X-RateLimit-Limit": str(window.limit),
        "X-RateLimit-Remaining": str(window.remaining),
        "X-RateLimit-Reset": str(window.reset),
    }


def picture_headers(rendering: Rendering, duration: int) -> dict[str, str]:
    """The headers of a raw picture; `duration` in milliseconds."""
    headers = {
        "X-Duration-Ms": str(duration),
        "X-Mockup-Device": rendering.device,
        "X-Mockup-Size": f"{rendering.width}x{rendering.height}",
    }
    if rendering.warnings:
        headers["X-Mockup-Warnings"] = ", ".join(item.code for item in rendering.warnings)
        # Names in messages may have characters that headers cannot.
        headers["X-Mockup-Warning-Details"] = json.dumps(_warnings_json(rendering))
    if rendering.geometry:
        told = [answers.Geometry.of(place).json_bytes().decode("ascii") for place in rendering.geometry]
        headers["X-Mockup-Geometry"] = f"[{','.join(told)}]" if rendering.devices else told[0]
    return headers
