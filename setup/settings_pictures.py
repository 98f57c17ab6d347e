"""Pictures of the visual settings at three values each: a table, and the functions that `setup/site.py` calls
to draw them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Python would search this folder for modules instead of the project's, because the script is in it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from service.api import reference
from service.commands.picture_file import numbered
from service.settings.assignments import place
from service.validation import messages

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "frames" / "samples"
SIZE: dict[str, Any] = {"canvas.width": 480, "canvas.height": 360, "export.format": "webp"}
# The devices of the scene that shows the layouts.
FAMILY = ("macbook-pro-14", "ipad-air-11", "iphone-16-pro")

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Trial:
    """The values at which a setting is shown, the other settings of these pictures (`beside`), and a sample
    screen."""

    values: Sequence[Any]
    beside: Settings = field(default_factory=dict)
    sample: str = "screenshot"
    devices: Sequence[str] = ()


TURNED: Settings = {"deviceTransform.rotationY": -28}
POSED: Settings = {"deviceTransform.pose": "hero-left"}
LAPTOP: Settings = {"device": "macbook-pro-14", "deviceTransform.pose": "hero-left"}
WHITE: Settings = {"device": "iphone-17-pro"}
BAR: Settings = {"deviceTransform.scale": 2.4, "deviceTransform.positionY": -0.75}
BROWSER: Settings = {"device": "browser-safari"}
GRADIENT: Settings = {
    "appearance.gradientEnabled": True,
    "appearance.backgroundColor": "#1B1E4B",
    "appearance.gradientColor": "#FF8A5C",
}
STOPS: Settings = {
    "appearance.gradientStops": [{"color": "#1B1E4B"}, {"color": "#B5489B"}, {"color": "#FFB35C"}]
}
PICTURE: Settings = {"appearance.backgroundImage": {"type": "screenshot"}}
WIDE: Settings = {"device.kind": "tablet", "device.screen": {"width": 1600, "height": 1200}}
TALL: Settings = {"device.kind": "phone", "device.screen": {"width": 1080, "height": 2340}}
ISLAND: Settings = {**TALL, "device.screen.cutout": {"kind": "island", "width": 300, "height": 90}}
BACK: Settings = {**TALL, "deviceTransform.rotationY": 155}
LIT: Settings = {"appearance.backgroundColor": "#15171C", "postProcessing.bloom.threshold": 0.5, **POSED}
DEEP: Settings = {"deviceTransform.pose": "isometric-left"}
DARK: Settings = {"appearance.backgroundColor": "#15171C", "appearance.deviceColor": "#3A3B3D"}
CAPTION: Settings = {
    "captions": [{"text": "Plan your day", "font": {"size": 0.09}}],
    "deviceTransform.positionY": -0.6,
}
BACKED: Settings = {**CAPTION, "captions": [{"text": "Plan your day", "background": {"color": "#FFD84D"}}]}
STANDING: Settings = {
    "ground.kind": "floor",
    "deviceTransform.rotationX": 8,
    "deviceTransform.scale": 0.75,
    "deviceTransform.positionY": 0.25,
}
WALL: Settings = {"ground.kind": "wall", **TURNED}

#: Every visual setting, by its path.
SHOWN: dict[str, Trial] = {
    "device.kind": Trial(("tablet", "laptop", "monitor"), WIDE, "desktop"),
    "device.screen.width": Trial((820, 1080, 1500), TALL),
    "device.screen.height": Trial((1600, 2000, 2600), TALL),
    "device.screen.cornerRadius": Trial((0, 80, 200), TALL),
    "device.screen.cutout.kind": Trial(("island", "notch", "hole"), ISLAND),
    "device.screen.cutout.width": Trial((120, 300, 520), ISLAND),
    "device.screen.cutout.height": Trial((50, 90, 160), ISLAND),
    "device.screen.cutout.x": Trial((240, 540, 840), ISLAND),
    "device.screen.cutout.y": Trial((70, 160, 320), ISLAND),
    "device.ppi": Trial((250, 400, 600), {**TALL, **TURNED}),
    "device.body.width": Trial((66, 74, 88), {**TALL, "device.body": {"width": 70, "height": 160}}),
    "device.body.height": Trial((140, 156, 180), {**TALL, "device.body": {"width": 74, "height": 150}}),
    "device.body.depth": Trial((4, 10, 24), {**TALL, **TURNED, "device.body": {"width": 72, "height": 150}}),
    "device.bezel.top": Trial((2, 8, 18), TALL),
    "device.bezel.right": Trial((2, 8, 18), TALL),
    "device.bezel.bottom": Trial((2, 8, 18), TALL),
    "device.bezel.left": Trial((2, 8, 18), TALL),
    "device.material": Trial(("aluminium", "steel", "plastic"), {**TALL, "device.color": "#B9BDC4", **BACK}),
    "device.color": Trial(("#3A3B3D", "#C9CCD2", "#B5485D"), BACK),
    "device.camera": Trial(("single", "bar", "quad-square"), BACK),
    "orientation": Trial(("portrait", "landscape", "landscape-right")),
    "layout": Trial(("row", "fan", "desk"), sample="desktop", devices=FAMILY),
    "canvas.width": Trial((320, 480, 640)),
    "canvas.height": Trial((240, 360, 480)),
    "canvas.preset": Trial(("og", "instagram-square", "story"), POSED),
    "canvas.slices": Trial(
        (1, 2, 3), {"canvas.width": 240, "deviceTransform.rotationZ": 55, "deviceTransform.scale": 1.3}
    ),
    "canvas.gap": Trial(
        (0, 24, 96),
        {
            "canvas.width": 240,
            "canvas.slices": 2,
            "deviceTransform.rotationZ": 55,
            "deviceTransform.scale": 1.3,
        },
    ),
    "screen.fit": Trial(("cover", "contain", "stretch"), sample="tablet"),
    "screen.anchor": Trial(("top", "center", "bottom"), {"device": "macbook-pro-14"}),
    "screen.background": Trial(("#000000", "#F4EEDB", "#274690"), {"screen.fit": "contain"}, "tablet"),
    "screen.url": Trial(
        ("example.com", "docs.example.com/start", "127.0.0.1:8000"), {**BROWSER, **BAR}, "browser"
    ),
    "screen.title": Trial(
        ("Overview", "Settings", "A longer title"), {"device": "window-macos", **BAR}, "desktop"
    ),
    "appearance.backgroundColor": Trial(("#F2F3F5", "#FFD9C7", "#15171C"), POSED),
    "appearance.gradientEnabled": Trial((False, True), {**GRADIENT, **POSED}),
    "appearance.gradientColor": Trial(("#FF8A5C", "#7A5CFF", "#38B6A5"), {**GRADIENT, **POSED}),
    "appearance.gradientType": Trial(("linear", "radial", "mesh"), {**GRADIENT, **POSED}),
    "appearance.gradientAngle": Trial((0, 90, 135), {**GRADIENT, **POSED}),
    "appearance.gradientStops[].color": Trial(("#1B1E4B", "#0B6E4F", "#FFFFFF"), {**STOPS, **POSED}),
    "appearance.gradientStops[].at": Trial((0, 0.3, 0.45), {**STOPS, **POSED}),
    "appearance.backgroundImage.fit": Trial(
        ("cover", "contain", "stretch"), {**PICTURE, "appearance.backgroundImage.blur": 1, **POSED}
    ),
    "appearance.backgroundImage.blur": Trial((0, 4, 16), {**PICTURE, **POSED}),
    "appearance.backgroundImage.dim": Trial((0, 0.3, 0.7), {**PICTURE, **POSED}),
    "appearance.deviceColor": Trial(
        ("Black Titanium", "Desert Titanium", "#3366FF"), {"deviceTransform.rotationY": 150}
    ),
    "appearance.style": Trial(("real", "clay", "outline"), POSED),
    "appearance.theme": Trial(("light", "dark"), BROWSER, "browser"),
    "deviceTransform.scale": Trial((0.6, 1, 1.4)),
    "deviceTransform.positionX": Trial((-0.5, 0, 0.5)),
    "deviceTransform.positionY": Trial((-0.4, 0, 0.4)),
    "deviceTransform.rotationX": Trial((-30, 0, 30)),
    "deviceTransform.rotationY": Trial((-40, 0, 40)),
    "deviceTransform.rotationZ": Trial((-20, 0, 20)),
    "deviceTransform.fieldOfView": Trial((0, 30, 75), {"deviceTransform.rotationX": 50}),
    "deviceTransform.framing": Trial(
        ("upright", "auto", "posed"), {"deviceTransform.rotationY": -60, "deviceTransform.fieldOfView": 80}
    ),
    "deviceTransform.pose": Trial(("hero-left", "isometric-left", "lean-forward")),
    "shadow.enabled": Trial((False, True), POSED),
    "shadow.opacity": Trial((0.2, 0.5, 0.9), POSED),
    "shadow.blur": Trial((1, 5, 16), POSED),
    "shadow.color": Trial(("#000000", "#3F2BD6", "#B5485D"), {"shadow.opacity": 0.8, **POSED}),
    "shadow.offsetX": Trial((-0.12, 0, 0.12), POSED),
    "shadow.offsetY": Trial((-0.12, -0.03, 0.06), POSED),
    "ground.kind": Trial(("none", "floor", "wall"), LAPTOP, "desktop"),
    "ground.distance": Trial((0, 60, 240), WALL),
    "ground.reflectivity": Trial((0, 0.3, 0.8), STANDING),
    "ground.roughness": Trial((0, 0.35, 1), {**STANDING, "ground.reflectivity": 0.7}),
    "reflection.enabled": Trial((False, True), {**LAPTOP, **DARK}, "desktop"),
    "reflection.intensity": Trial((0, 1, 2.5), {**LAPTOP, **DARK}, "desktop"),
    "reflection.environment": Trial(("studio", "sunset", "night"), {**LAPTOP, **DARK}, "desktop"),
    "reflection.rotation": Trial((-90, 0, 90), {**LAPTOP, **DARK}, "desktop"),
    "reflection.glare": Trial(
        ("reduced", "soft", "natural"), {**LAPTOP, **DARK, "reflection.environment": "window"}, "desktop"
    ),
    "reflection.spill": Trial((0, 1, 2), {**POSED, **WHITE, "appearance.backgroundColor": "#2FA84F"}),
    "postProcessing.depth.amount": Trial((0.1, 0.5, 1), DEEP),
    "postProcessing.depth.focus": Trial((-1, 0, 1), {**DEEP, "postProcessing.depth.amount": 1}),
    "postProcessing.bloom.intensity": Trial((0.3, 1, 3), LIT),
    "postProcessing.bloom.threshold": Trial((0.2, 0.5, 0.9), {"postProcessing.bloom.intensity": 2, **LIT}),
    "postProcessing.bloom.radius": Trial((0.1, 0.4, 1), {"postProcessing.bloom.intensity": 2, **LIT}),
    "postProcessing.vignette.amount": Trial((0.15, 0.35, 0.9), POSED),
    "postProcessing.vignette.softness": Trial(
        (0.1, 0.5, 1), {"postProcessing.vignette.amount": 0.8, **POSED}
    ),
    "postProcessing.grain.amount": Trial((0.04, 0.15, 0.5), POSED),
    "postProcessing.grain.size": Trial((1, 2, 4), {"postProcessing.grain.amount": 0.4, **POSED}),
    "postProcessing.grain.seed": Trial((0, 1, 2), {"postProcessing.grain.amount": 0.4, **POSED}),
    "captions[].text": Trial(("Plan your day", "Every day.\nOne plan.", "PLAN"), CAPTION),
    "captions[].x": Trial((0.3, 0.5, 0.7), CAPTION),
    "captions[].y": Trial((0.04, 0.08, 0.2), CAPTION),
    "captions[].anchor": Trial(("top-left", "top", "top-right"), CAPTION),
    "captions[].width": Trial((0.2, 0.4, 0.84), CAPTION),
    "captions[].font.size": Trial((0.05, 0.09, 0.14), CAPTION),
    "captions[].font.weight": Trial((300, 600, 900), CAPTION),
    "captions[].font.italic": Trial((False, True), CAPTION),
    "captions[].font.lineHeight": Trial((0.9, 1.2, 1.8), {**CAPTION, "captions[].width": 0.3}),
    "captions[].font.letterSpacing": Trial((-0.05, 0, 0.2), CAPTION),
    "captions[].color": Trial(("#1D1D1F", "#3F2BD6", "#B5485D"), CAPTION),
    "captions[].align": Trial(("left", "center", "right"), {**CAPTION, "captions[].width": 0.3}),
    "captions[].direction": Trial(("auto", "ltr", "rtl"), {**CAPTION, "captions[].text": "Plan: 3 × 5!"}),
    "captions[].background.color": Trial(("#FFD84D", "#C9D6FF", "#1D1D1F33"), BACKED),
    "captions[].background.radius": Trial((0, 0.3, 1), BACKED),
    "captions[].background.padding": Trial((0.1, 0.4, 1), BACKED),
    "captions[].rotation": Trial((-6, 0, 6), CAPTION),
    "captions[].overflow": Trial(
        ("wrap", "shrink"),
        {**CAPTION, "captions[].text": "Unbreakable-and-long", "captions[].width": 0.4},
    ),
    "captions[].maxLines": Trial(
        (1, 2, 3),
        {
            **CAPTION,
            "captions[].text": "Plan your day, your week, your year",
            "captions[].overflow": "shrink",
            "captions[].width": 0.5,
        },
    ),
    "language": Trial(
        ("en", "de", "fr"),
        {**CAPTION, "captions[].text": {"en": "Plan your day", "de": "Plane deinen Tag", "fr": "Planifiez"}},
    ),
    "export.quality": Trial((10, 50, 95), {"export.format": "jpeg", **POSED}),
}
#: The settings without a picture, and the reason.
UNSEEN = {
    "screen.trim": "it takes the screenshot of a window with its shadow",
    "appearance.backgroundImage.type": "it only says where the picture comes from",
    "appearance.backgroundImage.src": "it is the picture",
    "captions[].font.family": "the choices depend on the machine",
    "export.format": "formats look alike",
    "export.scale": "the picture is the same, with more pixels",
    "export.store": "it refuses pictures, and changes none",
    "export.metadata": "it is written beside the pixels",
}


def visual() -> list[str]:
    """The paths of all settings that are no objects, in the order of the reference."""
    paths = [path for path, *_ in reference.rows()]
    return [path for path in paths if not any(one.startswith((f"{path}.", f"{path}[]")) for one in paths)]


def settings(path: str, value: Any) -> dict[str, Any]:
    """All settings of the picture that shows one setting at a value."""
    made: dict[str, Any] = {}
    for name, given in {**SIZE, **SHOWN[path].beside, path: value}.items():
        place(made, messages.parted(name.replace("[]", "[0]")), json.loads(json.dumps(given)))
    return made


def file(path: str, number: int) -> str:
    """The name of a picture's file."""
    return f"{path.replace('[]', '')}-{number}.{'jpg' if path == 'export.quality' else 'webp'}"


