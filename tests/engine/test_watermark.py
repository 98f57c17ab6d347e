"""The watermark on pictures of keys for tests."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from service.arrays import U8
from service.engine import watermark


def plain(*shade: int, size: tuple[int, int] = (360, 640)) -> U8:
    return np.full((*size, len(shade)), shade, np.uint8)


@pytest.mark.parametrize("shade", [0, 16, 128, 255])
def test_the_watermark_is_visible_everywhere_on_any_background(shade: int) -> None:
    marked = watermark.mark(plain(shade, shade, shade), 0, 360)
    changed = np.abs(marked.astype(int) - shade).max(axis=2)
    for top in range(0, 360, 180):
        for left in range(0, 640, 160):
            assert changed[top : top + 180, left : left + 160].max() > 60, (top, left)
    assert np.mean(changed > 8) < 0.35, "the picture is still seen"


def test_the_shade_is_rounded_to_the_nearest_code_value() -> None:
    """The shade multiplies greys by a share, so a line fitted through all of them passes through zero."""
    greys = range(256)
    every = np.stack([watermark.mark(plain(*[grey] * 3, size=(90, 160)), 0, 90)[..., 0] for grey in greys])
    shade = (every[0] == 0) & (every[-1] < 250)
    at_zero = np.polyfit(greys, every[:, shade].astype(np.float64), 1)[1]
    assert abs(np.median(at_zero)) < 0.04


def test_each_row_of_tiles_is_shifted_by_half_a_tile() -> None:
    marked = watermark.mark(plain(128, 128, 128), 0, 360)
    rows = marked[:90], marked[90:180]
    assert np.array_equal(rows[1][:, :-45], rows[0][:, 45:])
    assert not np.array_equal(*rows)


def test_bands_make_one_picture() -> None:
    whole = np.random.default_rng(1).integers(0, 256, (360, 640, 3), np.uint8)
    before = whole.copy()
    marked = watermark.mark(whole, 0, 360)
    cuts = (0, 7, 90, 213, 360)
    bands = [watermark.mark(whole[a:b], a, 360) for a, b in pairwise(cuts)]
    assert np.array_equal(np.concatenate(bands), marked)
    assert np.array_equal(whole, before), "the plate that a band may belong to is left as it is"


def test_the_watermark_is_opaque() -> None:
    marked = watermark.mark(plain(0, 0, 0, 0), 0, 360)
    assert marked[..., 3].max() > 128
    assert not marked[..., 3].min()
    assert np.all(marked[marked[..., 3] == 0] == 0)


@pytest.mark.parametrize("size", [(16, 16), (16, 640), (640, 16), (1, 1)])
def test_small_pictures_have_a_watermark(size: tuple[int, int]) -> None:
    assert watermark.mark(plain(9, 9, 9, size=size), 0, size[0]).shape == (*size, 3)
