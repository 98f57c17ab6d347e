"""Slabs posed about a hinge, and the box around them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from service.models.devices import Slab, Vector


def vector(values: Iterable[float]) -> Vector:
    """Three plain floats, rounded to a nanometre."""
    x, y, z = (round(float(value), 6) + 0.0 for value in values)
    return x, y, z


def along(*steps: tuple[float, Vector]) -> Vector:
    """The weighted sum of vectors."""
    x, y, z = (sum(times * direction[axis] for times, direction in steps) for axis in range(3))
    return x, y, z


def cross(a: Vector, b: Vector) -> Vector:
    """The cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def box_of(slabs: Sequence[Slab]) -> tuple[Vector, Vector]:
    """The lower and upper corner of the box around the slabs, mm."""
    points = [
        along((1, slab.center), *zip(reach, (slab.x, slab.y, cross(slab.x, slab.y)), strict=True))
        for slab in slabs
        for signs in itertools.product((-0.5, 0.5), repeat=3)
        for reach in [[sign * size for sign, size in zip(signs, slab.size, strict=True)]]
    ]
    low, high = ([pick(point[axis] for point in points) for axis in range(3)] for pick in (min, max))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def centred(slabs: Sequence[Slab]) -> tuple[tuple[Slab, ...], Vector]:
    """The slabs moved to centre their common box on the origin, and the box's size."""
    low, high = box_of(slabs)
    middle = along((0.5, low), (0.5, high))
    moved = tuple(
        slab.model_copy(update={"center": vector(along((1, slab.center), (-1, middle)))}) for slab in slabs
    )
    return moved, vector(round(size, 4) for size in along((1, high), (-1, low)))
