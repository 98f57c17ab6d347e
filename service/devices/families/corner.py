"""Corners as superellipses."""

from __future__ import annotations

import math

from ..device import Corner, Pair

EXPONENT = 2.6  # the exponent of corners of which only the radius is known


def extent_of(radius: float, exponent: float) -> float:
    """The extent (mm) of a superellipse corner that shares the 45° point of a circle of `radius` mm."""
    return float(radius * (1 - 2**-0.5) / (1 - 2 ** (-1 / exponent)))


def superellipse(radius: float) -> Corner:
    """The superelliptical corner that has its 45° point in common with a circle of `radius` mm."""
    return Corner(extent=round(extent_of(radius, EXPONENT), 4), exponent=EXPONENT)


def quarter(corner: Corner, extent: float, turn: float) -> Pair:
    """The point of a corner, mm from where it begins, at the parameter `turn` from 0 (right) to π/2 (top)."""
    c, s = max(math.cos(turn), 0.0), max(math.sin(turn), 0.0)
    across, up = c ** (2 - 2 / corner.exponent), s ** (2 - 2 / corner.exponent)
    long = math.hypot(across, up)
    return (
        extent * c ** (2 / corner.exponent) + corner.offset * across / long,
        extent * s ** (2 / corner.exponent) + corner.offset * up / long,
    )
