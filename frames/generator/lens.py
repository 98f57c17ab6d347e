"""Camera lenses as stacks of flat layers. Deeper layers shift as the device turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from frames.generator.outline import box, circle, pill, ring
from frames.generator.paint import Canvas
from service.arrays import F64

DENSITY = 20.0
SOFT = 11.0  # px per mm for elements deep in a lens, which are out of focus


def crescent(canvas: Canvas, radius: float, width: float, angle: float, spread: float) -> F64:
    """A soft arc of light (0-1) round the origin: Gaussian across, a power of the cosine along (degrees)."""
    r = np.hypot(canvas.x, canvas.y)
    turn = np.cos(np.arctan2(canvas.y, canvas.x) - np.radians(angle))
    return np.asarray(np.exp(-(((r - radius) / width) ** 2)) * np.maximum(turn, 0) ** spread)


class Coating(NamedTuple):
    """The colours that a lens' coatings mirror, and the angle of its reflections, in degrees."""

    broad: str
    rim: str
    inner: str
    lamp: str
    spark: str
    turned: float


#: By the style of a part, see `art.COATINGS`.
COATINGS = {
    "violet": Coating("#3a4ea8", "#6a3fb0", "#2f7f78", "#9ab4f0", "#b09cf0", 0.0),
    "green": Coating("#2a6a68", "#35508e", "#5a6a34", "#a4dcc8", "#8fb0e8", 38.0),
    "amber": Coating("#6a4668", "#8a5a34", "#3a5a98", "#e8ccb0", "#d49cc0", -32.0),
}


def elements(r: float, coating: Coating) -> Canvas:
    """The glass elements deep inside: dark rings, the pupil and the coatings' reflections."""
    c = Canvas((2 * r, 2 * r), SOFT)
    for share, color in ((0.98, "#08080b"), (0.80, "#15171d"), (0.77, "#07080b"), (0.60, "#101219")):
        c.fill(circle(c.x, c.y, r * share), color)
    for share, color in ((0.57, "#06070b"), (0.42, "#0b0d16"), (0.30, "#05060a")):
        c.fill(circle(c.x, c.y, r * share), color, softness=0.12)
    turn = coating.turned
    c.light(crescent(c, r * 0.50, r * 0.10, 128 + turn, 2) * 0.34, coating.broad)
    c.light(crescent(c, r * 0.66, r * 0.06, 305 + turn, 3) * 0.26, coating.rim)
    c.light(crescent(c, r * 0.34, r * 0.07, 300 + turn, 2) * 0.22, coating.inner)
    for away, angle, width, color, strength in (
        (0.20, 131, 0.055, coating.lamp, 0.62),
        (0.26, 310, 0.04, coating.spark, 0.34),
    ):
        at = np.radians(angle + turn)
        c.glow((away * r * np.cos(at), away * r * np.sin(at)), width * r, color, strength)
    return c


def barrel(r: float, opening: float) -> Canvas:
    """The dark tube in front of the elements, with the fine steps of its baffles."""
    c = Canvas((2 * r, 2 * r), DENSITY)
    d = circle(c.x, c.y, 0.0)
    c.fill(circle(c.x, c.y, r), "#0b0b0d")
    for step in range(3):
        c.fill(ring(d - r * (opening + 0.05 + 0.07 * step), 0.09), "#1b1c20", 0.8)
    c.light(crescent(c, r * (opening + 0.04), 0.12, 120, 1) * 0.10, "#c8d0e0")
    c.erase(circle(c.x, c.y, r * opening))
    return c


def cover(r: float) -> Canvas:
    """The black print below the rim of the cover glass."""
    c = Canvas((2 * r, 2 * r), DENSITY)
    d = circle(c.x, c.y, 0.0)
    c.fill(circle(c.x, c.y, r), "#060607")
    c.fill(ring(d - r * 0.875, 0.10), "#1d1d21")
    c.erase(circle(c.x, c.y, r * 0.865), softness=0.08)
    return c


