"""A scene: settings resolved against a device and a screenshot's size, frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from service.colors import Color
from service.devices import Device, Orientation


@dataclass(frozen=True, slots=True)
class Background:
    """A flat colour, or a gradient from `start` to `end`; alpha 0 is transparent."""

    start: Color
    end: Color | None = None
    shape: Literal["linear", "radial"] = "linear"
    angle: float = 135.0


@dataclass(frozen=True, slots=True)
class Transform:
    """Scale, shift (half canvases, up positive) and turn (degrees) of the device; `fov` in degrees."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0
    rx: float = 0.0
    ry: float = 0.0
    rz: float = 0.0
    fov: float = 30.0


@dataclass(frozen=True, slots=True)
class Shadow:
    """Opacity 0-1, Gaussian `sigma` and offset (right, up) in output pixels."""

    opacity: float
    sigma: float
    color: Color
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that does not depend on the screenshot; it is the plate's cache key.

    `width` and `height` are output pixels, `light` is the environment and its strength (0 = off), `tint`
    the device's colour.
    """

    device: str
    orientation: Orientation
    width: int
    height: int
    transform: Transform
    background: Background
    tint: Color
    shadow: Shadow | None
    environment: str
    light: float
    fast: bool = False


@dataclass(frozen=True, slots=True)
class Bloom:
    """Strength, brightness threshold 0-1 and reach 0-1 of the glow."""

    intensity: float
    threshold: float
    radius: float


@dataclass(frozen=True, slots=True)
class Vignette:
    """Darkness of the corners 0-1 and softness 0-1."""

    amount: float
    softness: float


@dataclass(frozen=True, slots=True)
class Grain:
    """Strength 0-1, size in output pixels and seed."""

    amount: float
    size: float
    seed: int


@dataclass(frozen=True, slots=True)
class Lens:
    """What happens to the finished picture."""

    bloom: Bloom | None = None
    vignette: Vignette | None = None
    grain: Grain | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """How the screenshot meets the screen."""

    fit: Literal["cover", "contain", "stretch"] = "cover"
    anchor: Literal["top", "center", "bottom"] = "center"
    background: Color = Color(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Output:
    """Format, quality (10-100, lossy formats) and effort of the encoder."""

    format: Literal["png", "jpeg", "webp"] = "png"
    quality: int = 85
    fast: bool = False


@dataclass(frozen=True, slots=True)
class Warning:
    """Something the caller may want to know of a picture that was made."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Stage, screenshot fit, lens and output of one picture, and what to tell the caller about it."""

    device: Device
    stage: Stage
    fit: Fit
    lens: Lens
    output: Output
    warnings: tuple[Warning, ...] = ()
