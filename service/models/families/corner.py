"""Corners as superellipses."""

from __future__ import annotations

from service.models.devices import Corner

EXPONENT = 2.6  # if only a radius is known


def extent_of(radius: float, exponent: float) -> float:
    """The extent (mm) of a superellipse corner that shares the 45° point of a circle of `radius` mm."""
    return float(radius * (1 - 2**-0.5) / (1 - 2 ** (-1 / exponent)))


def superellipse(radius: float) -> Corner:
    """The corner through the 45° point of a circle of `radius` mm."""
    return Corner(extent=round(extent_of(radius, EXPONENT), 4), exponent=EXPONENT)
