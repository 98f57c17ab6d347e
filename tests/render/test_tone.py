"""The sRGB curve compared with its standard, and the shoulder with its formula in docs/rendering.md."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32
from service.render import tone
from service.srgb import LINEAR, LINEAR16, SRGB8, decode
from tests.render.posing import to_code, to_linear

CODES = np.arange(256)


def test_the_tables_are_the_curve_of_the_standard() -> None:
    light = to_linear(CODES)
    assert np.abs(LINEAR - light).max() < 1e-7
    assert np.abs(LINEAR16 - light * 65535).max() <= 0.5
    exact = to_code(np.arange(65536) / 65535)
    assert np.abs(SRGB8 - exact).max() <= 0.5 + 1e-9
    assert np.array_equal(SRGB8[LINEAR16], CODES), "code values come back"


def test_the_curve_of_floats_is_made_of_floats() -> None:
    code = np.linspace(0, 1, 10_001)
    single: F32 = decode(code.astype(np.float32))
    assert single.dtype == np.float32
    assert decode(code).dtype == np.float64
    assert np.abs(single - to_linear(code * 255)).max() < 3e-7


def test_encoding_has_the_documented_accuracy() -> None:
    # A table is least accurate halfway between its points.
    light = (np.arange(0, 65535, 7) + 0.499) / 65535
    off = np.abs(tone.CODES[np.round(light * 65535).astype(int)] - to_code(light))
    assert off.max() < 0.103 / 2
    assert off[light > 0.01].max() < 0.03
    assert tone.CODES[[0, -1]].tolist() == [0, 255]


def test_decoding_has_the_documented_accuracy() -> None:
    codes = np.linspace(0, 255, 9001)
    decoded = tone.LIGHT[np.round(codes * 16).astype(int)] / 65535
    # Where the curve is flat, a 16-bit step is more than a 32nd of a code value.
    assert np.abs(to_code(decoded) - codes).max() < 1 / 32 + 0.5 * 255 * 12.92 / 65535
    assert tone.LIGHT[[0, -1]].tolist() == [0, 65535]


def test_a_colour_and_its_light() -> None:
    assert tone.linear((10, 128, 250)) == pytest.approx(to_linear(np.array([10, 128, 250])), abs=1e-7)
    assert tone.linear((10, 128, 250, 7)).shape == (3,)


def test_code_values_under_a_white() -> None:
    code = np.random.default_rng(1).integers(0, 256, (5, 7, 3), np.uint8)
    assert tone.lut(code) == pytest.approx(to_linear(code), abs=1e-6)
    white = np.array([0.5, 1.0, 2.0], np.float32)
    assert tone.lut(code, white) == pytest.approx(to_linear(code) * white, abs=1e-6)


def test_the_shoulder_follows_its_formula() -> None:
    """The light x is unchanged up to 0.65, and 1 − 0.35² / (x − 0.3) above."""
    x = np.concatenate([np.linspace(0, 0.65, 50), np.linspace(0.65, 6, 400)])
    expected = np.where(x <= 0.65, x, 1 - 0.35**2 / np.maximum(x - 0.3, 0.1))
    given = x.astype(np.float32).reshape(-1, 3)
    found = tone.shoulder(given)
    assert found is given, "in place"
    assert found.ravel() == pytest.approx(expected, abs=1e-6)


def test_the_shoulder_has_no_kink_and_never_clips() -> None:
    x = np.linspace(0.5, 3, 5001)
    y = tone.shoulder(x.astype(np.float32)).astype(np.float64)
    slope = np.gradient(y, x)
    assert (slope > -1e-3).all()
    assert np.abs(np.diff(slope)).max() < 0.01, "straight into the curve"
    assert y.max() <= 1


def test_the_shoulder_keeps_bright_metal_apart() -> None:
    """Under a lamp, a silver deck has two to three times the light of white, and its keys a tenth less than
    the deck."""
    deck, keys = to_code(tone.shoulder(np.array([2.8, 2.5], np.float32)))
    assert deck < 251
    assert deck - keys > 0.7, "an exponential leaves 0.03"


def test_highlights_of_grey_are_the_shoulders() -> None:
    x = np.linspace(0, 6, 400, dtype=np.float32)
    found = tone.highlights(np.repeat(x[:, None], 3, axis=1))
    assert found == pytest.approx(np.repeat(tone.shoulder(x)[:, None], 3, axis=1), abs=1e-6)


def test_coloured_highlights_pale_without_turning_yellow() -> None:
    """On orange metal, brighter lamps raise blue, and leave green well below red."""
    orange = np.array([0.75, 0.25, 0.06], np.float32)
    bright = np.linspace(0.2, 8, 400, dtype=np.float32)[:, None]
    apart, found = tone.shoulder(orange * bright), tone.highlights(orange * bright)
    dark = (orange * bright).max(axis=1) <= tone.KNEE
    np.testing.assert_array_equal(found[dark], apart[dark])
    assert (np.diff(found, axis=0) >= -1e-6).all(), "nothing darkens as it is lit more"
    assert found.max() < 1
    green, blue = (found[:, channel] / found[:, 0] for channel in (1, 2))
    own = apart[:, 1] / apart[:, 0] - apart[:, 2] / apart[:, 0]
    lit = bright[:, 0] > 2
    # Green minus blue measures how yellow a colour is.
    assert ((green - blue)[lit] < 0.75 * own[lit]).all()
    assert found[-1].min() > 0.6


def test_headroom_is_full_in_the_dark_and_small_in_bright_light() -> None:
    below, gain = np.linspace(0, 6, 601, dtype=np.float32), np.full(601, 0.9, np.float32)
    left = tone.headroom(below, gain)
    assert (left[below < 0.2] == gain[below < 0.2]).all()
    assert (np.diff(left) <= 1e-6).all()
    assert (tone.shoulder(below.copy()) + left / 2 <= 1).all()
    assert 0 <= left[-1] < 0.01


def test_a_pixel_of_two_surfaces_lies_between_both() -> None:
    bezel, glass = np.array([1.2, 1.1, 1.0], np.float32), np.array([0.02, 0.02, 0.03], np.float32)
    share = np.linspace(0.02, 0.98, 49, dtype=np.float32)
    under = np.repeat(glass[None], 49, axis=0)
    light = bezel * (1 - share)[:, None] + under
    found = tone.shoulder(tone.mixed(light, under, share))
    whole = tone.shoulder(bezel + glass)
    expected = (1 - share)[:, None] * whole + share[:, None] * glass
    assert found == pytest.approx(expected, abs=1e-5)
    blinding = np.full((49, 3), 1e9, np.float32)
    assert np.isfinite(tone.mixed(blinding, blinding / np.float32(2), share)).all()
    dark = np.full((49, 3), 0.3, np.float32)
    same = dark * (1 - share)[:, None] + under
    assert tone.mixed(same, under, share) == pytest.approx(same, abs=1e-5), "the shoulder does not reach it"
