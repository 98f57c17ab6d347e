"""The shadow of a device on a floor below it or a wall behind it (see `softbox.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F32, F64
from ...settings.scene import GroundSpec
from ..geometry.camera import Camera
from ..geometry.raster import Box, bounds
from ..light.environment import Environment
from . import softbox
from .grid import Grid
from .plane import PHYSICAL, GroundPlane, Solid
from .shadow import FAINT, LIGHT, ShadowPart

DENSITY = 1.0  # texels of the shadow per px of the canvas; by cost
LARGEST = 768, 480  # texels across and along the ground; by cost
REACH = 1.2  # distance beyond the device's foot within which shadows end, in heights of the device; by eye
FADE = 0.25  # share of the shadow's picture, at each edge, over which the shadow fades out; by eye
MARGIN = 0.3  # largest width of the fade at the canvas' edges, in short sides of the canvas; by eye


@dataclass(frozen=True, slots=True, eq=False)
class GroundShade:
    """A ground's shadow: the share `lost` (h, w) of light, 0-1; `matrix` (3, 3) takes its texels to canvas
    px, in a `box`.

    `color` (3,) is the colour where all light is lost, sRGB 0-255. `rows` (h,) and `columns` (w,) of the
    canvas, 0-1, fade the shadow out before the canvas ends.
    """

    lost: F32
    matrix: F64
    box: Box
    color: F32
    rows: F32
    columns: F32

    def part(self, band: Box) -> ShadowPart:
        """The part of the shadow in a band of the canvas."""
        box = self.box.clipped(band)
        if not box.area:
            return LIGHT
        shift = np.array([[1, 0, -box.x], [0, 1, -box.y], [0, 0, 1.0]])
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        matrix = np.linalg.inv(half) @ shift @ self.matrix @ half
        alpha = np.asarray(cv2.warpPerspective(self.lost, matrix, (box.width, box.height)), np.float32)
        down, across = box.slices
        alpha *= self.rows[down, None] * self.columns[across]
        return ShadowPart(alpha, box.x - band.x, box.y - band.y, self.color) if alpha.max() > FAINT else LIGHT


def cast(
    shapes: Sequence[Solid],
    camera: Camera,
    at: GroundPlane,
    environment: Environment,
    ground: GroundSpec,
    *,
    fast: bool = False,
) -> GroundShade | None:
    """The light that posed `shapes` (see `solids`) block on a ground; None if no shadow is visible.

    `fast` shadows are those of previews.
    """
    if ground.opacity <= 0 or not at.seen(camera):
        return None
    points = [shape.points for shape in shapes]
    grid = _grid(points, camera, at)
    if min(grid.size) <= 0:
        return None
    lighting = softbox.LIGHTINGS[ground.kind]
    lighting = lighting.thinned() if fast else lighting
    lamp = softbox.lamp(environment, at, lighting, ground.softness)
    total = softbox.blocked(shapes, at, lighting, lamp, grid)
    lost = 1 - np.power(1 - np.clip(total, 0, 1), np.float32(ground.opacity / PHYSICAL))
    lost *= _window(grid.size[1])[:, None] * _window(grid.size[0])
    matrix = camera.flattened(np.column_stack([at.axes[0], at.axes[1], at.origin])) @ grid.matrix()
    (width, height), color = grid.size, np.array(ground.color[:3], np.float32)
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ matrix.T
    box = bounds((corners[:, :2] / corners[:, 2:]).astype(np.float32), camera.width, camera.height)
    if not box.area:
        return None
    columns, rows = _ends(points, camera)
    return GroundShade(np.asarray(lost, np.float32), matrix, box, color, rows, columns)


def _grid(shapes: Sequence[F64], camera: Camera, at: GroundPlane) -> Grid:
    """The grid over the part of a ground on which posed `shapes` cast their shadows."""
    foot = np.concatenate([at.flat(points, at.axes[2]) for points in shapes])
    height = max(float(((points - at.origin) @ at.axes[2]).max()) for points in shapes)
    low, high = foot.min(axis=0) - REACH * height, foot.max(axis=0) + REACH * height
    low, high = _before(at, camera, low, high)
    scale = _scale(at, camera, low, high)
    across, down = np.ceil((high - low) * scale).astype(int).tolist()
    return Grid(low, scale, (across, down))


def _ends(shapes: Sequence[F64], camera: Camera) -> tuple[F32, F32]:
    """Factors (w,) and (h,) that end a shadow between posed `shapes` and the edges of the canvas.

    Where the shapes leave no room for a fade, the factors are 1.
    """
    points = np.concatenate(shapes)
    scale = camera.k / (1 - points[:, 2] / camera.distance)
    x, y = camera.center[0] + points[:, 0] * scale, camera.center[1] - points[:, 1] * scale
    most = MARGIN * min(camera.width, camera.height)
    factors = []
    for count, at in ((camera.width, x), (camera.height, y)):
        low, high = (float(np.clip(room, 0.5, most)) for room in (at.min(), count - at.max()))
        place = np.arange(count, dtype=np.float64) + 0.5
        factors.append(np.asarray(_smooth(place / low) * _smooth((count - place) / high), np.float32))
    return factors[0], factors[1]


def _before(at: GroundPlane, camera: Camera, low: F64, high: F64) -> tuple[F64, F64]:
    """A rectangle of the ground, mm, without the part that is close to the camera or behind it."""
    # Depth is linear in the position: 1 - z / distance.
    slope = at.axes[:2, 2]
    for axis in (0, 1):
        if abs(slope[axis]) < 1e-6:
            continue
        other = max(slope[1 - axis] * low[1 - axis], slope[1 - axis] * high[1 - axis])
        most = (0.8 * camera.distance - at.origin[2] - other) / slope[axis]
        if slope[axis] > 0:
            high[axis] = min(high[axis], most)
        else:
            low[axis] = max(low[axis], most)
    return low, high


def _scale(at: GroundPlane, camera: Camera, low: F64, high: F64) -> F64:
    """Texels per mm (2,) across and along the ground."""
    # The camera sees the ground foreshortened, so fewer texels suffice along it.
    middle = at.origin + ((low + high) / 2) @ at.axes[:2]
    way = np.array([0.0, 0.0, camera.distance]) - middle
    way /= np.linalg.norm(way)
    slant = np.sqrt(np.maximum(1 - (at.axes[:2] @ way) ** 2, 0.05**2))
    wanted = DENSITY * camera.k * slant
    return np.asarray(np.minimum(wanted, np.array(LARGEST) / np.maximum(high - low, 1e-6)), np.float64)


def _window(count: int) -> F32:
    """Factors (n,) that end the shadow's picture smoothly towards its edges."""
    place = np.arange(count, dtype=np.float64) + 0.5
    return _smooth(np.minimum(place, count - place) / (FADE * count))


def _smooth(part: F64) -> F32:
    """Smoothstep from 0 at 0 to 1 at 1."""
    part = np.clip(part, 0, 1)
    return np.asarray(part * part * (3 - 2 * part), np.float32)
