"""The public catalogue: devices, their previews, environments, canvas presets, poses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Literal, get_args
from urllib.parse import quote, urlencode

import orjson
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from ..devices import origin
from ..devices.device import Category, Entry, catalogue
from ..devices.device_names import DEVICES
from ..engine.request import DevicePreview, EnvironmentPicture
from ..limits import LISTED_PIXELS, NAME_LENGTH
from ..settings.schema import ENVIRONMENTS, PRESETS
from ..validation.names import Names, index, plain
from . import answers
from .file_responses import listing
from .operation import CATALOGUE, RENDER, canonical, named, operation
from .query import Query, Wording, listed
from .responses import DAY, HOUR, JSONResponse
from .services import services_of

PATH = "/api/v1/devices"
#: Pixels across a picture of an environment.
ENVIRONMENT_WIDTH = 320
_ENVIRONMENT_NAMES = Names(
    "environment", "an environment's name", lambda: index(ENVIRONMENTS), "GET /api/v1/environments"
)
_DEVICE = named(lambda: catalogue())
PixelFilter = Annotated[int | None, Field(ge=1, le=LISTED_PIXELS)]


def categories() -> tuple[str, ...]:
    """The categories of devices."""
    return get_args(Category)


def brands() -> tuple[str, ...]:
    """The brands of all devices, sorted."""
    return tuple(sorted({entry.brand for entry in catalogue().entries.values() if entry.brand}))


class Filters(Query):
    """The filters of the list of devices."""

    category: Annotated[
        str | None, Names("category", "a category", lambda: index(categories()), f"GET {PATH}")
    ] = Field(None, description="devices of this category", json_schema_extra=listed(categories))
    brand: Annotated[str | None, Names("brand", "a brand", lambda: index(brands()), f"GET {PATH}")] = Field(
        None, description="devices of this brand", json_schema_extra=listed(brands)
    )
    q: Annotated[str | None, Wording(f"expected 1 to {NAME_LENGTH} characters")] = Field(
        None, min_length=1, max_length=NAME_LENGTH, description="devices whose names have all of these words"
    )
    width: PixelFilter = Field(
        None, description="devices whose screen is this many pixels wide, in one of their orientations"
    )
    height: PixelFilter = Field(
        None, description="as width; with both, the devices that auto prefers come first"
    )


class Preview(Query):
    """The requested picture of a device."""

    finish: str | None = Field(
        None, description="the name of one of the device's finishes; its first by default"
    )
    size: Annotated[Literal[160, 320, 640], Wording("expected one of 160, 320, 640")] = Field(
        640, description="pixels a side"
    )
    view: Annotated[Literal["front", "back"], Wording("expected one of front, back")] = Field(
        "front", description="the side that is seen"
    )


@operation(CATALOGUE, "GET", PATH, query=Filters, gives=answers.Devices, about="#devices")
async def list_devices(request: Request) -> Response:
    """List devices."""
    wanted = Filters.of(request)
    if not wanted.model_fields_set:
        return listing(request, _all_devices)
    return JSONResponse({"devices": [_written(entry.id) for entry in found(wanted)]}, headers=HOUR)


def found(wanted: Filters) -> list[Entry]:
    """The devices that match the filters."""
    entries = [entry for entry in catalogue().entries.values() if _suits(entry, wanted)]
    return _of_size(entries, wanted.width, wanted.height) if wanted.width or wanted.height else entries


def _all_devices() -> dict[str, list[orjson.Fragment]]:
    return {"devices": [_written(id) for id in catalogue().entries]}


@cache
def _written(id: str) -> orjson.Fragment:
    """A device's record as JSON."""
    return orjson.Fragment(record(catalogue().entries[id]).json_bytes())


@operation(CATALOGUE, "GET", f"{PATH}/{{id}}", id=_DEVICE, gives=answers.Device)
async def get_device(request: Request) -> Response:
    """Describe a device."""
    return JSONResponse(_written(_known(request).id), headers=HOUR)


@operation(
    CATALOGUE,
    "GET",
    f"{PATH}/{{id}}/preview.png",
    id=_DEVICE,
    query=Preview,
    gives_files=("image/png",),
    errors=RENDER,
    about="#small-pictures",
)
async def get_device_picture(request: Request) -> Response:
    """Picture of a device."""
    known = _known(request)
    renderers, wanted = services_of(request).renderers, _wanted(request, known)
    made = await services_of(request).thumbnails.of(wanted, lambda clock: renderers.draw(wanted, clock))
    return made.response(request, DAY)


