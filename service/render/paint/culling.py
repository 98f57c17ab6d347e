"""Occlusion culling: parts that later slabs hide completely are neither lit nor painted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry import depth_sort
from ..geometry.mesh import Mesh, pose
from ..geometry.raster import Box
from ..geometry.silhouette import silhouette
from ..light.frame import Frame, per_frame

# Px inside a silhouette from which nothing behind it is visible, more than the width over which edges blend;
# by construction.
MARGIN = 6.0
# largest number of corners of a silhouette; leaving corners out only makes a convex one smaller; by cost
CORNERS = 24
# Cosine between the normals of a part and of its slab up to which the part stands on a side wall; by
# construction.
ASIDE = 0.1


class Cover(NamedTuple):
    """A convex part of the canvas where a slab hides what is behind it.

    A point p, px, is inside if `out` (2, n) · p is at most `least` (n,), for every side. The box around its
    corners reaches `half` (2,) px to either side of its `middle` (2,).
    """

    out: F64
    least: F64
    middle: F64
    half: F64

    @classmethod
    def of(cls, outline: F32) -> Cover:
        """The inside of a convex outline (m, 2), less a margin."""
        points = outline[:: -(-len(outline) // CORNERS)].astype(np.float64)
        step = np.roll(points, -1, axis=0) - points
        out = np.stack([step[:, 1], -step[:, 0]])
        out /= np.maximum(np.hypot(*out), 1e-9)
        edge = np.einsum("ij,ji->i", points, out)
        # The outline may run in either direction.
        if (points.mean(axis=0) @ out > edge).any():
            out, edge = -out, -edge
        low, high = points.min(axis=0), points.max(axis=0)
        return cls(out, edge - MARGIN, (low + high) / 2, (high - low) / 2)

    def hides(self, points: F64) -> NDArray[np.bool_]:
        """Which points (n, 2), px, are inside."""
        return np.asarray((points @ self.out <= self.least).all(axis=1), np.bool_)

    def clip(self, box: Box, times: int) -> Box:
        """A box of a canvas with `times` the px along each axis, without the rows and columns at its ends
        that are hidden."""
        x, wide = self._left((box.x, box.width), (box.y, box.y + box.height), times)
        if not wide:
            return Box(box.x, box.y, 0, 0)
        y, high = self._left((box.y, box.height), (x, x + wide), times, down=True)
        return Box(x, y, wide, high)

    def inner(self, canvas: Box) -> Box:
        """A box of the canvas inside the cover, with the proportions of the smallest box around the cover's
        corners."""
        middle, half = self.middle, self.half
        room = self.least - middle @ self.out
        part = float((room / np.maximum(half @ np.abs(self.out), 1e-9)).min())
        low, high = np.ceil(middle - part * half), np.floor(middle + part * half)
        size = np.maximum(high - low, 0) if part > 0 else np.zeros(2)
        return Box(int(low[0]), int(low[1]), int(size[0]), int(size[1])).clipped(canvas)

    def _left(
        self, span: tuple[int, int], other: tuple[int, int], times: int, *, down: bool = False
    ) -> tuple[int, int]:
        """The start and length of a span of columns, or of rows with `down`, less the hidden parts at its
        ends."""
        own, across = self.out[::-1] if down else self.out
        room = self.least * times - np.maximum(across * other[0], across * other[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = room / own
        if (room[own == 0] < 0).any():
            return span
        low = float(ends[own < 0].max(initial=-np.inf))
        high = float(ends[own > 0].min(initial=np.inf))
        start, end = span[0], span[0] + span[1]
        if low >= high:
            return span
        if low <= start and high >= end:
            return start, 0
        if low <= start < high:
            start = math.floor(high)
        elif low < end <= high:
            end = math.ceil(low)
        return start, end - start


@per_frame
def ordered(frame: Frame) -> list[Slab]:
    """The slabs from back to front, without parts that are too narrow."""
    narrow = left_out(frame)
    return [slab for slab in depth_sort.painters(frame.device, frame.camera.eye) if slab.name not in narrow]


@per_frame
def left_out(frame: Frame) -> frozenset[str]:
    """The names of parts on side walls that are narrower in the picture than the quality's `least_part`."""
    least = frame.quality.least_part * frame.fine / frame.camera.k
    parts = [slab for slab in frame.device.slabs if least and _aside(frame, slab)]
    if not parts:
        return frozenset()
    sides = np.stack([pose(slab)[0] * slab.size for slab in parts])
    across, up = (frame.camera.turn[:2] @ sides).swapaxes(0, 1)
    # The lesser singular value, squared: the extent across the direction in which a part looks longest.
    wide, high, both = ((a * b).sum(axis=1) for a, b in ((across, across), (up, up), (across, up)))
    extent = (wide + high) / 2 - np.hypot((wide - high) / 2, both)
    return frozenset(slab.name for slab, one in zip(parts, extent.tolist(), strict=True) if one < least**2)