def front(size: float = 4.4) -> Canvas:
    """The small camera behind the front glass: hardly visible, with a trace of blue."""
    c = Canvas((size, size), 24)
    k = size / 4.4
    for radius, color in ((1.75, "#07070b"), (1.35, "#040406"), (0.95, "#0a0c1c"), (0.55, "#05050c")):
        c.fill(circle(c.x, c.y, radius * k), color, softness=0.08)
    c.light(crescent(c, 0.78 * k, 0.16 * k, 130, 2) * 0.55, "#24407c")
    c.glow((0.30 * k, -0.28 * k), 0.17 * k, "#1c3060", 0.9)
    return c


def flash(diameter: float) -> Canvas:
    """A flash that is off: two yellow emitters, dim behind the rings of a Fresnel lens."""
    c = Canvas((diameter, diameter), DENSITY)
    r = diameter / 2
    d = circle(c.x, c.y, 0.0)
    for share, color in ((0.99, "#4f4c46"), (0.91, "#6b665c"), (0.74, "#736c5d")):
        c.fill(circle(c.x, c.y, r * share), color, softness=0.10)
    c.fill(pill(c.x, c.y, r * 0.84, r * 0.56), "#8f7a33", 0.70, softness=0.35)
    c.fill(pill(c.x, c.y, r * 0.07, r * 0.70), "#5c5339", 0.7, softness=0.10)
    for share in (0.34, 0.50, 0.63, 0.74, 0.83):
        c.fill(ring(d - r * share, 0.09), "#9c9584", 0.28, softness=0.06)
    return c


def dark_spot(diameter: float) -> Canvas:
    """A depth sensor or other sensor: near-black glass with a faint violet rim."""
    c = Canvas((diameter, diameter), DENSITY)
    r = diameter / 2
    for share, color in ((0.99, "#0a0a0c"), (0.86, "#141318"), (0.80, "#0b0a0e")):
        c.fill(circle(c.x, c.y, r * share), color)
    c.glow((-0.2 * r, 0.2 * r), 0.35 * r, "#2a1c40", 0.5)
    return c


def hole(diameter: float) -> Canvas:
    """A microphone's opening."""
    c = Canvas((diameter, diameter), DENSITY)
    c.fill(circle(c.x, c.y, diameter * 0.47), "#08080a")
    return c


def _window(c: Canvas, distance: F64, bevel: float) -> None:
    """A dark window under the glass of a sensor."""
    c.fill(distance, "#24262e")
    c.fill(distance + bevel, "#15161c")


def quarters(diameter: float) -> Canvas:
    """Diodes in the middle, and four receivers in a ring around them."""
    c = Canvas((diameter, diameter), 12)
    r = diameter / 2
    d = circle(c.x, c.y, 0.0)
    c.fill(ring(d - r * 0.96, 0.12), "#2b2c30", 0.7)
    # The receivers are four quarters of a ring, with square ends.
    found = np.maximum(ring(d - r * 0.60, r * 0.30), r * 0.06 - np.minimum(np.abs(c.x), np.abs(c.y)))
    c.fill(found, "#1d1e26")
    c.fill(found + r * 0.04, "#14151b")
    c.fill(circle(c.x, c.y, r * 0.24), "#191a1f")
    for turn in range(4):
        angle = np.radians(90 * turn)
        at = (r * 0.12 * np.cos(angle), r * 0.12 * np.sin(angle))
        c.fill(
            box(c.x - at[0], c.y - at[1], r * 0.10, r * 0.10, r * 0.02), "#3a3f3a" if turn % 2 else "#463434"
        )
    return c


