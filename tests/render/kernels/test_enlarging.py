"""Pictures of half the size, enlarged: laid over backdrops, and used as the gains of screens."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from service.arrays import F32, U8, U16
from service.render.kernels.enlarging import lay, through
from tests.render.kernels import plain
from tests.support.looped import looped

ROWS, COLUMNS = 9, 11
LEFT, TOP = 3, 2
#: Parts of the enlarged picture, by place and size: all of it, its middle, and single pixels.
PARTS = [(0, 0, 22, 18), (1, 1, 20, 16), (2, 3, 9, 10), (21, 17, 1, 1), (0, 5, 22, 1), (4, 0, 1, 18)]


class Painted(NamedTuple):
    """Opaque colours of half the size, an alpha with bare, partly covered and fully covered pixels, and a
    backdrop."""

    code: U8
    alpha: F32
    backdrop: U8


def painted(seed: int, width: int, height: int) -> Painted:
    random = np.random.default_rng(seed)
    code = random.integers(0, 256, (ROWS, COLUMNS, 4), np.uint8)
    code[..., 3] = 255
    alpha = np.clip(3 * random.random((height, width)) - 1, 0, 1).astype(np.float32)
    backdrop = random.integers(0, 256, (height + 5, width + 7, 4), np.uint8)
    backdrop[:, ::3, 3], backdrop[:, 1::3, 3] = 255, 0
    return Painted(code, alpha, backdrop)


@looped("part", PARTS)
@looped("seed", range(4))
def test_paint_is_laid_as_opencv_enlarges_and_blends(seed: int, part: tuple[int, int, int, int]) -> None:
    x, y, width, height = part
    code, alpha, backdrop = painted(seed, width, height)
    at = slice(TOP, TOP + height), slice(LEFT, LEFT + width)
    want = backdrop.copy()
    want[at] = plain.blended(plain.doubled(code)[y : y + height, x : x + width], alpha, want[at])
    lay(backdrop, LEFT, TOP, alpha, (code, x, y))
    np.testing.assert_array_equal(backdrop, want)


@looped("part", PARTS)
@looped("seed", range(4))
def test_gains_are_those_of_opencv(seed: int, part: tuple[int, int, int, int]) -> None:
    x, y, width, height = part
    random = np.random.default_rng(seed)
    gain = random.integers(0, 65536, (ROWS, COLUMNS)).astype(np.uint16)
    screen, left = (np.clip(2 * random.random((height, width)), 0, 1).astype(np.float32) for _ in range(2))
    passed = np.zeros((height, width), np.uint16)
    through(gain, x, y, screen, left, passed)
    large = plain.doubled(gain)[y : y + height, x : x + width]
    np.testing.assert_array_equal(passed, np.rint(large * screen * left))


def test_opaque_paint_hides_the_backdrop_and_bare_pixels_leave_it() -> None:
    backdrop = np.full((4, 4, 4), (10, 20, 30, 255), np.uint8)
    alpha = np.zeros((4, 4), np.float32)
    alpha[:, 2:] = 1
    lay(backdrop, 0, 0, alpha, (np.full((2, 2, 4), (200, 100, 50, 255), np.uint8), 0, 0))
    assert (backdrop[:, :2] == (10, 20, 30, 255)).all()
    assert (backdrop[:, 2:] == (200, 100, 50, 255)).all()


def test_a_step_is_enlarged_to_a_ramp() -> None:
    gain, whole = np.array([[0, 1000]], np.uint16), np.ones((2, 4), np.float32)
    passed = np.zeros((2, 4), np.uint16)
    through(gain, 0, 0, whole, whole, passed)
    assert passed.tolist() == [[0, 250, 750, 1000]] * 2


def test_empty_paint_changes_nothing() -> None:
    code, none = np.zeros((2, 2, 4), np.uint8), np.zeros((0, 3), np.float32)
    backdrop = np.full((4, 4, 4), 9, np.uint8)
    lay(backdrop, 0, 0, none, (code, 0, 0))
    assert (backdrop == 9).all()
    through(np.zeros((2, 2), np.uint16), 0, 0, none, none, np.zeros((0, 3), np.uint16))


@pytest.mark.parametrize(
    ("left", "top", "x", "y"), [(3, 0, 0, 0), (-1, 0, 0, 0), (0, 3, 0, 0), (0, 0, 3, 0), (0, 0, 0, -1)]
)
def test_paint_beside_its_backdrop_or_its_colours_is_refused(left: int, top: int, x: int, y: int) -> None:
    backdrop, alpha = np.zeros((4, 4, 4), np.uint8), np.ones((2, 2), np.float32)
    with pytest.raises(ValueError, match="lies within"):
        lay(backdrop, left, top, alpha, (np.zeros((2, 2, 4), np.uint8), x, y))


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    four, two = np.zeros((4, 4, 4), np.uint8), np.ones((2, 2), np.float32)
    with pytest.raises(ValueError, match="four channels"):
        lay(np.zeros((4, 4, 3), np.uint8), 0, 0, two, (four, 0, 0))
    with pytest.raises(ValueError, match="four channels"):
        lay(four, 0, 0, two, (np.zeros((2, 2, 3), np.uint8), 0, 0))
    gain: U16 = np.zeros((2, 2), np.uint16)
    passed: U16 = np.zeros((2, 2), np.uint16)
    with pytest.raises(ValueError, match="two shares"):
        through(gain, 0, 0, two[:1], two, passed)
    with pytest.raises(ValueError, match="two shares"):
        through(gain, 0, 0, two, two[:, :1].copy(), passed)
    with pytest.raises(ValueError, match="lies within"):
        through(gain, 3, 0, two, two, passed)
