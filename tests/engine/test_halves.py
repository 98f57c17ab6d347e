from __future__ import annotations

import numpy as np
import pytest

from service.arrays import U8
from service.engine.halves import Halves
from service.engine.request import ScreenshotId


def pixels(seed: int, channels: int = 3) -> U8:
    return np.random.default_rng(seed).integers(0, 256, (90, 130, channels), np.uint8)


def taken(halves: Halves, known: U8, wanted: tuple[int, int], number: int | None) -> U8:
    halves.expect((None if number is None else ScreenshotId("somebody", str(number)),))
    return halves.halved(known, wanted)


@pytest.mark.parametrize(
    ("wanted", "size"),
    [
        ((130, 90), (130, 90)),
        ((65, 45), (65, 45)),
        ((66, 45), (130, 90)),
        ((20, 12), (32, 22)),
        ((1, 40), (65, 45)),
    ],
)
def test_pixels_are_halved_down_to_the_requested_size(wanted: tuple[int, int], size: tuple[int, int]) -> None:
    found = taken(Halves(), pixels(1), wanted, number=None)
    assert found.shape[1::-1] == size
    part = found.shape[0] * (90 // size[1]), found.shape[1] * (130 // size[0])
    blocks = pixels(1)[: part[0], : part[1]].reshape(size[1], 90 // size[1], size[0], 130 // size[0], 3)
    assert np.abs(blocks.mean(axis=(1, 3)) - found).max() <= 1


def test_halves_are_cached_until_memory_is_trimmed() -> None:
    halves = Halves()
    first = taken(halves, pixels(1), (20, 20), number=1)
    assert taken(halves, pixels(1), (20, 20), number=1) is first
    halves.trim()
    again = taken(halves, pixels(1), (20, 20), number=1)
    assert again is not first
    assert np.array_equal(again, first)


def test_cached_halves_give_the_same_picture() -> None:
    halves = Halves()
    for wanted in ((20, 12), (65, 45), (20, 12)):
        kept, fresh = (taken(halves, pixels(1), wanted, number) for number in (1, None))
        assert np.array_equal(kept, fresh)


def test_halves_belong_to_one_screenshot() -> None:
    halves = Halves()
    for number in (1, 2, 1):
        own = taken(halves, pixels(number), (65, 45), number=number)
        assert np.abs(own[0, 0] - pixels(number)[:2, :2].mean(axis=(0, 1))).max() <= 1


def test_a_screenshot_whose_first_half_exceeds_the_limit_is_halved_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.engine.halves.HALVES_BYTES", 45 * 65 * 3 - 1)
    halves = Halves()
    first = taken(halves, pixels(1), (20, 20), number=1)
    monkeypatch.delattr("service.engine.halves._half")
    assert taken(halves, pixels(1), (20, 20), number=1) is first


def test_halves_belong_to_one_size() -> None:
    halves = Halves()
    taken(halves, pixels(1), (65, 45), number=1)
    assert taken(halves, pixels(1)[:60, :100], (50, 30), number=1).shape == (30, 50, 3)


def test_transparent_screenshots_are_not_halved() -> None:
    assert np.array_equal(taken(Halves(), pixels(1, 4), (20, 20), number=1), pixels(1, 4))


def test_only_screenshots_with_an_id_are_cached() -> None:
    halves = Halves()
    halves.expect((ScreenshotId("somebody", "1"),))
    cached, other = (halves.halved(pixels(1), (20, 20), number) for number in (0, 1))
    assert halves.halved(pixels(1), (20, 20), 0) is cached
    assert halves.halved(pixels(1), (20, 20), 1) is not other
    assert np.array_equal(cached, other)
