"""Drawings on monitors and televisions: print around the screen, sockets and vents."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import box, circle, pill, ring
from frames.generator.paint import Canvas

DENSITY = 2.2


def border(size: tuple[float, float], color: str) -> Canvas:
    """The print under the front glass, `color` without its #."""
    canvas = Canvas(size, DENSITY)
    canvas.fill(np.full_like(canvas.x, -9.0), f"#{color}")
    return canvas


def bay(size: tuple[float, float]) -> Canvas:
    """A recess for sockets. It is shaded below its upper edge, and its lower wall is lit; on black it is a
    little lighter than its surroundings."""
    canvas = Canvas((size[0] + 2.0, size[1] + 2.0), 3)
    d = box(canvas.x, canvas.y, *size, 4.0)
    inside = canvas.coverage(d)
    canvas.cover(inside * 0.62, "#3d3f43")
    below = np.exp(-np.maximum(size[1] / 2 - canvas.y, 0) / 5.0) + 0.5 * np.exp(d / 2.5)
    canvas.cover(inside * np.clip(0.45 * below, 0, 0.6), "#000000")
    lit = np.clip(-canvas.y / size[1] * 2, 0, 1) ** 4 * canvas.coverage(np.abs(d + 0.5) - 0.5, 0.5)
    canvas.cover(lit * 0.5, "#ffffff")
    canvas.cover(canvas.coverage(np.abs(d) - 0.2, 0.3) * 0.4, "#000000")
    return canvas


def cable_hole(diameter: float) -> Canvas:
    """A dark hole through a plate, whose lower wall catches light from above."""
    canvas = Canvas((diameter + 1.0, diameter + 1.0), 6)
    hole = circle(canvas.x, canvas.y, diameter / 2)
    canvas.fill(hole - 0.25, "#000000", 0.25, softness=0.5)
    canvas.fill(hole, "#000000", 0.66 + 0.24 * np.clip(0.5 + canvas.y / diameter, 0, 1))
    # Seen straight on, little of the wall shows; from above, its lower part.
    wall = np.maximum(hole, -circle(canvas.x, canvas.y - 1.1, diameter / 2))
    canvas.fill(wall, "#ffffff", 0.38, softness=0.5)
    return canvas


def deep_hole(diameter: float) -> Canvas:
    """A hole through a thick post: black above, and below the front of its wall, which catches light."""
    canvas = Canvas((diameter + 1.0, diameter + 1.0), 6)
    hole = circle(canvas.x, canvas.y, diameter / 2)
    canvas.fill(hole - 0.25, "#000000", 0.35, softness=0.5)
    canvas.fill(hole, "#000000", 0.80 + 0.17 * np.clip(0.5 + canvas.y / diameter, 0, 1))
    wall = np.maximum(hole, -circle(canvas.x, canvas.y - 0.09 * diameter, 0.4925 * diameter))
    depth = np.clip(-hole / (0.10 * diameter), 0, 1)
    canvas.fill(wall, "#ffffff", 0.42 * (1 - 0.75 * depth), softness=0.4)
    return canvas


def vents(size: tuple[float, float], count: int, pitch: float) -> Canvas:
    """A row of upright slits."""
    canvas = Canvas(((count - 1) * pitch + size[0] + 1.0, size[1] + 1.0), 5)
    x = canvas.x + (count - 1) * pitch / 2
    nearest = np.clip(np.round(x / pitch), 0, count - 1) * pitch
    d = pill(x - nearest, canvas.y, *size)
    canvas.fill(d - 0.15, "#000000", 0.3, softness=0.4)
    canvas.fill(d, "#0a0a0b", 0.92, softness=0.25)
    # One side of each slit catches light; otherwise, slits would be invisible on black.
    wall = np.maximum(d, -pill(x - nearest + 0.3 * size[0], canvas.y - 0.2 * size[0], *size))
    canvas.fill(wall, "#b0b2b7", 0.75, softness=0.3)
    return canvas


def thread(diameter: float) -> Canvas:
    """A threaded hole in an insert of metal, for a mount on the wall."""
    canvas = Canvas((diameter + 1.0, diameter + 1.0), 6)
    x, y, radius = canvas.x, canvas.y, diameter / 2
    canvas.fill(circle(x, y, radius + 0.3), "#000000", 0.4, softness=0.4)
    canvas.fill(circle(x, y, radius), "#6c6e72")
    canvas.fill(circle(x, y, 0.82 * radius), "#8e9095", softness=0.3)
    canvas.fill(circle(x, y, 0.6 * radius), "#101113", softness=0.2)
    canvas.fill(ring(circle(x, y, 0.42 * radius), 0.3), "#3c3e42", softness=0.2)
    return canvas


def mains(size: tuple[float, float]) -> Canvas:
    """An inlet for mains in its recess: three pins, or two where it is flat."""
    canvas = Canvas((size[0] + 2.0, size[1] + 2.0), 5)
    x, y, (width, height) = canvas.x, canvas.y, size
    flat = width > 1.6 * height
    if flat:
        d = np.minimum(*(circle(x - side * (width - height) / 2, y, height / 2) for side in (-1, 1)))
        d = np.minimum(d, box(x, y, width - height, 0.8 * height))
    else:
        cut = (np.abs(x) + y - width / 2 - height / 2 + 0.28 * height) / np.sqrt(2)
        d = np.maximum(box(x, y, width, height, 1.2), cut)
    canvas.fill(d - 0.5, "#8e9095", 0.45, softness=0.6)
    canvas.fill(d, "#09090a", 0.97, softness=0.2)
    pins = [(-0.25, 0.0), (0.25, 0.0)] if flat else [(-0.26, -0.1), (0.0, 0.14), (0.26, -0.1)]
    for across, up in pins:
        at = x - across * width, y - up * height
        pin = circle(*at, 0.13 * height) if flat else box(*at, 0.09 * width, 0.26 * height, 0.3)
        canvas.fill(pin, "#8b8d92", 0.9, softness=0.2)
    return canvas
