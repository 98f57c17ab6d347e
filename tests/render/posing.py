"""Pictures for tests, made from settings with dotted names and a screenshot, as pixels rather than files."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F64, U8
from service.clock import Clock
from service.devices.device import Device
from service.render.compose import exposure, shot
from service.render.geometry.camera import Camera
from service.render.geometry.rotation import rotation
from service.render.light.frame import Frame, Textures
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.textures import TextureFiles
from service.render.plates import plate
from service.render.quality import FULL, Quality
from service.settings.merge import merge
from service.settings.resolve import resolve
from service.settings.scene import PlateSpec, Scene
from service.settings.schema import Settings

DEVICES = (
    "iphone-16-pro",
    "iphone-15-pro-max",
    "pixel-9-pro",
    "ipad-pro-11-m4",
    "macbook-pro-14",
    "browser-chrome-light",
)

#: The same devices as parameters of tests. `make test` takes one of each make, `make check` all but the
#: window.
EACH: list[Any] = [
    "iphone-16-pro",
    "macbook-pro-14",
    pytest.param("browser-chrome-light", marks=pytest.mark.long),
    *(
        pytest.param(name, marks=pytest.mark.thorough)
        for name in ("iphone-15-pro-max", "pixel-9-pro", "ipad-pro-11-m4")
    ),
]


def each_in(poses: Iterable[str], few: Container[str]) -> list[Any]:
    """Parameters of a test that shows `EACH` in all poses.

    `make test` shows the phone and the laptop by turns, and the window, which is flat, in only a few poses.
    """
    found = []
    for turn, one in enumerate(EACH):
        name, marks = (one, []) if isinstance(one, str) else (one.values[0], [*one.marks])
        for number, pose in enumerate(poses):
            window = name == "browser-chrome-light"
            left = pose not in few if window else number % 2 != turn
            found.append(pytest.param(name, pose, marks=[*marks, *([pytest.mark.thorough] if left else [])]))
    return found


#: Settings for a picture of nothing but the device and the screenshot.
PLAIN = {"shadow.enabled": False, "reflection.enabled": False, "ground.kind": "none"}


def settings(given: dict[str, Any]) -> Settings:
    """Settings from dotted names, such as `{"canvas.width": 64}`."""
    nested: dict[str, Any] = {}
    for path, value in given.items():
        for name in reversed(path.split(".")):
            value = {name: value}
        nested = merge(nested, value)
    return Settings.model_validate(nested)


def scene(given: dict[str, Any], size: tuple[int, int], *, fast: bool = False) -> Scene:
    """The scene for a screenshot of `size`."""
    return resolve(settings(given), size, fast=fast)


@lru_cache(maxsize=4)
def built(spec: PlateSpec) -> plate.Plate:
    """A plate, cached for the tests that follow."""
    return plate.build(spec, Clock())


def warped(made: plate.Plate, pixels: U8, of: Scene) -> list[U8 | None]:
    """The screenshot as each screen layer sees it."""
    size = (pixels.shape[1], pixels.shape[0])
    return [
        shot.expose(pixels, shot.place(size, hole.size, of.fit), of.fit, hole, Clock(), fast=of.spec.fast)
        if hole
        else None
        for hole in made.screens
    ]


def picture(pixels: U8, given: dict[str, Any], *, fast: bool = False) -> U8:
    """The finished picture (h, w, 3 or 4) of a screenshot (h, w, 3 or 4) under settings."""
    of = scene(given, (pixels.shape[1], pixels.shape[0]), fast=fast)
    made = built(of.spec)
    return np.concatenate(list(exposure.bands(made, warped(made, pixels, of), of.effects, Clock())))


def posed(rx: float, ry: float = 0.0, k: float = 2.0) -> Camera:
    """A camera 1.5 m in front of a turned device, with `k` px per mm on a canvas of 800 × 600 px."""
    return Camera(rotation(rx, ry, 0), k, 1500.0, (400.0, 300.0), 800, 600)


def framed(
    device: Device,
    camera: Camera,
    light: Light,
    colors: Colors,
    textures: Textures | None = None,
    quality: Quality = FULL,
) -> Frame:
    """A frame of a device, with its own textures by default."""
    return Frame(device, camera, light, colors, textures or TextureFiles(device), quality)


def flat(color: tuple[int, ...], size: tuple[int, int] = (90, 195)) -> U8:
    """A screenshot of one colour, `size` wide and high."""
    return np.full((size[1], size[0], len(color)), color, np.uint8)


def to_linear(code: NDArray[Any]) -> F64:
    """sRGB code values 0-255 to linear light 0-1, IEC 61966-2-1."""
    x = np.asarray(code, np.float64) / 255
    return np.asarray(np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4))


def to_code(light: NDArray[Any]) -> F64:
    """Linear light 0-1 to unrounded sRGB code values 0-255."""
    x = np.clip(np.asarray(light, np.float64), 0, 1)
    return np.asarray(np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055) * 255)
