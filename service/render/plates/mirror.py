"""The mirror image of devices in a reflecting floor: a picture of the devices, mirrored in the floor's plane,
behind the devices.

A reflection swaps left and right, which no rotation of a camera or device does. But a reflection followed by
a flip of the picture's x is a rotation and a shift. So the devices and the light around them are rotated and
shifted, painted as usual, and the picture is flipped. The image becomes softer and fainter with the height of
the mirrored point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F32, F64, U8
from ...clock import Clock
from ...settings.scene import GroundSpec, PlateSpec
from ...srgb import decode, encode
from ..dither import spread
from ..geometry.camera import Stage
from ..geometry.raster import Box
from ..light.frame import Frame
from ..paint.canvas import Canvas
from ..tone import highlights
from .composite import Painter
from .depth import depth_map
from .haze import hazed, levels, shares
from .plane import GroundPlane, plane, solids

FLIP: F64 = np.diag([-1.0, 1.0, 1.0])
SPREAD = 0.25  # standard deviation of the blur in heights above a floor of roughness 1; by eye
FADE = 2.0  # the image fades by a factor of e to this power over the height of the devices; by eye
# share of the devices' height above which the image also fades to nothing at their full height; by eye
END = 0.5
LARGEST = 6_000_000  # px of the largest canvas on which the image is painted; by cost
_CODES: F32 = (encode(np.arange(65536) / 65535) * 255).astype(np.float32)
BAND = 64  # rows laid over the backdrop at a time
FILLED = 2  # px by which heights are extended beyond the pixels that are mostly covered; by construction


@dataclass(frozen=True, slots=True, eq=False)
class Glass:
    """A floor that reflects: its plane, and the `stage` that sees the mirrored devices.

    The stage's picture is flipped left to right, and `turn` (3, 3) takes directions of light to the stage.
    """

    at: GroundPlane
    stage: Stage
    turn: F64
    height: float


def glass(spec: PlateSpec, stage: Stage) -> Glass | None:
    """The floor of a plate spec; None if there is none, it reflects nothing, or it is seen from below."""
    ground = spec.ground
    if ground is None or ground.kind != "floor" or ground.reflectivity <= 0:
        return None
    if any(one.style == "outline" for one in spec.instances):
        return None
    devices = [one.device for one in spec.instances]
    at = plane(stage, devices, ground, spec.transform)
    if not at.seen(stage.camera):
        return None
    up = at.axes[2]
    turn = FLIP @ (np.eye(3) - 2 * np.outer(up, up))
    moved = stage.moved(turn, FLIP @ (2 * (at.origin @ up) * up), flipped=True)
    height = max(float(((solid.points - at.origin) @ up).max()) for solid in solids(stage, devices))
    return Glass(at, moved, turn, max(height, 1e-3))


@dataclass(frozen=True, slots=True, eq=False)
class FloorImage:
    """The mirror image over a `box` of the canvas: premultiplied linear `light` (h, w, 3), and its `alpha`
    (h, w).

    `gains` has, for each screen, its premultiplied gains (h, w) after the blur and before it, or None if it
    is not visible. `level` and `fade` (h, w) are as in `haze.py`.
    """

    box: Box
    light: F32
    alpha: F32
    gains: tuple[tuple[F32, F32] | None, ...]
    level: F32
    fade: F32


def image(
    floor: Glass,
    ground: GroundSpec,
    canvas: Box,
    painter: Callable[[Stage], tuple[Sequence[Frame], Painter]],
    halved: Callable[[Stage], Stage],
    clock: Clock,
    *,
    fast: bool,
) -> FloorImage | None:
    """The mirror image of the devices on a `canvas`; None if it is not visible.

    `painter` returns the frames and the painter for a stage. For previews and for large canvases, the picture
    is painted at half the size, or halved several times if need be.
    """
    stage, times = floor.stage, 1
    while (fast and times == 1) or stage.camera.width * stage.camera.height > LARGEST:
        stage, times = halved(stage), times * 2
    frames, body = painter(stage)
    camera = stage.camera
    if not body.box.area:
        return None
    most = SPREAD * ground.roughness * camera.k * floor.height
    reach = int(np.ceil(3 * most)) + 2
    whole = Box(0, 0, camera.width, camera.height)
    box = body.box.grown(reach).clipped(whole)
    painted = _painted(body.paint(body.box, clock), box)
    clock.check()
    high = _heights(frames, stage, floor, box, clock)
    sigma = np.asarray(SPREAD * ground.roughness * camera.k * high, np.float32)
    fade = faded(high / np.float32(floor.height))
    parts = shares(levels(sigma), fade, painted.alpha)
    light, alpha = hazed(painted.rgb, parts), hazed(painted.alpha, parts)
    gains = [(hazed(gain, parts), gain) if gain.any() else None for gain in painted.gains]
    clock.check()
    place = Box(
        canvas.width - times * (box.x + box.width), times * box.y, times * box.width, times * box.height
    )
    at = place.clipped(canvas)

    def seen(field: F32) -> F32:
        large = field if times == 1 else cv2.resize(field, place[2:], interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(cv2.flip(large, 1)[at.within(place)], np.float32)

    return FloorImage(
        at,
        seen(light),
        seen(alpha),
        tuple(one and (seen(one[0]), seen(one[1])) for one in gains),
        levels(seen(sigma) * np.float32(times)),
        seen(fade),
    )


def faded(height: F32) -> F32:
    """The strength, from 1 down to 0, with which the floor mirrors points at a height, given as a share of
    the devices' height."""
    rest = np.clip((1 - height) / (1 - END), 0, 1)
    return np.asarray(np.exp(-FADE * np.maximum(height, 0)) * rest * rest * (3 - 2 * rest), np.float32)


