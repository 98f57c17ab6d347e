"""The documentation's pictures and the contact sheets: `python -m benchmarks.gallery [NAME...]`.

It writes docs/pictures/*.webp, all or those named; then the catalogue in docs/devices.md, see
`benchmarks.catalogue`; and, unless `--no-sheets` is given, a sheet for each device in build/gallery/, with
every environment in six poses.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from benchmarks import catalogue as pages
from benchmarks import posed, traced
from benchmarks.cases import Case
from benchmarks.panels import beside, centred, fitted, grey, over, write
from benchmarks.templates import templates
from service.arrays import F32, U8
from service.clock import Clock
from service.devices.device import PARTS, Category, Device, catalogue
from service.render import body
from service.render.compose import shot
from service.render.compose.exposure import bands
from service.render.light.environment import directions, load, lookup
from service.render.paint import radiance
from service.render.passes import (
    PASSES,
    edges,
    faces,
    gaps,
    gloss,
    joins,
    layers,
    reflections,
    sides,
    strips,
    walls,
)
from service.render.plates import plate
from service.render.tone import shoulder
from service.settings.resolve import resolve
from service.settings.scene import Scene
from service.settings.schema import ENVIRONMENTS, Settings
from service.shipped import FRAMES
from service.srgb import SRGB8

ROOT = Path(__file__).resolve().parent.parent
PICTURES, SHEETS = ROOT / "docs" / "pictures", ROOT / "build" / "gallery"

GROUND_GREY = 150
ACROSS = 1840  # px of a contact sheet
# quality of contact sheets, of which there are many, and of the one with all templates
QUALITY, SMALL = 70, 42
# The sample screens that suit kinds of devices, besides phones.
SAMPLES: dict[Category, str] = {
    "tablet": "tablet",
    "foldable": "tablet",
    "console": "desktop",
    "laptop": "desktop",
    "desktop": "desktop",
    "tv": "desktop",
    "browser": "browser",
    "window": "desktop",
    "card": "desktop",
}
POSES = ((0, 0), (0, 30), (0, -50), (20, -30), (-15, 25), (8, 160))
GROUND = {"backgroundColor": "#F4F1FF", "gradientColor": "#9DB4FF", "gradientEnabled": True}


def settings(device: str, rx: float = 0, ry: float = 0, **members: Mapping[str, Any]) -> Settings:
    """Settings of a device in a pose, over the gallery's gradient unless `appearance` says otherwise.

    It is framed as if upright, because some of these pictures are cut or composited over each other.
    """
    members.setdefault("appearance", GROUND)
    transform = {"rotationX": rx, "rotationY": ry, "framing": "upright"}
    members["deviceTransform"] = {**transform, **members.get("deviceTransform", {})}
    return Settings.model_validate({"device": device, **members})


def screenshot(device: str) -> U8:
    """The sample screen that suits a device, (h, w, 3)."""
    sample = SAMPLES.get(catalogue().entries[device].category, "screenshot")
    picture = cv2.imread(str(FRAMES / "samples" / f"{sample}.png"))
    assert picture is not None, f"no sample screen for {device}"
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)


def parts(
    wanted: Settings, fast: bool = False, pixels: U8 | None = None
) -> tuple[Scene, plate.Plate, list[U8 | None]]:
    """The scene, its plate and the screenshot warped to each screen, by the studio's own steps.

    The screenshot (h, w, 3) is the sample that suits the device unless `pixels` are given.
    """
    pixels = screenshot(str(wanted.device)) if pixels is None else pixels
    size = (pixels.shape[1], pixels.shape[0])
    scene = resolve(wanted, size, fast=fast)
    built = plate.build(scene.spec, Clock())
    lights = [
        shot.expose(pixels, shot.place(size, hole.size, scene.fit), scene.fit, hole, Clock(), fast=fast)
        if hole
        else None
        for hole in built.screens
    ]
    return scene, built, lights


def shown(device: str, rx: float = 0, ry: float = 0, **members: Mapping[str, Any]) -> U8:
    """The finished picture of `settings`."""
    return picture(settings(device, rx, ry, **members))


def picture(wanted: Settings, fast: bool = False, pixels: U8 | None = None) -> U8:
    """The finished picture (h, w, 3 or 4) of a screenshot, as for `parts`."""
    scene, built, lights = parts(wanted, fast, pixels)
    return np.concatenate(list(bands(built, lights, scene.effects, Clock())))


def hero() -> U8:
    """A scene of three devices, by the command that a reader would use."""
    changes = {
        "canvas.width": 1800,
        "canvas.height": 900,
        "appearance.backgroundColor": GROUND["backgroundColor"],
        "appearance.gradientColor": GROUND["gradientColor"],
        "appearance.gradientAngle": 135,
        "deviceTransform.scale": 1.12,
        "reflection.environment": "studio",
    }
    with TemporaryDirectory() as folder:
        made = Path(folder) / "hero.png"
        command = [sys.executable, "-m", "service", "scene", "--template", "readme-hero", "--quiet"]
        command += [str(FRAMES / "samples" / f"{name}.png") for name in ("desktop", "tablet", "screenshot")]
        command += ["-o", str(made)]
        for name, value in changes.items():
            command += ["--set", f"{name}={value}"]
        subprocess.run(command, check=True)
        return np.asarray(cv2.cvtColor(np.asarray(cv2.imread(str(made))), cv2.COLOR_BGR2RGB), np.uint8)


def ahead() -> U8:
    """The pictures drawn in advance: layers on grey, occlusion, screen mask, environments by roughness."""
    cells = []
    phone, laptop = FRAMES / "iphone-16-pro", FRAMES / "macbook-pro-14"
    lenses = [FRAMES / PARTS / f"lens-{name}" for name in ("barrel", "elements-violet", "cover")]
    for file in (*lenses, laptop / "deck-occlusion", phone / "screen"):
        layer = cv2.imread(f"{file}.png", cv2.IMREAD_UNCHANGED)
        assert layer is not None
        if layer.ndim == 2:
            shown = fitted(grey(np.asarray(layer, np.uint8)), 222)
        else:
            rgba = np.asarray(cv2.cvtColor(layer, cv2.COLOR_BGRA2RGBA), np.uint8)
            shown = fitted(over(np.full((*rgba.shape[:2], 3), GROUND_GREY, np.uint8), rgba), 222)
        cells.append(centred(shown, np.full((230, 230, 3), GROUND_GREY, np.uint8)))
    studio = load("studio")
    maps = [studio.sharp, studio.rough[0.12], studio.rough[0.30], studio.rough[0.45], studio.diffuse]
    cells += [_map(each) for each in maps]
    return beside(cells, 5)


def _map(padded: F32) -> U8:
    """An octahedral map as it is stored, under the shoulder."""
    light = shoulder(lookup(padded, directions(230)))
    return SRGB8[np.rint(np.clip(light, 0, 1) * 65535).astype(np.uint16)]


def steps() -> U8:
    """A plate's base, its gain, the warped screenshot and the picture."""
    wanted = settings("iphone-16-pro", 10, -35, canvas={"width": 420, "height": 560})
    scene, built, (light,) = parts(wanted)
    hole = built.screens[0]
    assert hole is not None
    assert light is not None
    unlit, gain, warped = built.base.copy(), np.zeros_like(built.base), np.zeros_like(built.base)
    unlit[hole.box.slices] = SRGB8[hole.base]
    gain[hole.box.slices] = SRGB8[hole.gain][..., None]
    warped[hole.box.slices] = light
    done = np.concatenate(list(bands(built, [light], scene.effects, Clock())))
    return beside([unlit, gain, warped, done])


