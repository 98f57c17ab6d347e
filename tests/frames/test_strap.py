"""Textures of watch straps."""

from __future__ import annotations

import numpy as np

from frames.generator.strap import FINE, threaded, tubes
from service.devices.families.strap import OVERLAP


def test_tubes_end_whole_and_without_openings() -> None:
    """The end of the texture is stretched over the rounded end of the strap, so nothing may be drawn
    there."""
    pixels = tubes((25.5, 36.0)).pixels()
    black = (pixels[..., 3] > 220) & (pixels[..., :3].max(axis=2) < 20)
    rows = np.flatnonzero(black.mean(axis=1) > 0.3)  # those with openings
    assert rows[0] > 3 * FINE  # 3 mm
    assert len(np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)) == 6
    assert pixels[:4, :, 3].max() < 10


def test_tubes_end_before_the_sides() -> None:
    """Lines that cross the side of a strap would make its outline look like a saw."""
    alpha = threaded((24.7, 70.1)).pixels()[..., 3].astype(float)
    middle = alpha[:, alpha.shape[1] // 2]
    assert alpha[:, 0].std() < 0.3 * middle.std()


def test_grooves_lie_where_parts_of_a_strap_join() -> None:
    pixels = threaded((24.7, 70.1)).pixels()
    middle = pixels[:, pixels.shape[1] // 2, 3]
    joints = np.round((np.array([OVERLAP, 70.1 - OVERLAP]) / 70.1) * len(middle)).astype(int)
    assert all(middle[at - 3 : at + 4].max() > 0.85 * middle.max() for at in joints)
