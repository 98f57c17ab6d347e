"""The light of samples, scaled to exact coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32, U8
from service.render.kernels import samples
from tests.render.kernels import plain

SIZE = (9, 70)


def sampled(seed: int, part: float = 0.3) -> tuple[F32, F32, U8]:
    """Light, the share that samples hit, and the exact share; both shares are 0 in most pixels."""
    random = np.random.default_rng(seed)
    hit = np.where(random.random(SIZE) < part, random.random(SIZE), 0).astype(np.float32)
    share = np.where(random.random(SIZE) < part, random.integers(0, 256, SIZE), 0).astype(np.uint8)
    hit[:, 20:50], share[:, 24:54] = 0, 0
    return (random.random((*SIZE, 3)) * hit[..., None]).astype(np.float32), hit, share


@pytest.mark.parametrize("part", [0.02, 0.3, 0.9])
def test_samples_are_weighed_by_their_share(part: float) -> None:
    rgb, hit, share = sampled(1, part)
    light, hits = plain.borrowed(rgb, hit, (share > 0) & (hit <= 0))
    want = np.where(hits > 0, share / np.float32(255), 0)
    scale = np.divide(want, hits, out=np.zeros_like(want), where=hits > 0)
    samples.weigh(rgb, hit, share)
    np.testing.assert_allclose(hit, want, rtol=1e-6)
    np.testing.assert_allclose(rgb, light * scale[..., None], rtol=1e-5)


def test_borders_and_gaps_are_added() -> None:
    rgb, hit, gap = sampled(2)
    border, part, _ = sampled(3)
    own = gap * np.float32(1 / 255)
    want = rgb + border + own[..., None] * np.float32(0.1), hit + part + own
    samples.join(rgb, hit, border, part, gap, 0.1)
    np.testing.assert_allclose(rgb, want[0], rtol=1e-6)
    np.testing.assert_allclose(hit, want[1], rtol=1e-6)


def test_covered_pixels_get_their_full_colour() -> None:
    rgb, hit, cover = sampled(4)
    gain = np.random.default_rng(5).random(SIZE, np.float32)
    some = (cover > 0) & (hit > 0) & (hit < 0.9999)
    light, hits = rgb.copy(), hit.copy()
    light[some] /= hit[some][:, None]
    hits[some] = 1
    through = np.where(some, gain / np.where(some, hit, 1), gain)
    want = plain.borrowed(light, hits, (cover > 0) & (hits <= 0))
    samples.spread(rgb, hit, cover, (gain,))
    np.testing.assert_allclose(rgb, want[0], rtol=1e-5)
    np.testing.assert_array_equal(hit, want[1])
    np.testing.assert_allclose(gain, through, rtol=1e-6)


def test_colours_are_borrowed_from_as_far_as_three_pixels() -> None:
    rgb, hit = np.zeros((1, 9, 3), np.float32), np.zeros((1, 9), np.float32)
    rgb[0, 0], hit[0, 0] = 0.25, 0.5
    samples.weigh(rgb, hit, np.full((1, 9), 255, np.uint8))
    assert rgb[0, :, 0].tolist() == [0.5] * 4 + [0.0] * 5
    assert hit[0].tolist() == [1.0] * 4 + [0.0] * 5


@pytest.mark.parametrize("part", [0.02, 0.3, 0.9])
def test_gaskets_are_spread_to_the_pixels_beside_them(part: float) -> None:
    rgb, hit, gasket = sampled(7, part)
    # Each pixel shows at least a little of the surface beside its gasket; many show nothing else.
    hit = (0.9 * hit + 0.01 + gasket / np.float32(255)).astype(np.float32)
    rgb = (rgb + np.float32(0.02) * gasket[..., None] / np.float32(255)).astype(np.float32)
    want = plain.evened(rgb, hit, gasket, 0.02)
    samples.even(rgb, hit, gasket, 0.02)
    np.testing.assert_allclose(rgb, want, rtol=1e-4, atol=1e-6)


def test_arrays_that_do_not_fit_are_refused() -> None:
    rgb, hit, share = sampled(6)
    for kernel, good in (
        (samples.weigh, [rgb, hit, share]),
        (samples.join, [rgb, hit, rgb.copy(), hit.copy(), share, 0.1]),
        (samples.spread, [rgb, hit, share, (hit.copy(),)]),
        (samples.even, [rgb, hit, share, 0.1]),
    ):
        for place, value in enumerate(good):
            for wrong in (value[1:], value[:, 1:].copy()) if isinstance(value, np.ndarray) else ():
                given: list[Any] = [wrong if at == place else one for at, one in enumerate(good)]
                with pytest.raises(ValueError, match="pixel"):
                    kernel(*given)
    with pytest.raises(ValueError, match="pixel"):
        samples.spread(rgb, hit, share, (hit[1:],))
