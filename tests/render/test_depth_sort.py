"""Painter's order of the parts of a stand, and the planes between parts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import Slab, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.depth_sort import _between, painters
from service.render.geometry.mesh import mesh, pose
from service.render.geometry.rotation import rotation

#: Devices with a post or plate that is attached to the back of the display.
STANDING = ["dell-ultrasharp-27", "generic-monitor-27", "imac-24", "monitor", "studio-display"]


def hides(slab: Slab, eye: F64, points: F64) -> bool:
    """Whether a slab's box, without its rounded corners, lies between an eye and any of the points (n, 3)."""
    axes, center = pose(slab)
    start, way = (eye - center) @ axes, (points - eye) @ axes
    half = np.array(slab.size) / 2 - [slab.corner.extent, 0, slab.edge] - np.full(3, 0.5)
    near, far = (-half - start) / way, (half - start) / way
    enters, leaves = np.minimum(near, far).max(axis=1), np.maximum(near, far).min(axis=1)
    return bool(((enters < leaves) & (enters > 0) & (enters < 0.999)).any())


@pytest.mark.parametrize("name", STANDING)
def test_a_stand_and_the_part_that_holds_it_are_painted_far_before_near(name: str) -> None:
    item = catalogue()[name]
    post = item.slab("upright")
    assert post.parent is not None
    holder = item.slab(post.parent)
    ends = {slab.name: np.asarray(mesh(slab).hull, np.float64) for slab in (post, holder)}
    for rx in (-60, -30, -16, -5, 4, 14, 35, 65):
        # Behind the display, where both are seen.
        for ry in range(100, 261, 20):
            eye = Camera(rotation(rx, ry, 0), 2.0, 1500.0, (400.0, 300.0), 800, 600).eye
            order = [slab.name for slab in painters(item, eye)]
            for near, far in ((post, holder), (holder, post)):
                if hides(near, eye, ends[far.name]):
                    assert order.index(near.name) > order.index(far.name), (rx, ry, near.name)


@pytest.mark.parametrize(
    "name", ["apple-watch-ultra-3", "apple-watch-se-3", "galaxy-watch-8", "studio-display"]
)
def test_the_plane_between_two_parts_is_in_the_middle_of_their_gap(name: str) -> None:
    parts = [slab for slab in catalogue()[name].slabs if slab.base is None]
    assert len(parts) > 1
    for one, other in combinations(parts, 2):
        plane = _between(one, other)
        if plane.offset == 0:
            continue  # where a bend continues the other part, it is the end of the bend
        own, beyond = (one, other) if plane.first else (other, one)
        ends = [(mesh(slab).hull - plane.center) @ plane.normal for slab in (own, beyond)]
        middle = (ends[0].max() + ends[1].min()) / 2
        assert plane.offset == pytest.approx(middle, abs=1e-3), (one.name, other.name)
