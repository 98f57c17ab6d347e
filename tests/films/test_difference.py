"""The box in which a frame differs from the one before."""

from __future__ import annotations

import numpy as np

from service.films.encoders.difference import Difference
from service.render.geometry.raster import Box


def test_the_first_frame_is_whole_and_equal_ones_are_a_pixel() -> None:
    found, frame = Difference(), np.zeros((6, 8, 3), np.uint8)
    assert found.box(frame) == Box(0, 0, 8, 6)
    assert found.box(frame) == Box(0, 0, 1, 1)


def test_the_box_has_all_differences_of_any_channel() -> None:
    found, frame = Difference(), np.zeros((6, 8, 3), np.uint8)
    found.box(frame)
    frame[2, 3, 0] = frame[4, 5, 2] = 1
    assert found.box(frame) == Box(3, 2, 3, 3)
    frame[0, 7] = 9
    assert found.box(frame) == Box(7, 0, 1, 1), "compared with the frame before, not with the first"


def test_boxes_begin_at_multiples_of_a_step() -> None:
    found, frame = Difference(2), np.zeros((6, 8, 3), np.uint8)
    found.box(frame)
    frame[3, 5] = 1
    assert found.box(frame) == Box(4, 2, 2, 2)
    frame[4, 6] = 1
    assert found.box(frame) == Box(6, 4, 1, 1)
