"""Textures of watch straps: holes to fasten them, woven loops, and tubes side by side, all in the colour of
the surface below; and closures behind the wrist."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from frames.generator.outline import box, circle, pill
from frames.generator.paint import Canvas
from service.arrays import F64
from service.devices.families.strap import OVERLAP

DENSITY = 10.0
FINE, COARSE = 8.0, 5.5  # px per mm of straps and of closures with tubes, whose pictures are large
PITCH = 5.0  # mm from one hole to the next
TUBE = 4.5  # mm; the width of a tube, to which whole numbers of tubes are fitted
# The slits between tubes: their middles and width, shares of the strap's width, and their height, mm
SLIT_AT, SLIT = 0.215, (0.33, 1.35)
CLOSED = 2.6  # mm from the sides within which tubes end
BESIDE = 0.2  # the share of the tubes' lines that is left at the sides
STUD, LEFT = 1.0, 4  # mm; the height of a closed strap's stud above the middle, and the holes left below it


def holes(size: tuple[float, float]) -> Canvas:
    """A row of openings along the middle, from the rounded end down."""
    canvas = Canvas(size, DENSITY)
    last, count = 8.5, 7
    _row(canvas, size[1] / 2 - last - (count - 1) * PITCH, count)
    return canvas


def _row(canvas: Canvas, low: float, count: int) -> None:
    """Paint `count` openings, the lowest at y = `low`, mm."""
    width, length = 2.0, 3.0
    nearest = np.clip(np.round((canvas.y - low) / PITCH), 0, count - 1) * PITCH + low
    d = pill(canvas.x, canvas.y - nearest, width, length)
    # The rounded edge of an opening: the upper edge is dark, and the lower one catches light from above.
    rise = np.clip((nearest - canvas.y) / length + 0.5, 0, 1)
    canvas.cover(canvas.coverage(np.abs(d - 0.18) - 0.2, 0.2) * rise * 0.30, "#ffffff")
    canvas.fill(d - 0.35, "#000000", 0.25, softness=0.5)
    canvas.fill(d, "#050506", 0.94, softness=0.12)


def pin(size: tuple[float, float]) -> Canvas:
    """The strap's other end: a metal stud that goes through a hole, and a slit for the loose end."""
    canvas = Canvas(size, DENSITY)
    end = size[1] / 2
    slit = pill(canvas.x, canvas.y - end + 12.6, size[0] * 0.6, 2.5)
    lit = np.clip((end - 12.6 - canvas.y) / 2.5 + 0.5, 0, 1) * canvas.coverage(np.abs(slit - 0.18) - 0.2, 0.2)
    canvas.cover(lit * 0.30, "#ffffff")
    canvas.fill(slit - 0.35, "#000000", 0.25, softness=0.5)
    canvas.fill(slit, "#050506", 0.94, softness=0.12)
    _stud(canvas, end - 6.2)
    return canvas


def perforated(size: tuple[float, float]) -> Canvas:
    """The inside of `fastened`: only the openings that are left."""
    canvas = Canvas(size, DENSITY)
    _row(canvas, STUD - LEFT * PITCH, LEFT)
    return canvas


def _stud(canvas: Canvas, y: float) -> None:
    """Paint a metal stud in the middle, at a height of `y` mm."""
    stud = circle(canvas.x, canvas.y - y, 1.9)
    canvas.fill(stud - 0.3, "#000000", 0.35, softness=0.5)
    canvas.fill(stud, "#5c5e62")
    canvas.fill(stud + 0.35, "#85878b", softness=0.3)


def fastened(size: tuple[float, float]) -> Canvas:
    """The lower part with its holes over the upper one: the stud in a hole, the loose end in the slit."""
    canvas = Canvas(size, DENSITY)
    end = 9.5  # mm above the middle
    _row(canvas, STUD - LEFT * PITCH, LEFT)
    # The loose end dips into the slit: the end darkens towards the slit, and the slit's upper lip catches
    # light.
    wide = canvas.coverage(np.abs(canvas.x) - 0.39 * size[0], 0.4)
    below = end - canvas.y
    canvas.cover(wide * (below > 0) * np.exp(-np.abs(below) / 1.6) * 0.55, "#000000")
    slit = pill(canvas.x, canvas.y - end - 0.3, 0.8 * size[0], 1.1)
    lip = np.clip((canvas.y - end) / 1.1, 0, 1) * canvas.coverage(np.abs(slit - 0.2) - 0.2, 0.2)
    canvas.cover(lip * 0.34, "#ffffff")
    canvas.fill(slit - 0.3, "#000000", 0.25, softness=0.5)
    canvas.fill(slit, "#050506", 0.94, softness=0.12)
    _stud(canvas, STUD)
    return canvas


