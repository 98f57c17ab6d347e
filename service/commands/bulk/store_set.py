"""Store sets: a file that describes pictures as locales times screens times sizes, and its rows."""

from __future__ import annotations

import json
import string
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError

from ...errors import Detail, invalid, refusal
from ...limits import SCENE_DEVICES
from ...settings import templates
from ...settings.captions import LANGUAGE, chosen
from ...settings.document import NAME
from ...settings.merge import merge, with_texts
from ...settings.scene_device import SceneDevice
from ...settings.schema import Settings
from ...settings.templates import TEMPLATES, Template
from ...validation import messages
from ...validation.group import Group
from ...validation.messages import ValidatedAs
from ...validation.names import plain

ENDINGS = (".toml", ".json", ".yaml", ".yml")
FIELDS = ("locale", "screen", "size", "number")
DEVICE = "device"  # a field in names of screenshots only: the number of the device that shows the screenshot
#: Where upload tools look for pictures below `output`, by the tools' names of the displays.
LAYOUTS = {
    # `deliver` recognises displays by their pixels, and displays of 13 inches by this word in the name.
    "deliver": "{locale}/{number}_{screen}_{size}.png",
    "supply": "metadata/android/{locale}/images/{folder}/{number}_{screen}.png",
    "flat": "{locale}_{size}_{number}_{screen}.png",
}
# Folders by preset; file names of feature graphics have no number.
FOLDERS = {
    "play-phone": "phoneScreenshots",
    "play-phone-landscape": "phoneScreenshots",
    "play-tablet-7": "sevenInchScreenshots",
    "play-tablet-10": "tenInchScreenshots",
}
LARGE_TABLETS = ("app-store-ipad-13", "app-store-ipad-13-landscape")
MARK = "IPAD_PRO_3GEN_129"

SetTexts = str | dict[str, str]
Given = Annotated[dict[str, Any], ValidatedAs(Settings)]
SetDevices = tuple[Annotated[dict[str, Any], ValidatedAs(SceneDevice)], ...]


class SetScreen(Group):
    """A screen of the app, which has a picture of every locale and size."""

    name: str = Field(min_length=1, max_length=64, pattern=NAME, description="part of file names")
    screenshot: SetTexts | None = Field(
        None, min_length=1, description="its file, or files by locale; default: the set's"
    )
    shows: tuple[Annotated[str, Field(min_length=1, max_length=64, pattern=NAME)], ...] = Field(
        (),
        max_length=SCENE_DEVICES,
        description="for several devices: replaces `{screen}` in the file name of each one's screenshot",
    )
    template: Annotated[str | None, TEMPLATES] = Field(None, description="in place of the set's")
    captions: tuple[SetTexts, ...] = Field((), description="texts of the settings' captions, each by locale")
    settings: Given = Field({}, description="override those of the set")


class SetSize(Group):
    """A size that pictures are made in."""

    name: str = Field(min_length=1, max_length=64, pattern=NAME, description="part of file names")
    preset: str | None = Field(None, description="the canvas")
    device: str | None = Field(None, description="the device")
    devices: SetDevices = Field(
        (), max_length=SCENE_DEVICES, description="for scenes; override those of template and set"
    )
    layout: Literal["deliver", "supply", "flat"] = Field("deliver", description="of folders and names")
    settings: Given = Field({}, description="override those of the screen")


class StoreSet(Group):
    """Store pictures: locales, screens and sizes."""

    example: ClassVar = None

    output: str = Field(".", min_length=1, description="the folder of all pictures")
    screenshot: SetTexts = Field(
        "{locale}/{screen}.png", min_length=1, description="file of a screenshot, or files by locale"
    )
    files: str | None = Field(None, description="names of pictures below output, in place of the layouts'")
    locales: tuple[Annotated[str, Field(pattern=LANGUAGE, max_length=35)], ...] = Field(
        min_length=1, max_length=100, description="names of the stores' locales"
    )
    screens: tuple[SetScreen, ...] = Field(min_length=1, max_length=100, description="in order")
    sizes: tuple[SetSize, ...] = Field(min_length=1, max_length=40, description="of every screen")
    template: Annotated[str | None, TEMPLATES] = Field(None, description="a template, beneath all settings")
    devices: SetDevices = Field(
        (), max_length=SCENE_DEVICES, description="for scenes; override those of the template"
    )
    settings: Given = Field({}, description="of all pictures")


