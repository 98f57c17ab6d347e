"""Signs on keys, as signed distances in mm; each is about twice its `radius` high."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from frames.generator.outline import box, circle, ring, segment
from service.arrays import F64

LINE = 0.36  # mm


def line(x: F64, y: F64, *points: tuple[float, float]) -> F64:
    """A line from each point to the next."""
    pairs = itertools.pairwise(points)
    return np.asarray(np.minimum.reduce([segment(x, y, start, end, LINE) for start, end in pairs]))


def triangle(x: F64, y: F64, radius: float, side: float) -> F64:
    """A triangle that points to the right or, if `side` is -1, to the left."""
    return np.asarray(np.maximum(-side * x - 0.6 * radius, 0.5 * (side * x - radius) + 0.866 * np.abs(y)))


def power(x: F64, y: F64, radius: float) -> F64:
    """A circle, open at the top, with a line in the opening."""
    arc = np.maximum(ring(circle(x, y, radius), LINE), np.minimum(radius * 0.5 - np.abs(x), y))
    return np.minimum(arc, segment(x, y, (0.0, radius * 0.2), (0.0, radius * 1.2), LINE))


def sun(x: F64, y: F64, radius: float, ray: float) -> F64:
    """A disc with eight rays that end `ray` radii from its middle."""
    found = ring(circle(x, y, 0.42 * radius), LINE)
    for turn in np.arange(8) * np.pi / 4:
        c, s = np.cos(turn) * radius, np.sin(turn) * radius
        found = np.minimum(found, line(x, y, (0.74 * c, 0.74 * s), (ray * c, ray * s)))
    return found


def speaker(x: F64, y: F64, radius: float, waves: int) -> F64:
    """A loudspeaker with waves before it, or crossed out without any."""
    x = x + 0.35 * radius
    cone = np.maximum(
        np.abs(y) - 0.35 * radius - np.clip(x + 0.2 * radius, 0, None), np.abs(x) - 0.55 * radius
    )
    if not waves:
        return np.minimum(cone, line(x, y, (-0.9 * radius, radius), (1.3 * radius, -radius)))
    for wave in range(waves):
        arc = ring(circle(x, y, (0.95 + 0.42 * wave) * radius), LINE)
        cone = np.minimum(cone, np.maximum(arc, 1.3 * np.abs(y) - x))
    return cone


def search(x: F64, y: F64, radius: float) -> F64:
    """A magnifying glass."""
    lens = ring(circle(x + 0.2 * radius, y - 0.2 * radius, 0.65 * radius), LINE)
    return np.minimum(lens, line(x, y, (0.28 * radius, -0.28 * radius), (radius, -radius)))


def microphone(x: F64, y: F64, radius: float) -> F64:
    """A microphone on its stand."""
    head = box(x, y - 0.4 * radius, 0.7 * radius, 1.3 * radius, 0.35 * radius)
    bow = np.maximum(ring(circle(x, y - 0.1 * radius, 0.75 * radius), LINE), y - 0.1 * radius)
    return np.asarray(np.minimum.reduce([head, bow, line(x, y, (0.0, -0.65 * radius), (0.0, -radius))]))


def moon(x: F64, y: F64, radius: float) -> F64:
    """A crescent."""
    whole = circle(x, y, 0.95 * radius)
    return np.maximum(whole, -circle(x - 0.45 * radius, y - 0.4 * radius, 0.8 * radius))


def windows(x: F64, y: F64, radius: float) -> F64:
    """A large window beside two small ones."""
    large = ring(box(x + 0.45 * radius, y, 1.3 * radius, 1.5 * radius, 0.2), LINE)
    small = ring(box(x - 0.95 * radius, np.abs(y) - 0.45 * radius, 0.7 * radius, 0.6 * radius, 0.1), LINE)
    return np.minimum(large, small)


def play(x: F64, y: F64, radius: float) -> F64:
    """A triangle, and two bars to pause."""
    bars = box(np.abs(x - 0.95 * radius) - 0.25 * radius, y, LINE, 1.5 * radius)
    return np.minimum(triangle(x + 0.5 * radius, y, 0.75 * radius, 1), bars)


def skip(x: F64, y: F64, radius: float, side: float) -> F64:
    """Two triangles, to the right or, if `side` is -1, to the left."""
    found = [triangle(x + away * 0.6 * radius, y, 0.7 * radius, side) for away in (-1, 1)]
    return np.minimum(*found)


def display(x: F64, y: F64, radius: float) -> F64:
    """A screen on its foot."""
    screen = ring(box(x, y - 0.2 * radius, 2.2 * radius, 1.4 * radius, 0.2), LINE)
    return np.minimum(screen, line(x, y, (-0.5 * radius, -radius), (0.5 * radius, -radius)))


def star(x: F64, y: F64, radius: float) -> F64:
    """A star with five points."""
    turns = np.arange(11) * np.pi / 5
    reach = np.where(np.arange(11) % 2 == 0, 1.0, 0.45) * radius
    ends = zip((np.sin(turns) * reach).tolist(), (np.cos(turns) * reach).tolist(), strict=True)
    return line(x, y, *ends)


# The signs by name; each is a function of a place and a radius.
SIGNS: dict[str, Callable[[F64, F64, float], F64]] = {
    "dim": lambda x, y, r: sun(x, y, r, 0.8),
    "bright": lambda x, y, r: sun(x, y, r, 1.15),
    "windows": windows,
    "search": search,
    "microphone": microphone,
    "moon": moon,
    "back": lambda x, y, r: skip(x, y, r, -1),
    "play": play,
    "forward": lambda x, y, r: skip(x, y, r, 1),
    "mute": lambda x, y, r: speaker(x, y, r, 0),
    "quiet": lambda x, y, r: speaker(x, y, r, 1),
    "loud": lambda x, y, r: speaker(x, y, r, 3),
    "display": display,
    "star": star,
}