def loop(size: tuple[float, float]) -> Canvas:
    """Woven nylon: staggered rows of small loops between two flat edges."""
    canvas = Canvas(size, DENSITY)
    _woven(canvas, size[0])
    return canvas


def _woven(canvas: Canvas, width: float) -> None:
    across, along, edge = 1.05, 0.75, 0.9
    row = np.floor(canvas.y / along)
    y = canvas.y / along - row - 0.5
    shifted = canvas.x / across + 0.5 * (row % 2)
    x = shifted - np.floor(shifted) - 0.5
    thread = np.clip(1 - 4 * (0.85 * x**2 + y**2), 0, 1)
    lit = np.clip(thread - 0.35, 0, 1) * np.clip(0.75 + y, 0, 1)
    inside = canvas.coverage(np.abs(canvas.x) - width / 2 + edge, 0.3)
    canvas.cover(inside * (1 - np.sqrt(thread)) * 0.42, "#000000")
    canvas.cover(inside * lit * 0.10, "#ffffff")
    # A narrow selvedge: its threads are slanted.
    fine = 0.5 + 0.5 * np.cos(2 * np.pi * (canvas.y + 0.6 * np.abs(canvas.x)) / 0.75)
    canvas.cover((1 - inside) * fine * 0.3, "#000000")
    seam = np.abs(np.abs(canvas.x) - width / 2 + edge) - 0.05
    canvas.cover(canvas.coverage(seam, 0.3) * 0.3, "#000000")


def overlapped(size: tuple[float, float]) -> Canvas:
    """The end of a woven strap, which ends in a smooth tab, on the strap below it."""
    canvas = loop(size)
    end, tab = -0.16 * size[1], 9.0
    # The end's corners are rounded; below it, its thickness is in the dark.
    d = box(canvas.x, canvas.y - end - 20.0, size[0] - 0.4, 40.0, 3.0)
    shade = np.exp(-np.maximum(d, 0) / 0.9) * (d > 0) * (canvas.y < end + 3.0)
    canvas.cover(shade * 0.6, "#000000")
    on = canvas.coverage(np.maximum(d, canvas.y - end - tab))
    canvas.erase(np.maximum(d, canvas.y - end - tab))
    ribs = 0.5 + 0.5 * np.cos(2 * np.pi * canvas.y / 0.6)
    canvas.cover(on * ribs * 0.14, "#000000")
    canvas.cover(on * canvas.coverage(np.abs(d + 0.35) - 0.25, 0.3) * 0.12, "#ffffff")
    canvas.cover(canvas.coverage(np.abs(canvas.y - end - tab) - 0.15, 0.25) * 0.5, "#000000")
    return canvas


def tubes(size: tuple[float, float]) -> Canvas:
    """Tubes of rubber across the strap, with two openings for the buckle between each and the next.

    The last tube is whole and its end is bare, because it shows on the rounded end of the strap.
    """
    canvas = Canvas(size, FINE)
    low = -size[1] / 2 + 5.5
    length = size[1] / 2 - low
    count = round(length / TUBE)
    start = (canvas.y - low) / length * count
    begun = canvas.coverage(low - canvas.y, 0.4)
    _tubes(canvas, size[0], start, count, begun, begun * (start < count - 0.5))
    return canvas