def manifest(paths: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One row for each picture of some settings."""
    for path in paths:
        trial = SHOWN[path]
        shot = str(SAMPLES / f"{trial.sample}.png")
        for number, value in enumerate(trial.values):
            row = {"output": file(path, number), "settings": settings(path, value)}
            devices = [{"device": one, "screenshot": shot} for one in trial.devices]
            yield row | ({"devices": devices} if devices else {"screenshot": shot})


def draw(folder: Path, paths: Sequence[str] = tuple(SHOWN)) -> None:
    """Draw the missing pictures; raises CalledProcessError if one cannot be drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = folder / "pictures.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in manifest(paths)), "utf-8")
    command = [sys.executable, "-m", "service", "render", "--manifest", str(rows), "--quiet"]
    subprocess.run(command, cwd=ROOT, check=True)


def page(*, pictures: bool) -> str:
    """The page of all settings in Markdown, with or without the pictures."""
    meanings = {path: meaning for path, _, _, meaning in reference.rows()}
    lines = ["# Settings in pictures", ""]
    lines += ["Each at a few values; [the reference](settings.md) has their ranges and defaults.", ""]
    group = ""
    for path, trial in SHOWN.items():
        if (first := path.partition(".")[0].removesuffix("[]")) != group:
            group = first
            lines += [f"## {group}", ""]
        lines += [f"### `{path}`", "", meanings[path], ""]
        for number, value in enumerate(trial.values):
            names = numbered(file(path, number), settings(path, value)["canvas"].get("slices", 1))
            shown = " ".join(f"![{path} {value}](pictures/settings/{name})" for name in names)
            lines += [f"`{json.dumps(value, ensure_ascii=False)}`", "", *([shown, ""] if pictures else [])]
    return "\n".join(lines) + "\n"
