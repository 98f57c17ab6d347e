"""A device's screens: their places on the canvas and their shares of each pixel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Corner, Cutout, Screen
from ...settings.scene import Instance, PlateSpec
from ..geometry.camera import Camera, Stage, stage
from ..geometry.coverage import fill
from ..geometry.face import Plane
from ..geometry.mesh import placed
from ..geometry.outline import outline
from ..geometry.raster import Box, bounds, landed
from ..memoize import MIB, memoize

BEYOND = 1.0  # mm by which a screen extends past a fold, more than a pixel; by construction


class ScreenPlane(NamedTuple):
    """A screen's place on the canvas: `matrix` (3, 3) from its mm to canvas px, and its size in mm.

    Coordinates are relative to its middle, x to the right and y up, as the viewer holds the device. A screen
    that shows only a `part` of the screenshot (left, top, width, height, as fractions) has the place of the
    whole screenshot.
    """

    matrix: F64
    size: tuple[float, float]
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)

    def box(self, width: int, height: int) -> Box:
        """The box that holds the screen on a canvas of `width` x `height` px."""
        (across, up), (left, top, width_, height_) = self.size, self.part
        columns = (left - 0.5) * across, (left + width_ - 0.5) * across
        rows = (0.5 - top) * up, (0.5 - top - height_) * up
        return landed(self.matrix, columns, rows, width, height)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The cameras of a scene, and the planes of its devices' screens as the cameras see them.

    Screens are in the order of the devices, each device's in its own order.
    """

    stage: Stage
    screens: tuple[ScreenPlane, ...]


def view(spec: PlateSpec) -> View:
    """The cameras of a plate spec, and its devices' screens as the cameras see them."""
    seen = stage(spec)
    return View(seen, planes(spec.instances, seen))


def planes(instances: Sequence[Instance], seen: Stage) -> tuple[ScreenPlane, ...]:
    """The screens of devices as a stage sees them."""
    pairs = zip(instances, seen.cameras, strict=True)
    return tuple(_plane(one, screen, camera) for one, camera in pairs for screen in one.device.screens)


class Placed(NamedTuple):
    """A screen in the device's space: its middle and its axes x and y (3,), mm, size and `part`.

    The axes are as in `ScreenPlane`: to the right and up, as the viewer holds the device.
    """

    origin: F64
    x: F64
    y: F64
    size: tuple[float, float]
    part: tuple[float, float, float, float]

    @property
    def corners(self) -> F64:
        """The corners (4, 3) of the part that the screen shows, mm: from the top left one, clockwise."""
        (across, up), (left, top, width, height) = self.size, self.part
        right, bottom = left + width, top + height
        places = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) - 0.5
        sides = places * (across, -up)
        return np.asarray(self.origin + sides[:, :1] * self.x + sides[:, 1:] * self.y, np.float64)


def _plane(of: Instance, screen: Screen, camera: Camera) -> ScreenPlane:
    at = locate(of, screen)
    return ScreenPlane(camera.homography(at.origin, at.x, at.y), at.size, at.part)


def locate(of: Instance, screen: Screen) -> Placed:
    """The place of a device's screen before the device is turned."""
    slab = of.device.slab(screen.slab)
    axes, center = placed(slab, screen.half)
    left, top, wide, high = part = screen.part
    size = screen.size[0] / wide, screen.size[1] / high
    middle = (
        screen.center[0] - (left + wide / 2 - 0.5) * size[0],
        screen.center[1] + (top + high / 2 - 0.5) * size[1],
    )
    origin = center + axes @ np.array([*middle, slab.size[2] / 2])
    x, y = axes[:, 0], axes[:, 1]
    if of.quarters > 0:
        # After a quarter turn to the left, the device's right points up and its bottom points right.
        x, y, size = -y, x, (size[1], size[0])
        part = top, 1 - left - wide, high, wide
    elif of.quarters:
        # After a quarter turn to the right, the device's left points up and its top points right.
        x, y, size = y, -x, (size[1], size[0])
        part = 1 - top - high, left, high, wide
    return Placed(origin, x, y, size, part)


def share(screen: Screen, at: Plane, camera: Camera, box: Box, *, joined: bool = False) -> F32:
    """A screen's share (h, w) float32, 0-1, of each pixel of a box: the coverage of its shape; `at` is its
    face.

    The shape is the screen's outline less its cut-outs. If edges of both cross a pixel, their shares are
    treated as independent. A screen that is `joined` to a screen on the other half extends past the fold by
    BEYOND; its face clips it.
    """
    matrix = at.homography(camera)

    def seen(points: F64) -> F32:
        places = np.column_stack([points + screen.center, np.ones(len(points))]) @ matrix.T
        return np.asarray(places[:, :2] / places[:, 2:], np.float32)

    lit = fill([seen(rim(screen, BEYOND if joined and screen.half else 0.0))], box)
    for cutout in screen.cutouts:
        body, ears = hole(cutout, screen)
        _cut(lit, box, (seen(body),))
        for corner, disc in ears:
            _cut(lit, box, (seen(corner), seen(disc)))
    return lit


def _cut(lit: F32, box: Box, shapes: Sequence[F32]) -> None:
    """Subtract a shape, or the difference of two shapes, from a share, in place."""
    part = bounds(shapes[0], box.x + box.width, box.y + box.height).clipped(box)
    if not part.area:
        return
    gone, *rest = (fill([shape], part) for shape in shapes)
    for kept in rest:
        gone *= 1 - kept
    lit[part.within(box)] *= 1 - gone


@memoize(MIB)
def rim(screen: Screen, beyond: float = 0.0) -> F64:
    """The screen's rounded rectangle, (n, 2) mm from its middle, extended at its square end."""
    points = outline(*screen.size, screen.corner).points
    if screen.corners == "all":
        return points
    x, y = screen.size[0] / 2, screen.size[1] / 2
    square = {
        "top": [[-x, -y - beyond], [x, -y - beyond]],
        "bottom": [[-x, y + beyond], [x, y + beyond]],
        "left": [[x + beyond, -y], [x + beyond, y]],
        "right": [[-x - beyond, -y], [-x - beyond, y]],
    }[screen.corners]
    with_square = np.concatenate([points, square]).astype(np.float32)
    return np.asarray(cv2.convexHull(with_square)[:, 0], np.float64)


@memoize(MIB)
def hole(cutout: Cutout, screen: Screen) -> tuple[F64, list[tuple[F64, F64]]]:
    """A cut-out's outline and, for each of its ears, a square and the disc in it that remains part of the
    screen."""
    (x, y), (width, height), radius = cutout.center, cutout.size, cutout.radius
    body = _rounded(width, height, radius, (x, y))
    return body, list(_ears(cutout, screen)) if cutout.ear else []


def _ears(cutout: Cutout, screen: Screen) -> Iterator[tuple[F64, F64]]:
    """A notch's corners at the top edge: a square beside it, and a disc in the square's far corner."""
    ear, top = cutout.ear, screen.size[1] / 2
    for side in (-1, 1):
        near = cutout.center[0] + side * cutout.size[0] / 2
        square = _rounded(ear, 2 * ear, 0, (near + side * ear / 2, top))
        disc = _rounded(2 * ear, 2 * ear, ear, (near + side * ear, top - ear))
        yield square, disc


def _rounded(width: float, height: float, radius: float, center: tuple[float, float]) -> F64:
    """A rectangle with circular corners, (n, 2) mm."""
    shape = outline(width, height, Corner(extent=min(radius, width / 2, height / 2)))
    return np.asarray(shape.points + np.array(center), np.float64)
