"""Frames as planes of luma and chroma, for encoders of video."""

from __future__ import annotations

import cv2
import numpy as np

from ...arrays import F32, U8
from ...render.geometry.raster import Box

# ITU-R BT.709, limited range: luma 16-235, chroma 16-240 about 128.
RED, BLUE = 0.2126, 0.0722
GREEN = 1 - RED - BLUE
LUMA, CHROMA = 219 / 255, 224 / 255
NEAR = 9  # px within which transparent pixels take the colour of others


def _matrix() -> F32:
    luma = np.array([RED, GREEN, BLUE])
    blue = (np.array([0, 0, 1]) - luma) / (2 * (1 - BLUE))
    red = (np.array([1, 0, 0]) - luma) / (2 * (1 - RED))
    rows = np.stack([luma * LUMA, blue * CHROMA, red * CHROMA])
    return np.column_stack([rows, [16, 128, 128]]).astype(np.float32)


MATRIX = _matrix()


class Planes:
    """The planes of the newest frame, with chroma at half the size unless `full`, and alpha if there is any.

    Halved chroma lies where H.264 and VP9 have it by default: level with every second pixel of a row, between
    two rows. Transparent pixels take the colour of those near them, which would bleed into these otherwise.
    """

    def __init__(self, width: int, height: int, *, alpha: bool, full: bool = False) -> None:
        """Width and height are even unless `full`."""
        small = (height, width) if full else (height // 2, width // 2)
        self._full = full
        self._planes = [np.zeros((height, width), np.uint8), *(np.zeros(small, np.uint8) for _ in range(2))]
        self._alpha = np.zeros((height, width), np.uint8) if alpha else None

    def update(self, pixels: U8, changed: Box | None = None) -> None:
        """Take a frame, (h, w, 3 or 4), that differs from the one before in the box `changed`, if given."""
        height, width = pixels.shape[:2]
        box = Box(0, 0, width, height) if changed is None else aligned(changed, width, height)
        if not box.area:
            return
        rows, columns = box.slices
        part = pixels[rows, columns]
        if self._alpha is not None:
            self._alpha[rows, columns] = part[..., 3]
            part = _filled(part)
        luma, blue, red = cv2.split(cv2.transform(part, MATRIX))
        self._planes[0][rows, columns] = luma
        for plane, chroma in zip(self._planes[1:], (blue, red), strict=True):
            if self._full:
                plane[rows, columns] = chroma
                continue
            small = halved(np.asarray(chroma, np.uint8))
            # The first column lacks what is left of it.
            skipped = 1 if box.x else 0
            target = plane[rows.start // 2 : rows.stop // 2, columns.start // 2 : columns.stop // 2]
            target[:, skipped:] = small[:, skipped:]

    @property
    def nbytes(self) -> int:
        """The bytes of all planes."""
        return sum(len(part) for part in self.parts)

    @property
    def parts(self) -> list[memoryview]:
        """The planes one after the other, as encoders read them."""
        planes = self._planes if self._alpha is None else [*self._planes, self._alpha]
        return [plane.reshape(-1).data for plane in planes]


def aligned(box: Box, width: int, height: int) -> Box:
    """A box grown to even sides, so that chroma in it depends on nothing beside it but its first column."""
    x, y = max(box.x - NEAR, 0) // 2 * 2, max(box.y - NEAR, 0) // 2 * 2
    right, bottom = box.x + box.width + NEAR, box.y + box.height + NEAR
    right, bottom = min(-(-right // 2) * 2, width), min(-(-bottom // 2) * 2, height)
    return Box(x, y, right - x, bottom - y) if box.area else Box(0, 0, 0, 0)


def halved(chroma: U8) -> U8:
    """A plane at half the size: the mean of two rows; along each row, every second pixel by 1, 2, 1."""
    height, width = chroma.shape
    rows = np.asarray(cv2.resize(chroma, (width, height // 2), interpolation=cv2.INTER_LINEAR), np.uint16)
    even, odd = rows[:, ::2], rows[:, 1::2]
    left = np.concatenate([even[:, :1], odd[:, :-1]], axis=1)
    return np.asarray((2 * even + odd + left + 2) >> 2, np.uint8)


def _filled(pixels: U8) -> U8:
    """RGB of RGBA rows, in which transparent pixels have the mean colour of the opaque ones near them."""
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
