"""The posed device, lit and painted from back to front."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ..arrays import U8
from ..clock import Clock
from .geometry.coverage import levels
from .geometry.face import near_first
from .geometry.raster import Box, Samples, bounds
from .geometry.silhouette import outlines
from .kernels.compositing import scale
from .kernels.samples import spread
from .light.falloff import falloff
from .light.frame import Frame
from .material import SURFACES
from .paint.canvas import Canvas
from .paint.cover import behind
from .paint.holes import bore
from .paint.order import Part, parts
from .paint.radiance import radiance
from .paint.seams import CLOSE, FEWEST, TIMES, finer, mark, mend, needed, tiles
from .paint.softening import cross, softened
from .passes import PASSES
from .passes.target import Target


class Body:
    """A frame's device, painted in parts of the canvas; its `parts` are ordered from back to front."""

    def __init__(self, frame: Frame) -> None:
        """Find the visible slabs of the device and their order, and light its walls."""
        camera, slabs = frame.camera, frame.device.slabs
        self.box = bounds(np.concatenate(outlines(frame.device, camera)), camera.width, camera.height)
        self.frame, self.parts = frame, parts(frame)
        # Light the walls here, because threads that paint parts of the canvas would wait for each other.
        for part in self.parts:
            radiance(frame, part.slab)
        self._lit = all(SURFACES[slab.front.surface].lit for slab in slabs)
        self._fine = frame
        shared = frame.quality.shared_pixels and camera.k <= CLOSE
        if shared and sum(_apart(part) for part in self.parts) > 1:
            self._fine = frame.finer(TIMES, FEWEST)

    def paint(self, box: Box, clock: Clock) -> Canvas:
        """All slabs, painted on a canvas that covers the `box`."""
        shared = None if self._fine is self.frame else np.zeros((box.height, box.width), bool)
        canvas = self._painted(self.frame, self.parts, box, clock, shared)
        if shared is not None:
            fine = tuple(part.finer(TIMES) for part in self.parts)
            for tile in tiles(shared, box):
                wanted = needed(shared, tile, box)
                made = self._painted(self._fine, fine, finer(tile), clock, wanted=wanted)
                mend(canvas, made, shared, tile)
        if self._lit and self.frame.quality.soft_edges:
            softened(canvas)
        fall = falloff(self.frame, box) if self._lit else None
        if fall is not None:
            scale(canvas.rgb, *fall)
        return canvas

    def _painted(
        self,
        frame: Frame,
        parts: tuple[Part, ...],
        box: Box,
        clock: Clock,
        shared: NDArray[np.bool_] | None = None,
        wanted: U8 | None = None,
    ) -> Canvas:
        """The parts, painted on a canvas that covers the `box`; pixels that they share are marked in `shared`
        (h, w).

        Pixels where `wanted` (h, w) is 0 may be left unpainted.
        """
        canvas = Canvas.empty(box, len(frame.device.screens), lit=self._lit)
        for part in parts:
            clock.check()
            _over(frame, part, canvas, clock, shared, wanted)
        return canvas


def _over(
    frame: Frame,
    part: Part,
    canvas: Canvas,
    clock: Clock,
    shared: NDArray[np.bool_] | None,
    wanted: U8 | None,
) -> None:
    """Paint a part over what is behind it; see `Body._painted`."""
    camera, exact = frame.camera, frame.quality.exact_edges
    if not part.outlines:
        return
    box = bounds(np.concatenate(part.outlines), camera.width, camera.height).clipped(canvas.box)
    for over in part.covers:
        box = over.clip(box, frame.fine)
    if box.area == 0:
        return
    nearest, *others = near_first(part.slab, camera)
    cover = levels(part.outlines, box)
    if wanted is not None:
        cv2.bitwise_and(cover, wanted[box.within(canvas.box)], dst=cover)
        if not cover.any():
            return
    walls, gains, rim = _half(frame, part, nearest, box, cover, clock)
    alpha = cover * np.float32(1 / 255)
    for side in others:
        near = walls.hit.copy()
        far, those, other = _half(frame, part, side, box, cover, clock)
        rim = other if rim is None else rim if other is None else rim | other
        behind(walls, gains, far, those, exact=exact)
        # At the fold, the pieces of the outline may touch without overlapping.
        met = (near > 0) & (walls.hit > near)
        np.maximum(alpha, walls.hit, out=alpha, where=met)
        np.maximum(cover, 1, out=cover, where=met)
    clock.check()
    spread(*walls, cover, tuple(gains.values()) if exact else ())
    if shared is not None and _apart(part):
        at = box.within(canvas.box)
        mark(shared[at], alpha, canvas.alpha[at])
    if part.slab.holes:
        bore(frame, part.slab, walls.rgb, alpha, box)
    if frame.quality.soft_edges:
        cross(canvas, cover, rim, box)
    canvas.over(walls.rgb, alpha, gains, box)


def _half(
    frame: Frame, part: Part, side: int, box: Box, cover: U8, clock: Clock
) -> tuple[Samples, dict[int, np.ndarray], U8 | None]:
    """Paint a part, or half of a folded one, pass by pass.

    Returns its light, the gains of its screens, and the rims of its faces (see `Target.rim`).
    """
    target = Target(part.shape, side, box, cover, clock)
    for one in PASSES:
        clock.check()
        if one.applies(frame, part.slab):
            one.paint(frame, part.slab, target)
    return target.walls, target.gains, target.rim


def _apart(part: Part) -> bool:
    """Whether a slab may share pixels with slabs behind it: it is neither a raised part nor a strap."""
    return part.slab.role not in ("part", "strap")
