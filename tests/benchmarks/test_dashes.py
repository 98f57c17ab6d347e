"""Dashes along lines whose dark and light runs are known."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.dashes import along, dashes
from service.arrays import F64, U8

EVERYWHERE = np.ones((60, 300), bool)


def line() -> F64:
    """A closed line along row 30.5, there and back."""
    x = np.r_[np.arange(10.5, 290), np.arange(289.5, 10, -1)]
    return np.stack([x, np.full(len(x), 30.5)], axis=1)


def drawn(values: F64) -> U8:
    """A light picture in which row 30 is darker by `values` (300,)."""
    picture = np.full((60, 300, 3), 200, np.uint8)
    picture[30] = (200 - values)[:, None].astype(np.uint8)
    return picture


def test_an_even_line_has_no_dashes_however_dark() -> None:
    found = dashes(drawn(np.full(300, 90.0)), drawn(np.full(300, 60.0)), [line()], EVERYWHERE)
    assert found == (0, 0)


@pytest.mark.parametrize("length", [3, 5, 8])
def test_a_broken_line_shows_the_length_of_its_dashes(length: int) -> None:
    broken = np.where(np.arange(300) % 24 < length, 110.0, 60.0)
    found = dashes(drawn(broken), drawn(np.full(300, 60.0)), [line()], EVERYWHERE)
    assert abs(found.longest - length) <= 1
    assert found.total > 15 * length


def test_breaks_in_the_reference_alone_are_no_dashes() -> None:
    broken = np.where(np.arange(300) % 24 < 6, 110.0, 60.0)
    assert dashes(drawn(np.full(300, 60.0)), drawn(broken), [line()], EVERYWHERE).longest == 0
    assert dashes(drawn(broken), drawn(broken), [line()], EVERYWHERE).longest == 0


def test_a_single_spot_and_a_slow_change_are_no_dashes() -> None:
    spot = np.full(300, 60.0)
    spot[100:108] = 120
    assert dashes(drawn(spot), drawn(np.full(300, 60.0)), [line()], EVERYWHERE).longest == 0
    slow = 60 + 40 * np.sin(np.arange(300) / 300 * 2 * np.pi)
    assert dashes(drawn(slow), drawn(np.full(300, 60.0)), [line()], EVERYWHERE).longest == 0


def test_masked_pixels_do_not_count() -> None:
    broken = np.where(np.arange(300) % 24 < 6, 110.0, 60.0)
    nowhere = np.zeros((60, 300), bool)
    assert dashes(drawn(broken), drawn(np.full(300, 60.0)), [line()], nowhere).longest == 0
    plane = np.full((60, 300), 7, np.float32)
    assert np.isnan(along(plane, line(), nowhere)).all()
    assert along(plane, line(), EVERYWHERE) == pytest.approx(7)


def test_the_mean_across_holds_a_line_wherever_it_falls_between_two_rows() -> None:
    """A line one px wide that is 90 code values darker has a mean of 30 over three px, wherever it lies."""
    for share in (0.0, 0.25, 0.5):
        plane = np.zeros((60, 300), np.float32)
        plane[30], plane[31] = 90 * (1 - share), 90 * share
        assert along(plane, line() + np.array([0, share]), EVERYWHERE).mean() == pytest.approx(30, rel=0.06)


def test_breaks_in_both_pictures_are_no_dashes() -> None:
    x = np.arange(300)
    glints = np.where(x % 40 < 9, -10.0, 60.0)
    even = np.full(300, 60.0)
    for ours in (60 + 1.5 * (glints - 60), 60 + 0.7 * (glints - 60), np.roll(glints, 1), np.roll(glints, -1)):
        assert dashes(drawn(ours), drawn(glints), [line()], EVERYWHERE).longest == 0
        assert dashes(drawn(ours), drawn(even), [line()], EVERYWHERE).longest > 2


def test_a_dash_across_the_end_of_a_closed_line_counts_once() -> None:
    broken = np.where(np.arange(300) % 24 < 8, 110.0, 60.0)
    even = drawn(np.full(300, 60.0))
    found = dashes(drawn(broken), even, [line()], EVERYWHERE)
    for by in (100, 101, 102, 103):
        assert dashes(drawn(broken), even, [np.roll(line(), by, axis=0)], EVERYWHERE) == found
