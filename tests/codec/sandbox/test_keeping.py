from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from service.arrays import U8
from service.clock import Clock
from service.codec.picture import Header
from service.codec.sandbox.client import Sandboxed
from service.codec.sandbox.keeping import KeepingDecoder

HEADER = Header("png", 130, 90)


@pytest.fixture
def decoder() -> Iterator[KeepingDecoder]:
    made = KeepingDecoder(Sandboxed(), lambda shape, fd: None)
    yield made
    made.close()


def pixels(seed: int, channels: int = 3) -> U8:
    return np.random.default_rng(seed).integers(0, 256, (90, 130, channels), np.uint8)


def taken(decoder: KeepingDecoder, known: U8, wanted: tuple[int, int], serial: int | None) -> U8:
    decoder.expect(known, serial=serial)
    return decoder.decode(b"", HEADER, wanted, Clock())


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
def test_known_pixels_are_halved_to_what_is_wanted(
    decoder: KeepingDecoder, wanted: tuple[int, int], size: tuple[int, int]
) -> None:
    found = taken(decoder, pixels(1), wanted, serial=1)
    assert found.shape[1::-1] == size
    part = found.shape[0] * (90 // size[1]), found.shape[1] * (130 // size[0])
    blocks = pixels(1)[: part[0], : part[1]].reshape(size[1], 90 // size[1], size[0], 130 // size[0], 3)
    assert np.abs(blocks.mean(axis=(1, 3)) - found).max() <= 1


def test_halves_are_found_again_until_they_are_given_back(decoder: KeepingDecoder) -> None:
    first = taken(decoder, pixels(1), (20, 20), serial=1)
    assert taken(decoder, pixels(1), (20, 20), serial=1) is first
    decoder.trim()
    again = taken(decoder, pixels(1), (20, 20), serial=1)
    assert again is not first
    assert np.array_equal(again, first)


def test_halves_are_of_one_screenshot_alone(decoder: KeepingDecoder) -> None:
    for serial in (1, 2, 1):
        own = taken(decoder, pixels(serial), (65, 45), serial=serial)
        assert np.abs(own[0, 0] - pixels(serial)[:2, :2].mean(axis=(0, 1))).max() <= 1


def test_exact_pictures_and_transparent_screenshots_take_all_pixels(decoder: KeepingDecoder) -> None:
    assert np.array_equal(taken(decoder, pixels(1), (20, 20), serial=None), pixels(1))
    assert np.array_equal(taken(decoder, pixels(1, 4), (20, 20), serial=1), pixels(1, 4))
