"""Pictures to encode: smooth, photo-like and transparent ones."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from service.arrays import U8


def gradient(width: int, height: int) -> U8:
    """HxWx3 whose channels grow rightwards, downwards and along both."""
    right = np.arange(width)[None] / max(1, width - 1)
    down = np.arange(height)[:, None] / max(1, height - 1)
    pixels = np.empty((height, width, 3), np.uint8)
    for channel, level in enumerate((right, down, (right + down) / 2)):
        pixels[..., channel] = np.rint(level * 255)
    return pixels


def saved(form: str = "PNG", width: int = 40, height: int = 30, **options: object) -> bytes:
    """A photo in a file that Pillow wrote."""
    file = io.BytesIO()
    Image.fromarray(photo(width, height)).save(file, form, **options)
    return file.getvalue()


def photo(width: int, height: int, *, alpha: bool = False) -> U8:
    """A gradient with soft noise; with `alpha`, HxWx4 whose opacity falls from left to right."""
    noise = np.random.default_rng(7).normal(0, 6, (height, width, 3))
    pixels = np.clip(gradient(width, height) + noise, 0, 255).astype(np.uint8)
    if not alpha:
        return pixels
    opacity = np.linspace(250, 0, width).astype(np.uint8)
    return np.dstack((pixels, np.broadcast_to(opacity, (height, width))))