def eight(diameter: float) -> Canvas:
    """A diode behind a round window, and eight small receivers in a ring around it."""
    c = Canvas((diameter, diameter), 12)
    r = diameter / 2
    c.fill(ring(circle(c.x, c.y, r * 0.80), 0.12), "#2b2c30", 0.7)
    _window(c, circle(c.x, c.y, r * 0.22), r * 0.03)
    c.fill(box(c.x, c.y, r * 0.13, r * 0.13, r * 0.02), "#37453a")
    for turn in range(8):
        angle = np.radians(45 * turn + 22.5)
        out, side = (c.x * np.cos(angle) + c.y * np.sin(angle), c.y * np.cos(angle) - c.x * np.sin(angle))
        _window(c, box(out - r * 0.50, side, r * 0.24, r * 0.22, r * 0.05), r * 0.03)
    return c


def _electrodes(c: Canvas, r: float, *, upright: bool) -> None:
    """Two bows of bare metal around the windows, with gaps above and below if `upright`."""
    gap = np.abs(c.x if upright else c.y)
    bows = np.maximum(ring(circle(c.x, c.y, r * 0.91), r * 0.13), r * 0.16 - gap)
    c.fill(bows, "#5d5f63")
    c.fill(bows + r * 0.02, "#5e6064", softness=r * 0.03)
    c.light(c.coverage(bows) * np.clip(0.5 + (c.y - c.x) / (4 * r), 0, 1), "#2c2d30")


def halves(diameter: float) -> Canvas:
    """Diodes between two large receivers, each half a disc, and four small receivers, inside bows of
    metal."""
    c = Canvas((diameter, diameter), 12)
    r = diameter / 2
    _electrodes(c, r, upright=False)
    c.fill(circle(c.x, c.y, r * 0.74), "#101116")
    half = np.maximum(circle(c.x, c.y, r * 0.66), r * 0.24 - np.abs(c.x))
    _window(c, half, r * 0.03)
    _window(c, box(c.x, c.y, r * 0.30, r * 0.72, r * 0.08), r * 0.03)
    for up, color in ((0.22, "#37453a"), (0.0, "#463434"), (-0.22, "#37453a")):
        c.fill(box(c.x, c.y - up * r, r * 0.13, r * 0.11, r * 0.02), color)
    return c


def cross(diameter: float) -> Canvas:
    """A cross of receivers around the diodes, in bows of metal."""
    c = Canvas((diameter, diameter), 12)
    r = diameter / 2
    _electrodes(c, r, upright=True)
    c.fill(ring(circle(c.x, c.y, r * 0.72), 0.10), "#2b2c30", 0.7)
    for across, up in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
        size = (r * 0.20, r * 0.40) if across else (r * 0.40, r * 0.20)
        _window(c, box(c.x - across * r * 0.44, c.y - up * r * 0.44, *size, r * 0.05), r * 0.03)
    c.fill(box(c.x, c.y, r * 0.44, r * 0.44, r * 0.08), "#191a1f")
    for across, up, color in (
        (-0.11, 0.11, "#37453a"),
        (0.11, 0.11, "#463434"),
        (-0.11, -0.11, "#463434"),
        (0.11, -0.11, "#37453a"),
    ):
        c.fill(box(c.x - across * r, c.y - up * r, r * 0.10, r * 0.10, r * 0.02), color)
    return c


def plain(diameter: float) -> Canvas:
    """One round window, and a pair of diodes behind it."""
    c = Canvas((diameter, diameter), 12)
    r = diameter / 2
    _window(c, circle(c.x, c.y, r * 0.62), r * 0.03)
    for side, color in ((-1, "#37453a"), (1, "#463434")):
        _window(c, box(c.x - side * r * 0.22, c.y, r * 0.26, r * 0.36, r * 0.06), r * 0.02)
        c.fill(box(c.x - side * r * 0.22, c.y, r * 0.13, r * 0.13, r * 0.02), color)
    return c


# The windows of watches' pulse sensors, by the style of a part, which is a `Windows`.
PULSES: dict[str, Callable[[float], Canvas]] = {
    "quarters": quarters,
    "eight": eight,
    "halves": halves,
    "cross": cross,
    "plain": plain,
}
