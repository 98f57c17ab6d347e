"""Round holes through plates: their walls, and what is behind them."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Hole, Slab
from ..geometry.camera import Camera
from ..geometry.coverage import fill
from ..geometry.face import Plane, plane
from ..geometry.raster import Box, bounds
from ..light.frame import Frame
from ..light.shading import shade

# number of corners of a circle on the canvas, and of directions in which its wall is lit; by cost
CORNERS = 72
# Shares of the light that reach the two ends of a hole's wall, since another slab is behind it; by eye.
NEAR, FAR = 0.9, 0.3


class Bore(NamedTuple):
    """A hole on the canvas: the outlines (n, 2), px, of its near and far end, and of the area that shows
    through."""

    near: F32
    far: F32
    through: F32


def bore(frame: Frame, slab: Slab, rgb: F32, alpha: F32, box: Box) -> None:
    """Paint the walls of a slab's holes over its light `rgb` (h, w, 3), and subtract the share that shows
    through the holes from its `alpha` (h, w), in place."""
    for front in (True, False):
        at = plane(slab, front)
        if not at.seen(frame.camera):
            continue
        for hole in slab.holes:
            _bore(frame, slab, (at, hole if front else _mirrored(hole)), rgb, alpha, box)


def _mirrored(hole: Hole) -> Hole:
    """A hole in the axes of the back face."""
    return hole.model_copy(update={"center": (-hole.center[0], hole.center[1])})


def _bore(frame: Frame, slab: Slab, at: tuple[Plane, Hole], rgb: F32, alpha: F32, box: Box) -> None:
    seen = _outlines(*at, slab.size[2], frame.camera)
    part = bounds(seen.near, frame.camera.width, frame.camera.height).clipped(box)
    if not part.area:
        return
    where = part.within(box)
    near, through = fill([seen.near], part), np.zeros((part.height, part.width), np.float32)
    if len(seen.through):
        through = np.minimum(fill([seen.through], part), near)
    wall = near - through
    # The wall's share of the part of each pixel that the plate still covers.
    share = wall / np.maximum(1 - through, 1e-6)
    light = rgb[where]
    light += (_wall(frame, slab, at, part) - light) * share[..., None]
    alpha[where] *= 1 - through


def _outlines(at: Plane, hole: Hole, deep: float, camera: Camera) -> Bore:
    turn = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    circle = hole.center + hole.diameter / 2 * np.column_stack([np.cos(turn), np.sin(turn)])
    near, far = (_placed(at.homography(camera, depth), circle).astype(np.float32) for depth in (0.0, deep))
    area, shared = cv2.intersectConvexConvex(near, far)
    through = shared[:, 0] if area > 0 else np.zeros((0, 2))
    return Bore(near, far, np.asarray(through, np.float32))


def _wall(frame: Frame, slab: Slab, at: tuple[Plane, Hole], part: Box) -> F32:
    """The light (h, w, 3) of a hole's wall at the points where the rays through a box's pixels meet it."""
    face, hole = at
    camera, radius = frame.camera, hole.diameter / 2
    across, down = np.meshgrid(part.x + np.arange(part.width) + 0.5, part.y + np.arange(part.height) + 0.5)
    px = np.column_stack([across.ravel(), down.ravel()])
    start, end = (
        (_placed(np.asarray(np.linalg.inv(face.homography(camera, depth)), np.float64), px) - hole.center)
        / radius
        for depth in (0.0, slab.size[2])
    )
    # A ray runs from `start` to `end`, both in radii from the axis; it meets the wall where its distance from
    # the axis is 1.
    step = end - start
    a, b, c = (step**2).sum(axis=1), (start * step).sum(axis=1), (start**2).sum(axis=1) - 1
    deep = np.clip((np.sqrt(np.maximum(b**2 - a * c, 0)) - b) / np.maximum(a, 1e-9), 0, 1)
    met = start + deep[:, None] * step
    turn = np.arctan2(met[:, 1], met[:, 0]) / (2 * np.pi) % 1 * CORNERS
    low, rest = turn.astype(int) % CORNERS, (turn % 1)[:, None]
    lit = _lit(frame, slab, face)
    light = lit[low] * (1 - rest) + lit[(low + 1) % CORNERS] * rest
    light *= (NEAR + (FAR - NEAR) * deep)[:, None]
    return np.asarray(light, np.float32).reshape(part.height, part.width, 3)


def _lit(frame: Frame, slab: Slab, face: Plane) -> F32:
    """The light (CORNERS, 3) of a hole's wall in even directions around its axis."""
    turn = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)[:, None]
    normals = -np.cos(turn) * face.x - np.sin(turn) * face.y
    camera = frame.camera
    away = camera.eye - face.origin
    toward = np.broadcast_to(away / np.linalg.norm(away), normals.shape)
    out, eye = (np.asarray(camera.view(one), np.float32) for one in (normals, toward))
    return shade(*frame.wall(slab), out, eye, frame.light)


def _placed(homography: F64, points: F64) -> F64:
    """Points (n, 2) mapped by a homography."""
    return np.asarray(cv2.perspectiveTransform(points[:, None], homography)[:, 0], np.float64)
