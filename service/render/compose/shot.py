"""The screenshot on its way to the screen: fitted, averaged down to its size there, and warped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from ...arrays import F64, U8
from ...clock import Clock
from ...settings.scene import Fit
from ..geometry.coverage import fill
from ..geometry.raster import Box
from ..paint.plane import density
from ..paint.screens import ScreenPlane
from ..plates.plate import ScreenLayer
from .sampled import sampled

PART = 1 << 18  # pixels processed at a time when bars are drawn


@dataclass(frozen=True, slots=True)
class ShotPlacement:
    """The part of a screenshot that is shown, and where.

    `crop` is x, y, width and height as fractions of the screenshot; `onto` is left, top, width and height as
    fractions of the screen, within 0-1: a contained picture leaves bars, a covering one is cropped. `stretch`
    is the factor by which the shown part's aspect ratio grows.
    """

    crop: tuple[float, float, float, float]
    onto: tuple[float, float, float, float]
    stretch: float = 1.0

    @property
    def letterboxed(self) -> bool:
        """Whether visible bars remain beside the screenshot."""
        return self.onto[2] * self.onto[3] < 0.995


def margins(part: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """The margins left, top, right and bottom of a part: x, y, width and height, fractions of a whole."""
    x, y, width, height = part
    return x, y, 1 - x - width, 1 - y - height


def place(size: tuple[int, int], screen: tuple[float, float], fit: Fit) -> ShotPlacement:
    """Fit a screenshot of `size` px to a screen of `screen` width and height (any unit)."""
    whole = (0.0, 0.0, 1.0, 1.0)
    ratio = (size[0] / size[1]) / (screen[0] / screen[1])
    taller = fit.fit == "cover" and ratio < 1
    keep = {"top": 0.0, "center": 0.5, "bottom": 1.0}[fit.anchor or ("top" if taller else "center")]
    # Within half a pixel, the screenshot was made for this screen: no crop, no bars.
    if fit.fit == "stretch" or abs(ratio - 1) < 0.5 / max(size):
        return ShotPlacement(whole, whole, 1 / ratio)
    if fit.fit == "cover":
        if ratio > 1:
            return ShotPlacement(((1 - 1 / ratio) / 2, 0.0, 1 / ratio, 1.0), whole)
        return ShotPlacement((0.0, (1 - ratio) * keep, 1.0, ratio), whole)
    if ratio > 1:
        return ShotPlacement(whole, (0.0, (1 - 1 / ratio) * keep, 1.0, 1 / ratio))
    return ShotPlacement(whole, ((1 - ratio) / 2, 0.0, ratio, 1.0))


def expose(
    pixels: U8, placement: ShotPlacement, fit: Fit, hole: ScreenLayer, clock: Clock, *, fast: bool
) -> U8:
    """The fitted screenshot as seen in the screen layer's box, (h, w, 3) uint8 sRGB.

    `pixels` (h, w, 3 or 4) are uint8 sRGB, straight alpha; `hole` is the screen layer. With `fast`, and for
    screenshots seen through a haze, each pixel takes one sample.
    """
    if hole.haze is None:
        return _exposed(pixels, placement, fit, hole, clock, fast=fast)
    box, matrix = hole.haze.grid(hole.box, hole.matrix)
    shown = _exposed(pixels, placement, fit, replace(hole, box=box, matrix=matrix), clock, fast=True)
    return hole.haze.blurred(shown, hole.box)


def _exposed(
    pixels: U8, placement: ShotPlacement, fit: Fit, hole: ScreenLayer, clock: Clock, *, fast: bool
) -> U8:
    """The fitted screenshot as seen in the screen layer's box without its haze."""
    matrix, screen, box = hole.matrix, hole.size, hole.box
    h, w = pixels.shape[:2]
    left, top, width, height = placement.crop
    x0, y0 = left * w, top * h
    x1, y1 = x0 + width * w, y0 + height * h
    ix0, iy0 = int(np.floor(x0)), int(np.floor(y0))
    ix1, iy1 = min(int(np.ceil(x1 - 1e-6)), w), min(int(np.ceil(y1 - 1e-6)), h)
    part = pixels[iy0:iy1, ix0:ix1]
    if part.shape[2] == 4:
        # Transparent screenshots are blended after shrinking, which gives the same result in a fraction of
        # the time.
        part = np.asarray(cv2.cvtColor(part, cv2.COLOR_RGBA2mRGBA), np.uint8)
    # Map px of the cropped part to mm of the screen, and those to canvas px.
    ox, oy, ow, oh = placement.onto
    sx, sy = ow * screen[0] / (x1 - x0), oh * screen[1] / (y1 - y0)
    to_mm = np.array(
        [
            [sx, 0, (ox - 0.5) * screen[0] - (x0 - ix0) * sx],
            [0, -sy, (0.5 - oy) * screen[1] + (y0 - iy0) * sy],
            [0, 0, 1.0],
        ]
    )
    whole = matrix @ to_mm
    finish = partial(_flattened, color=fit.background[:3]) if part.shape[2] == 4 else _opaque
    light = sampled(part, whole, box, finish, clock, fast=fast)
    if placement.letterboxed:
        _bar(light, placement, hole, fit.background[:3])
    return light


