"""A device as a line drawing: silhouettes, edges of glass, screens and details on the faces.

All lines have the same width, regardless of their distance. Slabs hide the lines behind them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from ...arrays import F32, F64
from ...clock import Clock
from ...devices.device import BARS, Device, Face, Screen, Slab
from ..geometry.camera import Camera
from ..geometry.coverage import fill
from ..geometry.depth_sort import painters
from ..geometry.face import Plane, near_first, plane, wall
from ..geometry.mesh import Mesh, mesh, pose
from ..geometry.raster import Box, bounds
from ..geometry.silhouette import convex_hull, half_silhouette, outlines, silhouette
from ..geometry.stroke import stroke
from ..light.frame import Textures
from .decal import half_of
from .engraved import Redrawn, inked
from .motifs import motif
from .plane import lay
from .screens import hole, rim, share
from .textures import layer

CROWDED = 2.2  # line widths; lines that are closer together are left out; by eye
JOINT = 3.0  # line widths; distance from a joint within which an outline is left out; by eye
LAST = 1e-6  # mm; a vertex this close to a plate's end counts as lying on it; a guard
INNER = 2.5  # line widths; smaller motifs are left out; by eye


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A line drawing in a box, as shares (h, w) float32 in 0-1 of each pixel.

    `ink` is the share of lines, `paper` that of everything in front of the background, including lines.
    `screens` has the share of each of the device's screens, without the lines over it.
    """

    box: Box
    ink: F32
    paper: F32
    screens: tuple[F32, ...]


@dataclass(slots=True, eq=False)
class _Lit:
    """A screen on a slab: its place in the device, its face, and its outline and cut-outs on the canvas."""

    place: int
    screen: Screen
    at: Plane


@dataclass(slots=True, eq=False)
class _Sketch:
    """A slab's lines: the parts of its outline, the closed lines inside these, its screens and its bars.

    The outline is not drawn along the `joints`, where another slab continues this one.
    """

    parts: tuple[F32, ...]
    overlapping: bool
    joints: list[F32] = field(default_factory=list)
    inner: list[F32] = field(default_factory=list)
    screens: list[_Lit] = field(default_factory=list)
    faces: list[tuple[Face, Plane]] = field(default_factory=list)


