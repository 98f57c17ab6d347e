"""The dither's pattern: uniform, without low frequencies, and consistent between calls."""

from __future__ import annotations

import numpy as np
import pytest

from service.render import dither
from service.render.effects import grain

SIDE = 256


def test_every_level_comes_equally_often() -> None:
    pattern = dither.noise(0, 0, SIDE, SIDE)
    assert np.array_equal(np.sort(pattern.ravel()), np.arange(SIDE * SIDE, dtype=np.float32) / (SIDE * SIDE))


def test_the_pattern_has_no_low_frequencies() -> None:
    """Blue noise has little energy below a quarter of the sampling rate, where it would be visible."""
    pattern = dither.noise(0, 0, SIDE, SIDE).astype(np.float64) - 0.5
    power = np.abs(np.fft.fft2(pattern)) ** 2 / (pattern**2).sum() / SIDE**2
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(SIDE), np.fft.fftfreq(SIDE)))
    # The energy of white noise would be proportional to the area of the spectrum.
    for below, share in ((0.05, 0.02), (0.1, 0.05), (0.2, 0.25)):
        part = (frequency > 0) & (frequency < below)
        assert power[part].sum() < share * part.mean()
    # No frequency stands out, as in a line or grid pattern.
    assert power.max() < 40 / SIDE**2
    assert abs(np.corrcoef(pattern[:, 1:].ravel(), pattern[:, :-1].ravel())[0, 1]) > 0.3
    assert abs((pattern * np.roll(pattern, 7, 0)).mean() / (pattern**2).mean()) < 0.03


def test_the_pattern_does_not_look_woven() -> None:
    """All high frequencies have the same weight; even the highest ones, a checkerboard's, are not
    stronger."""
    pattern = dither.noise(0, 0, SIDE, SIDE).astype(np.float64) - 0.5
    power = np.abs(np.fft.fft2(pattern)) ** 2
    across, down = np.meshgrid(np.abs(np.fft.fftfreq(SIDE)), np.abs(np.fft.fftfreq(SIDE)))
    frequency, corner = np.hypot(across, down), np.minimum(across, down) > 0.4
    assert power[corner].mean() < 1.5 * power[(frequency > 0.4) & (frequency < 0.5)].mean()


@pytest.mark.parametrize("channel", [0, 1, 2])
@pytest.mark.parametrize(
    "box", [(0, 0, 300, 270), (13, 201, 90, 300), (250, 250, 10, 10), (700, 900, 600, 5)]
)
def test_a_part_is_a_part_of_the_whole(box: tuple[int, int, int, int], channel: int) -> None:
    x, y, width, height = box
    whole = np.tile(dither.noise(0, 0, SIDE, SIDE, channel), (8, 8))
    part = whole[y : y + height, x : x + width]
    assert np.array_equal(dither.noise(*box, channel), part)
    offsets = np.tile(dither.offsets(), (8, 8, 1))[y : y + height, x : x + width]
    assert np.array_equal(offsets[..., channel], dither.spread(*box, channel))


def test_channels_step_at_different_pixels() -> None:
    channels = [dither.noise(0, 0, SIDE, SIDE, channel).ravel() for channel in range(3)]
    assert np.abs(np.corrcoef(channels) - np.eye(3)).max() < 0.02


def test_whole_numbers_stay_and_fractions_are_kept_in_the_mean() -> None:
    spread = dither.spread(0, 0, SIDE, SIDE)
    assert spread.min() > 0
    assert spread.max() < 1
    for level in (0.0, 7.0, 254.0):
        assert (np.float32(level) + spread).astype(np.uint8).tolist() == np.full((SIDE, SIDE), level).tolist()
    for fraction in (0.1, 0.5, 0.73):
        assert (np.float32(40 + fraction) + spread).astype(np.uint8).mean() == pytest.approx(
            40 + fraction, abs=0.003
        )
    assert spread.mean() == pytest.approx(0.5, abs=1e-4)


def test_the_patterns_themselves_may_not_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        dither.tile()[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        dither.offsets()[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        grain.tile(0, 1)[0, 0] = 1
