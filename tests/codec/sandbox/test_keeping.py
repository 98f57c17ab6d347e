"""A decoder that keeps the pixels of screenshots."""

from __future__ import annotations

from typing import cast

import numpy as np

from service.arrays import U8
from service.clock import Clock
from service.codec.header import read
from service.codec.picture import Header
from service.codec.raw import RequestedSize
from service.codec.sandbox.client import Sandboxed
from service.codec.sandbox.keeping import KeepingDecoder
from tests.support import pictures

DATA = pictures.png(6, 4)
HEADER = read(DATA)


class Plain:
    """A decoder that only tells what it was asked."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def decode(self, data: bytes, header: Header, requested: RequestedSize, clock: Clock) -> U8:
        self.asked.append((data, header, requested))
        return np.full((4, 6, 3), len(self.asked), np.uint8)

    def warm(self) -> None:
        self.asked.append("warm")

    def trim(self) -> None:
        self.asked.append("trim")

    def close(self) -> None:
        self.asked.append("close")


def keeping(plain: Plain) -> tuple[KeepingDecoder, list[tuple[int, int]]]:
    """A decoder, and the numbers of the screenshots that it publishes, each with their pixels' level."""
    published: list[tuple[int, int]] = []
    decoder = KeepingDecoder(
        cast("Sandboxed", plain), lambda number, pixels: published.append((number, int(pixels[0, 0, 0])))
    )
    return decoder, published


def level(decoder: KeepingDecoder, number: int) -> int:
    return int(decoder.decode(DATA, HEADER, None, Clock(), number)[0, 0, 0])


def test_kept_pixels_are_not_decoded_again() -> None:
    decoder, published = keeping(plain := Plain())
    decoder.expect((np.full((4, 6, 3), 99, np.uint8), None))
    assert level(decoder, 0) == 99
    assert (plain.asked, published) == ([], [])
    assert level(decoder, 1) == level(decoder, 2) - 1 == 1
    assert (plain.asked, published) == ([(DATA, HEADER, None)] * 2, [])
    decoder.expect()
    assert level(decoder, 0) == 3


def test_pixels_of_another_size_are_decoded_and_published_anew() -> None:
    decoder, published = keeping(Plain())
    decoder.expect((np.full((6, 4, 3), 99, np.uint8),))
    assert level(decoder, 0) == 1
    assert published == [(0, 1)]


def test_only_pixels_to_keep_are_published() -> None:
    decoder, published = keeping(Plain())
    decoder.expect(keep=(False, True))
    assert [level(decoder, number) for number in (2, 0, 1)] == [1, 2, 3]
    assert published == [(1, 3)]


def test_everything_else_is_left_to_the_decoder() -> None:
    decoder, _ = keeping(plain := Plain())
    decoder.warm()
    decoder.trim()
    decoder.close()
    assert plain.asked == ["warm", "trim", "close"]
