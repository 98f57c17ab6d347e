"""Textures: the pictures on a device's faces and walls, from files or from memory."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8, U16
from ...devices.device import BARS, Bars, Device
from ...shipped import FRAMES
from ...srgb import LINEAR, LINEAR16
from ..drawing import bars
from ..light.frame import Textures
from ..memoize import MIB, memoize
from ..tone import lut

Pixels = NDArray[Any]
Pyramid = tuple[Pixels, ...]  # a picture at full size, half, a quarter, and so on

KEPT = 64 * MIB  # bytes of cached textures, enough for several devices; by cost
NARROW = 8  # px; the width of a strap in its smallest mip level; by eye
NEARER = 1.25  # scale of the nearest part of a turned window, relative to its middle; by eye


class TextureFiles:
    """PNG files drawn in advance: a device's own files are in its folder, those of shared parts in theirs.

    A window's bars are drawn on demand, for a scale of `scale` px per mm.
    """

    def __init__(self, device: Device, scale: float = 8.0) -> None:
        self._file = device.file
        self._bars: tuple[Bars, float] | None = None
        if own := device.bars:
            point = device.screen.size[0] / own.width
            self._bars = own, bars.density(own, scale * point * NEARER)

    def identity(self, name: str) -> Hashable:
        """The texture's file, or the bars and their density."""
        return self._bars if self._bars and name == BARS else self._file(name)

    def read(self, name: str) -> U8:
        """As `Textures.read`."""
        return bars.draw(*self._bars) if self._bars and name == BARS else _decoded(self._file(name))


class Memory:
    """Textures drawn for a single device and kept in memory, in addition to the shared parts.

    Textures are named after their content, so a device's digest covers its appearance.
    """

    def __init__(self) -> None:
        self._pixels: dict[str, U8] = {}

    def write(self, name: str, pixels: U8) -> str:
        """Keep pixels, grey (h, w) or RGBA (h, w, 4), uint8, straight alpha, and return the name to
        record."""
        digest = hashlib.blake2b(pixels.tobytes() + repr(pixels.shape).encode(), digest_size=16).hexdigest()
        self._pixels[f"{name}#{digest}"] = pixels
        return f"{name}#{digest}"

    def identity(self, name: str) -> str:
        """The name, which identifies the content or the shared part."""
        return name

    def read(self, name: str) -> U8:
        """As `Textures.read`."""
        return self._pixels[name] if name in self._pixels else _decoded(FRAMES / name)


def _decoded(file: Path) -> U8:
    picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"no picture at {file}")
    if picture.ndim == 3:
        four = picture.shape[2] == 4
        picture = cv2.cvtColor(picture, cv2.COLOR_BGRA2RGBA if four else cv2.COLOR_BGR2RGBA)
    return np.asarray(picture, np.uint8)


def _identity(textures: Textures, name: str) -> Hashable:
    return textures.identity(name)


