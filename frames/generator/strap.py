"""Straps of watches: holes to fasten them, woven loops, tubes side by side, in whatever colour is below."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from frames.generator.outline import pill
from frames.generator.paint import Canvas

DENSITY = 10.0


def holes(size: tuple[float, float]) -> Canvas:
    """A row of openings along the middle, up to the strap's end."""
    canvas = Canvas(size, DENSITY)
    pitch, width, length, first = 5.4, 2.0, 3.0, 10.8
    low = -size[1] / 2 + first
    count = int((size[1] - first - 4.0) // pitch) + 1
    nearest = np.clip(np.round((canvas.y - low) / pitch), 0, count - 1) * pitch + low
    d = pill(canvas.x, canvas.y - nearest, width, length)
    # A rounded edge: dark above, and light from above on the lower one.
    rise = np.clip((nearest - canvas.y) / length + 0.5, 0, 1)
    canvas.cover(canvas.coverage(np.abs(d - 0.18) - 0.2, 0.2) * rise * 0.30, "#ffffff")
    canvas.fill(d - 0.35, "#000000", 0.25, softness=0.5)
    canvas.fill(d, "#050506", 0.94, softness=0.12)
    return canvas


def loop(size: tuple[float, float]) -> Canvas:
    """Woven nylon: staggered rows of small loops between two flat edges."""
    canvas = Canvas(size, DENSITY)
    across, along, edge = 1.35, 0.95, 1.7
    row = np.floor(canvas.y / along)
    y = canvas.y / along - row - 0.5
    shifted = canvas.x / across + 0.5 * (row % 2)
    x = shifted - np.floor(shifted) - 0.5
    thread = np.clip(1 - 4 * (0.85 * x**2 + y**2), 0, 1)
    lit = np.clip(thread - 0.35, 0, 1) * np.clip(0.75 + y, 0, 1)
    inside = canvas.coverage(np.abs(canvas.x) - size[0] / 2 + edge, 0.3)
    canvas.cover(inside * (1 - np.sqrt(thread)) * 0.55, "#000000")
    canvas.cover(inside * lit * 0.15, "#ffffff")
    # The edges' threads run the other way.
    fine = 0.5 + 0.5 * np.cos(2 * np.pi * canvas.x / 0.55) * np.cos(2 * np.pi * canvas.y / 0.8)
    canvas.cover((1 - inside) * fine * 0.30, "#000000")
    seam = np.abs(np.abs(canvas.x) - size[0] / 2 + edge) - 0.1
    canvas.cover(canvas.coverage(seam, 0.25) * 0.45, "#000000")
    return canvas


def tubes(size: tuple[float, float]) -> Canvas:
    """Tubes of rubber across the strap, with two openings for the buckle between each and the next."""
    canvas = Canvas(size, DENSITY)
    pitch, smooth = 4.5, 5.5
    low = -size[1] / 2 + smooth
    start = (canvas.y - low) / pitch
    t = 2 * (start - np.floor(start)) - 1  # -1 to 1 up each tube
    begun = canvas.coverage(low - canvas.y, 0.4)
    canvas.cover(begun * np.clip((np.abs(t) - 0.3) / 0.7, 0, 1) ** 2 * 0.72, "#000000")
    canvas.cover(begun * np.exp(-(((t - 0.25) / 0.28) ** 2)) * 0.13, "#ffffff")
    gap = low + np.maximum(np.round(start), 1) * pitch
    for x in (-0.2 * size[0], 0.2 * size[0]):
        d = pill(canvas.x - x, canvas.y - gap, 0.2 * size[0], 1.5)
        canvas.fill(d - 0.25, "#000000", 0.4, softness=0.4)
        canvas.fill(d, "#040405", 0.95, softness=0.12)
    return canvas


# By the style of a part, which is a `Weave`.
WEAVES: dict[str, Callable[[tuple[float, float]], Canvas]] = {"holes": holes, "loop": loop, "tubes": tubes}