@dataclass(frozen=True, slots=True)
class SetRow:
    """A picture of a set, as a row of a manifest; `untranslated` if a text is in another language.

    A picture of several devices lists them in `devices`, each with its screenshot.
    """

    id: str
    screenshots: tuple[str, ...]
    output: str
    settings: dict[str, Any]
    untranslated: bool = False
    devices: tuple[dict[str, Any], ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The places of the picture's screenshots, followed by the place of its background image, if any."""
        appearance = self.settings.get("appearance")
        image = appearance.get("backgroundImage") if isinstance(appearance, Mapping) else None
        if not isinstance(image, Mapping) or plain(str(image.get("type"))) != "url":
            return self.screenshots
        behind = image.get("src")
        return (*self.screenshots, behind) if isinstance(behind, str) else self.screenshots

    @property
    def members(self) -> dict[str, Any]:
        """The picture's members as a row of a manifest."""
        if not self.devices:
            shown: dict[str, Any] = {"screenshot": self.screenshots[0]}
        else:
            pairs = zip(self.devices, self.screenshots, strict=True)
            shown = {"type": "scene", "devices": [{**one, "screenshot": place} for one, place in pairs]}
        return {"id": self.id, **shown, "output": self.output, "settings": self.settings}


def read(file: Path) -> StoreSet:
    """The set that a TOML, JSON or YAML file describes; raises a 400 that names every offending path."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise invalid(f"{file}: cannot be read: {error}") from error
    suffix = file.suffix.lower()
    if suffix not in ENDINGS:
        raise invalid(f"{file}: a set's name must end in one of {', '.join(ENDINGS)}")
    try:
        given = _parsed(suffix, text)
    except ValueError as error:
        raise invalid(f"{file}: not {suffix[1:].upper()}: {error}") from error
    if not isinstance(given, dict):
        raise invalid(f"{file}: expected an object of {', '.join(messages.members(StoreSet))}")
    try:
        return StoreSet.model_validate(given)
    except ValidationError as error:
        raise refusal(*messages.details(error, StoreSet)) from None


def _parsed(suffix: str, text: str) -> Any:
    if suffix == ".toml":
        return tomllib.loads(text)
    if suffix == ".json":
        return json.loads(text)
    try:
        yaml: Any = import_module("yaml")
    except ImportError:
        raise ValueError("this needs the package PyYAML; TOML and JSON need none") from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def rows(wanted: StoreSet, over: Mapping[str, Any]) -> Iterator[SetRow]:
    """The pictures of a set, with `over` merged over its settings, size after size; raises a 400.

    This order gives several renderers different plates to build when a run begins.
    """
    for number, screen in enumerate(wanted.screens, 1):
        for locale in wanted.locales:
            for size in wanted.sizes:
                yield _row(wanted, size, screen, number, locale, over)


def _row(
    wanted: StoreSet, size: SetSize, screen: SetScreen, number: int, locale: str, over: Mapping[str, Any]
) -> SetRow:
    template = templates.named(screen.template or wanted.template)
    devices = _devices(wanted, size, template)
    own: dict[str, Any] = {"canvas": {"preset": size.preset}} if size.preset else {}
    if size.device and not devices:
        own["device"] = size.device
    settings: dict[str, Any] = {}
    base = template.layer([]) if template else {}
    layers = base, wanted.settings, screen.settings, own, size.settings, over, {"language": locale}
    for layer in layers:
        settings = merge(settings, layer)
    texts = [chosen(text, locale) for text in screen.captions]
    path = f"screens[{number - 1}]"
    try:
        settings = with_texts(settings, [text for text, _ in texts])
    except ValueError as error:
        raise refusal(Detail(f"{path}.captions", str(error))) from error
    untranslated = any(own and not locale.casefold().startswith(own.casefold()[:2]) for _, own in texts)
    names = {"locale": locale, "screen": screen.name, "size": size.name, "number": str(number)}
    names["folder"] = FOLDERS.get(size.preset or "", size.name)
    # A locale without a file of its own takes the file of its language, or else the first file.
    pattern, _ = chosen(screen.screenshot or wanted.screenshot, locale)
    shown = _shown(screen, len(devices) or 1, pattern, path)
    shots = [
        _filled(pattern, names | {"screen": name, "device": str(place)}, "screenshot", (*FIELDS, DEVICE))
        for place, name in enumerate(shown, 1)
    ]
    if size.layout == "deliver" and size.preset in LARGE_TABLETS:
        names["size"] = f"{size.name}_{MARK}"
    output = str(Path(wanted.output, _filled(wanted.files or LAYOUTS[size.layout], names, "files", FIELDS)))
    id = f"{locale}/{screen.name}/{size.name}"
    return SetRow(id, tuple(shots), output, settings, untranslated, devices)


def _devices(wanted: StoreSet, size: SetSize, template: Template | None) -> tuple[dict[str, Any], ...]:
    """The devices of a picture with several devices; empty for a single one."""
    if template is not None and not template.devices:
        return ()
    below = template.devices if template else ()
    return tuple(templates.layered(templates.layered(below, wanted.devices), size.devices))


def _shown(screen: SetScreen, count: int, pattern: str, path: str) -> tuple[str, ...]:
    """The text that replaces `{screen}` in the file name of each device's screenshot; raises a 400."""
    if not screen.shows:
        if count > 1 and "{screen}" in pattern and f"{{{DEVICE}}}" not in pattern:
            told = (
                f"missing; name what each of the {count} devices shows, or put {{{DEVICE}}} into screenshot"
            )
            raise refusal(Detail(f"{path}.shows", told))
        return (screen.name,) * count
    if len(screen.shows) != count:
        devices = f"{count} devices" if count > 1 else "a single device"
        raise refusal(Detail(f"{path}.shows", f"expected a name for {devices}, got {len(screen.shows)}"))
    return screen.shows


def _filled(pattern: str, names: Mapping[str, str], path: str, known: Sequence[str]) -> str:
    """A name with its fields filled in; raises a 400 for fields other than the `known` ones."""
    try:
        fields = {field for _, field, _, _ in string.Formatter().parse(pattern) if field is not None}
    except ValueError as error:
        raise refusal(Detail(path, f"{error}, in {pattern}")) from error
    if unknown := sorted(fields - names.keys()):
        raise refusal(Detail(path, f"unknown field {{{unknown[0]}}}; expected {', '.join(known)}"))
    return pattern.format_map(names)
