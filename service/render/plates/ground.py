"""The shadow of a device on a floor below it or a wall behind it: the light that the device blocks.

The ground is matt, and the environment lights it. Directions are sampled in proportion to their light, and
each casts a hard shadow. The mean of these shadows is sharp where the device touches the ground, and softer
with distance.

A standing device is thin. Lit from the front and the back, it would cast a shadow to both sides, with a
bright line between them. So its floor is lit mainly from the side that the camera sees, and the shadow
falls behind it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import cv2
import numpy as np

from ...arrays import F32, F64, U8
from ...devices.device import Device
from ...settings.scene import GroundSpec, Transform
from ...settings.schema import STANDING
from ..geometry.arrangement import standing
from ..geometry.camera import Camera, Stage
from ..geometry.mesh import Halvings, mesh
from ..geometry.raster import Box, bounds
from ..geometry.rotation import rotation
from ..light.environment import Environment, lookup
from .shadow import FAINT, LIGHT, Part

DIRECTIONS, FEW = 96, 32  # directions that cast shadows in a picture, and in a preview; by cost
CANDIDATES = 4096  # directions from which those are drawn; by cost
LEVEL = 0.12  # roughness level of the environment that gives the light of each candidate; by cost
LOWEST = 0.5  # sine of the elevation below which light casts shadows of no visible length; by eye
BEHIND = 0.12  # share that light from behind a device keeps; by eye
ASIDE = 0.25  # cosine of the angle to a device's front above which light is not weakened; by eye
EDGE_ON = 0.3  # cosine of the turn from edge-on at which a device has but one front; by eye
SHARPEST = 0.02  # softness of the sharpest shadow, in which directions still differ; by eye
DENSITY = 0.5  # texels of the shadow per px of the canvas; by cost
LARGEST = 512, 320  # texels across and along the ground; by cost
REACH = 1.2  # heights of the device beyond its foot in which shadows end; by eye
FADE = 0.25  # share of the shadow's picture, from each edge, over which it ends; by eye
MARGIN = 0.3  # largest width of the fade at the canvas' edges, in its short sides; by eye
# Blur that hides the edges of single directions, and the distance from the foot from which on all of it
# applies, both in heights of the device; by eye.
SMOOTHED = (0.009, 0.06), (0.025, 0.3), (0.06, 0.8)
COARSE = Halvings(2, 3)  # of meshes that cast shadows; by cost
ARC = 5  # straight pieces that approximate the arc of a bent slab; by cost
SOFT = 0.8  # texels of blur that hide the texels themselves; by eye
FRACTION = 4  # binary digits after the point of corners of polygons; by construction
SEEN = 0.02  # sine of the angle at which the camera must look down on the ground; by eye


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A ground in view space: a point `origin` (3,) of it, mm, and unit `axes` (3, 3): across, along, up.

    `front` (3,) is the direction in which a standing device faces the camera, with a length of 1 at most: 0
    if edge-on.
    """

    origin: F64
    axes: F64
    front: F64 = field(default_factory=lambda: np.zeros(3))

    def seen(self, camera: Camera) -> bool:
        """Whether the camera is above it."""
        eye = np.array([0.0, 0.0, camera.distance]) - self.origin
        return bool(eye @ self.axes[2] > SEEN * np.linalg.norm(eye))

    def flat(self, points: F64, toward: F64) -> F64:
        """Where rays from points (n, 3), view mm, away from light `toward` (3,) meet it: mm (n, 2)."""
        local = (points - self.origin) @ self.axes.T
        light = self.axes @ toward
        return np.asarray(local[:, :2] - local[:, 2:] * (light[:2] / light[2]), np.float64)


def plane(stage: Stage, devices: Sequence[Device], ground: GroundSpec, transform: Transform) -> Plane:
    """The ground of posed devices: a wall faces the camera, a floor is level.

    A device that stands by itself keeps its floor in any pose; below others, the floor tilts about x.
    """
    up = np.array([0.0, 0.0, 1.0])
    if ground.kind == "floor":
        stands = next((n for n, device in enumerate(devices) if device.category in STANDING), None)
        up = (
            rotation(transform.rx, 0, 0)[:, 1]
            if stands is None
            else stage.cameras[stands].turn @ standing(devices[stands])
        )
    aside = np.array([0.0, 1.0, 0.0]) if ground.kind == "wall" else np.array([0.0, 0.0, -1.0])
    across = np.cross(aside, up)
    across /= np.linalg.norm(across)
    axes = np.stack([across, np.cross(up, across), up])
    lowest = min(float((points @ up).min()) for points in solids(stage, devices))
    normals = [camera.turn[:, 2] for camera in stage.cameras]
    front = np.mean([normal * np.clip(normal[2] / EDGE_ON, -1, 1) for normal in normals], axis=0)
    return Plane(up * (lowest - ground.distance), axes, front - (front @ up) * up)