@memoize(KEPT // 4, key=_identity)
def grey(textures: Textures, name: str) -> Pyramid:
    """A grey texture (h, w) uint8 and its mip levels, read once; read-only."""
    picture = textures.read(name)
    return _pyramid(picture if picture.ndim == 2 else picture[..., 0].copy())


@memoize(KEPT, key=_identity)
def layer(textures: Textures, name: str) -> Pyramid:
    """A texture (h, w, 4) and its mip levels, read once; read-only.

    RGBA in linear light, premultiplied, uint16. Light is averaged, so thin bright lines on dark areas, such
    as letters on keys, keep their light when they shrink.
    """
    return _pyramid(_premultiplied(_rgba(textures, name)))


@memoize(MIB // 4, key=_identity)
def narrow(textures: Textures, name: str) -> Pyramid:
    """Further mip levels of a `layer`, down to NARROW px, since even small pictures show a strap's ribs."""
    sizes = [layer(textures, name)[-1]]
    while min(sizes[-1].shape[:2]) >= 2 * NARROW:
        high, wide = (side // 2 for side in sizes[-1].shape[:2])
        sizes.append(cv2.resize(sizes[-1], (wide, high), interpolation=cv2.INTER_AREA))
    return tuple(sizes[1:])


@memoize(KEPT // 2, key=_identity)
def coded(textures: Textures, name: str) -> Pyramid:
    """A texture (h, w, 4) uint8 and its mip levels, read once; read-only.

    RGBA in sRGB, premultiplied. Code values are averaged, as for screenshots, so that letters on a window's
    bars stay as dark as those on its page.
    """
    rgba = _rgba(textures, name)
    alpha = cv2.cvtColor(np.ascontiguousarray(rgba[..., 3]), cv2.COLOR_GRAY2RGB)
    color = cv2.multiply(cv2.cvtColor(rgba, cv2.COLOR_RGBA2RGB), alpha, scale=1 / 255)
    return _pyramid(np.dstack([color, rgba[..., 3]]))


@memoize(KEPT // 4, key=_identity)
def squared(textures: Textures, name: str) -> Pyramid:
    """The square of a texture's alpha (h, w) uint16 and its mip levels, read once.

    With it, a half-covered pixel of a shrunken texture can be distinguished from a half-transparent one.
    """
    alpha = layer(textures, name)[0][..., 3].astype(np.float32)
    return _pyramid(np.asarray(alpha * alpha * np.float32(1 / 65535) + np.float32(0.5), np.uint16))


@memoize(MIB, key=_identity)
def opacity(textures: Textures, name: str) -> float:
    """The mean opacity, 0-1, of a texture where it is not empty: the sum of alpha² over the sum of alpha."""
    alpha = layer(textures, name)[0][..., 3].astype(np.float32) * np.float32(1 / 65535)
    return float((alpha * alpha).sum() / max(float(alpha.sum()), 1e-6))


@memoize(KEPT // 4, key=_identity)
def translucent(textures: Textures, name: str) -> Pyramid:
    """alpha · (1 - alpha) of a texture, (h, w) uint8, and its mip levels, read once."""
    alpha = layer(textures, name)[0][..., 3].astype(np.float32) * np.float32(1 / 65535)
    return _pyramid(np.asarray(alpha * (1 - alpha) * np.float32(255) + np.float32(0.5), np.uint8))


def unpacked(picture: Pixels, white: F32 | None = None) -> F32:
    """Linear light (h, w, 3) float32, under `white` (3,), of the pixels (h, w, 4) of a `layer` or of
    `coded`."""
    if picture.dtype == np.uint8:
        return _light_of_code(np.asarray(picture, np.uint8), white)
    light = cv2.cvtColor(picture, cv2.COLOR_RGBA2RGB).astype(np.float32)
    if white is None:
        return np.asarray(np.multiply(light, np.float32(1 / 65535), out=light), np.float32)
    return scaled(light, white * np.float32(1 / 65535))


def _light_of_code(picture: U8, white: F32 | None) -> F32:
    """Linear light (h, w, 3) under `white` (3,) of pixels (h, w, 4) of a `coded` texture, premultiplied."""
    color, alpha = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGBA2RGB), np.uint8), picture[..., 3]
    edge = (alpha > 0) & (alpha < 255)
    share = alpha[edge].astype(np.float32)[:, None] * np.float32(1 / 255)
    # Premultiplied code values scale with coverage, but linear light does not, so divide, decode and
    # multiply.
    color[edge] = np.minimum(color[edge] / share + np.float32(0.5), 255).astype(np.uint8)
    light = lut(color, white)
    light[edge] *= share
    return light


def scaled(light: F32, gain: F32) -> F32:
    """Light (h, w, 3) times a gain (3,)."""
    # NumPy takes ten times as long for so few channels.
    return np.asarray(cv2.transform(light, np.diag(gain)), np.float32)


def _rgba(textures: Textures, name: str) -> U8:
    """The texture's stored pixels, (h, w, 4)."""
    picture = textures.read(name)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2RGBA) if picture.ndim == 2 else picture, np.uint8)


def _premultiplied(rgba: U8) -> U16:
    """A picture (h, w, 4) of sRGB and straight alpha as linear light, premultiplied."""
    premultiplied = cv2.LUT(rgba, _LIGHT)
    # The table is exact for opaque and for black pixels, which make up most of a keyboard or a seam.
    packed = np.ascontiguousarray(rgba).view("<u4")[..., 0]
    some = (packed < 0xFF000000) & (packed & 0xFFFFFF != 0)
    part = rgba[some]
    light = LINEAR[part[:, :3]] * (part[:, 3:].astype(np.float32) * np.float32(65535 / 255))
    alpha = part[:, 3:].astype(np.uint16) * np.uint16(257)
    premultiplied[some] = np.concatenate([(light + np.float32(0.5)).astype(np.uint16), alpha], axis=1)
    clear = packed < 1 << 24
    if clear.any():
        premultiplied[clear] = 0
    return np.asarray(premultiplied, np.uint16)


_LIGHT = np.stack([LINEAR16] * 3 + [np.arange(256, dtype=np.uint16) * np.uint16(257)], axis=1)[None]


def _pyramid(picture: Pixels) -> Pyramid:
    """The picture and its mip levels, area-averaged, down to 32 px, so the full size is shrunk only once."""
    levels = [picture]
    while min(picture.shape[:2]) >= 64:
        picture = cv2.resize(
            picture, (picture.shape[1] // 2, picture.shape[0] // 2), interpolation=cv2.INTER_AREA
        )
        levels.append(picture)
    for level in levels:
        level.flags.writeable = False
    return tuple(levels)
