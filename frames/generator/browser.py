"""The bars of browser windows: flat, exact in colour, drawn at two pixels for each of the window's."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import box, circle, half_plane, ring, segment
from frames.generator.paint import Canvas
from frames.generator.text import lettering
from service.models.families.sheet import Window

DENSITY = 2.0
TAB = (84.0, 240.0)  # px: left edge and width


def bars(sheet: Window) -> Canvas:
    """Tab strip and toolbar, in px from the window's upper left corner, y up (so negative downward)."""
    width, height = sheet.screen.px[0], sheet.tab_strip + sheet.toolbar
    canvas = Canvas((width, height), DENSITY, (width / 2, -height / 2))
    canvas.fill(np.full_like(canvas.x, -1.0), sheet.colors["frame"])
    canvas.fill(canvas.y + sheet.tab_strip, sheet.colors["toolbar"])
    tab(canvas, sheet)
    for index, color in enumerate(sheet.lights):
        d = circle(canvas.x - 20 - 20 * index, canvas.y + sheet.tab_strip / 2, 6)
        canvas.fill(d, color)
        canvas.fill(ring(d + 0.25, 0.5), "#000000", 0.12)
    toolbar(canvas, sheet)
    return canvas


def tab(canvas: Canvas, sheet: Window) -> None:
    """The one open tab, its feet flowing into the toolbar, and the plus sign beside it."""
    left, width = TAB
    radius, top = 9.0, -7.0
    foot = -sheet.tab_strip
    middle = left + width / 2
    tall = top - foot + 20
    body = box(canvas.x - middle, canvas.y - (top - tall / 2), width, tall, radius)
    body = np.maximum(body, foot - canvas.y)
    for edge, sign in ((left, -1), (left + width, 1)):
        # A square at the tab's foot, less a circle, makes the concave flare.
        x, y = sign * (canvas.x - edge), canvas.y - foot
        square = np.maximum(np.maximum(-x, x - radius), np.maximum(-y, y - radius))
        body = np.minimum(body, np.maximum(square, radius - np.hypot(x - radius, y - radius)))
    canvas.fill(body, sheet.colors["toolbar"])
    line = (top + foot) / 2
    globe(canvas, (left + 20, line), sheet.colors["glyph"])
    canvas.cover(lettering(canvas, sheet.title, (left + 36, line), 12.5), sheet.colors["text"])
    cross(canvas, (left + width - 18, line), 3.6, 45, sheet.colors["glyph"])
    cross(canvas, (left + width + 24, line), 5.5, 0, sheet.colors["glyph"])
    chevron(canvas, (sheet.screen.px[0] - 24, line), sheet.colors["glyph"])


def globe(canvas: Canvas, at: tuple[float, float], color: str) -> None:
    """A neutral page icon: a circle with meridian and parallels."""
    x, y = canvas.x - at[0], canvas.y - at[1]
    disc = circle(x, y, 7.0)
    canvas.fill(ring(disc, 1.3), color)
    meridian = (np.hypot(x / 0.46, y) - 7.0) * 0.46
    for d in (ring(meridian, 1.2), np.abs(y) - 0.6):
        canvas.fill(np.maximum(d, disc), color)


def cross(canvas: Canvas, at: tuple[float, float], reach: float, turn: float, color: str) -> None:
    """A plus sign, or turned by 45° a closing cross."""
    for angle in np.radians([turn, turn + 90]):
        dx, dy = float(np.cos(angle)) * reach, float(np.sin(angle)) * reach
        ends = (at[0] - dx, at[1] - dy), (at[0] + dx, at[1] + dy)
        canvas.fill(segment(canvas.x, canvas.y, *ends, 1.5), color)


def chevron(canvas: Canvas, at: tuple[float, float], color: str) -> None:
    """A downward angle: the menu of open tabs."""
    for sign in (-1, 1):
        ends = (at[0], at[1] - 2.2), (at[0] + sign * 4.4, at[1] + 2.2)
        canvas.fill(segment(canvas.x, canvas.y, *ends, 1.6), color)


def arrow(canvas: Canvas, at: tuple[float, float], sign: int, color: str) -> None:
    """Back (-1) or forward (1)."""
    tip = (at[0] + sign * 6.4, at[1])
    canvas.fill(segment(canvas.x, canvas.y, (at[0] - sign * 6.0, at[1]), tip, 1.8), color)
    for rise in (-1, 1):
        canvas.fill(segment(canvas.x, canvas.y, (tip[0] - sign * 5.6, at[1] + rise * 5.6), tip, 1.8), color)


def reload(canvas: Canvas, at: tuple[float, float], color: str) -> None:
    """A circle open at the upper right, with an arrow's head at the opening."""
    x, y = canvas.x - at[0], canvas.y - at[1]
    # Open between 0° and 50°: the wedge above the x axis and below a line through the middle.
    wedge = np.maximum(half_plane(x, y, -90), half_plane(x, y, 140))
    canvas.fill(np.maximum(ring(circle(x, y, 6.2), 1.8), -wedge), color)
    corner = np.maximum(half_plane(x, y, 0, 7.1), half_plane(x, y, -90, -0.4))
    canvas.fill(np.maximum(corner, half_plane(x, y, 135, -1.6)), color)


def toolbar(canvas: Canvas, sheet: Window) -> None:
    """Navigation, the address field with its lock, and the menus at the right."""
    glyph, faint = sheet.colors["glyph"], sheet.colors["faint"]
    line = -sheet.tab_strip - sheet.toolbar / 2
    width = sheet.screen.px[0]
    arrow(canvas, (26, line), -1, glyph)
    arrow(canvas, (62, line), 1, faint)
    reload(canvas, (98, line), glyph)
    left, right = 122.0, width - 92.0
    middle, wide = (left + right) / 2, right - left
    half = sheet.field_height / 2
    canvas.fill(box(canvas.x - middle, canvas.y - line, wide, 2 * half, half), sheet.colors["field"])
    lock(canvas, (left + 20, line), glyph)
    canvas.cover(lettering(canvas, sheet.address, (left + 38, line), 14), sheet.colors["text"])
    star(canvas, (right - 20, line), glyph)
    x, y = canvas.x - (width - 62), canvas.y - line
    canvas.fill(circle(x, y, 13), "#c7d3e3")
    canvas.fill(circle(x, y - 3, 4.4), "#8da3bf")
    canvas.fill(np.maximum(circle(x, y + 11.5, 9.6), circle(x, y, 13)), "#8da3bf")
    for step in (-5.5, 0.0, 5.5):
        canvas.fill(circle(canvas.x - (width - 24), canvas.y - line - step, 1.8), glyph)


def lock(canvas: Canvas, at: tuple[float, float], color: str) -> None:
    """A closed padlock."""
    x, y = canvas.x - at[0], canvas.y - at[1]
    canvas.fill(box(x, y + 2.0, 11, 8.6, 1.6), color)
    canvas.fill(np.maximum(ring(box(x, y - 2.0, 6.2, 9.0, 3.1), 1.6), -y), color)
    canvas.fill(circle(x, y + 2.0, 1.3), "#ffffff")


def star(canvas: Canvas, at: tuple[float, float], color: str) -> None:
    """A five-pointed star's outline."""
    x, y = canvas.x - at[0], canvas.y - at[1]
    corner = [
        (r * float(np.sin(a)), r * float(np.cos(a)))
        for r, a in zip([7.6, 3.2] * 5, np.arange(10) * np.pi / 5, strict=True)
    ]
    for start, end in zip(corner, corner[1:] + corner[:1], strict=True):
        canvas.fill(segment(x, y, start, end, 1.4), color)
