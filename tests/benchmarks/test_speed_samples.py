"""The samples resemble real screenshots, and are the same each time."""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np
import pytest

from benchmarks.speed.screenshots import SAMPLES, again, drawn, png
from service.codec import header
from service.codec.decode import decode


def filters(data: bytes) -> Counter[int]:
    """How many rows of a PNG have each filter."""
    at, body = 8, b""
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IDAT":
            body += data[at + 8 : at + 8 + size]
        at += 12 + size
    facts = header.read(data)
    row = 1 + facts.width * (4 if facts.has_alpha else 3)
    return Counter(zlib.decompress(body)[::row])


def test_samples_survive_encoding_and_decoding() -> None:
    rng = np.random.default_rng(1)
    for channels in (3, 4):
        pixels = rng.integers(0, 256, (40, 30, channels)).astype(np.uint8)
        data = png(pixels)
        assert np.array_equal(decode(data, header.read(data)), pixels)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_as_large_and_filtered_as_real_ones(name: str) -> None:
    data = drawn(name)
    assert 0.7e6 < len(data) < 2.5e6
    rows = filters(data)
    assert rows[2] + rows[4] > 0.7 * rows.total(), "Up and Paeth"
    pixels = SAMPLES[name](np.random.default_rng(sum(name.encode())))
    found = decode(data, header.read(data))
    # An alpha channel that is 255 throughout is dropped.
    assert np.array_equal(found, pixels[..., : found.shape[2]]), "drawn again, it is the same"
    assert found.shape[2] == 4 or pixels.shape[2] == 3 or (pixels[..., 3] == 255).all()
    assert data != again(data, 1) != again(data, 2)
    other = again(data, 1)
    assert np.array_equal(decode(other, header.read(other)), found)