def solids(stage: Stage, devices: Sequence[Device]) -> Iterator[F64]:
    """Points (n, 3), view mm from the middle of the scene, whose convex hulls make up the devices."""
    for number, (device, camera) in enumerate(zip(devices, stage.cameras, strict=True)):
        for piece in pieces(device):
            yield camera.view(piece) + stage.shift(number)


def pieces(device: Device) -> Iterator[F64]:
    """Points (n, 3), device mm, whose convex hulls make up the device, without its raised parts."""
    for slab in device.slabs:
        if slab.role in ("part", "hinge"):
            continue
        shape = mesh(slab.real or slab, halvings=COARSE)
        if shape.slices:
            pairs = [np.concatenate(pair) for pair in pairwise(shape.slices)]
            yield pairs[0]
            for start in range(1, len(pairs) - 1, step := max(math.ceil(len(pairs) / ARC), 1)):
                yield np.concatenate(pairs[start : min(start + step, len(pairs) - 1)])
            yield pairs[-1]
        else:
            yield shape.hull


def directions(environment: Environment, at: Plane, count: int, softness: float) -> F64:
    """Unit directions (count, 3) to the light of a ground, each of equal light.

    Their distances from their mean are `softness` times the physical ones.
    """
    up = at.axes[2]
    turn = np.arange(CANDIDATES) * (math.pi * (3 - math.sqrt(5)))
    # Cosine-weighted directions: a sunflower pattern on a disc, lifted to the hemisphere.
    radius = np.sqrt((np.arange(CANDIDATES) + 0.5) / CANDIDATES)
    aside = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    across = np.cross(aside, up)
    across /= np.linalg.norm(across)
    disk = np.stack([radius * np.cos(turn), radius * np.sin(turn), np.sqrt(1 - radius**2)], axis=1)
    ways = disk @ np.stack([across, np.cross(up, across), up])
    light = lookup(environment.rough[LEVEL], ways.astype(np.float32)).mean(axis=1).astype(np.float64)
    light *= _before_it(ways, at.front)
    # Sorted so that neighbours have similar directions, equal steps of summed light spread evenly.
    order = np.lexsort((np.floor(4 * turn / math.tau % 4), np.floor(radius * 8)))
    total = np.cumsum(light[order])
    steps = (np.arange(count) + 0.5) / count * total[-1]
    chosen = ways[order[np.searchsorted(total, steps)]]
    mean = chosen.mean(axis=0)
    mean /= np.linalg.norm(mean)
    spread = mean + max(softness, SHARPEST) * (chosen - mean)
    spread /= np.linalg.norm(spread, axis=1, keepdims=True)
    rise = np.maximum(spread @ up, LOWEST)
    level = spread - (spread @ up)[:, None] * up
    level *= np.sqrt((1 - rise * rise) / np.maximum((level * level).sum(axis=1), 1e-12))[:, None]
    return np.asarray(level + rise[:, None] * up, np.float64)