def passes() -> U8:
    """A phone's corner: walls; its faces' colours and layers; gloss; contact shadows, after all passes."""
    near = {"scale": 2.6, "positionX": 0.0, "positionY": -1.35}
    pink = {"backgroundColor": "#E9EBF0", "deviceColor": "#D8A7B1"}
    canvas = {"width": 300, "height": 300}
    wanted = settings("pixel-9-pro", -12, 158, canvas=canvas, appearance=pink, deviceTransform=near)
    some = (
        (walls, sides, edges, joins),
        (walls, sides, edges, faces, layers, joins),
        (walls, sides, edges, faces, layers, reflections, gloss, joins),
        PASSES,
    )
    panels = []
    for chosen in some:
        with patch.object(body, "PASSES", chosen):
            panels.append(picture(wanted))
    return beside(panels)


def nearfield() -> U8:
    """A monitor's stand and a laptop's hinge, lit by the environment alone, then with near-field light."""
    plain = {"backgroundColor": "#E9EBF0"}
    stand = settings("studio-display", -4, 150, canvas={"width": 900, "height": 700}, appearance=plain)
    closer = {"scale": 4, "positionX": -1.75, "positionY": 0.8}
    hinge = settings(
        "macbook-pro-14", 24, -28, canvas={"width": 1600, "height": 1000},
        appearance={**plain, "deviceColor": "Silver"}, deviceTransform=closer,
    )  # fmt: skip
    panels = []
    for wanted, rows, columns in (
        (stand, slice(260, 560), slice(230, 530)),
        (hinge, slice(430, 730), slice(760, 1060)),
    ):
        with _distant():
            panels.append(picture(wanted)[rows, columns])
        panels.append(picture(wanted)[rows, columns])
    return beside(panels)


