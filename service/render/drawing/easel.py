"""Antialiased shapes on an opaque picture measured in points, y down from the upper left corner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from ...arrays import F32, U8
from ..geometry.coverage import fill
from ..geometry.raster import Box
from .lettering import Weight, elided, lettering

#: Left, top, width and height, in points.
Rectangle = tuple[float, float, float, float]
Point = tuple[float, float]


class Easel:
    """A picture of `size` points at `density` px per point, filled with a colour at first."""

    def __init__(self, size: Point, density: float, color: str) -> None:
        self.size, self.density = size, density
        columns, rows = (max(1, round(side * density)) for side in size)
        self._pixels = np.empty((rows, columns, 3), np.uint8)
        self._pixels[:] = _rgb(color)

    def box(
        self, place: Rectangle, color: str, radius: float = 0.0, opacity: float = 1.0, softness: float = 0.0
    ) -> None:
        """Fill a rectangle with rounded corners, its edge blurred over `softness` points."""
        x, y, width, height = place
        area = self._around(x - softness, y - softness, x + width + softness, y + height + softness)
        # Between both ends, all columns are equal: draw one and repeat it.
        reach = max(radius, softness) + 2 / self.density
        left = min(max(math.ceil((x + reach) * self.density), area.x), area.x + area.width)
        right = max(min(math.floor((x + width - reach) * self.density), area.x + area.width), left)
        ends = ((area.x, left), (right, area.x + area.width))
        for part in (Box(start, area.y, end - start, area.height) for start, end in ends):
            distance = self._distance(part, x, y, width, height, radius)
            self._cover(part, self._coverage(distance, softness) * np.float32(opacity), color)
        _, down = self._grid(area)
        beyond = np.abs(down[:, 0] - np.float32(y + height / 2)) - np.float32(height / 2)
        share = self._coverage(beyond, softness) * np.float32(opacity)
        whole = np.flatnonzero(share >= 1)
        if len(whole):
            self._pixels[area.y + whole[0] : area.y + whole[-1] + 1, left:right] = _rgb(color)
        for row in np.flatnonzero((share > 0) & (share < 1)):
            part = Box(left, area.y + int(row), right - left, 1)
            self._cover(part, share[row, None, None], color)

    def frame(
        self, place: Rectangle, color: str, stroke: float, radius: float = 0.0, opacity: float = 1.0
    ) -> None:
        """Draw a rectangle's outline, centred on its edge."""
        x, y, width, height = place
        half = stroke / 2
        area = self._around(x - half, y - half, x + width + half, y + height + half)
        distance = np.abs(self._distance(area, x, y, width, height, radius)) - np.float32(half)
        self._cover(area, self._coverage(distance) * np.float32(opacity), color)

    def disc(self, center: Point, radius: float, color: str, opacity: float = 1.0) -> None:
        """Fill a circle."""
        self.box((center[0] - radius, center[1] - radius, 2 * radius, 2 * radius), color, radius, opacity)

    def ring(self, center: Point, radius: float, color: str, stroke: float, opacity: float = 1.0) -> None:
        """Draw a circle, its line centred on `radius`."""
        x, y = center[0] - radius, center[1] - radius
        self.frame((x, y, 2 * radius, 2 * radius), color, stroke, radius, opacity)

    def line(self, points: Sequence[Point], color: str, stroke: float, opacity: float = 1.0) -> None:
        """Draw a line with round ends and corners."""
        half = stroke / 2
        (left, top), (right, bottom) = np.min(points, axis=0), np.max(points, axis=0)
        area = self._around(left - half, top - half, right + half, bottom + half)
        x, y = self._grid(area)
        nearest = np.full((area.height, area.width), np.inf, np.float32)
        for (ax, ay), (bx, by) in pairwise(points):
            dx, dy = bx - ax, by - ay
            along = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
            np.minimum(nearest, np.hypot(x - ax - along * dx, y - ay - along * dy), out=nearest)
        self._cover(area, self._coverage(nearest - np.float32(half)) * np.float32(opacity), color)

    def polygon(self, points: Sequence[Point], color: str) -> None:
        """Fill a simple polygon."""
        corners = np.asarray(points, np.float64) * self.density
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        area = self._clipped(int(left), int(top), int(right) + 1, int(bottom) + 1)
        if area.area:
            self._cover(area, fill([corners.astype(np.float32)], area), color)

    def text(
        self,
        text: str,
        at: Point,
        size: float,
        color: str,
        width: float,
        weight: Weight = "Regular",
        middle: bool = False,
    ) -> float:
        """Write a line, elided to `width`; returns the width it takes.

        `at` is the x of its left end, or of its `middle` if that is set, and the y of the middle of its
        capitals.
        """
        em = size * self.density
        shown, wide = elided(text, em, width * self.density, weight)
        if not shown:
            return 0.0
        left = at[0] * self.density - (wide / 2 if middle else 0)
        patch, (x, y) = lettering(shown, (left, at[1] * self.density), em, weight)
        area = self._clipped(x, y, x + patch.shape[1], y + patch.shape[0])
        if area.area:
            self._cover(area, patch[area.within(Box(x, y, patch.shape[1], patch.shape[0]))], color)
        return wide / self.density

    def pixels(self, radius: float) -> U8:
        """The picture (h, w, 4) uint8, with its upper corners rounded by `radius` points."""
        picture = np.asarray(cv2.cvtColor(self._pixels, cv2.COLOR_RGB2RGBA), np.uint8)
        area = self._around(0, 0, self.size[0], radius)
        # The shape extends as far again below the picture, so that only its upper corners are round.
        shape = self._distance(area, 0, 0, self.size[0], 2 * self.size[1] + 2 * radius, radius)
        picture[area.slices][..., 3] = np.round(self._coverage(shape) * 255)
        return picture

    def _coverage(self, distance: F32, softness: float = 0.0) -> F32:
        """The share (0-1) of each pixel inside a signed distance in points."""
        wide = np.float32(max(1 / self.density, softness))
        return np.asarray(np.clip(np.float32(0.5) - distance / wide, 0, 1), np.float32)

    def _distance(self, area: Box, x: float, y: float, width: float, height: float, radius: float) -> F32:
        """Signed distances (h, w), in points, of an area's pixels from a rounded rectangle."""
        across, down = self._grid(area)
        radius = min(radius, width / 2, height / 2)
        qx = np.abs(across - (x + width / 2)) - np.float32(width / 2 - radius)
        qy = np.abs(down - (y + height / 2)) - np.float32(height / 2 - radius)
        outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
        return np.asarray(outside + np.minimum(np.maximum(qx, qy), 0) - np.float32(radius), np.float32)

    def _grid(self, area: Box) -> tuple[F32, F32]:
        """The middles of an area's pixels in points: a row of x, a column of y."""
        x = (np.arange(area.width, dtype=np.float32) + np.float32(area.x + 0.5)) / np.float32(self.density)
        y = (np.arange(area.height, dtype=np.float32) + np.float32(area.y + 0.5)) / np.float32(self.density)
        return x[None], y[:, None]

    def _around(self, left: float, top: float, right: float, bottom: float) -> Box:
        """The box of pixels around a rectangle given in points, with a margin of one pixel on each side."""
        d = self.density
        return self._clipped(
            int(left * d) - 1, int(top * d) - 1, int(np.ceil(right * d)) + 1, int(np.ceil(bottom * d)) + 1
        )

    def _clipped(self, left: int, top: int, right: int, bottom: int) -> Box:
        height, width = self._pixels.shape[:2]
        return Box(left, top, max(right - left, 0), max(bottom - top, 0)).clipped(Box(0, 0, width, height))

    def _cover(self, area: Box, cover: F32, color: str) -> None:
        """Paint a colour over an area, with a coverage (h, w) of 0-1."""
        under = self._pixels[area.slices].astype(np.float32)
        under += (_rgb(color) - under) * cover[..., None]
        self._pixels[area.slices] = under + np.float32(0.5)


def _rgb(color: str) -> F32:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], np.float32)
