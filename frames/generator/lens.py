"""Camera lenses as stacks of flat layers. Deeper layers shift as the device turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from frames.generator.outline import box, circle, ring
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
    "violet": Coating("#454fc4", "#7440b4", "#2f8f90", "#c4ccff", "#c0a4ff", 0.0),
    "green": Coating("#2a8078", "#3c5ca4", "#7f8f34", "#c6f2e2", "#96c0f8", 26.0),
    "amber": Coating("#85506e", "#a8683c", "#3a62b0", "#f6dcc2", "#e6a8cc", -22.0),
}


def elements(r: float, coating: Coating) -> Canvas:
    """The glass elements deep inside: dark rings, the pupil and the coatings' reflections."""
    c = Canvas((2 * r, 2 * r), SOFT)
    for share, color in ((0.98, "#060609"), (0.82, "#1b1d24"), (0.79, "#07080b"), (0.62, "#14161e")):
        c.fill(circle(c.x, c.y, r * share), color)
    for share, color in ((0.59, "#05060a"), (0.42, "#0a0c16"), (0.27, "#030408")):
        c.fill(circle(c.x, c.y, r * share), color, softness=0.12)
    turn = coating.turned
    c.light(crescent(c, r * 0.48, r * 0.19, 128 + turn, 1.5) * 0.50, coating.broad)
    c.light(crescent(c, r * 0.70, r * 0.08, 308 + turn, 1.5) * 0.40, coating.rim)
    c.light(crescent(c, r * 0.33, r * 0.08, 304 + turn, 2) * 0.30, coating.inner)
    # The softbox, mirrored by the front of an element and, upside down and smaller, by the back of another.
    for away, angle, width, color, strength in (
        (0.36, 128, 0.30, coating.lamp, 0.85),
        (0.30, 308, 0.13, coating.spark, 0.55),
    ):
        mirrored(c, (away * r, angle + turn), width * r, color, strength)
    return c


def mirrored(canvas: Canvas, at: tuple[float, float], width: float, color: str, strength: float) -> None:
    """A softbox in a convex mirror: a rounded window bent around the origin, with its middle `at` a radius
    and an angle."""
    away, angle = at
    out = np.hypot(canvas.x, canvas.y) - away
    turn = np.arctan2(canvas.y, canvas.x) - np.radians(angle)
    along = away * np.arctan2(np.sin(turn), np.cos(turn))
    shape = box(along, out, width, width * 0.55, width * 0.16)
    # The box is brighter on its upper side, where its lamp is.
    canvas.light(canvas.coverage(shape, 0.10) * np.clip(0.7 + out / width, 0, 1) * strength, color)


def barrel(r: float, opening: float) -> Canvas:
    """The dark tube in front of the elements, with the fine steps of its baffles."""
    c = Canvas((2 * r, 2 * r), DENSITY)
    d = circle(c.x, c.y, 0.0)
    c.fill(circle(c.x, c.y, r), "#08080a")
    for step in range(3):
        c.fill(ring(d - r * (opening + 0.05 + 0.07 * step), 0.09), "#24262b", 0.8)
    c.light(crescent(c, r * (opening + 0.04), 0.16, 120, 1) * 0.22, "#c8d0e0")
    c.light(crescent(c, r * (opening + 0.20), 0.10, 300, 2) * 0.14, "#c8d0e0")
    c.erase(circle(c.x, c.y, r * opening))
    return c


def cover(r: float) -> Canvas:
    """The black print below the rim of the cover glass."""
    c = Canvas((2 * r, 2 * r), DENSITY)
    d = circle(c.x, c.y, 0.0)
    c.fill(circle(c.x, c.y, r), "#060607")
    c.fill(ring(d - r * 0.875, 0.10), "#26262b")
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


# The warm and the cold emitter of a flash that is off: yellow phosphor, of which the warm one has more.
WARM, COLD = "#c08a1e", "#baa55a"


