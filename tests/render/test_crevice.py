"""The shade under a laptop's lid and round its hinge."""

from __future__ import annotations

import numpy as np

from service.arrays import F32
from service.models.devices import catalogue
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


def test_only_a_deck_has_gaps() -> None:
    assert crevice(LAPTOP, LAPTOP.slab("hinge")) is None
    phone = catalogue()["iphone-16-pro"]
    assert all(crevice(phone, slab) is None for slab in phone.slabs)
