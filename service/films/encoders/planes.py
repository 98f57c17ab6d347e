"""Frames as planes of luma and chroma, for video encoders."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import U8
from ...render.geometry.raster import Box
from ...render.kernels import video

# ITU-R BT.709, limited range: luma 16-235, chroma 16-240 about 128.
RED, BLUE = 0.2126, 0.0722
LUMA, CHROMA = 219 / 255, 224 / 255
SCALE = 1 << 15  # scale of the kernel's weights
BAND = 32  # rows whose channels are separated at a time, and then stay in the cache; an even number
NEAR = 9  # px within which transparent pixels take the colour of others


def _weights() -> NDArray[np.int32]:
    """The weights (3, 3) of red, green and blue in luma, blue and red chroma.

    The weights of green compensate for the rounding of the others, so that greys have no colour.
    """
    luma = np.array([RED, 1 - RED - BLUE, BLUE])
    blue = (np.array([0, 0, 1]) - luma) / (2 * (1 - BLUE))
    red = (np.array([1, 0, 0]) - luma) / (2 * (1 - RED))
    found = np.rint(SCALE * np.stack([luma * LUMA, blue * CHROMA, red * CHROMA])).astype(np.int32)
    found[:, 1] = np.array([round(SCALE * LUMA), 0, 0]) - found[:, 0] - found[:, 2]
    return np.asarray(found, np.int32)


WEIGHTS = _weights()


class Planes:
    """The planes of the newest frame, with chroma at half the size unless `full`, and alpha if there is any.

    Halved chroma is located where H.264 and VP9 expect it by default: at every second pixel of a row, between
    two rows. Transparent pixels take the colour of opaque pixels nearby, because their own would bleed into
    those.
    """

    def __init__(self, width: int, height: int, *, alpha: bool, full: bool = False) -> None:
        """Width and height are even unless `full`."""
        size = height, width
        small = size if full else (height // 2, width // 2)
        sizes = [size, small, small, *([size] if alpha else [])]
        ends = np.cumsum([rows * columns for rows, columns in sizes])
        self._whole = np.zeros(ends[-1], np.uint8)
        parts = np.split(self._whole, ends[:-1])
        self._planes = [part.reshape(size) for part, size in zip(parts, sizes, strict=True)]
        self._alpha = self._planes.pop() if alpha else None
        self._band = np.empty(3 * BAND * width, np.uint8)
        # The newest frame without its transparency.
        self._filled = np.zeros((*size, 3), np.uint8) if alpha else None

    def update(self, pixels: U8, changed: Box | None = None) -> None:
        """Take a frame, (h, w, 3 or 4), that differs from the one before in the box `changed`, if given."""
        height, width = pixels.shape[:2]
        box = Box(0, 0, width, height) if changed is None else aligned(changed, width, height)
        if not box.area:
            return
        if self._alpha is not None and self._filled is not None:
            part = pixels[box.slices]
            self._alpha[box.slices], self._filled[box.slices] = part[..., 3], _filled(part)
            pixels = self._filled
        # Halved chroma depends on the column before the box.
        lead = min(box.x, 1)
        for y in range(box.y, box.y + box.height, BAND):
            rows = pixels[y : min(y + BAND, box.y + box.height), box.x - lead : box.x + box.width]
            channels = self._band[: 3 * rows.shape[0] * rows.shape[1]].reshape(3, *rows.shape[:2])
            cv2.split(rows, list(channels))
            video.planes(channels, (box.x, y), WEIGHTS, *self._planes)

    @property
    def data(self) -> memoryview:
        """The planes one after the other, as encoders read them."""
        return self._whole.data


def aligned(box: Box, width: int, height: int) -> Box:
    """A box enlarged to even sides, far enough that no chroma outside depends on pixels inside."""
    x, y = max(box.x - NEAR, 0) // 2 * 2, max(box.y - NEAR, 0) // 2 * 2
    right, bottom = box.x + box.width + NEAR, box.y + box.height + NEAR
    right, bottom = min(-(-right // 2) * 2, width), min(-(-bottom // 2) * 2, height)
    return Box(x, y, right - x, bottom - y) if box.area else Box(0, 0, 0, 0)


def _filled(pixels: U8) -> U8:
    """RGB of RGBA rows; transparent pixels take the mean colour of the opaque pixels near them."""
    alpha = np.ascontiguousarray(pixels[..., 3])
    rgb = np.ascontiguousarray(pixels[..., :3])
    clear = alpha == 0
    if not clear.any():
        return rgb
    share = alpha.astype(np.float32) / 255
    size = (2 * NEAR + 1, 2 * NEAR + 1)
    weight = cv2.blur(share, size)[..., None]
    near = cv2.blur(rgb * share[..., None], size) / np.maximum(weight, 1e-6)
    rgb[clear] = np.rint(near[clear]).astype(np.uint8)
    return rgb