@contextmanager
def _distant() -> Iterator[None]:
    """The renderer without near-field light: no occluders, no final gather, no ambient occlusion in gaps."""
    with ExitStack() as changed:
        left = tuple(one for one in PASSES if one not in (strips, gaps))
        changed.enter_context(patch.object(body, "PASSES", left))
        changed.enter_context(patch.object(faces, "over", lambda *_: None))
        for name in ("hinge_occluders", "wall_occluders", "face_occluders"):
            changed.enter_context(patch.object(radiance, name, lambda *_, **__: ()))
        yield


def environments() -> U8:
    """Every environment at intensity 1 and, below, at 0.3: a corner of polished and blasted metal."""
    near = {"scale": 2.3, "positionX": -0.72, "positionY": -1.0}
    plain = {"backgroundColor": "#E9EBF0", "deviceColor": "Natural Titanium"}
    canvas = {"width": 250, "height": 320}

    def corner(name: str, strength: float) -> U8:
        light = {"environment": name, "intensity": strength}
        return shown(
            "iphone-16-pro", 14, -50, canvas=canvas, appearance=plain, deviceTransform=near, reflection=light
        )

    return beside(
        [corner(name, strength) for strength in (1, 0.3) for name in ENVIRONMENTS], len(ENVIRONMENTS)
    )


def finishes() -> U8:
    """A corner of devices in brushed, blasted and polished metal, and in blasted aluminium."""
    plain = {"backgroundColor": "#E9EBF0", "deviceColor": "#a8a6a2"}

    def corner(device: str, x: float, y: float, left: int) -> U8:
        near = {"scale": 3, "positionX": x, "positionY": y}
        canvas = {"width": 860, "height": 720}
        whole = shown(device, 14, -52, canvas=canvas, appearance=plain, deviceTransform=near)
        return np.asarray(whole[110:470, left : left + 430], np.uint8)

    phones = ("iphone-15-pro-max", "iphone-16-pro", "pixel-9-pro")
    return beside(
        [*(corner(phone, -0.32, -1.9, 300) for phone in phones), corner("ipad-pro-11-m4", -1.1, -1.3, 430)]
    )


def shadows() -> U8:
    """The shadow with a blur of 1, 5 and 15."""
    canvas = {"width": 360, "height": 260}
    plain = {"backgroundColor": "#F4F5F8"}
    return beside(
        [
            shown("ipad-pro-11-m4", 10, 25, canvas=canvas, appearance=plain, shadow={"blur": blur})
            for blur in (1, 5, 15)
        ]
    )


def grounds() -> U8:
    """A laptop and a monitor on the floor that they stand on, and a phone before a wall."""
    canvas, plain = {"width": 420, "height": 300}, {"backgroundColor": "#F4F5F8"}
    chosen: tuple[tuple[str, float, float, str, dict[str, Any]], ...] = (
        ("macbook-pro-14", 16, -28, "studio", {}),
        ("studio-display", 10, -25, "studio", {}),
        ("iphone-16-pro", 0, -25, "window", {"kind": "wall", "distance": 20}),
    )
    return beside(
        [
            shown(
                device,
                rx,
                ry,
                canvas=canvas,
                appearance=plain,
                ground=ground,
                deviceTransform={"framing": "auto"},
                reflection={"environment": light},
            )
            for device, rx, ry, light, ground in chosen
        ]
    )


def lens() -> U8:
    """Without effects; with depth of field, with strong bloom, with a strong vignette, with grain."""
    chosen: tuple[dict[str, Any], ...] = (
        {},
        {"depth": {"amount": 1}},
        {"bloom": {"intensity": 3, "threshold": 0.5, "radius": 0.6}},
        {"vignette": {"amount": 0.6}},
        {"grain": True},
    )
    canvas, dark = {"width": 360, "height": 420}, {"backgroundColor": "#59607A"}
    return beside(
        [shown("pixel-9-pro", 8, 40, canvas=canvas, appearance=dark, postProcessing=each) for each in chosen]
    )


