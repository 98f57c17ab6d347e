"""The public catalogue: devices, their previews, environments, canvas presets, poses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, get_args
from urllib.parse import quote, urlencode

import orjson
from starlette.requests import Request
from starlette.responses import Response

from service.api import query
from service.api.file_responses import VARY, File
from service.api.responses import DAY, HOUR, JSONResponse
from service.api.services import services_of
from service.devices import origin
from service.devices.device import Category, Entry, catalogue
from service.devices.device_names import DEVICES
from service.engine.request import DevicePreview, EnvironmentPicture
from service.errors import Code, Detail, MockupError, refusal
from service.settings.schema import ENVIRONMENTS, PRESETS
from service.validation import messages
from service.validation.names import LONGEST, Names, index, match, plain

_DESCRIPTIONS = {
    "studio": "soft boxes in a dark room",
    "window": "a tall window to one side",
    "sunset": "a low warm sun under a dusky sky",
    "city": "bright facades between dark streets",
    "night": "small coloured lights in the dark",
    "forest": "green shade under a bright sky",
    "softbox": "one large soft light from above",
}


#: The query parameters of the list of devices, and what each keeps.
FILTERS = {
    "category": "devices of this category",
    "brand": "devices of this brand",
    "q": "devices whose names have all of these words",
    "width": "devices whose screen is this many pixels wide, in one of their orientations",
    "height": "as width; with both, the devices that auto prefers come first",
}
MOST_PIXELS = 100_000
#: Pixels a side of a device's picture, and across one of an environment.
SIZES = (160, 320, 640)
VIEWS = "front", "back"
ENVIRONMENT_WIDTH = 320
_SIZES = index(map(str, SIZES))
_VIEWS = index(VIEWS)
_ENVIRONMENT_NAMES = Names(
    "environment", "an environment's name", lambda: index(ENVIRONMENTS), "GET /api/v1/environments"
)


async def devices(request: Request) -> Response:
    """All devices, or those that the query asks for."""
    given, faults = query.read(request, tuple(FILTERS))
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}
    for name, values in given.items():
        try:
            if len(values) > 1:
                raise ValueError(query.SEVERAL)
            if values and name in ("width", "height"):
                sizes[name] = _pixels(values[0])
            elif values:
                names[name] = _PARSERS[name](values[0])
        except ValueError as error:
            faults.append(Detail(name, str(error)))
    if faults:
        raise refusal(*faults)
    if not (names or sizes):
        return _devices().response(request, {**HOUR, **VARY})
    found = [entry for entry in catalogue().entries.values() if _suits(entry, names)]
    if sizes:
        found = _of_size(found, sizes.get("width"), sizes.get("height"))
    return JSONResponse({"devices": [_written(entry.id) for entry in found]}, headers=HOUR)


@cache
def _devices() -> File:
    """The list of all devices."""
    return File.json({"devices": [_written(id) for id in catalogue().entries]})


@cache
def _written(id: str) -> orjson.Fragment:
    """A device's record as JSON."""
    return orjson.Fragment(orjson.dumps(record(catalogue().entries[id])))


async def device(request: Request) -> Response:
    """One device."""
    return JSONResponse(_written(_known(request.path_params["id"]).id), headers=HOUR)


async def preview(request: Request) -> Response:
    """A small PNG of a device, in the finish, size and view that the query names."""
    known = _known(request.path_params["id"])
    renderers, wanted = services_of(request).renderers, _wanted(request, known)
    made = await services_of(request).thumbnails.of(wanted, lambda clock: renderers.draw(wanted, clock))
    return made.response(request, DAY)


async def environments(request: Request) -> Response:
    """The values of `settings.reflection.environment`."""
    return _environments().response(request, {**HOUR, **VARY})


@cache
def _environments() -> File:
    return File.json({"environments": environment_records()})


async def presets(request: Request) -> Response:
    """The values of `settings.canvas.preset` and their sizes."""
    return _presets().response(request, {**HOUR, **VARY})


@cache
def _presets() -> File:
    return File.json({"presets": preset_records()})


async def environment(request: Request) -> Response:
    """A small picture of what surrounds the device in an environment."""
    try:
        name = _ENVIRONMENT_NAMES.canonical(request.path_params["id"])
    except ValueError as error:
        raise MockupError(Code.NOT_FOUND, str(error)) from None
    renderers, wanted = services_of(request).renderers, EnvironmentPicture(name, ENVIRONMENT_WIDTH)
    made = await services_of(request).thumbnails.of(wanted, lambda clock: renderers.draw(wanted, clock))
    return made.response(request, DAY)


def _known(name: str) -> Entry:
    try:
        return catalogue().entries[DEVICES.canonical(name)]
    except ValueError as error:
        raise MockupError(Code.NOT_FOUND, str(error)) from None