def _bar(light: U8, placement: ShotPlacement, hole: ScreenLayer, color: tuple[int, ...]) -> None:
    """Colour the bars beside a contained picture, in place.

    The picture's edge is as sharp as a device's outline, even if few pixels were enlarged. Where it coincides
    with the screen's edge, only the screen's edge is drawn.
    """
    (width, height), box = hole.size, hole.box
    x, y, w, h = placement.onto
    beyond = (0.1 if w > h else 0.0, 0.1 if h > w else 0.0)
    left, right = ((edge - 0.5) * width for edge in (x - beyond[0], x + w + beyond[0]))
    top, bottom = ((0.5 - edge) * height for edge in (y - beyond[1], y + h + beyond[1]))
    corners = np.array([(left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)])
    corners = corners @ hole.matrix.T
    outline = (corners[:, :2] / corners[:, 2:]).astype(np.float32)
    under = np.array(color, np.float32)
    rows = max(PART // box.width, 16)
    for y in range(0, box.height, rows):
        band = light[y : y + rows]
        share = fill([outline], Box(box.x, box.y + y, box.width, len(band)))
        beside = share < 1
        mixed = under + (band[beside] - under) * share[beside][:, None]
        band[beside] = np.round(mixed).astype(np.uint8)


def _opaque(pixels: U8) -> U8:
    """The picture without its fourth channel."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGBA2RGB), np.uint8)


def _flattened(premultiplied: U8, color: tuple[int, ...]) -> U8:
    """A premultiplied picture (h, w, 4) over a colour, (h, w, 3), mixed in code values."""
    *planes, opacity = cv2.split(premultiplied)
    if opacity.min() == 255:
        return np.asarray(cv2.merge(planes), np.uint8)
    mixed = (
        cv2.addWeighted(plane, 1, opacity, -under / 255, under)
        for plane, under in zip(planes, color, strict=True)
    )
    return np.asarray(cv2.merge(list(mixed)), np.uint8)


def demand(placements: Sequence[ShotPlacement], planes: Sequence[ScreenPlane]) -> tuple[int, int]:
    """The width and height in px that the whole screenshot takes up on the canvas, where it appears largest.

    If there are several screens, the one that needs the most pixels counts. `placements` and `planes` have an
    entry for each screen, in order.
    """
    sizes = [
        _demand(placement, plane.matrix, plane.size)
        for placement, plane in zip(placements, planes, strict=True)
    ]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _demand(placement: ShotPlacement, matrix: F64, screen: tuple[float, float]) -> tuple[int, int]:
    shown = (placement.onto[2] * screen[0], placement.onto[3] * screen[1])
    to_mm = np.array([[shown[0], 0, -shown[0] / 2], [0, -shown[1], shown[1] / 2], [0, 0, 1.0]])
    across, down = density(matrix @ to_mm, (1, 1), tolerance=50.0)
    wanted = (across / placement.crop[2], down / placement.crop[3])
    return tuple(int(np.ceil(min(side, 1e6))) for side in wanted)  # type: ignore[return-value]
