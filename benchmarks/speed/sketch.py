"""The scene as plain geometry, for peers that know no devices: plates on planes, the service's own camera.

Peers draw a rounded rectangle for the body, one for the screen, a blurred one for the shadow and a gradient
for the glare. That is less than the service draws, which models and lights walls, buttons and glass.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.speed.cases import Case
from service.arrays import F64
from service.render.effects.grain import STRENGTH
from service.render.geometry.camera import aim
from service.settings.resolve import resolve
from service.settings.scene import Background
from service.validation.color import Color

BODY = (28, 29, 32)
BODY_RADIUS, SCREEN_RADIUS = 16.8, 14.0  # mm
GLARE = 0.10  # white at the screen's top left corner, fading to its middle


@dataclass(frozen=True)
class Plane:
    """A rounded rectangle: `size` and `radius` in mm; `matrix` takes mm from its top left, y down, to px."""

    size: tuple[float, float]
    radius: float
    matrix: F64

    def corners(self) -> F64:
        """Canvas px of the corners, clockwise from the top left (4, 2)."""
        w, h = self.size
        points = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ self.matrix.T
        return np.asarray(points[:, :2] / points[:, 2:], np.float64)

    def at(self, u: float, v: float) -> tuple[float, float]:
        """Canvas px of the point at fractions `u`, `v` of width and height."""
        x, y, w = self.matrix @ [u * self.size[0], v * self.size[1], 1.0]
        return float(x / w), float(y / w)


@dataclass(frozen=True)
class Glow:
    """The peers' bloom: light above `threshold`, blurred by `sigma` px and added by the mode "screen"."""

    threshold: float
    sigma: float
    strength: float


@dataclass(frozen=True)
class Sketch:
    """Everything a peer draws, in output pixels."""

    case: Case
    background: Background
    body: Plane
    screen: Plane
    shadow_sigma: float
    shadow_offset: tuple[float, float]  # right, down
    shadow_opacity: float
    glow: Glow
    vignette: float = 0.35
    grain: float = 0.08 * STRENGTH  # standard deviation, code values

    @property
    def size(self) -> tuple[int, int]:
        return self.case.width, self.case.height

    @property
    def gradient(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Start and end of the gradient's line in px, as CSS has it."""
        width, height = self.size
        angle = np.radians(self.background.angle)
        dx, dy = np.sin(angle), -np.cos(angle)
        half = (abs(width * dx) + abs(height * dy)) / 2
        x, y = width / 2, height / 2
        return (x - dx * half, y - dy * half), (x + dx * half, y + dy * half)

    @property
    def colors(self) -> tuple[Color, Color]:
        (start, _), (end, _) = self.background.stops
        return start, end


def sketch(case: Case, screenshot: tuple[int, int]) -> Sketch:
    """The scene of a case with a screenshot of a size in px."""
    scene = resolve(case.settings, screenshot, fast=False)
    camera = aim(scene.spec)
    slab = scene.device.slabs[0]
    z = slab.size[2] / 2

    def plane(size: tuple[float, float], radius: float) -> Plane:
        origin = np.array([-size[0] / 2, size[1] / 2, z])
        return Plane(size, radius, camera.homography(origin, np.array([1.0, 0, 0]), np.array([0, -1.0, 0])))

    shadow = scene.spec.shadow
    assert shadow is not None
    short = min(case.width, case.height)
    return Sketch(
        case,
        scene.spec.background,
        plane(slab.size[:2], BODY_RADIUS),
        plane(scene.device.screen.size, SCREEN_RADIUS),
        shadow.sigma,
        (shadow.x, -shadow.y),
        shadow.opacity,
        Glow(0.8, 0.026 * short, 0.33),
    )


def hexed(color: Color | tuple[int, ...]) -> str:
    return "#" + "".join(f"{part:02x}" for part in color[:3])
