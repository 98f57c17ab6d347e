"""Drawings on phones, tablets and consoles, except for lenses: earpiece, buttons, and details of backs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from frames.generator.outline import Outline, box, circle, pill, ring
from frames.generator.paint import Canvas
from frames.generator.text import lettering
from service.arrays import F64

GRAIN = 0.95  # mm; cells of leather


def earpiece(size: tuple[float, float]) -> Canvas:
    """A slit in the front glass."""
    width, height = size
    slit = Canvas((width + 0.6, height + 0.6), 20)
    slit.fill(pill(slit.x, slit.y, width + 0.2, height + 0.2), "#17171a")
    slit.fill(pill(slit.x, slit.y, width, height), "#000000")
    return slit


def connector() -> Canvas:
    """Three contacts on a tablet's back, one above the other."""
    canvas = Canvas((3.2, 13.0), 16)
    for step in (-4.0, 0.0, 4.0):
        d = pill(canvas.x, canvas.y - step, 2.2, 2.2)
        canvas.fill(d - 0.12, "#000000", 0.35)
        canvas.fill(d, "#cfc9ba", 0.75)
    return canvas


def pin(diameter: float) -> Canvas:
    """A golden contact in a ring of dark plastic."""
    canvas = Canvas((diameter + 0.8, diameter + 0.8), 16)
    away = circle(canvas.x, canvas.y, diameter / 2)
    canvas.fill(away - 0.3, "#2a2a2c", 0.7)
    canvas.fill(away, "#c9b88c")
    canvas.light(np.clip(0.5 + (canvas.y - canvas.x) / diameter, 0, 1) * 0.2, "#fff4d8")
    return canvas


def home(diameter: float) -> Canvas:
    """A home button: a disc of black glass in a thin ring of dark metal."""
    canvas = Canvas((diameter + 0.6, diameter + 0.6), 20)
    r = diameter / 2
    canvas.fill(circle(canvas.x, canvas.y, r + 0.12), "#000000")
    canvas.fill(circle(canvas.x, canvas.y, r), "#35363a")
    canvas.light(np.clip(0.5 + (canvas.y - canvas.x) / diameter, 0, 1) * 0.35, "#5a5c62")
    canvas.fill(circle(canvas.x, canvas.y, r - 0.42), "#060607", softness=0.08)
    canvas.glow((0.0, -0.35 * r), 0.5 * r, "#101013", 0.7)
    return canvas


def legend(size: tuple[float, float], name: str) -> Canvas:
    """The letter or sign on a button."""
    canvas = Canvas(size, 20)
    if name in SIGNS:
        cover = canvas.coverage(SIGNS[name](canvas.x / size[0], canvas.y / size[1]) * size[0], 0.06)
    else:
        cover = lettering(canvas, name.upper(), (0.0, 0.0), size[1] * 1.3, "SemiBold", "middle")
    canvas.cover(cover * 0.95, "#e2e3e6")
    return canvas


def dish(diameter: float) -> Canvas:
    """The light in a stick's hollow top, lit from above: its upper slope is dark, and its lower one light."""
    canvas = Canvas((diameter, diameter), 12)
    r = diameter / 2
    away = np.hypot(canvas.x, canvas.y) / r
    slope = np.clip(away / 0.8, 0, 1) ** 1.5 * np.clip((1.0 - away) / 0.12, 0, 1)
    rise = canvas.y / np.maximum(np.hypot(canvas.x, canvas.y), 1e-6)
    canvas.cover(0.62 * slope * np.clip(0.5 + 0.5 * rise, 0, 1) ** 1.5, "#000000")
    canvas.cover(0.16 * slope * np.clip(0.5 - 0.5 * rise, 0, 1) ** 2, "#ffffff")
    return canvas


def _triangle(x: F64, y: F64) -> F64:
    """A triangle that points up; like the other signs, in units of its height."""
    return np.asarray(np.maximum((2 * np.abs(x) + y) / np.sqrt(5) - 0.11, -y - 0.2))


