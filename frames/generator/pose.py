"""Slabs posed about a hinge, and the box that holds them all."""

from __future__ import annotations

import itertools

import numpy as np

from service.arrays import F64
from service.models.devices import Slab, Vector


def vector(values: F64) -> Vector:
    """Three plain floats, rounded to a tenth of a micrometre."""
    x, y, z = (round(float(value), 6) + 0.0 for value in values)
    return x, y, z


def box_of(slabs: tuple[Slab, ...]) -> tuple[F64, F64]:
    """Lower and upper corner of the box around some slabs, mm."""
    points: list[F64] = []
    for slab in slabs:
        x, y = np.array(slab.x), np.array(slab.y)
        axes = np.column_stack([x, y, np.cross(x, y)])
        signs = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
        points.extend(np.array(slab.center) + axes @ sign for sign in signs * np.array(slab.size))
    return np.min(points, axis=0), np.max(points, axis=0)


def centred(slabs: tuple[Slab, ...]) -> tuple[tuple[Slab, ...], Vector]:
    """The slabs moved so that their common box is centred on the origin, and the box's size."""
    low, high = box_of(slabs)
    middle = (low + high) / 2
    moved = tuple(s.model_copy(update={"center": vector(np.array(s.center) - middle)}) for s in slabs)
    return moved, vector(np.round(high - low, 4))
