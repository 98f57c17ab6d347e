"""A screen to draw on in points from its upper left corner, y down: shapes, text and curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.interpolate import PchipInterpolator

from frames.generator.outline import box, circle, segment
from frames.generator.paint import Canvas, rgb, to_bytes
from frames.generator.text import Align, Weight, lettering, measure
from service.arrays import F64, U8

Point = tuple[float, float]


class Page:
    """An RGB picture of `width` x `height` points at `scale` pixels each."""

    def __init__(self, width: int, height: int, scale: int, color: str = "#ffffff") -> None:
        self.width, self.height, self.scale = width, height, scale
        self.rgb = np.broadcast_to(rgb(color), (height * scale, width * scale, 3)).copy()

    def sky(self, stops: Sequence[tuple[float, str]]) -> None:
        """A vertical gradient through colours at heights 0-1."""
        heights = (np.arange(len(self.rgb)) + 0.5) / len(self.rgb)
        places = [place for place, _ in stops]
        colors = np.array([rgb(color) for _, color in stops])
        for channel in range(3):
            self.rgb[..., channel] = np.interp(heights, places, colors[:, channel])[:, None]

    def sketch(self, x: float, y: float, width: float, height: float) -> Canvas:
        """An empty canvas over part of the page, on its pixel grid; its y is the page's, negated."""
        left, top = int(np.floor(x)) - 1, int(np.floor(y)) - 1
        across, down = int(np.ceil(x + width)) + 1 - left, int(np.ceil(y + height)) + 1 - top
        return Canvas((across, down), self.scale, (left + across / 2, -(top + down / 2)))

    def lay(self, canvas: Canvas) -> None:
        """Composite a sketch; what lies beyond the page is dropped."""
        rows, columns = canvas.alpha.shape
        x = round((canvas.center[0] - canvas.size[0] / 2) * self.scale)
        y = round((-canvas.center[1] - canvas.size[1] / 2) * self.scale)
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + columns, self.rgb.shape[1]), min(y + rows, self.rgb.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        part = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
        under = self.rgb[y0:y1, x0:x1]
        under *= 1 - canvas.alpha[part][..., None]
        under += canvas.color[part]

    def panel(
        self,
        place: tuple[float, float, float, float],
        color: str,
        radius: float = 0.0,
        opacity: float = 1.0,
        shadow: float = 0.0,
    ) -> None:
        """A rounded rectangle (x, y, width, height), with a soft shadow of so much strength below it."""
        x, y, width, height = place
        reach = 24.0 if shadow else 0.0
        c = self.sketch(x - reach, y - reach, width + 2 * reach, height + 2 * reach)
        px, py = c.x - x - width / 2, c.y + y + height / 2
        if shadow:
            below = box(px, py + 5, width, height, radius)
            c.cover(np.exp(-((np.maximum(below, 0) / 9.0) ** 2)) * shadow, "#1b2440")
        c.fill(box(px, py, width, height, radius), color, opacity)
        self.lay(c)

    def disc(self, at: Point, radius: float, color: str, opacity: float = 1.0, softness: float = 0.0) -> None:
        """A filled circle."""
        reach = radius + softness
        c = self.sketch(at[0] - reach, at[1] - reach, 2 * reach, 2 * reach)
        c.fill(circle(c.x - at[0], c.y + at[1], radius), color, opacity, softness)
        self.lay(c)

    def glow(self, at: Point, radius: float, color: str, opacity: float) -> None:
        """A Gaussian spot of colour whose sigma is `radius`."""
        reach = 3.2 * radius
        c = self.sketch(at[0] - reach, at[1] - reach, 2 * reach, 2 * reach)
        square = (c.x - at[0]) ** 2 + (c.y + at[1]) ** 2
        c.cover(np.maximum(np.exp(-square / (2 * radius**2)) - 0.006, 0) * opacity, color)
        self.lay(c)

    def arc(self, at: Point, radius: float, turn: Point, thickness: float, color: str) -> None:
        """Part of a ring between two angles in degrees, clockwise from the top."""
        reach = radius + thickness
        c = self.sketch(at[0] - reach, at[1] - reach, 2 * reach, 2 * reach)
        x, y = c.x - at[0], c.y + at[1]
        angle = np.degrees(np.arctan2(x, y)) % 360
        inside = ((angle - turn[0]) % 360) <= turn[1] - turn[0]
        d = np.where(inside, np.abs(circle(x, y, radius)) - thickness / 2, 9e9)
        for end in np.radians(turn):
            tip = radius * float(np.sin(end)), radius * float(np.cos(end))
            d = np.minimum(d, circle(x - tip[0], y - tip[1], thickness / 2))
        c.fill(d, color)
        self.lay(c)

    def text(
        self,
        words: str,
        at: Point,
        size: float,
        weight: Weight = "Regular",
        color: str = "#ffffff",
        opacity: float = 1.0,
        align: Align = "left",
    ) -> None:
        """A line of text, its capitals centred on the height of `at`."""
        width = measure(words, size, weight)
        left = at[0] - {"left": 0.0, "middle": width / 2, "right": width}[align]
        c = self.sketch(left - size, at[1] - size, width + 2 * size, 2 * size)
        c.cover(lettering(c, words, (at[0], -at[1]), size, weight, align) * opacity, color)
        self.lay(c)

    def line(self, points: Sequence[Point], thickness: float, color: str, opacity: float = 1.0) -> None:
        """A polyline with round ends and joints."""
        left, top = (min(p[i] for p in points) - thickness for i in (0, 1))
        right, bottom = (max(p[i] for p in points) + thickness for i in (0, 1))
        c = self.sketch(left, top, right - left, bottom - top)
        d: F64 = np.full_like(c.x, 9e9)
        for start, end in pairwise(points):
            d = np.minimum(d, segment(c.x, -c.y, start, end, thickness))
        c.fill(d, color, opacity)
        self.lay(c)

    def under(self, points: Sequence[Point], floor: float, color: str, opacity: float) -> None:
        """The area between a curve and a floor, fading downward."""
        left, right, top = points[0][0], points[-1][0], min(p[1] for p in points)
        c = self.sketch(left, top, right - left, floor - top)
        height = np.interp(c.x[0], [p[0] for p in points], [p[1] for p in points])
        inside = c.coverage(
            np.maximum(np.maximum(left - c.x, c.x - right), np.maximum(height + c.y, -c.y - floor))
        )
        fade = np.clip((floor + c.y) / (floor - top), 0, 1)
        c.cover(inside * fade * opacity, color)
        self.lay(c)

    def pixels(self) -> U8:
        """HxWx3 RGB uint8."""
        return to_bytes(self.rgb)


def smooth(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """A monotone cubic through points, as a polyline with `steps` pieces between each pair."""
    x, y = np.array(points).T
    fine = np.interp(np.arange((len(x) - 1) * steps + 1) / steps, np.arange(len(x)), x)
    return [(float(a), float(b)) for a, b in zip(fine, PchipInterpolator(x, y)(fine), strict=True)]
