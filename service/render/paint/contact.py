"""Contact shadow of raised parts on the face they stand on, less the light their walls throw back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from service.arrays import F32, F64
from service.models.devices import Slab
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane
from service.render.geometry.mesh import frame
from service.render.geometry.outline import outline
from service.render.geometry.raster import Box
from service.render.light.shading import Light, shade
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.paint.plane import lay

PPM = 4  # px per mm of the shadow's picture, unless it would be larger than
LARGEST = 500_000  # px
RAYS = 48
ROUGHNESS = 0.45  # of the environment that rays look up: each stands for a cone
FARTHEST = 3.0  # part heights; long shadows are faint and are drawn shorter
SOFTNESS = 0.2  # part heights; hides the edges of single shadows
TALLEST = 12.0  # mm; what a taller part shades beyond that is too faint and wide to be worth its picture
RISE = 0.95  # share of a part's height that casts a shadow, given its rounded edge
THROWN = 0.5  # share of an upright wall's light that is thrown back; rounded edges scatter the rest


@cache
def rays() -> F64:
    """Unit directions (RAYS, 3) float64 over a face, z its normal, spread by the cosine (Hammersley)."""
    index = np.arange(RAYS)
    turn = np.zeros(RAYS)
    for bit in range(RAYS.bit_length()):
        turn += ((index >> bit) & 1) * 0.5 ** (bit + 1)
    height = (index + 0.5) / RAYS
    flat = np.sqrt(height)
    return np.stack(
        [flat * np.cos(2 * np.pi * turn), flat * np.sin(2 * np.pi * turn), np.sqrt(1 - height)], axis=1
    )


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """The share of its light, 0-1, that a face loses to its parts.

    `picture` (h, w) lies on the face and covers `size` mm around `center` mm.
    """

    picture: F32
    center: tuple[float, float]
    size: tuple[float, float]

    def seen(self, at: Plane, camera: Camera, box: Box) -> F32:
        """The share (h, w) float32 in a box of the canvas; `at` is the face."""
        found = lay((self.picture,), at.homography(camera), self.center, self.size, box, cv2.BORDER_CONSTANT)
        return np.asarray(np.minimum(found, np.float32(0.95)), np.float32)


def taken(parts: list[Slab], at: Plane, camera: Camera, light: Light, colors: Colors) -> Taken | None:
    """The light a face loses to the parts that stand on it; None without parts.

    For each direction of light, a part's shadow is the hull of its outline and the same outline moved away by
    the part's height over the direction's slope, which is exact for a prism. In the shadow, the part's wall
    facing the face replaces the light of that direction, but never makes it brighter.
    """
    if not parts:
        return None
    along = rays()
    axes = camera.view(np.stack([at.x, at.y, at.normal]))
    toward = (along @ axes).astype(np.float32)
    seen = light.reflected(toward, ROUGHNESS).mean(axis=1)
    away = along[:, :2] / along[:, 2:]
    steep = np.linalg.norm(away, axis=1, keepdims=True)
    away *= FARTHEST * np.tanh(steep / FARTHEST) / steep
    level = along * [1, 1, 0] / np.linalg.norm(along[:, :2], axis=1, keepdims=True)
    walls = (-level @ axes).astype(np.float32)
    shapes = [(_footprint(part, at), _height(part, at)) for part in parts]
    margin = (FARTHEST + 3 * SOFTNESS) * max(rise for _, rise in shapes)
    points = np.concatenate([shape for shape, _ in shapes])
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    ppm = min(PPM, math.sqrt(LARGEST / math.prod(high - low)))
    width, height = (int(np.ceil(side * ppm)) for side in high - low)
    lost = np.zeros((height, width), np.float32)
    for part, (shape, rise) in zip(parts, shapes, strict=True):
        thrown = shade(SURFACES[part.surface], colors.wall(part), walls, -toward, light).mean(axis=1)
        weights = np.maximum(seen - np.float32(THROWN) * thrown, 0) / seen.sum()
        one = np.zeros_like(lost)
        for move, weight in zip(away * rise * RISE, weights, strict=True):
            hull = cv2.convexHull(np.concatenate([shape, shape - move]).astype(np.float32))[:, 0]
            fixed = np.round(((hull - low) * [1, -1] + [0, high[1] - low[1]]) * ppm * 16).astype(np.int32)
            mask = np.zeros((height, width), np.uint8)
            cv2.fillConvexPoly(mask, fixed, 1, cv2.LINE_8, 4)
            one += mask * weight
        lost += cv2.GaussianBlur(one, (0, 0), max(SOFTNESS * rise, 0.15) * ppm)
    center = (float(low[0] + width / ppm / 2), float(high[1] - height / ppm / 2))
    return Taken(lost, center, (width / ppm, height / ppm))


def _footprint(part: Slab, at: Plane) -> F64:
    """A part's outline (n, 2) in the face's mm, every third point."""
    axes, center = frame(part)
    flat = outline(part.size[0], part.size[1], part.corner).points[::3]
    world = center + flat @ axes[:, :2].T - at.origin
    return np.stack([world @ at.x, world @ at.y], axis=1)


def _height(part: Slab, at: Plane) -> float:
    """The height of a part's far cap above the face, mm."""
    _, center = frame(part)
    return min(float((center - at.origin) @ at.normal) + part.size[2] / 2, TALLEST)
