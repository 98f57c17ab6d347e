"""Every setting as a form shows it, from the models that validate requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from starlette.requests import Request
from starlette.responses import Response

from ..devices.described.description import Description
from ..settings.background_image import BackgroundImage
from ..settings.captions import Caption
from ..settings.formats import FORMATS
from ..settings.gradient import GradientStop
from ..settings.schema import Settings
from ..validation import messages
from ..validation.group import Shown, title
from . import answers
from .file_responses import listing
from .operation import CATALOGUE, operation

Schema = dict[str, Any]
# The lists of names for members that take names; finishes are listed with their device.
LISTS = {
    "device": "/api/v1/devices",
    "canvas.preset": "/api/v1/presets",
    "reflection.environment": "/api/v1/environments",
    "deviceTransform.pose": "/api/v1/poses",
    "appearance.deviceColor": "finishes",
}
_GENERAL = "general"
_TITLES = {
    _GENERAL: ("Device", "What is shown, and which way up."),
    "deviceTransform": ("Position and angle", None),
    "reflection": ("Light", None),
    "postProcessing": ("Effects", None),
    "export": ("File", None),
}
# Settings that one field of a form cannot show, and the models of their members.
_UNSHOWN = ("appearance.gradientStops", "appearance.backgroundImage", "captions", "language")
_WITHIN: Mapping[str, type[BaseModel]] = {
    "captions[]": Caption,
    "appearance.gradientStops[]": GradientStop,
    "appearance.backgroundImage": BackgroundImage,
}
_OPAQUE = ("appearance.deviceColor", "device.color")


@operation(CATALOGUE, "GET", "/api/v1/settings", gives=answers.Form, about="#settings-for-a-form")
async def list_settings(request: Request) -> Response:
    """List settings for a form."""
    return listing(request, form)


@cache
def form() -> Schema:
    """All groups, settings, and members of the settings that are lists or objects."""
    members = [one for path, model in _WITHIN.items() for one in _measures(model, f"{path}.")]
    return {"groups": list(_groups()), "settings": list(_settings(Settings)), "members": members}


def _groups() -> Iterator[Schema]:
    yield _group(_GENERAL, _GENERAL, None)
    for name, field in messages.members(Settings).items():
        if isinstance(field.default, BaseModel):
            yield _group(name, field.title or name, type(field.default).__doc__)


def _group(name: str, known: str, about: str | None) -> Schema:
    shown, description = _TITLES.get(name, (known, None))
    return {"id": name, "title": shown, "description": description or about}


def _settings(
    model: type[BaseModel],
    prefix: str = "",
    when: Mapping[str, tuple[Any, ...]] | None = None,
    switch: str = "",
) -> Iterator[Schema]:
    """The members of a model in a form; `when` names the settings on which all of them depend.

    If one member turns on all others, its title is `switch`, and the others' titles begin with it.
    """
    when = when or {}
    members = messages.members(model)
    for name, field in members.items():
        path, group = prefix + name, messages.group_of(field)
        if path in _UNSHOWN:
            continue
        if group is not None and isinstance(field.default, BaseModel):
            yield from _settings(group, f"{path}.")
            continue
        enabled = {f"{prefix}enabled": (True,)} if "enabled" in members and name != "enabled" else {}
        needs = {prefix + other: values for other, values in _shown(field).needs.items()}
        made = _setting(path, field, {**when, **enabled, **needs})
        yield made | {"title": f"{switch} {made['title'].lower()}"} if switch else made
        if group is not None and path != "device":
            yield from _settings(group, f"{path}.", {path: (True,)}, made["title"])


def _setting(path: str, field: FieldInfo, when: Mapping[str, tuple[Any, ...]]) -> Schema:
    name = path.rpartition(".")[2]
    shown, (low, high) = _shown(field), messages.bounds(field)
    made: Schema = {
        "path": path,
        "group": path.partition(".")[0] if "." in path else _GENERAL,
        "title": shown.title or field.title or title(_snake(name)),
        "description": field.description,
        "kind": _kind(path, field),
        "default": None if field.is_required() else field.default,
    }
    match made["kind"]:
        case "number" | "integer":
            made |= {"minimum": low, "maximum": high, "step": shown.step or 1, "unit": shown.unit or None}
        case "color":
            transparent = "transparent" in _pattern(field)
            made |= {"alpha": path not in _OPAQUE, "keywords": ["transparent"] if transparent else []}
        case "choice":
            made["options"] = [{"value": one, "title": _option(one)} for one in messages.choices(field)]
        case "text" if high is not None:
            made["maxLength"] = high
    if path in LISTS:
        made["list"] = LISTS[path]
    if path == "device":
        made["described"] = list(_measures(Description, "device."))
    if when:
        made["when"] = {other: list(values) for other, values in when.items()}
    if shown.categories:
        made["categories"] = list(shown.categories)
    return made


def _measures(model: type[BaseModel], prefix: str) -> Iterator[Schema]:
    """The members of an object and of the objects in it; each says whether it is required."""
    for name, field in messages.members(model).items():
        path, group = prefix + name, messages.group_of(field)
        if group is None or float in messages.alternatives(field.annotation):
            own = prefix.partition("[")[0].partition(".")[0]
            yield _setting(path, field, {}) | {
                "group": _GENERAL if own == "device" else own,
                "required": field.is_required(),
            }
        if group is not None:
            yield from _measures(group, f"{path}.")


def _kind(path: str, field: FieldInfo) -> str:
    forms = messages.alternatives(field.annotation)
    if path != "device" and messages.group_of(field) is not None and float not in forms:
        return "switch"
    if bool in forms:
        return "boolean"
    if int in forms or float in forms:
        return "integer" if int in forms else "number"
    if path == "appearance.deviceColor" or "0-9a-fA-F" in _pattern(field):
        return "color"
    if path in LISTS:
        return "name"
    return "choice" if messages.choices(field) else "text"


def _shown(field: FieldInfo) -> Shown:
    """A field's presentation in a form: `Shown` of its type, with the title of its declaration."""
    found = [item for item in messages.metadata(field) if isinstance(item, Shown)]
    said = next((item for item in found if item != Shown(title=item.title)), Shown())
    return replace(said, title=next((item.title for item in found if item.title), ""))


def _pattern(field: FieldInfo) -> str:
    return next((item.pattern for item in field.metadata if getattr(item, "pattern", None)), "")


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _option(value: str) -> str:
    """A choice's title."""
    return FORMATS[value].label if value in FORMATS else value.replace("-", " ").capitalize()
