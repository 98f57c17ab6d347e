"""Conversion from a screenshot's ICC profile to sRGB, by Little CMS or an equivalent table and matrix."""

from __future__ import annotations

import hashlib
import io
from typing import Any, NamedTuple

import cv2
import numpy as np
from cachetools import LRUCache
from PIL import Image, ImageCms

from ...arrays import U8
from ...concurrency.single_flight import SingleFlight
from ...limits import CONVERSIONS_BYTES
from ..raw import Raw, bands, colored
from .matrix import Matrix, parse

# The colour space that a profile must declare, by mode.
SPACES = {"L": "GRAY", "RGB": "RGB", "RGBA": "RGB", "CMYK": "CMYK"}
# sRGB profiles differ by a level or so; a profile that changes nothing visible is not applied.
SAME = 1

# The memory of a transform: Little CMS keeps tables of its own, and also the profile's tables, which it may
# expand.
TRANSFORM_BYTES, UNFOLDED = 1 << 20, 3
SMALL_BYTES = 1 << 14


class _Sized(NamedTuple):
    """A transform, None if there is nothing to do, and its size in bytes."""

    transform: Any
    size: int


_transforms: SingleFlight[tuple[bytes, str], _Sized] = SingleFlight(
    LRUCache(CONVERSIONS_BYTES, getsizeof=lambda one: one.size)
)


def to_srgb(raw: Raw, profile: bytes | None) -> U8:
    """Turn decoded pixels of ICC `profile` (None: sRGB) into HxWx3 or HxWx4 uint8 sRGB.

    The conversion is relative colorimetric with black point compensation. A profile that is broken, or made
    for another kind of pixels, is ignored, as browsers do.
    """
    transform = _transform(profile, raw.mode) if profile else None
    if isinstance(transform, Matrix):
        return transform.apply(raw.pixels)
    if transform is None and raw.mode != "CMYK":
        return _plain(raw)
    if raw.mode == "L":
        return _by_table(raw, transform)
    height, width = raw.pixels.shape[:2]
    result = np.empty((height, width, 4 if raw.mode == "RGBA" else 3), np.uint8)
    # Pillow copies the pixels that it takes and the pixels that it returns.
    for rows in bands(height, width):
        image = Image.fromarray(raw.pixels[rows], raw.mode)
        shown = ImageCms.applyTransform(image, transform) if transform else image.convert("RGB")
        result[rows] = np.asarray(shown, np.uint8)
    return result


def _by_table(raw: Raw, transform: Any) -> U8:
    """Convert grey by a table of all 256 levels, since Little CMS takes 0.25 µs per pixel."""
    levels = Image.fromarray(np.arange(256, dtype=np.uint8)[None])
    table = np.asarray(ImageCms.applyTransform(levels, transform), np.uint8)[0]
    height, width = raw.pixels.shape
    result = np.empty((height, width, 3 if raw.alpha is None else 4), np.uint8)
    for rows in bands(height, width):
        result[rows, :, :3] = colored(raw.pixels[rows], table)
    if raw.alpha is not None:
        result[..., 3] = raw.alpha
    return result


def _plain(raw: Raw) -> U8:
    if raw.mode != "L":
        return raw.pixels
    if raw.alpha is None:
        return np.asarray(cv2.cvtColor(raw.pixels, cv2.COLOR_GRAY2RGB), np.uint8)
    return np.asarray(cv2.merge((raw.pixels, raw.pixels, raw.pixels, raw.alpha)), np.uint8)


def _transform(profile: bytes, mode: str) -> Any:
    """The transform for pixels of `mode`, None if there is nothing to do; cached by the profile's hash."""

    def built() -> _Sized:
        transform = _build(profile, mode)
        small = transform is None or isinstance(transform, Matrix)
        return _Sized(transform, SMALL_BYTES if small else TRANSFORM_BYTES + UNFOLDED * len(profile))

    return _transforms.get((hashlib.sha256(profile).digest(), mode), built).transform


def _build(profile: bytes, mode: str) -> Any:
    out = "RGBA" if mode == "RGBA" else "RGB"
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
    if mode == "L":
        # To save time, Little CMS would resample the curve, and be 10 levels off near black.
        flags |= ImageCms.Flags.NOOPTIMIZE
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if source.profile.xcolor_space.strip() != SPACES[mode]:
            return None
        transform = ImageCms.buildTransform(
            source,
            ImageCms.createProfile("sRGB"),
            mode,
            out,
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            flags,
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None
    if mode == "CMYK":
        return transform
    probe = _probe(mode)
    result = np.asarray(ImageCms.applyTransform(Image.fromarray(probe), transform), np.uint8)
    if _same(result, probe if mode != "L" else np.repeat(probe[..., None], 3, 2)):
        return None
    model = parse(profile) if mode != "L" else None
    return model if model and _same(result, model.apply(probe)) else transform


def _probe(mode: str) -> U8:
    """Every 15th level: 1xN for grey, 1xNx3 or 1xNx4 of all combinations for RGB(A); uint8."""
    levels = np.arange(0, 256, 15, dtype=np.uint8)
    if mode == "L":
        return levels[None]
    grid = np.stack(np.meshgrid(levels, levels, levels), -1).reshape(1, -1, 3)
    return grid if mode == "RGB" else np.dstack((grid, np.full(grid.shape[:2], 255, np.uint8)))


def _same(one: U8, other: U8) -> bool:
    return int(np.abs(one.astype(np.int16) - other).max()) <= SAME
