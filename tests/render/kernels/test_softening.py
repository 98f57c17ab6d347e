"""The wider filter of edges."""

from __future__ import annotations

import numpy as np
import pytest

from service.render.kernels.softening import soften
from tests.render.kernels import plain
from tests.support.looped import looped


@looped("seed", range(6))
def test_edges_are_filtered_as_in_the_plain_form(seed: int) -> None:
    random = np.random.default_rng(seed)
    light = random.random((3, 4, 3)).repeat(5, 0).repeat(4, 1).astype(np.float32) * 1.4 - 0.1
    light += random.normal(scale=0.01, size=light.shape).astype(np.float32)
    cover = np.ones(light.shape[:2], np.float32)
    cover[:, :2], cover[9:11, 6:9], cover[2, 11], cover[:, 13] = 0, 0.7, 0, 0.9
    light *= cover[..., None]
    near = (random.random(cover.shape) < 0.3).astype(np.uint8)
    want = plain.softened(light, cover, near, 0.12, 0.32)
    for part in (near > 0, near == 0):
        assert (want != light).any(axis=2)[part].mean() > 0.2
    soften(light, cover, near, 0.12, 0.32)
    np.testing.assert_allclose(light, want, atol=2e-6)


def test_a_line_away_from_edges_stays_as_it_is() -> None:
    light, cover = np.full((8, 9, 3), 0.01, np.float32), np.ones((8, 9), np.float32)
    light[:, 4], light[:, 5:], cover[:, 5:] = 0.6, 0.12, 0.2
    before, near = light.copy(), np.zeros((8, 9), np.uint8)
    np.testing.assert_array_equal(plain.softened(light, cover, near, 0.12, 0.32), before)
    soften(light, cover, near, 0.12, 0.32)
    np.testing.assert_array_equal(light, before)


def test_pictures_of_any_size_are_filtered() -> None:
    for height, width in ((0, 4), (1, 1), (1, 7), (2, 3), (2, 7), (7, 2)):
        # Memory before and after the arrays is not read.
        light = np.random.default_rng(1).random((height + 2, width, 3)).astype(np.float32)[1:-1]
        cover = np.ones((height + 2, width), np.float32)[1:-1]
        near = np.ones((height + 2, width), np.uint8)[1:-1]
        want = plain.softened(light, cover, near, 0.12, 0.32)
        soften(light, cover, near, 0.12, 0.32)
        np.testing.assert_allclose(light, want, atol=2e-6)


def test_what_does_not_fit_is_refused() -> None:
    light, cover = np.zeros((4, 5, 3), np.float32), np.ones((4, 5), np.float32)
    near = np.zeros((4, 5), np.uint8)
    for wrong in (np.zeros((4, 5, 2), np.float32), np.zeros((5, 4, 3), np.float32)):
        with pytest.raises(ValueError, match="three colours and a cover"):
            soften(wrong, cover, near, 0.1, 0.2)
    with pytest.raises(ValueError, match="near an edge or not"):
        soften(light, cover, near[1:], 0.1, 0.2)
    with pytest.raises(ValueError, match="limits of steps"):
        soften(light, cover, near, 0.2, 0.1)