def _painted(canvas: Canvas, box: Box) -> Canvas:
    """A canvas' paint, with its highlights compressed, in a larger box."""
    if canvas.lit:
        share = np.maximum(canvas.alpha, np.float32(1e-6))[..., None]
        canvas.rgb[...] = highlights(np.asarray(canvas.rgb / share, np.float32)) * share
    made = Canvas.empty(box, len(canvas.gains), lit=False)
    at = canvas.box.within(box)
    made.rgb[at], made.alpha[at] = canvas.rgb, canvas.alpha
    for gain, own in zip(made.gains, canvas.gains, strict=True):
        gain[at] = own
    return made


def _heights(frames: Sequence[Frame], stage: Stage, floor: Glass, box: Box, clock: Clock) -> F32:
    """The height (h, w), mm, above the floor of the points that a box's pixels mirror."""
    found = depth_map(frames, stage, np.zeros(3), clock)
    away = np.full((box.height, box.width), np.inf, np.float32)
    part = found.box.clipped(box)
    away[part.within(box)] = found.away[part.within(found.box)]
    # Pixels along edges have light as well, so they take the height of the nearest covered pixel. By default,
    # OpenCV takes the greatest finite number for pixels outside of the box.
    near = cv2.erode(away, np.ones((2 * FILLED + 1,) * 2, np.uint8), borderType=cv2.BORDER_REPLICATE)
    away = np.where(np.isfinite(away), away, near)
    away[~np.isfinite(away)] = 0
    camera = stage.camera
    scale = (1 + away / camera.distance) / camera.k
    x = (np.arange(box.width) + (box.x + 0.5 - camera.center[0])) * scale
    y = (camera.center[1] - box.y - 0.5 - np.arange(box.height))[:, None] * scale
    up = floor.at.axes[2]
    low = -x * up[0] + y * up[1] - away * up[2] - floor.at.origin @ up
    return np.asarray(np.clip(-low, 0, floor.height), np.float32)


def lay(one: FloorImage, strength: float, backdrop: U8, *, fast: bool) -> tuple[F32 | None, ...]:
    """Lay a mirror image, with dark screens, over a backdrop (h, w, 4) uint8 sRGB, straight alpha, in place.

    It is mixed in code values, as the shadow is. Returns, for each screen, the gain (h, w), 0-65535, on its
    linear light, or None if it is not visible.
    """
    x, y, width, height = one.box
    gains = tuple(None if gain is None else np.empty((height, width), np.float32) for gain in one.gains)
    for top in range(0, height, BAND):
        rows = slice(top, min(top + BAND, height))
        band = backdrop[y + rows.start : y + rows.stop, x : x + width]
        share = np.float32(strength) * np.clip(one.alpha[rows], 0, 1)[..., None]
        clear = band[..., 3:].astype(np.float32) * np.float32(1 / 255)
        total = share + (1 - share) * clear
        new, old = (part / np.maximum(total, np.float32(1e-6)) for part in (share, (1 - share) * clear))
        under = band[..., :3] * old
        weight = np.maximum(one.alpha[rows], np.float32(1e-6))[..., None]
        straight = np.asarray(one.light[rows] / weight, np.float32)
        dark = np.asarray(under + new * _code(straight), np.float32)
        for gain, made in zip(one.gains, gains, strict=True):
            if gain is not None and made is not None:
                lit = np.asarray(straight + gain[0][rows][..., None] / weight, np.float32)
                bright = np.asarray(under + new * _code(lit), np.float32)
                made[rows] = np.maximum((_linear(bright) - _linear(dark)).mean(axis=2), 0)
        seen = share[..., 0] > 0
        for channel in range(3):
            offset: float | F32 = 0.5
            if not fast:
                offset = spread(x, y + rows.start, width, len(band), channel)
            mixed = np.minimum(dark[..., channel] + offset, 255).astype(np.uint8)
            np.copyto(band[..., channel], mixed, where=seen)
        band[..., 3] = np.rint(total[..., 0] * 255)
    return gains


def _code(light: F32) -> F32:
    """Unrounded code values 0-255 of linear light, up to 1."""
    return _CODES[(np.clip(light, 0, 1) * np.float32(65535) + np.float32(0.5)).astype(np.uint16)]


def _linear(code: F32) -> F32:
    """Linear light 0-65535 of unrounded code values."""
    return 65535 * decode(np.clip(code, 0, 255) * np.float32(1 / 255))


def flipped(matrix: F64, width: int) -> F64:
    """A matrix (3, 3) to px of a canvas `width` px wide, changed to lead to the px of the flipped canvas."""
    return np.asarray(np.array([[-1.0, 0, width], [0, 1, 0], [0, 0, 1]]) @ matrix, np.float64)
