"""Signs on buttons, drawn from lines and circles around a point; sizes in points."""

from __future__ import annotations

import math

from .easel import Easel, Point

LIGHTS = ("#ff5f57", "#febc2e", "#28c840")


def lights(easel: Easel, y: float) -> None:
    """Three round buttons at the left, in red, yellow and green."""
    for place, color in enumerate(LIGHTS):
        center = (20 + 20 * place, y)
        easel.disc(center, 6, color)
        easel.ring(center, 5.75, "#000000", 0.5, 0.14)


def cross(easel: Easel, at: Point, reach: float, color: str, stroke: float) -> None:
    """An x whose arms go `reach` to each side."""
    x, y = at
    easel.line([(x - reach, y - reach), (x + reach, y + reach)], color, stroke)
    easel.line([(x - reach, y + reach), (x + reach, y - reach)], color, stroke)


def plus(easel: Easel, at: Point, reach: float, color: str, stroke: float) -> None:
    """A plus sign."""
    x, y = at
    easel.line([(x - reach, y), (x + reach, y)], color, stroke)
    easel.line([(x, y - reach), (x, y + reach)], color, stroke)


def chevron(easel: Easel, at: Point, reach: Point, color: str, stroke: float) -> None:
    """An angle that points left or right: its tip is `reach` across from `at`, its arms extend `reach` up and
    down."""
    (x, y), (across, up) = at, reach
    easel.line([(x - across, y - up), (x + across, y), (x - across, y + up)], color, stroke)


def caret(easel: Easel, at: Point, reach: Point, color: str, stroke: float) -> None:
    """An angle pointing down."""
    (x, y), (across, down) = at, reach
    easel.line([(x - across, y - down), (x, y + down), (x + across, y - down)], color, stroke)


def arrow(easel: Easel, at: Point, sign: int, color: str, stroke: float, reach: float = 6.2) -> None:
    """An arrow to the left (-1) or right (1)."""
    x, y = at
    tip, head = x + sign * reach, reach * 0.88
    easel.line([(x - sign * reach, y), (tip, y)], color, stroke)
    easel.line([(tip - sign * head, y - head), (tip, y), (tip - sign * head, y + head)], color, stroke)


def arc(center: Point, radius: float, start: float, end: float) -> list[Point]:
    """Points on a circle between two angles in degrees, clockwise from three o'clock."""
    count = max(2, math.ceil(abs(end - start) / 7))
    turns = (math.radians(start + (end - start) * i / count) for i in range(count + 1))
    return [(center[0] + radius * math.cos(t), center[1] + radius * math.sin(t)) for t in turns]


def reload(easel: Easel, at: Point, radius: float, color: str, stroke: float) -> None:
    """A circle open at the upper right, where it ends in an arrow's corner."""
    x, y = at
    right, low = x + radius, y - 0.42 * radius
    easel.line([*arc(at, radius, 8, 318), (right, low)], color, stroke)
    easel.line([(right, y - 1.08 * radius), (right, low), (x + 0.34 * radius, low)], color, stroke)


def lock(easel: Easel, at: Point, color: str, inside: str, size: float = 1.0) -> None:
    """A closed padlock."""
    (x, y), k = at, size
    easel.frame((x - 3.1 * k, y - 6.2 * k, 6.2 * k, 10 * k), color, 1.5 * k, 3.1 * k)
    easel.box((x - 5.2 * k, y - 2.2 * k, 10.4 * k, 8.4 * k), color, 1.5 * k)
    easel.disc((x, y + 2.0 * k), 1.25 * k, inside)


def sliders(easel: Easel, at: Point, color: str, stroke: float) -> None:
    """Two sliders, one above the other: the sign for a site's permissions."""
    x, y = at
    for sign in (-1, 1):
        row, knob = y + sign * 3.1, x - sign * 3.2
        easel.line([(x + sign * 5.4, row), (knob + sign * 2.2, row)], color, stroke)
        easel.ring((knob, row), 2.1, color, stroke)


