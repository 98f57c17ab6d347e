"""Ambient occlusion of a face in the gaps below slabs that are close to it, such as a laptop's lid and hinge.

Previews need it, and so do posts on a foot, because no final gather is fine enough for these gaps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Device, Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane, plane
from ..geometry.mesh import corners, pose
from ..geometry.raster import Box
from ..light.occluder import GAP
from ..memoize import MIB, memoize
from .plane import lay

PPM = 4  # px per mm in the picture of the occlusion; by cost
# share of light lost at the bottom of a gap; the rest gets there by bouncing; fitted to the references
DEPTH = 0.65
TOUCHING = 0.95  # share of light lost where a rounded edge touches a face; fitted to the references
SUNK = 0.1  # mm; an edge that goes at least this deep into a face counts as sunk; fitted to the references
FAR = 4.0  # reach of a gap's occlusion, in heights of the gap; by eye
MET = 0.05  # mm; a slab that ends within this distance of a face touches it; by construction


@dataclass(frozen=True, slots=True, eq=False)
class Crevice:
    """The share of light, 0-1, that a face loses in gaps: a `picture` (h, w) and its place, mm."""

    picture: F32
    center: tuple[float, float]
    size: tuple[float, float]

    def seen(self, at: Plane, camera: Camera, box: Box) -> F32:
        """The share (h, w) in a box of the canvas; `at` is the face."""
        share = lay((self.picture,), at.homography(camera), self.center, self.size, box, cv2.BORDER_CONSTANT)
        return np.asarray(share, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Gap:
    """A slab close to a face: it covers the face from `low` to `high` (2,), mm, and has edges of `radius` mm.

    It ends `above` mm over the face. If it touches the face, `rises` (2, 2) are the heights over the face,
    mm, of the axes of its rounded edges: at its low and high end along x, and along y. Seen from above, its
    corners are rounded by `corner` mm.
    """

    low: F64
    high: F64
    radius: float
    above: float
    rises: F64 | None
    corner: float = 0.0

    def lost(self, x: F64, y: F64) -> F64:
        """The share of light (h, w) lost at places (w,) and (h, 1) of the face, mm."""
        sides = [(self.low[axis] - at, at - self.high[axis]) for axis, at in ((0, x), (1, y))]
        beside, before = (np.maximum(np.maximum(one, other) + self.corner, 0) for one, other in sides)
        apart = np.maximum(np.hypot(beside, before) - self.corner, 0)
        if self.rises is None:
            return np.asarray(DEPTH * np.exp(-apart / (self.above + self.radius)), np.float64)
        across, along = (
            np.where(one > other, *rise) for (one, other), rise in zip(sides, self.rises, strict=True)
        )
        rise = np.where(beside > before, across, along)
        share = hidden(apart, rise, self.radius)
        # The visible part of a sunk edge faces the sky, so it is bright and lights the face beside it.
        return TOUCHING * np.where(rise < self.radius - SUNK, share * share, share)


def hidden(apart: F64, rise: F64, radius: float) -> F64:
    """The share of the sky that a rounded edge hides from a face, `apart` mm beside the edge's axis.

    The axis is `rise` mm over the face; both arrays have the same shape. If the ray that touches the edge
    from above has the elevation t, the cosine-weighted share of the sky that is hidden is (1 - cos t) / 2.
    """
    low = np.hypot(apart, rise)
    touched = np.arctan2(rise, apart) + np.arcsin(np.minimum(radius / np.maximum(low, radius), 1))
    share = (1 - np.cos(np.minimum(touched, np.pi))) / 2
    # Beyond FAR, the wall above the edge hides more than the edge itself, and `final_gather` accounts for the
    # wall.
    least = (1 - math.cos(2 * math.atan(1 / FAR))) / 2
    return np.asarray(np.where(low > radius, np.maximum(share - least, 0) / (1 - least), 1), np.float64)


@memoize(5 * MIB)  # room for four laptops
def crevice(device: Device, slab: Slab) -> Crevice | None:
    """The light that a slab's front loses in the gaps below other slabs; None without such gaps.

    The loss falls off exponentially with the distance from the gap, by a factor of e for each height of the
    gap and its rounded edge. For slabs that touch the front, see `hidden`.
    """
    gaps = list(_gaps(device, slab))
    if not gaps:
        return None
    low = np.min([gap.low - FAR * (gap.above + gap.radius) for gap in gaps], axis=0)
    high = np.max([gap.high + FAR * (gap.above + gap.radius) for gap in gaps], axis=0)
    width, height = (int(np.ceil(side * PPM)) for side in high - low)
    x, y = low[0] + (np.arange(width) + 0.5) / PPM, high[1] - (np.arange(height)[:, None] + 0.5) / PPM
    picture = np.max([gap.lost(x, y) for gap in gaps], axis=0).astype(np.float32)
    picture.flags.writeable = False
    center = (float(low[0] + width / PPM / 2), float(high[1] - height / PPM / 2))
    return Crevice(picture, center, (width / PPM, height / PPM))


def _gaps(device: Device, slab: Slab) -> Iterator[_Gap]:
    """The gaps between a slab's front and the slabs close over it."""
    at = plane(slab, True)
    for other in device.slabs:
        if other is slab or other.bend is not None or {slab.role, other.role} & {"part", "strap"}:
            continue
        feet, rise = _feet(other, at, 0.0)
        middle = np.abs(feet.mean(axis=0))
        if not -GAP < rise.min() < GAP or (middle >= np.array(slab.size[:2]) / 2).any():
            continue
        above = max(float(np.sort(rise)[:4].mean()), 0.0)
        if above > MET:
            # Leave out half of each rounded corner, where the lower edge is farther from the face.
            risen = np.array([other.corner.extent / 2, 0.0])
            yield _Gap(feet.min(axis=0) + risen, feet.max(axis=0) - risen, other.edge, above, None)
            continue
        feet, rise = _feet(other, at, other.edge)
        low, high = feet.min(axis=0), feet.max(axis=0)
        ends = [[rise[feet[:, axis] < mid].mean(), rise[feet[:, axis] > mid].mean()]
                for axis, mid in enumerate((low + high) / 2)]  # fmt: skip
        # An upright post touches the face with its whole outline, including rounded corners.
        post = abs(float(pose(other)[0][:, 2] @ at.normal)) > 0.9
        corner = max(other.corner.extent - other.edge, 0.0) if post else 0.0
        yield _Gap(low, high, other.edge, 0.0, np.array(ends), corner)


def _feet(slab: Slab, at: Plane, inset: float) -> tuple[F64, F64]:
    """The four lowest corners of a slab's box, shrunk by `inset` mm: places (4, 2) and heights (4,), mm."""
    apart = corners(slab, inset) - at.origin
    rise = apart @ at.normal
    lowest = np.argsort(rise, kind="stable")[:4]
    feet = apart[lowest]
    return np.stack([feet @ at.x, feet @ at.y], axis=1), rise[lowest]
