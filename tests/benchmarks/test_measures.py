"""The fidelity measures, on pictures with known results."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks import measures, posed
from benchmarks.cases import TINTS, Case
from benchmarks.masks import mask
from service.arrays import F64, U8
from service.devices.device import catalogue
from service.render.geometry.face import plane
from service.render.geometry.raster import Box
from service.render.paint.screens import share


def noisy(seed: int = 3) -> U8:
    return np.random.default_rng(seed).integers(0, 256, (64, 80, 3), np.uint8)


def test_a_picture_is_like_itself() -> None:
    picture = noisy()
    assert measures.ssim_map(picture, picture) == pytest.approx(1)
    assert measures.psnr(picture, picture) > 100
    assert measures.ciede2000(measures.lab(picture), measures.lab(picture)).max() == 0


def test_different_pictures_are_less_similar() -> None:
    picture = noisy()
    blurred = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.uint8)
    assert measures.ssim_map(picture, blurred).mean() < 0.9
    assert measures.ssim_map(picture, noisy(4)).mean() < 0.1


# From the test data of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula" (2005).
SHARMA = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("one", "other", "expected"), SHARMA)
def test_colour_differences_equal_the_published_values(
    one: tuple[float, ...], other: tuple[float, ...], expected: float
) -> None:
    p, q = np.array(one), np.array(other)
    assert measures.ciede2000(p, q) == pytest.approx(expected, abs=1e-4)
    assert measures.ciede2000(q, p) == pytest.approx(expected, abs=1e-4)


def test_white_and_red_in_lab() -> None:
    found = measures.lab(np.array([(255, 255, 255), (255, 0, 0)], np.uint8))
    assert found[0] == pytest.approx([100, 0, 0], abs=0.02)
    assert found[1] == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


def test_overlap_of_half_shifted_squares() -> None:
    a, b = np.zeros((10, 20)), np.zeros((10, 20))
    a[:, 0:10] = 1
    b[:, 5:15] = 1
    assert measures.overlap(a, b) == pytest.approx(1 / 3)


def quadrilateral(truth: F64) -> F64:
    """The coverage (180, 200) of a quadrilateral with these corners, 0-1."""
    y, x = (np.indices((180 * 8, 200 * 8)) + 0.5) / 8
    inside = np.ones(x.shape, bool)
    for (ax, ay), (bx, by) in zip(truth, np.roll(truth, -1, axis=0), strict=True):
        inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
    return np.asarray(cv2.resize(inside.astype(np.float64), (200, 180), interpolation=cv2.INTER_AREA))


def test_corners_are_found_to_hundredths_of_a_pixel() -> None:
    truth = np.array([[30.3, 20.7], [170.4, 35.2], [160.9, 130.6], [40.2, 150.1]])
    guess = truth + np.array([[0.8, -0.6], [0.3, 0.9], [-0.7, 0.2], [0.5, 0.5]])
    assert np.abs(measures.corners(quadrilateral(truth), guess) - truth).max() < 0.03


@pytest.mark.parametrize("angles", [(15, -35, 5), (20, 62, -8), (10, -72, 4)])
def test_rounded_ends_of_sides_leave_corners_where_they_are(angles: tuple[float, float, float]) -> None:
    spec = posed.spec("apple-watch-ultra-3", angles)
    screen, (width, height) = spec.device.screens[0], (spec.width, spec.height)
    at, camera = plane(spec.device.slab(screen.slab), True), posed.camera(spec)
    mask = share(screen, at, camera, Box(0, 0, width, height))
    x, y = (side / 2 for side in screen.size)
    corners = np.array([(-x, y, 1), (x, y, 1), (x, -y, 1), (-x, -y, 1)]) @ at.homography(camera).T
    truth = corners[:, :2] / corners[:, 2:]
    found = measures.corners(mask, truth, posed.rounded(spec.device))
    assert np.abs(found - truth).max() < 0.01
    assert np.isnan(measures.corners(mask, truth, (0.5, 0.5))).all(), "a round screen has none"


def test_no_corner_is_guessed_from_a_piece_of_a_side() -> None:
    truth = np.array([[30.3, 20.7], [170.4, 35.2], [160.9, 250.6], [40.2, 150.1]])
    found = measures.corners(quadrilateral(truth), truth)
    assert np.isnan(found[[2, 3]]).all(), "the lower side leaves the picture"
    assert np.abs(found[[0]] - truth[[0]]).max() < 0.03


def test_corners_beside_a_wide_notch_are_found_and_a_missing_edge_is_an_error() -> None:
    truth = np.array([[30.25, 20.75], [170.375, 20.75], [170.375, 150.125], [30.25, 150.125]])
    mask = quadrilateral(truth)
    mask[:40, 65:136] = 0  # the notch covers the upper side from a quarter to three quarters of its length
    assert np.abs(measures.corners(mask, truth, (0.1, 0.1)) - truth).max() < 0.01
    assert np.abs(measures.corners(mask, truth - (0, 6), (0.1, 0.1)) - truth)[:2].max() > 2


def test_windows_are_seen_around_a_screenshot_in_a_theme() -> None:
    light, dark = (Case("window-macos", "front", "studio", finish).model for finish in ("Light", "Dark"))
    assert light.bars is not None
    assert dark.bars is not None
    assert (light.bars.theme, dark.bars.theme) == ("light", "dark")
    assert Case("iphone-16-pro", "front", "studio").model is catalogue()["iphone-16-pro"]


def test_missing_masks_are_drawn() -> None:
    phone = catalogue()["iphone-16-pro"]
    drawn = mask(phone, phone.screen)
    made = mask(phone, phone.screen.model_copy(update={"mask": None}))
    smaller = cv2.resize(drawn, made.shape[::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(smaller.astype(int) - made).mean() < 0.2
    fold = catalogue()["galaxy-z-fold-7-half-open"]
    right = mask(fold, fold.screen)
    # The half's corners are square where it meets the other half.
    assert (right[0, 0], right[0, -1]) == (255, 0)


def test_a_case_has_its_angles_and_its_finish() -> None:
    case = Case("iphone-15-pro-max", "6_150_-4", "studio", "White Titanium")
    assert case.name == "iphone-15-pro-max.white-titanium.6_150_-4.studio"
    assert case.angles == (6, 150, -4)
    assert case.tint == "#f4f3ee"
    assert Case("iphone-16-pro", "front", "city", "#c8102e").tint == "#c8102e"
    assert Case("iphone-16-pro", "front", "city").tint == TINTS["iphone-16-pro"]


def test_straps_are_compared_without_their_pictures() -> None:
    watch = Case("apple-watch-ultra-3", "front", "studio").model
    straps = [slab for slab in watch.slabs if slab.bend]
    assert len(straps) == 3
    assert all(not face.layers for slab in straps for face in (slab.front, slab.back) if face)
    assert any(slab.front.layers for slab in catalogue()["apple-watch-ultra-3"].slabs if slab.bend)