def puzzle(easel: Easel, at: Point, color: str, stroke: float) -> None:
    """A piece of a jigsaw with a knob above and one at the right, and a gap at the left."""
    x, y = at[0] - 1, at[1] + 1
    easel.line(
        [(x - 5.5, y - 5.5), *arc((x, y - 6), 2.2, 170, 370), (x + 5.5, y - 5.5),
         *arc((x + 6, y), 2.2, -80, 80), (x + 5.5, y + 5.5), (x - 5.5, y + 5.5),
         *arc((x - 5, y), 2.2, 100, -100), (x - 5.5, y - 5.5)],
        color, stroke,
    )  # fmt: skip


def star(easel: Easel, at: Point, radius: float, color: str, stroke: float) -> None:
    """A five-pointed star's outline."""
    corners = [
        (at[0] + r * math.sin(i * math.pi / 5), at[1] - r * math.cos(i * math.pi / 5))
        for i, r in enumerate([radius, radius * 0.43] * 5)
    ]
    easel.line([*corners, corners[0]], color, stroke)


def globe(easel: Easel, at: Point, radius: float, color: str, stroke: float) -> None:
    """A neutral sign for a page: a circle with its equator and a meridian."""
    easel.ring(at, radius - stroke / 2, color, stroke)
    x, y = at
    reach = radius - stroke
    easel.line([(x - reach, y), (x + reach, y)], color, stroke * 0.85)
    meridian = [(x + 0.44 * (a - x), b) for a, b in arc(at, reach, 0, 360)]
    easel.line(meridian, color, stroke * 0.85)


def dots(easel: Easel, at: Point, step: Point, radius: float, color: str) -> None:
    """Three dots in a row."""
    for place in (-1, 0, 1):
        easel.disc((at[0] + place * step[0], at[1] + place * step[1]), radius, color)


def bars(easel: Easel, at: Point, reach: float, gap: float, color: str, stroke: float) -> None:
    """Three lines, one above the other."""
    for place in (-1, 0, 1):
        y = at[1] + place * gap
        easel.line([(at[0] - reach, y), (at[0] + reach, y)], color, stroke)


def share(easel: Easel, at: Point, color: str, stroke: float) -> None:
    """A tray with an arrow upwards."""
    x, y = at
    easel.line([(x - 2.6, y - 1.6), (x - 5, y - 1.6), (x - 5, y + 7), (x + 5, y + 7), (x + 5, y - 1.6),
                (x + 2.6, y - 1.6)], color, stroke)  # fmt: skip
    easel.line([(x, y + 3), (x, y - 7.4)], color, stroke)
    easel.line([(x - 3, y - 4.6), (x, y - 7.6), (x + 3, y - 4.6)], color, stroke)


def tabs(easel: Easel, at: Point, color: str, stroke: float) -> None:
    """Two pages, one behind the other."""
    x, y = at
    easel.line([(x - 3.2, y - 6.4), (x + 4.6, y - 6.4), *arc((x + 4.9, y - 4.9), 1.5, -90, 0),
                (x + 6.4, y + 3.2)], color, stroke)  # fmt: skip
    easel.frame((x - 6.4, y - 3.4, 9.8, 9.8), color, stroke, 1.7)


def sidebar(easel: Easel, at: Point, color: str, stroke: float) -> None:
    """A panel with a narrow column at its left."""
    x, y = at
    easel.frame((x - 8, y - 6.2, 16, 12.4), color, stroke, 2.4)
    easel.line([(x - 2.6, y - 6), (x - 2.6, y + 6)], color, stroke)
    for place in (-3.1, -0.7, 1.7):
        easel.line([(x - 6, y + place), (x - 4.7, y + place)], color, stroke * 0.8)


def shield(easel: Easel, at: Point, color: str, stroke: float) -> None:
    """A shield's outline."""
    x, y = at
    left = [(x, y - 6.6), (x - 5.4, y - 4.6), (x - 5.3, y - 0.2), (x - 3.9, y + 3.6), (x, y + 6.8)]
    easel.line([*left, *((2 * x - a, b) for a, b in reversed(left[1:-1])), left[0]], color, stroke)