def _aside(frame: Frame, slab: Slab) -> bool:
    """Whether a slab is a part on a side wall, such as a button."""
    parent = frame.under(slab)
    return parent is not None and abs(float(pose(slab)[0][:, 2] @ pose(parent)[0][:, 2])) < ASIDE


@per_frame
def every(frame: Frame) -> tuple[Cover, ...]:
    """The outlines of slabs that hide what is behind them, in px of the picture, the last painted first."""
    slabs = filter(_covers, reversed(ordered(frame)))
    return tuple(Cover.of(silhouette(slab, frame.camera)[0]) for slab in slabs)


@per_frame
def covers(frame: Frame) -> Mapping[str, tuple[Cover, ...]]:
    """For each slab, by its name, the covers, among those in `every`, that are painted after the whole slab.

    The only straps with covers are closures behind their case. All others are painted after the case, at
    least in part.
    """
    found, later = dict[str, tuple[Cover, ...]](), 0
    for slab in reversed(ordered(frame)):
        if slab.role == "strap":
            found[slab.name] = every(frame) if beyond(frame, slab) else ()
        else:
            found[slab.name] = every(frame)[:later]
        later += _covers(slab)
    return found


def beyond(frame: Frame, strap: Slab) -> bool:
    """Whether a strap is a closure and lies behind its case."""
    if strap.base is not None:
        return False
    case = next(slab for slab in frame.device.slabs if slab.role == "case")
    return depth_sort.behind(strap, case, frame.camera.eye)


def behind(frames: Sequence[Frame]) -> Box:
    """The largest box of the canvas that a single slab of any frame covers completely."""
    boxes = [Box(0, 0, 0, 0)]
    for frame in frames:
        canvas = Box(0, 0, frame.camera.width, frame.camera.height)
        boxes += [
            Cover.of(silhouette(slab, frame.camera)[0]).inner(canvas)
            for slab in filter(_covers, frame.device.slabs)
        ]
    return max(boxes, key=lambda box: box.area)


def _covers(slab: Slab) -> bool:
    """Whether a slab hides everything behind its outline: it is straight and no part of another."""
    return slab.parent is None and slab.bend is None and slab.role != "strap" and not slab.holes


def uncovered(frame: Frame, shape: Mesh, some: Sequence[Cover]) -> Mesh:
    """A mesh without the triangles that are hidden by any single cover."""
    hidden = hides(frame, shape.points, some)
    if hidden is None:
        return shape
    left = ~hidden[:, shape.triangles].all(axis=2).any(axis=0)
    return replace(shape, triangles=shape.triangles[left], planes=shape.planes[left])


def hides(frame: Frame, points: F64, some: Sequence[Cover]) -> NDArray[np.bool_] | None:
    """For each of `some` covers, which of the points (n, 3), device mm, it hides, (covers, n) bool; None if
    no point is hidden."""
    if not some:
        return None
    places = frame.camera.project(points) / frame.fine
    hidden = np.stack([one.hides(places) for one in some])
    return hidden if hidden.any() else None
