"""Textures for other styles: in clay, paint becomes relief; in line drawings, it becomes ink."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import cv2
import numpy as np

from ...arrays import U8
from ..light.frame import Textures

EDGE, HOLLOW = 0.42, 0.16  # opacity of the shade in grooves along edges, and in dark painted areas; by eye
# difference in code values between ink and the surface below it from which ink begins to show, and the
# further difference up to which it becomes opaque; by eye
DISTINCT, SURE = 40.0, 30.0
# difference between a pixel's channels from which its area is outlined rather than filled; by eye
COLORED = 64
STEP = 48.0  # difference in code values from which an edge becomes a full groove; by eye


class Redrawn:
    """The textures of a source, each redrawn by `draw`, which caches identify by `style`."""

    def __init__(self, textures: Textures, style: str, draw: Callable[[U8], U8]) -> None:
        self._textures = textures
        self._style = style
        self._draw = draw

    def identity(self, name: str) -> Hashable:
        """As `Textures.identity`."""
        return self._style, self._textures.identity(name)

    def read(self, name: str) -> U8:
        """As `Textures.read`."""
        return self._draw(self._textures.read(name))


def engraved(picture: U8) -> U8:
    """A picture (h, w, 4) uint8, straight alpha, turned into the shade (h, w, 4) of a relief: black with an
    alpha.

    A picture (h, w) that is shade already is returned as it is.
    """
    if picture.ndim == 2:
        return picture
    alpha = cv2.extractChannel(picture, 3)
    grey = cv2.cvtColor(np.ascontiguousarray(picture[..., :3]), cv2.COLOR_RGB2GRAY)
    level = cv2.multiply(grey, alpha, scale=1 / 255)
    kernel = np.ones((3, 3), np.uint8)
    groove = np.maximum(
        cv2.morphologyEx(level, cv2.MORPH_GRADIENT, kernel).astype(np.float32) / np.float32(STEP),
        cv2.morphologyEx(alpha, cv2.MORPH_GRADIENT, kernel).astype(np.float32) / np.float32(255),
    )
    depth = (alpha.astype(np.float32) - level) / np.float32(255)
    shade = np.float32(EDGE) * np.minimum(groove, 1) + np.float32(HOLLOW) * depth
    relief = np.zeros_like(picture)
    # Leave out shade outside the painted area, where it would show as a seam around an opaque picture.
    relief[..., 3] = shade * np.minimum(2 * alpha.astype(np.float32), 255) + np.float32(0.5)
    return relief


def inked(picture: U8) -> U8:
    """An opaque picture (h, w, 4) uint8, turned into black ink (h, w, 4) with an alpha."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture[..., :3]), cv2.COLOR_RGB2GRAY)
    kernel = np.ones((3, 3), np.uint8)
    ground = cv2.medianBlur(grey, 2 * (grey.shape[0] // 6) + 1)
    contrast = cv2.absdiff(grey, ground).astype(np.float32)
    strong = picture[..., :3].max(axis=2).astype(np.int16) - picture[..., :3].min(axis=2)
    letters = (strong < COLORED) * np.clip((contrast - np.float32(DISTINCT)) / np.float32(SURE), 0, 1)
    groove = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, kernel).astype(np.float32) / np.float32(STEP)
    edges = np.minimum(3 * groove, 1) * (1 - cv2.dilate(letters, np.ones((5, 5), np.uint8)))
    ink = np.zeros_like(picture)
    ink[..., 3] = np.maximum(letters, edges) * np.float32(255) + np.float32(0.5)
    return ink
