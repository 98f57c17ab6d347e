"""Painter's order of a device's slabs: farthest from the camera first."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...arrays import F64
from ...devices.device import Device, Slab
from ..memoize import MIB, memoize
from .mesh import mesh, placed, pose

JOINT = 2.0  # mm by which slabs may overlap where one continues the other; a guard
PAIRS = 256  # pairs of slabs whose separating planes are cached: more than a device has


class Separation(NamedTuple):
    """A plane between two slabs: unit `normal` (3,), `offset` mm along it from `center` (3,), device mm.

    It is the plane of a face of the slab below it, which is the first one if `first` is set and otherwise the
    second.
    """

    center: F64
    normal: F64
    offset: float
    first: bool


def painters(device: Device, eye: F64) -> list[Slab]:
    """The slabs from back to front as seen from `eye` (3,), device mm.

    A raised part follows its parent if the camera is above its base, and otherwise precedes it. The plane
    that separates them best orders two slabs without a parent. It also orders a part without a base, such as
    a monitor's post, and its parent.
    """
    children: dict[str | None, list[Slab]] = {}
    for slab in device.slabs:
        children.setdefault(slab.parent, []).append(slab)
    ordered: list[Slab] = []

    centers, ups, bases = _seats(device.slabs)
    toward = eye - centers
    nearness, above = -np.sqrt((toward**2).sum(axis=1)), (toward * ups).sum(axis=1) > bases
    seats = {
        slab.name: seat for slab, *seat in zip(device.slabs, nearness.tolist(), above.tolist(), strict=True)
    }

    def before(child: Slab, parent: Slab) -> bool:
        return behind(child, parent, eye) if child.base is None else not seats[child.name][1]

    def visit(slab: Slab) -> None:
        mine = sorted(children.get(slab.name, ()), key=lambda child: seats[child.name][0])
        order = [(child, before(child, slab)) for child in mine]
        for child, early in order:
            if early:
                visit(child)
        ordered.append(slab)
        for child, early in order:
            if not early:
                visit(child)

    for root in _roots(children.get(None, []), eye):
        visit(root)
    return ordered


@memoize(MIB)
def _seats(slabs: tuple[Slab, ...]) -> tuple[F64, F64, F64]:
    """The centres (n, 3) of slabs, the directions (n, 3) in which their fronts face, and their bases (n,),
    mm."""
    axes, centers = zip(*(pose(slab) for slab in slabs), strict=True)
    ups = np.stack([own[:, 2] for own in axes])
    return np.stack(centers), ups, np.array([slab.base or 0.0 for slab in slabs])


def _roots(slabs: list[Slab], eye: F64) -> list[Slab]:
    """The slabs, sorted by insertion according to their pairwise order; devices have at most a handful of
    roots."""
    ordered: list[Slab] = []
    for slab in slabs:
        place = next((i for i, other in enumerate(ordered) if behind(slab, other, eye)), len(ordered))
        ordered.insert(place, slab)
    return ordered


def behind(a: Slab, b: Slab, eye: F64) -> bool:
    """Whether `a` must be painted before `b`, judged by the face plane that separates them best."""
    between = _between(a, b)
    # If the camera is beyond the plane, it is on the other slab's side, so the plane's own slab is behind.
    beyond = float((eye - between.center) @ between.normal) > between.offset
    return beyond == between.first


@lru_cache(PAIRS)
def _between(a: Slab, b: Slab) -> Separation:
    """The face plane that separates two slabs best, in the middle of the gap between them."""
    best, separation = -np.inf, None
    for one, other, first in ((a, b, True), (b, a, False)):
        if one.bend is not None and one.joined:
            gap, joint = _joint(one, one.bend.reach, other, first)
            if gap > -JOINT:
                return joint
        axes, center = pose(one)
        local = (mesh(other).hull - center) @ axes
        for axis in range(3):
            for sign in (1.0, -1.0):
                half = _extent(one, axis, sign)
                gap = float((sign * local[:, axis]).min()) - half
                if gap > best:
                    best, separation = gap, Separation(center, sign * axes[:, axis], half + gap / 2, first)
    assert separation is not None
    return separation


def _joint(bent: Slab, reach: float, other: Slab, first: bool) -> tuple[float, Separation]:
    """The distance, mm, of another slab beyond the end of a bend next to it, and the plane at that end.

    The other slab may continue the bend. The distance is negative if the slab reaches behind the plane.
    """
    best, separation = -np.inf, None
    for side in (-1, 1):
        axes, center = placed(bent, side)
        end, normal = center + side * reach * axes[:, 1], side * axes[:, 1]
        gap = float(((mesh(other).hull - end) @ normal).min())
        if gap > best:
            best, separation = gap, Separation(end, normal, 0.0, first)
    assert separation is not None
    return best, separation


def _extent(slab: Slab, axis: int, sign: float) -> float:
    """How far a slab extends along one of its axes, mm."""
    if slab.bend is None:
        return slab.size[axis] / 2
    axes, center = pose(slab)
    return float((sign * ((mesh(slab).hull - center) @ axes)[:, axis]).max())
