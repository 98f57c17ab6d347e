"""Several bodies in one space: each is painted separately, and they are merged by visibility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np

from ..arrays import F32, F64
from ..clock import Clock
from .body import Body
from .geometry.camera import Stage
from .geometry.coverage import fill
from .geometry.distance import distances
from .geometry.face import plane, wall
from .geometry.mesh import hull
from .geometry.raster import Box, around
from .light.frame import Frame
from .paint.canvas import Canvas
from .tone import highlights

TOUCHING = 0.05  # mm by which devices may overlap and still count as separate; a guard


class FaceShade(Protocol):
    """The light that a face loses to shadows."""

    def part(self, band: Box) -> tuple[F32, int, int, F32]:
        """The share (h, w) of light lost in a part of a band, the column and row in the band at which that
        part begins, and the shadow's colour (3,)."""
        ...


class Shaded(Protocol):
    """A face of a slab, and the shadow on it."""

    @property
    def shade(self) -> FaceShade:
        """The shadow on the face."""
        ...

    @property
    def front(self) -> bool:
        """Whether the face is the front."""
        ...

    @property
    def side(self) -> int:
        """Which half of a folded slab the face is on; 0 if the slab is not folded."""
        ...


# of the light that another device hides, the share that is lost; that device reflects the rest; by eye
TAKEN = 0.65
# 1.0 if the first of two devices is in front, 0.0 if it is behind, None if it varies by pixel
Order = float | None


class Assembly:
    """The bodies of a scene, each seen by its camera. Like `service.render.body.Body`, they are painted one
    part of the canvas at a time."""

    def __init__(
        self, frames: Sequence[Frame], stage: Stage, shades: Sequence[Mapping[str, Shaded]] = ()
    ) -> None:
        """Find the visible parts of the devices, and the order in which these hide each other.

        `shades` are the shadows that other devices cast on each device, by the names of its slabs: see
        `plates.cast`.
        """
        self._shades = shades
        self._bodies = [Body(frame) for frame in frames]
        self._stage = stage
        boxes = [body.box for body in self._bodies]
        self.box = around(boxes)
        solids = [
            frame.camera.view(hull(frame.device)) + stage.shift(number) for number, frame in enumerate(frames)
        ]
        self._orders: dict[tuple[int, int], Order] = {}
        for first, second in combinations(range(len(frames)), 2):
            if not boxes[first].clipped(boxes[second]).area:
                continue
            order = _order(frames, stage, solids, (first, second))
            self._orders[first, second] = order
            self._orders[second, first] = None if order is None else 1 - order

    def each(self, box: Box, clock: Clock) -> list[Canvas]:
        """Each device alone, with the shadows of the others, on a canvas that covers its part of the
        `box`."""
        boxes = [body.box.clipped(box) for body in self._bodies]
        canvases = [
            body.paint(own, clock) if own.area else Canvas.empty(own, len(body.frame.device.screens))
            for body, own in zip(self._bodies, boxes, strict=True)
        ]
        for number, canvas in enumerate(canvases):
            if number < len(self._shades) and self._shades[number] and canvas.box.area:
                self._darken(number, canvas)
        return canvases

    def paint(self, box: Box, clock: Clock) -> Canvas:
        """All devices, painted on a canvas that covers the `box`."""
        canvases = self.each(box, clock)
        lit = all(canvas.lit or not canvas.box.area for canvas in canvases)
        if not lit:
            for canvas in canvases:
                _toned(canvas)
        merged = Canvas.empty(box, sum(len(canvas.gains) for canvas in canvases), lit=lit)
        clear, first = np.ones((box.height, box.width), np.float32), 0
        for number, canvas in enumerate(canvases):
            clock.check()
            screens = merged.gains[first : first + len(canvas.gains)]
            first += len(canvas.gains)
            if not canvas.box.area:
                continue
            seen = self._seen(number, canvases)
            at = canvas.box.within(box)
            merged.rgb[at] += canvas.rgb if seen is None else canvas.rgb * seen[..., None]
            clear[at] *= 1 - canvas.alpha
            for gain, own in zip(screens, canvas.gains, strict=True):
                gain[at] += own if seen is None else own * seen
        np.subtract(1, clear, out=merged.alpha)
        return merged

    def _darken(self, number: int, canvas: Canvas) -> None:
        """Subtract the light that other devices hide from a device's paint, in place; screens are not
        darkened."""
        body, shades, box = self._bodies[number], self._shades[number], canvas.box
        lost = np.zeros((box.height, box.width), np.float32)
        for slab, shape, outlines, _ in body.parts:
            lost *= 1 - fill(outlines, box)
            if (shaded := shades.get(slab.name)) is not None:
                cap = body.frame.camera.project(shape.cap(shaded.front, shaded.side)).astype(np.float32)
                cover = fill((cap,), box)
                alpha, left, top, _ = shaded.shade.part(box)
                at = slice(top, top + alpha.shape[0]), slice(left, left + alpha.shape[1])
                lost[at] += alpha * cover[at]
        canvas.rgb *= (1 - np.float32(TAKEN) * lost)[..., None]

    def _seen(self, number: int, canvases: Sequence[Canvas]) -> F32 | None:
        """The share (h, w) of a device's paint that the others do not hide; None if they hide nothing."""
        own, seen = canvases[number], None
        for other, canvas in enumerate(canvases):
            part = own.box.clipped(canvas.box)
            before = self.before(other, number, part)
            if before is None:
                continue
            hides = canvas.alpha[part.within(canvas.box)] * before
            seen = np.ones(own.alpha.shape, np.float32) if seen is None else seen
            seen[part.within(own.box)] *= 1 - hides
        return seen

    def before(self, first: int, second: int, box: Box) -> F32 | None:
        """The share (h, w) of each pixel of a box in which the first device is in front of the second; None
        if there is no such pixel.

        Values are undefined in pixels that show neither device.
        """
        order = self._orders.get((first, second), 0.0)
        if order == 0 or not box.area:
            return None
        if order == 1:
            return np.ones((box.height, box.width), np.float32)
        low, high = sorted((first, second))
        near, far = (self._distances(number, box) for number in (low, high))
        share = _share(far - near)
        return share if low == first else 1 - share

    def _distances(self, number: int, box: Box) -> F32:
        body = self._bodies[number]
        parts = (part[:3] for part in body.parts)
        return distances(parts, body.frame.camera, box, self._stage.camera.distance)


