"""Framefiles of fastlane's frameit, read as store sets; notes list the options that have no equivalent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...codec import header
from ...devices.described.description import Description
from ...devices.described.making import described
from ...devices.device import Device, catalogue
from ...devices.origin import best
from ...errors import Detail, MockupError, invalid, refusal
from ...fonts import extra
from ...settings.merge import merge
from ...validation.color import parse
from . import framed, strings_file
from .framed import Words
from .store_set import SetRow

if TYPE_CHECKING:
    from .caption_fonts import CaptionFonts

NAME = "framefile.json"
FRAMED = "_framed.png"  # the end of the pictures' names, which are written beside their screenshots
DENSE = 1.7  # frameit's factor of padding for screens of three px per point
# Px per inch; frameit takes a screen of more than this density for a screen of three px per point.
TRIPLE = 400
DEFAULT_FAMILY, REGULAR, DEFAULT_COLOR, DEFAULT_PADDING = "Inter", 400, "#000000", 50
KINDS = ("keyword", "title")
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

OURS = "devices are drawn here"
#: Frameit's keys, each with the reason why it cannot be mapped; None if it can.
KEYS: Mapping[str, str | None] = {
    "background": None,
    "keyword": None,
    "title": None,
    "stack_title": None,
    "title_below_image": None,
    "title_min_height": None,
    "show_complete_frame": None,
    "padding": None,
    "interline_spacing": None,
    "font_scale_factor": None,
    "frame": None,
    "force_device_type": None,
    "filter": None,
    "offset": f"{OURS}, so where their screens are is known",
    "use_platform": "the size and name of a screenshot, or force_device_type, tell the device",
    "force_orientation_block": "a device is in landscape if its screenshot is",
}
TEXT_KEYS: Mapping[str, str | None] = {
    "color": None,
    "font": None,
    "fonts": None,
    "text": None,
    "font_size": "font_scale_factor sets the font's size",
    "font_weight": "the font has its own weight",
    "padding": "the picture's padding applies",
}
TOP_KEYS: Mapping[str, str | None] = {
    "default": None,
    "data": None,
    "device_frame_version": f"{OURS}, and have no versions to choose from",
}


@dataclass
class Framefile:
    """A Framefile and its folder; `notes` list, each once, the options that cannot be mapped."""

    file: Path
    fonts_dir: str = ""
    notes: list[str] = field(default_factory=list)

    @cached_property
    def members(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Read `default` and `data`, and note the keys that cannot be mapped. Raises a 400 if it is not a
        Framefile."""
        try:
            given = json.loads(self.file.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError) as error:
            raise invalid(f"{self.file}: cannot be read: {error}") from error
        if not isinstance(given, dict):
            raise invalid(f"{self.file}: expected an object of default and data")
        default, data = given.get("default", {}), given.get("data", [])
        if not isinstance(default, dict) or not isinstance(data, list):
            raise refusal(Detail("default" if not isinstance(default, dict) else "data", "unexpected type"))
        self._keys("", given, TOP_KEYS)
        self._keys("default.", default, KEYS)
        for number, one in enumerate(data):
            if not isinstance(one, dict) or not isinstance(one.get("filter"), str):
                raise refusal(Detail(f"data[{number}].filter", "missing; expected part of file names"))
            self._keys(f"data[{number}].", one, KEYS)
        return default, data

    def note(self, text: str) -> None:
        """Add a note, unless it is there already."""
        if text not in self.notes:
            self.notes.append(text)

    def _keys(self, where: str, given: Mapping[str, Any], known: Mapping[str, str | None]) -> None:
        for key, value in given.items():
            why = known.get(key, "this key is not known")
            if why is not None:
                self.note(f"{where}{key}: {why}; left out")
            elif key in KINDS:
                if not isinstance(value, dict):
                    raise refusal(Detail(f"{where}{key}", "expected an object of font, color and text"))
                self._keys(f"{where}{key}.", value, TEXT_KEYS)

    def rows(self, over: Mapping[str, Any]) -> Iterator[SetRow]:
        """A row for each screenshot, with `over` merged over its settings; raises a 400."""
        found = list(self._screenshots())
        if not found:
            raise invalid(f"{self.file}: no screenshots in PNG in folders beside it, such as en-US/home.png")
        for shot in found:
            row = self._row(shot, over)
            if row is not None:
                yield row

    def watched(self) -> Iterator[Path]:
        """The files that the Framefile's pictures depend on."""
        folder = self.file.absolute().parent
        yield self.file
        yield from self._screenshots()
        yield from self._backgrounds()
        yield from folder.rglob("*.strings")

    def _screenshots(self) -> Iterator[Path]:
        """The screenshots in the folders of all locales and beside the file, in order."""
        folder = self.file.absolute().parent
        own = {one.resolve() for one in self._backgrounds()}
        for place in (folder, *sorted(one for one in folder.iterdir() if one.is_dir())):
            for file in sorted(place.iterdir()):
                name = file.name.lower()
                if name.endswith(".png") and not name.endswith(FRAMED) and file.resolve() not in own:
                    yield file

    def _backgrounds(self) -> Iterator[Path]:
        default, data = self.members
        given = (str(one["background"]) for one in (default, *data) if one.get("background"))
        yield from (self.file.absolute().parent / one for one in given if not one.startswith("#"))

    def _config(self, name: str) -> dict[str, Any]:
        """The options of a file: the defaults, overridden by all data whose filter is part of the file's
        name."""
        default, data = self.members
        config = dict(default)
        for one in data:
            if one["filter"] in name:
                config = merge(config, one)
        return config

    def _row(self, shot: Path, over: Mapping[str, Any]) -> SetRow | None:
        folder = self.file.absolute().parent
        name = str(shot.relative_to(folder))
        locale = shot.parent.name if _LOCALE.fullmatch(shot.parent.name) else None
        config = self._config(name)
        try:
            read = header.read(shot.read_bytes())
        except (OSError, MockupError) as error:
            raise invalid(f"{shot}: cannot be read: {error}") from error
        size = read.width, read.height
        device, chosen = self._device(config, shot.stem, size)
        if not config.get("background"):
            self.note(f"{name}: no background, so there are no texts, as with frameit")
        words = self._words(config, shot, locale) if config.get("background") else (None, None)
        settings = self._settings(config, size, device, words)
        settings = merge(settings, chosen)
        if (look := self._finish(config, device)) is not None:
            settings = merge(settings, {"appearance": {"deviceColor": look}})
        if locale is not None:
            settings["language"] = locale
        output = str(Path(name).with_name(shot.stem + FRAMED))
        return SetRow(f"{shot.parent.name}/{shot.stem}", (name,), output, merge(settings, over))

    def _device(
        self, config: Mapping[str, Any], stem: str, size: tuple[int, int]
    ) -> tuple[Device, dict[str, Any]]:
        """The device of a screenshot (forced, named by the file, or found by its size), and its settings."""
        forced = config.get("force_device_type")
        if forced is not None:
            if (one := _named(str(forced))) is not None:
                return one, {"device": one.id}
            self.note(f"force_device_type: no device {forced!r}; mockup devices lists them; chosen by size")
        if (one := _named(stem)) is not None:
            return one, {"device": one.id}
        choice = best(size)
        if isinstance(choice.device, Description):
            given = choice.device.model_dump(by_alias=True, exclude_unset=True)
            return described(choice.device), {"device": given}
        look = {"appearance": {"deviceColor": choice.finish}} if choice.finish else {}
        return catalogue()[choice.device], {"device": choice.device, **look}

    def _finish(self, config: Mapping[str, Any], device: Device) -> str | None:
        """The finish of a device that `frame` names."""
        wanted = config.get("frame")
        if wanted is None:
            return None
        words = set(str(wanted).lower().replace("_", " ").split())
        for finish in device.finishes:
            if words <= set(finish.name.lower().split()):
                return finish.name
        known = ", ".join(finish.name for finish in device.finishes)
        self.note(f"frame: {device.id} has no {wanted}; it has {known}")
        return None

    def _settings(
        self,
        config: Mapping[str, Any],
        size: tuple[int, int],
        device: Device,
        words: tuple[Words | None, Words | None],
    ) -> dict[str, Any]:
        short, wide, high = min(size), *device.body[:2]
        if (size[0] > size[1]) != (wide > high) and device.category in ("phone", "tablet"):
            wide, high = high, wide
        dense = DENSE if device.category == "phone" and _density(device) > TRIPLE else 1.0
        font = _number(config, "font_scale_factor", framed.FONT) * size[0]
        if font <= 0:
            raise refusal(Detail("font_scale_factor", "expected a number larger than 0"))
        at = framed.FramefileLayout(
            padding=_padding(config.get("padding", DEFAULT_PADDING), short, dense),
            font=font,
            spacing=_number(config, "interline_spacing", 0),
            least=_length(config.get("title_min_height", 0), short, "title_min_height"),
            stacked=bool(config.get("stack_title")),
            below=bool(config.get("title_below_image")),
            complete=bool(config.get("show_complete_frame")),
        )
        found = framed.settings(size, (wide, high), words, at)
        behind = config.get("background")
        if not behind:
            return merge(found, {"appearance": {"backgroundColor": "transparent"}})
        if str(behind).startswith("#"):
            return merge(found, {"appearance": {"backgroundColor": str(behind)}})
        image = {"type": "url", "src": str(behind).removeprefix("./"), "fit": "cover"}
        return merge(found, {"appearance": {"backgroundImage": image}})

    def _words(
        self, config: Mapping[str, Any], shot: Path, locale: str | None
    ) -> tuple[Words | None, Words | None]:
        keyword, title = (self._text(kind, config, shot, locale) for kind in KINDS)
        if title is None:
            self.note(f"{shot.parent.name}/{shot.name}: no title")
        return keyword, title

    def _text(self, kind: str, config: Mapping[str, Any], shot: Path, locale: str | None) -> Words | None:
        """The keyword or title of a screenshot: of the strings beside it, or else of the Framefile."""
        own = config.get(kind)
        own = own if isinstance(own, Mapping) else {}
        text, file = own.get("text"), shot.with_name(f"{kind}.strings")
        if file.exists():
            name = f"{shot.parent.name}/{shot.name}".upper()
            text = next((one for key, one in self._strings(file).items() if key.upper() in name), "") or text
        if not isinstance(text, str) or not text:
            return None
        text = text.replace("\\n", "\n")
        color = str(own.get("color", DEFAULT_COLOR))
        try:
            parse(color)
        except ValueError as error:
            raise refusal(Detail(f"{kind}.color", str(error))) from error
        family, weight = self._font(kind, own, locale)
        return Words(text, family, weight, color, *self._fonts.measured(text, family, weight, locale))

    def _strings(self, file: Path) -> Mapping[str, str]:
        if file not in self._known:
            self._known[file] = strings_file.read(file)
        return self._known[file]

    @cached_property
    def _known(self) -> dict[Path, Mapping[str, str]]:
        return {}

    def _font(self, kind: str, own: Mapping[str, Any], locale: str | None) -> tuple[str, int]:
        """The family and weight of a text's font file, which has to be among the known fonts."""
        wanted = own.get("font") or _for(own.get("fonts"), locale)
        if wanted is None:
            return DEFAULT_FAMILY, REGULAR
        path = self.file.absolute().parent / str(wanted)
        found = self._fonts.named(path) if path.is_file() else None
        if found is None:
            self.note(f"{kind}.font: {wanted} is not a font that can be read; {DEFAULT_FAMILY} is used")
        elif not self._fonts.has(found[0]):
            self.note(
                f"{kind}.font: {found[0]} is not among the known fonts: set MOCKUP_FONTS_DIR to "
                f"{path.parent}; {DEFAULT_FAMILY} is used"
            )
            return DEFAULT_FAMILY, found[1]
        return found or (DEFAULT_FAMILY, REGULAR)

    @cached_property
    def _fonts(self) -> CaptionFonts:
        if not extra.available():
            raise refusal(Detail("title", extra.MISSING))
        from .caption_fonts import CaptionFonts

        return CaptionFonts(self.fonts_dir)


