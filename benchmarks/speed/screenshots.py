"""Realistic screenshots for measurements, with photographs, gradients and text, 0.7 to 2.5 MB.

The time to decode a screenshot depends on the filters of its rows and on its compressed size. Each row has
the filter that libpng's heuristic chooses, as in real screenshots: mostly Paeth and Up. The noise of the
photographs makes the files as large as real ones.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import cache

import cv2
import numpy as np

from service.arrays import F32, U8

TEXT = """
the light of a morning over hills and water where boats go out before anyone is up and come back with
what the night has left then coffee on the pier and a long walk home along the old road by the sea
"""
INK, PAPER, GREY = (28, 28, 34), (255, 255, 255), (110, 112, 120)
# Sizes of chunks, as libpng writes them.
IDAT_BYTES = 8192


@cache
def drawn(name: str) -> bytes:
    """The PNG of a sample, one of `SAMPLES`."""
    pixels = SAMPLES[name](np.random.default_rng(sum(name.encode())))
    return png(pixels)


def again(data: bytes, number: int) -> bytes:
    """The picture in a different file, so that caches do not recognise it."""
    text = chunk(b"tEXt", b"Comment\0%d" % number)
    return data[:-12] + text + data[-12:] if data.startswith(b"\x89PNG") else data


def _phone(rng: np.random.Generator) -> U8:
    """A feed: posts with text, two of them with a photograph."""
    page = _page(1206, 2622)
    page[:330] = _gradient(1206, 330, (245, 246, 250), (226, 231, 244))
    _text(page, rng, (60, 240), 600, 1, size=2.2)
    top = 360
    for height in (760, 640):
        _avatar(page, rng, (100, top + 60), 50)
        _text(page, rng, (190, top + 50), 1120, 1, size=1.3)
        _text(page, rng, (190, top + 110), 1140, 3)
        page[top + 280 : top + 280 + height, 60:1146] = photograph(rng, 1086, height)
        top += 330 + height
    _text(page, rng, (60, top + 40), 1140, 5)
    page[2450:] = _gradient(1206, 172, (250, 250, 252), (238, 239, 244))
    for x in range(5):
        cv2.circle(page, (120 + 241 * x, 2520), 34, GREY, 5, cv2.LINE_AA)
    return _opaque(page)


def _android(rng: np.random.Generator) -> U8:
    """A list of videos, each with a small picture."""
    page = _page(1080, 1920)
    page[:170] = _gradient(1080, 170, (200, 40, 44), (170, 26, 34))
    for row in range(7):
        top = 190 + 245 * row
        page[top : top + 215, 30:412] = photograph(rng, 382, 215)
        _text(page, rng, (440, top + 45), 1060, 2, size=1.1)
        _text(page, rng, (440, top + 150), 900, 1, size=0.8, ink=GREY)
    return page


def _tablet(rng: np.random.Generator) -> U8:
    """A column of names beside a timeline with a large photograph."""
    page = _page(2360, 1640)
    page[:, :620] = _gradient(620, 1640, (242, 243, 248), (228, 232, 242))
    for row in range(14):
        _avatar(page, rng, (80, 150 + 105 * row), 36)
        _text(page, rng, (150, 160 + 105 * row), 590, 1)
    _text(page, rng, (680, 110), 2300, 4, size=1.3)
    page[330:1230, 680:2300] = photograph(rng, 1620, 900)
    _text(page, rng, (680, 1300), 2300, 6)
    return _opaque(page)


def _desktop(rng: np.random.Generator) -> U8:
    """An editor: three columns of text, and a picture in one of them."""
    page = _page(2740, 1567)
    page[:, :520] = _gradient(520, 1567, (38, 42, 56), (26, 29, 40))
    _text(page, rng, (40, 90), 480, 34, size=0.8, ink=(200, 204, 214))
    _text(page, rng, (560, 90), 1560, 38, size=0.8)
    _text(page, rng, (1640, 90), 2690, 12)
    page[620:1240, 1640:2690] = photograph(rng, 1050, 620)
    _text(page, rng, (1640, 1300), 2690, 5)
    return _opaque(page)


def _window(rng: np.random.Generator) -> U8:
    """A window with its shadow, transparent around rounded corners."""
    width, height, margin = 2374, 2000, 112
    page = _page(width, height)
    page[margin : margin + 110] = _gradient(width, 110, (236, 236, 240), (222, 223, 228))
    for column in range(2):
        for row in range(2):
            x, y = margin + 60 + 1050 * column, margin + 170 + 800 * row
            page[y : y + 520, x : x + 920] = photograph(rng, 920, 520)
            _text(page, rng, (x, y + 630), x + 980, 3)
    shape = np.zeros((height, width), np.uint8)
    shape[margin : height - margin, margin : width - margin] = 255
    shadow = cv2.GaussianBlur(shape, (0, 0), 38) // 3
    page[shape == 0] = 0
    return np.dstack([page, np.maximum(shape, shadow)])


# The samples by name, with the sizes of such devices' screens.
SAMPLES: dict[str, Callable[[np.random.Generator], U8]] = {
    "phone": _phone,
    "android": _android,
    "tablet": _tablet,
    "desktop": _desktop,
    "window": _window,
}


def photograph(rng: np.random.Generator, width: int, height: int) -> U8:
    """A picture with a photograph's spectrum: noise that is stronger at coarser sizes, plus sensor noise."""
    light: F32 = np.zeros((height, width, 3), np.float32)
    size, strength = 3, 60.0
    while size < max(width, height):
        across, down = min(size, width), max(2, min(size * height // width, height))
        noise = rng.normal(0, strength, (down, across, 1)) + rng.normal(0, strength / 4, (down, across, 3))
        light += cv2.resize(noise.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        size, strength = size * 2, strength * 0.56
    light += rng.normal(0, 0.75, (height, width, 1)).astype(np.float32) + np.float32(128)
    return np.clip(light, 0, 255).astype(np.uint8)


def png(pixels: U8) -> bytes:
    """HxWx3 or HxWx4 uint8 as a PNG, its rows filtered by the least sum of absolute differences."""
    height, width, channels = pixels.shape
    rows = pixels.reshape(height, width * channels)
    left = np.pad(rows, ((0, 0), (channels, 0)))[:, : width * channels]
    above = np.pad(rows, ((1, 0), (0, 0)))[:height]
    corner = np.pad(left, ((1, 0), (0, 0)))[:height]
    mean = (left & above) + ((left ^ above) >> 1)
    filtered = [rows, rows - left, rows - above, rows - mean, rows - _paeth(left, above, corner)]
    # The smaller of a difference and its negative, modulo 256, is its absolute value.
    costs = [np.minimum(one, -one).sum(axis=1, dtype=np.uint32) for one in filtered]
    least = np.argmin(costs, axis=0)
    packed = np.empty((height, 1 + width * channels), np.uint8)
    packed[:, 0] = least
    for number, one in enumerate(filtered):
        packed[least == number, 1:] = one[least == number]
    body = zlib.compress(packed.tobytes(), 6)
    head = struct.pack(">IIBBBBB", width, height, 8, 6 if channels == 4 else 2, 0, 0, 0)
    parts = [chunk(b"IDAT", body[at : at + IDAT_BYTES]) for at in range(0, len(body), IDAT_BYTES)]
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), chunk(b"sRGB", b"\0"), *parts, chunk(b"IEND", b"")]
    )


