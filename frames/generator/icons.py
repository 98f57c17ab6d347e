"""Small pictures for the sample screens: weather, status bar, symbols."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import box, circle, pill
from frames.generator.page import Page, Point


def sun(page: Page, at: Point, size: float) -> None:
    """A sun with eight rays."""
    page.disc(at, size * 0.24, "#ffd35c")
    for angle in np.arange(8) * np.pi / 4:
        turn = np.array([np.cos(angle), np.sin(angle)])
        start, end = np.array(at) + turn * size * 0.34, np.array(at) + turn * size * 0.45
        page.line([(start[0], start[1]), (end[0], end[1])], size * 0.075, "#ffd35c")


def cloud(page: Page, at: Point, size: float, color: str = "#ffffff", opacity: float = 1.0) -> None:
    """A cloud of three bumps on a flat base."""
    c = page.sketch(at[0] - size / 2, at[1] - size / 2, size, size)
    x, y = (c.x - at[0]) / size, (c.y + at[1]) / size
    d = pill(x, y + 0.13, 0.84, 0.26)
    d = np.minimum(d, np.minimum(circle(x + 0.10, y - 0.03, 0.215), circle(x - 0.17, y + 0.02, 0.15)))
    c.fill(d * size, color, opacity)
    page.lay(c)


def partly(page: Page, at: Point, size: float) -> None:
    """A sun behind a cloud."""
    sun(page, (at[0] + size * 0.14, at[1] - size * 0.12), size * 0.8)
    cloud(page, (at[0] - size * 0.06, at[1] + size * 0.12), size * 0.84)


def rain(page: Page, at: Point, size: float) -> None:
    """A cloud with three drops."""
    cloud(page, (at[0], at[1] - size * 0.10), size * 0.92, "#eef2ff")
    for step in (-0.2, 0.02, 0.24):
        x, y = at[0] + step * size, at[1] + size * 0.27
        page.line([(x, y), (x - size * 0.07, y + size * 0.14)], size * 0.07, "#8fd0ff")


def status(page: Page, left: Point, right: Point, color: str, clock: str = "9:41") -> None:
    """Time on the left, signal, wireless and battery on the right (`right` is the battery's end)."""
    page.text(clock, left, 17, "SemiBold", color, align="middle")
    x, y = right
    c = page.sketch(x - 80, y - 10, 82, 20)
    u, v = c.x - x, c.y + y
    battery = box(u + 15.5, v, 25, 12.5, 3.8)
    c.fill(np.abs(battery + 0.5) - 0.5, color, 0.45)
    c.fill(box(u + 15.5, v, 21, 8.5, 2.2), color)
    c.fill(np.maximum(circle(u + 0.6, v, 2.2), -u - 0.4), color, 0.45)
    r = np.hypot(u + 44, v + 5.4)
    wedge = np.abs(u + 44) - (v + 5.4) * 0.95
    for middle in (3.0, 6.6, 10.2):
        d = np.abs(r - middle) - 1.15 if middle > 3 else r - 3.4
        c.fill(np.maximum(d, wedge), color)
    for index in range(4):
        tall = 4.4 + 2.5 * index
        c.fill(box(u + 76 - index * 5.0, v + 6 - tall / 2, 3.2, tall, 1.0), color)
    page.lay(c)
