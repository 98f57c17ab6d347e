"""Shade in the gaps between a face and the slabs that stand close over it: a laptop's lid and hinge."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32, F64
from service.devices.device import Device, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.geometry.mesh import corners, pose
from service.render.geometry.raster import Box
from service.render.light.occluder import DEPTH, GAP, SUNK, TOUCHING
from service.render.memoize import MIB, memoize
from service.render.paint.plane import lay

PPM = 4  # px per mm of the shade's picture; by cost
FAR = 4.0  # heights of a gap; farther away its shade is not drawn; by eye
MET = 0.05  # mm over a face up to which a slab touches it; by construction


@dataclass(frozen=True, slots=True, eq=False)
class Crevice:
    """The share of its light, 0-1, that a face loses in gaps, `picture` (h, w), and where it lies in mm."""

    picture: F32
    center: tuple[float, float]
    size: tuple[float, float]

    def seen(self, at: Plane, camera: Camera, box: Box) -> F32:
        """The share (h, w) in a box of the canvas; `at` is the face."""
        found = lay((self.picture,), at.homography(camera), self.center, self.size, box, cv2.BORDER_CONSTANT)
        return np.asarray(found, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Gap:
    """What is close over a face: from `low` to `high`, mm (2,), with a rounded edge of `radius` mm.

    It is `above` the face, mm. Where it touches that, `rises` are how high over it the middles of its rounded
    edges are, from where it begins and ends along both axes: (low, high), mm (2, 2); seen from above, its
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
        # An edge that has sunk in is light where it meets the face, and lights it.
        return TOUCHING * np.where(rise < self.radius - SUNK, share * share, share)


def hidden(apart: F64, rise: F64, radius: float) -> F64:
    """The share of the sky that a rounded edge hides from a face, `apart` mm from under its middle.

    That is `rise` mm over the face; arrays of one shape. Of a sky that is seen from an elevation of t on,
    cosine-weighted, (1 - cos t) / 2 is hidden; t is that of the ray that touches the circle above.
    """
    low = np.hypot(apart, rise)
    touched = np.arctan2(rise, apart) + np.arcsin(np.minimum(radius / np.maximum(low, radius), 1))
    share = (1 - np.cos(np.minimum(touched, np.pi))) / 2
    # Farther away, the wall above the edge hides more, see `gathered`.
    least = (1 - math.cos(2 * math.atan(1 / FAR))) / 2
    return np.asarray(np.where(low > radius, np.maximum(share - least, 0) / (1 - least), 1), np.float64)


@memoize(2 * MIB)  # four laptops
def crevice(device: Device, slab: Slab) -> Crevice | None:
    """The light that a slab's front loses in the gaps below other slabs; None without such gaps.

    It falls off exponentially with the distance from a gap, over the gap's height and rounded edge; for slabs
    that touch it, see `hidden`.
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
    """The slabs close over a slab's front."""
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
            # Rounded corners rise from the face.
            risen = np.array([other.corner.extent / 2, 0.0])
            yield _Gap(feet.min(axis=0) + risen, feet.max(axis=0) - risen, other.edge, above, None)
            continue
        feet, rise = _feet(other, at, other.edge)
        low, high = feet.min(axis=0), feet.max(axis=0)
        ends = [[rise[feet[:, axis] < mid].mean(), rise[feet[:, axis] > mid].mean()]
                for axis, mid in enumerate((low + high) / 2)]  # fmt: skip
        # Of a post that stands upright, its outline is its foot's.
        post = abs(float(pose(other)[0][:, 2] @ at.normal)) > 0.9
        corner = max(other.corner.extent - other.edge, 0.0) if post else 0.0
        yield _Gap(low, high, other.edge, 0.0, np.array(ends), corner)


def _feet(slab: Slab, at: Plane, inset: float) -> tuple[F64, F64]:
    """Places (4, 2) and heights (4,) over a face of the lowest corners of a slab's box, `inset` mm, mm."""
    apart = corners(slab, inset) - at.origin
    rise = apart @ at.normal
    lowest = np.argsort(rise, kind="stable")[:4]
    feet = apart[lowest]
    return np.stack([feet @ at.x, feet @ at.y], axis=1), rise[lowest]
