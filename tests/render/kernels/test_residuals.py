"""Compression by residuals, compared with a version that packs every block separately."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import U8
from service.render.kernels import residuals
from tests.render.kernels import plain


def picture(height: int, width: int) -> U8:
    """Rows whose blocks differ from those above by nothing, a little, more, and anything."""
    random = np.random.default_rng(3)
    spread = np.repeat([0, 1, 7, 255], 32)[np.arange(width) % 128]
    steps = random.integers(-spread, spread + 1, (height, width))
    steps[:, ::40] //= 2
    return np.asarray((100 + np.cumsum(steps, axis=0)) % 256, np.uint8)


@pytest.mark.parametrize("size", [(1, 1), (3, 128), (5, 300), (4, 127), (2, 129), (7, 33), (0, 5), (5, 0)])
def test_pictures_return_as_they_were(size: tuple[int, int]) -> None:
    pixels = picture(*size)
    packed, found = np.full(residuals.most(*size) + 1, 9, np.uint8), np.full(size, 7, np.uint8)
    count = residuals.pack(pixels, packed)
    assert packed[:count].tobytes() == plain.residuals(pixels)
    assert packed[-1] == 9
    residuals.unpack(packed[:count], found)
    assert (found == pixels).all()


def test_equal_rows_take_two_bits_a_block() -> None:
    packed = np.zeros(residuals.most(100, 1280), np.uint8)
    same = np.tile(np.arange(1280, dtype=np.uint8), (100, 1))
    assert residuals.pack(same, packed) < 1280 + 10 + 99 * 10 + 1


def test_bytes_that_do_not_fit_are_refused() -> None:
    pixels = picture(5, 300)
    packed = np.zeros(residuals.most(5, 300), np.uint8)
    with pytest.raises(ValueError, match="room"):
        residuals.pack(pixels, packed[:-1])
    packed = packed[: residuals.pack(pixels, packed)]
    for given in (packed[:-1], packed[:0], np.append(packed, np.uint8(0))):
        with pytest.raises(ValueError, match="another picture"):
            residuals.unpack(given, np.zeros((5, 300), np.uint8))
    with pytest.raises(ValueError, match="another picture"):
        residuals.unpack(packed, np.zeros((4, 300), np.uint8))
