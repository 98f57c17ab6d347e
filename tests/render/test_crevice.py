"""The shade under a laptop's lid, round its hinge, and where a monitor's stand meets its foot."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.models.devices import catalogue
from service.render.geometry.face import plane
from service.render.geometry.mesh import frame
from service.render.paint.crevice import Crevice, crevice

LAPTOP = catalogue()["macbook-pro-14"]


def column(found: Crevice, x: float, places: list[float]) -> F32:
    """The light lost at places (n,) up the deck, x mm right of its middle."""
    high, wide = found.picture.shape
    across = (x - found.center[0]) / found.size[0] + 0.5
    down = 0.5 - (np.array(places) - found.center[1]) / found.size[1]
    return np.asarray(found.picture[(down * high).astype(int), int(across * wide)], np.float32)


def test_shade_is_deep_in_the_gap_and_falls_off_before_it() -> None:
    found = crevice(LAPTOP, LAPTOP.slab("deck"))
    assert found is not None
    before_the_hinge = column(found, 0, [102.0, 99.5, 98.0, 96.0])
    beside_it = column(found, 150, [105.0, 102.0, 99.5, 96.0])
    assert (np.diff(before_the_hinge) < 0).all()
    assert (np.diff(beside_it) < 0).all()
    assert before_the_hinge[0] > 0.6
    assert beside_it[0] > 0.6
    # The gap below the lid is higher than that below the hinge.
    assert before_the_hinge[2] < 0.1 < beside_it[2]


def test_light_falls_to_nothing_where_a_stand_meets_its_foot() -> None:
    monitor = catalogue()["studio-display"]
    foot, upright = monitor.slab("foot"), monitor.slab("upright")
    found = crevice(monitor, foot)
    assert found is not None
    axes, center = frame(upright)
    at = plane(foot, True)
    # Where the rounded edge of its back meets the foot.
    low = center + axes @ (np.array([0, -upright.size[1], upright.size[2]]) / 2 + (0, 0, -upright.edge))
    met = float((low - at.origin) @ at.y)
    lost = column(found, 0, [met + s * upright.edge for s in (0.1, 0.5, 1, 2, 3)])
    assert lost == pytest.approx([0.93, 0.61, 0.24, 0.04, 0.01], abs=0.1)
    assert (np.diff(lost) < 0).all()
    # Beside the upright as well, and not below the display, which is far above.
    x = upright.size[0] / 2
    assert column(found, x, [met - 1])[0] > 0.2 > column(found, x + upright.edge, [met - 1])[0]


def test_hinges_and_phones_have_no_gaps() -> None:
    assert crevice(LAPTOP, LAPTOP.slab("hinge")) is None
    phone = catalogue()["iphone-16-pro"]
    assert all(crevice(phone, slab) is None for slab in phone.slabs)
