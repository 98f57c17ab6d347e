"""Antialiased drawing from distance fields on canvases measured in mm."""

from __future__ import annotations

import numpy as np

from service.arrays import F64, U8


def rgb(color: str) -> F64:
    """A hex colour as three numbers 0-255."""
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], np.float64)


class Canvas:
    """An RGBA picture of `size` mm round `center`, at about `density` px/mm, y up; starts out transparent.

    `x` and `y` hold the pixel centres in mm. Pixels are kept premultiplied, as float64 0-255.
    """

    def __init__(
        self, size: tuple[float, float], density: float, center: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self.size, self.center = size, center
        columns, rows = (max(1, round(side * density)) for side in size)
        self.pixel = size[0] / columns
        across = ((np.arange(columns) + 0.5) / columns - 0.5) * size[0] + center[0]
        up = (0.5 - (np.arange(rows) + 0.5) / rows) * size[1] + center[1]
        self.x, self.y = np.meshgrid(across, up)
        self.color = np.zeros((rows, columns, 3))
        self.alpha = np.zeros((rows, columns))

    def part(self, center: tuple[float, float], size: tuple[float, float]) -> Canvas:
        """A view of the pixels in and around a rectangle, mm; painting on it paints on the whole picture."""
        across, up = self.x[0], self.y[:, 0]
        x0, x1 = np.searchsorted(across, [center[0] - size[0] / 2, center[0] + size[0] / 2])
        y0, y1 = np.searchsorted(-up, [-center[1] - size[1] / 2, -center[1] + size[1] / 2])
        x0, y0, x1, y1 = max(x0 - 2, 0), max(y0 - 2, 0), min(x1 + 2, len(across)), min(y1 + 2, len(up))
        found = object.__new__(Canvas)
        found.pixel, found.size = self.pixel, ((x1 - x0) * self.pixel, (y1 - y0) * self.pixel)
        left, top = self.center[0] - self.size[0] / 2, self.center[1] + self.size[1] / 2
        found.center = (left + (x0 + x1) / 2 * self.pixel, top - (y0 + y1) / 2 * self.pixel)
        where = slice(y0, y1), slice(x0, x1)
        found.x, found.y = self.x[where], self.y[where]
        found.color, found.alpha = self.color[where], self.alpha[where]
        return found

    def coverage(self, distance: F64, softness: float = 0.0) -> F64:
        """The share of each pixel, 0-1, that lies inside, with the edge blurred over `softness` mm."""
        return np.asarray(np.clip(0.5 - distance / max(self.pixel, softness), 0, 1))

    def fill(self, distance: F64, color: str, opacity: float | F64 = 1.0, softness: float = 0.0) -> None:
        """Paint the inside of a distance field over the picture."""
        self.cover(self.coverage(distance, softness) * opacity, color)

    def cover(self, cover: F64, color: str) -> None:
        """Paint a colour over the picture, with a coverage (0-1) for each pixel."""
        self.color *= (1 - cover)[..., None]
        self.color += rgb(color) * cover[..., None]
        self.alpha *= 1 - cover
        self.alpha += cover

    def light(self, amount: F64, color: str) -> None:
        """Add a colour, `amount` 0-1 per pixel, only where paint is."""
        self.color += (amount * self.alpha)[..., None] * rgb(color)
        np.minimum(self.color, 255, out=self.color)

    def glow(self, at: tuple[float, float], radius: float, color: str, strength: float = 1.0) -> None:
        """Add a Gaussian spot of light whose sigma is `radius` mm."""
        square = (self.x - at[0]) ** 2 + (self.y - at[1]) ** 2
        self.light(np.exp(-square / (2 * radius**2)) * strength, color)

    def erase(self, distance: F64, softness: float = 0.0) -> None:
        """Make the inside of a distance field transparent."""
        keep = 1 - self.coverage(distance, softness)
        self.color *= keep[..., None]
        self.alpha *= keep

    def pixels(self) -> U8:
        """HxWx4 straight-alpha RGBA, uint8."""
        straight = self.color / np.maximum(self.alpha, 1e-6)[..., None]
        return to_bytes(np.dstack([straight, self.alpha * 255]))


def to_bytes(values: F64) -> U8:
    """Round 0-255 values to uint8."""
    return np.clip(values + 0.5, 0, 255).astype(np.uint8)
