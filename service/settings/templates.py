"""Templates: whole scenes and store pictures, with slots for screenshots and texts; a JSON file each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from ..shipped import FRAMES
from ..validation.names import Names, index
from .merge import CaptionTexts, MergedSettings, merge
from .scene_device import Member, SceneDevice, SceneSettings

_FOLDER = FRAMES / "templates"


@dataclass(frozen=True, slots=True)
class Template:
    """A title, a description, and devices and settings as in a request, without screenshots.

    A template without `devices` shows a single device, which its settings name. Captions have sample texts.
    """

    id: str
    title: str
    description: str
    settings: Mapping[str, Any]
    devices: tuple[Mapping[str, Any], ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The sample texts of the template's captions, in order."""
        return tuple(caption["text"] for caption in self.settings.get("captions", ()))

    def layer(self, texts: CaptionTexts | None) -> Mapping[str, Any]:
        """The template's settings, without its sample texts if there are other texts."""
        if texts is None:
            return self.settings
        captions = [{**one, "text": None} for one in self.settings.get("captions", ())]
        return {**self.settings, "captions": captions}


def scene_of(wanted: Template) -> SceneSettings:
    """The scene of a template, with a screenshot on each device."""
    devices = enumerate(map(SceneDevice.model_validate, wanted.devices))
    members = tuple(Member(device, number) for number, device in devices)
    settings = MergedSettings(wanted.settings).resolve()
    return SceneSettings(settings, members, named=True) if members else SceneSettings(settings)


def composed(placement: str) -> bool:
    """Whether a template has this placement of devices; a template lets devices leave the canvas on
    purpose."""
    return placement in _placements()


@cache
def _placements() -> frozenset[str]:
    return frozenset(placement(scene_of(one)) for one in templates().values())


def placement(scene: SceneSettings) -> str:
    """The settings that place a scene's devices, and the shape of its canvas, as text to compare."""
    settings = scene.settings
    width, height = settings.canvas.size
    own = [(one.device.device_transform, one.device.depth) for one in scene.members]
    return repr((round(width / height, 2), settings.layout, settings.device_transform, own))


def under(below: Sequence[Any], devices: Any) -> Any:
    """The devices of a request, each merged over the one `below` it; anything but a list is returned as
    given."""
    if devices is None:
        return [dict(one) for one in below]
    if not isinstance(devices, Sequence) or isinstance(devices, str):
        return devices
    return layered(below, devices)


def layered(devices: Sequence[Any], over: Sequence[Any]) -> list[Any]:
    """Devices whose members are overridden by those of others, one by one."""
    count = max(len(over), len(devices))
    pairs = zip(_filled(devices, count), _filled(over, count), strict=True)
    return [merge(base, own) if isinstance(own, Mapping) else own for base, own in pairs]


def _filled(devices: Sequence[Any], count: int) -> list[Any]:
    return [*devices, *({} for _ in range(count - len(devices)))]


@cache
def templates() -> Mapping[str, Template]:
    """All templates by id."""
    files = sorted(_FOLDER.glob("*.json"))
    return MappingProxyType({file.stem: _read(file.stem, file.read_text(encoding="utf-8")) for file in files})


def _read(id: str, text: str) -> Template:
    members = json.loads(text)
    devices = tuple(members.pop("devices", ()))
    return Template(id, devices=devices, **members)


#: Names of templates, as requests give them.
TEMPLATES = Names("template", "a template's name", lambda: index(templates()), "GET /api/v1/templates")


def named(name: Any) -> Template | None:
    """The template with a name in the form of requests; None if there is none."""
    try:
        return templates()[TEMPLATES.canonical(name)] if isinstance(name, str) else None
    except ValueError:
        return None