def _order(frames: Sequence[Frame], stage: Stage, solids: Sequence[F64], pair: tuple[int, int]) -> Order:
    """Which of two devices is in front, decided by a separating plane along a side of one of their slabs."""
    eye, points = stage.camera.seat, [solids[number] for number in pair]
    for one, other in ((0, 1), (1, 0)):
        number = pair[one]
        for normal in _normals(frames[number]):
            end, start = (points[one] @ normal).max(), (points[other] @ normal).min()
            if start > end - TOUCHING:
                # Device `one` lies below the plane; if the camera is above the plane, device `other` is in
                # front.
                beyond = float(eye @ normal) > (start + end) / 2
                return float(beyond == (one == 1))
    return None


def _normals(frame: Frame) -> list[F64]:
    """The unit normals (3,) of the sides of a device's slabs, and the two directions of the camera's axis,
    all in view space."""
    found = [np.array([0.0, 0.0, sign]) for sign in (1.0, -1.0)]
    for slab in frame.device.slabs:
        if slab.parent is None:
            faces = [plane(slab, front, side) for front in (True, False) for side in slab.halves]
            sides = [wall(slab, which) for which in ("left", "right", "top", "bottom")]
            found += list(frame.camera.view(np.stack([at.normal for at in (*faces, *sides)])))
    return found


def _share(ahead: F32) -> F32:
    """The share (h, w) of each pixel in which one surface is in front of another; `ahead` (h, w) is how far
    it is in front, mm.

    Along the line where the surfaces meet, the share depends on where the line crosses the pixel.
    """
    across, down = (_slope(ahead, axis) for axis in (1, 0))
    return np.asarray(np.clip(0.5 + ahead / np.maximum(across + down, np.float32(1e-6)), 0, 1), np.float32)


def _slope(values: F32, axis: int) -> F32:
    """The slope (h, w) of values per pixel along an axis: the smaller of the slopes to both sides, so that
    jumps at edges do not count."""
    if values.shape[axis] < 2:
        return np.zeros_like(values)
    steps = np.abs(np.diff(values, axis=axis))
    first, last = (np.take(steps, [end], axis=axis) for end in (0, -1))
    before, after = np.concatenate([first, steps], axis=axis), np.concatenate([steps, last], axis=axis)
    return np.asarray(np.minimum(before, after), np.float32)


def _toned(canvas: Canvas) -> None:
    """Compress the highlights of a lit canvas, in place, so that it can be merged with unlit paint."""
    if canvas.lit and canvas.box.area:
        alpha = np.maximum(canvas.alpha, np.float32(1e-6))[..., None]
        straight = np.asarray(canvas.rgb / alpha, np.float32)
        canvas.rgb[...] = highlights(straight) * alpha
        canvas.lit = False
