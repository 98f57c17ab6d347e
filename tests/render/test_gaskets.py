"""Dark lines between walls and faces look even, whatever pixels they cross."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32, U8
from service.render.geometry.coverage import levels
from service.render.geometry.raster import Box, Samples
from service.render.paint.rim import even
from service.render.paint.wall import GASKET_RADIANCE
from service.srgb import encode

BOX = Box(0, 0, 120, 40)


def band(top: float, width: float, slope: float = 0.08) -> F32:
    """The corners of a slightly slanted band, some px wide."""
    x = np.array([-5.0, 125, 125, -5])
    y = top + slope * x + np.array([0, 0, width, width])
    return np.stack([x, y], axis=1).astype(np.float32)


def line(width: float, slope: float = 0.08) -> U8:
    """The coverage of a slightly slanted line, some px wide."""
    return levels([band(15, width, slope)], BOX)


def painted(gasket: U8, light: float) -> F32:
    """The light (h, w) in a line and next to it, after `even`."""
    share = gasket.astype(np.float32)[..., None] / np.float32(255)
    rgb = np.repeat(light * (1 - share) + GASKET_RADIANCE * share, 3, axis=2).astype(np.float32)
    even(Samples(rgb, np.ones(gasket.shape, np.float32)), gasket)
    assert np.ptp(rgb, axis=2).max() < 1e-6
    return rgb[..., 0]


@pytest.mark.parametrize("width", [0.3, 0.6, 0.9])
def test_a_thin_line_is_not_dashed(width: float) -> None:
    gasket = line(width)
    plain = 0.9 + (GASKET_RADIANCE - 0.9) * gasket / 255
    both = (plain, painted(gasket, 0.9).astype(np.float64))
    darkest = [encode(of)[:, 10:110].min(axis=0) for of in both]
    before, after = (np.ptp(of) for of in darkest)
    assert after < 0.7 * before


@pytest.mark.parametrize("width", [0.3, 0.9, 4.0])
def test_no_light_is_lost(width: float) -> None:
    gasket = line(width)
    lost = (0.9 - painted(gasket, 0.9))[:, 10:110].sum()
    assert lost == pytest.approx((0.9 - GASKET_RADIANCE) * gasket[:, 10:110].sum() / 255, rel=0.01)


@pytest.mark.parametrize("width", [0.3, 0.6, 0.9])
def test_a_line_beside_a_bright_rim_looks_even(width: float) -> None:
    rim, gasket = (levels([of], BOX) / np.float32(255) for of in (band(14, 1), band(15, width)))
    below = levels([band(15 + width, 40)], BOX) / np.float32(255)
    light = rim * np.float32(1.4) + gasket * np.float32(GASKET_RADIANCE) + below * np.float32(0.02)
    rgb = np.repeat(light[..., None], 3, axis=2).astype(np.float32)
    even(Samples(rgb, np.asarray(rim + gasket + below, np.float32)), np.rint(255 * gasket).astype(np.uint8))
    sums = rgb[:, 10:110, 0].sum(axis=0)
    # The same part of the rim is in each column, whichever pixels share it with the line.
    assert np.ptp(sums) < 0.17 * sums.mean()


def test_a_wide_line_stays_dark_and_its_surroundings_unchanged() -> None:
    gasket = line(6, slope=0)
    light = painted(gasket, 0.9)
    assert light[17:20, 10:110] == pytest.approx(GASKET_RADIANCE, abs=1e-4)
    assert light[:13, 10:110] == pytest.approx(0.9, abs=1e-6)
    # At the edge of the line, an eighth of the light comes from outside it.
    assert light[15, 60] == pytest.approx(GASKET_RADIANCE + (0.9 - GASKET_RADIANCE) / 8, abs=1e-3)


def test_the_silhouette_keeps_its_coverage() -> None:
    gasket = line(0.9)
    hit = np.ones(gasket.shape, np.float32)
    hit[: BOX.height // 2] = np.maximum(gasket[: BOX.height // 2] / np.float32(255), 0)
    rgb = np.repeat(hit[..., None] * np.float32(0.5), 3, axis=2)
    covered = hit.copy()
    even(Samples(rgb, hit), gasket)
    assert (hit == covered).all()
    assert (rgb[hit == 0] == 0).all()
    assert (rgb >= 0).all()


def test_without_a_line_nothing_changes() -> None:
    rgb = np.full((40, 120, 3), 0.4, np.float32)
    even(Samples(rgb, np.ones((40, 120), np.float32)), np.zeros((40, 120), np.uint8))
    assert (rgb == np.float32(0.4)).all()