def _tubes(canvas: Canvas, width: float, start: F64, count: int, begun: F64, met: F64) -> None:
    """Paint `count` tubes, and continue them beyond. In the array `start`, each tube spans 1, from 0 to
    `count`.

    `begun` is the share of each pixel that shows tubes, `met` the share that shows the grooves in which they
    meet.
    """
    t = 2 * (start - np.floor(start)) - 1  # -1 at the lower edge of each tube, 1 at its upper edge
    # Tubes are closed at the sides of the strap. Lines that crossed the sides would make its outline look
    # like a saw.
    aside = np.clip((width / 2 - np.abs(canvas.x)) / CLOSED, 0, 1)
    lines = BESIDE + (1 - BESIDE) * aside * aside * (3 - 2 * aside)
    begun, met = begun * lines, met * lines
    # Half a cylinder: its lower side faces the dark, its upper side mirrors the light as a narrow line.
    canvas.cover(begun * np.clip(-t, 0, 1) ** 1.5 * 0.34, "#000000")
    canvas.cover(begun * np.exp(-(((t - 0.30) / 0.30) ** 2)) * 0.10, "#ffffff")
    canvas.cover(begun * np.exp(-(((t - 0.46) / 0.11) ** 2)) * 0.16, "#ffffff")
    # Tubes meet in a groove that is black at its bottom.
    canvas.cover(met * np.clip((np.abs(t) - 0.62) / 0.38, 0, 1) ** 1.5 * 0.62, "#000000")
    canvas.cover(met * np.clip((np.abs(t) - 0.90) / 0.06, 0, 1) * 0.55, "#000000")
    gap = start - np.clip(np.round(start), 1, count - 1)
    # Tubes are joined at the sides and in the middle only. Through the slits between them, one sees the round
    # walls of both: the upper one in the dark, the lower one brighter towards its lip.
    for x in (-SLIT_AT * width, SLIT_AT * width):
        d = pill(canvas.x - x, gap * TUBE, SLIT[0] * width, SLIT[1])
        canvas.fill(d - 0.4, "#000000", 0.35, softness=0.8)
        canvas.fill(d, "#050506", 0.94, softness=0.3)
        deep = np.clip(0.5 - gap * TUBE / SLIT[1], 0, 1)
        canvas.cover(canvas.coverage(d + 0.1, 0.3) * deep**2 * 0.16, "#ffffff")
        lip = canvas.coverage(np.abs(d - 0.2) - 0.1, 0.25) * (gap * TUBE < 0)
        canvas.cover(lip * 0.2, "#ffffff")


def threaded(size: tuple[float, float]) -> Canvas:
    """Tubes all along; grooves lie where the strap's other parts begin."""
    canvas = Canvas(size, COARSE)
    shown = size[1] - 2 * OVERLAP
    count = round(shown / TUBE)
    all_along = np.ones(canvas.y.shape)
    _tubes(canvas, size[0], (canvas.y / shown + 0.5) * count, count, all_along, all_along)
    return canvas


def buckled(size: tuple[float, float]) -> Canvas:
    """Tubes all along, a metal buckle around them with its tongue in an opening, and a keeper above it."""
    canvas = threaded(size)
    x, y, wide = canvas.x, canvas.y, size[0] - 0.6
    keeper = box(x, y - 13.0, wide, 3.6, 0.8)
    frame = np.abs(box(x, y + 2.0, wide - 2.2, 10.0, 1.6)) - 1.1
    tongue = box(x, y + 2.0, 2.2, 10.0, 1.0)
    for part in (np.minimum(frame, tongue), keeper):
        canvas.fill(part - 0.5, "#000000", 0.5, softness=0.8)
        canvas.fill(part, "#8d8880")
        # Light falls on the edges from above.
        rim = canvas.coverage(np.abs(part + 0.3) - 0.3, 0.3)
        canvas.cover(rim * 0.30, "#ffffff")
        canvas.cover(canvas.coverage(part) * np.clip(-part - 0.4, 0, 0.7) * 0.35, "#000000")
    return canvas


# How to draw a strap, by its style: a `Weave`, or the `pin` that fits `holes`.
WEAVES: dict[str, Callable[[tuple[float, float]], Canvas]] = {
    "holes": holes,
    "pin": pin,
    "loop": loop,
    "tubes": tubes,
}
# How to draw both sides of a closure, by the strap's `Weave`.
CLOSURES: dict[str, Callable[[tuple[float, float]], Canvas]] = {
    "holes": fastened,
    "loop": overlapped,
    "tubes": buckled,
    "holes-inside": perforated,
    "loop-inside": loop,
    "tubes-inside": threaded,
}
