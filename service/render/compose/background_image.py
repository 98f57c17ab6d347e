"""A picture behind the device: fitted to the canvas, blurred and dimmed, over a colour or gradient."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32, U8
from ...clock import Clock
from ...concurrency.ordered_map import ordered_map
from ...settings.scene import BackdropSpec
from ..dither import offsets
from ..kernels.backdrop import rounded
from ..plates import background

BAND = 64  # rows that are painted at a time
# The blur's standard deviation in px of the reduced picture, large enough that linear enlargement shows no
# steps.
FINE = 4


class FittedPicture(NamedTuple):
    """The part of a picture that is shown, and its box on the canvas; left, top, width and height in px."""

    part: tuple[int, int, int, int]
    box: tuple[int, int, int, int]


def fitted(size: tuple[int, int], spec: BackdropSpec, canvas: tuple[int, int]) -> FittedPicture:
    """Where a picture of `size` (width, height), px, is placed on a canvas."""
    width, height = size
    x, y = canvas[0] / width, canvas[1] / height
    if spec.fit == "contain":
        scale = min(x, y)
        wide, high = (max(1, round(side * scale)) for side in size)
        box = ((canvas[0] - wide) // 2, (canvas[1] - high) // 2, wide, high)
        return FittedPicture((0, 0, width, height), box)
    if spec.fit == "cover":
        scale = max(x, y)
        wide, high = (
            min(side, max(1, round(other / scale))) for side, other in zip(size, canvas, strict=True)
        )
        return FittedPicture(((width - wide) // 2, (height - high) // 2, wide, high), (0, 0, *canvas))
    return FittedPicture((0, 0, width, height), (0, 0, *canvas))


def demand(size: tuple[int, int], spec: BackdropSpec, canvas: tuple[int, int]) -> tuple[int, int]:
    """The width and height, px, at which a whole picture has to be decoded; they are smaller if it is
    blurred."""
    (_, _, width, height), (_, _, wide, high) = fitted(size, spec, canvas)
    step = _step(spec)
    return math.ceil(size[0] * wide / width / step), math.ceil(size[1] * high / height / step)


def paint(pixels: U8, spec: BackdropSpec, canvas: tuple[int, int], clock: Clock, *, fast: bool) -> U8:
    """The background of a `canvas` (width, height) px: (h, w, 3 or 4) uint8 sRGB, straight alpha.

    `pixels` (h, w, 3 or 4) are the picture. Its colours are mixed in code values and, where they are blurred
    or dimmed, rounded with dither; `fast` omits the dither of the colour below the picture.
    """
    (left, top, width, height), box = fitted((pixels.shape[1], pixels.shape[0]), spec, canvas)
    source = pixels[top : top + height, left : left + width]
    clear = pixels.shape[2] == 4
    if clear:
        source = np.asarray(cv2.cvtColor(source, cv2.COLOR_RGBA2mRGBA), np.uint8)
    small = _resized(source, box[2:], spec)
    whole = box[2:] == canvas and not clear
    if whole and not spec.sigma and not spec.dim:
        return np.asarray(small, np.uint8)
    made = np.empty((canvas[1], canvas[0], 3 if whole or spec.under.solid else 4), np.uint8)
    rows = range(0, canvas[1], BAND)
    lay = partial(_lay, made, small, box, spec, fast)
    for _ in ordered_map(lay, rows, clock):
        pass
    return made


def _step(spec: BackdropSpec) -> float:
    """The number of canvas px that one px of the blurred picture covers."""
    return max(1.0, spec.sigma / FINE)


def _resized(source: U8, size: tuple[int, int], spec: BackdropSpec) -> U8 | F32:
    """A picture in the size that it has on the canvas; if it is blurred, smaller by `_step`, and float32."""
    step = _step(spec)
    wide, high = (max(1, round(side / step)) for side in size)
    shrinks = wide * high < source.shape[0] * source.shape[1]
    small = cv2.resize(source, (wide, high), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    if not spec.sigma:
        return np.asarray(small, np.uint8)
    blurred = cv2.GaussianBlur(
        small.astype(np.float32), (0, 0), spec.sigma * wide / size[0], borderType=cv2.BORDER_REFLECT
    )
    return np.asarray(blurred, np.float32)


def _lay(
    made: U8, small: U8 | F32, box: tuple[int, int, int, int], spec: BackdropSpec, fast: bool, y: int
) -> None:
    """Write up to BAND rows of a background, from row `y` on."""
    rows = made[y : y + BAND]
    left, top, width, height = box
    first, end = max(y, top), min(y + len(rows), top + height)
    below = None
    if made.shape[2] == 4 or box[2:] != made.shape[1::-1] or small.shape[2] == 4:
        below = np.empty((*rows.shape[:2], 4), np.uint8)
        paint_under = background.plain if fast else background.dithered
        paint_under(below, spec.under, y, made.shape[0])
        rows[...] = below[..., : rows.shape[2]]
    if end <= first:
        return
    code = _enlarged(small, (width, height), first - top, end - top)
    at = np.s_[first - y : end - y, left : left + width]
    # The dither has the same amplitude as for slow gradients in `plates.background`.
    grain = (first, left, 1.5 if spec.sigma else 1.0)
    if code.shape[2] == 3:
        part = np.empty((end - first, width, 3), np.uint8)
        rounded(part, code, 1 - spec.dim, offsets(), grain)
        rows[at][..., :3], rows[at][..., 3:] = part, 255
        return
    assert below is not None
    own = code[..., 3:] * np.float32(1 / 255)
    rest = below[at][..., 3:] * np.float32(1 / 255) * (1 - own)
    total = own + rest
    mixed = code[..., :3] * np.float32(1 - spec.dim) + below[at][..., :3] * rest
    part = np.empty((end - first, width, 3), np.uint8)
    mixed = np.minimum(mixed / np.maximum(total, np.float32(1e-6)), 255)
    rounded(part, np.ascontiguousarray(mixed, np.float32), 1.0, offsets(), grain)
    rows[at][..., :3] = part
    if rows.shape[2] == 4:
        rows[at][..., 3:] = total * 255 + np.float32(0.5)


def _enlarged(small: U8 | F32, size: tuple[int, int], first: int, end: int) -> F32:
    """Rows of a picture enlarged to a width and height, (end - first, width, channels) float32."""
    width, height = size
    if small.shape[1::-1] == size:
        return small[first:end].astype(np.float32)
    place = (np.arange(first, end) + 0.5) * (small.shape[0] / height) - 0.5
    low = np.clip(np.floor(place), 0, small.shape[0] - 1).astype(int)
    high = np.minimum(low + 1, small.shape[0] - 1)
    share = np.clip(place - low, 0, 1).astype(np.float32)[:, None, None]
    part = small[low] * (1 - share) + small[high] * share
    wide = cv2.resize(part.astype(np.float32), (width, end - first), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, np.float32)