def _before_it(ways: F64, front: F64) -> F64:
    """Factors (n,) for light from directions (n, 3): lower from behind a device, see `front` in `Plane`."""
    strength = float(np.linalg.norm(front))
    if strength < 1e-6:
        return np.ones(len(ways))
    before = np.clip(ways @ front / (strength * ASIDE), 0, 1)
    return np.asarray(1 - strength * (1 - BEHIND) * (1 - before), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class GroundShade:
    """The share `lost` (h, w) of light, 0-1; a `matrix` (3, 3) takes its texels to canvas px, in a `box`.

    `color` (3,) is the colour where all light is lost, sRGB 0-255. `rows` (h,) and `columns` (w,) of the
    canvas, 0-1, fade the shadow out before the canvas ends.
    """

    lost: F32
    matrix: F64
    box: Box
    color: F32
    rows: F32
    columns: F32

    def part(self, band: Box) -> Part:
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
        return Part(alpha, box.x - band.x, box.y - band.y, self.color) if alpha.max() > FAINT else LIGHT


def cast(
    shapes: Sequence[F64], camera: Camera, at: Plane, environment: Environment, ground: GroundSpec
) -> GroundShade | None:
    """The light that posed `shapes` block on a ground, see `solids`; None if none is visible."""
    if ground.opacity <= 0 or not at.seen(camera):
        return None
    feet = [at.flat(points, at.axes[2]) for points in shapes]
    foot = np.concatenate(feet)
    height = max(float(((points - at.origin) @ at.axes[2]).max()) for points in shapes)
    low, high = foot.min(axis=0) - REACH * height, foot.max(axis=0) + REACH * height
    low, high = _before(at, camera, low, high)
    scale = _scale(at, camera, low, high)
    size = np.ceil((high - low) * scale).astype(int)
    if (size <= 0).any():
        return None
    total = np.zeros((size[1], size[0]), np.float32)
    mask = np.empty(total.shape, np.uint8)
    ways = directions(environment, at, DIRECTIONS, ground.softness)
    for way in ways:
        mask[:] = 0
        for points in shapes:
            _fill(mask, (at.flat(points, way) - low) * scale)
        cv2.accumulate(mask, total)
    total *= np.float32(1 / 255 / len(ways))
    total = _smoothed(total, [(points - low) * scale for points in feet], height * scale.mean())
    lost = 1 - np.power(1 - np.clip(total, 0, 1), np.float32(2 * ground.opacity))
    lost *= _window(size[1])[:, None] * _window(size[0])
    mm = np.array([[1 / scale[0], 0, low[0]], [0, 1 / scale[1], low[1]], [0, 0, 1.0]])
    matrix = camera.flattened(np.column_stack([at.axes[0], at.axes[1], at.origin])) @ mm
    corners = np.array([[0, 0, 1], [size[0], 0, 1], [size[0], size[1], 1], [0, size[1], 1]]) @ matrix.T
    box = bounds((corners[:, :2] / corners[:, 2:]).astype(np.float32), camera.width, camera.height)
    if not box.area:
        return None
    color = np.array(ground.color[:3], np.float32)
    columns, rows = _ends(shapes, camera)
    return GroundShade(np.asarray(lost, np.float32), matrix, box, color, rows, columns)


def _ends(shapes: Sequence[F64], camera: Camera) -> tuple[F32, F32]:
    """Factors (w,) and (h,) that end a shadow between posed `shapes` and the edges of the canvas.

    Where the shapes leave no room for that, the factors are 1.
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


def _before(at: Plane, camera: Camera, low: F64, high: F64) -> tuple[F64, F64]:
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


def _scale(at: Plane, camera: Camera, low: F64, high: F64) -> F64:
    """Texels per mm (2,) across and along the ground."""
    # The ground is foreshortened in the direction along it.
    middle = at.origin + ((low + high) / 2) @ at.axes[:2]
    way = np.array([0.0, 0.0, camera.distance]) - middle
    way /= np.linalg.norm(way)
    slant = np.sqrt(np.maximum(1 - (at.axes[:2] @ way) ** 2, 0.05**2))
    wanted = DENSITY * camera.k * slant
    return np.asarray(np.minimum(wanted, np.array(LARGEST) / np.maximum(high - low, 1e-6)), np.float64)


def _fill(mask: U8, points: F64) -> None:
    """Set the texels of the convex hull of points (n, 2) to 255, or by their share where it ends."""
    hull = cv2.convexHull(points.astype(np.float32))
    # Centres of texels are whole numbers there.
    whole = np.round((hull - 0.5) * (1 << FRACTION)).astype(np.int32)
    cv2.fillConvexPoly(mask, whole, 255, cv2.LINE_AA, FRACTION)


def _smoothed(total: F32, feet: list[F64], height: float) -> F32:
    """A shadow (h, w) without the edges of single directions, which separate with distance from its feet."""
    mask = np.full(total.shape, 255, np.uint8)
    for foot in feet:
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(foot.astype(np.float32))).astype(np.int32), 0)
    away = cv2.distanceTransform(mask, cv2.DIST_L2, 3) * np.float32(1 / max(height, 1e-6))
    smooth, last = cv2.GaussianBlur(total, (0, 0), SOFT), 0.0
    for sigma, reach in SMOOTHED:
        share = np.clip((away - last) / (reach - last), 0, 1)
        smooth = smooth + share * (cv2.GaussianBlur(total, (0, 0), sigma * height) - smooth)
        last = reach / 2
    return np.asarray(smooth, np.float32)


def _window(count: int) -> F32:
    """Factors (n,) that end the shadow's picture smoothly towards its edges."""
    place = np.arange(count, dtype=np.float64) + 0.5
    return _smooth(np.minimum(place, count - place) / (FADE * count))


def _smooth(part: F64) -> F32:
    """Smoothstep from 0 at 0 to 1 at 1."""
    part = np.clip(part, 0, 1)
    return np.asarray(part * part * (3 - 2 * part), np.float32)