def warp() -> U8:
    """A piece of a turned screen, enlarged threefold: one sample per pixel (`fast`) and three by three."""
    wanted = settings("ipad-pro-11-m4", 10, 40, canvas={"width": 960, "height": 540})
    piece = slice(120, 260), slice(330, 570)
    return beside([fitted(picture(wanted, fast)[piece], 720) for fast in (True, False)])


def truth() -> U8:
    """The renderer's picture, the path-traced reference and four times their difference, for three cases."""
    cells = []
    for device, pose in (
        ("iphone-16-pro", "compound"),
        ("pixel-9-pro", "back-165"),
        ("macbook-pro-14", "left-25"),
    ):
        case = Case(device, pose, "studio")
        ours, theirs = posed.pose(case), traced.read(case)
        a, b = (traced.over(each.code, each.alpha, (242, 243, 245)) for each in (ours, theirs))
        apart = cv2.convertScaleAbs(cv2.absdiff(a, b), alpha=4)
        cells += [np.asarray(each[20:520, 230:730], np.uint8) for each in (a, b, apart)]
    return beside([fitted(cell, 400) for cell in cells], 3)


_PICTURES = (
    hero,
    ahead,
    steps,
    passes,
    nearfield,
    environments,
    finishes,
    shadows,
    grounds,
    lens,
    warp,
    truth,
    templates,
)
DRAWN: dict[str, Callable[[], U8]] = {made.__name__: made for made in _PICTURES}


def sheet(device: str) -> U8:
    """A device in six poses, with a row for each environment."""
    poses = POSES if catalogue()[device].slabs[0].back is not None else POSES[:5]
    canvas = {"width": 480, "height": 360}
    return beside(
        [
            shown(
                device,
                rx,
                ry,
                canvas=canvas,
                reflection={"environment": name},
                deviceTransform={"framing": "auto"},
            )
            for name in ENVIRONMENTS
            for rx, ry in poses
        ],
        len(poses),
    )


def cell(device: Device, longest: float) -> U8:
    """A device from the front in its first finish and turned in its last, in proportion to the longest."""
    wide = max(device.body[:2]) if "portrait" not in device.orientations else 0.0
    tall = SAMPLES.get(device.category) is None and not wide
    width, height = (224, 312) if tall else (336, 268)
    scale = max(1.12 * max(device.body[:2]) / longest, 0.6)
    back = device.category not in ("browser", "window", "card", "watch")
    pair = []
    for finish, (rx, ry) in ((0, (0, 0)), (-1, (8, 155) if back else (8, -32))):
        appearance = {"backgroundColor": "#E9EBF0"}
        if device.tinted or device.fitted:
            appearance["deviceColor"] = device.finishes[finish].name
        wanted = settings(
            device.id,
            rx,
            ry,
            canvas={"width": width, "height": height},
            appearance=appearance,
            deviceTransform={"scale": scale, "framing": "auto"},
            export={"scale": 2},
        )
        pair.append(
            np.asarray(cv2.resize(picture(wanted), (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        )
    return np.concatenate(pair, axis=1)


def contact_sheet(devices: Sequence[Device]) -> U8:
    """The devices in rows, in true proportion unless the smallest would be too small."""
    longest = max(max(device.body[:2]) for device in devices)
    cells = [cell(device, longest) for device in devices]
    columns = min(len(cells), ACROSS // cells[0].shape[1])
    return beside(cells, columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-sheets", action="store_true", help="leave the contact sheets out")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", choices=[*DRAWN, []], help=f"pictures to draw: {', '.join(DRAWN)}"
    )
    options = parser.parse_args()
    for name in options.names or DRAWN:
        write(PICTURES / f"{name}.webp", DRAWN[name](), *([SMALL] if name == "templates" else []))
    if not options.names:
        pages.write()
        for name, members in pages.groups(pages.drawn()).items():
            write(PICTURES / f"devices-{name}.webp", contact_sheet(members), QUALITY)
    if not options.no_sheets and not options.names:
        for device in catalogue():
            write(SHEETS / f"{device}.png", sheet(device))


if __name__ == "__main__":
    main()
