"""Textures of watch straps: holes to fasten them, woven loops, and tubes side by side, all in the colour of
the surface below."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from frames.generator.outline import circle, pill
from frames.generator.paint import Canvas

DENSITY = 10.0


def holes(size: tuple[float, float]) -> Canvas:
    """A row of openings along the middle, from the rounded end down."""
    canvas = Canvas(size, DENSITY)
    pitch, width, length, last, count = 5.0, 2.0, 3.0, 8.5, 7
    low = size[1] / 2 - last - (count - 1) * pitch
    nearest = np.clip(np.round((canvas.y - low) / pitch), 0, count - 1) * pitch + low
    d = pill(canvas.x, canvas.y - nearest, width, length)
    # The rounded edge of an opening: the upper edge is dark, and the lower one catches light from above.
    rise = np.clip((nearest - canvas.y) / length + 0.5, 0, 1)
    canvas.cover(canvas.coverage(np.abs(d - 0.18) - 0.2, 0.2) * rise * 0.30, "#ffffff")
    canvas.fill(d - 0.35, "#000000", 0.25, softness=0.5)
    canvas.fill(d, "#050506", 0.94, softness=0.12)
    return canvas


def pin(size: tuple[float, float]) -> Canvas:
    """The strap's other end: a metal stud that goes through a hole, and a slit for the loose end."""
    canvas = Canvas(size, DENSITY)
    x, top = canvas.x, size[1] / 2 - canvas.y  # mm from the end
    slit = pill(x, top - 12.6, size[0] * 0.6, 2.5)
    lit = np.clip((top - 12.6) / 2.5 + 0.5, 0, 1) * canvas.coverage(np.abs(slit - 0.18) - 0.2, 0.2)
    canvas.cover(lit * 0.30, "#ffffff")
    canvas.fill(slit - 0.35, "#000000", 0.25, softness=0.5)
    canvas.fill(slit, "#050506", 0.94, softness=0.12)
    stud = circle(x, top - 6.2, 1.9)
    canvas.fill(stud - 0.3, "#000000", 0.35, softness=0.5)
    canvas.fill(stud, "#5c5e62")
    canvas.fill(stud + 0.35, "#85878b", softness=0.3)
    return canvas


def loop(size: tuple[float, float]) -> Canvas:
    """Woven nylon: staggered rows of small loops between two flat edges."""
    canvas = Canvas(size, DENSITY)
    across, along, edge = 1.05, 0.75, 1.7
    row = np.floor(canvas.y / along)
    y = canvas.y / along - row - 0.5
    shifted = canvas.x / across + 0.5 * (row % 2)
    x = shifted - np.floor(shifted) - 0.5
    thread = np.clip(1 - 4 * (0.85 * x**2 + y**2), 0, 1)
    lit = np.clip(thread - 0.35, 0, 1) * np.clip(0.75 + y, 0, 1)
    inside = canvas.coverage(np.abs(canvas.x) - size[0] / 2 + edge, 0.3)
    canvas.cover(inside * (1 - np.sqrt(thread)) * 0.42, "#000000")
    canvas.cover(inside * lit * 0.10, "#ffffff")
    # The edges' threads run the other way.
    fine = 0.5 + 0.5 * np.cos(2 * np.pi * canvas.x / 0.55) * np.cos(2 * np.pi * canvas.y / 0.8)
    canvas.cover((1 - inside) * fine * 0.30, "#000000")
    seam = np.abs(np.abs(canvas.x) - size[0] / 2 + edge) - 0.1
    canvas.cover(canvas.coverage(seam, 0.25) * 0.45, "#000000")
    return canvas


def tubes(size: tuple[float, float]) -> Canvas:
    """Tubes of rubber across the strap, with two openings for the buckle between each and the next.

    The last tube is whole and its end is bare, because it shows on the rounded end of the strap.
    """
    canvas = Canvas(size, DENSITY)
    smooth = 5.5
    count = round((size[1] - smooth) / 4.5)
    pitch, low = (size[1] - smooth) / count, -size[1] / 2 + smooth
    start = (canvas.y - low) / pitch
    t = 2 * (start - np.floor(start)) - 1  # -1 to 1 up each tube
    begun = canvas.coverage(low - canvas.y, 0.4)
    # Half a cylinder: its lower side faces the dark, its upper side mirrors the light as a narrow line.
    canvas.cover(begun * np.clip(-t, 0, 1) ** 1.5 * 0.34, "#000000")
    canvas.cover(begun * np.exp(-(((t - 0.30) / 0.30) ** 2)) * 0.10, "#ffffff")
    canvas.cover(begun * np.exp(-(((t - 0.46) / 0.11) ** 2)) * 0.16, "#ffffff")
    # Tubes meet in a groove that is black at its bottom.
    met = begun * (start < count - 0.5)
    canvas.cover(met * np.clip((np.abs(t) - 0.62) / 0.38, 0, 1) ** 1.5 * 0.62, "#000000")
    canvas.cover(met * np.clip((np.abs(t) - 0.90) / 0.06, 0, 1) * 0.55, "#000000")
    gap = low + np.clip(np.round(start), 1, count - 1) * pitch
    for x in (-0.2 * size[0], 0.2 * size[0]):
        d = pill(canvas.x - x, canvas.y - gap, 0.2 * size[0], 1.5)
        canvas.fill(d - 0.25, "#000000", 0.4, softness=0.4)
        canvas.fill(d, "#040405", 0.95, softness=0.12)
    return canvas


# How to draw a part, by its style: a `Weave`, or the `pin` that fits `holes`.
WEAVES: dict[str, Callable[[tuple[float, float]], Canvas]] = {
    "holes": holes,
    "pin": pin,
    "loop": loop,
    "tubes": tubes,
}
