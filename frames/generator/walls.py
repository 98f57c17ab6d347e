"""Drawings on side walls: ports, holes, seams, bands, the gaps round buttons."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import box, circle, pill, ring
from frames.generator.paint import Canvas

DENSITY = 20.0
INK = "#020203"


def port(size: tuple[float, float]) -> Canvas:
    """A connector: a dark mouth with a tongue in it and a soft inner bevel."""
    c = Canvas((size[0] + 0.8, size[1] + 0.8), DENSITY)
    c.fill(pill(c.x, c.y, size[0] + 0.3, size[1] + 0.3), INK, 0.45, softness=0.3)
    c.fill(pill(c.x, c.y, *size), INK, 0.97)
    c.fill(pill(c.x, c.y, size[0] - 1.9, 0.75), "#26262a", 0.9)
    return c


def usb(size: tuple[float, float]) -> Canvas:
    """A rectangular connector with a flat tongue at its upper side."""
    c = Canvas((size[0] + 0.8, size[1] + 0.8), DENSITY)
    c.fill(box(c.x, c.y, size[0] + 0.3, size[1] + 0.3, 0.6), INK, 0.45, softness=0.3)
    c.fill(box(c.x, c.y, *size, 0.4), INK, 0.97)
    c.fill(box(c.x, c.y - size[1] * 0.17, size[0] - 1.6, size[1] * 0.34, 0.2), "#2a2a2e", 0.9)
    return c


def hdmi(size: tuple[float, float]) -> Canvas:
    """A flat connector whose lower corners are cut off, in a thin metal shell."""
    c = Canvas((size[0] + 0.8, size[1] + 0.8), DENSITY)
    slant = (np.abs(c.x) - c.y - size[0] / 2 - size[1] / 2 + 1.9) / np.sqrt(2)
    d = np.maximum(box(c.x, c.y, *size, 0.4), slant)
    c.fill(d - 0.15, INK, 0.45, softness=0.3)
    c.fill(d, "#6f7175")
    c.fill(d + 0.3, INK, 0.97)
    c.fill(box(c.x, c.y - 0.1, size[0] - 3.4, size[1] * 0.3, 0.2), "#26262a", 0.9)
    return c


def holes(size: tuple[float, float], count: int, pitch: float) -> Canvas:
    """A row of round holes."""
    c = Canvas(((count - 1) * pitch + size[0] + 0.6, size[1] + 0.6), DENSITY)
    first = -(count - 1) * pitch / 2
    for index in range(count):
        d = circle(c.x - first - index * pitch, c.y, size[0] / 2)
        c.fill(d - 0.12, INK, 0.35, softness=0.2)
        c.fill(d, INK, 0.96)
    return c


def slot(size: tuple[float, float]) -> Canvas:
    """A long speaker or microphone opening."""
    c = Canvas((size[0] + 0.6, size[1] + 0.6), DENSITY)
    c.fill(pill(c.x, c.y, size[0] + 0.2, size[1] + 0.2), INK, 0.4, softness=0.2)
    c.fill(pill(c.x, c.y, *size), INK, 0.95)
    return c


def seam(size: tuple[float, float]) -> Canvas:
    """A tray flush with the wall: the hairline round it and the pin's hole."""
    c = Canvas((size[0] + 0.6, size[1] + 0.6), DENSITY)
    c.fill(ring(pill(c.x, c.y, *size), 0.11), INK, 0.75)
    c.fill(circle(c.x - size[0] / 2 + size[1] * 0.55, c.y, 0.42), INK, 0.9)
    return c


def control(size: tuple[float, float]) -> Canvas:
    """A touch-sensitive key that is flush with the wall: a hairline and a slightly different tone."""
    c = Canvas((size[0] + 1.0, size[1] + 1.0), DENSITY)
    d = pill(c.x, c.y, *size)
    c.fill(d, INK, 0.16)
    c.fill(ring(d, 0.16), INK, 0.72)
    return c


def band(size: tuple[float, float]) -> Canvas:
    """An antenna's plastic line across the metal."""
    c = Canvas(size, DENSITY)
    c.fill(np.abs(c.x) - size[0] / 2 + 0.06, INK, 0.30)
    return c


def gap(size: tuple[float, float]) -> Canvas:
    """The line between the halves of a folding frame."""
    c = Canvas(size, DENSITY)
    c.fill(np.abs(c.x) - size[0] * 0.3, INK, 0.9)
    return c


def screw(size: tuple[float, float]) -> Canvas:
    """A recessed screw head."""
    c = Canvas((size[0] + 0.2, size[1] + 0.2), DENSITY)
    c.fill(circle(c.x, c.y, size[0] / 2), INK, 0.55)
    c.fill(circle(c.x, c.y, size[0] * 0.36), INK, 0.35)
    c.fill(circle(c.x, c.y, size[0] * 0.16), INK, 0.9)
    return c


def dots(size: tuple[float, float], count: int, pitch: float) -> Canvas:
    """Flat contacts in a row."""
    c = Canvas(((count - 1) * pitch + size[0] + 0.4, size[1] + 0.4), DENSITY)
    for index in range(count):
        d = pill(c.x + (count - 1) * pitch / 2 - index * pitch, c.y, *size)
        c.fill(ring(d, 0.1), INK, 0.5)
        c.fill(d, "#c9c4b4", 0.5)
    return c


def well(size: tuple[float, float]) -> Canvas:
    """The gap round a button and the shade it casts on the wall."""
    c = Canvas((size[0] + 2.0, size[1] + 1.6), DENSITY)
    d = pill(c.x, c.y, *size)
    c.fill(np.full_like(d, -9.0), INK, 0.62 * np.exp(-np.maximum(d, 0) / 0.16) * c.coverage(d - 0.7, 0.3))
    c.fill(d - 0.07, INK, 0.92)
    return c
