"""Outlines of slabs and screens: rectangles with superellipse corners, as signed distances in mm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from service.arrays import F64

SAMPLES = 4001


@dataclass(frozen=True)
class Outline:
    """A rectangle of `width` x `height` mm with corners |x/extent|^n + |y/extent|^n = 1, grown by `offset`.

    Width and height are those of the grown shape. Corners are `aspect` times as wide as tall; `extent` is
    along y.
    """

    width: float
    height: float
    extent: float
    exponent: float = 2.0
    offset: float = 0.0
    aspect: float = 1.0

    @cached_property
    def corner(self) -> tuple[F64, F64]:
        """Points of the first quadrant's corner and their unit normals, both Nx2 (mm)."""
        half_w, half_h = self.width / 2 - self.offset, self.height / 2 - self.offset
        angle = np.linspace(0, np.pi / 2, SAMPLES)
        c, s = np.maximum(np.cos(angle), 0), np.maximum(np.sin(angle), 0)
        power, tilt = 2 / self.exponent, 2 - 2 / self.exponent
        normal = np.stack([c**tilt, self.aspect * s**tilt], 1)
        normal /= np.hypot(*normal.T)[:, None]
        wide = self.extent * self.aspect
        point = np.stack([half_w - wide + wide * c**power, half_h - self.extent + self.extent * s**power], 1)
        return point + self.offset * normal, normal

    def distance(self, x: F64, y: F64) -> F64:
        """Signed distance (mm, negative inside) of points given by arrays of one shape."""
        ax, ay = np.abs(x), np.abs(y)
        out = np.maximum(ax - self.width / 2, ay - self.height / 2)
        wide, tall = self.extent * self.aspect + self.offset, self.extent + self.offset
        near = (ax > self.width / 2 - wide) & (ay > self.height / 2 - tall)
        if not near.any():
            return out
        points = np.stack([ax[near], ay[near]], 1)
        corner, normal = self.corner
        # Loaded here, because it takes a while and only distances need it.
        from scipy.spatial import cKDTree

        _, index = cKDTree(corner).query(points)
        # Take the projection on the normal rather than the distance to the sample, so that the sampling is
        # not visible.
        out[near] = ((points - corner[index]) * normal[index]).sum(1)
        return out


def circle(x: F64, y: F64, radius: float) -> F64:
    """Signed distance to a circle round the origin."""
    return np.asarray(np.hypot(x, y) - radius)


def box(x: F64, y: F64, width: float, height: float, radius: float = 0.0) -> F64:
    """Signed distance to a rectangle with circular corners round the origin."""
    qx, qy = np.abs(x) - width / 2 + radius, np.abs(y) - height / 2 + radius
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return np.asarray(outside + np.minimum(np.maximum(qx, qy), 0) - radius)


def pill(x: F64, y: F64, width: float, height: float) -> F64:
    """Signed distance to a stadium: a rectangle whose short sides are half circles."""
    return box(x, y, width, height, min(width, height) / 2)


def ring(distance: F64, thickness: float) -> F64:
    """Signed distance to a band of `thickness` mm centred on the zero line of another distance."""
    return np.asarray(np.abs(distance) - thickness / 2)


def segment(x: F64, y: F64, start: tuple[float, float], end: tuple[float, float], thickness: float) -> F64:
    """Signed distance to a line with round ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = np.clip(((x - start[0]) * dx + (y - start[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.asarray(np.hypot(x - start[0] - along * dx, y - start[1] - along * dy) - thickness / 2)