def flash(diameter: float, style: str) -> Canvas:
    """A flash that is off: yellow emitters deep below a diffusing Fresnel lens, sunk into a thin metal ring.

    There is `one` emitter, or a warm and a cold one, as `halves` of a disc or as `quarters` of a square.
    """
    c = Canvas((diameter, diameter), DENSITY)
    r = diameter / 2
    d = circle(c.x, c.y, 0.0)
    for share, color in ((0.99, "#85837c"), (0.93, "#35342f"), (0.88, "#86837a")):
        c.fill(circle(c.x, c.y, r * share), color, softness=0.05)
    c.fill(circle(c.x, c.y, r * 0.78), "#97948a", softness=r * 0.2)
    EMITTERS[style](c, r)
    # The lens' fine grooves, each with a dark and a lit flank, are lit from the upper left.
    lit = 0.5 + 0.5 * np.cos(np.arctan2(c.y, c.x) - np.radians(120))
    for share in np.arange(0.16, 0.87, 0.10):
        c.cover(c.coverage(ring(d - r * share, 0.07), 0.06) * (0.12 + 0.24 * lit), "#fffbee")
        c.cover(c.coverage(ring(d - r * share - 0.07, 0.06), 0.06) * (0.34 - 0.16 * lit), "#2c2a22")
    # The ring's inner wall shades the lens on one side, and is lit on the other.
    c.cover(crescent(c, r * 0.84, r * 0.12, 120, 1) * 0.55 * (c.alpha > 0), "#24231f")
    c.light(crescent(c, r * 0.85, r * 0.05, 300, 1) * 0.40, "#ffffff")
    mirrored(c, (r * 0.52, 118), r * 0.34, "#ffffff", 0.75)
    return c


def _one(c: Canvas, r: float) -> None:
    c.fill(circle(c.x, c.y, r * 0.50), COLD, 0.7, softness=r * 0.24)
    c.fill(circle(c.x, c.y, r * 0.36), WARM, 0.8, softness=r * 0.18)


def _halves(c: Canvas, r: float) -> None:
    disc = circle(c.x, c.y, r * 0.56)
    for side, color in ((-1, WARM), (1, COLD)):
        c.fill(np.maximum(disc, r * 0.05 - side * c.x), color, 0.85, softness=r * 0.14)


def _quarters(c: Canvas, r: float) -> None:
    for across, up in ((-1, 1), (1, 1), (-1, -1), (1, -1)):
        color = WARM if across == up else COLD
        middle = c.x - across * r * 0.24, c.y - up * r * 0.24
        c.fill(box(*middle, r * 0.42, r * 0.42, r * 0.10), color, 0.85, softness=r * 0.10)


# The emitters of a flash, by the style of a part, see `art.FLASHES`.
EMITTERS: dict[str, Callable[[Canvas, float], None]] = {"one": _one, "halves": _halves, "quarters": _quarters}


def dark_spot(diameter: float) -> Canvas:
    """A depth sensor or other sensor: near-black glass with a faint violet rim."""
    c = Canvas((diameter, diameter), DENSITY)
    r = diameter / 2
    for share, color in ((0.99, "#0a0a0c"), (0.86, "#141318"), (0.80, "#0b0a0e")):
        c.fill(circle(c.x, c.y, r * share), color)
    c.glow((-0.2 * r, 0.2 * r), 0.35 * r, "#2a1c40", 0.5)
    return c


def lidar(diameter: float) -> Canvas:
    """A depth scanner: black glass in a thin ring, emitter and receiver hardly seen, and one reflection."""
    c = Canvas((diameter, diameter), DENSITY)
    r = diameter / 2
    c.fill(circle(c.x, c.y, r * 0.99), "#242428")
    c.fill(circle(c.x, c.y, r * 0.93), "#020203")
    for up in (0.34, -0.34):
        c.fill(circle(c.x, c.y - up * r, r * 0.25), "#0c0b12", softness=0.08)
        c.glow((-0.06 * r, (up + 0.06) * r), r * 0.12, "#2c1a50", 0.7)
    c.light(crescent(c, r * 0.86, r * 0.06, 305, 2) * 0.30, "#6a6a78")
    mirrored(c, (r * 0.60, 124), r * 0.50, "#b8bccc", 0.42)
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
