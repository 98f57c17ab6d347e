"""The compiled unfiltering, compared with the PNG specification's definitions (9.2) in plain Python."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from service.arrays import U8
from service.codec.formats.png import samples
from service.codec.formats.png.unfilter import unfilter
from tests.codec import pngs
from tests.codec.test_decode import decoded
from tests.support.looped import looped

STEPS = (1, 2, 3, 4, 6, 8)


def nearest(left: int, above: int, corner: int) -> int:
    """The neighbour nearest to left + above - corner; if several are equally near, the first of them."""
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def plain(filtered: bytes, above: bytes, size: int, step: int) -> list[bytes]:
    rows = []
    for start in range(0, len(filtered), size + 1):
        kind, row = filtered[start], bytearray(filtered[start + 1 : start + 1 + size])
        for i in range(size):
            left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
            guess = [0, left, above[i], (left + above[i]) // 2, nearest(left, above[i], corner)][kind]
            row[i] = (row[i] + guess) % 256
        above = bytes(row)
        rows.append(above)
    return rows


def blank(height: int, size: int) -> U8:
    """Memory between guard bytes that must not change."""
    return np.full((height + 2, size), 99, np.uint8)


@looped("step", STEPS)
@looped("width", [1, 2, 3, 4, 5, 31])
@looped("run", [1, 11])
def test_filters_are_undone(step: int, width: int, run: int) -> None:
    """Also where as many as `run` rows in sequence have the same filter."""
    rng, size, height = np.random.default_rng(step * width), step * width, 60
    few = rng.choice(np.array([0, 1, 2, 127, 128, 253, 254, 255], np.uint8), (height, size + 1))
    for filtered in (few, rng.integers(0, 256, (height, size + 1), np.uint8)):
        kinds = rng.integers(0, 5, height) if run == 1 else rng.choice((4, 4, 0, 2), height)
        filtered[:, 0] = kinds.repeat(rng.integers(1, run + 1, height))[:height]
        rows = blank(height, size)
        assert unfilter(filtered.tobytes(), rows, 1, step)
        assert rows[1:-1].tobytes() == b"".join(plain(filtered.tobytes(), bytes([99]) * size, size, step))
        assert (rows[[0, -1]] == 99).all()


VALUES = [0, 1, 2, 3, 84, 85, 86, 126, 127, 128, 129, 254, 255]


def test_every_corner_of_paeth() -> None:
    values = VALUES
    above = bytes(value for corner in values for up in values for _ in values for value in (corner, up))
    row = bytes(value for _ in values for _ in values for left in values for value in (left, 0))
    for start in range(0, len(row), 2):
        rows = np.frombuffer(above[start : start + 2] * 2, np.uint8).reshape(2, 2).copy()
        # In the first pixel of a row, Paeth's filter predicts the value of the pixel above.
        filtered = bytes([4, (row[start] - above[start]) % 256, 0])
        assert unfilter(filtered, rows, 1, 1)
        assert rows[1].tolist() == [row[start], nearest(row[start], above[start + 1], above[start])]


@looped("step", [3, 4])
def test_every_corner_of_paeth_in_several_rows(step: int) -> None:
    """Four rows are undone together, and a fifth by itself, below a row of all combinations."""
    ups = [(corner, up, left) for corner in VALUES for up in VALUES for left in VALUES]
    above = b"".join(bytes([corner] * step + [up] * step) for corner, up, _ in ups)
    row = b"".join(bytes([left] * step + [7] * step) for _, _, left in ups)
    for count in (4, 5):
        filtered = (b"\4" + row) * count
        rows = np.frombuffer(above * (count + 1), np.uint8).reshape(count + 1, -1).copy()
        assert unfilter(filtered, rows, 1, step)
        assert rows[1:].tobytes() == b"".join(plain(filtered, above, len(above), step))


@pytest.mark.parametrize("kind", [5, 6, 255])
def test_unknown_filters_are_errors(kind: int) -> None:
    rows = blank(3, 4)
    assert not unfilter(bytes([0, 1, 2, 3, 4, kind, 5, 6, 7, 8, 0, 9, 9, 9, 9]), rows, 1, 4)
    assert rows[1:].tolist() == [[1, 2, 3, 4]] + 3 * [4 * [99]]


@pytest.mark.parametrize(
    ("length", "shape", "top", "step"),
    [
        (4, (3, 4), 1, 4),
        (11, (3, 4), 1, 4),
        (10, (3, 4), 2, 4),
        (15, (3, 4), 1, 4),
        (5, (3, 4), 0, 4),
        (5, (3, 4), -1, 4),
        (5, (3, 4), 3, 4),
        (0, (3, 4), 4, 4),
        (5, (3, 4), 2**62, 4),
        (5, (3, 4), 1, 3),
        (5, (3, 4), 1, 0),
        (5, (3, 4), 1, -4),
        (17, (3, 16), 1, 16),
        (3, (3, 0), 1, 1),
    ],
)
def test_rows_outside_of_the_picture_are_an_error(
    length: int, shape: tuple[int, int], top: int, step: int
) -> None:
    with pytest.raises(ValueError, match="rows"):
        unfilter(bytes(length), np.zeros(shape, np.uint8), top, step)


def test_memory_that_cannot_be_written_is_an_error() -> None:
    rows = np.zeros((3, 4), np.uint8)
    rows.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        unfilter(bytes(5), rows, 1, 4)


@looped("piece", [1, 100, 1000, 1 << 18])
@looped("interlaced", [False, True])
@looped("kind, depth", [(0, 1), (0, 8), (2, 8), (6, 8), (6, 16)])
def test_pieces_make_no_difference(
    kind: int, depth: int, interlaced: bool, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, channels = np.random.default_rng(piece), {0: 1, 2: 3, 6: 4}[kind]
    rows = rng.integers(0, 1 << depth, (37, 29, channels)).tolist()
    data = pngs.write(rows, kind, depth, interlaced=interlaced)
    expected = decoded(data)
    monkeypatch.setattr(samples, "PIECE", piece)
    assert np.array_equal(decoded(data), expected)


@pytest.mark.parametrize("level", [0, 1, 6, 9])
def test_streams_are_read_to_their_last_byte(level: int) -> None:
    """Every stream is read to its end, however many bytes the decompressor still returns after it has taken
    all input."""
    rng = np.random.default_rng(level)
    for height in range(1, 80, 3):
        pixels = rng.integers(0, 3, (height, 50, 3), np.uint8)
        rows = b"".join(b"\0" + row.tobytes() for row in pixels)
        stream = zlib.compress(rows, level)
        head = pngs.SIGNATURE + pngs.ihdr(50, height)
        file = head + pngs.chunk(b"IDAT", stream[:1]) + pngs.chunk(b"IDAT", stream[1:]) + pngs.chunk(b"IEND")
        assert np.array_equal(decoded(file), pixels)


@looped("piece", [1, 1000, 1 << 18])
@looped("clear", [None, 0, 20, 36])
def test_one_transparent_row_keeps_the_alpha_of_all(
    clear: int | None, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (37, 29, 4), np.uint8)
    pixels[..., 3] = 255
    if clear is not None:
        pixels[clear, 28, 3] = 254
    monkeypatch.setattr(samples, "PIECE", piece)
    found = decoded(pngs.write(pixels.tolist(), 6, 8))
    assert np.array_equal(found, pixels[..., :3] if clear is None else pixels)