class Linework:
    """The lines of a device in its pose, drawn one part of the canvas at a time."""

    def __init__(self, device: Device, textures: Textures, camera: Camera, width: float) -> None:
        """Find all lines; they are `width` px wide."""
        self._device, self._textures, self._camera, self._width = device, textures, camera, width
        self.box = self._bounds(*outlines(device, camera))
        self._sketches = [
            self._sketch(slab, sides)
            for slab in painters(device, camera.eye)
            for sides in _apart(slab, camera)
        ]

    def draw(self, box: Box, clock: Clock) -> Drawing:
        """The lines in a box of the canvas."""
        size = (box.height, box.width)
        ink, paper = np.zeros(size, np.float32), np.zeros(size, np.float32)
        screens = tuple(np.zeros(size, np.float32) for _ in self._device.screens)
        for sketch in self._sketches:
            clock.check()
            part = self._bounds(*sketch.parts).clipped(box)
            if part.area:
                self._add(sketch, part, part.within(box), ink, paper, screens)
        return Drawing(box, ink, np.maximum(paper, ink), tuple(lit * (1 - ink) for lit in screens))

    def _bounds(self, *lines: F32) -> Box:
        """The box of canvas pixels around some lines."""
        points = np.concatenate(lines)
        return bounds(points, self._camera.width, self._camera.height, 2 + math.ceil(self._width))

    def _sketch(self, slab: Slab, sides: tuple[int, ...]) -> _Sketch:
        """The lines of a slab, or of one half of a folded one."""
        shape, camera = mesh(slab), self._camera
        whole = sides == slab.halves
        parts = silhouette(slab, camera) if whole else (half_silhouette(slab, sides[0], camera),)
        sketch = _Sketch(parts, whole and slab.bend is not None, list(self._joints(slab, shape)))
        for side in sides if shape.caps else ():
            self._faces(sketch, slab, shape, side)
        return sketch

    def _joints(self, slab: Slab, shape: Mesh) -> Iterator[F32]:
        """The outlines of a strap's joined ends, without a line's width at their sides."""
        for end in slab.joined if slab.role == "strap" else ():
            sign = 1 if end == "top" else -1
            at = shape.points[sign * shape.flat[:, 1] > slab.size[1] / 2 - LAST]
            middle, across = at.mean(axis=0), pose(slab)[0][:, 0]
            out = (at - middle) @ across
            less = min(self._width / self._camera.k / out.max(), 1.0)
            at = at - less * out[:, None] * across
            yield convex_hull(self._camera.project(at).astype(np.float32))

    def _faces(self, sketch: _Sketch, slab: Slab, shape: Mesh, side: int) -> None:
        """Add to a sketch the lines on the faces and walls of a slab, or of one half of a folded slab."""
        for face, front in ((slab.front, True), (slab.back, False)):
            at = plane(slab, front, side)
            if face is None or not at.seen(self._camera) or (not front and slab.base is not None):
                continue
            border = max(slab.edge, face.inset)
            if border * self._camera.k >= CROWDED * self._width:
                sketch.inner.append(self._camera.project(shape.cap(front, side)).astype(np.float32))
            sketch.inner += self._motifs(face, at)
            sketch.faces.append((face, at))
            if front:
                lit = self._device.screens_on(slab, side)
                sketch.screens += [_Lit(place, screen, at) for place, screen in lit]
        for decal in slab.decals:
            at = wall(slab, decal.side, side, decal.at, decal.across)
            if half_of(slab, decal, side) and at.seen(self._camera):
                lines = motif(self._textures, decal.image, decal.size)
                sketch.inner += self._large(at.homography(self._camera), lines)

    def _motifs(self, face: Face, at: Plane) -> Iterator[F32]:
        for drawn in face.layers:
            lines = motif(self._textures, drawn.image, drawn.size)
            # Draw layers below the face on the face itself, without parallax, so that a lens's rings stay
            # concentric.
            yield from self._large(at.homography(self._camera), [line + drawn.center for line in lines])

    def _large(self, homography: F64, lines: list[F64]) -> list[F32]:
        """Project lines (n, 2), mm, on a plane to the canvas, and leave out those too small to be drawn."""
        seen = [_placed(homography, line) for line in lines]
        return [line for line in seen if float(np.ptp(line, axis=0).min()) >= INNER * self._width]

    def _add(
        self,
        sketch: _Sketch,
        part: Box,
        at: tuple[slice, slice],
        ink: F32,
        paper: F32,
        screens: tuple[F32, ...],
    ) -> None:
        """Composite a slab over the sketch so far, in place."""
        cover = fill(sketch.parts, part)
        rest = 1 - cover
        ink[at] *= rest
        paper[at] = paper[at] * rest + cover
        for lit in screens:
            lit[at] *= rest
        lines = stroke(sketch.inner, self._width, part)
        for face, where in sketch.faces:
            self._bars(lines, face, where, part)
        for one in sketch.screens:
            shape = share(one.screen, one.at, self._camera, part) * cover
            screens[one.place][at] += shape
            lines *= 1 - shape
            np.maximum(lines, self._edge(one, part), out=lines)
        lines *= cover
        edge = stroke(sketch.parts, self._width, part)
        if sketch.overlapping:
            edge *= 1 - _inside(cover, self._width)
        if sketch.joints:
            edge *= 1 - stroke(sketch.joints, JOINT * self._width, part)
        np.maximum(ink[at], np.maximum(lines, edge), out=ink[at])

    def _edge(self, lit: _Lit, part: Box) -> F32:
        """The line around a screen: its rim except at cut-outs, and the cut-outs' lines within it."""
        matrix, center = lit.at.homography(self._camera), np.array(lit.screen.center)

        def seen(points: F64) -> F32:
            return _placed(matrix, points + center)

        whole = seen(rim(lit.screen))
        line = stroke([whole], self._width, part)
        for cutout in lit.screen.cutouts:
            points, ears = hole(cutout, lit.screen)
            body = seen(points)
            near = self._bounds(body, *(seen(corner) for corner, _ in ears)).clipped(part)
            if not near.area:
                continue
            inside, gone = fill([whole], near), fill([body], near)
            around = stroke([body], self._width, near)
            for corner, disc in ears:
                square = fill([seen(corner)], near)
                arc = stroke([seen(disc)], self._width, near) * square
                around = np.maximum(around * (1 - square), arc)
                gone = np.maximum(gone, square)
            where = near.within(part)
            line[where] = np.maximum(line[where] * (1 - gone), around * inside)
        return line

    def _bars(self, lines: F32, face: Face, at: Plane, part: Box) -> None:
        """Add the text and icons of a window's bars to a sketch, in place."""
        for drawn in face.layers:
            if drawn.image != BARS:
                continue
            picture = layer(Redrawn(self._textures, "inked", inked), drawn.image)
            homography = at.homography(self._camera)
            seen = lay(picture, homography, drawn.center, drawn.size, part, cv2.BORDER_CONSTANT)
            np.maximum(lines, seen[..., 3].astype(np.float32) / np.float32(65535), out=lines)


def _apart(slab: Slab, camera: Camera) -> tuple[tuple[int, ...], ...]:
    """A folded slab's halves, the farther one first, since the nearer one hides it; both together if both
    fronts are seen."""
    if len(slab.halves) == 1 or all(plane(slab, True, side).seen(camera) for side in slab.halves):
        return (slab.halves,)
    return tuple((side,) for side in reversed(near_first(slab, camera)))


def _placed(homography: F64, points: F64) -> F32:
    """Points (n, 2) of a plane, mm, on the canvas."""
    places = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(places[:, :2] / places[:, 2:], np.float32)


def _inside(cover: F32, width: float) -> F32:
    """The coverage of a shape shrunk by half a line's width."""
    reach = 2 * math.ceil(width / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    return np.asarray(cv2.erode(cover, kernel), np.float32)
