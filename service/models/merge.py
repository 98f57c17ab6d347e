"""Defaults, saved project and request made into one set of settings: merge first, validate after."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel

from service.errors import Detail, refusal
from service.models import messages
from service.models.poses import View
from service.models.settings import Settings

MAX_PIXELS = 40_000_000
# What a pose sets of `deviceTransform`, by the names in JSON.
POSED = frozenset(map(to_camel, View._fields))
PROJECT_NOTE = " (set by the saved project)"


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` laid on `base`: objects member by member, lists and scalars replace; nulls stay.

    A pose in `over` also takes the place of the turn that `base` gives, see `POSED`.
    """
    transform = over.get("deviceTransform")
    if isinstance(transform, Mapping) and transform.get("pose") is not None:
        base = _without_turn(base)
    return _laid(base, over)


def _laid(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in over.items():
        below = merged.get(name)
        merged[name] = _laid(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _without_turn(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    transform = settings.get("deviceTransform")
    if not isinstance(transform, Mapping):
        return settings
    kept = {name: value for name, value in transform.items() if name not in POSED}
    return {**settings, "deviceTransform": kept}


def without_nulls(data: Mapping[str, Any], model: type[BaseModel] = Settings) -> dict[str, Any]:
    """The members that are not null; unknown members stay, so that they are still found to be unknown."""
    known = messages.members(model)
    kept: dict[str, Any] = {}
    for name, value in data.items():
        field = known.get(name)
        if field is None:
            kept[name] = value
        elif value is not None:
            group = messages.group_of(field)
            kept[name] = without_nulls(value, group) if group and isinstance(value, dict) else value
    return kept


def complaints(project: Mapping[str, Any] | None, request: Mapping[str, Any]) -> list[Detail]:
    """Every offending path of the merged settings, `settings.` before each; empty when they are valid."""
    return _validated(project, request)[1]


def resolve(
    project: Mapping[str, Any] | None, request: Mapping[str, Any], *, max_pixels: int = MAX_PIXELS
) -> Settings:
    """Settings from defaults, project and request; raises a 400 that names every offending path.

    An error whose value comes from the saved project says so. The output's area, canvas times the scale's
    square, is at most `max_pixels`.
    """
    settings, found = _validated(project, request)
    if settings is not None:
        found = _too_large(settings, project, request, max_pixels)
    if settings is None or found:
        raise refusal(*found)
    return settings


def validate_project(settings: Mapping[str, Any], *, max_pixels: int = MAX_PIXELS) -> dict[str, Any]:
    """Settings fit to be saved: as given, with every name in its canonical form.

    Raises a 400 that names every offending path.
    """
    resolve(None, settings, max_pixels=max_pixels)
    return canonical(settings)


def canonical(data: Mapping[str, Any], model: type[BaseModel] = Settings) -> dict[str, Any]:
    """Valid settings with every name in its canonical form."""
    known = messages.members(model)
    made: dict[str, Any] = {}
    for name, value in data.items():
        field = known[name]
        group = messages.group_of(field)
        inner = group is not None and isinstance(value, dict)
        made[name] = canonical(value, group) if group and inner else messages.canonical(field, value)
    return made


def with_origin(detail: Detail, project: Mapping[str, Any] | None, request: Mapping[str, Any]) -> Detail:
    """The same detail, saying so when its value comes from the saved project and not from the request."""
    root, _, rest = detail.path.partition(".")
    path = rest.split(".")
    if root != "settings" or project is None or _sets(request, path) or not _sets(project, path):
        return detail
    return Detail(detail.path, detail.message + PROJECT_NOTE)


def _validated(
    project: Mapping[str, Any] | None, request: Mapping[str, Any]
) -> tuple[Settings | None, list[Detail]]:
    merged = without_nulls(merge(project or {}, request))
    try:
        return Settings.model_validate(merged), []
    except ValidationError as error:
        found = messages.details(error, Settings, "settings.")
    return None, [with_origin(detail, project, request) for detail in found]


def _sets(data: Any, path: list[str]) -> bool:
    """Whether `data` says anything at `path`, or something other than an object on the way there."""
    for name in path:
        if not isinstance(data, Mapping):
            return True
        if name not in data:
            return False
        data = data[name]
    return data is not None


def _too_large(
    settings: Settings, project: Mapping[str, Any] | None, request: Mapping[str, Any], max_pixels: int
) -> list[Detail]:
    if math.prod(settings.output_size) <= max_pixels:
        return []
    width, height = settings.canvas.size
    scale = settings.export.scale
    most = math.floor(math.sqrt(max_pixels / (width * height)) * 100) / 100
    message = (
        f"expected at most {most:g} for a canvas of {width} x {height}, got {scale:g}: "
        f"the output is limited to {max_pixels / 1e6:g} megapixels"
    )
    if project is not None and not (_sets(request, ["export", "scale"]) or _sets(request, ["canvas"])):
        message += PROJECT_NOTE
    return [Detail("settings.export.scale", message)]