@operation(CATALOGUE, "GET", "/api/v1/environments", gives=answers.Environments)
async def list_environments(request: Request) -> Response:
    """List reflection environments."""
    return listing(request, all_environments)


@operation(CATALOGUE, "GET", "/api/v1/presets", gives=answers.Presets)
async def list_presets(request: Request) -> Response:
    """List canvas presets."""
    return listing(request, all_presets)


@operation(
    CATALOGUE,
    "GET",
    "/api/v1/environments/{id}/preview.webp",
    id=named(lambda: ENVIRONMENTS),
    gives_files=("image/webp",),
    errors=RENDER,
    about="#small-pictures",
)
async def get_environment_picture(request: Request) -> Response:
    """Picture of an environment."""
    name = canonical(_ENVIRONMENT_NAMES, request.path_params["id"])
    renderers, wanted = services_of(request).renderers, EnvironmentPicture(name, ENVIRONMENT_WIDTH)
    made = await services_of(request).thumbnails.of(wanted, lambda clock: renderers.draw(wanted, clock))
    return made.response(request, DAY)


def _known(request: Request) -> Entry:
    """The device that the path names."""
    return catalogue().entries[canonical(DEVICES, request.path_params["id"])]


def _wanted(request: Request, entry: Entry) -> DevicePreview:
    """The preview that a query asks for: by default the first finish, large, from the front.

    Raises 404 for an unknown finish.
    """
    wanted = Preview.of(request)
    known = index(finish.name for finish in entry.finishes)
    names = Names("finish", "a finish's name", lambda: known, f"the finishes of {entry.id}")
    finish = entry.finishes[0].name if wanted.finish is None else canonical(names, wanted.finish)
    return DevicePreview(entry.id, finish, wanted.size, wanted.view == "back")


def _suits(entry: Entry, wanted: Filters) -> bool:
    """Whether a device has the category, the brand and the words."""
    written = plain(" ".join((entry.id, entry.name, entry.brand or "", entry.category, *entry.aliases)))
    return (
        wanted.category in (None, entry.category)
        and wanted.brand in (None, entry.brand)
        and all(plain(word) in written for word in (wanted.q or "").split())
    )


def _of_size(entries: Sequence[Entry], width: int | None, height: int | None) -> list[Entry]:
    """The devices with a screen of this size in one of their orientations."""

    def fits(entry: Entry) -> bool:
        if entry.fitted:
            return False  # the device has no pixels of its own
        sizes = [entry.px] if len(entry.orientations) < 2 else [entry.px, entry.px[::-1]]
        return any(width in (None, across) and height in (None, up) for across, up in sizes)

    found = [entry for entry in entries if fits(entry)]
    if width is None or height is None:
        return found
    places = origin.order((width, height))
    return sorted(found, key=lambda entry: places[entry.id])


def all_presets() -> answers.Presets:
    """The canvas presets."""
    sizes = PRESETS.items()
    return answers.Presets(
        presets=[answers.Preset(id=name, width=width, height=height) for name, (width, height) in sizes]
    )


def all_environments() -> answers.Environments:
    """The environments, and `none`."""
    found = [
        answers.Environment(id=name, description=about, preview=f"/api/v1/environments/{name}/preview.webp")
        for name, about in ENVIRONMENTS.items()
    ]
    none = answers.Environment(id="none", description="nothing to reflect", preview=None)
    return answers.Environments(environments=[*found, none])


def record(entry: Entry) -> answers.Device:
    """A device in the list."""
    width, height = entry.px
    preview = f"{PATH}/{entry.id}/preview.png"
    return answers.Device(
        id=entry.id,
        name=entry.name,
        aliases=list(entry.aliases),
        brand=entry.brand,
        category=entry.category,
        year=entry.year,
        screen=answers.ScreenSize(width=width, height=height, fitted=entry.fitted is not None),
        finishes=[
            answers.Finish(
                name=finish.name,
                hex=finish.hex,
                preview=f"{preview}?{urlencode({'finish': finish.name}, quote_via=quote)}",
            )
            for finish in entry.finishes
        ],
        orientations=list(entry.orientations),
        approximate=list(entry.approximate),
        preview=preview,
    )
