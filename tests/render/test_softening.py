"""A wider pixel filter for edges inside a device."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32, U8
from service.render.geometry.coverage import levels
from service.render.geometry.raster import Box
from service.render.paint.canvas import Canvas
from service.render.paint.softening import cross, partial, soften, softened
from service.srgb import encode


def test_a_slanted_edge_has_more_levels_and_keeps_its_place() -> None:
    x, y = np.arange(30) + 0.5, np.arange(16)[:, None] + 0.5
    cover = np.clip(y - 8 - (x - 15) / 8 + 0.5, 0, 1)
    light = np.repeat((0.9 * cover)[..., None], 3, axis=2).astype(np.float32)
    before = light.copy()
    soften(light, np.ones((16, 30), np.float32), np.zeros((16, 30), np.uint8))
    between = [((one > 0.01) & (one < 0.85)).sum() for one in (before, light)]
    assert between[1] > 1.5 * between[0]
    roots = [np.sqrt(one[..., 1]).sum() for one in (before, light)]
    assert abs(roots[1] - roots[0]) < 0.01 * roots[0]


def test_a_hard_edge_is_filtered_by_a_spline() -> None:
    light = np.full((8, 10, 3), 0.01, np.float32)
    light[:, 5:] = 0.81
    soften(light, np.ones((8, 10), np.float32), np.zeros((8, 10), np.uint8))
    # The filter leaves a sixth of the step between the roots .1 and .9 on each side.
    found = np.sqrt(light[4, 2:8, 0])
    np.testing.assert_allclose(found, [0.1, 0.1, 0.1 + 0.8 / 6, 0.9 - 0.8 / 6, 0.9, 0.9], atol=1e-5)


def test_drawn_lines_and_faint_steps_stay_as_they_are() -> None:
    light = np.full((9, 20, 3), 0.05, np.float32)
    light[:, 4], light[:, 12:] = 0.8, 0.09
    before = light.copy()
    soften(light, np.ones((9, 20), np.float32), np.zeros((9, 20), np.uint8))
    np.testing.assert_array_equal(light, before)


def slanted(low: float, high: float) -> U8:
    """The coverage (h, w) of everything between two nearly level lines, at these heights, px."""
    x = np.array([-5.0, 125, 125, -5])
    y = 15 + 0.08 * x + np.array([low, low, high, high])
    return levels([np.stack([x, y], axis=1).astype(np.float32)], Box(0, 0, 120, 40))


def codes(light: F32, cover: F32) -> F32:
    """The code values (h, w) of light over a dark background."""
    straight = encode(np.clip(light[..., 1] / np.maximum(cover, 1e-3), 0, 1).astype(np.float64))
    return np.asarray(255 * straight * cover + 20 * (1 - cover), np.float32)


def unevenness(light: F32, without: F32, cover: F32) -> float:
    """The share by which the strength of a line, summed across it, varies along it, given the light `without`
    the line."""
    strength = (codes(light, cover) - codes(without, cover)).sum(axis=0)[15:105]
    return float(np.ptp(strength) / abs(strength.mean()))


@pytest.mark.parametrize("line", [0.9, 0.002])
def test_a_thin_line_inside_a_device_is_not_dashed(line: float) -> None:
    share = slanted(0, 0.8)
    plain, cover = np.full((40, 120, 3), 0.25, np.float32), np.ones((40, 120), np.float32)
    before: F32 = plain + np.float32((line - 0.25) / 255) * share.astype(np.float32)[..., None]
    light = before.copy()
    soften(light, cover, partial(share))
    assert unevenness(light, plain, cover) < 0.6 * unevenness(before, plain, cover)
    assert light.mean() == pytest.approx(before.mean(), rel=1e-3)


def test_a_bright_rim_at_the_silhouette_is_not_dashed() -> None:
    face, whole = slanted(-40, 0), slanted(-40, 0.8)
    cover = np.asarray(whole / np.float32(255), np.float32)
    plain: F32 = np.repeat(np.float32(0.004) * cover[..., None], 3, axis=2)
    before: F32 = plain + np.float32(0.446 / 255) * (whole - face).astype(np.float32)[..., None]
    light = before.copy()
    soften(light, cover, partial(face) | partial(whole))
    assert unevenness(light, plain, cover) < 0.6 * unevenness(before, plain, cover)
    assert not light[cover == 0].any()


def test_a_step_beside_the_silhouette_is_not_broken() -> None:
    """The silhouette approaches a level edge, so that the filter ends on the way."""
    height, width = 12, 120
    reach = 1.4 + np.arange(width) / 100  # px from the silhouette to the edge
    cover = np.clip(np.arange(height)[:, None] + 1 - (7.5 - reach), 0, 1).astype(np.float32)
    straight = np.where(np.arange(height) < 7, 0.8, np.where(np.arange(height) > 7, 0.01, 0.7))
    light = np.asarray(straight[:, None, None] * cover[..., None] * np.ones(3), np.float32)
    soften(light, cover, np.zeros((height, width), np.uint8))
    found = codes(light, cover)[7, 2:-2]
    assert np.ptp(found) > 20
    assert np.abs(np.diff(found)).max() < 0.2 * np.ptp(found)


def test_a_slab_marks_its_edges_and_hides_those_behind_it() -> None:
    canvas, box = Canvas.empty(Box(10, 20, 8, 5), 0), Box(12, 21, 5, 3)
    canvas.edges[:] = 1
    cover = np.array([[0, 9, 255, 255, 255]] * 3, np.uint8)
    rim = np.array([[0, 0, 0, 200, 0]] * 3, np.uint8)
    cross(canvas, cover, rim, box)
    np.testing.assert_array_equal(canvas.edges[1:4, 2:7] > 0, [[True, True, False, True, False]] * 3)
    canvas.edges[1:4, 2:7] = 1
    assert canvas.edges.all()


def test_edges_of_screens_stay_as_they_are() -> None:
    canvas = Canvas.empty(Box(0, 0, 30, 8), 1)
    canvas.alpha[:, 4:] = 1
    canvas.rgb[:, 4:18] = 0.8
    canvas.gains[0][:, 18:] = 0.9
    canvas.edges[:, 18] = 1
    before = canvas.rgb.copy()
    softened(canvas)
    np.testing.assert_allclose(canvas.rgb, before, atol=1e-6)