def chunk(kind: bytes, body: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _paeth(left: U8, above: U8, corner: U8) -> U8:
    """The one of the three that is nearest to left + above - corner."""
    to_left, to_above = cv2.absdiff(above, corner), cv2.absdiff(left, corner)
    both = np.add(left, above, dtype=np.int16)
    both -= corner
    both -= corner
    # Distances are at most 255, so larger values can be clipped.
    to_corner = np.minimum(np.abs(both, out=both), 255).astype(np.uint8)
    nearest = np.where(to_above <= to_corner, above, corner)
    return np.where((to_left <= to_above) & (to_left <= to_corner), left, nearest)


def _page(width: int, height: int) -> U8:
    return np.full((height, width, 3), PAPER, np.uint8)


def _opaque(page: U8) -> U8:
    """The picture with an alpha channel that is 255 throughout, as Apple's devices save it."""
    return np.dstack([page, np.full(page.shape[:2], 255, np.uint8)])


def _gradient(width: int, height: int, top: tuple[int, ...], bottom: tuple[int, ...]) -> U8:
    share = np.linspace(0, 1, height)[:, None, None]
    rows = np.array(top) * (1 - share) + np.array(bottom) * share
    return np.broadcast_to(np.round(rows).astype(np.uint8), (height, width, 3))


def _avatar(page: U8, rng: np.random.Generator, center: tuple[int, int], radius: int) -> None:
    x, y = center
    mask = np.zeros((2 * radius, 2 * radius, 1), np.uint8)
    cv2.circle(mask, (radius, radius), radius - 1, 1, -1)
    place = page[y - radius : y + radius, x - radius : x + radius]
    place[:] = np.where(mask, photograph(rng, 2 * radius, 2 * radius), place)


def _text(
    page: U8,
    rng: np.random.Generator,
    start: tuple[int, int],
    right: int,
    lines: int,
    *,
    size: float = 1.0,
    ink: tuple[int, int, int] = INK,
) -> None:
    """Lines of words, from the baseline `start` to `right`."""
    font, words, (left, y) = cv2.FONT_HERSHEY_SIMPLEX, TEXT.split(), start
    for _ in range(lines):
        line = ""
        while cv2.getTextSize(longer := f"{line} {rng.choice(words)}", font, size, 2)[0][0] < right - left:
            line = longer
        cv2.putText(page, line.strip(), (left, y), font, size, ink, 2, cv2.LINE_AA)
        y += round(46 * size)
