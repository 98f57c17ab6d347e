"""Finds the content of a screenshot with transparent corners, and trims it to a window."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from ..arrays import U8
from ..devices.content import Content

Mask = np.ndarray[Any, np.dtype[Any]]

# Alpha from which a pixel is the window's own. The line that systems draw around a window, nearly opaque
# black on the shadow, belongs to the shadow.
SOLID = 252
VISIBLE = 8  # alpha
SMOOTH = 32  # levels; the largest difference in alpha between neighbouring pixels of a shadow
RIM = 3  # px beside a window in which lines and resampling may leave larger steps
SMALLEST = 32  # px; a side of a window
STRAIGHT = 0.98  # share of the middle half of a window's side that is opaque
DIAGONAL = 1 - 2**-0.5  # offset, along each axis, of the middle of a corner's arc of radius 1


def measure(pixels: U8) -> Content | None:
    """The content of HxWx3 or HxWx4 uint8 pixels, straight alpha; None if all corners are opaque."""
    if pixels.shape[2] != 4 or (pixels[[0, 0, -1, -1], [0, -1, 0, -1], 3] == 255).all():
        return None
    alpha = cv2.extractChannel(pixels, 3)
    height, width = alpha.shape
    solid = np.asarray(cv2.inRange(alpha, SOLID, 255), np.uint8)
    x, y, w, h = cv2.boundingRect(solid)
    if min(w, h) >= SMALLEST:
        window = solid[y : y + h, x : x + w] > 0
        if _straight(window) and _smooth(np.asarray(alpha, np.uint8), (x, y, w, h)):
            return Content((width, height), (x, y, w, h), True, _radius(window))
    left, top, across, up = cv2.boundingRect(cv2.inRange(alpha, VISIBLE, 255))
    return Content((width, height), (left, top, across, up))


def trimmed(pixels: U8, content: Content) -> U8:
    """The window in HxWx4 pixels, with square corners: the pixels beside them fill the missing ones.

    Returns HxWx3 if the result is opaque throughout.
    """
    x, y, w, h = content.box
    found = pixels[y : y + h, x : x + w].copy()
    reach = min(math.ceil(2 * content.radius) + RIM, w // 2, h // 2)
    # Leave out the outermost pixels, where the line around the window may show through.
    kept = cv2.erode(np.asarray(found[..., 3] >= SOLID, np.uint8), np.ones((5, 5), np.uint8))
    for corner, mask in zip(_corners(found, reach), _corners(np.asarray(kept), reach), strict=True):
        for row, start in zip(corner, np.argmax(mask, axis=1), strict=True):
            row[:start] = row[start]
    opaque = found[..., 3].min() >= SOLID
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_RGBA2RGB), np.uint8) if opaque else found


def _straight(window: Mask) -> bool:
    """Whether the middle of each side of a mask is opaque."""
    h, w = window.shape
    across, up = slice(w // 4, w - w // 4), slice(h // 4, h - h // 4)
    sides = window[0, across], window[-1, across], window[up, 0], window[up, -1]
    return all(side.mean() >= STRAIGHT for side in sides)


def _smooth(alpha: U8, box: tuple[int, int, int, int]) -> bool:
    """Whether only a shadow surrounds a box, so that alpha has no steps there."""
    x, y, w, h = box
    x0, y0, x1, y1 = max(x - RIM, 0), max(y - RIM, 0), x + w + RIM, y + h + RIM
    for part in (alpha[:y0], alpha[y1:], alpha[y0:y1, :x0], alpha[y0:y1, x1:]):
        for one, other in ((part[1:], part[:-1]), (part[:, 1:], part[:, :-1])):
            if one.size and int(cv2.absdiff(one, other).max()) > SMOOTH:
                return False
    return True


def _radius(window: Mask) -> float:
    """The radius, px, of the roundest corner of a mask, found from the place where the corner's diagonal
    becomes opaque."""
    reach = min(window.shape) // 2
    return max(int(np.argmax(corner.diagonal())) for corner in _corners(window, reach)) / DIAGONAL


def _corners(picture: Mask, reach: int) -> list[Mask]:
    """Views of the four corners of a picture, each mirrored to be the upper left one."""
    flipped = picture, picture[:, ::-1], picture[::-1], picture[::-1, ::-1]
    return [one[:reach, :reach] for one in flipped]
