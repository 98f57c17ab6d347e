"""A quick preview of a device: painted at half size and enlarged, with outlines and screens at full size.

All steps work in whole code values, without dither. Details finer than two pixels turn soft.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8, U16
from ...clock import Clock
from ...devices.device import Device
from ...settings.scene import PlateSpec
from ...srgb import LINEAR16, SRGB8
from ..body import Body
from ..geometry.camera import Camera, Stage
from ..geometry.coverage import fill
from ..geometry.face import plane
from ..geometry.raster import Box, bounds, extent
from ..geometry.silhouette import outlines
from ..light.frame import Frame
from ..material import SURFACES
from ..paint.canvas import Canvas
from ..paint.screens import share
from ..tone import highlights
from . import backdrop, shade
from .composite import FAINT, Opening

LARGEST = 3_000_000  # px at half size; beyond that, bodies are painted in parts


def halved(camera: Camera) -> Camera:
    """The same view on a canvas half the size."""
    x, y = camera.center
    width, height = -(-camera.width // 2), -(-camera.height // 2)
    return replace(camera, k=camera.k / 2, center=(x / 2, y / 2), width=width, height=height)


def possible(device: Device, half: Camera) -> bool:
    """Whether a preview can be made: not of flat windows or screens in white, and not at huge sizes."""
    faces = (device.slab(screen.slab).front for screen in device.screens)
    flat = any(not SURFACES[face.surface].lit or SURFACES[face.surface].albedo > 0 for face in faces)
    small = half.width * half.height <= LARGEST
    return small and not flat


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges at full size over `box`: coverage of the body and of each screen, None for one that is not seen.

    Each (h, w) float32 in 0-1. The canvas is painted as if a screen filled its whole face.
    """

    box: Box
    alpha: F32
    screens: tuple[F32 | None, ...]


def behind(spec: PlateSpec, half: Camera, clock: Clock) -> U8:
    """The backdrop for the canvas of `paint`, (height, width, 4) uint8 sRGB, straight alpha.

    It is made at half size: a quarter would be faster, but would compress to a third more bytes.
    """
    width, height, cast = half.width, half.height, spec.shadow
    if cast is not None:
        cast = replace(cast, sigma=cast.sigma / 2, x=cast.x / 2, y=cast.y / 2)
    # Enlarge to exactly the canvas, so that nothing shifts and gradients end in its corners.
    scale = np.array([2 * width / spec.width, 2 * height / spec.height], np.float32)
    wanted = replace(spec, width=width, height=height, shadow=cast)
    shapes = [shape * scale for shape in outlines(spec.device, half)]
    small = backdrop.paint(lambda: shade.cast(wanted, Stage(half, (half,)), shapes), wanted, clock)
    size = (spec.width, spec.height)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def edges(device: Device, camera: Camera, half: Camera) -> Edges:
    """The edges to cut the canvas of `paint` to, as `camera` sees them."""
    shapes = [2 * shape for shape in outlines(device, half)]
    box = bounds(np.concatenate(shapes), camera.width, camera.height)
    if not box.area:
        return Edges(box, np.zeros((0, 0), np.float32), (None,) * len(device.screens))
    faces = [plane(device.slab(screen.slab), True, screen.half) for screen in device.screens]
    screens = tuple(
        share(screen, at, camera, box) if at.seen(camera) else None
        for screen, at in zip(device.screens, faces, strict=True)
    )
    return Edges(box, fill(shapes, box), screens)


def shares(cut: Callable[[], Edges], screen: int, part: Box) -> F32:
    """The share (h, w) of each pixel of a part of the canvas that shows a screen; `cut` returns the edges."""
    cuts = cut()
    twice = Box(*(2 * side for side in part))
    whole = np.zeros((twice.height, twice.width), np.float32)
    seen, fine = twice.clipped(cuts.box), cuts.screens[screen]
    if fine is not None and seen.area:
        whole[seen.within(twice)] = fine[seen.within(cuts.box)]
    return np.asarray(cv2.resize(whole, (part.width, part.height), interpolation=cv2.INTER_AREA))


def paint(frame: Frame, clock: Clock) -> Canvas:
    """The body on a canvas half the size."""
    body = Body(frame)
    return body.paint(body.box, clock)


def composite(canvas: Canvas, cut: Edges, backdrop: U8, *, solid: bool) -> tuple[Opening | None, ...]:
    """Lay a canvas of `paint` over the backdrop, in place; returns each screen's opening, None if not seen.

    `backdrop` is (h, w, 4) uint8 sRGB, straight alpha; a `solid` one has no transparency.
    """
    twice = Box(*(2 * side for side in canvas.box))
    box = cut.box
    if not box.area or not canvas.box.area:
        return (None,) * len(cut.screens)
    part = box.within(twice)
    code = _enlarged(_coded(canvas), twice, part)
    under = backdrop[box.slices]
    below = 1 - cut.alpha
    if not solid:
        below *= cv2.extractChannel(under, 3) * np.float32(1 / 255)
    under[...] = cv2.blendLinear(code, under, cut.alpha, below)
    if not solid:
        under[..., 3] = (cut.alpha + below) * np.float32(255) + np.float32(0.5)
    return tuple(
        None if screen is None else _opening(canvas, gain, screen, cut, backdrop, part)
        for gain, screen in zip(canvas.gains, cut.screens, strict=True)
    )


def _opening(
    canvas: Canvas, light: F32, screen: F32, cut: Edges, backdrop: U8, part: tuple[slice, slice]
) -> Opening | None:
    """The opening of a screen with the gain `light` (half size) and the share `screen` (full size)."""
    if not light.any():
        return None
    twice, box = Box(*(2 * side for side in canvas.box)), cut.box
    gain = _enlarged(_straight(light, canvas.alpha), twice, part)
    passed = np.asarray(cv2.multiply(gain, screen * cut.alpha, dtype=cv2.CV_16U), np.uint16)
    hole = extent(passed > FAINT)
    if not hole.area:
        return None
    at = Box(box.x + hole.x, box.y + hole.y, hole.width, hole.height)
    base = np.asarray(cv2.LUT(cv2.cvtColor(backdrop[at.slices], cv2.COLOR_RGBA2RGB), LINEAR16), np.uint16)
    return Opening(at, base, np.ascontiguousarray(passed[hole.slices]))


def _coded(canvas: Canvas) -> U8:
    """A canvas' opaque colours, (h, w, 4) uint8 sRGB."""
    code = cv2.LUT(_straight(canvas.rgb, canvas.alpha), SRGB8)
    return np.asarray(cv2.cvtColor(code, cv2.COLOR_RGB2RGBA), np.uint8)


def _straight(light: F32, alpha: F32) -> U16:
    """Light (h, w) or (h, w, 3) as straight 16 bits, extended by one pixel beyond its edges."""
    share = np.maximum(alpha, np.float32(1e-4))
    whole = np.asarray(cv2.divide(light, share if light.ndim == 2 else cv2.merge([share] * 3)), np.float32)
    if light.ndim == 3:
        highlights(whole)
    filled = cv2.addWeighted(whole, 65535, whole, 0, 0, dtype=cv2.CV_16U)
    bare = (alpha <= 0).view(np.uint8)
    return np.asarray(cv2.copyTo(cv2.dilate(filled, np.ones((3, 3), np.uint8)), bare, filled), np.uint16)


def _enlarged(picture: NDArray[Any], size: Box, part: tuple[slice, slice]) -> NDArray[Any]:
    """The picture enlarged to `size`, cut to a part."""
    large = cv2.resize(picture, (size.width, size.height), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(large[part])
