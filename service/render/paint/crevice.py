"""Shade in the gaps between a face and the slabs that stand close over it: a laptop's lid and hinge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32, F64
from service.models.devices import Device, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.geometry.mesh import corners
from service.render.geometry.raster import Box
from service.render.kept import MIB, kept
from service.render.light.neighbour import DEPTH, GAP, TOUCHING
from service.render.paint.plane import lay

PPM = 4  # px per mm of the shade's picture
FAR = 4.0  # heights of a gap; farther away its shade is not drawn
MET = 0.05  # mm over a face up to which a slab touches it


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


@kept(2 * MIB)  # four laptops
def crevice(device: Device, slab: Slab) -> Crevice | None:
    """The light that a slab's front loses in the gaps below other slabs; None without such gaps.

    It falls off exponentially with the distance from a gap, over the gap's height and rounded edge. Where a
    rounded edge of radius r touches the front, s² / (s² + r²) of the sky is seen s mm from there: s and r are
    the sides of the triangle from there to the edge's middle, and rays are hidden up to twice its angle. What
    is mirrored of the light there has met the edge as well, so that (r² / (s² + r²))² is lost.
    """
    gaps = list(_gaps(device, slab))
    if not gaps:
        return None
    low = np.min([gap[0] - FAR * gap[2] for gap in gaps], axis=0)
    high = np.max([gap[1] + FAR * gap[2] for gap in gaps], axis=0)
    width, height = (int(np.ceil(side * PPM)) for side in high - low)
    x, y = low[0] + (np.arange(width) + 0.5) / PPM, high[1] - (np.arange(height)[:, None] + 0.5) / PPM
    lost = np.zeros((height, width))
    for (left, bottom), (right, top), rise, touching in gaps:
        beside, before = np.maximum(left - x, x - right), np.maximum(bottom - y, y - top)
        apart = np.hypot(np.maximum(beside, 0), np.maximum(before, 0)) / rise
        lost = np.maximum(lost, TOUCHING / (1 + apart**2) ** 2 if touching else DEPTH * np.exp(-apart))
    picture = lost.astype(np.float32)
    picture.flags.writeable = False
    center = (float(low[0] + width / PPM / 2), float(high[1] - height / PPM / 2))
    return Crevice(picture, center, (width / PPM, height / PPM))


def _gaps(device: Device, slab: Slab) -> Iterator[tuple[F64, F64, float, bool]]:
    """The slabs close over a slab's front: where each begins and ends, mm (2,), and how high the gap is.

    Last, whether it touches the front: then it begins and ends where its rounded edges do so.
    """
    at = plane(slab, True)
    for other in device.slabs:
        if other is slab or slab.base is not None or other.base is not None:
            continue
        apart = corners(other) - at.origin
        rise = apart @ at.normal
        feet = apart[rise < rise.min() + other.size[2] / 2]
        flat = np.stack([feet @ at.x, feet @ at.y], axis=1)
        middle = np.abs(flat.mean(axis=0))
        if -GAP < rise.min() < GAP and (middle < np.array(slab.size[:2]) / 2).all():
            above = float(np.sort(rise)[:4].mean())
            # Rounded corners rise from the face.
            risen = np.array([other.corner.extent / 2, 0.0])
            touching = above <= MET
            if touching:
                risen[1] = other.edge
            yield flat.min(axis=0) + risen, flat.max(axis=0) - risen, max(above, 0.0) + other.edge, touching