def _home(x: F64, y: F64) -> F64:
    """A house, as a line, with its door."""
    house = np.maximum(np.abs(x) - 0.26, np.maximum(-y - 0.32, (np.abs(x) + y) / np.sqrt(2) - 0.23))
    return np.asarray(np.minimum(ring(house, 0.09), box(x, y + 0.2, 0.13, 0.24)))


def _capture(x: F64, y: F64) -> F64:
    """A circle in a square."""
    return np.asarray(np.minimum(ring(box(x, y, 0.6, 0.6, 0.1), 0.08), circle(x, y, 0.15)))


SIGNS: dict[str, Callable[[F64, F64], F64]] = {
    "up": _triangle,
    "down": lambda x, y: _triangle(x, -y),
    "left": lambda x, y: _triangle(y, -x),
    "right": lambda x, y: _triangle(y, x),
    "home": _home,
    "capture": _capture,
}


def hairline(size: tuple[float, float]) -> Canvas:
    """A fine gap in the shape of a rectangle with rounded corners, or a straight one if it is thin."""
    canvas = Canvas((size[0] + 0.6, size[1] + 0.6), 8)
    radius = min(min(size) / 2, 7.0)
    edge = Outline(*size, radius, 2.4).distance(canvas.x, canvas.y)
    canvas.fill(ring(edge, 0.16), "#000000", 0.42)
    canvas.fill(ring(edge + 0.16, 0.14), "#ffffff", 0.10)
    return canvas


def flap(size: tuple[float, float]) -> Canvas:
    """A stand folded into the back: the gap at its hinge, and fine ones down its sides and below."""
    canvas = Canvas((size[0] + 1.0, size[1] + 1.0), 8)
    x, y = canvas.x, canvas.y
    # The flap has only round lower corners.
    edge = np.maximum(box(x, y - size[1] / 2, size[0], 2 * size[1], 7.0), y - size[1] / 2)
    canvas.fill(ring(edge, 0.2), "#000000", 0.5)
    canvas.fill(ring(edge + 0.2, 0.16), "#ffffff", 0.10)
    away = np.abs(y - size[1] / 2 + 0.3)
    inside = canvas.coverage(edge)
    canvas.cover(inside * canvas.coverage(away - 0.3, 0.1) * 0.8, "#000000")
    canvas.cover(inside * canvas.coverage(np.abs(y - size[1] / 2 + 0.75) - 0.1, 0.15) * 0.14, "#ffffff")
    return canvas


def lamp(side: float) -> Canvas:
    """A small square light, off: red behind a clear cover."""
    canvas = Canvas((side + 0.4, side + 0.4), 20)
    shape = box(canvas.x, canvas.y, side, side, side * 0.18)
    canvas.fill(shape - 0.1, "#000000", 0.3, softness=0.15)
    canvas.fill(shape, "#b3261c")
    canvas.glow((0.0, 0.0), side * 0.3, "#5a1410", 0.8)
    return canvas


def matrix(diameter: float) -> Canvas:
    """A round display of small lamps under dark glass, unlit."""
    canvas = Canvas((diameter + 0.6, diameter + 0.6), 16)
    # A pitch of whole pixels makes all lamps alike, and the file small.
    r, pitch = diameter / 2, round(diameter / 27 / canvas.pixel) * canvas.pixel
    canvas.fill(circle(canvas.x, canvas.y, r + 0.15), "#000000", 0.5, softness=0.2)
    canvas.fill(circle(canvas.x, canvas.y, r), "#0b0b0d")
    x, y = (np.remainder(axis + pitch / 2, pitch) - pitch / 2 for axis in (canvas.x, canvas.y))
    lamps = np.maximum(circle(x, y, pitch * 0.30), circle(canvas.x, canvas.y, r - 0.8))
    canvas.fill(lamps, "#3c3d40")
    return canvas


