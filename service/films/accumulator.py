"""The mean of a frame's exposures, in linear light."""

from __future__ import annotations

import cv2
import numpy as np

from ..arrays import F32, U8
from ..render.geometry.raster import Box, around
from ..srgb import LINEAR16, SRGB8


class Accumulator:
    """Sums the exposures of each frame in turn; every exposure may cover a different box of the canvas."""

    def __init__(self, first: U8) -> None:
        """`first` (h, w, 3 or 4) uint8 sRGB, straight alpha, is what each exposure shows outside its box."""
        self._first = first
        # The sum of the differences from the first, all 0 between frames.
        self._sum = np.zeros(first.shape, np.float32)
        self._boxes: list[Box] = []

    def add(self, pixels: U8, box: Box) -> None:
        """Add an exposure: its pixels (h, w, 3 or 4) in a box."""
        part = self._sum[box.slices]
        cv2.add(part, _light(pixels), dst=part)
        cv2.subtract(part, _light(self._first[box.slices]), dst=part)
        self._boxes.append(box)

    def finish(self, canvas: U8) -> Box:
        """Write the mean to a canvas, within the returned box, and begin the next frame."""
        box, count = around(self._boxes), len(self._boxes)
        part = self._sum[box.slices]
        canvas[box.slices] = _pixels(_light(self._first[box.slices]) + part / np.float32(count))
        part[...] = 0
        self._boxes.clear()
        return box


def _light(pixels: U8) -> F32:
    """Pixels in linear light, 0-65535. With transparency, it is premultiplied, and the last channel is the
    alpha, 0-255."""
    if pixels.shape[2] == 3:
        return np.asarray(cv2.LUT(pixels, LINEAR16), np.float32)
    light = cv2.LUT(np.ascontiguousarray(pixels), LINEAR16).astype(np.float32)
    alpha = pixels[..., 3].astype(np.float32)
    light[..., :3] *= (alpha * np.float32(1 / 255))[..., None]
    light[..., 3] = alpha
    return light


def _pixels(light: F32) -> U8:
    """The pixels of light in the form that `_light` returns."""
    if light.shape[2] == 4:
        alpha = np.clip(np.rint(light[..., 3]), 0, 255)
        light[..., :3] *= (np.float32(255) / np.maximum(light[..., 3], np.float32(1e-3)))[..., None]
        steps = np.rint(np.clip(light, 0, 65535)).astype(np.uint16)
        made = np.asarray(cv2.LUT(steps, SRGB8), np.uint8)
        made[..., 3] = alpha
        made[made[..., 3] == 0] = 0
        return made
    steps = np.rint(np.clip(light, 0, 65535)).astype(np.uint16)
    return np.asarray(cv2.LUT(steps, SRGB8), np.uint8)
