"""The dark line below a hinge's rounded edge, where it meets its deck."""

from __future__ import annotations

import math

import cv2
import numpy as np

from service.arrays import F32, F64
from service.devices.device import Device, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.geometry.mesh import pose
from service.render.geometry.silhouette import silhouette
from service.render.light.hinged import FLAT, standing

# Radii from where a rounded edge touches the deck, from which on the deck's light is gathered; by
# construction.
LIT = 1 - FLAT


def undercut(device: Device, slab: Slab, camera: Camera) -> F32 | None:
    """The outline (n, 2), canvas px, of a hinge and of the dark line at its foot; None for other slabs.

    The deck's light falls to nothing below the hinge's edge, within less than a pixel. The line is as wide
    as would be quite black.
    """
    deck = standing(device, slab)
    if deck is None:
        return None
    at, (axes, center) = plane(deck, True), pose(slab)
    touching = center - (center - at.origin) @ at.normal * at.normal
    ends = []
    for axis, length in ((0, slab.size[0]), (1, slab.size[1])):
        reach = [
            length / 2 - slab.edge + _wide(slab, at, touching, way * axes[:, axis], length, camera)
            for way in (-1, 1)
        ]
        ends.append((-reach[0], reach[1]))
    corners = [touching + x * axes[:, 0] + y * axes[:, 1] for x in ends[0] for y in ends[1]]
    points = np.concatenate([*silhouette(slab, camera), camera.project(np.array(corners)).astype(np.float32)])
    return np.asarray(cv2.convexHull(points)[:, 0], np.float32)


def _wide(slab: Slab, at: Plane, touching: F64, out: F64, length: float, camera: Camera) -> float:
    """How far from where a hinge touches its deck the dark line reaches on its side `out` (3,), mm."""
    away = camera.eye - touching - (length / 2 - slab.edge) * out
    up, before = float(away @ at.normal), float(away @ out)
    if up <= 0 or before <= 0:
        return 0.0
    hidden = math.tan(math.atan2(up, before) / 2)
    return slab.edge * (hidden + lost(hidden))


def lost(start: float) -> float:
    """How wide a black line loses what a deck does from `start` to LIT, of the light it has there.

    All in radii of a round edge: s of them from where it touches the deck, s² / (s² + 1) of the sky is seen.
    """
    if start >= LIT:
        return 0.0
    sky = LIT - start - math.atan(LIT) + math.atan(start)
    return LIT - start - sky * (LIT**2 + 1) / LIT**2