def crease(size: tuple[float, float]) -> Canvas:
    """A screen's fold, which runs along the picture's longer side: a valley, soft and shallow.

    One slope is turned away from the light and takes some from the screen, the other mirrors a little more.
    """
    canvas = Canvas(size, 4)
    away = (canvas.x if size[0] < size[1] else -canvas.y) / min(size)
    ends = np.clip(1 - (2 * away) ** 2, 0, 1) ** 2
    canvas.cover(ends * np.exp(-(((away + 0.12) / 0.16) ** 2)) * 0.15, "#000000")
    canvas.cover(ends * np.exp(-(((away - 0.14) / 0.13) ** 2)) * 0.022, "#ffffff")
    return canvas


def strip(size: tuple[float, float]) -> Canvas:
    """A line of polished metal let into the back: bright, with a dark edge below and a glint above."""
    canvas = Canvas((size[0] + 0.6, size[1] + 0.6), 16)
    shape = box(canvas.x, canvas.y, *size, min(size) * 0.2)
    canvas.fill(shape - 0.12, "#000000", 0.5, softness=0.12)
    canvas.fill(shape, "#9aa0a7")
    rise = np.clip(0.5 + canvas.y / size[1], 0, 1)
    canvas.light(rise**2 * 0.45, "#ffffff")
    return canvas


def panel(size: tuple[float, float], *, ribs: bool = False) -> Canvas:
    """A part under clear glass, sunk into its ground, in its own tone, and smooth or with fine ribs."""
    canvas = Canvas((size[0] + 1.2, size[1] + 1.2), 3.4)
    x, y = canvas.x, canvas.y
    shape = Outline(*size, min(min(size) / 2, 6.0), 2.4).distance(x, y)
    canvas.fill(shape - 0.3, "#000000", 0.5, softness=0.35)
    canvas.erase(shape)
    canvas.fill(shape, "#7d8084", 0.30 if ribs else 0.20)
    if ribs:
        pitch = 1.6
        across = np.abs(np.remainder(y, pitch) - pitch / 2)
        inside = np.maximum(across - 0.22, shape + 1.6)
        canvas.fill(inside, "#000000", 0.22, softness=0.2)
    # The upper edge of the back around the part casts a shadow on the part, and the lower edge catches light.
    fall = np.exp(np.minimum(shape, 0) / 0.8) * canvas.coverage(shape)
    canvas.cover(fall * np.clip(0.5 + y / size[1], 0, 1) * 0.42, "#000000")
    canvas.cover(fall * np.clip(0.5 - y / size[1], 0, 1) * 0.26, "#ffffff")
    return canvas


def leather(size: tuple[float, float]) -> Canvas:
    """The grain of leather: rounded cells of less than a millimetre with furrows between them."""
    # Imported here, because it takes a while to load and no other part needs it.
    from scipy.spatial import KDTree

    canvas = Canvas(size, 2.7)
    generator = np.random.default_rng(13)
    columns, rows = (int(side / GRAIN) + 3 for side in size)
    across, up = np.meshgrid(np.arange(columns), np.arange(rows))
    cells = np.column_stack([across.ravel(), up.ravel()]) + generator.uniform(-0.42, 0.42, (across.size, 2))
    cells = cells * GRAIN - np.add(size, 2 * GRAIN) / 2
    pixels = np.column_stack([canvas.x.ravel(), canvas.y.ravel()])
    away, nearest = KDTree(cells).query(pixels, k=2)
    furrow = np.clip(1 - (away[:, 1] - away[:, 0]) / 0.3, 0, 1).reshape(canvas.x.shape)
    raised = (pixels - cells[nearest[:, 0]])[:, 1].reshape(canvas.x.shape) / GRAIN
    edge = canvas.coverage(Outline(*size, 8.0, 2.6).distance(canvas.x, canvas.y))
    # Values have only a few steps, which keeps the file small.
    canvas.cover(np.round(np.clip(raised, 0, 0.6) * (1 - furrow) * 3) / 3 * 0.06 * edge, "#ffffff")
    canvas.cover(np.round(furrow * 3) / 3 * 0.34 * edge, "#000000")
    return canvas
