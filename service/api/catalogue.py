"""The public catalogue: devices, their previews, environments, canvas presets, poses."""

from __future__ import annotations

from typing import Any

from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response

from service.api.responses import JSONResponse
from service.api.services import services_of
from service.errors import Code, MockupError
from service.models.devices import DEVICES, Device, catalogue
from service.models.poses import POSES, View
from service.models.settings import ENVIRONMENTS, PRESETS

_HOUR = {"Cache-Control": "public, max-age=3600"}
_ENVIRONMENTS = {
    "studio": "soft boxes in a dark room",
    "window": "a tall window to one side",
    "sunset": "a low warm sun under a dusky sky",
    "city": "bright facades between dark streets",
    "night": "small coloured lights in the dark",
    "forest": "green shade under a bright sky",
    "softbox": "one large soft light from above",
}


async def devices(request: Request) -> Response:
    """All devices."""
    return JSONResponse({"devices": [_record(device) for device in catalogue().values()]}, headers=_HOUR)


async def device(request: Request) -> Response:
    """One device."""
    return JSONResponse(_record(_known(request.path_params["id"])), headers=_HOUR)


async def preview(request: Request) -> Response:
    """A small PNG of a device."""
    known = _known(request.path_params["id"])
    preview = await services_of(request).previews.of(known.id)
    headers = {"Cache-Control": "public, max-age=86400", "ETag": preview.tag}
    if preview.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(preview.data, media_type="image/png", headers=headers)


async def environments(request: Request) -> Response:
    """The values of `settings.reflection.environment`."""
    listed = [{"id": name, "description": _ENVIRONMENTS.get(name, name)} for name in ENVIRONMENTS]
    listed.append({"id": "none", "description": "nothing to reflect"})
    return JSONResponse({"environments": listed}, headers=_HOUR)


async def presets(request: Request) -> Response:
    """The values of `settings.canvas.preset` and their sizes."""
    listed = [{"id": name, "width": width, "height": height} for name, (width, height) in PRESETS.items()]
    return JSONResponse({"presets": listed}, headers=_HOUR)


async def poses(request: Request) -> Response:
    """The values of `settings.deviceTransform.pose`, with the view for each device category."""
    listed = [
        {"id": name, "description": pose.description, "views": {c: _view(v) for c, v in pose.views.items()}}
        for name, pose in POSES.items()
    ]
    return JSONResponse({"poses": listed}, headers=_HOUR)


def _view(view: View) -> dict[str, Any]:
    return {to_camel(name): value for name, value in view._asdict().items()}


def _known(name: str) -> Device:
    try:
        return catalogue()[DEVICES.canonical(name)]
    except ValueError as error:
        raise MockupError(Code.NOT_FOUND, str(error)) from None


def _record(device: Device) -> dict[str, Any]:
    width, height = device.screen.px
    return {
        "id": device.id,
        "name": device.name,
        "brand": device.brand,
        "category": device.category,
        "year": device.year,
        "screen": {"width": width, "height": height},
        "finishes": [{"name": finish.name, "hex": finish.hex} for finish in device.finishes],
        "orientations": list(device.orientations),
        "preview": f"/api/v1/devices/{device.id}/preview.png",
    }