def _named(text: str) -> Device | None:
    """The device whose name or id, as whole words, is the longest one in the text; None if there is none."""
    found, length = None, 0
    for device in catalogue().values():
        for name in (device.name, device.id):
            there = re.search(rf"(?<![^\W_]){re.escape(name)}(?! ?[^\W_]| \()", text, re.IGNORECASE)
            if there and len(name) > length:
                found, length = device, len(name)
    return found


def _for(fonts: Any, locale: str | None) -> Any:
    """The first font file that supports the language, or that lists no languages."""
    for one in fonts if isinstance(fonts, list) else ():
        if isinstance(one, Mapping) and locale in one.get("supported", [locale]):
            return one.get("font")
    return None


def _density(device: Device) -> float:
    screen = device.screens[0]
    return 25.4 * max(screen.px) / max(screen.size)


def _number(config: Mapping[str, Any], key: str, default: float) -> float:
    value = config.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) == inf:
        raise refusal(Detail(key, "expected a number"))
    return value


def _length(value: Any, short: int, path: str) -> float:
    """A length in px: a number, or a percentage of the shorter side; raises a 400 for neither."""
    text = str(value).strip()
    share = text.removesuffix("%")
    try:
        length = float(share)
    except ValueError:
        length = inf
    if not 0 <= length < 1e5 or isinstance(value, bool):
        raise refusal(Detail(path, f"expected px or a percentage such as 5%, got {text[:40]}"))
    return length / 100 * short if share != text else length


def _padding(value: Any, short: int, dense: float) -> tuple[float, float]:
    """Padding at the sides, and above and below."""
    aside, cross, above = str(value).partition("x")
    if not cross:
        above = aside
    across, along = (_length(one, short, "padding") * dense for one in (aside, above))
    return across, along
