"""A wider pixel filter for hard edges inside a device."""

from __future__ import annotations

import numpy as np

from service.render.geometry.raster import Box
from service.render.paint.canvas import Canvas
from service.render.paint.softening import soften, softened


def test_a_slanted_edge_has_more_levels_and_keeps_its_place() -> None:
    x, y = np.arange(30) + 0.5, np.arange(16)[:, None] + 0.5
    cover = np.clip(y - 8 - (x - 15) / 8 + 0.5, 0, 1)
    light = np.repeat((0.9 * cover)[..., None], 3, axis=2).astype(np.float32)
    before = light.copy()
    soften(light, np.ones((16, 30), np.float32))
    between = [((one > 0.01) & (one < 0.85)).sum() for one in (before, light)]
    assert between[1] > 1.5 * between[0]
    roots = [np.sqrt(one[..., 1]).sum() for one in (before, light)]
    assert abs(roots[1] - roots[0]) < 0.01 * roots[0]


def test_a_hard_edge_is_filtered_by_a_spline() -> None:
    light = np.full((8, 10, 3), 0.01, np.float32)
    light[:, 5:] = 0.81
    soften(light, np.ones((8, 10), np.float32))
    # A sixth of the step between the roots .1 and .9 lies on each side.
    found = np.sqrt(light[4, 2:8, 0])
    np.testing.assert_allclose(found, [0.1, 0.1, 0.1 + 0.8 / 6, 0.9 - 0.8 / 6, 0.9, 0.9], atol=1e-5)


def test_thin_lines_and_faint_steps_stay_as_they_are() -> None:
    light = np.full((9, 20, 3), 0.05, np.float32)
    light[:, 4], light[:, 12:] = 0.8, 0.09
    before = light.copy()
    soften(light, np.ones((9, 20), np.float32))
    np.testing.assert_array_equal(light, before)


def test_edges_of_the_silhouette_and_of_screens_stay_as_they_are() -> None:
    canvas = Canvas.empty(Box(0, 0, 30, 8), 1)
    canvas.alpha[:, 4:] = 1
    canvas.rgb[:, 4:18] = 0.8
    canvas.gains[0][:, 18:] = 0.9
    before = canvas.rgb.copy()
    softened(canvas)
    np.testing.assert_array_equal(canvas.rgb, before)
