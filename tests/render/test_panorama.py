"""Pictures of environments."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32, U8
from service.render.light.environment import Environment, directions, wrapped
from service.render.light.panorama import panorama


def shown(radiance: F32) -> U8:
    """The picture, 64 by 32 px, of an environment whose radiance (n, n, 3) is given by direction."""
    none = np.zeros((1, 1, 3), np.float32)
    square = wrapped(radiance.astype(np.float32))
    return panorama(Environment("test", square, none[..., 0].astype(np.uint8), {}, none, 1.0), 64, 32)


@pytest.mark.parametrize("level", [0.01, 1.0, 300.0])
def test_an_even_light_is_a_grey_whatever_its_strength(level: float) -> None:
    picture = shown(np.full((64, 64, 3), level))
    # The grey is .35 divided by the mean cosine of the latitudes, with highlights compressed: .355 of white.
    assert picture.shape == (32, 64, 3)
    assert np.ptp(picture) == 0
    assert picture[0, 0, 0] == 161


def test_colours_stay_under_the_roll_off() -> None:
    red = shown(np.full((64, 64, 3), [9.0, 4.5, 0.0]))[16, 32].tolist()
    assert red[0] == 161
    # Green has half the linear light of red.
    assert red[1] == pytest.approx(116, abs=1)
    assert red[2] == 0


@pytest.mark.parametrize(
    ("axis", "sign", "row", "column"),
    [(0, 1, 16, 48), (0, -1, 16, 16), (1, 1, 0, None), (1, -1, 31, None), (2, 1, 16, 32), (2, -1, 16, 0)],
)
def test_lights_appear_at_their_directions(axis: int, sign: int, row: int, column: int | None) -> None:
    """Right, left, above and below are at their sides, lights behind the viewer in the middle, and lights
    ahead at the edges."""
    facing = directions(128)[..., axis] * sign
    picture = shown(np.repeat(np.where(facing > 0.98, 1.0, 0.0)[..., None], 3, axis=2))[..., 0].astype(int)
    assert picture.max() > 200
    bright = np.argwhere(picture > 200)
    assert np.abs(bright[:, 0] - row).min() <= 1
    if column is None:
        assert len(set(bright[:, 1])) == 64
    else:
        distance = np.abs((bright[:, 1] - column + 32) % 64 - 32)
        assert distance.max() <= 4
