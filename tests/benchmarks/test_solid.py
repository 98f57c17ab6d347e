"""Solids for the path tracer."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.solid import BACK, FRONT, frame, solid
from service.devices.device import catalogue

FOLDED = [device.id for device in catalogue().values() if device.slabs[0].halves != (0,)]


@pytest.mark.parametrize("identifier", FOLDED)
def test_every_part_of_a_folded_face_has_an_area(identifier: str) -> None:
    """Faces have an area before the plate is bent; bending closes the fold. A path tracer shades triangles
    wrongly if triangles without an area adjoin them."""
    shape = solid(catalogue()[identifier].slabs[0])
    quads = np.array(
        [
            part
            for part, slot in zip(shape.faces, shape.slots, strict=True)
            if slot in (FRONT, BACK) and len(part) == 4
        ]
    )
    corners = shape.flat[quads]
    areas = np.linalg.norm(np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]), axis=1) / 2
    assert areas.min() > 1e-7


def test_a_grip_does_not_come_out_of_the_front() -> None:
    device = catalogue()["steam-deck-oled"]
    body, grip = device.slab("body"), device.slab("grip-left")
    shape = solid(grip)
    at = np.column_stack([shape.points, np.ones(len(shape.points))]) @ frame(grip).T
    front = body.center[2] + body.size[2] / 2
    assert at[:, 2].max() < front - 10
    assert at[:, 2].min() == pytest.approx(grip.center[2] - grip.size[2] / 2)
