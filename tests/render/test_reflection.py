"""Light on the glass and the metal."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from service.arrays import F64
from service.models.settings import ENVIRONMENTS
from tests.render.posing import flat, picture

CANVAS = {
    "canvas.width": 480,
    "canvas.height": 360,
    "shadow.enabled": False,
    "deviceTransform.rotationY": -40,
}


def shown(**reflection: Any) -> F64:
    given = CANVAS | {f"reflection.{name}": value for name, value in reflection.items()}
    return np.asarray(picture(flat((60, 60, 60)), given), np.float64)


def test_every_environment_looks_different() -> None:
    pictures = [shown(environment=name) for name in ENVIRONMENTS]
    device = shown(enabled=False)[..., 0] < 230
    for at, one in enumerate(pictures):
        for other in pictures[at + 1 :]:
            assert np.abs(one - other)[device].mean() > 1


def test_three_ways_to_switch_it_off() -> None:
    off = shown(enabled=False)
    assert (shown(intensity=0) == off).all()
    assert (shown(environment="none") == off).all()
    assert (shown(enabled=False, environment="sunset") == off).all()


def test_more_intensity_lightens_the_glass_more() -> None:
    middle = [
        shown(environment="window", intensity=level)[150:210, 225:255].mean() for level in (0, 0.5, 1, 2, 3)
    ]
    assert all(after > before for before, after in pairwise(middle))
    assert middle[0] == pytest.approx(60, abs=0.5)
