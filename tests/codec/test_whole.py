"""The collection of a picture's bands for encoders that need all of it."""

from __future__ import annotations

import numpy as np
import pytest

from service.codec.whole import WholeWriter


def test_bands_follow_each_other_and_may_be_reused() -> None:
    writer = WholeWriter(2, 3, alpha=False, encode=lambda pixels: pixels.tobytes())
    band = np.full((2, 2, 3), 7, np.uint8)
    writer.write(band)
    band[...] = 9
    writer.write(band[:1])
    assert writer.finish() == bytes([7] * 12 + [9] * 6)


def test_transparent_pictures_have_four_channels() -> None:
    writer = WholeWriter(2, 1, alpha=True, encode=lambda pixels: bytes(pixels.shape))
    writer.write(np.zeros((1, 2, 4), np.uint8))
    assert writer.finish() == bytes([1, 2, 4])


@pytest.mark.parametrize("shape", [(0, 2, 3), (4, 2, 3), (1, 3, 3), (1, 2, 4)])
def test_other_bands_are_refused(shape: tuple[int, int, int]) -> None:
    writer = WholeWriter(2, 3, alpha=False, encode=lambda pixels: pixels.tobytes())
    with pytest.raises(ValueError, match="does not belong here"):
        writer.write(np.zeros(shape, np.uint8))


def test_missing_rows_are_counted() -> None:
    writer = WholeWriter(2, 3, alpha=False, encode=lambda pixels: pixels.tobytes())
    writer.write(np.zeros((2, 2, 3), np.uint8))
    with pytest.raises(ValueError, match=r"^1 rows were not written$"):
        writer.finish()