def _wanted(request: Request, entry: Entry) -> DevicePreview:
    """What a preview's query asks for, by default the first finish, large, from the front.

    Raises 404 for a finish that there is not.
    """
    given, faults = query.read(request, ("finish", "size", "view"))
    faults += [Detail(name, query.SEVERAL) for name, values in given.items() if len(values) > 1]
    sizes = [match(text, _SIZES) for text in given["size"]]
    if None in sizes:
        faults.append(Detail("size", f"expected one of {', '.join(map(str, SIZES))}"))
    views = [match(text, _VIEWS) for text in given["view"]]
    if None in views:
        faults.append(Detail("view", f"expected one of {', '.join(VIEWS)}"))
    if faults:
        raise refusal(*faults)
    known = index(finish.name for finish in entry.finishes)
    names = Names("finish", "a finish's name", lambda: known, f"the finishes of {entry.id}")
    try:
        finish = next(map(names.canonical, given["finish"]), entry.finishes[0].name)
    except ValueError as error:
        raise MockupError(Code.NOT_FOUND, str(error)) from None
    size = int(sizes[0] or SIZES[-1]) if sizes else SIZES[-1]
    return DevicePreview(entry.id, finish, size, "back" in views)


def categories() -> tuple[str, ...]:
    """The categories of devices."""
    return get_args(Category)


def brands() -> tuple[str, ...]:
    """The brands of all devices, sorted."""
    return tuple(sorted({entry.brand for entry in catalogue().entries.values() if entry.brand}))


def _words(text: str) -> str:
    if not 0 < len(text) <= LONGEST:
        raise ValueError(f"expected 1 to {LONGEST} characters")
    return text


_PARSERS: dict[str, Callable[[str], str]] = {
    "category": Names("category", "a category", lambda: index(categories()), "GET /api/v1/devices").canonical,
    "brand": Names("brand", "a brand", lambda: index(brands()), "GET /api/v1/devices").canonical,
    "q": _words,
}


def _pixels(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and 0 < int(text) <= MOST_PIXELS):
        raise ValueError(f"expected a whole number from 1 to {MOST_PIXELS}, got {messages.shown(text)}")
    return int(text)


def _suits(entry: Entry, names: dict[str, str]) -> bool:
    """Whether a device is of the category and brand, and has the words."""
    written = plain(" ".join((entry.id, entry.name, entry.brand or "", entry.category, *entry.aliases)))
    return (
        names.get("category", entry.category) == entry.category
        and names.get("brand", entry.brand) == entry.brand
        and all(plain(word) in written for word in names.get("q", "").split())
    )


def _of_size(entries: Sequence[Entry], width: int | None, height: int | None) -> list[Entry]:
    """The devices with such a screen in one of their orientations."""

    def fits(entry: Entry) -> bool:
        if entry.fitted:
            return False  # it has no pixels of its own
        sizes = [entry.px] if len(entry.orientations) < 2 else [entry.px, entry.px[::-1]]
        return any(width in (None, across) and height in (None, up) for across, up in sizes)

    found = [entry for entry in entries if fits(entry)]
    if width is None or height is None:
        return found
    places = origin.order((width, height))
    return sorted(found, key=lambda entry: places[entry.id])


def preset_records() -> list[dict[str, Any]]:
    """The canvas presets in the list."""
    return [{"id": name, "width": width, "height": height} for name, (width, height) in PRESETS.items()]


def environment_records() -> list[dict[str, str | None]]:
    """The environments in the list, and `none`."""
    none: dict[str, str | None] = {"id": "none", "description": "nothing to reflect", "preview": None}
    return [*map(environment_record, ENVIRONMENTS), none]


def environment_record(name: str) -> dict[str, str | None]:
    """An environment in the list."""
    return {
        "id": name,
        "description": _DESCRIPTIONS.get(name, name),
        "preview": f"/api/v1/environments/{name}/preview.webp",
    }


def record(entry: Entry) -> dict[str, Any]:
    """A device in the list."""
    width, height = entry.px
    preview = f"/api/v1/devices/{entry.id}/preview.png"
    return {
        "id": entry.id,
        "name": entry.name,
        "aliases": list(entry.aliases),
        "brand": entry.brand,
        "category": entry.category,
        "year": entry.year,
        "screen": {"width": width, "height": height, "fitted": entry.fitted is not None},
        "finishes": [
            {
                "name": finish.name,
                "hex": finish.hex,
                "preview": f"{preview}?{urlencode({'finish': finish.name}, quote_via=quote)}",
            }
            for finish in entry.finishes
        ],
        "orientations": list(entry.orientations),
        "approximate": list(entry.approximate),
        "preview": preview,
    }
