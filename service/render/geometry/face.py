"""The plane of a slab's flat face in the device's space."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...arrays import F64
from ...devices.device import Side, Slab
from ..memoize import MIB, memoize
from .camera import Camera
from .mesh import placed, pose


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A face's middle, `origin` (device mm), its unit axes as seen from outside, and its outward normal, each
    (3,).

    The rows of `axes` (3, 3) are x, y and the normal.
    """

    origin: F64
    x: F64
    y: F64
    normal: F64
    axes: F64 = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Stack the axes."""
        object.__setattr__(self, "axes", np.stack([self.x, self.y, self.normal]))

    def homography(self, camera: Camera, depth: float = 0.0) -> F64:
        """The matrix (3, 3) from face mm (x right, y up) to canvas px, `depth` mm below the face."""
        return camera.homography(self.origin - depth * self.normal, self.x, self.y)

    def mirrored(self, points: F64) -> F64:
        """The mirror images, in the face's plane, of points (..., 3), device mm."""
        away = (points - self.origin) @ self.normal
        return np.asarray(points - 2 * away[..., None] * self.normal, np.float64)

    def seen(self, camera: Camera) -> bool:
        """Whether the camera is on the face's outer side."""
        return float((camera.eye - self.origin) @ self.normal) > 1e-6 * camera.distance


# Cached, because each picture asks for the planes of its slabs about ten times.
@memoize(MIB)
def plane(slab: Slab, front: bool, side: int = 0) -> Plane:
    """The plane of a slab's front or back face, or of one half of that face if the slab is folded.

    Coordinates on a half are those of the flat, unfolded plate.
    """
    axes, center = placed(slab, side)
    x, y, z = axes.T
    sign = 1.0 if front else -1.0
    return Plane(center + sign * slab.size[2] / 2 * z, sign * x, y, sign * z)


@memoize(MIB)
def wall(slab: Slab, which: Side, side: int = 0, place: float = 0.0, across: float = 0.0) -> Plane:
    """The plane of a side wall: x runs up (left, right) or right (top, bottom), y is +z."""
    axes, center = placed(slab, side)
    x, y, z = axes.T
    out, along = {"left": (-x, y), "right": (x, y), "top": (y, x), "bottom": (-y, x)}[which]
    half = slab.size[0] / 2 if which in ("left", "right") else slab.size[1] / 2
    return Plane(center + half * out + place * along + across * z, along, z, out)


def near_first(slab: Slab, camera: Camera) -> tuple[int, ...]:
    """The halves of a slab (see `Slab.halves`), the camera's side of the fold first."""
    if slab.bend is None or slab.halves == (0,):
        return (0,)
    axes, center = pose(slab)
    along = axes[:, 1 if slab.bend.axis == "x" else 0]
    return (1, -1) if float((camera.eye - center) @ along) > 0 else (-1, 1)
