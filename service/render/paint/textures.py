"""Textures: the pictures on a device's faces and walls, from files or from memory."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import U8
from service.models.devices import BARS, FRAMES, Bars, Device
from service.render.drawing import bars
from service.render.kept import MIB, kept
from service.srgb import LINEAR, SRGB8

Pixels = NDArray[Any]
Pyramid = tuple[Pixels, ...]  # a picture at its own size, half, a quarter and so on

KEPT = 96 * MIB  # enough for several devices
NEARER = 1.25  # by which the nearest part of a turned window is larger than its middle


class Textures(Protocol):
    """A source of a device's textures, by the names in its record."""

    def identity(self, name: str) -> Hashable:
        """A key that no other texture of any device has; reads no pixels."""
        ...

    def read(self, name: str) -> U8:
        """Pixels, (h, w) grey or (h, w, 4) RGBA uint8 sRGB, straight alpha; raises FileNotFoundError."""
        ...


class Files:
    """PNG files drawn in advance: a device's own in its folder, shared parts in theirs.

    A window's bars are drawn now, to be seen at `scale` px per mm.
    """

    def __init__(self, device: Device, scale: float = 8.0) -> None:
        self._device = device
        self._bars: tuple[Bars, float] | None = None
        if own := device.bars:
            point = device.screen.size[0] / own.width
            self._bars = own, bars.density(own, scale * point * NEARER)

    def identity(self, name: str) -> Hashable:
        """The texture's file, or the bars and their density."""
        return self._bars if self._bars and name == BARS else self._device.file(name)

    def read(self, name: str) -> U8:
        """As `Textures.read`."""
        return bars.draw(*self._bars) if self._bars and name == BARS else _decoded(self._device.file(name))


class Memory:
    """Arrays drawn for one device, besides the shared parts.

    Textures are named after their content, so a device's digest covers its appearance.
    """

    def __init__(self) -> None:
        self._pixels: dict[str, U8] = {}

    def write(self, name: str, pixels: U8) -> str:
        """Keep grey (h, w) or RGBA (h, w, 4) pixels, uint8, straight alpha; returns the name to record."""
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


@kept(KEPT // 4, key=_identity)
def grey(textures: Textures, name: str) -> Pyramid:
    """A grey texture (h, w) uint8 at its own and smaller sizes, read once; read-only."""
    picture = textures.read(name)
    return _pyramid(picture if picture.ndim == 2 else picture[..., 0].copy())


@kept(KEPT, key=_identity)
def layer(textures: Textures, name: str) -> Pyramid:
    """A texture (h, w, 4) uint8 at its own and smaller sizes, read once; read-only.

    RGBA, premultiplied in linear light and then encoded as sRGB.
    """
    picture = textures.read(name)
    rgba = cv2.cvtColor(picture, cv2.COLOR_GRAY2RGBA) if picture.ndim == 2 else picture.copy()
    # Opaque pixels and black ones stay as they are, and most of a keyboard or a seam is either.
    packed = rgba.view("<u4")[..., 0]
    some = (packed < 0xFF000000) & (packed & 0xFFFFFF != 0)
    part = rgba[some]
    light = LINEAR[part[:, :3]] * (part[:, 3:].astype(np.float32) * np.float32(65535 / 255))
    part[:, :3] = SRGB8[(light + np.float32(0.5)).astype(np.uint16)]
    rgba[some] = part
    return _pyramid(rgba)


@kept(KEPT // 4, key=_identity)
def squared(textures: Textures, name: str) -> Pyramid:
    """The square of a texture's alpha (h, w) uint8 at its own and smaller sizes, read once.

    Beside alpha it says of a shrunken texture whether a pixel is half covered or half transparent.
    """
    alpha = layer(textures, name)[0][..., 3].astype(np.float32)
    return _pyramid(np.asarray(alpha * alpha * np.float32(1 / 255) + np.float32(0.5), np.uint8))


def _pyramid(picture: Pixels) -> Pyramid:
    """The picture and its halves, area-averaged, down to 32 px: shrinking the full size takes longest."""
    levels = [picture]
    while min(picture.shape[:2]) >= 64:
        picture = cv2.resize(
            picture, (picture.shape[1] // 2, picture.shape[0] // 2), interpolation=cv2.INTER_AREA
        )
        levels.append(picture)
    for level in levels:
        level.flags.writeable = False
    return tuple(levels)
