"""The mean of exposures, in linear light."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import U8
from service.films.accumulator import Accumulator
from service.render.geometry.raster import Box

WHOLE = Box(0, 0, 4, 2)


def plain(*color: int) -> U8:
    return np.full((2, 4, len(color)), color, np.uint8)


def mean(first: U8, *exposures: tuple[U8, Box]) -> tuple[U8, Box]:
    sums, canvas = Accumulator(first), first.copy()
    for pixels, box in exposures:
        sums.add(pixels, box)
    return canvas, sums.finish(canvas)


def test_the_mean_is_one_of_light() -> None:
    """Half of white's light has the code value 188, not 128; a third has 156."""
    black, white = plain(0, 0, 0), plain(255, 255, 255)
    assert (mean(black, (black, WHOLE), (white, WHOLE))[0] == 188).all()
    assert (mean(white, (black, WHOLE), (white, WHOLE))[0] == 188).all()
    assert (mean(black, (black, WHOLE), (white, WHOLE), (black, WHOLE))[0] == 156).all()


def test_an_exposure_beside_its_box_shows_the_first_picture() -> None:
    first, right = plain(10, 20, 30), Box(2, 0, 2, 2)
    made, box = mean(first, (plain(255, 255, 255)[:, :2], right), (first[:, :2], Box(1, 0, 2, 2)))
    assert box == Box(1, 0, 3, 2)
    assert (made[:, :2] == (10, 20, 30)).all()
    assert (made[:, 2:, 0] == 188).all()


def test_transparent_exposures_count_by_their_alpha() -> None:
    nothing, red, half = plain(0, 0, 0, 0), plain(255, 0, 0, 255), plain(0, 255, 0, 128)
    assert (mean(nothing, (nothing, WHOLE), (red, WHOLE))[0] == (255, 0, 0, 128)).all()
    assert (mean(nothing, (plain(9, 9, 9, 0), WHOLE), (nothing, WHOLE))[0] == 0).all()
    # Two thirds of the opaque light are red, so its code value is 213.
    mixed = mean(nothing, (red, WHOLE), (half, WHOLE))[0][0, 0]
    assert mixed == pytest.approx((213, 156, 0, 192), abs=1)


def test_frames_do_not_affect_each_other() -> None:
    first = plain(0, 0, 0)
    sums, canvas = Accumulator(first), first.copy()
    for level in (255, 60, 0):
        sums.add(plain(level, level, level), WHOLE)
        assert sums.finish(canvas) == WHOLE
        assert (canvas == level).all()
